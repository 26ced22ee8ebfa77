"""What a drawing is made of. All lengths are millimetres; x runs to the right, y downwards, from the top left corner.

A shape may have a `name`, which is its id in an SVG: tests, and whoever works on with the file, find it by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Self

from underboard.engine.base.drawing.fonts import text_width

Point = tuple[float, float]
Colour = str
"""As "#rrggbb"."""
Anchor = Literal["start", "middle", "end"]

BLACK, WHITE, GREY, PALE = "#000000", "#ffffff", "#808080", "#d8d8d8"
ASCENT, DESCENT = 0.76, 0.24
"""How far a letter reaches above and below its base line, as a share of the size."""
CAPITAL = 0.73
"""How high a capital or a digit is."""


class Bounds(NamedTuple):
    """A rectangle with its sides parallel to the axes."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Bounds, slack: float = 0.0) -> bool:
        """Whether they overlap by more than *slack* both ways."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > slack
            and min(self.bottom, other.bottom) - max(self.top, other.top) > slack
        )

    def within(self, other: Bounds) -> bool:
        """Whether no part of it lies outside of the *other*."""
        return self.left >= other.left and self.top >= other.top and self.right <= other.right and self.bottom <= other.bottom


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines from point to point, closed to an area if it is `closed`. `stroke` or `fill` None: without."""

    points: tuple[Point, ...]
    stroke: Colour | None = BLACK
    fill: Colour | None = None
    width: float = 0.3
    closed: bool = False
    dash: float = 0.0
    """The length of dashes and gaps, 0 for a line without gaps."""
    name: str = ""

    @property
    def box(self) -> Bounds:
        """What it covers."""
        across, down = zip(*self.points, strict=True)
        return Bounds(min(across), min(down), max(across), max(down))

    def moved(self, dx: float, dy: float) -> Self:
        """The same elsewhere."""
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    stroke: Colour | None = BLACK
    fill: Colour | None = None
    width: float = 0.3
    name: str = ""

    @property
    def box(self) -> Bounds:
        """What it covers."""
        return Bounds(self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius)

    def moved(self, dx: float, dy: float) -> Self:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class TextShape:
    """One line of text with its base line at (x, y); `upright` runs from the bottom to the top."""

    x: float
    y: float
    text: str
    size: float = 3.0
    anchor: Anchor = "start"
    bold: bool = False
    colour: Colour = BLACK
    upright: bool = False
    name: str = ""

    @property
    def length(self) -> float:
        """How long the line is."""
        return text_width(self.text, self.size, self.bold)

    @property
    def box(self) -> Bounds:
        """What its letters cover at most."""
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.length
        after = self.length - before
        up, down = self.size * ASCENT, self.size * DESCENT
        if self.upright:
            return Bounds(self.x - up, self.y - after, self.x + down, self.y + before)
        return Bounds(self.x - before, self.y - up, self.x + after, self.y + down)

    def moved(self, dx: float, dy: float) -> Self:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Clipped:
    """Shapes of which only what lies in the box is seen."""

    box: Bounds
    shapes: tuple[Shape, ...]

    def moved(self, dx: float, dy: float) -> Self:
        """The same elsewhere."""
        left, top, right, bottom = self.box
        return replace(self, box=Bounds(left + dx, top + dy, right + dx, bottom + dy), shapes=move(self.shapes, dx, dy))


Shape = Path | Circle | TextShape | Clipped


@dataclass(frozen=True)
class Drawing:
    """A sheet of this width and height. `title` says what it shows, for those who cannot see it."""

    width: float
    height: float
    title: str
    shapes: Sequence[Shape] = field(default_factory=tuple)

    def texts(self) -> list[TextShape]:
        """Every text that is not cut by a window."""
        return [shape for shape in self.shapes if isinstance(shape, TextShape)]


def move(shapes: Iterable[Shape], dx: float, dy: float) -> tuple[Shape, ...]:
    """All shapes elsewhere."""
    return tuple(shape.moved(dx, dy) for shape in shapes)


def line(*points: Point, colour: Colour = BLACK, width: float = 0.3, dash: float = 0.0, name: str = "") -> Path:
    """Lines from point to point."""
    return Path(points, colour, None, width, dash=dash, name=name)


def polygon(*points: Point, stroke: Colour | None = BLACK, fill: Colour | None = None, width: float = 0.3, name: str = "") -> Path:
    """The area within these points."""
    return Path(points, stroke, fill, width, closed=True, name=name)


def rectangle(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    stroke: Colour | None = BLACK,
    fill: Colour | None = None,
    line_width: float = 0.3,
    dash: float = 0.0,
    name: str = "",
) -> Path:
    """A rectangle with its top left corner at (x, y)."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Path(corners, stroke, fill, line_width, True, dash, name)


def label(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    bold: bool = False,
    colour: Colour = BLACK,
    room: float | None = None,
    anchor: Anchor = "middle",
    name: str = "",
) -> TextShape:
    """A text whose capitals are centred on the height y; it is set smaller if it is longer than the *room* there is."""
    length = text_width(text, size, bold)
    if room is not None and length > room:
        size *= room / length
    return TextShape(x, y + size * CAPITAL / 2, text, size, anchor, bold, colour, name=name)
