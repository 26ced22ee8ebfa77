"""Sequence Numbers: what follows from a board once and for all, as tables.

A set of spaces is an int with one bit a space; the corners have none, because they are everyone's and take no chip.
So five own chips, corners counted, are a window whose mask lies within one's own, and two windows share as many
non-corner chips as their masks have bits in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from underboard.engine.base.bitset import Halves, halves, nth
from underboard.engine.base.coordinates import cell_name
from underboard.engine.games.sequence_numbers.boards import FREE, MINUS, PLUS, Board, answer

LENGTH = 5  # [14]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""East, south, south-east, south-west: the order of rule 17."""
FEW = 8
"""So many spaces are gone through faster than halved."""

Card = str
Cards = tuple[Card, ...]
SpaceBit = int
"""One space: an int with one bit."""
SpaceSet = int
"""A set of spaces, one bit each."""


class Window(NamedTuple):
    """Five cells in a straight line, in reading order; `spaces` are those that are no corners."""

    spaces: SpaceSet
    cells: tuple[str, ...]
    direction: int


@dataclass(frozen=True, slots=True)
class BoardTables:
    """A board with its tables; two layouts are equal when their boards are."""

    board: Board
    spaces: SpaceSet = field(compare=False, repr=False)
    corners: frozenset[str] = field(compare=False, repr=False)
    space: Mapping[str, SpaceBit] = field(compare=False, repr=False)
    """By the name of the cell."""
    name: Mapping[SpaceBit, str] = field(compare=False, repr=False)
    hidden_card: Mapping[SpaceBit, Card] = field(compare=False, repr=False)
    """The equation card of a space as it is written in hidden games: `=8`."""
    targets: Mapping[Card, SpaceSet] = field(compare=False, repr=False)
    """Where a card puts its chip on an empty board, for equations also as `=8`. MINUS is not among them."""
    windows: Mapping[SpaceBit, tuple[Window, ...]] = field(compare=False, repr=False)
    """All windows that contain a space, in the order of rule 17: by direction, then by start cell."""
    reach: Mapping[SpaceBit, SpaceSet] = field(compare=False, repr=False)
    """All spaces of these windows."""
    window: Mapping[frozenset[str], Window] = field(compare=False, repr=False)
    """By the names of the cells."""
    halves: Halves = field(compare=False, repr=False)
    """The steps of `bits.nth`."""
    hidden_deck: Cards = field(compare=False, repr=False)
    hidden_copies: Mapping[Card, int] = field(compare=False, repr=False)
    """How many of each card the hidden deck has."""

    @property
    def deck(self) -> Cards:
        """Every copy of every card, sorted."""
        return self.board.deck

    def names(self, spaces: SpaceSet) -> Iterator[str]:
        """The names of a set of spaces in reading order."""
        while spaces:
            rest = spaces & (spaces - 1)
            yield self.name[spaces ^ rest]
            spaces = rest

    def nth_name(self, spaces: SpaceSet, n: int) -> str:
        """The n-th of `names`, from 0."""
        if n < FEW:
            for _ in range(n):
                spaces &= spaces - 1
            return self.name[spaces & -spaces]
        return self.name[1 << nth(spaces, n, self.halves)]


def written_hidden(card: Card) -> Card:
    """A card as hidden games write it: an equation by its answer."""
    value = answer(card)
    return card if value is None else f"={value}"


@lru_cache(maxsize=8)
def layout_of(board: Board) -> BoardTables:
    """The tables of a board."""
    cells = [(cell_name(x, y), text) for y, row in enumerate(board.rows) for x, text in enumerate(row)]
    space = {cell: 1 << place for place, (cell, text) in enumerate(cells) if text != FREE}
    hidden_card = {space[cell]: f"={text}" for cell, text in cells if text != FREE}
    windows = [window for direction in range(len(DIRECTIONS)) for window in all_windows(board, space, direction)]
    through = {bit: tuple(window for window in windows if window.spaces & bit) for bit in hidden_card}
    hidden_deck = tuple(sorted(map(written_hidden, board.deck)))
    return BoardTables(
        board=board,
        spaces=sum(space.values()),
        corners=frozenset(cell for cell, text in cells if text == FREE),
        space=space,
        name={bit: cell for cell, bit in space.items()},
        hidden_card=hidden_card,
        targets=all_targets(board, hidden_card),
        windows=through,
        reach={bit: reduce(or_, [window.spaces for window in some], bit) for bit, some in through.items()},
        window={frozenset(window.cells): window for window in windows},
        halves=halves(len(cells)),
        hidden_deck=hidden_deck,
        hidden_copies=Counter(hidden_deck),
    )


def all_windows(board: Board, space: Mapping[str, SpaceBit], direction: int) -> list[Window]:
    """The windows of one direction in the order of their start cells, by row, then column. [17]"""
    width, height = len(board.rows[0]), len(board.rows)
    right, down = DIRECTIONS[direction]
    found = []
    for y in range(height):
        for x in range(width):
            line = [(x + step * right, y + step * down) for step in range(LENGTH)]
            if 0 <= line[-1][0] < width and line[-1][1] < height:
                cells = tuple(cell_name(*cell) for cell in line)
                found.append(Window(sum(space.get(cell, 0) for cell in cells), cells, direction))
    return found


def all_targets(board: Board, hidden_card: Mapping[SpaceBit, Card]) -> dict[Card, SpaceSet]:
    """Where each card of the deck, and each number as `=8`, puts its chip on an empty board. [8]"""
    targets = {PLUS: sum(hidden_card)}
    for bit, card in hidden_card.items():
        targets[card] = targets.get(card, 0) | bit
    for card in board.deck:
        if card not in (PLUS, MINUS):
            targets[card] = targets[written_hidden(card)]
    return targets
