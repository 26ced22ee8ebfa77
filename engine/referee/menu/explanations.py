"""What the special cards of a game do, one screen each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.panel import WIDTHS, Line, wrapped
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.state import Step, TableMenu, TableState

MOST_LINES = 3
"""Beside the title there is room for so many lines."""


@dataclass(frozen=True, slots=True)
class ExplanationsMenu(TableMenu):
    """Left and right run through what the game's table explains; OK leads back to the game."""

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        return [Choice(title) for title in table.setup.table.explanations], 0

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        title = table.selected or ""
        text = words(table.setup.table.explanations[title])
        return [Line(f"‹{words(title)}›", align="center", inverted=True), *map(Line, wrapped(text, WIDTHS["small"], MOST_LINES))]

    def take(self, table: TableState, choice: Choice) -> Step:
        return replace(table, open_menu=None), []
