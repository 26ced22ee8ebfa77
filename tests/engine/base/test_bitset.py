"""The n-th member of a set of bits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.base.bitset import halves, nth


@given(st.sets(st.integers(0, 399), min_size=1), st.integers(400, 700))
def test_members_are_counted_in_rising_order(members: set[int], length: int) -> None:
    bits, steps = sum(1 << member for member in members), halves(length)
    assert [nth(bits, count, steps) for count in range(len(members))] == sorted(members)


def test_a_single_place() -> None:
    assert nth(1, 0, halves(1)) == 0
