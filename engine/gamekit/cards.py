"""Cards as multisets: hands and stocks are sorted tuples, a deal takes named or random cards out of a deck."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, TypeVar

from underboard.engine.base.errors import BadArgument

C = TypeVar("C", bound=int | str)


def with_card(cards: tuple[C, ...], card: C) -> tuple[C, ...]:
    """The sorted tuple `cards` with one `card` more."""
    place = bisect_left(cards, card)
    return (*cards[:place], card, *cards[place:])


def without_card(cards: tuple[C, ...], card: C) -> tuple[C, ...]:
    """The sorted tuple `cards` with one `card` less; `card` must be in it."""
    place = bisect_left(cards, card)
    return cards[:place] + cards[place + 1 :]


def take(deck: Sequence[C], wanted: Iterable[C]) -> list[C]:
    """What is left of `deck`, sorted, when all of `wanted` is taken out. Raises BadArgument for a card too many."""
    left = Counter(deck)
    for card in wanted:
        if not left[card]:
            known = f"only {deck.count(card)} of it in the deck" if card in deck else "there is no such card"
            raise BadArgument(f"card {card}: {known}")
        left[card] -= 1
    return sorted(left.elements())


def deal(deck: Sequence[C], sizes: Sequence[int], random: Random) -> list[list[C]]:
    """Random piles of the given sizes, in the order they are drawn, and a last one, sorted, with the rest."""
    cards = list(deck)
    random.shuffle(cards)
    piles: list[list[C]] = []
    start = 0
    for size in sizes:
        piles.append(cards[start : start + size])
        start += size
    return [*piles, sorted(cards[start:])]


def conserved(deck: Sequence[Any], found: Iterable[Any]) -> list[str]:
    """What is wrong with `found` as a full set of the cards of `deck`: one sentence a card, [] if all is there."""
    want, have = Counter(deck), Counter(found)
    return [f"card {card}: {have[card]} of {want[card]}" for card in sorted(set(want) | set(have)) if have[card] != want[card]]
