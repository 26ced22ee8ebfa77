"""What is printed for a game: the texts on its board beside the names of the spaces, and the faces of its cards.

Nothing here matters to the referee. A game that declares no prints gets plain sheets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from underboard.engine.base.drawing.shapes import BLACK, Colour, Shape
from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.overlay import Site, Space

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
    turned_figure: Sequence[Shape] = ()
    """A drawing of SMALL_FIGURE mm in the lower left corner, upside down: what a card means that is held so."""


class GamePrint(Protocol):
    """What is printed for one game. Prints of games derive from it; the methods with a body suit most of them."""

    def caption(self, space: Space, words: Words) -> str:
        """What stands small on a space."""
        return space

    def printed(self, state: Any) -> Mapping[Site, str]:
        """What stands large on the board, in addition to what the game's presentation has there."""
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
    """For any game: names of spaces and cards as they are spelled."""
