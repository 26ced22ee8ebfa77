"""Virus Wars: what a game consists of. The numbers in brackets are those of docs/rules/virus_wars.md.

Pieces are sets of cells. `reach` and `targets` follow from the rest; they are kept because within a turn they only grow.
"""

from __future__ import annotations

from typing import NamedTuple

from underboard.engine.gamekit.game import Seat
from underboard.engine.games.virus_wars.board import Board, Cells

GAME_ID = "virus_wars"
SEATS: tuple[Seat, Seat] = ("blue", "red")
STEPS = 5  # [3]
EDGES = ("seed", "mirrored")  # [6]
VIRUS = "BR"
ZOMBIE = "br"
EMPTY = "."

Pair = tuple[Cells, Cells]
"""Sets of cells of both seats."""


class State(NamedTuple):
    """Everything there is to know of a game. Seats are indexes into SEATS."""

    board: Board
    mirrored: bool
    mover: int
    step: int
    viruses: Pair
    zombies: Pair
    opened: tuple[bool, bool]
    reach: Cells  # the mover's viruses, the zombies linked to them and whatever touches one of these [5]
    targets: Cells  # where the mover may step; none: he has lost [7]


def begin(board: Board, mirrored: bool, mover: int, step: int, viruses: Pair, zombies: Pair, opened: tuple[bool, bool]) -> State:
    """A state of which only the pieces are known: the flood starts from all viruses of the mover. [5, 6]"""
    reach = board.flood(0, board.spread(viruses[mover]), zombies[mover])
    if opened[mover]:
        targets = reach & ~(viruses[mover] | zombies[0] | zombies[1])
    else:
        targets = first_edge(board, mirrored, mover) & ~(viruses[0] | viruses[1] | zombies[0] | zombies[1])
    return State(board, mirrored, mover, step, viruses, zombies, opened, reach, targets)


def first_edge(board: Board, mirrored: bool, seat: int) -> Cells:
    """The column where a seat's first virus goes: blue's is the right one, unless the edges are mirrored. [6]"""
    return board.left if mirrored != (seat == 1) else board.right


def with_cell(pair: Pair, seat: int, cell: Cells) -> Pair:
    """Both sets with a cell put into one of them."""
    return (pair[0], pair[1] | cell) if seat else (pair[0] | cell, pair[1])


def without_cell(pair: Pair, seat: int, cell: Cells) -> Pair:
    """Both sets with a cell taken out of one of them."""
    return (pair[0], pair[1] & ~cell) if seat else (pair[0] & ~cell, pair[1])
