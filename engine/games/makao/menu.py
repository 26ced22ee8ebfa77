"""Makaó: what the keys run through, in an order that needs few presses.

Open cards: the plays of the hand, suit by suit, then the draw. What begins with one card and can go on in several ways (asking
for something, two or three more cards) is one choice, "card l9", and the ways come after it.

With a physical deck nobody knows the hand, so every card that can be legal is offered: a suit first, then the card. The ring of
suits begins at the one that most plays have, its neighbours are one press away, and in a suit the cursor stands in the middle:
six presses reach every single card. Three or four cards at once are reached through "several".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.table import NEW_GAME, Choice, single
from underboard.engine.games.makao.deal import is_special
from underboard.engine.games.makao.legal import groups
from underboard.engine.games.makao.moves import MOVES
from underboard.engine.games.makao.state import CARDS, DECK, HAND_AT_START, NAMES, OVER, SUITS, Penalty, Request, Skips, State

SEVERAL = "several"
DRAW = "draw"


class ChoiceNode(NamedTuple):
    """A choice; and if it is an answer, those that come after it and where the cursor begins among them."""

    choice: Choice
    below: Sequence[ChoiceNode] = ()
    first: int = 0


def menu(state: State, answers: Sequence[str]) -> tuple[Sequence[Choice], int]:
    """The choices after these answers, and where the cursor begins."""
    if state.phase == OVER:
        return after_the_game(state, answers), 0
    nodes, first = top_nodes(state)
    for answer in answers:
        node = next(node for node in nodes if node.choice.name == answer)
        nodes, first = node.below, node.first
    return [node.choice for node in nodes], first


@lru_cache(maxsize=16)
def top_nodes(state: State) -> tuple[Sequence[ChoiceNode], int]:
    """What the keys run through at first; the same state is asked about again and again."""
    return hidden_nodes(state) if state.setup.hidden else open_nodes(state)


def open_nodes(state: State) -> tuple[Sequence[ChoiceNode], int]:
    """The plays of the hand, then whatever else there is."""
    plays, others = legal_actions(state)
    cards = card_nodes(plays)
    return [*(cards[card] for card in sorted(cards, key=by_suit)), *map(ChoiceNode, others)], 0


def hidden_nodes(state: State) -> tuple[Sequence[ChoiceNode], int]:
    """A ring: what is no play, the suits, and several cards at once. It begins at a suit, unless most hands can only obey."""
    plays, others = legal_actions(state)
    singles = suit_nodes(card_nodes([action for action in plays if MOVES[action].size == 1]), pivot(state))
    sets = suit_nodes(card_nodes([action for action in plays if MOVES[action].size > 1]), pivot(state))
    several = [answer(SEVERAL, sets, begin_at(sets, pivot(state)))] if sets else []
    ring = [*map(ChoiceNode, others), *singles, *several]
    return ring, 0 if isinstance(state.effect, Penalty | Skips) else begin_at(ring, pivot(state))


def legal_actions(state: State) -> tuple[list[Action], list[Choice]]:
    """The plays; and the other choices."""
    actions = [action for group in groups(state) for action in group]
    plays = [action for action in actions if action.startswith("play")]
    others = other_choices([action for action in actions if not action.startswith("play")])
    return plays, [*whole_penalty(state, others), *others]


def whole_penalty(state: State, others: Sequence[Choice]) -> list[Choice]:
    """All that is left of a penalty at once, if that is more than one card and there is any to draw. [7]"""
    if not isinstance(state.effect, Penalty) or state.effect.cards == 1:
        return []
    count = state.effect.cards
    return [replace(choice, name=f"{DRAW} {count}", again=DRAW, times=count) for choice in others if choice.name == DRAW]


def other_choices(actions: Sequence[Action]) -> list[Choice]:
    """What is no play. Whichever card is drawn, or turned up, is one choice; a void deal is laid down anew if it is a physical one."""
    if not actions:
        return []
    verb, _, card = actions[0].partition(" ")
    if card in CARDS:
        return [Choice(verb, tuple(actions), dealt=True)]
    if verb == "redeal":
        return [Choice(verb, tuple(actions), next={}, restart=True)]
    return [single(action) for action in actions]


# One card and what goes with it


def card_nodes(plays: Sequence[Action]) -> dict[int, ChoiceNode]:
    """By the first card: a play, or an answer that leads to all plays which begin with it."""
    by_first: dict[int, list[Action]] = {}
    for action in plays:
        by_first.setdefault(MOVES[action].first, []).append(action)
    return {card: card_node(NAMES[card], actions) for card, actions in by_first.items()}


def card_node(card: str, plays: Sequence[Action]) -> ChoiceNode:
    """The plays that begin with one card: how many cards, then what is asked for, as far as there is a choice."""
    by_cards: dict[str, list[Action]] = {}
    for action in plays:
        by_cards.setdefault(action.split()[1], []).append(action)
    if len(by_cards) == 1:
        return asking_node(f"card {card}", card, plays)
    return answer(f"card {card}", [asking_node(f"cards {cards}", card, actions) for cards, actions in by_cards.items()], card=card)


def asking_node(name: str, card: str, plays: Sequence[Action]) -> ChoiceNode:
    """The plays of the same cards, of which `card` is the first: what they can ask for."""
    leaves = [ChoiceNode(single(action, card)) for action in plays]
    return leaves[0] if len(leaves) == 1 else answer(name, leaves, card=card)


def answer(name: str, below: Sequence[ChoiceNode], first: int = 0, card: str | None = None) -> ChoiceNode:
    """An answer with what comes after it."""
    actions = tuple(action for node in below for action in node.choice.actions)
    return ChoiceNode(Choice(name, actions, answer=True, card=card), below, first)


# Suits


def by_suit(card: int) -> tuple[int, int]:
    """Sorts cards as a hand is held: by suit, then by rank."""
    return card % 4, card // 4


def pivot(state: State) -> int:
    """The suit that most plays have: the one asked for, else that of the top card."""
    assert state.top is not None
    if isinstance(state.effect, Request) and state.effect.value in SUITS:
        return SUITS.index(state.effect.value)
    return state.top % 4


def suit_nodes(cards: Mapping[int, ChoiceNode], middle: int) -> list[ChoiceNode]:
    """A node a suit, one of them before the middle one: its only card, or an answer that leads to its cards."""
    suits = [(middle + step) % len(SUITS) for step in (-1, 0, 1, 2)]
    found = [(suit, [cards[card] for card in sorted(cards) if card % 4 == suit]) for suit in suits]
    return [nodes[0] if len(nodes) == 1 else answer(f"suit {SUITS[suit]}", nodes, len(nodes) // 2) for suit, nodes in found if nodes]


def begin_at(ring: Sequence[ChoiceNode], suit: int) -> int:
    """Where a suit stands in a ring; its beginning if that has none."""
    return next((number for number, node in enumerate(ring) if suit_of(node.choice.name) == SUITS[suit]), 0)


def suit_of(name: str) -> str:
    """The suit of a choice of cards, "" if it is none."""
    _, _, cards = name.partition(" ")
    return cards[:1]


# After the game


def after_the_game(state: State, answers: Sequence[str]) -> list[Choice]:
    """Another game with the same options. With a physical deck the cards turned up are asked for. [3]"""
    if not state.setup.hidden:
        return [NEW_GAME]
    up = [name.removeprefix("up ") for name in answers if name.startswith("up ")]
    if up and not is_special(CARDS[up[-1]]):
        return [replace(NEW_GAME, next={"up": ",".join(up)})]
    possible = can_come_up(state.setup.players, up)
    if answers and answers[-1].startswith("suit"):
        return [Choice(f"up {card}", answer=True) for card in possible if card[0] == suit_of(answers[-1])]
    return [Choice(f"suit {suit}", tuple(f"up {card}" for card in possible if card[0] == suit), answer=True) for suit in SUITS]


def can_come_up(players: int, up: Iterable[str]) -> list[str]:
    """The cards that can be turned up after these: the last that leaves a stock must be the one to play on. [3]"""
    before = list(up)
    last = len(before) + 2 == len(DECK) - HAND_AT_START * players
    return [NAMES[card] for card in sorted(DECK, key=by_suit) if NAMES[card] not in before and not (last and is_special(card))]
