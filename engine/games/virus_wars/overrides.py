"""Virus Wars: what a referee may set by hand."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.base.coordinates import cell_name
from underboard.engine.gamekit.game import Record
from underboard.engine.gamekit.table import Change, Overrides
from underboard.engine.games.virus_wars.state import EMPTY, SEATS, STEPS, VIRUS, ZOMBIE, State

PIECES = {
    "none": EMPTY,
    **{f"{seat} virus": VIRUS[side] for side, seat in enumerate(SEATS)},
    **{f"{seat} zombie": ZOMBIE[side] for side, seat in enumerate(SEATS)},
}
"""What can stand on a cell."""


class VirusWarsOverrides(Overrides):
    """Whose turn it is, the step that is due, the pieces; a cell is named by its column and its row."""

    def names(self, state: State) -> Sequence[str]:
        if not state.targets:
            return ()
        cells = [f"{cell_name(x, 0)[0]} {y + 1}" for x in range(state.board.width) for y in range(state.board.height)]
        return [
            f"turn {SEATS[1 - state.mover]}",
            *(f"step {step}" for step in range(1, STEPS + 1) if step != state.step and state.opened[state.mover]),
            *(f"token {cell} {piece}" for cell in cells for piece in PIECES),
        ]

    def apply(self, record: Record, name: str) -> tuple[Record, Change]:
        match name.split(maxsplit=3):
            case ["turn", seat]:
                return {**record, "to_move": seat, "step": 1}, Change()
            case ["step", step]:
                return {**record, "step": int(step)}, Change()
            case [_, column, row, piece]:
                return with_piece(record, f"{column}{row}", PIECES[piece])
        raise ValueError(name)


def with_piece(record: Record, cell: str, letter: str) -> tuple[Record, Change]:
    """Another piece on a cell, or none."""
    x, y = ord(cell[0]) - ord("a"), int(cell[1:]) - 1
    row = record["rows"][y]
    rows = [*record["rows"][:y], row[:x] + letter + row[x + 1 :], *record["rows"][y + 1 :]]
    opened = {seat: done or letter in (VIRUS[side], ZOMBIE[side]) for side, (seat, done) in enumerate(record["opened"].items())}
    change = Change(clears=(cell,) * (row[x] != EMPTY), puts=(cell,) * (letter != EMPTY))
    return {**record, "rows": rows, "opened": opened}, change
