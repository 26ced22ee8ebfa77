"""A simulated deck for the card reader: made-up tags on every card, in an order that nobody knows.

It does not keep book of where each card has gone: the table knows that. The next card is the first, from where the last one
lay in the shuffled deck, that can come now; at its end the deck is shuffled again, as players do with their discards. So it
is right also for a game that goes on, and after an action taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from underboard.engine.app.tagged_deck import Card, Tag
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.setup import TableSetup
from underboard.engine.referee.dealing import drawn
from underboard.engine.referee.events import CardLaid
from underboard.engine.referee.state import TableState


def made_up_tags(cards: Iterable[Card], long: bool = False) -> dict[Card, list[Tag]]:
    """A tag for each physical card, by card; `long` ones are those of an NTAG, as a PN532 reads them."""
    tags: dict[Card, list[Tag]] = {}
    for number, card in enumerate(cards):
        digits = Random(f"{card}:{number}").randbytes(6).hex().upper()
        tags.setdefault(card, []).append(f"04{digits}" if long else f"04{digits[:8]}")
    return tags


class SimulatedDeck(Mapping[Tag, Card]):
    """The cards of the game that is on the table, by tag; `use` says which game that is."""

    def __init__(self, random: Random, long: bool = False) -> None:
        self._random = random
        self._long = long
        self._setup: TableSetup | None = None
        self._cards: dict[Tag, Card] = {}
        self._order: list[Tag] = []

    def __getitem__(self, tag: Tag) -> Card:
        return self._cards[tag]

    def __iter__(self) -> Iterator[Tag]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def use(self, setup: TableSetup) -> None:
        """Takes the deck of this game to hand, shuffled; the same game again changes nothing."""
        if setup is self._setup:
            return
        self._setup = setup
        tags = made_up_tags(setup.game.deck(Options(dict(setup.options))), self._long)
        self._cards = {tag: card for card, copies in tags.items() for tag in copies}
        self._shuffle()

    @property
    def faces(self) -> list[Card]:
        """Every card once, in the order of the game."""
        return list(dict.fromkeys(self._cards.values()))

    def next(self, table: TableState) -> Tag:
        """The card that comes now; if none can, the top one all the same: the table will say what is wrong about it."""
        for _ in range(2):
            for number, tag in enumerate(self._order):
                if can_come(table, CardLaid(self._cards[tag], tag)):
                    del self._order[number]
                    return tag
            self._shuffle()
        return self._order[0]

    def copy_of(self, card: Card) -> Tag:
        """A certain card; its copies take turns."""
        tag = next(tag for tag, other in self._cards.items() if other == card)
        self._cards[tag] = self._cards.pop(tag)
        return tag

    def _shuffle(self) -> None:
        self._order = list(self._cards)
        self._random.shuffle(self._order)


def can_come(table: TableState, laid: CardLaid) -> bool:
    """Whether the table takes this card now."""
    if table.deal:
        return table.deal.fits(laid) and not table.deal.has(laid)
    return laid.card is not None and drawn(table, laid.card) is not None
