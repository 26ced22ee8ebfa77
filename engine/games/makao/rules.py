"""Makaó. Three to five players get rid of their cards: suit on suit, rank on rank, one card or three or four at once.

The numbers in brackets are those of docs/rules/makao.md. A 7 makes the next player draw, an ace skips him, a 9 asks for
a rank and an O for a suit; while such an effect is pending it replaces the rule of fit. Who has laid his last card waits:
if his next turn comes with no effect pending, he has won.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from underboard.engine.base.errors import GameOver, IllegalAction
from underboard.engine.gamekit.game import NOBODY, TABLE, Action, Announcement, Game, Record, Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.games.makao.deal import deal, deal_random, is_special
from underboard.engine.games.makao.legal import PHASES_OF, check_draw, check_play, check_skip, firsts, groups, unseen, wrong_phase
from underboard.engine.games.makao.moves import MOVES, CardPlay, why_unreadable
from underboard.engine.games.makao.record import read, write
from underboard.engine.games.makao.state import (
    ACE,
    DEAL_VOID,
    DRAWN,
    FLIP,
    GAME_ID,
    NAMES,
    OVER,
    PENALTY,
    PLAY,
    SEATS,
    SEVEN,
    SUITS,
    Penalty,
    PendingEffect,
    Request,
    Skips,
    State,
    with_hand,
)

Outcome = tuple[State, list[Announcement]]


class Makao(Game[State]):
    """The rules of Makaó."""

    id = GAME_ID

    def new(self, options: Options) -> State:
        """Options: players, first, cancel, specials, sets, cards, seed, up and the hands by seat."""
        return deal(options)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return SEATS[: state.setup.players]

    def phase(self, state: State) -> str:
        return state.phase

    def over(self, state: State) -> bool:
        return state.phase == OVER

    def deck(self, options: Options) -> Sequence[str]:
        return sorted(NAMES, key=lambda name: SUITS.index(name[0]))

    def to_move(self, state: State) -> str:
        if state.phase == OVER:
            return NOBODY
        return TABLE if state.phase in (FLIP, DEAL_VOID) else SEATS[state.mover]

    def legal(self, state: State) -> Sequence[Action]:
        return sorted(action for group in groups(state) for action in group)

    def pick(self, state: State, random: Random) -> Action:
        """One of `legal`, without sorting them."""
        found = groups(state)
        place = int(random.random() * sum([len(group) for group in found]))
        for group in found:
            if place < len(group):
                return group[place]
            place -= len(group)
        raise GameOver("the game is over")

    def do(self, state: State, action: Action) -> Outcome:
        if state.phase == OVER:
            raise GameOver("the game is over")
        move = MOVES.get(action)
        if move is None:
            raise why_unreadable(action)
        if state.phase not in PHASES_OF[move.verb]:
            raise wrong_phase(state.phase, move.verb)
        return PERFORM[move.verb](state, move)

    def record(self, state: State) -> Record:
        return write(state, self.to_move(state))

    def view(self, state: State, seat: Seat) -> Record:
        return self._seen(state, seat)

    def public_view(self, state: State) -> Record:
        return self._seen(state, None)

    def _seen(self, state: State, seat: Seat | None) -> Record:
        """What a seat sees, or whoever has none."""
        shown = self.record(state)
        if not state.setup.hidden:
            shown["stock"] = len(shown["stock"])
            shown["hands"] = {name: hand if name == seat else len(hand) for name, hand in shown["hands"].items()}
            if seat != SEATS[state.mover]:
                shown["drawn"] = None
        return shown

    def position(self, record: Any) -> State:
        return read(record)

    def outcome(self, state: State) -> Record:
        if state.phase != OVER:
            return {"over": False}
        return {"over": True, "winner": SEATS[state.mover], "reason": "out"}


# What an action does


def play(state: State, move: CardPlay) -> Outcome:
    """Cards are laid, the last of them becomes the top. [4-12]"""
    check_play(state, move)
    setup, _, mover, top, pile, stock, hands, _, _ = state
    assert top is not None
    said: list[Announcement] = []
    effect = after_laying(state, move, said)
    hand = hands[mover] - (move.size if setup.hidden else move.cards)
    if not hand:
        said.append({"say": "empty", "seat": SEATS[mover]})
    pile |= 1 << top | move.cards & ~(1 << move.last)
    laid = State(setup, PLAY, mover, move.last, pile, stock, with_hand(hands, mover, hand), effect, None)
    return end_turn(laid, said, asked=move.ask is not None)


def after_laying(state: State, move: CardPlay, said: list[Announcement]) -> PendingEffect:
    """The effect that is pending when cards have been laid, announced in `said`."""
    effect, rank = state.effect, move.first // 4
    if move.ask is not None:
        said.append({"say": "ask", "value": move.ask})
        return Request(move.ask, state.mover, False)
    if rank in (SEVEN, ACE):
        if isinstance(effect, Request):  # [11]
            said.append({"say": "ask_over"})
        if rank == SEVEN:
            count = 2 * move.size + (effect.cards if isinstance(effect, Penalty) else 0)  # [7]
            said.append({"say": "penalty", "count": count})
            return Penalty(count)
        count = min(move.size, state.setup.players - 1)  # [8]
        said.append({"say": "skip", "count": count})
        return Skips(count)
    return Request(effect.value, effect.by, True) if isinstance(effect, Request) else None  # [12]


def draw(state: State, move: CardPlay) -> Outcome:
    """One card is drawn, or none if there is none; that ends the turn, a penalty only when all of it is drawn. [4, 7, 15]"""
    check_draw(state, move)
    if not move.size:
        return end_turn(state._replace(effect=without_penalty(state.effect)), [])
    setup, phase, mover, top, pile, stock, hands, effect, _ = state
    said: list[Announcement] = []
    if not stock:
        stock, pile = pile.bit_count() if setup.hidden else pile, 0
        said.append({"say": "reshuffle"})
    amount = 1 if setup.hidden else move.cards
    if isinstance(effect, Penalty):
        effect = Penalty(effect.cards - 1) if effect.cards > 1 else None
        phase = PENALTY if effect else PLAY
    after = State(setup, phase, mover, top, pile, stock - amount, with_hand(hands, mover, hands[mover] + amount), effect, None)
    if phase == PENALTY:
        return after, said
    if isinstance(effect, Request) and not hands[mover] and can_be_laid(after, move):
        return after._replace(phase=DRAWN, drawn=None if setup.hidden else move.last), said
    return end_turn(after, said)


def without_penalty(effect: PendingEffect) -> PendingEffect:
    """The effect when what cannot be drawn has been dropped."""
    return None if isinstance(effect, Penalty) else effect


def can_be_laid(state: State, move: CardPlay) -> bool:
    """Whether the card just drawn may be laid at once; hidden: whether any card that it may be could. [13]"""
    free, asking = firsts(state)
    return (free | asking) & (unseen(state) if state.setup.hidden else move.cards) != 0


def skip(state: State, move: CardPlay) -> Outcome:
    """The mover is skipped for an ace. [8]"""
    check_skip(state)
    assert isinstance(state.effect, Skips)
    left = state.effect.seats - 1
    return end_turn(state._replace(effect=Skips(left) if left else None), [])


def keep(state: State, move: CardPlay) -> Outcome:
    """The card drawn with an empty hand stays there. [13]"""
    return end_turn(state, [])


def flip(state: State, move: CardPlay) -> Outcome:
    """The table turns a card up; a special one goes to the starting player. [3]"""
    if not state.stock & move.cards:
        raise IllegalAction("{card} is not in the stock", card=NAMES[move.first])
    first, stock = state.mover, state.stock & ~move.cards
    if is_special(move.first):
        hands = with_hand(state.hands, first, state.hands[first] | move.cards)
        return state._replace(phase=FLIP if stock else DEAL_VOID, stock=stock, hands=hands), []
    said: list[Announcement] = []
    setup = state.setup._replace(seed=0)
    return reach(state._replace(setup=setup, phase=PLAY, top=move.first, stock=stock), said), said


def redeal(state: State, move: CardPlay) -> Outcome:
    """A void deal is replaced by a random one. [3]"""
    return deal_random(state.setup._replace(seed=0), Random(state.setup.seed)), []


PERFORM: dict[str, Callable[[State, CardPlay], Outcome]] = {
    "play": play,
    "draw": draw,
    "skip": skip,
    "keep": keep,
    "flip": flip,
    "redeal": redeal,
}


# The turn


def end_turn(state: State, said: list[Announcement], asked: bool = False) -> Outcome:
    """The next seat's turn. A request ends with the next turn of its asker: any but the one in which he `asked`. [9]"""
    setup, _, mover, top, pile, stock, hands, effect, _ = state
    if not asked and isinstance(effect, Request) and effect.by == mover:
        said.append({"say": "ask_over"})
        effect = None
    following = mover + 1 if mover + 1 < setup.players else 0
    return reach(State(setup, PLAY, following, top, pile, stock, hands, effect, None), said), said


def reach(state: State, said: list[Announcement]) -> State:
    """The turn has reached the mover: with an empty hand and no effect pending he has won. [13, 14]"""
    if state.effect is None and not state.hands[state.mover]:
        said.append({"say": "win", "seat": SEATS[state.mover]})
        return state._replace(phase=OVER)
    return state
