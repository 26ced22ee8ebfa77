"""Sequence Numbers: the plays of a turn as the table names them, and what each does to the chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.table import Change
from underboard.engine.games.sequence_numbers.boards import MINUS, PLUS, answer
from underboard.engine.games.sequence_numbers.choices import Holding, holdings
from underboard.engine.games.sequence_numbers.layout import Card
from underboard.engine.games.sequence_numbers.state import SIGNS, State

PLAY = "play"
"""The play of any equation with hidden cards: its space tells which."""

Plays = Mapping[str, Sequence[Action]]
"""By name ("play 4+4", "play MINUS"; hidden equations are all "play"): the actions, by their spaces in reading order."""


def number_of(card: Card) -> str:
    """What a card comes to, also one written as `=8`; "" for PLUS and MINUS."""
    value = answer(card)
    return card[1:] if card[0] == "=" else "" if value is None else str(value)


def by_answer(card: Card) -> tuple[int, int, Card]:
    """To sort cards by: equations by what they come to, then PLUS, then MINUS."""
    return (1, SIGNS.index(card), card) if card in SIGNS else (0, int(number_of(card)), card)


def sorted_holdings(state: State) -> list[Holding]:
    """The mover's cards with their spaces, sorted for players."""
    return sorted(holdings(state), key=lambda holding: by_answer(holding[0]))


def plays(state: State) -> Plays:
    """What the mover can play now; nothing but in phase `main`. [7, 8]"""
    if state.phase != "main":
        return {}
    names = state.setup.layout.names
    found: dict[str, list[Action]] = {}
    equations = 0
    for card, _, spaces in sorted_holdings(state):
        if card[0] == "=":
            equations |= spaces
        elif spaces:
            found[f"{PLAY} {card}"] = [f"{PLAY} {card} {cell}" for cell in names(spaces)]
    return {PLAY: [f"{PLAY} {cell}" for cell in names(equations)], **found} if equations else found


def card_played(name: str) -> Card | None:
    """The card of a play by its name; None where the space tells which it is."""
    return None if name == PLAY else name.removeprefix(f"{PLAY} ")


def change_of(action: Action, found: Plays) -> Change:
    """What one of these plays does to the chips. With hidden cards a PLUS where an equation can go needs a key. [8]"""
    *_, card, cell = action.split()
    if card == MINUS:
        return Change(clears=(cell,), lift_first=True)
    return Change(puts=(cell,), by_key=card == PLUS and f"{PLAY} {cell}" in found.get(PLAY, ()))
