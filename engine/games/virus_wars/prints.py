"""Virus Wars on paper: the columns in which the first viruses go. [6]"""

from __future__ import annotations

from collections.abc import Mapping

from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.prints import GamePrint
from underboard.engine.games.virus_wars.state import SEATS, State, first_edge


class VirusWarsPrint(GamePrint):
    """Each side's edge in its colour."""

    def owners(self, state: State) -> Mapping[Space, Seat]:
        return {
            cell: SEATS[seat] for seat in range(len(SEATS)) for cell in state.board.names(first_edge(state.board, state.mirrored, seat))
        }
