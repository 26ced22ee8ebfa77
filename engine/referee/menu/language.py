"""The menu in which the table changes its language; the game stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from underboard.engine.base.i18n import LANGUAGE_NAMES, LANGUAGES, Words
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.events import Did
from underboard.engine.referee.menu.layout import panel
from underboard.engine.referee.state import Step, TableMenu, TableState


@dataclass(frozen=True, slots=True)
class LanguageMenu(TableMenu):
    """Left and right run through the languages."""

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        return [Choice(language) for language in LANGUAGES], LANGUAGES.index(table.language)

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        return panel(words("LANGUAGE"), "", LANGUAGE_NAMES[table.selected or table.language], words("OK: choose"))

    def take(self, table: TableState, choice: Choice) -> Step:
        return speak(replace(table, open_menu=None), choice.name)


def speak(table: TableState, language: str) -> Step:
    """The table speaks another language from now on."""
    return replace(table, language=language), [Did("table", f"language {language}", table.layout.spaces)]
