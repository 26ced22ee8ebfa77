"""The first level of the table's menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.actions import override_names
from underboard.engine.referee.menu.explanations import ExplanationsMenu
from underboard.engine.referee.menu.language import LanguageMenu
from underboard.engine.referee.menu.layout import panel
from underboard.engine.referee.menu.manual_override import OverrideMenu
from underboard.engine.referee.menu.new_game import set_up_another
from underboard.engine.referee.menu.scores import ScoresMenu
from underboard.engine.referee.menu.seat_codes import are_wanted, show_codes
from underboard.engine.referee.state import Step, TableMenu, TableState


@dataclass(frozen=True, slots=True)
class MainMenu(TableMenu):
    """What the table offers while there is a game."""

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        can_override = bool(override_names(table)) and not table.deal
        offered = {"correct": can_override, "phones": are_wanted(table), "?": bool(table.setup.table.explanations)}
        return [Choice(name) for name in ENTRIES if offered.get(name, True)], 0

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        selected = table.selected or "go on"
        return panel(words("TABLE"), table.setup.title, words(CALLED[selected]), words("OK: choose"))

    def take(self, table: TableState, choice: Choice) -> Step:
        return ENTRIES[choice.name](table), []


ENTRIES: Mapping[str, Callable[[TableState], TableState]] = {
    "go on": lambda table: replace(table, open_menu=None),
    "new game": set_up_another,
    "correct": lambda table: replace(table, open_menu=OverrideMenu()),
    "phones": show_codes,
    "scores": lambda table: replace(table, open_menu=ScoresMenu()),
    "language": lambda table: replace(table, open_menu=LanguageMenu()),
    "?": lambda table: replace(table, open_menu=ExplanationsMenu()),
}

CALLED = {
    "go on": N_("go on"),
    "new game": N_("new game"),
    "correct": N_("correct"),
    "phones": N_("phones"),
    "scores": N_("scores"),
    "language": N_("language"),
    "?": N_("? specials"),
}
