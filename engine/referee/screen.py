"""What the panel shows: the game's own screen, or the alert that comes first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.panel import WIDTHS, Line, listed, shortened
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.gamekit.settings import PHONES
from underboard.engine.referee.alert import Alert
from underboard.engine.referee.dealing import deal_lines
from underboard.engine.referee.find_alerts import find_alert, find_public_alert
from underboard.engine.referee.state import TableMenu, TableState


def screen(table: TableState, words: Words) -> Sequence[Line]:
    """The lines of the panel, at most 64 pixels high."""
    return public_screen(table, words) if table.covered else mover_screen(table, words)


def mover_screen(table: TableState, words: Words) -> Sequence[Line]:
    """The panel as the seat to move sees it, wherever it looks at its hand."""
    taken_back = table.restored if table.selected == "undo" else 0  # a card may be chosen, or the cursor elsewhere
    return with_alert(table, find_alert(table), taken_back, partial(ready_lines, table, words), words)


def public_screen(table: TableState, words: Words) -> Sequence[Line]:
    """The panel as everybody may see it, also while the mover looks at a hand there."""
    if not table.keeps_secret or table.open_menu:
        return [replace(line, code=()) for line in mover_screen(table, words)]  # a code is for whoever stands at the box
    return with_alert(table, find_public_alert(table), table.restored, partial(covered_lines, table, words), words)


def with_alert(
    table: TableState, alert: Alert | None, taken_back: int, ready: Callable[[], Sequence[Line]], words: Words
) -> Sequence[Line]:
    """What is wrong, if something is, or `ready` lines; `taken_back` is how many actions OK would take back."""
    if alert is None:
        return ready()
    if not alert.texts.plays_on and (table.open_menu is None or waits_for_board(table.open_menu)):
        return alert.lines(words, taken_back)
    *lines, last = ready()
    title = f"! {words(alert.texts.title)}"
    text = f"{title} {listed(alert.wrong, WIDTHS['small'] - len(title) - 1)}".rstrip()
    return [*lines, replace(last, text=text, size="small", align="left", inverted=False)]


def waits_for_board(menu: TableMenu) -> bool:
    """Whether only the board is in the way of the game: then the panel says what is wrong with it."""
    return menu.before_game and menu.checks_board


def covered_lines(table: TableState, words: Words) -> Sequence[Line]:
    """The panel before the curtain: what everybody may know, and where the hand is."""
    if table.drawing and not table.drawn_by_key:
        where = words("card on the reader")
    elif table.restored and not table.matches:
        where = words("take back: OK") if table.hand_mode == PHONES else words("back: OK, look: ▶")
    elif table.hand_mode == PHONES:
        where = words("see {seat}'s phone", seat=seat_text(table, words))
    else:
        where = words("what was it? OK") if table.asked else words("only you look: OK")
    return [*table.setup.table.public_screen(table, words), Line(shortened(where, WIDTHS["small"]), align="center", inverted=True)]


def seat_text(table: TableState, words: Words) -> str:
    """The seat to move as players call it."""
    return find_presentation(table.setup.game.id).called(table.state, table.setup.game.to_move(table.state), words)


def ready_lines(table: TableState, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong: the game's own, and what is to be laid on the card reader."""
    if table.open_menu:
        return table.open_menu.lines(table, words)
    if table.deal:
        return deal_lines(table, words)
    lines = table.setup.table.screen(table, words)
    if table.drawing and not table.drawn_by_key:
        return [*lines[:-1], Line(words("card on the reader"), align="center", inverted=True)]
    return lines
