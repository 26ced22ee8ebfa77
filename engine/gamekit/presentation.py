"""How a game is shown on the page: the pieces beside the board, and what happened in words.

Nothing here matters to the referee. A game that declares no presentation gets a plain one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Action, Announcement, Game, Record, Seat
from underboard.engine.gamekit.overlay import Site
from underboard.engine.gamekit.settings import HIDDEN


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
    """How one game is shown on the page. Presentations of games derive from it; the methods with a body suit most of them."""

    def pieces(self, state: Any) -> Sequence[Piece]:
        """All kinds of tokens, in the order in which they lie beside the board; none in a game of cards alone."""
        return ()

    def standing(self, state: Any) -> Mapping[Site, Sequence[str]]:
        """The names of the pieces that stand on each site."""
        return {}

    def printed(self, state: Any) -> Mapping[Site, str]:
        """What is printed on the board where that is more than a site's name."""
        return {}

    def side(self, state: Any, seat: Seat) -> str:
        """Whose tokens a seat puts down: its own, or those of its team."""
        return seat

    def called(self, state: Any, name: str, words: Words) -> str:
        """A seat or a team as players call it."""
        return words(name.upper())

    def fans(self, view: Record) -> Mapping[Seat, Sequence[str | None]]:
        """Each seat's cards in the order in which they are held, as far as a `view` of the rules knows them; None is the back of one.

        {} in a game without cards. Own decks, of which only the numbers are known, are no fans.
        A card in square brackets lies face up in its fan, one with a star behind it is lit; what `figures` names is no card.
        """
        if view.get("cards") == HIDDEN:
            return dict.fromkeys(view.get("hands", {}), ())
        return {seat: backs(hand) if isinstance(hand, int) else self.sorted_hand(hand) for seat, hand in view.get("hands", {}).items()}

    def sorted_hand(self, hand: Sequence[str]) -> Sequence[str]:
        """The cards of a hand in a view as a player holds them."""
        return [str(card) for card in hand]

    def figures(self, words: Words) -> Mapping[str, str]:
        """What stands between the cards of a fan, and what it is called."""
        return {}

    def facts(self, state: Any, words: Words) -> Sequence[str]:
        """What lies open on the table beside hands and tokens, as short texts: nothing but what `public_view` shows."""
        return ()

    def card(self, name: str, words: Words) -> str:
        """A card in a hand as players call it."""
        return name

    def help(self, words: Words) -> str:
        """How to make a move, in one sentence."""
        return words("Choose with ◀ ▶ OK, then put a token where the display says.")

    def kind(self, state: Any, action: Action) -> str:
        """The kind of token that a legal action puts down."""
        return ""

    def describe(self, before: Any, after: Any, action: Action, said: Sequence[Announcement], words: Words) -> Sequence[str]:
        """An action and what was announced, as sentences that give away nothing hidden."""
        announced = (self.announcement_text(each, after, words) for each in said)
        return [self.action_text(before, action, words), *filter(None, announced)]

    def action_text(self, before: Any, action: Action, words: Words) -> str:
        """Who did what, as a sentence; which card was drawn is not said."""

    def announcement_text(self, said: Announcement, after: Any, words: Words) -> str:
        """One thing that was announced, as a sentence; "" for what needs none. A seat that wins needs nothing of a game's own."""
        return words("{seat} wins", seat=self.called(after, said["seat"], words)) if said["say"] == "win" else ""


def backs(count: int) -> Sequence[None]:
    """So many cards face down."""
    return [None] * count


class PlainPresentation(Presentation):
    """For any game: one kind of token a seat, actions as they are spelled."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def pieces(self, state: Any) -> Sequence[Piece]:
        return [Piece(seat, seat) for seat in self._game.seats(state)]

    def action_text(self, before: Any, action: Action, words: Words) -> str:
        return f"{words(self._game.to_move(before).upper())}: {action}"

    def announcement_text(self, said: Announcement, after: Any, words: Words) -> str:
        return ""
