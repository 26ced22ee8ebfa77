"""Makaó: what a referee may set by hand: whose turn it is. What is demanded stays, and so do the cards."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.gamekit.game import Record
from underboard.engine.games.makao.state import DRAWN, PENALTY, PLAY, SEATS, State


def names(state: State) -> Sequence[str]:
    """Every correction, as the words that lead to it."""
    if state.phase not in (PLAY, PENALTY, DRAWN):
        return ()
    return [f"turn {seat}" for number, seat in enumerate(SEATS[: state.setup.players]) if number != state.mover]


def overridden(record: Record, name: str) -> Record:
    """The record after a correction."""
    return {**record, "phase": PLAY, "to_move": name.split()[1], "drawn": None}
