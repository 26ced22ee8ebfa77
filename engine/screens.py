"""What the panel shows: the game's own screen, or the alert that comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.alerts import shortened
from engine.dealing import deal_lines
from engine.table import WIDTHS, Line
from engine.tabletop import Table
from engine.words import Words

IN_PASSING = ("faulty_cell", "board_absent", "oled_absent", "reader_absent")
"""Alerts with which one plays on: they take the last line only."""


def screen(table: Table, words: Words) -> Sequence[Line]:
    """The lines of the panel, at most 64 pixels high."""
    alert = table.alert
    if alert is None:
        return ready_lines(table, words)
    if alert.code not in IN_PASSING:
        return alert.lines(words, table.restored)
    *lines, last = ready_lines(table, words)
    text = " ".join(["!", words(alert.title), *alert.wrong])
    return [*lines, replace(last, text=shortened(text, WIDTHS["small"]), size="small", align="left", inverted=False)]


def ready_lines(table: Table, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong: the game's own, and what is to be laid on the card reader."""
    if table.deal:
        return deal_lines(table.deal, words)
    lines = table.setup.table.screen(table, words)
    if table.drawing and not table.drawn_by_key:
        return [*lines[:-1], Line(words("card on the reader"), align="center", inverted=True)]
    return lines
