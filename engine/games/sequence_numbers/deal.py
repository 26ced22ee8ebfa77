"""Sequence Numbers: options and the deal. Named cards, random ones, or a physical deck. [1-3]"""

from __future__ import annotations

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit import cards
from underboard.engine.gamekit.options import Options
from underboard.engine.games.sequence_numbers.boards import BOARD, load
from underboard.engine.games.sequence_numbers.layout import Cards, layout_of
from underboard.engine.games.sequence_numbers.state import HAND_SIZE, MOST_NEEDED, NEEDED, SEATS, SIDES_FOR, UNSEEN, Setup, State


def new_game(options: Options) -> State:
    """A dealt game in phase `main`."""
    setup = read_setup(options)
    hands, stock = deal(options, setup)
    return State(
        setup=setup,
        phase="main",
        mover=setup.first,
        hands=hands,
        stock=stock,
        discards=((),) * setup.players,
        chips=(0,) * setup.sides,
        sequences=(),
        swapped=False,
        owes=None,
        resume=None,
        passes=0,
    )


def read_setup(options: Options) -> Setup:
    """Options: cards, players, sides, sequences, board, first."""
    hidden = options.hidden()
    if options.as_dict().get("players") == "5":
        raise BadArgument("players=5: five make no teams of equal size, allowed are 2, 3, 4, 6", option="players")
    players = int(options.choice("players", [str(number) for number in SIDES_FOR], "2"))
    allowed = [str(number) for number in SIDES_FOR[players]]
    sides = int(options.choice("sides", allowed, allowed[0]))
    first = SEATS.index(options.choice("first", SEATS[:players], SEATS[0]))
    needed = options.integer("sequences", NEEDED[players], 1, MOST_NEEDED)
    board = options.text("board")
    if board is None:
        board = BOARD
    return Setup(board, layout_of(load(board, players * HAND_SIZE[players])), hidden, players, sides, first, needed)


def deal(options: Options, setup: Setup) -> tuple[tuple[Cards, ...], Cards]:
    """Hands and stock. Options: seed, and each seat's cards as p1, p2, …"""
    random = options.random()
    given = {seat: options.words(seat) for seat in setup.seats}
    named = {seat: hand for seat, hand in given.items() if hand is not None}
    size = setup.hand_size
    if setup.hidden:
        if named:
            raise BadArgument(f"{', '.join(named)}: hands are not given with cards=hidden", option=next(iter(named)))
        return ((UNSEEN,) * size,) * setup.players, (UNSEEN,) * (len(setup.deck) - size * setup.players)
    if not named:
        *hands, stock = cards.deal(setup.deck, (size,) * setup.players, random)
        return tuple(tuple(sorted(hand)) for hand in hands), tuple(stock)
    return deal_named(setup, named)


def deal_named(setup: Setup, named: dict[str, Cards]) -> tuple[tuple[Cards, ...], Cards]:
    """A deal given card by card; raises BadArgument for a hand that is missing, of the wrong size or impossible."""
    missing = [seat for seat in setup.seats if seat not in named]
    if missing:
        raise BadArgument(f"{', '.join(missing)}: missing, a deal needs the hands of all seats or of none", option=missing[0])
    for seat, hand in named.items():
        if len(hand) != setup.hand_size:
            raise BadArgument(f"{seat}: {setup.hand_size} cards are needed, not {len(hand)}", option=seat)
    stock = cards.take(setup.deck, [card for hand in named.values() for card in hand])
    return tuple(tuple(sorted(hand)) for hand in named.values()), tuple(stock)
