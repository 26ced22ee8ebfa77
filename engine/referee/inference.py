"""Does the actions that the tokens on the board show."""

from __future__ import annotations

from dataclasses import replace

from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import NO_SPACES
from underboard.engine.referee.actions import perform
from underboard.engine.referee.events import Did, Effect
from underboard.engine.referee.state import Step, TableState, TokenLayout


def recognise(table: TableState) -> Step:
    """Does what the board shows to be done, if it can be only one thing.

    An awaited token on its own server needs no settled board: it cannot be anything else.
    """
    if table.seen_done and not table.rearranging:
        return perform(table, table.seen_done, table.board.sensed)
    if len(table.matches) == 1 and not table.undecided:
        return perform(table, table.matches[0], table.board.sensed)
    effects: list[Effect] = []
    for action, space in table.hurried:
        table, done = perform(table, action, table.layout.spaces | {space})
        effects += done
    return table, effects


def replace_last(table: TableState, action: Action) -> Step:
    """Does an action in place of the last one, whose token has gone on."""
    before = table.layout.before or TokenLayout(NO_SPACES)
    seen = table.board.sensed
    taken_back = replace(table, session=table.session.undo(), layout=before)
    table, done = perform(taken_back, action, seen)
    return table, [Did("undo", "undo", before.spaces), *done]
