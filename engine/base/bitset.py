"""Sets of places as the bits of whole numbers: the n-th member without going through those before it."""

from __future__ import annotations

Halves = tuple[tuple[int, int], ...]
"""Falling powers of two, each with the mask of as many low bits."""


def halves(length: int) -> Halves:
    """The steps of `nth` for sets with bits below `length`."""
    return tuple((1 << n, (1 << (1 << n)) - 1) for n in reversed(range(length.bit_length())))


def nth(bits: int, count: int, steps: Halves) -> int:
    """The number of one of the bits that are set, counted from 0 in rising order; there must be so many."""
    index = 0
    for half, mask in steps:
        below = (bits & mask).bit_count()
        if count >= below:
            count -= below
            bits >>= half
            index += half
    return index
