"""Recognises a token that was pushed on after it had come to rest.

Pushed slowly over the board a token rests on its way, and the action it shows there is done. When
it goes on without a hand on any other token, the place where it rests next is what was meant: the
action is replaced, as long as it is fresh, nobody had chosen it by key, and it can only be one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from underboard.engine.base.errors import GameError
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import Space, Spaces
from underboard.engine.gamekit.table import Change

if TYPE_CHECKING:
    from underboard.engine.referee.state import TableState

FRESH_MS = 3_000
"""Later than this a token that moves is moved by somebody who should not."""


def slid_to(table: TableState, seen_empty: Spaces, now: int) -> Action | None:
    """The action that the last one should have been, by the settled board; None if it is right, or not a push that went on.

    Spaces that have been *seen_empty* on a settled board were left by a token that was lifted, not pushed.
    """
    space = went_on_to(table, seen_empty) if is_fresh(table, now) else None
    if space is None:
        return None
    try:
        before = table.session.undo()
    except GameError:
        return None
    changes = table.setup.table.changes(before.state)
    last = changes.get(table.session.now.action or "")
    if last is None or not is_one_token(last):
        return None
    site = table.setup.table.site(space)
    fitting = [action for action, change in changes.items() if is_one_token(change) and change.puts == (site,)]
    return fitting[0] if len(fitting) == 1 else None


def is_fresh(table: TableState, now: int) -> bool:
    """Whether the last action was read from the board just now, and nothing has been wrong or asked since."""
    if table.recognised_at is None or now - table.recognised_at > FRESH_MS:
        return False
    undisturbed = table.settled and table.wrong_since is None and not table.ambiguous
    return undisturbed and not (table.chosen or table.matches or table.own_doing)


def went_on_to(table: TableState, seen_empty: Spaces) -> Space | None:
    """The space on which the last action's token stands now, if that is all that has changed since before it."""
    if table.layout.before is None:
        return None
    before, sensed = table.layout.before.spaces, table.board.sensed
    here, there = table.layout.spaces - before, sensed - before
    if (
        len(here) == len(there) == 1
        and not here & (there | seen_empty)
        and sensed == before | there
        and table.layout.spaces == before | here
    ):
        return next(iter(there))
    return None


def is_one_token(change: Change) -> bool:
    """Whether a change puts one token down and does nothing else."""
    return len(change.puts) == 1 and not change.clears and not change.lift_first
