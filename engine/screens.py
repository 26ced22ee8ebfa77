"""What the panel shows: the game's own screen, or the alert that comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.alerts import listed
from engine.dealing import deal_lines
from engine.table import WIDTHS, Line
from engine.tabletop import Aside, Table
from engine.words import Words

IN_PASSING = ("not_saved", "faulty_cell", "board_absent", "oled_absent", "reader_absent")
"""Alerts with which one plays on: they take the last line only."""


def screen(table: Table, words: Words) -> Sequence[Line]:
    """The lines of the panel, at most 64 pixels high."""
    alert = table.alert
    if alert is None:
        return ready_lines(table, words)
    if alert.code not in IN_PASSING and (table.aside is None or waits_for_board(table.aside)):
        taken_back = table.restored if table.selected == "undo" else 0  # what OK does now; a card may be chosen, or the cursor elsewhere
        return alert.lines(words, taken_back)
    *lines, last = ready_lines(table, words)
    title = f"! {words(alert.title)}"
    text = f"{title} {listed(alert.wrong, WIDTHS['small'] - len(title) - 1)}".rstrip()
    return [*lines, replace(last, text=text, size="small", align="left", inverted=False)]


def waits_for_board(aside: Aside) -> bool:
    """Whether only the board is in the way of the game: then the panel says what is wrong with it."""
    return aside.before_game and aside.checks_board


def ready_lines(table: Table, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong: the game's own, and what is to be laid on the card reader."""
    if table.aside:
        return table.aside.lines(table, words)
    if table.deal:
        return deal_lines(table.deal, words)
    lines = table.setup.table.screen(table, words)
    if table.drawing and not table.drawn_by_key:
        return [*lines[:-1], Line(words("card on the reader"), align="center", inverted=True)]
    return lines
