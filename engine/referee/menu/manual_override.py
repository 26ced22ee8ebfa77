"""What a referee sets by hand when the players disagree with the table; the journal shows that it was set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from underboard.engine.base.errors import GameError, Text
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.actions import override, override_names
from underboard.engine.referee.menu.layout import panel
from underboard.engine.referee.override_words import override_word
from underboard.engine.referee.state import Step, TableMenu, TableState


@dataclass(frozen=True, slots=True)
class OverrideMenu(TableMenu):
    """What is set by hand, word by word: "token", then "7", then "red"."""

    path: tuple[str, ...] = ()

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        return [Choice(word) for word in self.next_words(table)], 0

    def next_words(self, table: TableState) -> Sequence[str]:
        """The words with which the path goes on."""
        here = len(self.path)
        names = (tuple(name.split()) for name in override_names(table))
        return tuple(dict.fromkeys(name[here] for name in names if name[:here] == self.path and len(name) > here))

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        about = "".join(override_word(word, table, words) + " " * (not is_column(word)) for word in self.path).rstrip()
        return panel(words("CORRECTION"), about, override_word(table.selected or "", table, words), words("OK: choose"))

    def take(self, table: TableState, choice: Choice) -> Step:
        further = OverrideMenu((*self.path, choice.name))
        if further.next_words(table):
            return replace(table, open_menu=further), []
        try:
            return override(replace(table, open_menu=None), " ".join(further.path))
        except GameError as error:
            refusal = Text(N_("This cannot be set: {why}"), {"why": str(error)})
            return replace(table, open_menu=None, notice=refusal), []

    def leave(self, table: TableState) -> TableState:
        return replace(table, open_menu=OverrideMenu(self.path[:-1]) if self.path else None)


def is_column(word: str) -> bool:
    """Whether a word is the letter of a cell, which its number follows without a blank: "c4"."""
    return len(word) == 1 and word.isalpha()
