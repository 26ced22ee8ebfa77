"""How the plans look: colours of wires and parts, joints, and boxes with text."""

from __future__ import annotations

from collections.abc import Iterator

from underboard.engine.base.drawing.fonts import wrap
from underboard.engine.base.drawing.shapes import BLACK, GREY, Circle, Colour, Shape, TextShape, line, rectangle

WIDTH = 190.0
"""Of every figure, in mm: what a sheet of A4 has between its margins."""

INKS: dict[str, Colour] = {
    "brown": "#7a4a21",
    "red": "#d32f2f",
    "orange": "#f28c28",
    "yellow": "#f2c80f",
    "green": "#2e7d32",
    "blue": "#1f5fbf",
    "violet": "#7b3fa0",
    "grey": "#8a8a8a",
    "white": "#ffffff",
    "black": BLACK,
}
TINTS: dict[str, Colour] = {
    "rows": "#fde3cf",
    "columns": "#d7e3f7",
    "keys": "#e3f0d7",
    "buzzer": "#f7d9e8",
    "display": "#efe3fa",
    "reader": "#fbeeb8",
    "lights": "#fbeeb8",
}
LINE_STEP = 1.4
"""From one line of text to the next, in sizes."""


def wire_line(colour: str, *points: tuple[float, float]) -> list[Shape]:
    """A wire in its colour; a white one gets an edge, to be seen on paper."""
    edge: list[Shape] = [line(*points, colour=GREY, width=1.1)] if colour in ("white", "yellow") else []
    return [*edge, line(*points, colour=INKS[colour], width=0.8)]


def swatch(x: float, y: float, colour: str) -> Shape:
    """A dot in the colour of a wire."""
    return Circle(x, y, 1.2, stroke=GREY, fill=INKS[colour], width=0.15)


def joint(x: float, y: float, radius: float = 0.7) -> Shape:
    """Where wires are joined."""
    return Circle(x, y, radius, stroke=None, fill=BLACK)


def paragraph(x: float, y: float, text: str, size: float, room: float, *, bold: bool = False, colour: Colour = BLACK) -> list[TextShape]:
    """A text in as many lines as it needs, the first with its base line at y."""
    return [
        TextShape(x, y + number * size * LINE_STEP, part, size, bold=bold, colour=colour)
        for number, part in enumerate(wrap(text, size, room, bold))
    ]


def heading(text: str) -> TextShape:
    """The title of a figure."""
    return TextShape(0, 5.5, text, 5.0, bold=True)


def resistor(x: float, y: float, value: str, *, upright: bool = False) -> Iterator[Shape]:
    """A resistor in the middle of a wire, 8 mm long, with its value."""
    if upright:
        yield rectangle(x - 1.5, y - 4, 3, 8, fill="#ffffff")
        yield TextShape(x + 2.5, y + 1, value, 3)
    else:
        yield rectangle(x - 4, y - 1.5, 8, 3, fill="#ffffff")
        yield TextShape(x, y - 2.5, value, 3, "middle")
