"""Another language at the table; the game stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.aside.panel import panel
from engine.events import Did
from engine.table import Choice, Line
from engine.tabletop import Aside, Step, Table
from engine.words import LANGUAGES, Words

NAMES = {"en": "English", "hu": "magyar", "nl": "Nederlands", "hy": "հայերեն"}
"""Each language in itself, for those who read no other."""


@dataclass(frozen=True, slots=True)
class Languages(Aside):
    """Left and right run through the languages."""

    def menu(self, table: Table) -> tuple[Sequence[Choice], int]:
        return [Choice(language) for language in LANGUAGES], LANGUAGES.index(table.language)

    def lines(self, table: Table, words: Words) -> Sequence[Line]:
        return panel(words("LANGUAGE"), "", NAMES[table.selected or table.language], words("OK: choose"))

    def take(self, table: Table, choice: Choice) -> Step:
        return speak(replace(table, aside=None), choice.name)


def speak(table: Table, language: str) -> Step:
    """The table speaks another language from now on."""
    return replace(table, language=language), [Did("table", f"language {language}", table.layout.spaces)]
