"""Cells of a matrix, and bit masks that stand for sets of them.

A scan of the matrix is one integer a row, *masks*: bit 0 is column 1. Everything above
the scan speaks of cells. Both count rows and columns from 1, as people at a table do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Cell = tuple[int, int]
"""Row and column of one sensor, both from 1."""


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits set in *mask*, lowest first, from 0."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def closed_cells(masks: Sequence[int]) -> frozenset[Cell]:
    """The cells whose bits are set in the row *masks*."""
    return frozenset((row, bit + 1) for row, mask in enumerate(masks, 1) for bit in bits(mask))


ALL = -1
"""The mask of all columns."""
