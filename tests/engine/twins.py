"""Positions that a seat cannot tell from another one by the rules: cards that it does not see are exchanged."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.game import Game, Seat
from underboard.engine.gamekit.session import Moment, Session

Record = dict[str, Any]
MOST_EXCHANGES = 6


def twin_for(session: Session[Any], seat: Seat | None, random: Random) -> Session[Any] | None:
    """The same session with cards exchanged that a seat, or with None a spectator, does not see; None if none can be."""
    game = session.game
    found: Record | None = None
    for _ in range(random.randint(1, MOST_EXCHANGES)):
        exchanged = exchange_unseen(found or game.record(session.state), seat, random)
        if exchanged is not None and is_position(game, exchanged):
            found = exchanged
    return None if found is None else at(session, found)


def at(session: Session[Any], found: Record) -> Session[Any]:
    """The session at another position, with the same past."""
    now = session.now
    return Session(session.game, Moment(session.game.position(found), now.action, now.before, now.ply))


def is_position(game: Game[Any], found: Record) -> bool:
    """Whether such a position can be: in Makaó the card drawn under a request must stay where it is."""
    try:
        game.position(found)
    except BadArgument:
        return False
    return True


def view_of(session: Session[Any], seat: Seat | None) -> Record:
    """What a seat, or with None a spectator, knows by the rules."""
    return session.game.public_view(session.state) if seat is None else session.game.view(session.state, seat)


def exchange_unseen(found: Record, seat: Seat | None, random: Random) -> Record | None:
    """A record with two unseen cards exchanged; None if these cannot be."""
    return exchange_in_a_base(found, seat, random) if "bases" in found else exchange_unseen_cards(found, seat, random)


def exchange_unseen_cards(found: Record, seat: Seat | None, random: Random) -> Record | None:
    """One card of another hand against one of the stock or of a third hand."""
    exchanged = copy.deepcopy(found)
    unseen = [hand for other, hand in exchanged["hands"].items() if other != seat]
    one = random.choice(unseen)
    other = random.choice([cards for cards in (*unseen, exchanged["stock"]) if cards is not one])
    if not one or not other:
        return None
    i, k = random.randrange(len(one)), random.randrange(len(other))
    one[i], other[k] = other[k], one[i]
    return exchanged


def exchange_in_a_base(found: Record, seat: Seat | None, random: Random) -> Record | None:
    """Two cards of another base that are neither exposed nor lit."""
    exchanged = copy.deepcopy(found)
    other = random.choice([other for other in exchanged["bases"] if other != seat])
    base, known = exchanged["bases"][other], {*exchanged["exposed"][other], *exchanged["lit"][other]}
    unseen = [place for place in range(len(base)) if place not in known]
    if len(unseen) < 2:
        return None
    i, k = random.sample(unseen, 2)
    base[i], base[k] = base[k], base[i]
    return exchanged
