"""Makaó: what a game consists of. The numbers in brackets are those of docs/rules/makao.md.

A card is a number, rank * 4 + suit, and a set of cards is an integer with the bit `1 << card` set for each of them: the
four cards of a rank are four neighbouring bits. In hidden games hands and stock are plain numbers of cards instead, so
an empty one is 0 in both kinds of game.
"""

from __future__ import annotations

from typing import NamedTuple

GAME_ID = "makao"
SEATS = ("p1", "p2", "p3", "p4", "p5")  # [1]
FEWEST, MOST = 3, 5
HAND_AT_START = 5  # [3]

SUITS = ("h", "l", "b", "a")  # [2]
RANKS = ("7", "8", "9", "10", "U", "O", "K", "A")
NAMES = tuple(suit + rank for rank in RANKS for suit in SUITS)
CARDS = {name: card for card, name in enumerate(NAMES)}
DECK = tuple(range(len(NAMES)))
BY_NAME = tuple(sorted(DECK, key=NAMES.__getitem__))
"""All cards in ASCII order of their names."""

SEVEN, NINE, OVER_RANK, ACE = (RANKS.index(rank) for rank in ("7", "9", "O", "A"))
OF_RANK = tuple(0xF << 4 * rank for rank in range(len(RANKS)))
OF_SUIT = tuple(0x11111111 << suit for suit in range(len(SUITS)))
SEVENS, ACES = OF_RANK[SEVEN], OF_RANK[ACE]
SPECIALS = SEVENS | ACES | OF_RANK[NINE] | OF_RANK[OVER_RANK]
FITTING = tuple(OF_RANK[card // 4] | OF_SUIT[card % 4] for card in DECK)
"""By top card: what has its suit or its rank. [5]"""

CANCEL = ("fit", "satisfy", "any")
"""When a 7 or an ace may be laid on a request, which it cancels: if it fits the top card or is asked for; if asked for; always. [11]"""
SPECIALS_LAID = ("fit", "any")
"""When a special card may be laid without an effect pending: if it fits, always. [5]"""
SETS = ("three", "pairs")
"""The fewest cards that are laid together: three, or two. [4]"""

SATISFYING = dict(zip((*RANKS, *SUITS), (*OF_RANK, *OF_SUIT), strict=True))
"""By what is asked for: the cards that satisfy the request. [10]"""

ASKS: dict[int, tuple[str, ...]] = {NINE: RANKS, OVER_RANK: SUITS}
"""By rank of the card laid: what it may ask for. [9]"""

ASKED_WITH = {value: rank for rank, values in ASKS.items() for value in values}
"""By what is asked for: the rank that asked."""

FLIP, DEAL_VOID, PLAY, PENALTY, DRAWN, OVER = "flip", "deal_void", "play", "penalty", "drawn", "over"


class Penalty(NamedTuple):
    """So many cards must be drawn, unless a 7 is laid. [7]"""

    cards: int


class Skips(NamedTuple):
    """So many seats in turn must lay an ace or are skipped. [8]"""

    seats: int


class Request(NamedTuple):
    """A rank or a suit is asked for by a seat, and whether somebody has laid it. [9]"""

    value: str
    by: int
    fulfilled: bool


PendingEffect = Penalty | Skips | Request | None


class Setup(NamedTuple):
    """What stays the same during a game. `seed` starts the generator of a `redeal`; 0 where none can come any more."""

    hidden: bool
    players: int
    first: int
    cancel: str
    specials: str
    sets: str
    seed: int


class State(NamedTuple):
    """Everything there is to know of a game. Seats are indexes into SEATS; once it is over, the winner is the mover."""

    setup: Setup
    phase: str
    mover: int
    top: int | None
    pile: int
    stock: int
    hands: tuple[int, ...]
    effect: PendingEffect
    drawn: int | None


def with_hand(hands: tuple[int, ...], seat: int, hand: int) -> tuple[int, ...]:
    """The hands with that of one seat replaced."""
    changed = list(hands)
    changed[seat] = hand
    return tuple(changed)


def names(cards: int) -> list[str]:
    """The names of a set of cards in ASCII order."""
    return [NAMES[card] for card in BY_NAME if cards >> card & 1]
