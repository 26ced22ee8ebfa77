"""The questions that are answered before a game, and the options that the answers make.

A game's table lists its questions (`GameTable.settings`); the panel and the page ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from underboard.engine.base.i18n import N_, Words

CARDS = "cards"
READER = "reader"
OPEN = "open"
HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Setting:
    """One question: the option of a new game that it settles, what players call it, its values, which is meant at first.

    `names` are what players call values that do not speak for themselves, `wording` says it where there are too many for names.
    Options "out.1" and "out.2" are parts of one list, "out=a,b".
    """

    option: str
    label: str
    values: tuple[str, ...]
    first: str
    names: Mapping[str, str] = field(default_factory=dict)
    wording: Callable[[str, Words], str] | None = None

    def called(self, value: str, words: Words) -> str:
        """A value as players call it."""
        if self.wording:
            return self.wording(value, words)
        return words(self.names[value]) if value in self.names else value


def numbers(option: str, label: str, values: Iterable[int], first: int) -> Setting:
    """A question that is answered by a number."""
    return Setting(option, label, tuple(map(str, values)), str(first))


CARD_MODE = Setting(
    CARDS,
    N_("cards"),
    (OPEN, READER, HIDDEN),
    OPEN,
    {OPEN: N_("dealt here"), READER: N_("tagged deck"), HIDDEN: N_("own deck")},
)
"""Where the cards come from: dealt by the engine, drawn from a deck and shown to the reader, or drawn and never shown."""

HANDS = "hands"
PHONES, PANEL, OPEN = "phones", "panel", "open"
HAND_MODES = (PANEL, PHONES, OPEN)


def hand_mode(seat_pages: bool) -> Setting:
    """Where players look at hands that the engine knows: behind a curtain on the panel, on a page of their own, or openly.

    Phones are offered, and meant at first, where seats have pages.
    """
    names = {PHONES: N_("on phones"), PANEL: N_("on the panel"), OPEN: N_("open to all")}
    values = tuple(mode for mode in names if seat_pages or mode != PHONES)
    return Setting(HANDS, N_("hands"), values, values[0], names)


SEAT_COUNT = N_("players")


def cards_word(hidden: bool) -> str:
    """What the option and the record call it that the cards are hidden, or not."""
    return HIDDEN if hidden else OPEN


def answered(settings: Iterable[Setting], given: Mapping[str, str]) -> dict[str, str]:
    """The answer to each question: the one given if it is a possible one, else the first."""
    return {each.option: given[each.option] if given.get(each.option) in each.values else each.first for each in settings}


class Settled(NamedTuple):
    """What answers come to: the options of the game, who deals, where hands are looked at."""

    options: dict[str, str]
    dealer: str
    hands: str


def with_hands(settings: Sequence[Setting], answers: Mapping[str, str], seat_pages: bool) -> Sequence[Setting]:
    """The questions of a game, and behind that for the cards where hands are looked at, unless nothing is known of them."""
    found: list[Setting] = []
    for setting in settings:
        found.append(setting)
        if setting.option == CARDS and answers.get(CARDS) != HIDDEN:
            found.append(hand_mode(seat_pages))
    return found


def settled(answers: Mapping[str, str]) -> Settled:
    """What answers make. Lists are put together from their parts."""
    options: dict[str, str] = {}
    for name, value in answers.items():
        option = name.partition(".")[0]
        options[option] = f"{options[option]},{value}" if option in options else value
    dealer = READER if options.get(CARDS) == READER else "engine"
    if CARDS in options:
        options[CARDS] = cards_word(options[CARDS] == HIDDEN)
    hands = options.pop(HANDS, PANEL)
    return Settled(options, dealer, hands)
