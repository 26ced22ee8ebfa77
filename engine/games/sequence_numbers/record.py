"""Sequence Numbers: the state as JSON, and back with every problem found."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from underboard.engine.gamekit import cards
from underboard.engine.gamekit.game import NOBODY, Record
from underboard.engine.gamekit.json_reader import JsonReader, as_text, raise_problems
from underboard.engine.gamekit.settings import cards_word
from underboard.engine.games.sequence_numbers.boards import load
from underboard.engine.games.sequence_numbers.layout import LENGTH, Card, Cards, SpaceSet, layout_of
from underboard.engine.games.sequence_numbers.state import (
    GAME_ID,
    HAND_SIZE,
    MOST_NEEDED,
    NEEDED,
    SEATS,
    SIDES,
    SIDES_FOR,
    UNSEEN,
    Made,
    Setup,
    State,
    count_of,
    share_too_much,
    turn_of,
)

SPECTATOR = -1
"""A viewer who has no seat."""


def write(state: State, viewer: int | None = None) -> Record:
    """The state as JSON; with a viewer, what he may know: other hands and the stock become counts."""
    setup = state.setup
    layout = setup.layout
    counted = [setup.hidden or viewer not in (None, seat) for seat in range(setup.players)]
    record = {
        "game": GAME_ID,
        "cards": cards_word(setup.hidden),
        "phase": state.phase,
        "to_move": NOBODY if state.phase == "over" else SEATS[state.mover],
        "board": setup.board,
        "players": setup.players,
        "sides": list(setup.side_names),
        "first": SEATS[setup.first],
        "hands": {seat: write_pile(hand, count) for seat, hand, count in zip(setup.seats, state.hands, counted, strict=True)},
        "stock": write_pile(state.stock, setup.hidden or viewer is not None),
        "discards": {seat: list(pile) for seat, pile in zip(setup.seats, state.discards, strict=True)},
        "chips": {cell: side for side, chips in zip(SIDES, state.chips, strict=False) for cell in layout.names(chips)},
        "sequences": [{"side": SIDES[made.side], "cells": list(made.window.cells)} for made in state.sequences],
        "swapped": state.swapped,
        "owes": write_seat(state.owes),
        "resume": write_seat(state.resume),
        "passes": state.passes,
    }
    return record if setup.needed == NEEDED[setup.players] else {**record, NEEDED_KEY: setup.needed}


def write_pile(pile: Cards, counted: bool) -> int | list[str]:
    """A hand or the stock: its cards or their number."""
    return len(pile) if counted else list(pile)


def write_seat(seat: int | None) -> str | None:
    """A seat's name, None for none."""
    return None if seat is None else SEATS[seat]


KEYS = tuple("game cards phase to_move board players sides first hands stock discards chips sequences swapped owes resume passes".split())
NEEDED_KEY = "needed"
"""Stands in a record only if another number of sequences wins than is usual with so many players. [15]"""


def read(record: Any) -> State:
    """The state that a record describes; raises BadArgument that lists every problem."""
    reader = JsonReader(record, KEYS, defaults={NEEDED_KEY: None})
    reader.choice("game", [GAME_ID])
    setup = read_setup(reader)
    seats = setup.seats
    hands, discards = reader.inside("hands", seats), reader.inside("discards", seats)
    chips = read_chips(reader, setup)
    made = read_sequences(reader, setup)
    state = State(
        setup=setup,
        phase=reader.choice("phase", ("main", "draw", "discard")),
        mover=seats.index(reader.choice("to_move", seats)),
        hands=tuple(read_pile(hands, seat, setup) for seat in seats),
        stock=read_pile(reader, "stock", setup),
        discards=tuple(read_cards(discards, seat) for seat in seats),
        chips=chips.found,
        sequences=made.found,
        swapped=reader.boolean("swapped"),
        owes=read_seat(reader, "owes", setup),
        resume=read_seat(reader, "resume", setup),
        passes=reader.integer("passes"),
    )
    problems = [*card_problems(state), *chips.problems, *made.problems, *sequence_problems(state), *turn_problems(state)]
    raise_problems(problems)
    return state


def read_setup(reader: JsonReader) -> Setup:
    """What stays the same through the game."""
    hidden = reader.hidden()
    players = reader.integer("players", 2, 6)
    if players not in SIDES_FOR:
        raise reader.refuse("players", f"allowed are {', '.join(map(str, SIDES_FOR))}")
    sides = reader.value("sides")
    allowed = [list(SIDES[:number]) for number in SIDES_FOR[players]]
    if sides not in allowed:
        raise reader.refuse("sides", f"{players} players are {' or '.join(', '.join(names) for names in allowed)}")
    first = SEATS.index(reader.choice("first", SEATS[:players]))
    board = reader.value("board")
    if not isinstance(board, str):
        raise reader.refuse("board", "a text is needed")
    needed = NEEDED[players] if reader.value(NEEDED_KEY) is None else reader.integer(NEEDED_KEY, 1, MOST_NEEDED)
    return Setup(board, layout_of(load(board, players * HAND_SIZE[players])), hidden, players, len(sides), first, needed)


def read_seat(reader: JsonReader, key: str, setup: Setup) -> int | None:
    """A seat or null."""
    seat = reader.optional(key, setup.seats)
    return None if seat is None else SEATS.index(seat)


def read_cards(reader: JsonReader, key: str) -> Cards:
    """A list of texts in the order given; whether they are cards of the deck is checked with all the others."""
    return tuple(reader.items(key, as_text, "card"))


def read_pile(reader: JsonReader, key: str, setup: Setup) -> Cards:
    """A multiset of cards: sorted, hidden a count."""
    return (UNSEEN,) * reader.integer(key, 0, len(setup.deck)) if setup.hidden else tuple(sorted(read_cards(reader, key)))


class Chips(NamedTuple):
    """The chips by side, and what is wrong with others."""

    found: tuple[SpaceSet, ...]
    problems: list[str]


def read_chips(reader: JsonReader, setup: Setup) -> Chips:
    """The chips on the board."""
    record = reader.value("chips")
    if not isinstance(record, dict):
        raise reader.refuse("chips", "an object of cells and sides is needed")
    chips = [0] * setup.sides
    problems = []
    for cell, side in record.items():
        if cell in setup.layout.corners:
            problems.append(f"chips: {cell} is a corner, no chip goes there")
        elif cell not in setup.layout.space:
            problems.append(f"chips: {cell!r} is no space of the board")
        elif side not in setup.side_names:
            problems.append(f"chips: the chip on {cell} must be {' or '.join(setup.side_names)}")
        else:
            chips[setup.side_names.index(side)] |= setup.layout.space[cell]
    return Chips(tuple(chips), problems)


class Sequences(NamedTuple):
    """The sequences in the order made, and what is wrong with others."""

    found: tuple[Made, ...]
    problems: list[str]


def read_sequences(reader: JsonReader, setup: Setup) -> Sequences:
    """The finished sequences."""
    record = reader.value("sequences")
    if not isinstance(record, list):
        raise reader.refuse("sequences", "a list is needed")
    found = []
    problems = []
    for number, element in enumerate(record):
        inner = JsonReader(element, ("side", "cells"), f"sequences[{number}]")
        side = setup.side_names.index(inner.choice("side", setup.side_names))
        cells = inner.items("cells", as_text, "cell")
        window = setup.layout.window.get(frozenset(cells))
        if window is None or len(cells) != LENGTH:
            problems.append(f"sequences[{number}]: these are not {LENGTH} cells in a line")
        else:
            found.append(Made(side, window))
    return Sequences(tuple(found), problems)


def card_problems(state: State) -> list[str]:
    """What is wrong with the cards."""
    setup = state.setup
    lying = [card for pile in state.discards for card in pile]
    closed = [card for pile in (*state.hands, state.stock) for card in pile]
    problems = hidden_problems(setup, lying, closed) if setup.hidden else open_problems(setup, lying + closed)
    problems += [
        f"hands.{seat}: {len(hand)} cards, {setup.hand_size} is the most"
        for seat, hand in zip(setup.seats, state.hands, strict=True)
        if len(hand) > setup.hand_size
    ]
    if not state.stock and lying:
        problems.append("stock: empty, although there are discards that must have become the stock")
    return problems


def open_problems(setup: Setup, found: list[Card]) -> list[str]:
    """Whether all cards together are the deck."""
    known = set(setup.deck)
    return strangers(found, known) + cards.conserved(setup.deck, [card for card in found if card in known])


def hidden_problems(setup: Setup, lying: list[Card], closed: list[Card]) -> list[str]:
    """Whether the cards that lie face up are in the deck, and as many as the deck has are there."""
    deck = Counter(setup.deck)
    problems = strangers(lying, set(deck))
    problems += [f"card {card}: {count} of {deck[card]}" for card, count in Counter(lying).items() if count > deck[card] > 0]
    if len(lying) + len(closed) != len(setup.deck):
        problems.append(f"{len(lying) + len(closed)} cards in all: there are {len(setup.deck)}")
    return problems


def strangers(found: list[Card], known: set[Card]) -> list[str]:
    """The cards that are not in the deck."""
    return [f"there is no card {card!r} in the deck" for card in sorted(set(found) - known)]


def sequence_problems(state: State) -> list[str]:
    """What is wrong with the finished sequences, and whether they have decided the game already. [14-16]"""
    problems = []
    for number, made in enumerate(state.sequences):
        own = state.chips[made.side]
        name = f"sequence {'-'.join(made.window.cells)}"
        if made.window.spaces & ~own:
            problems.append(f"{name}: not all its chips are {SIDES[made.side]}")
        problems += [
            f"{name}: shares more than one chip with {'-'.join(other.window.cells)}"
            for other in state.sequences[:number]
            if other.side == made.side and share_too_much(made.window, other.window)
        ]
    needed = state.setup.needed
    problems += [
        f"sequences: {SIDES[side]} has {needed} or more, the game is decided"
        for side in range(state.setup.sides)
        if count_of(state, side) >= needed
    ]
    return problems


def turn_problems(state: State) -> list[str]:
    """What is wrong with phase, seats and passes taken together."""
    setup, phase, mover = state.setup, state.phase, state.mover
    problems = []
    if phase == "draw" and len(state.hands[mover]) >= setup.hand_size:
        problems.append(f"hands.{SEATS[mover]}: full in phase draw, a card has been played before")
    if (state.resume is not None) != (phase == "discard"):
        problems.append("resume: set in phase discard and in no other")
    if phase == "discard":
        problems += discard_problems(state)
    if state.passes >= setup.players:
        problems.append("passes: the game has ended when all players have passed in a row")
    if state.passes and (phase == "draw" or state.owes is not None):
        problems.append("passes: 0 after a card has been played")
    if state.owes is not None:
        problems += owes_problems(state, state.owes)
    return problems


def discard_problems(state: State) -> list[str]:
    """What is wrong with the seat that must discard. [13]"""
    seat, side = SEATS[state.mover], state.setup.side(state.mover)
    problems = []
    if not state.hands[state.mover]:
        problems.append(f"hands.{seat}: empty, but this seat must discard")
    if len(state.setup.members(side)) < 2:
        problems.append(f"to_move: {seat} has no mate to have talked to")
    return problems


def owes_problems(state: State, seat: int) -> list[str]:
    """What is wrong with the seat that may draw late. [11]"""
    problems = []
    if seat != (turn_of(state) - 1) % state.setup.players:
        problems.append(f"owes: {SEATS[seat]} is not the seat before the one whose turn it is")
    if len(state.hands[seat]) >= state.setup.hand_size:
        problems.append(f"hands.{SEATS[seat]}: full, but this seat owes a draw")
    return problems
