"""Virus Wars: sets of cells as the bits of whole numbers.

Cell (column, row) is bit `row * (width + 1) + column`. Behind each row one bit stays empty: it catches what a shift
moves over the right or left edge, so that neighbours are three shifts each way and one mask.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from underboard.engine.base.bitset import Halves, halves
from underboard.engine.base.coordinates import cell_name

Cells = int
"""A set of cells of one board."""


@dataclass(frozen=True, slots=True)
class Board:
    """An empty board and what can be worked out of its size beforehand."""

    width: int
    height: int
    cells: Cells = field(compare=False)
    left: Cells = field(compare=False)
    right: Cells = field(compare=False)
    index: dict[str, int] = field(compare=False, repr=False)
    """Bit number by name."""
    name: dict[int, str] = field(compare=False, repr=False)
    """Name by bit number."""
    around: dict[int, Cells] = field(compare=False, repr=False)
    """A cell and its neighbours, by bit number."""
    halves: Halves = field(compare=False, repr=False)
    """The steps of `bits.nth`."""

    def bit(self, column: int, row: int) -> int:
        """The bit number of a cell."""
        return row * (self.width + 1) + column

    def spread(self, cells: Cells) -> Cells:
        """The cells and all their neighbours, in eight directions."""
        stride = self.width + 1
        row = cells | cells << 1 | cells >> 1
        return (row | row << stride | row >> stride) & self.cells

    def flood(self, reached: Cells, touched: Cells, links: Cells) -> Cells:
        """`reached` with `touched` and whatever touches the links now reached, and so on to the end of every chain.

        Links in `reached` count as followed already.
        """
        while True:
            fresh = touched & links & ~reached
            reached |= touched
            if not fresh:
                return reached
            touched = self.spread(fresh)

    def names(self, cells: Cells) -> list[str]:
        """The names of cells in ASCII order."""
        found = []
        while cells:
            lowest = cells & -cells
            found.append(self.name[lowest.bit_length() - 1])
            cells ^= lowest
        return sorted(found)


@lru_cache(maxsize=64)
def board_of(width: int, height: int) -> Board:
    """The empty board of a size."""
    stride = width + 1
    column = sum(1 << row * stride for row in range(height))
    cells = sum(column << x for x in range(width))
    name = {y * stride + x: cell_name(x, y) for x in range(width) for y in range(height)}
    block = 0b111 | 0b111 << stride | 0b111 << 2 * stride
    return Board(
        width=width,
        height=height,
        cells=cells,
        left=column,
        right=column << width - 1,
        index={text: bit for bit, text in name.items()},
        name=name,
        around={bit: (block << bit >> stride + 1) & cells for bit in name},
        halves=halves(stride * height),
    )
