"""The scores of the evening: how many games each has won, game by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.panel import WIDTHS, Line, shortened
from underboard.engine.gamekit.registry import title_of
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.events import Did
from underboard.engine.referee.menu.layout import panel
from underboard.engine.referee.state import Step, TableMenu, TableState

CLEAR, BACK = "clear", "back"
NOBODY = N_("nobody")


@dataclass(frozen=True, slots=True)
class ScoresMenu(TableMenu):
    """Left and right run through the games that have been played to the end."""

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        games = dict.fromkeys(result.game for result in table.all_results)
        planned = table.deal and table.planned  # whose scores they are is not settled before the cards are dealt
        return [Choice(name) for name in (*games, *([] if planned else [CLEAR]))] if games else [Choice(BACK)], 0

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        selected = table.selected or BACK
        title = words("SCORES")
        if selected == BACK:
            return panel(title, words("no game has ended yet"), words("back"), "")
        if selected == CLEAR:
            return panel(title, words("a new evening"), words("clear"), words("OK: clear all scores"))
        wins = Counter(result.winner for result in table.all_results if result.game == selected)
        texts = [f"{words(winner.upper() if winner else NOBODY)} {count}" for winner, count in wins.most_common()]
        return [
            Line(title, align="center", inverted=True),
            Line(f"‹{title_of(selected)}›", align="center"),
            *(Line(text, align="center") for text in rows(texts)),
        ]

    def take(self, table: TableState, choice: Choice) -> Step:
        if choice.name == CLEAR:
            return clear(replace(table, open_menu=None))
        return replace(table, open_menu=None), []


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


def clear(table: TableState) -> Step:
    """A new evening: what has been won so far counts no more."""
    return replace(table, results=(), counted=not table.over), [Did("table", "scores clear", table.layout.spaces)]
