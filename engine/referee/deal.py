"""A deal that is laid down on the card reader, card by card: which pile comes next, what may lie in it, when it is complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from underboard.engine.gamekit.setup import TableSetup
from underboard.engine.gamekit.table import Pile
from underboard.engine.referee.events import CardLaid

DealKind = Literal["first", "new", "next"]
"""What begins when a deal is complete: the first game of the evening, a new match, the next game of a match."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal on its way; `options` are those of the game that it is for, without the cards."""

    kind: DealKind
    options: Mapping[str, str]
    piles: Sequence[Pile]
    cards: tuple[CardLaid, ...] = ()

    @property
    def pile(self) -> tuple[Pile, int] | None:
        """The pile that the next card goes to and which card of it that is, from 1; None if the deal is complete."""
        before = 0
        for pile in self.piles:
            if len(self.cards) < before + pile.size:
                return pile, len(self.cards) - before + 1
            before += pile.size
        return None

    @property
    def dealt(self) -> dict[str, str]:
        """All piles as options."""
        cards = iter([laid.card or "" for laid in self.cards])
        return {pile.option: ",".join(option_name(card, pile) for card in islice(cards, pile.size)) for pile in self.piles}

    def fits(self, laid: CardLaid) -> bool:
        """Whether the card can go into the pile that is dealt now."""
        cards = self.pile[0].cards if self.pile else None
        return cards is None or laid.card in cards

    def has(self, laid: CardLaid) -> bool:
        """Whether the very same card has been dealt."""
        return any(card.tag == laid.tag for card in self.cards)


def option_name(card: str, pile: Pile) -> str:
    """What the option of a pile calls a card."""
    return card if pile.cards is None else pile.cards[card]


def new_deal(setup: TableSetup, kind: DealKind, options: Mapping[str, str], state: Any | None = None) -> Deal | None:
    """The deal that has to be laid down for a game; None if the cards are given, or not dealt by the reader."""
    piles = setup.table.piles(options, state) if setup.dealer == "reader" else ()
    names = {pile.option for pile in piles}
    if not piles or (kind != "new" and names & set(options)):
        return None
    return Deal(kind, {name: value for name, value in options.items() if name not in names}, piles)
