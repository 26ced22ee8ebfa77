"""Sequence Numbers: what a game consists of. The numbers in brackets are those of docs/rules/sequence_numbers.md.

Cards are written as in the protocol. In hidden games every card of a hand or the stock is UNSEEN, so that their number
is all that is known, and an equation that lies face up is written by its answer (`=8`). Seats and sides are indexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeVar

from underboard.engine.gamekit.game import Seat
from underboard.engine.games.sequence_numbers.boards import MINUS, PLUS
from underboard.engine.games.sequence_numbers.layout import BoardTables, Cards, SpaceBit, SpaceSet, Window

GAME_ID = "sequence_numbers"
SEATS: tuple[Seat, ...] = ("p1", "p2", "p3", "p4", "p5", "p6")
SIDES = ("blue", "green", "red")
SIGNS = (PLUS, MINUS)
"""The cards that bear no equation."""
SIDES_FOR = {2: (2,), 3: (3,), 4: (2,), 6: (2, 3)}
"""Numbers of sides by number of players; the first is the usual one. [1]"""
HAND_SIZE = {2: 5, 3: 5, 4: 4, 6: 4}  # [2]
NEEDED = {2: 1, 3: 1, 4: 2, 6: 2}
"""Sequences that win by number of players, unless the option `sequences` says otherwise. [15]"""
MOST_NEEDED = 2
UNSEEN = "?"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same through a game. `board` is the text of the option, `layout` what it stands for."""

    board: str
    layout: BoardTables
    hidden: bool
    players: int
    sides: int
    first: int
    needed: int
    """Sequences that win. [15]"""

    @property
    def seats(self) -> tuple[Seat, ...]:
        return SEATS[: self.players]

    @property
    def side_names(self) -> tuple[str, ...]:
        return SIDES[: self.sides]

    @property
    def hand_size(self) -> int:
        return HAND_SIZE[self.players]

    @property
    def deck(self) -> Cards:
        """Every copy of every card as this game writes it, sorted."""
        return self.layout.hidden_deck if self.hidden else self.layout.deck

    def side(self, seat: int) -> int:
        """Members of a side sit alternately with the others. [1]"""
        return seat % self.sides

    def members(self, side: int) -> range:
        """The seats of a side."""
        return range(side, self.players, self.sides)


class Made(NamedTuple):
    """A finished sequence and whose it is."""

    side: int
    window: Window


class State(NamedTuple):
    """Everything there is to know of a game."""

    setup: Setup
    phase: str
    mover: int
    hands: tuple[Cards, ...]  # sorted
    stock: Cards  # sorted
    discards: tuple[Cards, ...]  # as they came
    chips: tuple[SpaceSet, ...]  # by side
    sequences: tuple[Made, ...]
    swapped: bool
    owes: int | None
    resume: int | None
    passes: int


def covered_spaces(state: State) -> SpaceSet:
    """The spaces with a chip."""
    return reduce(or_, state.chips)


def free_spaces(state: State) -> SpaceSet:
    """The spaces without a chip."""
    return state.setup.layout.spaces & ~reduce(or_, state.chips)


def locked_spaces(state: State) -> SpaceSet:
    """The spaces of all finished sequences."""
    locked = 0
    for made in state.sequences:
        locked |= made.window.spaces
    return locked


def removable_spaces(state: State) -> SpaceSet:
    """The spaces from which the mover may take a chip with MINUS. [8]"""
    own = state.chips[state.setup.side(state.mover)]
    return covered_spaces(state) & ~own & ~locked_spaces(state)


def side_at(state: State, space: SpaceBit) -> int | None:
    """Whose chip covers a space; None if it is free."""
    return next((side for side, chips in enumerate(state.chips) if chips & space), None)


def count_of(state: State, side: int) -> int:
    """How many sequences a side has."""
    return sum(made.side == side for made in state.sequences)


def winner(state: State) -> int | None:
    """The side with as many sequences as are needed. [15]"""
    return next((side for side in range(state.setup.sides) if count_of(state, side) >= state.setup.needed), None)


def turn_of(state: State) -> int:
    """The seat whose turn it is, also while others discard."""
    return state.mover if state.resume is None else state.resume


def share_too_much(one: Window, other: Window) -> bool:
    """Two sequences of one side may have one chip in common, and any corner. [16]"""
    return (one.spaces & other.spaces).bit_count() > 1


def replaced(values: Sequence[T], place: int, value: T) -> tuple[T, ...]:
    """The values with one of them replaced."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)
