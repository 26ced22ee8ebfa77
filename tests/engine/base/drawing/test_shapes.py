"""Boxes, and what text takes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.base.drawing.fonts import text_width, wrap
from underboard.engine.base.drawing.shapes import Bounds, Circle, Clipped, TextShape, label, line, rectangle

LENGTHS = st.floats(-1000, 1000)


def test_boxes_meet_only_where_they_overlap() -> None:
    box = Bounds(0, 0, 10, 10)
    assert box.meets(Bounds(9, 9, 20, 20))
    assert not box.meets(Bounds(10, 0, 20, 10))
    assert not box.meets(Bounds(9, 9, 20, 20), slack=1)
    assert box.meets(Bounds(10.5, 0, 20, 10), slack=-1)


@pytest.mark.parametrize(
    "shape",
    [
        line((1, 2), (5, 2)),
        rectangle(1, 2, 3, 4),
        Circle(5, 5, 2),
        TextShape(5, 5, "Ő"),
        TextShape(5, 5, "Ő", upright=True, anchor="end"),
        Clipped(Bounds(0, 0, 9, 9), (Circle(1, 1, 1),)),
    ],
    ids=lambda shape: type(shape).__name__,
)
@given(dx=LENGTHS, dy=LENGTHS)
def test_what_is_moved_covers_the_same_elsewhere(shape: TextShape, dx: float, dy: float) -> None:
    before, after = shape.box, shape.moved(dx, dy).box
    assert after == pytest.approx((before.left + dx, before.top + dy, before.right + dx, before.bottom + dy), abs=1e-6)


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
@pytest.mark.parametrize("upright", [False, True])
def test_a_text_covers_its_length_and_size(anchor: str, upright: bool) -> None:
    text = replace(TextShape(0, 0, "row 1", 10), anchor=anchor, upright=upright)  # type: ignore[arg-type]
    box = text.box
    sides = box.right - box.left, box.bottom - box.top
    assert sides == pytest.approx((10, text.length) if upright else (text.length, 10))


def test_a_label_is_centred_and_kept_in_its_room() -> None:
    wide = label(50, 50, "a long name that does not fit", 10, room=40)
    assert wide.length == pytest.approx(40)
    assert (wide.box.left + wide.box.right) / 2 == pytest.approx(50)
    assert label(50, 50, "8", 10, room=40).size == 10


@given(st.text("ab ", max_size=40), st.floats(5, 50))
def test_wrapped_lines_hold_all_words_and_fit(text: str, room: float) -> None:
    lines = wrap(text, 3, room)
    assert " ".join(lines).split() == text.split()
    assert all(text_width(line, 3) <= room for line in lines if " " in line)


@pytest.mark.parametrize("bold", [False, True])
def test_the_fonts_have_what_the_four_languages_need(bold: bool) -> None:
    from fontTools.ttLib import TTFont

    from underboard.engine.base.drawing.fonts import font_file

    with TTFont(font_file(bold)) as font:
        known = set(font.getBestCmap())
    needed = "ŐőŰűÁáÉéÍíÓóÖöÚúÜüëïĳ" + "".join(map(chr, [*range(0x531, 0x557), *range(0x561, 0x588), 0x589, 0x55D])) + "−·★♥◀▶→×Ω"
    assert [letter for letter in needed if ord(letter) not in known] == []
