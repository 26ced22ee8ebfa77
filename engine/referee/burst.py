"""Infers the actions from several tokens that were put down before the board came to rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.table import GameTable


def infer_burst(game_table: GameTable, session: Session[Any], spaces: Sequence[Space]) -> tuple[tuple[Action, Space], ...]:
    """What putting down tokens on `spaces` can only have been; () if it is not that clear.

    They count in this order, but one that is possible only after a later one waits for it: two hands can be that fast.
    """
    found: list[tuple[Action, Space]] = []
    left = list(spaces)
    while left:
        fitting = fitting_first(game_table, session.state, left)
        if len(fitting) != 1:
            return ()
        action, space = fitting[0]
        session, _ = session.do(action)
        found.append((action, space))
        left.remove(space)
    return tuple(found)


def fitting_first(game_table: GameTable, state: Any, spaces: Sequence[Space]) -> list[tuple[Action, Space]]:
    """What a token can be that has been put on the first of the spaces where it can be anything."""
    changes = [(action, change.puts) for action, change in game_table.changes(state).items() if not (change.clears or change.by_key)]
    by_space = ([(action, space) for action, puts in changes if puts == (game_table.site(space),)] for space in spaces)
    return next(filter(None, by_space), [])
