"""Virus Wars on the page: viruses and zombies beside the board, and what happened in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.gamekit.overlay import Site
from underboard.engine.gamekit.presentation import Piece, Presentation
from underboard.engine.games.virus_wars.screen import SEAT_NAMES, absorbs
from underboard.engine.games.virus_wars.state import SEATS, State

ZOMBIE = "zombie"
NAMES = [(seat, kind, f"{seat} {kind}".rstrip()) for seat in SEATS for kind in ("", ZOMBIE)]
"""Seat, kind and name of each kind of piece; there are as many of them as anybody wants. [1]"""


class VirusWarsPresentation(Presentation):
    """Two kinds of token a seat."""

    def pieces(self, state: State) -> Sequence[Piece]:
        return [Piece(name, seat, kind) for seat, kind, name in NAMES]

    def standing(self, state: State) -> Mapping[Site, Sequence[str]]:
        groups = (cells for seat in (0, 1) for cells in (state.viruses[seat], state.zombies[seat]))
        return {cell: [name] for (_, _, name), cells in zip(NAMES, groups, strict=True) for cell in state.board.names(cells)}

    def help(self, words: Words) -> str:
        return words("Put a virus on an accessible cell, or lift an enemy virus, put a zombie there and confirm it with OK.")

    def kind(self, state: State, action: Action) -> str:
        return ZOMBIE if absorbs(state, action) else ""

    def action_text(self, before: State, action: Action, words: Words) -> str:
        text = N_("{seat}: zombie on {cell}") if absorbs(before, action) else N_("{seat}: virus on {cell}")
        return words(text, seat=SEAT_NAMES.at(before.mover, words), cell=action)

    def announcement_text(self, said: Announcement, after: State, words: Words) -> str:
        """Who has won, and why. [7]"""
        if said["say"] != "win":
            return ""
        winner, loser = SEAT_NAMES.at(1 - after.mover, words), SEAT_NAMES.at(after.mover, words)
        return words("{seat} wins: {loser} has no step left", seat=winner, loser=loser)
