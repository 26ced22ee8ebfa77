"""Drawings as the pages of a PDF file, to exact scale, with the fonts in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from underboard.engine.base.drawing.fonts import FAMILY, font_file
from underboard.engine.base.drawing.shapes import Circle, Clipped, Drawing, Path, Shape, TextShape

if TYPE_CHECKING:
    from fpdf import FPDF

POINTS = 72 / 25.4
"""Points of a millimetre, in which PDF counts."""


def pdf(pages: Sequence[Drawing]) -> bytes:
    """The bytes of the file, each drawing on a page of its own size. The same drawings always give the same file."""
    from fpdf import FPDF  # here, so that only who wants a PDF waits for it

    paper = FPDF(unit="mm")
    paper.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    paper.set_title(pages[0].title)
    paper.set_auto_page_break(False)
    for bold in (False, True):
        paper.add_font(FAMILY, "B" if bold else "", font_file(bold))
    for page in pages:
        paper.add_page(orientation="portrait", format=(page.width, page.height))
        draw(paper, page.shapes)
    return bytes(paper.output())


def draw(paper: FPDF, shapes: Sequence[Shape]) -> None:
    """All shapes in their order."""
    for shape in shapes:
        match shape:
            case Path():
                draw_path(paper, shape)
            case Circle():
                with paper.local_context():
                    style = pen(paper, shape)
                    paper.circle(shape.x, shape.y, shape.radius, style)
            case TextShape():
                draw_text(paper, shape)
            case Clipped():
                draw_window(paper, shape)


def draw_path(paper: FPDF, shape: Path) -> None:
    """Lines, or an area."""
    with paper.local_context():
        style = pen(paper, shape)
        if shape.dash:
            paper.set_dash_pattern(shape.dash, shape.dash)
        paper.polyline(list(shape.points), polygon=shape.closed, style=style)


def pen(paper: FPDF, shape: Path | Circle) -> str:
    """Sets colours and width; answers what is drawn: D(raw the line), F(ill) or DF."""
    if shape.stroke:
        paper.set_draw_color(shape.stroke)
        paper.set_line_width(shape.width)
    if shape.fill:
        paper.set_fill_color(shape.fill)
    return ("D" if shape.stroke else "") + ("F" if shape.fill else "")


def draw_text(paper: FPDF, shape: TextShape) -> None:
    """A line of text."""
    paper.set_font(FAMILY, "B" if shape.bold else "", shape.size * POINTS)
    paper.set_text_color(shape.colour)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * shape.length
    if shape.upright:
        with paper.rotation(90, shape.x, shape.y):
            paper.text(shape.x - before, shape.y, shape.text)
    else:
        paper.text(shape.x - before, shape.y, shape.text)


def draw_window(paper: FPDF, shape: Clipped) -> None:
    """What lies in the box; what lies wholly outside is not even written."""
    left, top, right, bottom = shape.box
    with paper.rect_clip(left, top, right - left, bottom - top):
        draw(paper, [inner for inner in shape.shapes if inner.box.meets(shape.box, -1.0)])
