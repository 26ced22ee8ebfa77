"""The two fonts of all drawings, and how long a text is in them.

The fonts know no kerning, so every program that shows them comes to the same length.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

FAMILY = "DejaVu Sans"
FOLDER = Path(__file__).with_name("ttf")
UNITS = 1000


def font_file(bold: bool) -> Path:
    """The file of a font."""
    return FOLDER / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")


@cache
def load(bold: bool) -> FreeTypeFont:
    """The font, for measuring."""
    from PIL import ImageFont  # here, so that whoever wants help does not wait for it

    return ImageFont.truetype(str(font_file(bold)), UNITS, layout_engine=ImageFont.Layout.BASIC)


@cache
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The length of a line of text, in the unit of *size*."""
    return float(load(bold).getlength(text)) * size / UNITS


def wrap(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """The text in lines that fit the *room*; a word that is longer than it stands alone and sticks out.

    A no-break space keeps a number with its unit.
    """
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
