"""Makaó on the page: cards by their names, and what happened in sentences that give no hand away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from underboard.engine.base.errors import Plural
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.gamekit.presentation import Presentation
from underboard.engine.games.makao.captions import SEAT_NAMES, card_text, demand_text, top_text, value_text, waiting_names
from underboard.engine.games.makao.deal import is_special
from underboard.engine.games.makao.menu import by_suit
from underboard.engine.games.makao.moves import MOVES
from underboard.engine.games.makao.screen import stock_size
from underboard.engine.games.makao.state import CARDS, SEATS, State


class MakaoPresentation(Presentation):
    """No tokens at all."""

    def called(self, state: State, name: str, words: Words) -> str:
        return SEAT_NAMES.of(name, words) if name in SEATS else super().called(state, name, words)

    def facts(self, state: State, words: Words) -> Sequence[str]:
        waiting = waiting_names(state, words)
        texts = [demand_text(state, words), laid_text(state, words), words("{seats} can win", seats=waiting) if waiting else ""]
        return [*filter(None, texts), words("stock {count}", count=stock_size(state))]

    def sorted_hand(self, hand: Sequence[str]) -> Sequence[str]:
        return sorted(hand, key=lambda card: by_suit(CARDS[card]))

    def card(self, name: str, words: Words) -> str:
        return card_text(name, words)

    def help(self, words: Words) -> str:
        return words("Click a card, or choose with ◀ ▶ OK. Cards you cannot lay now are grey.")

    def action_text(self, before: State, action: Action, words: Words) -> str:
        verb, *rest = action.split()
        seat = SEAT_NAMES.at(before.mover, words)
        if verb == "play":
            cards = ", ".join(card_text(card, words) for card in rest[0].split("+"))
            ask = MOVES[action].ask
            if ask is None:
                return words("{seat} lays {cards}", seat=seat, cards=cards)
            return words("{seat} lays {cards} and asks for {what}", seat=seat, cards=cards, what=value_text(ask, words))
        if verb == "flip":
            text = N_("turned up: {card}, which goes to {seat}") if is_special(CARDS[rest[0]]) else N_("turned up: {card}")
            return words(text, card=card_text(rest[0], words), seat=seat)
        return words(ACTIONS["draw none" if action == "draw none" else verb], seat=seat)

    def announcement_text(self, said: Announcement, after: State, words: Words) -> str:
        text = ANNOUNCED.get(said["say"])
        return text(said, words) if text else super().announcement_text(said, after, words)


def laid_text(state: State, words: Words) -> str:
    """How many cards lie on the pile, and which is its top; "" before one is turned up."""
    top = top_text(state, words)
    return words("laid {count}, on top {card}", count=state.pile.bit_count() + 1, card=top) if top else ""


ACTIONS = {
    "draw": N_("{seat} draws a card"),
    "draw none": N_("{seat} finds no card to draw"),
    "skip": N_("{seat} is skipped"),
    "keep": N_("{seat} keeps the card drawn"),
    "redeal": N_("no card was left to turn up: dealt again"),
}


def penalty_text(said: Announcement, words: Words) -> str:
    """A 7 was laid. [7]"""
    text = Plural("the next player lays a VII or draws {count} card", "the next player lays a VII or draws {count} cards")
    return words(text, count=said["count"])


def skip_text(said: Announcement, words: Words) -> str:
    """Aces were laid. [8]"""
    text = Plural("the next player lays an ace or is skipped", "the next {count} players lay an ace or are skipped")
    return words(text, count=said["count"])


def ask_over_text(said: Announcement, words: Words) -> str:
    """A request has ended or been cancelled. [9, 11]"""
    return words("the request is over")


def reshuffle_text(said: Announcement, words: Words) -> str:
    """The pile becomes the stock. [15]"""
    return words("all cards under the top one are shuffled into a new stock")


def empty_text(said: Announcement, words: Words) -> str:
    """Somebody has laid the last card. [13]"""
    return words("{seat} has no card left and waits for the next turn", seat=SEAT_NAMES.of(said["seat"], words))


ANNOUNCED: Mapping[str, Callable[[Announcement, Words], str]] = {
    "penalty": penalty_text,
    "skip": skip_text,
    "ask_over": ask_over_text,
    "reshuffle": reshuffle_text,
    "empty": empty_text,
}
"""What a request is has been said with the card."""
