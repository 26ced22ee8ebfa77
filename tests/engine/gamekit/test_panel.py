"""Lines of the panel: every text fits, in the largest type that there is room for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.gamekit.panel import SIZES, WIDTHS, Line, TextSize, heading, largest

sizes = st.sampled_from(SIZES)


@given(st.text(max_size=30), sizes)
def test_the_largest_type_that_fits(text: str, most: TextSize) -> None:
    line = largest(text, most)
    assert len(line.text) <= WIDTHS[line.size] <= WIDTHS["small"]
    assert WIDTHS[line.size] >= WIDTHS[most]
    larger = [size for size in SIZES if WIDTHS[most] <= WIDTHS[size] < WIDTHS[line.size]]
    assert all(len(text) > WIDTHS[size] for size in larger)
    assert line.text == text or len(text) > WIDTHS["small"]


@pytest.mark.parametrize(
    ("text", "size"),
    [("twelve chars", "large"), ("13 characters", "medium"), ("fifteen letters", "small"), ("one and twenty of them", "small")],
)
def test_sizes_by_length(text: str, size: str) -> None:
    assert largest(text).size == size


def test_a_text_too_long_for_any_type_is_shortened() -> None:
    assert largest("one and twenty of them").text == "one and twenty of th…"


def test_a_heading_has_its_texts_at_both_ends() -> None:
    assert heading("RED", "0:1") == Line("RED               0:1", inverted=True)
    assert heading("RED", "0:1", "medium") == Line("RED        0:1", "medium", inverted=True)
    assert heading("YELLOW 12", "faces 3", "medium").size == "small"


@given(st.text("ab", min_size=1, max_size=20), st.text("cd", min_size=1, max_size=20), sizes)
def test_a_heading_fills_its_line(left: str, right: str, most: TextSize) -> None:
    line = heading(left, right, most)
    assert len(line.text) <= WIDTHS[line.size]
    if len(left) + len(right) < WIDTHS["small"]:
        assert len(line.text) == WIDTHS[line.size]
        assert line.text.split() == [left, right]
