"""What the board shows to be done, if it can be only one thing."""

from __future__ import annotations

from dataclasses import replace

from engine.board import NO_SPACES
from engine.deeds import perform
from engine.events import Did, Effect
from engine.game import Action
from engine.tabletop import Layout, Step, Table


def recognise(table: Table) -> Step:
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


def correct(table: Table, action: Action) -> Step:
    """Does an action in place of the last one, whose token has gone on."""
    before = table.layout.before or Layout(NO_SPACES)
    seen = table.board.sensed
    taken_back = replace(table, session=table.session.undo(), layout=before)
    table, done = perform(taken_back, action, seen)
    return table, [Did("undo", "undo", before.spaces), *done]
