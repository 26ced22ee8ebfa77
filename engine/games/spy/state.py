"""SPY: what a game consists of. The numbers in brackets are those of docs/rules/spy.md.

Seats are indexes into SEATS; who plays is always its beginning. Sets of places are bit masks, places count from the
holder's left.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from underboard.engine.gamekit.game import Seat
from underboard.engine.games.spy.arrangements import TARGETS, Arrangements, ArrangementSet

GAME_ID = "spy"
SEATS: tuple[Seat, ...] = ("green", "red", "blue", "yellow")
UNSEEN = "?"
NO_TARGET = len(TARGETS)  # all four are exposed
RIGHT, LEFT = "R", "L"


class Setup(NamedTuple):
    """What stays the same during a game. `eliminates`: whoever has the T2 exposed is out. [9]"""

    hidden: bool
    seats: tuple[Seat, ...]
    first: int
    eliminates: bool
    arrangements: Arrangements


class Stance(NamedTuple):
    """The gap a spy stands in, and whether it looks right. [4]"""

    gap: int
    right: bool

    def __str__(self) -> str:
        return f"{self.gap}{RIGHT if self.right else LEFT}"


class Base(NamedTuple):
    """A base without its spy: the arrangements that are possible, masks of places, an index into TARGETS."""

    possible: ArrangementSet
    exposed: int = 0
    lit: int = 0
    target: int = 0


class State(NamedTuple):
    """Everything there is to know of a game. `turn`: whose turn it is; `asked`: who owes him an answer, if anybody.

    `to_arrange` are the seats that still arrange their bases before the first turn, in order. [3]
    """

    setup: Setup
    turn: int
    bases: tuple[Base, ...]
    spies: tuple[Stance, ...]
    out: tuple[int, ...] = ()
    moved: bool = False
    spied: bool = False
    asked: int | None = None
    to_arrange: tuple[int, ...] = ()


@cache
def stances(size: int) -> Mapping[str, Stance]:
    """All stances before a base of so many cards, by their text. [4]"""
    return {str(stance): stance for gap in range(size) for stance in (Stance(gap, True), Stance(gap, False))}


def faced(gap: int, right: bool, size: int) -> int:
    """The place a spy faces on the circle of `size` cards: gap g lies left of card g. [4]"""
    return gap if right else (gap - 1) % size


def looked_at(state: State) -> int:
    """The place in another base that the spy of the one to play looks at, as into a mirror. [7]"""
    size = state.setup.arrangements.size
    stance = state.spies[state.turn]
    return size - 1 - faced(stance.gap, stance.right, size)


def has(places: int, place: int) -> bool:
    """Whether a place is in a mask."""
    return places >> place & 1 == 1


def acting(state: State) -> int:
    """The seat that is to act: who arranges, who is asked, or whose turn it is."""
    if state.to_arrange:
        return state.to_arrange[0]
    return state.turn if state.asked is None else state.asked


def in_order(first: int, players: int) -> tuple[int, ...]:
    """The seats in the order of play from one on."""
    return tuple((first + number) % players for number in range(players))


def is_over(state: State) -> bool:
    """Whether only one is left in the game. [10]"""
    return len(state.out) == len(state.bases) - 1


def winner(state: State) -> int:
    """The one left when the game is over. [10]"""
    return next(seat for seat in range(len(state.setup.seats)) if seat not in state.out)


def with_base(state: State, seat: int, base: Base) -> tuple[Base, ...]:
    """The bases, one of them replaced."""
    return (*state.bases[:seat], base, *state.bases[seat + 1 :])
