"""Sequence Numbers: what the keys run through, in an order that needs few presses.

The list is a ring, so what stands at its end is as near as what follows the first. With hidden cards the chip alone
tells which equation is played; the ring begins there, dead cards follow to the right, PLUS and MINUS to the left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt

from underboard.engine.gamekit.table import NEW_GAME, Choice, single
from underboard.engine.games.sequence_numbers.choices import can_pass, held_cards
from underboard.engine.games.sequence_numbers.layout import Card
from underboard.engine.games.sequence_numbers.plays import PLAY, by_answer, card_played, number_of, plays, sorted_holdings
from underboard.engine.games.sequence_numbers.state import SIDES, SIGNS, State

FLAT = 4
"""So many cards stand side by side; of more the first key says which group."""


def menu(state: State, answers: Sequence[str]) -> list[Choice]:
    """The choices of this phase."""
    return MENUS[state.phase](state, answers)


def main_menu(state: State, answers: Sequence[str]) -> list[Choice]:
    """Plays, exchanges of dead cards, a pass, a late draw, and the ruling that somebody has talked. [7-13]"""
    found = {name: Choice(name, tuple(actions), card=card_played(name)) for name, actions in plays(state).items()}
    dead = dead_cards(state)
    exchanges = grouped("swap", dead, answers) if state.setup.hidden else [drawn(state, f"swap {card}", card) for card in dead]
    if answers:
        return exchanges
    rest = [*exchanges, *passing(state), *talks(state), *late(state)]
    if not state.setup.hidden:
        return [*found.values(), *rest]
    equations = [found.pop(PLAY)] if PLAY in found else []
    return [*equations, *rest, *reversed(found.values())]


def draw_menu(state: State, answers: Sequence[str]) -> list[Choice]:
    """The draw, its being forgotten, and the draw that the seat before still has. [7, 11]"""
    return [drawn(state, "draw"), single("forget"), *late(state)]


def discard_menu(state: State, answers: Sequence[str]) -> list[Choice]:
    """Any card of the hand. [13]"""
    held = sorted(held_cards(state), key=by_answer)
    equations = [card for card in held if card not in SIGNS]
    signs = [card_choice("discard", card) for card in held if card in SIGNS]
    return grouped("discard", equations, answers) if answers else [*grouped("discard", equations, answers), *signs]


MENUS: dict[str, Callable[[State, Sequence[str]], list[Choice]]] = {
    "main": main_menu,
    "draw": draw_menu,
    "discard": discard_menu,
    "over": lambda state, answers: [NEW_GAME],
}


def drawn(state: State, name: str, card: Card | None = None) -> Choice:
    """A choice that brings a card from the stock, for `card` if it is exchanged: with open cards the dealer says which."""
    if state.setup.hidden:
        return single(name, card)
    return Choice(name, tuple(f"{name} {new}" for new in dict.fromkeys(state.stock)), dealt=True, card=card)


def dead_cards(state: State) -> list[Card]:
    """The cards of the mover that may be exchanged now. [9]"""
    return [] if state.swapped else [card for card, _, spaces in sorted_holdings(state) if not spaces and card not in SIGNS]


def passing(state: State) -> list[Choice]:
    """A pass if nothing can be played. [10]"""
    return [single("pass")] if can_pass(state, sorted_holdings(state)) else []


def talks(state: State) -> list[Choice]:
    """The ruling that members of a side have talked, if any of them has a card. [13]"""
    sides = [state.setup.members(side) for side in range(state.setup.sides)]
    guilty = [SIDES[side] for side, members in enumerate(sides) if len(members) > 1 and any(state.hands[seat] for seat in members)]
    return [single(f"talk {side}") for side in guilty]


def late(state: State) -> list[Choice]:
    """The draw of the seat before. [11]"""
    return [] if state.owes is None else [drawn(state, "late")]


def card_choice(verb: str, card: Card) -> Choice:
    """A choice that is one action with a card."""
    return single(f"{verb} {card}", card)


def grouped(verb: str, cards: Sequence[Card], answers: Sequence[str]) -> list[Choice]:
    """A choice a card; or, of many, one a group ("swap 7-12") that leads to its cards."""
    if len(cards) <= FLAT:
        return [card_choice(verb, card) for card in cards]
    size = isqrt(len(cards) - 1) + 1
    groups = [cards[start : start + size] for start in range(0, len(cards), size)]
    names = [f"{verb} {number_of(group[0])}-{number_of(group[-1])}" for group in groups]
    if answers and answers[-1] in names:
        return [card_choice(verb, card) for card in groups[names.index(answers[-1])]]
    return [Choice(name, answer=True) for name in names]
