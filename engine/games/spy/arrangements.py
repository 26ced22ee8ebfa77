"""SPY: what a base can be. The numbers in brackets are those of docs/rules/spy.md.

A set of arrangements is one integer with a bit for each arrangement. Every fact about a card that is made public is such
a set, too, so learning it is one AND, and something is possible exactly if the result is not empty. In an open game one
arrangement is left from the beginning; in a hidden game every arrangement that agrees with what was made public.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations

Card = str
Cards = tuple[Card, ...]
ArrangementSet = int

TARGETS: Cards = ("S1", "S2", "T1", "T2")  # in the order of exposure [8a]
BOMBS: Cards = ("B1", "B2")
NUMBERS = (1, 2)  # what is printed on cards [2]
ANSWERS = ("bomb", "lit", "safe", "secret", "target")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arrangements:
    """All arrangements of one composition, and the sets of those that agree with a fact about one place."""

    cards: Cards
    """The composition."""
    size: int
    """How many cards a base has; its places are counted from 0."""
    every: ArrangementSet
    each: tuple[Cards, ...]
    bit: Mapping[Cards, ArrangementSet]
    """The set of one arrangement alone."""
    holding: tuple[Mapping[Card, ArrangementSet], ...]
    """By place and card."""
    showing: tuple[Mapping[int, ArrangementSet], ...]
    """By place and movement number."""
    saying: tuple[tuple[Mapping[str, ArrangementSet], ...], ...]
    """By target (an index into TARGETS; their number if there is none), place and answer."""

    def one_of(self, some: ArrangementSet) -> Cards:
        """An arrangement out of a set that is not empty: of what all have in common, it shows the cards."""
        return self.each[some.bit_length() - 1]


@cache
def arrangements(players: int) -> Arrangements:
    """The arrangements in a game of so many players; Bomb 2 is for two players. [1, 2]"""
    composition = (*TARGETS, "B1", "B1", "B2") if players == 2 else (*TARGETS, "B1", "B1")
    each = tuple(sorted(set(permutations(composition))))
    places = range(len(composition))
    holding = [{card: members(each, place, [card]) for card in (*TARGETS, *BOMBS)} for place in places]
    return Arrangements(
        cards=composition,
        size=len(composition),
        every=(1 << len(each)) - 1,
        each=each,
        bit={cards: 1 << index for index, cards in enumerate(each)},
        holding=tuple(holding),
        showing=tuple({number: union(sets, numbered(number)) for number in NUMBERS} for sets in holding),
        saying=tuple(
            tuple({answer: union(sets, cards) for answer, cards in meanings(target).items()} for sets in holding)
            for target in range(len(TARGETS) + 1)
        ),
    )


def members(each: tuple[Cards, ...], place: int, wanted: Iterable[Card]) -> ArrangementSet:
    """The arrangements with one of the wanted cards at a place."""
    digits = "".join("1" if cards[place] in wanted else "0" for cards in reversed(each))
    return int(digits, 2)


def union(sets: Mapping[Card, ArrangementSet], cards: Iterable[Card]) -> ArrangementSet:
    """The arrangements with any of these cards, from the sets by card."""
    result = 0
    for card in cards:
        result |= sets[card]
    return result


def numbered(number: int) -> list[Card]:
    """The cards on which a movement number is printed. [2]"""
    return [card for card in (*TARGETS, *BOMBS) if number_on(card) == number]


def number_on(card: Card) -> int:
    """The movement number printed on a card. [2]"""
    return int(card[1])


def meanings(target: int) -> dict[str, list[Card]]:
    """The cards that each answer can stand for while a target is looked for. [8]"""
    others = [card for card in TARGETS if card not in TARGETS[target : target + 1]]
    return {
        "target": [*TARGETS[target : target + 1]],
        "safe": [card for card in others if card.startswith("S")],
        "secret": [card for card in others if card.startswith("T")],
        "bomb": [*BOMBS],
        "lit": [*BOMBS],
    }
