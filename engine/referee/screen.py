"""What the panel shows: the game's own screen, or the alert that comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.panel import WIDTHS, Line, listed
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.gamekit.settings import PHONES
from underboard.engine.referee.dealing import deal_lines
from underboard.engine.referee.find_alerts import find_alert, find_public_alert
from underboard.engine.referee.state import TableMenu, TableState


def screen(table: TableState, words: Words) -> Sequence[Line]:
    """The lines of the panel, at most 64 pixels high."""
    alert = find_public_alert(table) if table.covered else find_alert(table)
    if alert is None:
        return ready_lines(table, words)
    if not alert.texts.plays_on and (table.open_menu is None or waits_for_board(table.open_menu)):
        by_ok = table.covered or table.selected == "undo"  # a card may be chosen, or the cursor elsewhere
        taken_back = table.restored if by_ok else 0
        return alert.lines(words, taken_back)
    *lines, last = ready_lines(table, words)
    title = f"! {words(alert.texts.title)}"
    text = f"{title} {listed(alert.wrong, WIDTHS['small'] - len(title) - 1)}".rstrip()
    return [*lines, replace(last, text=text, size="small", align="left", inverted=False)]


def waits_for_board(menu: TableMenu) -> bool:
    """Whether only the board is in the way of the game: then the panel says what is wrong with it."""
    return menu.before_game and menu.checks_board


def covered_lines(table: TableState, words: Words) -> Sequence[Line]:
    """The panel before the curtain: what everybody may know, and where the hand is."""
    if table.setup.hands == PHONES:
        where = words("see {seat}'s phone", seat=seat_text(table, words))
    else:
        where = words("what was it? OK") if table.asked else words("only you look: OK")
    return [*table.setup.table.public_screen(table, words), Line(where, align="center", inverted=True)]


def seat_text(table: TableState, words: Words) -> str:
    """The seat to move as players call it."""
    return find_presentation(table.setup.game.id).called(table.state, table.setup.game.to_move(table.state), words)


def ready_lines(table: TableState, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong: the game's own, and what is to be laid on the card reader."""
    if table.open_menu:
        return table.open_menu.lines(table, words)
    if table.deal:
        return deal_lines(table, words)
    if table.covered:
        return covered_lines(table, words)
    lines = table.setup.table.screen(table, words)
    if table.drawing and not table.drawn_by_key:
        return [*lines[:-1], Line(words("card on the reader"), align="center", inverted=True)]
    return lines
