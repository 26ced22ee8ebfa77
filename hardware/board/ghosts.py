"""Finds ghosts: closed readings without a token.

Where a diode is missing, three closed corners of a rectangle make the fourth read closed too.
A rectangle of closed cells is therefore either four tokens or three and a ghost, and no
reading tells them apart: software can detect the ambiguity, never resolve it. What helps is
time. A ghost appears in the very scan in which the real corner that completes its rectangle
closes, while people put tokens down one after another. So:

- two corners of a rectangle that close together are in *doubt*, whichever of them is real;
- a rectangle that grew one token at a time is legal and means that the diodes do their work;
- what stands on the board at power-on has no history and is believed, for diodes are part of
  the building instructions and a resumed game must not begin with an alarm.

A hole, a cell without a switch, can only be a ghost. If a rectangle explains it, its three
other corners are real and nothing is in doubt. A closed hole that nothing explains is itself
in doubt: something is wired wrongly.

All functions are pure and work on debounced masks, one a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from underboard.hardware.core.cells import Cell, bits, closed_cells

Rectangle = frozenset[Cell]
"""The four corners, as cells."""


class Doubt(NamedTuple):
    """Readings that cannot be trusted."""

    cells: frozenset[Cell]
    """All corners of the rectangle, or the hole: what to show to the players."""
    doubtful: frozenset[Cell]
    """Those of them that may be ghosts; the other corners stood there before."""


def rectangles(masks: Sequence[int]) -> Iterator[Rectangle]:
    """Every rectangle whose four corners are closed."""
    for (top, upper), (bottom, lower) in combinations(enumerate(masks, 1), 2):
        for left, right in combinations(bits(upper & lower), 2):
            yield frozenset((row, bit + 1) for row in (top, bottom) for bit in (left, right))


def find_doubts(masks: Sequence[int], together: frozenset[Cell], holes: frozenset[Cell]) -> set[Doubt]:
    """What is in doubt now that the cells *together* have closed within one scan."""
    closed = list(rectangles(masks))
    doubts = {Doubt(rectangle, rectangle & together) for rectangle in closed if not rectangle & holes and len(rectangle & together) >= 2}
    explained: set[Cell] = set()
    for rectangle in closed:
        ghosts = rectangle & holes
        if len(ghosts) == 1:
            explained |= ghosts
    unexplained = (closed_cells(masks) & holes) - explained
    return doubts | {Doubt(frozenset({hole}), frozenset({hole})) for hole in unexplained}


def still_in_doubt(doubts: Iterable[Doubt], masks: Sequence[int]) -> set[Doubt]:
    """The *doubts* of which no corner has been lifted since; the others are settled by the real readings."""
    closed = closed_cells(masks)
    return {doubt for doubt in doubts if doubt.cells <= closed}
