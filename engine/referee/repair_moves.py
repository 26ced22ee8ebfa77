"""The fewest moves that put a board right, one after the other.

A token that stands where none should is pushed to the nearest place that lacks one, so one move puts two places right. Only
when none stands wrong is another put on the board; what is left over in the end comes off in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.referee.alert import RepairMove

if TYPE_CHECKING:
    from underboard.engine.referee.state import TableState


def next_move(table: TableState, surplus: Sequence[Space], gone: Sequence[Space]) -> RepairMove:
    """The first of the fewest moves for tokens too many on `surplus` spaces and missing on `gone` ones, of which there are some."""
    left = max(len(surplus), len(gone))
    if not surplus:
        return RepairMove(None, gone[0], piece_on(table, gone[0]), left)
    cell = table.setup.overlay.cell

    def distance(pair: tuple[Space, Space]) -> tuple[int, tuple[Space, Space]]:
        (row, column), (other_row, other_column) = map(cell, pair)
        return abs(row - other_row) + abs(column - other_column), pair

    start, to = min(((one, other) for one in surplus for other in gone), key=distance)
    return RepairMove(start, to, piece_on(table, to), left)


def piece_on(table: TableState, space: Space) -> tuple[str, ...]:
    """Which piece belongs on a space, if it can be but one: whose it is and of what kind."""
    presentation, state = find_presentation(table.setup.game.id), table.state
    names = set(presentation.standing(state).get(table.setup.table.site(space), ()))
    found = [(piece.seat.upper(), *([piece.kind] if piece.kind else [])) for piece in presentation.pieces(state) if piece.name in names]
    return found[0] if len(found) == 1 else ()
