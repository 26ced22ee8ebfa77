"""Sequence Numbers: what the panel says of a choice: a title, and a few words about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.seats import SeatNames
from underboard.engine.gamekit.table import COMMON_CHOICES
from underboard.engine.games.sequence_numbers.boards import MINUS, PLUS, answer
from underboard.engine.games.sequence_numbers.layout import Card
from underboard.engine.games.sequence_numbers.state import SEATS, SIDES, SIGNS, State, free_spaces

BETWEEN = "  "
"""Stands between the cells of a list that is short enough for large type."""


class Caption(NamedTuple):
    """A title as short as a choice must be, and what more there is to say."""

    title: str
    detail: str = ""


def caption(state: State, name: str, words: Words) -> Caption:
    """What is said of a choice, or of an action that the table asks about."""
    verb, *rest = name.split()
    if name in FIXED:
        title, detail = FIXED[name]
        return Caption(words(title), words(detail) if detail else "")
    return CAPTIONS[verb](state, rest, words)


FIXED = {
    **{name: (label, "") for name, label in COMMON_CHOICES.items()},
    "play": (N_("chip"), N_("on the answer")),
    "draw": (N_("draw"), ""),
    "forget": (N_("not yet"), N_("draw later")),
    "pass": (N_("pass"), N_("no card fits")),
}

SIGN_TARGETS = {PLUS: N_("a free space"), MINUS: N_("lift a chip")}
"""What the cards without an equation ask for."""


def play_caption(state: State, rest: list[str], words: Words) -> Caption:
    """A card and where it can go, or a play with its space."""
    card, cell = card_and_cell(state, rest)
    if cell:
        return Caption(card_text(card), cell)
    return Caption(card_text(card), words(SIGN_TARGETS[card]) if card in SIGNS else BETWEEN.join(free_cells(state, card)))


def card_and_cell(state: State, rest: list[str]) -> tuple[Card, str]:
    """The card of a play and its space, "" where none is named; hidden, the space alone names an equation."""
    layout = state.setup.layout
    cell = rest[-1] if rest[-1] in layout.space else ""
    return (layout.hidden_card[layout.space[cell]] if rest == [cell] else rest[0]), cell


def free_cells(state: State, card: Card) -> list[str]:
    """The free spaces of an equation, in reading order."""
    layout = state.setup.layout
    return list(layout.names(layout.targets[card] & free_spaces(state)))


def card_text(card: Card) -> str:
    """A card with its answer: "4+4 = 8", hidden "8"."""
    value = answer(card)
    return card.removeprefix("=") if value is None else f"{card} = {value}"


def swap_caption(state: State, rest: list[str], words: Words) -> Caption:
    return Caption(words("swap {card}", card=rest[0].removeprefix("=")), words("dead card"))


def late_caption(state: State, rest: list[str], words: Words) -> Caption:
    return Caption(words("late draw"), "" if state.owes is None else player(state, state.owes, words))


def talk_caption(state: State, rest: list[str], words: Words) -> Caption:
    return Caption(SIDE_NAMES.of(rest[0], words), words("has talked"))


def discard_caption(state: State, rest: list[str], words: Words) -> Caption:
    """A card, or hidden a group of numbers, which is no equation."""
    return Caption(rest[0].removeprefix("=") if state.setup.hidden else card_text(rest[0]), words("discard a card"))


CAPTIONS: dict[str, Callable[[State, list[str], Words], Caption]] = {
    "play": play_caption,
    "swap": swap_caption,
    "late": late_caption,
    "talk": talk_caption,
    "discard": discard_caption,
}


SIDE_NAMES = SeatNames(SIDES, (N_("BLUE"), N_("GREEN"), N_("RED")))


def player(state: State, seat: int, words: Words) -> str:
    """A seat with the colour of its side."""
    return f"{SIDE_NAMES.at(state.setup.side(seat), words)} {SEAT_NAMES.at(seat, words)}"


SEAT_NAMES = SeatNames(SEATS, (N_("p1"), N_("p2"), N_("p3"), N_("p4"), N_("p5"), N_("p6")))
