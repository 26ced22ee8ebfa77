"""Makaó: the deal. Named cards, random ones, or a physical deck; then a card is turned up. [1-3]"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit import cards
from underboard.engine.gamekit.options import Options
from underboard.engine.games.makao.state import (
    CANCEL,
    CARDS,
    DECK,
    FEWEST,
    FLIP,
    HAND_AT_START,
    MOST,
    NAMES,
    PLAY,
    SEATS,
    SETS,
    SPECIALS,
    SPECIALS_LAID,
    Setup,
    State,
    with_hand,
)

Named = tuple[int, ...]


def deal(options: Options) -> State:
    """A new game. Options: players, first, cancel, specials, sets, cards, seed, up and the hands by seat."""
    players = options.integer("players", 4, FEWEST, MOST)
    seats = SEATS[:players]
    setup = Setup(
        first=seats.index(options.choice("first", seats, SEATS[0])),
        players=players,
        cancel=options.choice("cancel", CANCEL, CANCEL[0]),
        specials=options.choice("specials", SPECIALS_LAID, SPECIALS_LAID[0]),
        sets=options.choice("sets", SETS, SETS[0]),
        hidden=options.hidden(),
        seed=0,
    )
    random = options.random()
    up = read_cards(options, "up")
    hands = [read_cards(options, seat) for seat in seats]
    if up is not None:
        check_up(up, len(DECK) - HAND_AT_START * players)
    if setup.hidden:
        return deal_hidden(setup, up, hands)
    if any(hand is not None for hand in hands):
        return deal_named(setup, up, hands, random)
    return deal_random(setup, random) if up is None else deal_around(setup, up, random)


def read_cards(options: Options, key: str) -> Named | None:
    """Takes a list of cards; None if it is not given."""
    return options.cards(key, CARDS, "as in h8, lO, a10")


def check_up(up: Named, stock: int) -> None:
    """Raises BadArgument if these cannot be the cards turned up one after the other."""
    cards.take(NAMES, [NAMES[card] for card in up])
    if not up or is_special(up[-1]) or not all(map(is_special, up[:-1])):
        raise BadArgument("up: special cards (7, 9, O, A) and then one that is not are turned up, as in up=l9,aA,l8", option="up")
    if len(up) > stock:
        raise BadArgument(f"up: {len(up)} cards cannot be turned up from a stock of {stock}", option="up")


def is_special(card: int) -> bool:
    """Whether it is a 7, 9, O or A."""
    return SPECIALS >> card & 1 == 1


def deal_hidden(setup: Setup, up: Named | None, hands: Sequence[Named | None]) -> State:
    """A physical deal: only the cards turned up are known, and of these nothing but the last is remembered."""
    if any(hand is not None for hand in hands):
        raise BadArgument(f"{', '.join(SEATS[: setup.players])}: hands are not given with cards=hidden", option=SEATS[0])
    if up is None:
        raise BadArgument("up: with cards=hidden the cards turned up are needed, as in up=l9,aA,l8", option="up")
    stock = len(DECK) - HAND_AT_START * setup.players - len(up)
    if not stock:
        raise BadArgument(f"up: {len(up)} cards would use up the stock, the deal is void", option="up")
    sizes = with_hand((HAND_AT_START,) * setup.players, setup.first, HAND_AT_START + len(up) - 1)
    return State(setup, PLAY, setup.first, up[-1], 0, stock, sizes, None, None)


def deal_named(setup: Setup, up: Named | None, hands: Sequence[Named | None], random: Random) -> State:
    """Hands given card by card; without `up` the table turns the first card up, and may have to deal again."""
    named: list[Named] = []
    for seat, hand in zip(SEATS, hands, strict=False):
        if hand is None:
            raise BadArgument(f"{seat} is missing: a deal needs the hands of all {setup.players} seats", option=seat)
        if len(hand) != HAND_AT_START:
            raise BadArgument(f"{seat}: {HAND_AT_START} cards are needed, not {len(hand)}", option=seat)
        named.append(hand)
    wanted = [card for part in (*named, up or ()) for card in part]
    left = [CARDS[name] for name in cards.take(NAMES, [NAMES[card] for card in wanted])]
    if up is not None:
        return turn_up(setup, named, up, left)
    setup = setup._replace(seed=random.getrandbits(64))
    return State(setup, FLIP, setup.first, None, 0, as_set(left), tuple(map(as_set, named)), None, None)


def deal_around(setup: Setup, up: Named, random: Random) -> State:
    """Random hands beside the cards turned up."""
    deck = [card for card in DECK if card not in up]
    *hands, stock = cards.deal(deck, (HAND_AT_START,) * setup.players, random)
    return turn_up(setup, hands, up, stock)


def deal_random(setup: Setup, random: Random) -> State:
    """Random hands and a random card turned up; a void deal is dealt again."""
    while True:
        *hands, stock = cards.deal(DECK, (HAND_AT_START,) * setup.players, random)
        random.shuffle(stock)
        for place, card in enumerate(stock):
            if not is_special(card):
                return turn_up(setup, hands, stock[: place + 1], stock[place + 1 :])


def turn_up(setup: Setup, hands: Sequence[Sequence[int]], up: Sequence[int], stock: Sequence[int]) -> State:
    """The beginning of phase `play`: the starting player has got the special cards turned up. [3]"""
    dealt = tuple(map(as_set, hands))
    dealt = with_hand(dealt, setup.first, dealt[setup.first] | as_set(up[:-1]))
    return State(setup, PLAY, setup.first, up[-1], 0, as_set(stock), dealt, None, None)


def as_set(cards_of: Sequence[int]) -> int:
    """Different cards as a set."""
    return sum(1 << card for card in cards_of)
