"""Cards on the reader: what a card means at a table, and a deal that is laid down card by card.

With `dealer=reader` players draw from a deck on the table. A card is laid face down on the reader before it goes into the
hand, so the game knows it and nobody sees it: what is said of a card here never tells which one it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from engine.alerts import Alert
from engine.errors import Text
from engine.events import CardLaid
from engine.game import Action
from engine.options import Options
from engine.table import Choice, Line, Pile
from engine.words import N_, Words

if TYPE_CHECKING:
    from engine.tabletop import Setup, Table

Kind = Literal["first", "new", "next"]
"""What begins when a deal is complete: the first game of the evening, a new match, the next game of a match."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal on its way; `options` are those of the game that it is for, without the cards.

    `planned` is the table with the set-up that the deal came from, if it came from one.
    """

    kind: Kind
    options: Mapping[str, str]
    piles: Sequence[Pile]
    cards: tuple[CardLaid, ...] = ()
    planned: Table | None = None

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
        return {pile.option: ",".join(called(card, pile) for card in islice(cards, pile.size)) for pile in self.piles}

    @property
    def can_be_left(self) -> bool:
        """Whether there is anything to go back to: the set-up, or a game that has ended."""
        return self.planned is not None or self.kind != "first"

    def fits(self, laid: CardLaid) -> bool:
        """Whether the card can go into the pile that is dealt now."""
        cards = self.pile[0].cards if self.pile else None
        return cards is None or laid.card in cards

    def has(self, laid: CardLaid) -> bool:
        """Whether the very same card has been dealt."""
        return any(card.tag == laid.tag for card in self.cards)


def called(card: str, pile: Pile) -> str:
    """What the option of a pile calls a card."""
    return card if pile.cards is None else pile.cards[card]


def new_deal(setup: Setup, kind: Kind, options: Mapping[str, str], state: Any | None = None) -> Deal | None:
    """The deal that has to be laid down for a game; None if the cards are given, or not dealt by the reader."""
    piles = setup.table.piles(options, state) if setup.dealer == "reader" else ()
    names = {pile.option for pile in piles}
    if not piles or (kind != "new" and names & set(options)):
        return None
    return Deal(kind, {name: value for name, value in options.items() if name not in names}, piles)


def drawn(table: Table, card: str) -> Action | None:
    """What it means that this card is drawn now: an action of the choice made or selected, or of the only one there is."""
    said = table.drawing or table.choice
    choices = [said] if said and said.dealt else dealt_choices(table)
    actions = [action for choice in choices if (action := table.setup.table.drawn(choice, card))]
    return actions[0] if len(actions) == 1 else None


def card_of(table: Table, choice: Choice, action: Action) -> str | None:
    """The card that makes this action of a dealt choice."""
    cards = table.setup.game.deck(Options(dict(table.setup.options)))
    return next((card for card in cards if table.setup.table.drawn(choice, card) == action), None)


def dealt_choices(table: Table) -> list[Choice]:
    """What can be drawn for now; whoever draws in the midst of other answers has changed his mind."""
    menus = (table.setup.table.menu(table.state, answers)[0] for answers in (table.answers, ()))
    return next(filter(None, ([choice for choice in choices if choice.dealt] for choices in menus)), [])


def unknown_card(tag: str) -> Alert:
    """A tag that is in no deck."""
    return Alert("unknown_card", reason=Text(N_("This card is not in the deck: tag {tag}."), {"tag": tag}))


def undrawable(table: Table, card: str) -> Alert:
    """A card that cannot have been drawn."""
    if reason := table.setup.table.undrawable(table.state, card):
        return Alert("wrong_card", reason=reason)
    if dealt_choices(table):
        return wrong_card(N_("This card is not in the stock: take it back."))
    return wrong_card(N_("No card can be drawn now: take it back."))


def dealt_already() -> Alert:
    """A card that lies in another pile."""
    return wrong_card(N_("This card has been dealt already: lay another one."))


def misdealt() -> Alert:
    """A card that is not for the pile that is dealt now."""
    return wrong_card(N_("This card does not belong here: lay another one."))


def wrong_card(why: str) -> Alert:
    """A card of the deck that is out of place."""
    return Alert("wrong_card", reason=Text(why, {}))


def deal_lines(deal: Deal, words: Words) -> list[Line]:
    """The panel while cards are dealt."""
    if deal.pile is None:
        return []
    pile, number = deal.pile
    if deal.cards:
        hint = words("BACK: one card less")
    else:
        hint = words("BACK: something else") if deal.can_be_left else words("Hold LEFT: menu")
    return [
        Line(words("LAY ON THE READER"), align="center", inverted=True),
        Line(f"{words(pile.label)} {number}/{pile.size}", "large", "center"),
        Line(hint, align="center"),
    ]
