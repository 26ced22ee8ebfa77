"""The curtain before a hand on the panel, and the rest that keys take when somebody else is asked.

Where the engine knows the hands, the panel shows them to nobody but the mover, who says so with OK. The hand is covered again by
an action, by BACK, when another seat is to move, and when no key is touched for LOOK_MS. What everybody may know stays in sight.

A key takes effect only on what its player can have seen. When the mover or the question has changed, keys that went down
before, or within REST_MS after, are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from underboard.engine.referee.events import Chosen, Did, Effect, Event, KeyPressed
from underboard.engine.referee.state import LOOK_MS, TableState

REST_MS = 300
"""Nobody reads a changed panel and answers it faster: a choice between two takes a practised hand 300 to 400 ms."""


def is_dropped(table: TableState, event: Event, now: int) -> bool:
    """Whether an event is a key, or a choice on a page, that its player pressed without seeing what is asked now."""
    if not isinstance(event, KeyPressed | Chosen):
        return False
    since = event.since if isinstance(event, KeyPressed) else None
    return (now if since is None else since) < table.keys_rest_until


def let_keys_rest(before: TableState, table: TableState, now: int) -> TableState:
    """Keys rest if another seat is to move, or the board has raised a question that was not there before."""
    asked = asks(table)
    return replace(table, keys_rest_until=now + REST_MS) if asked and asked != asks(before) else table


def asks(table: TableState) -> tuple[object, ...]:
    """Who is asked and what the board asks about; the menu, the deal and the steps of one player are no new question."""
    if not table.playing:
        return ()
    return table.setup.game.to_move(table.state), table.matches


def cover(before: TableState, table: TableState, event: Event, effects: Sequence[Effect], now: int) -> TableState:
    """The curtain after an event: a hand that was shown before may have to be covered."""
    if not table.uncovered:
        return table
    acted = any(isinstance(effect, Did) for effect in effects)
    if acted or not table.keeps_secret or asks(table)[:1] != asks(before)[:1]:
        return replace(table, uncovered=False)
    if isinstance(event, KeyPressed):
        return replace(table, looked_at=now)
    return put_away(table) if now >= table.looked_at + LOOK_MS else table


def put_away(table: TableState) -> TableState:
    """The hand is covered; what was only looked at is forgotten, an action that waits for its token is not."""
    return replace(table, uncovered=False, answers=(), drawing=None, notice=None, cursor=0, names=())
