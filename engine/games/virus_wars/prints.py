"""Virus Wars on paper: the columns in which the first viruses go. [6]"""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Seat
from engine.games.virus_wars.state import SEATS, State, first_edge
from engine.printing.prints import GamePrint
from engine.table import Space


class VirusWarsPrint(GamePrint):
    """Each side's edge in its colour."""

    def owners(self, state: State) -> Mapping[Space, Seat]:
        return {
            cell: SEATS[seat] for seat in range(len(SEATS)) for cell in state.board.names(first_edge(state.board, state.mirrored, seat))
        }
