"""Lines of the panel, which has 128x64 pixels, and how texts are made to fit them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


def listed(names: Sequence[str], width: int) -> str:
    """As many of the names as there is room for, and how many more there are: "a1 b2 +7"; "" if there is no room at all."""
    for shown in range(len(names), -1, -1):
        more = [f"+{len(names) - shown}"] if shown < len(names) else []
        text = " ".join([*names[:shown], *more])
        if len(text) <= width:
            return text
    return ""


def shortened(text: str, width: int) -> str:
    """The text, cut with an ellipsis if it is longer than `width`."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def wrapped(text: str, width: int, most: int) -> list[str]:
    """The text in at most `most` lines."""
    return textwrap.wrap(text, width, max_lines=most, placeholder="…")


TextSize = Literal["small", "medium", "large"]

Align = Literal["left", "center", "right"]

WIDTHS: Mapping[TextSize, int] = {"small": 21, "medium": 14, "large": 12}
"""How many characters a line of each size holds."""


SIZES: tuple[TextSize, ...] = ("large", "medium", "small")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the panel: 21, 14 or 12 characters by size; inverted is dark on light.

    A screen whose first line has a `code`, the rows of a QR code with "1" for dark, shows it at its left; then there is room for
    BESIDE_CODE small characters in each line.
    """

    text: str
    size: TextSize = "small"
    align: Align = "left"
    inverted: bool = False
    code: tuple[str, ...] = ()


BESIDE_CODE = 10


def largest(text: str, most: TextSize = "large", inverted: bool = False) -> Line:
    """A centred line in the largest type in which the text fits, at most `most`; shortened if it fits in none."""
    size: TextSize = next((size for size in sizes_up_to(most) if len(text) <= WIDTHS[size]), "small")
    return Line(shortened(text, WIDTHS[size]), size, "center", inverted)


def choosable(text: str, most: TextSize = "large") -> Line:
    """What the cursor is on, between arrows that say there is more left and right; without them where else small type were needed."""
    arrowed = f"‹{text}›"
    return largest(text if len(text) <= WIDTHS["medium"] < len(arrowed) else arrowed, most)


def heading(left: str, right: str, most: TextSize = "small") -> Line:
    """An inverted line with two texts at its ends, in the largest type in which both fit, at most `most`; shortened if they fit in none."""
    size = next((size for size in sizes_up_to(most) if len(left) + len(right) < WIDTHS[size]), None)
    if size is None:
        return Line(shortened(f"{left} {right}", WIDTHS["small"]), inverted=True)
    return Line(left + right.rjust(WIDTHS[size] - len(left)), size, inverted=True)


def sizes_up_to(most: TextSize) -> tuple[TextSize, ...]:
    """The sizes from `most` down."""
    return SIZES[SIZES.index(most) :]
