"""The table's menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.aside.corrections import Correcting
from engine.aside.languages import Languages
from engine.aside.panel import panel
from engine.aside.plan import plan_anew
from engine.aside.scores import Scores
from engine.table import Choice, Line
from engine.tabletop import Aside, Step, Table
from engine.words import N_, Words


@dataclass(frozen=True, slots=True)
class Menu(Aside):
    """What the table offers while there is a game."""

    def menu(self, table: Table) -> tuple[Sequence[Choice], int]:
        corrigible = bool(table.setup.table.corrections(table.state)) and not table.deal
        return [Choice(name) for name in ENTRIES if name != "correct" or corrigible], 0

    def lines(self, table: Table, words: Words) -> Sequence[Line]:
        selected = table.selected or "go on"
        return panel(words("TABLE"), table.setup.table.name, words(CALLED[selected]), words("OK: choose"))

    def take(self, table: Table, choice: Choice) -> Step:
        return ENTRIES[choice.name](table), []


ENTRIES: Mapping[str, Callable[[Table], Table]] = {
    "go on": lambda table: replace(table, aside=None),
    "new game": plan_anew,
    "correct": lambda table: replace(table, aside=Correcting()),
    "scores": lambda table: replace(table, aside=Scores()),
    "language": lambda table: replace(table, aside=Languages()),
}

CALLED = {
    "go on": N_("go on"),
    "new game": N_("new game"),
    "correct": N_("correct"),
    "scores": N_("scores"),
    "language": N_("language"),
}
