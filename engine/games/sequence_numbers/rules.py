"""Sequence Numbers. Cards bear sums and differences, the board their answers; five own chips in a line are a sequence.

The numbers in brackets are those of docs/rules/sequence_numbers.md. A turn is [swap] → play → draw, or pass when
nothing can be played. Whoever forgets his draw may be late with it until the next player has drawn. One sequence wins
among two or three players, two among four or six.

A player's hand never grows past its size and the deck is larger than all hands together. So stock and discards are
never empty both, and as the discards become the stock at once when a draw takes its last card, the stock never is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from underboard.engine.base.errors import GameOver, IllegalAction
from underboard.engine.gamekit import cards
from underboard.engine.gamekit.game import NOBODY, Action, Announcement, Game, Record, Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.games.sequence_numbers.boards import BOARD, MINUS, load
from underboard.engine.games.sequence_numbers.choices import can_pass, holdings, legal_actions, pick_action
from underboard.engine.games.sequence_numbers.deal import new_game
from underboard.engine.games.sequence_numbers.layout import DIRECTIONS, LENGTH, Card, Cards, SpaceBit, SpaceSet, Window
from underboard.engine.games.sequence_numbers.reading import (
    ActionWords,
    check_holds,
    no_words,
    not_dead,
    not_free,
    not_removable,
    one_word,
    raise_if,
    read_draw,
    read_play,
    why_not_pass,
    wrong_phase,
)
from underboard.engine.games.sequence_numbers.record import SPECTATOR, read, write
from underboard.engine.games.sequence_numbers.state import (
    GAME_ID,
    SEATS,
    SIDES,
    UNSEEN,
    Made,
    State,
    count_of,
    replaced,
    share_too_much,
    turn_of,
    winner,
)

Done = tuple[State, list[Announcement]]


class SequenceNumbers(Game[State]):
    """The rules of Sequence Numbers."""

    id = GAME_ID

    def new(self, options: Options) -> State:
        """Options: players, sides, sequences, board, first, cards, seed, and the hands as p1, p2, …"""
        return new_game(options)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.setup.seats

    def phase(self, state: State) -> str:
        return state.phase

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def deck(self, options: Options) -> Sequence[str]:
        """Takes the option `board`."""
        return load(options.text("board") or BOARD, 0).deck

    def to_move(self, state: State) -> str:
        return NOBODY if state.phase == "over" else SEATS[state.mover]

    def legal(self, state: State) -> Sequence[Action]:
        return legal_actions(state)

    def pick(self, state: State, random: Random) -> Action:
        return pick_action(state, random)

    def do(self, state: State, action: Action) -> Done:
        if state.phase == "over":
            raise GameOver("the game is over")
        name, *words = action.split(" ")
        verb = VERBS.get(name)
        if verb is None:
            raise IllegalAction("'{action}' is no action: there are {names}", action=action, names=", ".join(VERBS))
        if state.phase not in verb.phases:
            raise wrong_phase(state, name)
        return verb.perform(state, words)

    def record(self, state: State) -> Record:
        return write(state)

    def view(self, state: State, seat: Seat) -> Record:
        return write(state, SEATS.index(seat))

    def public_view(self, state: State) -> Record:
        return write(state, SPECTATOR)

    def position(self, record: Any) -> State:
        return read(record)

    def outcome(self, state: State) -> Record:
        if state.phase != "over":
            return {"over": False}
        side = winner(state)
        if side is None:
            return {"over": True, "winner": None, "reason": "stuck", "count": 0}
        return {"over": True, "winner": SIDES[side], "reason": "sequences", "count": count_of(state, side)}


def play(state: State, words: ActionWords) -> Done:
    """A card to the own discard and its effect; the draw follows unless the placement wins. [7, 8, 18]"""
    card, space = read_play(state, words)
    check_holds(state, card)
    if card == MINUS:
        raise_if(not_removable(state, space))
        return laid(state, card, tuple([chips & ~space for chips in state.chips])), []
    raise_if(not_free(state, card, space))
    side = state.setup.side(state.mover)
    chips = replaced(state.chips, side, state.chips[side] | space)
    after = laid(state, card, chips)
    made = new_sequences(state, side, chips[side], space)
    return record_sequences(after, side, made) if made else (after, [])


def laid(state: State, card: Card, chips: tuple[SpaceSet, ...]) -> State:
    """After a card has been played, with what has become of the chips: the draw follows."""
    setup, _, mover, hands, stock, discards, _, sequences, swapped, owes, resume, _ = state
    hand = cards.without_card(hands[mover], UNSEEN if setup.hidden else card)
    hands, discards = replaced(hands, mover, hand), replaced(discards, mover, (*discards[mover], card))
    return State(setup, "draw", mover, hands, stock, discards, chips, sequences, swapped, owes, resume, 0)


def record_sequences(state: State, side: int, made: list[Window]) -> Done:
    """The sequences are locked; when the side has as many as are needed it has won. [14, 15, 18]"""
    after = state._replace(sequences=(*state.sequences, *(Made(side, window) for window in made)))
    said: list[Announcement] = [{"say": "sequence", "side": SIDES[side], "cells": list(window.cells)} for window in made]
    if count_of(after, side) < state.setup.needed:
        return after, said
    return after._replace(phase="over", swapped=False, owes=None), [*said, {"say": "win", "side": SIDES[side]}]


def new_sequences(state: State, side: int, chips: int, space: SpaceBit) -> list[Window]:
    """The sequences that the chip just put on `space` makes, in the order of rule 17.

    Lines of different directions cross in the new chip alone, so no window hinders one of another direction, and each
    direction gives what it can: two windows if they have the new chip as their common end, else the first one.
    """
    layout = state.setup.layout
    if (chips & layout.reach[space]).bit_count() < LENGTH - 1:  # a corner may be the fifth
        return []
    empty = ~chips
    full = [window for window in layout.windows[space] if not window.spaces & empty]
    if not full:
        return full
    earlier = [made.window for made in state.sequences if made.side == side]
    found: list[Window] = []
    for direction in range(len(DIRECTIONS)):
        line = [window for window in full if window.direction == direction]
        fitting = [window for window in line if not any(share_too_much(window, other) for other in earlier)]
        pair = len(fitting) > 1 and not share_too_much(fitting[0], fitting[-1])
        found += [fitting[0], fitting[-1]] if pair else fitting[:1]
    return found


def swap(state: State, words: ActionWords) -> Done:
    """A dead card to the discard, then the replacement; once a turn. It ends a row of passes. [9, 19]"""
    if not words:
        raise IllegalAction("write it as '{form}'", form="swap CARD" if state.setup.hidden else "swap CARD NEW")
    if state.swapped:
        raise IllegalAction("a card has been exchanged in this turn already")
    card, *named = words
    check_holds(state, card)
    raise_if(not_dead(state, card))
    new, stock = read_draw(state, named, f"swap {card}")
    return take(lay(state, card, swapped=True, passes=0), state.mover, new, stock)


def pass_(state: State, words: ActionWords) -> Done:
    """The turn ends without a play and without a draw; a whole round of that ends the game. [10, 19]"""
    no_words(words, "pass")
    held = holdings(state)
    if not can_pass(state, held):
        raise why_not_pass(state, held)
    passes = 0 if state.swapped else state.passes + 1
    if passes == state.setup.players:
        return state._replace(phase="over", passes=passes), [{"say": "stuck"}]
    return state._replace(**next_turn(state), passes=passes), lost_draw(state)


def draw(state: State, words: ActionWords) -> Done:
    """One card; the turn ends. [7]"""
    setup, _, mover, hands, _, discards, chips, sequences, _, _, resume, passes = state
    card, stock = read_draw(state, words, "draw")
    hands = replaced(hands, mover, cards.with_card(hands[mover], card))
    after = State(setup, "main", next_seat(state), hands, stock, discards, chips, sequences, False, None, resume, passes)
    return with_stock(after, lost_draw(state))


def forget(state: State, words: ActionWords) -> Done:
    """The turn ends without the draw, which may still come late. [11]"""
    no_words(words, "forget")
    return state._replace(**next_turn(state, owes=state.mover)), lost_draw(state)


def next_turn(state: State, owes: int | None = None) -> dict[str, Any]:
    """What changes when the turn goes to the next seat; `owes` is who may draw late from now on."""
    return {"phase": "main", "mover": next_seat(state), "swapped": False, "owes": owes}


def next_seat(state: State) -> int:
    """Whose turn follows the mover's."""
    return (state.mover + 1) % state.setup.players


def lost_draw(state: State) -> list[Announcement]:
    """At the end of a turn: the seat that still owed a draw from the turn before has lost it. [11]"""
    return [] if state.owes is None else [{"say": "lost_draw", "seat": SEATS[state.owes]}]


def late(state: State, words: ActionWords) -> Done:
    """The previous seat draws; the turn stays where it is. [11]"""
    if state.owes is None:
        raise IllegalAction("nobody has a draw left from the turn before")
    return take(state, state.owes, *read_draw(state, words, "late"), owes=None)


def talk(state: State, words: ActionWords) -> Done:
    """The ruling that members of a side have talked: each discards a card. [13]"""
    name = one_word(words, "talk SIDE")
    sides = state.setup.side_names
    if name not in sides:
        raise IllegalAction("there is no side '{name}': sides are {sides}", name=name, sides=", ".join(sides))
    members = state.setup.members(sides.index(name))
    if len(members) < 2:
        raise IllegalAction("{side} has one player, who has no mate to talk to", side=name)
    seat = next((seat for seat in members if state.hands[seat]), None)
    return (state, []) if seat is None else (state._replace(phase="discard", mover=seat, resume=state.mover), [])


def discard(state: State, words: ActionWords) -> Done:
    """One card of a side that has talked; after its last member the interrupted turn goes on. [13]"""
    card = one_word(words, "discard CARD")
    check_holds(state, card)
    members = state.setup.members(state.setup.side(state.mover))
    seat = next((seat for seat in members if seat > state.mover and state.hands[seat]), None)
    if seat is not None:
        return lay(state, card, mover=seat), []
    return lay(state, card, phase="main", mover=turn_of(state), resume=None), []


class Verb(NamedTuple):
    """The phases in which an action can be done and what does it."""

    phases: tuple[str, ...]
    perform: Callable[[State, ActionWords], Done]


VERBS = {
    "play": Verb(("main",), play),
    "swap": Verb(("main",), swap),
    "pass": Verb(("main",), pass_),
    "talk": Verb(("main",), talk),
    "draw": Verb(("draw",), draw),
    "forget": Verb(("draw",), forget),
    "late": Verb(("main", "draw"), late),
    "discard": Verb(("discard",), discard),
}


def lay(state: State, card: Card, **changes: Any) -> State:
    """A card goes from the mover's hand to his discard; `changes` are what else becomes of the state."""
    mover = state.mover
    hand = cards.without_card(state.hands[mover], UNSEEN if state.setup.hidden else card)
    return state._replace(
        hands=replaced(state.hands, mover, hand),
        discards=replaced(state.discards, mover, (*state.discards[mover], card)),
        **changes,
    )


def take(state: State, seat: int, card: Card, stock: Cards, **changes: Any) -> Done:
    """A card goes to a hand, from the stock, which is without it already."""
    hands = replaced(state.hands, seat, cards.with_card(state.hands[seat], card))
    return with_stock(state._replace(hands=hands, stock=stock, **changes), [])


def with_stock(state: State, said: list[Announcement]) -> Done:
    """When the last card of the stock has been drawn, the discards become the stock, announced before what is `said`. [12]"""
    if state.stock:
        return state, said
    return state._replace(stock=reshuffled(state), discards=((),) * len(state.discards)), [{"say": "reshuffle"}, *said]


def reshuffled(state: State) -> Cards:
    """The stock that all discards make together."""
    if state.setup.hidden:
        return (UNSEEN,) * sum(map(len, state.discards))
    return tuple(sorted([card for pile in state.discards for card in pile]))
