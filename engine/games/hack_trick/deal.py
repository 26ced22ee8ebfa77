"""Hack Trick: the deal. Named cards, random ones, or a physical deck. [2, 3]"""

from __future__ import annotations

from typing import NamedTuple

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit import cards
from underboard.engine.gamekit.options import Options
from underboard.engine.games.hack_trick.state import DECK, HANDS_AT_START, SEATS, TOKENS_PER_SEAT, UNSEEN, Cards, State


def deal(options: Options, hidden: bool, four: int, score: tuple[int, int], target: int, calls: str) -> State:
    """A dealt game in phase `start`: named cards, or random ones from `seed`. [2, 3]"""
    random = options.random()
    out, given = (read_cards(options, key) for key in ("out", SEATS[0]))
    hands = (given, read_cards(options, SEATS[1]))
    sizes = (HANDS_AT_START[four], HANDS_AT_START[1 - four])
    if hidden:
        dealt = deal_hidden(out, hands, sizes)
    elif out is None and hands == (None, None):
        turned_up, red, yellow, stock = cards.deal(DECK, (2, *sizes), random)
        dealt = Dealt(tuple(turned_up), (tuple(sorted(red)), tuple(sorted(yellow))), tuple(stock))
    else:
        dealt = deal_named(out, hands, sizes)
    return State(
        hidden=hidden,
        phase="start",
        mover=four,
        row=(),
        out=dealt.out,
        stock=dealt.stock,
        hands=dealt.hands,
        servers=("",) * 10,
        supply=(TOKENS_PER_SEAT, TOKENS_PER_SEAT),
        spy_zone=((0, 0), (0, 0)),
        spent=((0, 0), (0, 0)),
        forced=False,
        firewalled=False,
        spied=False,
        four=four,
        score=score,
        target=target,
        result=None,
        calls=calls,
    )


class Dealt(NamedTuple):
    """The cards of a new game."""

    out: Cards
    hands: tuple[Cards, Cards]
    stock: Cards


def deal_hidden(out: Cards | None, hands: tuple[Cards | None, ...], sizes: tuple[int, int]) -> Dealt:
    """A physical deal: only the two cards turned up are known."""
    if hands != (None, None):
        raise BadArgument("red, yellow: hands are not given with cards=hidden", option="red")
    if out is None or len(out) != 2:
        raise BadArgument("out: with cards=hidden the two cards turned up are needed, as in out=0,5", option="out")
    cards.take(DECK, out)
    unseen = (UNSEEN,)
    return Dealt(out, (unseen * sizes[0], unseen * sizes[1]), unseen * (len(DECK) - 2 - sum(sizes)))


def deal_named(out: Cards | None, hands: tuple[Cards | None, ...], sizes: tuple[int, int]) -> Dealt:
    """A deal given card by card; raises BadArgument for a part that is missing, of the wrong size or impossible."""
    parts = {"out": (out, 2), SEATS[0]: (hands[0], sizes[0]), SEATS[1]: (hands[1], sizes[1])}
    named: list[Cards] = []
    for key, (part, size) in parts.items():
        if part is None:
            raise BadArgument(f"{key} is missing: a deal needs all of out, red, yellow", option=key)
        if len(part) != size:
            raise BadArgument(f"{key}: {size} cards are needed, not {len(part)}", option=key)
        named.append(part)
    stock = cards.take(DECK, [card for part in named for card in part])
    return Dealt(named[0], (tuple(sorted(named[1])), tuple(sorted(named[2]))), tuple(stock))


def read_cards(options: Options, key: str) -> Cards | None:
    """Takes a list of card values; None if it is not given."""
    return options.cards(key, {str(value): value for value in DECK}, "0 to 5")
