"""Values that were of use lately."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from underboard.web.recent import Recent


@given(keys=st.lists(st.integers(0, 9), max_size=40), most=st.integers(1, 5))
def test_the_latest_are_kept_and_no_more_of_them(keys: list[int], most: int) -> None:
    recent: Recent[int, int] = Recent(most)
    for number, key in enumerate(keys):
        recent.put(key, number)
    latest = list(dict.fromkeys(reversed(keys)))
    assert [key in recent for key in latest] == [True] * min(most, len(latest)) + [False] * (len(latest) - most)
    assert len(recent) == min(most, len(latest))
    assert all(recent.get(key) == len(keys) - 1 - keys[::-1].index(key) for key in latest[:most])
