"""The scores of the evening: how many games each has won, game by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.alerts import shortened
from engine.aside.panel import panel
from engine.events import Did
from engine.table import WIDTHS, Choice, Line, find_table
from engine.tabletop import Aside, Step, Table
from engine.words import N_, Words

CLEAR, BACK = "clear", "back"
NOBODY = N_("nobody")


@dataclass(frozen=True, slots=True)
class Scores(Aside):
    """Left and right run through the games that have been played to the end."""

    def menu(self, table: Table) -> tuple[Sequence[Choice], int]:
        games = dict.fromkeys(result.game for result in table.all_results)
        planned = table.deal and table.deal.planned  # whose scores they are is not settled before the cards are dealt
        return [Choice(name) for name in (*games, *([] if planned else [CLEAR]))] if games else [Choice(BACK)], 0

    def lines(self, table: Table, words: Words) -> Sequence[Line]:
        selected = table.selected or BACK
        title = words("SCORES")
        if selected == BACK:
            return panel(title, words("no game has ended yet"), words("back"), "")
        if selected == CLEAR:
            return panel(title, words("a new evening"), words("clear"), words("OK: clear all scores"))
        wins = Counter(result.winner for result in table.all_results if result.game == selected)
        told = [f"{words(winner.upper() if winner else NOBODY)} {count}" for winner, count in wins.most_common()]
        return [
            Line(title, align="center", inverted=True),
            Line(f"‹{find_table(selected).name}›", align="center"),
            *(Line(text, align="center") for text in rows(told)),
        ]

    def take(self, table: Table, choice: Choice) -> Step:
        if choice.name == CLEAR:
            return clear(replace(table, aside=None))
        return replace(table, aside=None), []


def rows(texts: Sequence[str]) -> Sequence[str]:
    """As many of the texts as two lines of the panel hold, the others as an ellipsis."""
    found = [""]
    for text in texts:
        longer = f"{found[-1]} {text}".strip()
        if len(longer) <= WIDTHS["small"]:
            found[-1] = longer
        else:
            found.append(text)
    return found if len(found) <= 2 else [found[0], shortened(" ".join(found[1:]), WIDTHS["small"])]


def clear(table: Table) -> Step:
    """A new evening: what has been won so far counts no more."""
    return replace(table, results=(), counted=not table.over), [Did("table", "scores clear", table.layout.spaces)]
