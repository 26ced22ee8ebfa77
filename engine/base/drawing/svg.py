"""A drawing as an SVG file: text that shows the same in every browser, and changes little when the drawing does.

Texts say how long they are, so that they fit where the viewer has not got the font. A `Window` is not drawn here: only
sheets that are printed on several pages have them, and those are PDF.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from underboard.engine.base.drawing.fonts import FAMILY
from underboard.engine.base.drawing.shapes import BLACK, Circle, Drawing, Path, Shape, TextShape

USUAL = 0.3
"""The width of lines for which nothing is said."""


def svg(drawing: Drawing) -> str:
    """The text of the file. Raises ValueError for a drawing with a window."""
    width, height = number(drawing.width), number(drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
        f' font-family="{FAMILY}, Verdana, sans-serif" stroke-width="{number(USUAL)}" role="img">'
    )
    paper = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, f"<title>{escape(drawing.title)}</title>", paper, *map(element, drawing.shapes), "</svg>", ""])


def element(shape: Shape) -> str:
    """One shape."""
    match shape:
        case Path():
            return path(shape)
        case Circle():
            place = {"cx": number(shape.x), "cy": number(shape.y), "r": number(shape.radius)}
            return f"<circle{name(shape.name)}{attributes(place)}{attributes(look(shape))}/>"
        case TextShape():
            return text(shape)
        case _:
            raise ValueError("only PDF pages can show a part of a drawing")


def path(shape: Path) -> str:
    """Lines, as short as can be written."""
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in shape.points)
    dash = {"stroke-dasharray": number(shape.dash)} if shape.dash else {}
    return f'<path{name(shape.name)} d="M{steps}{"Z" if shape.closed else ""}"{attributes({**look(shape), **dash})}/>'


def text(shape: TextShape) -> str:
    """A line of text."""
    place = {"x": number(shape.x), "y": number(shape.y)}
    turn = {"transform": f"rotate(-90 {place['x']} {place['y']})"} if shape.upright else {}
    anchor = {"text-anchor": shape.anchor} if shape.anchor != "start" else {}
    bold = {"font-weight": "bold"} if shape.bold else {}
    ink = {"fill": colour(shape.colour)} if shape.colour != BLACK else {}
    fit = {"font-size": number(shape.size), "textLength": number(shape.length), "lengthAdjust": "spacingAndGlyphs"}
    return f"<text{name(shape.name)}{attributes({**place, **fit, **anchor, **bold, **ink, **turn})}>{escape(shape.text)}</text>"


def look(shape: Path | Circle) -> dict[str, str]:
    """Line and area; what SVG takes for granted is left out."""
    fill = {} if shape.fill == BLACK else {"fill": colour(shape.fill)}
    if not shape.stroke:
        return fill
    width = {} if shape.width == USUAL else {"stroke-width": number(shape.width)}
    return {**fill, "stroke": colour(shape.stroke), **width}


def colour(given: str | None) -> str:
    """A colour as short as it can be written."""
    if given is None:
        return "none"
    return f"#{given[1::2]}" if given[1::2] == given[2::2] else given


def name(given: str) -> str:
    """The id of a shape that has a name."""
    return f" id={quoteattr(given.replace(' ', '-'))}" if given else ""


def attributes(values: dict[str, str]) -> str:
    """All of them, each with a blank before it."""
    return "".join(f" {key}={quoteattr(value)}" for key, value in values.items())


def number(value: float) -> str:
    """To a hundredth of a millimetre, without zeros at the end."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
