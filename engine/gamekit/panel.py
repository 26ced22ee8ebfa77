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


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the panel: 21, 14 or 12 characters by size; inverted is dark on light."""

    text: str
    size: TextSize = "small"
    align: Align = "left"
    inverted: bool = False
