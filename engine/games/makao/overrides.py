"""Makaó: what a referee may set by hand."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.gamekit.game import Record
from underboard.engine.gamekit.table import Change, Overrides
from underboard.engine.games.makao.state import DRAWN, PENALTY, PLAY, SEATS, State


class MakaoOverrides(Overrides):
    """Whose turn it is. What is demanded stays, and so do the cards."""

    def names(self, state: State) -> Sequence[str]:
        if state.phase not in (PLAY, PENALTY, DRAWN):
            return ()
        return [f"turn {seat}" for number, seat in enumerate(SEATS[: state.setup.players]) if number != state.mover]

    def apply(self, record: Record, name: str) -> tuple[Record, Change]:
        return {**record, "phase": PLAY, "to_move": name.split()[1], "drawn": None}, Change()
