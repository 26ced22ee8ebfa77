"""Lines of text become a picture of 128x64 black and white pixels.

A screen is a few lines in one of three sizes, placed from the top down. A line never wraps and is never cut: text that
does not fit, or has a character that the fonts do not know, is a mistake of whoever wrote the screen, and `problems`
names all of them so that a test can look at every screen in every language. The fonts are read when the first line is
drawn, not when this module is imported.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from PIL import Image, ImageDraw, ImageFont

from underboard.errors import UnderboardError

WIDTH, HEIGHT = 128, 64  # pixels of the panel

TextSize = Literal["small", "medium", "large"]
Align = Literal["left", "center", "right"]

log = logging.getLogger(__name__)

_CELLS: dict[TextSize, tuple[int, int]] = {
    "small": (6, 13),
    "medium": (9, 15),
    "large": (10, 20),
}  # width and height of a character, in pixels
_MARGIN = 1  # pixels left free at both sides, so that the first letter of an inverted line does not touch its edge
_MODULE = 2  # pixels of a module of a QR code: with one a phone has to come too near
_WIDEST_GAP = 8  # pixels between rows; more would tear the screen apart


class Line(Protocol):
    """One line of a screen, as this module needs to see it."""

    @property
    def text(self) -> str:
        """What to write; empty for a free row."""

    @property
    def size(self) -> TextSize:
        """Which of the three fonts."""

    @property
    def align(self) -> Align:
        """Where the text stands in its row."""

    @property
    def inverted(self) -> bool:
        """Black on a white bar that fills the whole row."""


@runtime_checkable
class CodeLine(Protocol):
    """What the first line of a screen has as well if a QR code stands beside its texts."""

    @property
    def code(self) -> Sequence[str]:
        """Its rows, "1" for a dark module; () for a screen of text alone."""


class PictureError(UnderboardError, ValueError):
    """A screen that cannot be drawn as it is written; the message names line, text and reason."""

    fault = "program"


@dataclass(frozen=True)
class _Font:
    face: ImageFont.FreeTypeFont
    characters: frozenset[str]


def columns(size: TextSize, width: int = WIDTH) -> int:
    """How many characters of this size fit in a row of so many pixels."""
    return width // _CELLS[size][0]


def row_height(size: TextSize) -> int:
    """The height of a row of this size, in pixels."""
    return _CELLS[size][1]


def missing_glyphs(text: str, size: TextSize) -> list[str]:
    """The characters of `text` that the font of this size cannot draw, each once, in their order."""
    known = _font(size).characters
    return [character for character in dict.fromkeys(text) if character not in known]


def problems(lines: Sequence[Line]) -> list[str]:
    """Everything that keeps these lines from being drawn, one sentence each; empty if they are fine."""
    width = WIDTH - _text_left(lines)
    found = [problem for number, line in enumerate(lines, start=1) for problem in _line_problems(number, line, width)]
    if (size := len(_code(lines))) * _MODULE > HEIGHT:
        found.append(f"a code of {size} modules, {HEIGHT // _MODULE} fit")
    height = _total_height(lines)
    if height > HEIGHT:
        found.append(f"{len(lines)} lines are {height} px high, the panel has {HEIGHT}: {[line.text for line in lines]}")
    return found


def draw(lines: Sequence[Line]) -> Image.Image:
    """The picture (mode "1", lit pixels are 1) of these lines.

    Raises PictureError with all `problems` if there are any.
    """
    if found := problems(lines):
        raise PictureError("; ".join(found))
    return _painted(lines)


def draw_what_fits(lines: Sequence[Line]) -> Image.Image:
    """The picture of these lines as far as they can be drawn; their `problems` are logged.

    For a table in use: no game may end because a text is too long.
    """
    for problem in problems(lines):
        log.warning("%s", problem)
    return _painted(lines)


def _painted(lines: Sequence[Line]) -> Image.Image:
    """The picture, with what does not fit cut off at its edges."""
    picture = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(picture)
    pen.fontmode = "1"
    if code := _code(lines):
        _draw_code(pen, code)
    for line, top in zip(lines, _tops(lines), strict=True):
        _draw_line(pen, line, top, _text_left(lines))
    return picture


def _text_left(lines: Sequence[Line]) -> int:
    """The column where texts begin: behind the square of a code, if there is one."""
    return HEIGHT if _code(lines) else 0


def _code(lines: Sequence[Line]) -> Sequence[str]:
    """The QR code of a screen, () if it has none."""
    return lines[0].code if lines and isinstance(lines[0], CodeLine) else ()


def _draw_code(pen: ImageDraw.ImageDraw, rows: Sequence[str]) -> None:
    """A QR code in the middle of a lit square as high as the panel, whose rest is the light border that readers need."""
    pen.rectangle((0, 0, HEIGHT - 1, HEIGHT - 1), fill=1)
    border = (HEIGHT - len(rows) * _MODULE) // 2
    for y, row in enumerate(rows):
        for x, module in enumerate(row):
            if module == "1":
                left, top = border + x * _MODULE, border + y * _MODULE
                pen.rectangle((left, top, left + _MODULE - 1, top + _MODULE - 1), fill=0)


def write(picture: Image.Image, place: tuple[int, int], text: str, size: TextSize) -> None:
    """Put text anywhere on a picture: *place* is its top left pixel. Nothing is checked."""
    pen = ImageDraw.Draw(picture)
    pen.fontmode = "1"
    pen.text(place, text, fill=1, font=_font(size).face, anchor="la")


def _draw_line(pen: ImageDraw.ImageDraw, line: Line, top: int, left: int) -> None:
    if line.inverted:
        pen.rectangle((left, top, WIDTH - 1, top + row_height(line.size) - 1), fill=1)
    pen.text((_left(line, left), top), line.text, fill=0 if line.inverted else 1, font=_font(line.size).face, anchor="la")


def _left(line: Line, start: int) -> int:
    """The column of the line's first pixel, if its row begins at `start`."""
    free = max(0, WIDTH - start - len(line.text) * _CELLS[line.size][0])
    match line.align:
        case "left":
            return start + _MARGIN
        case "center":
            return start + free // 2
        case "right":
            return start + free - _MARGIN


def _tops(lines: Sequence[Line]) -> list[int]:
    """The first pixel row of each line: free rows go between the lines first, what is left over goes above and below alike."""
    free = max(0, HEIGHT - _total_height(lines))
    gaps = max(len(lines) - 1, 1)
    between = min(free, gaps * _WIDEST_GAP) if len(lines) > 1 else 0
    tops = []
    used = (free - between) // 2
    for index, line in enumerate(lines):
        tops.append(used + between * index // gaps)
        used += row_height(line.size)
    return tops


def _total_height(lines: Sequence[Line]) -> int:
    return sum(row_height(line.size) for line in lines)


def _line_problems(number: int, line: Line, width: int) -> list[str]:
    found = []
    if len(line.text) > columns(line.size, width):
        found.append(f"line {number} {line.text!r}: {len(line.text)} characters, {columns(line.size, width)} fit in {line.size}")
    if missing := missing_glyphs(line.text, line.size):
        named = ", ".join(f"{character!r} (U+{ord(character):04X})" for character in missing)
        found.append(f"line {number} {line.text!r}: the {line.size} font has no {named}")
    return found


@cache
def _font(size: TextSize) -> _Font:
    width, height = _CELLS[size]
    path = Path(__file__).with_name("fonts") / f"{width}x{height}.bdf"
    codes = re.findall(r"^ENCODING (\d+)$", path.read_text(encoding="ascii"), re.MULTILINE)
    # The basic layout puts one cell after the other; the other engine would need a library of its own.
    face = ImageFont.truetype(str(path), height, layout_engine=ImageFont.Layout.BASIC)
    return _Font(face, frozenset(map(chr, map(int, codes))) - {"\0"})
