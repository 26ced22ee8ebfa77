"""Times as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.base.durations import CENTURY, UNITS, duration
from underboard.engine.base.errors import BadArgument


@given(number=st.integers(0, 36_525), unit=st.sampled_from(sorted(UNITS)))
def test_times(number: int, unit: str) -> None:
    assert duration(f"{number}{unit}", CENTURY) == number * UNITS[unit]


@pytest.mark.parametrize("text", ["", "14", "s", "-1s", "1 s", "1,5s", "1e3s", "٣s"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="is no time: write 300ms"):
        duration(text)


@pytest.mark.parametrize("text", ["367d", "8785h", "99999999999s", "9" * 400 + "s"])
def test_what_takes_too_long_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="is too long: 366d is the longest time"):
        duration(text)
