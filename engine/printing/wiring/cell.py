"""The figure of one cell: how switch, diode and wires lie under the board, and how high the token's magnet may be."""

from __future__ import annotations

from collections.abc import Iterator

from underboard.engine.base.drawing.shapes import BLACK, GREY, WHITE, Drawing, Shape, TextShape, label, line, polygon, rectangle
from underboard.engine.printing.wiring.style import INKS, WIDTH, heading, joint, paragraph

HEIGHT = 102.0
GLASS = "#cfe8ef"
STEEL = "#9aa4aa"
WOOD = "#e9d3ae"
BODY = "#d9822b"
DETAIL = 3.0


def cell_figure() -> Drawing:
    """From below at the left, cut open at the right."""
    shapes = [heading("One cell"), *from_below(), *cut_open()]
    return Drawing(WIDTH, HEIGHT, "One cell of the board: from below, and cut open", shapes)


def from_below() -> Iterator[Shape]:
    """Column wire, switch, diode, row wire."""
    yield TextShape(0, 14, "from below, where you solder", 3.4, bold=True)
    yield rectangle(0, 18, 88, 76, stroke=GREY, fill=WOOD, line_width=0.2)
    column, row, level = 14.0, 82.0, 36.0
    yield line((0, row), (88, row), colour=INKS["brown"], width=1.6)
    yield line((column, 18), (column, 94), colour=INKS["blue"], width=1.6)
    yield TextShape(column + 2, 23.5, "column wire, bare or stripped here", DETAIL)
    yield TextShape(24, row + 5.5, "row wire; tape where it crosses a column", DETAIL)
    yield from reed(column, level, 70)
    yield line((70, level), (70, row), colour=STEEL, width=0.7)
    yield from diode(70, 58)
    yield joint(column, level, 1.3)
    yield joint(70, level, 1.3)
    yield joint(70, row, 1.3)
    yield TextShape(30, level - 5.5, "reed switch in its glass", DETAIL)
    yield from paragraph(22, 52, "diode 1N4148: the end with the ring (cathode) goes to the row wire", DETAIL, 40)
    yield line((61, 61), (67, 63), colour=BLACK, width=0.25)


def reed(left: float, y: float, right: float) -> Iterator[Shape]:
    """A reed switch with its leads."""
    begin, end = left + 12, right - 10
    middle = (begin + end) / 2
    yield line((left, y), (middle + 1.5, y + 0.35), colour=STEEL, width=0.7)
    yield rectangle(begin, y - 2.2, end - begin, 4.4, stroke=STEEL, fill=GLASS)
    yield line((begin, y + 0.35), (middle + 2.5, y + 0.35), colour=STEEL, width=0.7)
    yield line((middle - 2.5, y - 0.75), (end, y - 0.35), colour=STEEL, width=0.7)
    yield line((end, y - 0.35), (right, y), colour=STEEL, width=0.7)


def diode(x: float, y: float) -> Iterator[Shape]:
    """A standing diode, its ring below."""
    yield rectangle(x - 2, y - 5, 4, 10, stroke=BLACK, fill=BODY, line_width=0.2)
    yield rectangle(x - 2, y + 2, 4, 1.8, stroke=None, fill=BLACK, name="ring of the cell")


def cut_open() -> Iterator[Shape]:
    """Token, sheet, wood, switch; the space's middle is over one end of the glass."""
    left, right, top = 98.0, WIDTH, 58.0
    middle = 132.0
    yield TextShape(left, 14, "cut open, from the side", 3.4, bold=True)
    yield rectangle(middle - 11, 40, 22, 14, stroke=BLACK, fill="#f7d9d6")
    yield label(middle - 13, 45, "token", DETAIL, anchor="end")
    yield rectangle(middle - 5, 49, 10, 4, stroke=BLACK, fill=STEEL)
    yield label(middle + 13, 51, "disc magnet 10 × 3 mm, at its bottom", DETAIL, anchor="start", room=right - middle - 13)
    yield rectangle(left, top - 2.5, right - left, 1.2, stroke=GREY, fill=WHITE, line_width=0.2)
    yield TextShape(left, top - 4.5, "printed sheet", DETAIL)
    yield rectangle(left, top - 1.3, right - left, 10, stroke=GREY, fill=WOOD)
    yield label(middle + 38, top + 4, "plywood, 3 to 4 mm", DETAIL)
    yield from reed(middle - 12, top + 12.2, middle + 46)
    yield line((middle, 30), (middle, 80), colour=INKS["red"], width=0.3, dash=1.5)
    yield polygon((middle - 1.5, 30), (middle + 1.5, 30), (middle, 33), stroke=None, fill=INKS["red"])
    yield label(middle, 27, "middle of the space", DETAIL, colour=INKS["red"])
    hint = (
        "Let the middle of the space be over one end of the glass, not over its middle: there a disc magnet does not close"
        " the switch. Try one cell with your tokens before you glue a hundred."
    )
    yield from paragraph(left, 83, hint, DETAIL, right - left)
