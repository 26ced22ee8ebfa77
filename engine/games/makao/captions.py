"""Makaó: seats, cards, choices and effects as players call them; ranks as they are printed on Hungarian cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.seats import SeatNames
from underboard.engine.gamekit.table import COMMON_CHOICES
from underboard.engine.games.makao.menu import SEVERAL
from underboard.engine.games.makao.moves import MOVES
from underboard.engine.games.makao.state import ASKS, CARDS, NAMES, PENALTY, SEATS, Penalty, Request, State

SEAT_NAMES = SeatNames(SEATS, (N_("P1"), N_("P2"), N_("P3"), N_("P4"), N_("P5")))
SUIT_NAMES = {"h": N_("hearts"), "l": N_("leaves"), "b": N_("bells"), "a": N_("acorns")}
SHORT_SUITS = {"h": N_("hea"), "l": N_("lea"), "b": N_("bel"), "a": N_("aco")}
RANK_NAMES = {
    "7": "VII",
    "8": "VIII",
    "9": "IX",
    "10": "X",
    "U": N_("under"),
    "O": N_("over"),
    "K": N_("king"),
    "A": N_("ace"),
}
FIXED = {
    **COMMON_CHOICES,
    "draw": N_("draw"),
    "draw none": N_("no card left"),
    "skip": N_("skip"),
    "keep": N_("keep it"),
    "flip": N_("turn up"),
    "redeal": N_("deal again"),
    SEVERAL: N_("several"),
}
"""Choices that are always called the same."""

EXPLANATIONS = {
    "VII": N_("2 cards each: the next one lays a VII or draws all."),
    "ace": N_("The next one lays an ace or is skipped; 2 aces: 2 players."),
    "IX": N_("May ask for a rank: for a round each lays it or draws."),
    "over": N_("May ask for a suit: for a round each lays it or draws."),
    N_("request"): N_("Until met, IX or over overrules it; VII, ace may end it."),
}
"""What each special does, and what can be done about a request, by its name. [7-11]"""

MenuLevel = Literal["card", "set", "ask"]
"""What the keys run through: cards, what is laid together with one, what is asked for."""


def value_text(value: str, words: Words) -> str:
    """A suit or a rank."""
    return words(SUIT_NAMES.get(value) or RANK_NAMES[value])


def card_text(name: str, words: Words) -> str:
    """A card: "hearts VIII"."""
    return f"{value_text(name[0], words)} {value_text(name[1:], words)}"


def cards_text(cards: str, words: Words) -> str:
    """One card, or several in the order in which they are laid: "hea+lea+bel VIII"."""
    first, *more = cards.split("+")
    if not more:
        return card_text(first, words)
    return f"{suits_text(cards, words)} {value_text(first[1:], words)}"


def suits_text(cards: str, words: Words) -> str:
    """The suits of several cards of a rank, the top one last."""
    return "+".join(words(SHORT_SUITS[card[0]]) for card in cards.split("+"))


def level_of(answers: Sequence[str], name: str) -> MenuLevel:
    """What a choice says after these answers."""
    asked, _, cards = answers[-1].partition(" ") if answers else ("", "", "")
    if asked == "cards":
        return "ask"
    if asked != "card":
        return "card"
    return "ask" if CARDS[cards] // 4 in ASKS and not name.startswith("cards") else "set"


def choice_text(name: str, answers: Sequence[str], words: Words) -> str:
    """A choice as a player says it."""
    if name in FIXED:
        return words(FIXED[name])
    verb, cards, *_ = name.split()
    if verb == "draw":
        return words("draw {count}", count=cards)
    if verb == "suit":
        return f"{value_text(cards, words)} …"
    level = level_of(answers, name)
    if level == "ask":
        ask = MOVES[name].ask
        return words("nothing") if ask is None else value_text(ask, words)
    if level == "card":
        return card_text(cards.split("+")[0], words)
    return suits_text(cards, words) if "+" in cards else words("alone")


def demand_text(state: State, words: Words) -> str:
    """What is demanded of the mover; "" if nothing is."""
    effect = state.effect
    if isinstance(effect, Penalty):
        must = state.phase == PENALTY or not state.hands[state.mover]
        return words(N_("draw {count}") if must else N_("VII or +{count}"), count=effect.cards)
    if isinstance(effect, Request):
        return words("lay: {what}", what=value_text(effect.value, words))
    return words("ace, skips {count}", count=effect.seats) if effect else ""


def counts_text(state: State, seats: Iterable[int], width: int, words: Words) -> str:
    """How many cards these seats hold, "!" at who waits to win: "P2:5 P3:0!", or with numbers for names where there is no room."""
    counts = {seat: hand_sizes(state)[seat] or "0!" for seat in seats}
    named = " ".join(f"{SEAT_NAMES.at(seat, words)}:{count}" for seat, count in counts.items())
    numbered = " ".join(f"{seat + 1}:{count}" for seat, count in counts.items())
    plain = ":".join(str(count) for count in counts.values())
    return next(text for text in (named, numbered, plain) if len(text) <= width)


def hand_sizes(state: State) -> list[int]:
    """How many cards each seat has."""
    return [hand if state.setup.hidden else hand.bit_count() for hand in state.hands]


def waiting_names(state: State, words: Words) -> Sequence[str]:
    """Who has an empty hand and waits for the turn to win; not who has the turn already. [13]"""
    return [SEAT_NAMES.at(seat, words) for seat, count in enumerate(hand_sizes(state)) if not count and seat != state.mover]


def top_text(state: State, words: Words) -> str:
    """The top card."""
    return "" if state.top is None else card_text(NAMES[state.top], words)
