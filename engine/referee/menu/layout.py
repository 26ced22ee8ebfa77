"""The panel of all menus: a title, what it is about, what the cursor is on in the largest type that fits, what OK does."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.gamekit.panel import WIDTHS, Line, largest, shortened


def panel(title: str, about: str, selected: str, hint: str) -> Sequence[Line]:
    """Four lines; `selected` stands between arrows if there is room for them."""
    return [
        Line(title, align="center", inverted=True),
        Line(shortened(about, WIDTHS["small"]), align="center"),
        selected_line(selected),
        Line(shortened(hint, WIDTHS["small"]), align="center"),
    ]


def selected_line(text: str) -> Line:
    """The text in the largest type that it fits in, with arrows that say there is more to the left and right."""
    arrowed = f"‹{text}›"
    return largest(arrowed if len(arrowed) <= WIDTHS["small"] else text)
