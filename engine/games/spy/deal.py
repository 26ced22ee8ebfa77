"""SPY: the start of a game. Named bases, random ones, or real cards that nobody tells. [1-3]"""

from __future__ import annotations

from random import Random

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit import cards
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.games.spy.arrangements import Arrangements, Cards, arrangements
from underboard.engine.games.spy.state import SEATS, Base, Setup, Stance, State, in_order, stances

FIRST_STANCE = "0R"
DEALT, ARRANGE = SETUPS = ("dealt", "arrange")
"""Whether bases and spies stay as they are dealt, or each seat arranges its own before the first turn. [3]"""


def deal(options: Options) -> State:
    """A new game. Options: players, ts2, first, setup, cards, seed, each seat's base and, as SEAT.spy, its spy."""
    players = options.integer("players", 2, 2, len(SEATS))
    seats = SEATS[:players]
    refuse_absent(options, players)
    first = seats.index(options.choice("first", seats, seats[0]))
    setup = Setup(
        hidden=options.hidden(),
        seats=seats,
        first=first,
        eliminates=options.choice("ts2", ("eliminates", "literal"), "eliminates") == "eliminates",
        arrangements=arrangements(players),
    )
    arranging = options.choice("setup", SETUPS, DEALT) == ARRANGE
    random = options.random()
    given = {seat: base for seat in seats if (base := options.words(seat)) is not None}
    spies = tuple(read_stance(options, seat, setup.arrangements.size) for seat in seats)
    return State(setup, first, deal_bases(setup, given, random), spies, to_arrange=in_order(first, players) if arranging else ())


def refuse_absent(options: Options, players: int) -> None:
    """Raises BadArgument if a seat is named that does not play."""
    for seat in SEATS[players:]:
        for key in (seat, f"{seat}.spy"):
            if key in options:
                raise BadArgument(f"{key}: with {players} players there are only {', '.join(SEATS[:players])}", option=key)


def read_stance(options: Options, seat: Seat, size: int) -> Stance:
    """Takes where a spy stands and looks."""
    known = stances(size)
    return known[options.choice(f"{seat}.spy", tuple(known), FIRST_STANCE)]


def deal_bases(setup: Setup, given: dict[Seat, Cards], random: Random) -> tuple[Base, ...]:
    """The bases of a new game; raises BadArgument for bases that cannot be, or are given when they should not be."""
    known = setup.arrangements
    if setup.hidden:
        if given:
            raise BadArgument(f"{', '.join(given)}: bases are not given with cards=hidden", option=next(iter(given)))
        return tuple(Base(known.every) for _ in setup.seats)
    if not given:
        return tuple(Base(random_base(known, random)) for _ in setup.seats)
    missing = [seat for seat in setup.seats if seat not in given]
    if missing:
        raise BadArgument(f"{', '.join(missing)}: missing, all bases are given or none", option=missing[0])
    return tuple(Base(named_base(known, seat, given[seat])) for seat in setup.seats)


def random_base(known: Arrangements, random: Random) -> int:
    """One arrangement, each with equal chance."""
    return 1 << random.randrange(len(known.each))


def named_base(known: Arrangements, seat: Seat, base: Cards) -> int:
    """The arrangement given; raises BadArgument if these are not the cards of a base. [2]"""
    if base not in known.bit:
        problems = "; ".join(cards.conserved(known.cards, base))
        raise BadArgument(f"{seat}: a base is {' '.join(known.cards)} in any order: {problems}", option=seat)
    return known.bit[base]
