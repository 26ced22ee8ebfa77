"""Sequence Numbers: what a referee may set by hand."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.gamekit.game import Record
from underboard.engine.gamekit.table import Change, Overrides
from underboard.engine.games.sequence_numbers.state import State

NONE = "none"


class SequenceNumbersOverrides(Overrides):
    """Whose turn it is, and the chips; a space is named by its column and its row."""

    def names(self, state: State) -> Sequence[str]:
        if state.phase == "over":
            return ()
        setup = state.setup
        turns = [f"turn {seat}" for number, seat in enumerate(setup.seats) if number != state.mover and state.phase != "discard"]
        cells = sorted(setup.layout.space, key=lambda cell: (cell[0], int(cell[1:])))
        return [*turns, *(f"token {cell[0]} {cell[1:]} {side}" for cell in cells for side in (*setup.side_names, NONE))]

    def apply(self, record: Record, name: str) -> tuple[Record, Change]:
        match name.split():
            case ["turn", seat]:
                return {**record, "phase": "main", "to_move": seat, "swapped": False, "owes": None, "passes": 0}, Change()
            case [_, column, row, side]:
                return with_chip(record, f"{column}{row}", side)
        raise ValueError(name)


def with_chip(record: Record, cell: str, side: str) -> tuple[Record, Change]:
    """A chip of that side on a space, or none."""
    chips = {**record["chips"], cell: side}
    change = Change(clears=(cell,) * (cell in record["chips"]), puts=(cell,) * (side != NONE))
    return {**record, "chips": {where: whose for where, whose in chips.items() if whose != NONE}}, change
