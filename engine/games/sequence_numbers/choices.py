"""Sequence Numbers: what may be done now.

Legal actions come in `ActionGroup`s, whose actions differ in their last word only. So one of them can be picked without
listing them all.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from underboard.engine.gamekit.game import Action
from underboard.engine.games.sequence_numbers.boards import MINUS
from underboard.engine.games.sequence_numbers.layout import Card, Cards, SpaceSet
from underboard.engine.games.sequence_numbers.state import SIGNS, State, free_spaces, removable_spaces

ActionGroup = tuple[str, Cards, SpaceSet]
"""Actions that begin alike and end with one of the sorted cards or with the name of one of the spaces."""

Holding = tuple[Card, int, SpaceSet]
"""A card that is, or can be, in the mover's hand: how many of it, and the spaces where it can be played now."""

ALONE = ("",)
"""The endings of an action that is complete without one."""


def legal_actions(state: State) -> list[Action]:
    """All legal actions in ASCII order."""
    names = state.setup.layout.names
    return sorted({start + end for start, cards, spaces in CHOICES[state.phase](state) for end in (*cards, *names(spaces))})


def pick_action(state: State, random: Random) -> Action:
    """One of the legal actions, each with equal chance: of equal cards only the first counts, another one is picked again."""
    choices = CHOICES[state.phase](state)
    total = 0
    for _, cards, spaces in choices:
        total += len(cards) + spaces.bit_count()
    while True:
        n = int(random.random() * total)
        for start, cards, spaces in choices:
            if n < len(cards):
                break
            n -= len(cards)
            if n < (size := spaces.bit_count()):
                return start + state.setup.layout.nth_name(spaces, n)
            n -= size
        if n == 0 or cards[n] != cards[n - 1]:
            return start + cards[n]


def unseen_copies(state: State) -> dict[Card, int]:
    """Hidden games: how many of each card do not lie face up."""
    copies = dict(state.setup.layout.hidden_copies)
    for pile in state.discards:
        for card in pile:
            copies[card] -= 1
    return copies


def held_cards(state: State) -> dict[Card, int]:
    """The cards that are in the mover's hand, or hidden: can be in it, and how many of each."""
    hand = state.hands[state.mover]
    if not state.setup.hidden:
        return {card: hand.count(card) for card in hand}
    return {card: copies for card, copies in unseen_copies(state).items() if copies} if hand else {}


def can_hold(state: State, card: Card) -> bool:
    """Whether a card is among the mover's `held_cards`."""
    hand = state.hands[state.mover]
    if not state.setup.hidden:
        return card in hand
    return bool(hand) and state.setup.layout.hidden_copies.get(card, 0) > sum([pile.count(card) for pile in state.discards])


def holdings(state: State) -> list[Holding]:
    """The cards of the mover with their possible spaces. [8, 10]"""
    targets = state.setup.layout.targets
    free = free_spaces(state)
    held = held_cards(state)
    found = [(card, copies, targets[card] & free) for card, copies in held.items() if card != MINUS]
    if MINUS in held:
        found.append((MINUS, held[MINUS], removable_spaces(state)))
    return found


def can_pass(state: State, held: list[Holding]) -> bool:
    """Whether the whole hand consists, or hidden: can consist, of cards that cannot be played. [10]"""
    return only_dead(state, sum([copies for _, copies, spaces in held if not spaces]))


def only_dead(state: State, dead: int) -> bool:
    """Whether all cards of the mover can be among so many that cannot be played."""
    return len(state.hands[state.mover]) <= dead


def drawn(state: State, start: str) -> ActionGroup:
    """The draw of any card of the stock; it is named unless the cards are hidden."""
    return (start, ALONE, 0) if state.setup.hidden else (f"{start} ", state.stock, 0)


def late_choices(state: State) -> list[ActionGroup]:
    """The draw that the previous seat still has. [11]"""
    return [] if state.owes is None else [drawn(state, "late")]


def main_choices(state: State) -> list[ActionGroup]:
    """Plays, the exchange of a dead card, or a pass. Hidden, the space alone tells which equation is played. [7-10]"""
    choices = late_choices(state)
    equations = dead = 0
    for card, copies, spaces in holdings(state):
        if spaces and card[0] == "=":
            equations |= spaces
        elif spaces:
            choices.append((f"play {card} ", (), spaces))
        else:
            dead += copies
            if not state.swapped and card not in SIGNS:
                choices.append(drawn(state, f"swap {card}"))
    if equations:
        choices.append(("play ", (), equations))
    if only_dead(state, dead):
        choices.append(("pass", ALONE, 0))
    return choices


def draw_choices(state: State) -> list[ActionGroup]:
    """The draw, or its being forgotten. [7, 11]"""
    return [drawn(state, "draw"), ("forget", ALONE, 0), *late_choices(state)]


def discard_choices(state: State) -> list[ActionGroup]:
    """Any card of the hand. [13]"""
    return [("discard ", tuple(held_cards(state)), 0)]


CHOICES: dict[str, Callable[[State], list[ActionGroup]]] = {
    "main": main_choices,
    "draw": draw_choices,
    "discard": discard_choices,
    "over": lambda _: [],
}
