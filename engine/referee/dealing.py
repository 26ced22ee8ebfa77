"""Cards on the reader: what a card means at a table, and a deal that is laid down card by card.

With `dealer=reader` players draw from a deck on the table. A card is laid face down on the reader before it goes into the
hand, so the game knows it and nobody sees it: what is said of a card here never tells which one it was.
"""

from __future__ import annotations

from underboard.engine.base.errors import Text
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.panel import Line, largest
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.alert import Alert
from underboard.engine.referee.state import TableState


def drawn(table: TableState, card: str) -> Action | None:
    """What it means that this card is drawn now: an action of the choice made or selected, or of the only one there is."""
    said = table.drawing or table.choice
    choices = [said] if said and said.dealt else dealt_choices(table)
    actions = [action for choice in choices if (action := table.setup.table.drawn(choice, card))]
    return actions[0] if len(actions) == 1 else None


def card_of(table: TableState, choice: Choice, action: Action) -> str | None:
    """The card that makes this action of a dealt choice."""
    cards = table.setup.game.deck(Options(dict(table.setup.options)))
    return next((card for card in cards if table.setup.table.drawn(choice, card) == action), None)


def dealt_choices(table: TableState) -> list[Choice]:
    """What can be drawn for now; whoever draws in the midst of other answers has changed his mind."""
    menus = (table.setup.table.menu(table.state, answers)[0] for answers in (table.answers, ()))
    return next(filter(None, ([choice for choice in choices if choice.dealt] for choices in menus)), [])


def unknown_card(tag: str) -> Alert:
    """A tag that is in no deck."""
    return Alert("unknown_card", reason=Text(N_("This card is not in the deck: tag {tag}."), {"tag": tag}))


def undrawable(table: TableState, card: str) -> Alert:
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


def can_be_left(table: TableState) -> bool:
    """Whether there is anything to go back to from a deal: its set-up, or a game that has ended."""
    return table.planned is not None or (table.deal is not None and table.deal.kind != "first")


def deal_lines(table: TableState, words: Words) -> list[Line]:
    """The panel while cards are dealt."""
    deal = table.deal
    if deal is None or deal.pile is None:
        return []
    pile, number = deal.pile
    if deal.cards:
        hint = words("BACK: one card less")
    else:
        hint = words("BACK: something else") if can_be_left(table) else words("Hold LEFT: menu")
    return [
        Line(words("LAY ON THE READER"), align="center", inverted=True),
        largest(f"{words(pile.label)} {number}/{pile.size}"),
        Line(hint, align="center"),
    ]
