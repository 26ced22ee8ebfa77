"""Makaó on the laptop's page: cards by their names, and the game told in sentences that give no hand away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.gamekit.overlay import Site
from underboard.engine.gamekit.presentation import Piece, Presentation
from underboard.engine.games.makao.captions import card_text, named, seat_name, value_text
from underboard.engine.games.makao.deal import is_special
from underboard.engine.games.makao.moves import MOVES
from underboard.engine.games.makao.state import CARDS, SEATS, State


class MakaoPresentation(Presentation):
    """No tokens at all."""

    def pieces(self, state: State) -> Sequence[Piece]:
        return ()

    def standing(self, state: State) -> Mapping[Site, Sequence[str]]:
        return {}

    def called(self, state: State, name: str, words: Words) -> str:
        return named(name, words) if name in SEATS else super().called(state, name, words)

    def card(self, name: str, words: Words) -> str:
        return card_text(name, words)

    def help(self, words: Words) -> str:
        return words("Show your hand and click a card, or choose with ◀ ▶ OK. Cards you cannot lay now are grey.")

    def tell(self, before: State, after: State, action: Action, said: Sequence[Announcement], words: Words) -> Sequence[str]:
        announced = [ANNOUNCED[each["say"]](each, words) for each in said if each["say"] in ANNOUNCED]
        return [told_action(before, action, words), *announced]


def told_action(before: State, action: Action, words: Words) -> str:
    """Who did what; which card was drawn is not said."""
    verb, *rest = action.split()
    seat = seat_name(before.mover, words)
    if verb == "play":
        cards = ", ".join(card_text(card, words) for card in rest[0].split("+"))
        ask = MOVES[action].ask
        if ask is None:
            return words("{seat} lays {cards}", seat=seat, cards=cards)
        return words("{seat} lays {cards} and asks for {what}", seat=seat, cards=cards, what=value_text(ask, words))
    if verb == "flip":
        text = N_("turned up: {card}, which goes to {seat}") if is_special(CARDS[rest[0]]) else N_("turned up: {card}")
        return words(text, card=card_text(rest[0], words), seat=seat)
    return words(TOLD["draw none" if action == "draw none" else verb], seat=seat)


TOLD = {
    "draw": N_("{seat} draws a card"),
    "draw none": N_("{seat} finds no card to draw"),
    "skip": N_("{seat} is skipped"),
    "keep": N_("{seat} keeps the card drawn"),
    "redeal": N_("no card was left to turn up: dealt again"),
}


def told_penalty(said: Announcement, words: Words) -> str:
    """A 7 was laid. [7]"""
    return words("the next player lays a VII or draws {count}", count=said["count"])


def told_skip(said: Announcement, words: Words) -> str:
    """Aces were laid. [8]"""
    return words("players to lay an ace or be skipped: {count}", count=said["count"])


def told_ask_over(said: Announcement, words: Words) -> str:
    """A request has ended or been cancelled. [9, 11]"""
    return words("the request is over")


def told_reshuffle(said: Announcement, words: Words) -> str:
    """The pile becomes the stock. [15]"""
    return words("all cards under the top one are shuffled into a new stock")


def told_empty(said: Announcement, words: Words) -> str:
    """Somebody has laid the last card. [13]"""
    return words("{seat} has no card left and waits for the next turn", seat=named(said["seat"], words))


def told_win(said: Announcement, words: Words) -> str:
    """The turn came, and nothing was pending. [13]"""
    return words("{seat} wins", seat=named(said["seat"], words))


ANNOUNCED: Mapping[str, Callable[[Announcement, Words], str]] = {
    "penalty": told_penalty,
    "skip": told_skip,
    "ask_over": told_ask_over,
    "reshuffle": told_reshuffle,
    "empty": told_empty,
    "win": told_win,
}
"""What a request is has been said with the card."""
