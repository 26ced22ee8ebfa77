"""What a game says about what is printed for it: on the board beside the names of its spaces, and on its cards.

Nothing here matters to the referee. A game that says nothing gets plain sheets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from engine.drawing.shapes import BLACK, Colour, Shape
from engine.game import Seat
from engine.table import Site, Space
from engine.words import Words

INKS: Mapping[Seat, Colour] = {"red": "#b3261e", "yellow": "#8a6d00", "green": "#1b6e3c", "blue": "#1f4e9c"}
"""Dark enough to read."""
TINTS: Mapping[Seat, Colour] = {"red": "#f7d9d6", "yellow": "#fbeeb8", "green": "#d5ecdd", "blue": "#d7e3f7"}
"""Light enough to write on."""
FIGURE, SMALL_FIGURE = 20.0, 6.0
"""Width and height of the drawings on a card, in mm."""


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on a card: in two corners, large in the middle, and in small lines below that."""

    corner: str
    main: str
    lines: Sequence[str] = ()
    ink: Colour = BLACK
    figure: Sequence[Shape] = ()
    """A drawing of FIGURE mm in place of `main`."""
    small_figure: Sequence[Shape] = ()
    """A drawing of SMALL_FIGURE mm under the corner's text."""


class GamePrint(Protocol):
    """What a game says about its prints. Those of games derive from it."""

    def caption(self, space: Space, words: Words) -> str:
        """What stands small on a space."""
        return space

    def printed(self, state: Any) -> Mapping[Site, str]:
        """What stands large on the board, beside what the game's page on the laptop has there."""
        return {}

    def owners(self, state: Any) -> Mapping[Space, Seat]:
        """The spaces that are a side's, and get its colour."""
        return {}

    def face(self, card: str, words: Words) -> Face:
        """A card as the rules call it."""
        return Face(card, card)

    def untagged(self) -> Sequence[str]:
        """Cards that belong to the game and need no tag, since no reader asks about them."""
        return ()


class PlainPrint(GamePrint):
    """For games that say nothing."""


PRINTS = {
    "makao": "engine.games.makao.prints:MakaoPrint",
    "sequence_numbers": "engine.games.sequence_numbers.prints:SequenceNumbersPrint",
    "spy": "engine.games.spy.prints:SpyPrint",
    "virus_wars": "engine.games.virus_wars.prints:VirusWarsPrint",
}
"""Game id to `module:class`."""
TITLES = {
    "hack_trick": "Hack Trick",
    "makao": "Makaó",
    "sequence_numbers": "Sequence Numbers",
    "spy": "SPY",
    "virus_wars": "Virus Wars",
}
"""What the games are called, in every language."""


def find_print(game_id: str) -> GamePrint:
    """What a game says about its prints."""
    if game_id not in PRINTS:
        return PlainPrint()
    module, _, name = PRINTS[game_id].partition(":")
    found: GamePrint = getattr(import_module(module), name)()
    return found


def title_of(game_id: str) -> str:
    """What a game is called."""
    return TITLES.get(game_id, game_id)
