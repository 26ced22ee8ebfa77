"""Reads printed sheets back: sizes, lines, circles and texts, in mm from the top left corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO

from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream

from underboard.engine.base.drawing.pdf import pdf
from underboard.engine.base.drawing.shapes import Drawing

MM = 25.4 / 72
Point = tuple[float, float]


@dataclass
class Sheet:
    """One page; a path is its points, of which a circle has those at its four sides."""

    width: float
    height: float
    text: str
    lines: list[Sequence[Point]] = field(default_factory=list)
    circles: list[Sequence[Point]] = field(default_factory=list)

    def centres(self) -> list[Point]:
        """Of the circles."""
        return [
            (
                (min(x for x, _ in circle) + max(x for x, _ in circle)) / 2,
                (min(y for _, y in circle) + max(y for _, y in circle)) / 2,
            )
            for circle in self.circles
        ]

    def lengths(self) -> list[float]:
        """Of the level lines with two ends."""
        return [abs(path[1][0] - path[0][0]) for path in self.lines if len(path) == 2 and path[0][1] == path[1][1]]


def read(drawings: Sequence[Drawing]) -> list[Sheet]:
    """The pages of their PDF."""
    reader = PdfReader(BytesIO(pdf(drawings)))
    return [read_page(page, reader) for page in reader.pages]


def read_page(page: PageObject, reader: PdfReader) -> Sheet:
    """One page."""
    sheet = Sheet(float(page.mediabox.width) * MM, float(page.mediabox.height) * MM, page.extract_text())
    path: list[Point] = []
    curved = False
    for values, operator in ContentStream(page.get_contents(), reader).operations:
        if operator in (b"m", b"l", b"c"):
            path.append((float(values[-2]) * MM, sheet.height - float(values[-1]) * MM))
            curved = curved or operator == b"c"
        elif operator in (b"S", b"s", b"f", b"B", b"b", b"n", b"B*", b"f*"):
            (sheet.circles if curved else sheet.lines).append(path)
            path, curved = [], False
    return sheet
