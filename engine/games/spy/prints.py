"""SPY on paper: the tracks of the spies, and the cards. [1, 2]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase, digits

from engine.game import Seat
from engine.games.spy.captions import named
from engine.games.spy.state import SEATS, State
from engine.printing.prints import INKS, Face, GamePrint
from engine.table import Site, Space
from engine.words import N_, Words

SPY_CARD = "spy"
KINDS = {"S": N_("SAFE"), "T": N_("TOP SECRET"), "B": N_("BOMB")}


class SpyPrint(GamePrint):
    """A card has its letter and the number by which a spy moves that faces it."""

    def caption(self, space: Space, words: Words) -> str:
        return named(space.rstrip(digits), words)

    def printed(self, state: State) -> Mapping[Site, str]:
        return {space: space.lstrip(ascii_lowercase) for space in self.owners(state)}

    def owners(self, state: State) -> Mapping[Space, Seat]:
        return {f"{seat}{gap}": seat for seat in state.setup.seats for gap in range(state.setup.arrangements.size)}

    def face(self, card: str, words: Words) -> Face:
        seat, code = card.split()
        if code == SPY_CARD:
            return Face("◀", "◀", ("SPY", named(seat, words)), INKS[seat])
        return Face(code, code[1], (words(KINDS[code[0]]), named(seat, words)), INKS[seat])

    def untagged(self) -> Sequence[str]:
        return [f"{seat} {SPY_CARD}" for seat in SEATS]
