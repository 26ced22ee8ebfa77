"""What a game says about itself to the laptop's page: the pieces beside the board, and what happened in words.

Nothing here matters to the referee. A game without such a page gets a plain one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Action, Announcement, Game, Seat
from underboard.engine.gamekit.overlay import Site


@dataclass(frozen=True, slots=True)
class Piece:
    """A sort of token: its name for programs, whose it is, its kind if there are several ("giant", "zombie").

    `left` is how many lie beside the board, None if there is any number of them. The page draws the kinds and calls them
    by its labels.
    """

    name: str
    seat: Seat
    kind: str = ""
    left: int | None = None


class Presentation(Protocol):
    """What a game says about itself to the page. Pages of games derive from it."""

    def pieces(self, state: Any) -> Sequence[Piece]:
        """All kinds of tokens, in the order in which they lie beside the board."""

    def standing(self, state: Any) -> Mapping[Site, Sequence[str]]:
        """The names of the pieces that stand on each site."""

    def printed(self, state: Any) -> Mapping[Site, str]:
        """What is printed on the board where that is more than a site's name."""
        return {}

    def side(self, state: Any, seat: Seat) -> str:
        """Whose tokens a seat puts down: its own, or those of its team."""
        return seat

    def called(self, state: Any, name: str, words: Words) -> str:
        """A seat or a team as players call it."""
        return words(name.upper())

    def card(self, name: str, words: Words) -> str:
        """A card in a hand as players call it."""
        return name

    def help(self, words: Words) -> str:
        """How to make a move, in one sentence."""
        return words("Choose with ◀ ▶ OK, then put a token where the display says.")

    def kind(self, state: Any, action: Action) -> str:
        """The kind of token that a legal action puts down."""
        return ""

    def tell(self, before: Any, after: Any, action: Action, said: Sequence[Announcement], words: Words) -> Sequence[str]:
        """An action and what was announced, as sentences that give away nothing hidden."""


class PlainPresentation(Presentation):
    """A page for any game: one kind of token a seat, actions as they are spelled."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def pieces(self, state: Any) -> Sequence[Piece]:
        return [Piece(seat, seat) for seat in self._game.seats(state)]

    def standing(self, state: Any) -> Mapping[Site, Sequence[str]]:
        return {}

    def tell(self, before: Any, after: Any, action: Action, said: Sequence[Announcement], words: Words) -> Sequence[str]:
        return [f"{words(self._game.to_move(before).upper())}: {action}"]
