"""Times as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.durations import UNITS, duration
from engine.errors import BadArgument


@given(number=st.integers(0, 10**6), unit=st.sampled_from(sorted(UNITS)))
def test_times(number: int, unit: str) -> None:
    assert duration(f"{number}{unit}") == number * UNITS[unit]


@pytest.mark.parametrize("text", ["", "14", "s", "-1s", "1 s", "1,5s", "1e3s", "٣s", "1234567890s"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="is no time: write 300ms"):
        duration(text)
