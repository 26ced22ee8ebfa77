"""Makaó: actions as text. Every spelling that can be read stands in one table, the canonical ones are listed by rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import NamedTuple

from underboard.engine.base.errors import IllegalAction
from underboard.engine.gamekit.game import Action
from underboard.engine.games.makao.state import ASKS, CARDS, NAMES, RANKS, SUITS

SET_SIZES = (1, 2, 3, 4)  # [4]
PAIR = 2


class CardPlay(NamedTuple):
    """An action in parts: a set of cards, how many they are, the first and the last of them, and what is asked for.

    A hidden `draw` has size 1 and no card, `draw none` size 0.
    """

    verb: str
    cards: int = 0
    size: int = 0
    first: int = 0
    last: int = 0
    ask: str | None = None


def spell(cards: Iterable[int], ask: str | None) -> Action:
    """The text of laying these cards in this order."""
    text = "play " + "+".join(NAMES[card] for card in cards)
    return text if ask is None else f"{text} ask={ask}"


def orders(rank: int, suits: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """All ways to lay one or several of these cards of a rank, one after the other."""
    cards = [4 * rank + suit for suit in suits]
    for size in SET_SIZES:
        yield from permutations(cards, size)


def read_plays() -> dict[Action, CardPlay]:
    """Every way to spell a play."""
    plays: dict[Action, CardPlay] = {}
    for rank in range(len(RANKS)):
        for cards in orders(rank, range(len(SUITS))):
            for ask in (None, *ASKS.get(rank, ())):
                mask = sum(1 << card for card in cards)
                plays[spell(cards, ask)] = CardPlay("play", mask, len(cards), cards[0], cards[-1], ask)
    return plays


MOVES: dict[Action, CardPlay] = {
    **read_plays(),
    **{f"draw {name}": CardPlay("draw", 1 << card, 1, card, card) for name, card in CARDS.items()},
    **{f"flip {name}": CardPlay("flip", 1 << card, 1, card, card) for name, card in CARDS.items()},
    "draw": CardPlay("draw", size=1),
    "draw none": CardPlay("draw"),
    "skip": CardPlay("skip"),
    "keep": CardPlay("keep"),
    "redeal": CardPlay("redeal"),
}


@cache
def plays_of_rank(rank: int, held: int, free: int, asking: int, most: int, pairs: bool) -> tuple[Action, ...]:
    """The canonical plays of one rank with at most `most` cards, of two only with `pairs`.

    The sets have a bit for each suit: the cards held, those that may be laid first, and those that may be laid first only with a
    new request.
    """
    plays: list[Action] = []
    for cards in orders(rank, [suit for suit in range(len(SUITS)) if held >> suit & 1]):
        first, middle = 1 << cards[0] % 4, cards[1:-1]
        if len(cards) > most or list(middle) != sorted(middle) or (len(cards) == PAIR and not pairs):
            continue
        if free & first:
            plays.append(spell(cards, None))
        if (free | asking) & first:
            plays += [spell(cards, ask) for ask in ASKS.get(rank, ())]
    return tuple(plays)


@cache
def naming_byte(verb: str, byte: int, number: int) -> tuple[Action, ...]:
    """`verb` with the name of each card in the byte of that number of a set of cards."""
    return tuple(f"{verb} {NAMES[8 * number + bit]}" for bit in range(8) if byte >> bit & 1)


def naming(verb: str, cards: int) -> list[tuple[Action, ...]]:
    """`verb` with each card of a set, in four parts: there are few different bytes, so all of them are remembered."""
    return [
        naming_byte(verb, cards & 255, 0),
        naming_byte(verb, cards >> 8 & 255, 1),
        naming_byte(verb, cards >> 16 & 255, 2),
        naming_byte(verb, cards >> 24, 3),
    ]


# Why a text is no action


def why_unreadable(action: Action) -> IllegalAction:
    """What is wrong with a text that does not stand in MOVES."""
    verb, _, rest = action.partition(" ")
    if verb == "play":
        return why_no_play(rest)
    if verb in ("draw", "flip") and " " in rest:
        return IllegalAction("{verb} takes one card at a time", verb=verb)
    if verb in ("draw", "flip"):
        return no_card(rest) if rest else IllegalAction("{verb} what? Name the card, as in {verb} h8", verb=verb)
    if verb in ("skip", "keep", "redeal"):
        return IllegalAction("'{form}' stands alone", form=verb)
    return IllegalAction("'{action}' is no action: there are {names}", action=action, names=FORMS)


FORMS = "play C[+C+C[+C]] [ask=X], draw [C], draw none, skip, keep, flip C, redeal"
"""What there is, in short."""


def why_no_play(text: str) -> IllegalAction:
    """What is wrong with the text behind `play`."""
    named, *more = text.split(" ")
    cards = named.split("+")
    if not named:
        return IllegalAction("{verb} what? Name the card, as in {verb} h8", verb="play")
    for name in cards:
        if name not in CARDS:
            return no_card(name)
    if len(set(cards)) < len(cards):
        return IllegalAction("the same card is named twice")
    if len({CARDS[name] // 4 for name in cards}) > 1:
        return IllegalAction("cards laid together must be of one rank")
    return why_no_ask(CARDS[cards[0]] // 4, more)


def why_no_ask(rank: int, rest: list[str]) -> IllegalAction:
    """What is wrong with the words behind the cards."""
    key, _, value = rest[0].partition("=")
    if len(rest) > 1 or key != "ask":
        return IllegalAction("'{rest}' may not follow the cards, only one ask=X", rest=" ".join(rest))
    if rank not in ASKS:
        return IllegalAction("only a 9 or an O may ask for something")
    return IllegalAction("ask={value}: {rank} may ask for {asks}", value=value, rank=RANKS[rank], asks=", ".join(ASKS[rank]))


def no_card(name: str) -> IllegalAction:
    """That there is no card of this name."""
    return IllegalAction("'{name}' is no card: a suit (h l b a) and a rank (7 8 9 10 U O K A), as in h8", name=name)
