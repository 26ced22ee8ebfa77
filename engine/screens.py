"""What the panel shows: the game's own screen, or the alert that comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.alerts import shortened
from engine.referee import Table
from engine.table import Line
from engine.words import Words

IN_PASSING = ("faulty_cell", "board_absent", "oled_absent")
"""Alerts with which one plays on: they take the last line only."""


def screen(table: Table, words: Words) -> Sequence[Line]:
    """The lines of the panel, at most 64 pixels high."""
    alert = table.alert
    if alert is None:
        return table.setup.table.screen(table, words)
    if alert.code not in IN_PASSING:
        return alert.lines(words, table.restored)
    *lines, last = table.setup.table.screen(table, words)
    text = " ".join(["!", words(alert.title), *alert.wrong])
    return [*lines, replace(last, text=shortened(text, 21), size="small", align="left", inverted=False)]
