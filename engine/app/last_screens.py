"""What stays on the display when a table is no longer in operation."""

from __future__ import annotations

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.panel import Line


def farewell(words: Words, kept: bool = True) -> list[Line]:
    """What stays on the display when the table is switched off."""
    title, off = Line("UNDERBOARD", "large", "center"), Line(words("switched off"), align="center")
    return [title, off, Line(words("the game is kept") if kept else words("NOT SAVED"), align="center", inverted=not kept)]


def failed(words: Words) -> list[Line]:
    """What is on the display when the program has failed, until it is started again."""
    return [Line("UNDERBOARD", "large", "center"), Line(words("failed: starts again"), align="center", inverted=True)]
