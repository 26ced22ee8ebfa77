"""SPY: each seat arranges its base and its spy before the first turn. [3]

Real cards are arranged by hand; then only the spy is told. Nothing else is an action in this phase, and nothing of it in a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

from underboard.engine.base.errors import IllegalAction
from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.games.spy.arrangements import Cards, arrangements
from underboard.engine.games.spy.state import Stance, State, acting, stances, with_base

ARRANGING = ("stand", "swap", "ready")
"""The verbs of this phase."""
MOST_CARDS = arrangements(2).size

Outcome = tuple[State, list[Announcement]]


def cards_of(state: State, seat: int) -> Cards:
    """The cards of an open base, from its holder's left."""
    return state.setup.arrangements.one_of(state.bases[seat].possible)


def legal_arranging(state: State) -> Sequence[Action]:
    """Every other stance of the spy, every exchange of two cards that are not the same, and to be ready."""
    seat = acting(state)
    others = [f"stand {text}" for text, stance in stances(state.setup.arrangements.size).items() if stance != state.spies[seat]]
    return tuple(sorted(["ready", *others, *(() if state.setup.hidden else swaps(cards_of(state, seat)))]))


def swaps(cards: Cards) -> Sequence[Action]:
    """The exchanges that change a base."""
    return [f"swap {one} {other}" for one, other in combinations(range(len(cards)), 2) if cards[one] != cards[other]]


def stand(state: State, text: str) -> Outcome:
    """The spy stands in another gap, or looks to the other side."""
    seat, known = acting(state), stances(state.setup.arrangements.size)
    if text not in known:
        raise IllegalAction("there are {count} gaps, from 0 on", count=state.setup.arrangements.size)
    if known[text] == state.spies[seat]:
        raise IllegalAction("your spy stands so already")
    return state._replace(spies=with_spy(state.spies, seat, known[text])), []


def with_spy(spies: tuple[Stance, ...], seat: int, stance: Stance) -> tuple[Stance, ...]:
    """The spies, one of them standing otherwise."""
    return (*spies[:seat], stance, *spies[seat + 1 :])


def swap(state: State, one: int, other: int) -> Outcome:
    """Two cards of the base change places."""
    if state.setup.hidden:
        raise IllegalAction("real cards are arranged by hand")
    seat = acting(state)
    cards = list(cards_of(state, seat))
    if other >= len(cards):
        raise IllegalAction("there are {count} cards, from 0 on", count=len(cards))
    if cards[one] == cards[other]:
        raise IllegalAction("both cards are {card}", card=cards[one])
    cards[one], cards[other] = cards[other], cards[one]
    base = state.bases[seat]._replace(possible=state.setup.arrangements.bit[tuple(cards)])
    return state._replace(bases=with_base(state, seat, base)), []


def ready(state: State) -> Outcome:
    """The next seat arranges its base, or the first turn begins."""
    return state._replace(to_arrange=state.to_arrange[1:]), []


PERFORM_ARRANGING: Mapping[Action, Callable[[State], Outcome]] = {
    "ready": ready,
    **{f"stand {text}": partial(stand, text=text) for text in stances(MOST_CARDS)},
    **{f"swap {one} {other}": partial(swap, one=one, other=other) for one, other in combinations(range(MOST_CARDS), 2)},
}
"""Every action of this phase, and what performs it."""

ARRANGED = {
    "stand": N_("{seat} places the spy"),
    "swap": N_("{seat} arranges the cards"),
    "ready": N_("{seat} is ready"),
}
"""What everybody hears of it."""
