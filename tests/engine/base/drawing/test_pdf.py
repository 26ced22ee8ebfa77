"""SVG and PDF of the same drawing, read back by others."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from underboard.engine.base.drawing.pdf import POINTS, pdf
from underboard.engine.base.drawing.shapes import Bounds, Circle, Clipped, Drawing, TextShape, label, line, polygon, rectangle
from underboard.engine.base.drawing.svg import number, svg

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = (
    rectangle(10, 10, 30, 20, fill="#ffeeaa", name="box 1"),
    polygon((1, 1), (2, 2), (1, 3), stroke=None, fill="#000000"),
    line((0, 40), (90, 40), dash=2),
    Circle(50, 30, 5, fill=None),
    label(50, 60, "<Ő & ű>", 5, bold=True),
    TextShape(90, 60, "ոչ", 4, upright=True),
)
DRAWING = Drawing(100, 70, "one & two", SHAPES)


def test_an_svg_is_well_formed_and_has_every_shape() -> None:
    root = ElementTree.fromstring(svg(DRAWING))
    assert (root.get("width"), root.get("viewBox")) == ("100mm", "0 0 100 70")
    assert root.findtext(f"{SVG}title") == "one & two"
    assert [text.text for text in root.findall(f"{SVG}text")] == ["<Ő & ű>", "ոչ"]
    assert len(root.findall(f"{SVG}path")) == 3
    assert root.find(f"{SVG}path[@id='box-1']") is not None


def test_an_svg_can_show_no_window() -> None:
    with pytest.raises(ValueError, match="PDF"):
        svg(Drawing(10, 10, "", (Clipped(Bounds(0, 0, 1, 1), ()),)))


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (-0.001, "0"), (1.5, "1.5"), (10, "10"), (1 / 3, "0.33")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_a_pdf_has_the_size_and_the_texts_of_its_pages() -> None:
    reader = PdfReader(BytesIO(pdf([DRAWING, Drawing(50, 20, "small", SHAPES[:1])])))
    sizes = [(float(page.mediabox.width), float(page.mediabox.height)) for page in reader.pages]
    assert sizes == [pytest.approx((100 * POINTS, 70 * POINTS), abs=0.01), pytest.approx((50 * POINTS, 20 * POINTS), abs=0.01)]
    assert "<Ő & ű>" in reader.pages[0].extract_text()
    assert reader.metadata is not None
    assert reader.metadata.title == "one & two"


def test_the_same_drawing_gives_the_same_file() -> None:
    assert pdf([DRAWING]) == pdf([DRAWING])


def test_what_lies_outside_of_a_window_is_not_written() -> None:
    inside, outside = TextShape(5, 8, "inside"), TextShape(50, 8, "outside")
    reader = PdfReader(BytesIO(pdf([Drawing(100, 20, "", (Clipped(Bounds(0, 0, 20, 20), (inside, outside)),))])))
    assert reader.pages[0].extract_text().strip() == "inside"
