"""Sequence Numbers checked against a second, slow telling of the rules that knows nothing but the JSON of the state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import IllegalAction
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.sequence_numbers.rules import SequenceNumbers
from underboard.engine.games.sequence_numbers.state import State

GAME = SequenceNumbers()
Record = dict[str, Any]
Grid = dict[tuple[int, int], str]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))
SETTINGS = ["", "players=3 board=house8", "players=4 first=p3", "players=6 board=house8", "players=6 sides=3"]
NONSENSE = "play|play a1|play PLUS a1|play =8 i1|swap|swap PLUS|swap 4+4 4+4|draw PLUS PLUS|late x|discard|discard x|pass 1|forget 1|９|"


def grid_of(state: State) -> Grid:
    return {(x, y): text for y, row in enumerate(state.setup.layout.board.rows) for x, text in enumerate(row)}


def name(x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{y + 1}"


def number(card: str) -> int:
    left, sign, right = re.fullmatch(r"([0-9]*)([-+=])([0-9]+)", card).groups()  # type: ignore[union-attr]
    return int(right) if sign == "=" else int(left) + (1 if sign == "+" else -1) * int(right)


def possible(state: State, found: Record) -> dict[str, int]:
    """The cards that the mover has, or can have, and how many of each."""
    hand = found["hands"][found["to_move"]]
    if found["cards"] == "open":
        return Counter(hand)
    deck = Counter(card if card in ("PLUS", "MINUS") else f"={number(card)}" for card in state.setup.layout.board.deck)
    return deck - Counter(card for pile in found["discards"].values() for card in pile) if hand else Counter()


def targets(state: State, found: Record, card: str) -> list[str]:
    """Where a card can be played now."""
    free = {name(*cell): text for cell, text in grid_of(state).items() if text != "FR" and name(*cell) not in found["chips"]}
    if card == "PLUS":
        return list(free)
    if card == "MINUS":
        own = found["sides"][(int(found["to_move"][1:]) - 1) % len(found["sides"])]
        locked = {cell for sequence in found["sequences"] for cell in sequence["cells"]}
        return [cell for cell, side in found["chips"].items() if side != own and cell not in locked]
    return [cell for cell, text in free.items() if int(text) == number(card)]


def expected_main(state: State, found: Record, drawn: list[str]) -> Iterator[str]:
    unplayable = 0
    for card, count in possible(state, found).items():
        cells = targets(state, found, card)
        yield from (f"play {cell}" if card[0] == "=" else f"play {card} {cell}" for cell in cells)
        unplayable += 0 if cells else count
        if not cells and card not in ("PLUS", "MINUS") and not found["swapped"]:
            yield from (f"swap {card}{new}" for new in drawn)
    hand = found["hands"][found["to_move"]]
    if (hand if found["cards"] == "hidden" else len(hand)) <= unplayable:
        yield "pass"


def expected(state: State) -> list[str]:
    """The legal actions."""
    found = GAME.record(state)
    drawn = [""] if found["cards"] == "hidden" else [f" {card}" for card in set(found["stock"])]
    actions = [f"late{card}" for card in drawn] if found["owes"] and found["phase"] != "discard" else []
    if found["phase"] == "main":
        actions += expected_main(state, found, drawn)
    elif found["phase"] == "draw":
        actions += ["forget", *(f"draw{card}" for card in drawn)]
    elif found["phase"] == "discard":
        actions += [f"discard {card}" for card in possible(state, found)]
    return sorted(actions)


def expected_sequences(state: State, cell: str) -> list[list[str]]:
    """Of all sets of full windows that obey rule 16, the largest; of these the first. [17]"""
    found, grid = GAME.record(state), grid_of(state)
    side = found["sides"][(int(found["to_move"][1:]) - 1) % len(found["sides"])]
    corners = {name(*place) for place, text in grid.items() if text == "FR"}
    own = {place for place, owner in found["chips"].items() if owner == side} | corners | {cell}
    earlier = [sequence["cells"] for sequence in found["sequences"] if sequence["side"] == side]
    windows = []
    for right, down in DIRECTIONS:
        for x, y in grid:
            line = [name(x + step * right, y + step * down) for step in range(5) if (x + step * right, y + step * down) in grid]
            if len(line) == 5 and cell in line and set(line) <= own:
                windows.append(line)

    def agree(lines: list[list[str]]) -> bool:
        return all(len(set(one) & set(other) - corners) < 2 for one, other in combinations(lines, 2))

    windows = [line for line in windows if all(agree([line, other]) for other in earlier)]
    for size in range(min(len(windows), 8), 0, -1):
        for chosen in combinations(windows, size):
            if agree(list(chosen)):
                return list(chosen)
    return []


@pytest.mark.parametrize("mode", ["open", "hidden"])
@pytest.mark.parametrize("words", SETTINGS)
@pytest.mark.parametrize("seed", range(3))
def test_random_games(words: str, mode: str, seed: int) -> None:
    """Legal actions, sequences, round trips and refusals along a game, with some talk."""
    random = Random(seed)
    state = Session.new(GAME, Options.parse([*words.split(), f"cards={mode}", f"seed={seed}"])).state
    for ply in range(250):
        if GAME.over(state):
            break
        legal = GAME.legal(state)
        assert legal == expected(state)
        assert GAME.position(GAME.record(state)) == state
        if ply % 10 == 0:
            refuse_nonsense(state, set(legal))
        action = "talk blue" if may_talk(state) and random.random() < 0.03 else GAME.pick(state, random)
        before = state
        state, said = GAME.do(state, action)
        if action.startswith("play") and "MINUS" not in action:
            assert [word["cells"] for word in said if word["say"] == "sequence"] == expected_sequences(before, action.split()[-1])


def may_talk(state: State) -> bool:
    return GAME.phase(state) == "main" and state.setup.players > 3


def refuse_nonsense(state: State, legal: set[str]) -> None:
    for action in set(NONSENSE.split("|")) - legal:
        with pytest.raises(IllegalAction):
            GAME.do(state, action)


@pytest.mark.parametrize("seed", range(400))
def test_sequences_on_crowded_boards(seed: int) -> None:
    """One chip put among many own ones, with earlier sequences: rule 17 against all sets of windows."""
    random = Random(seed)
    found = GAME.record(
        Session.new(GAME, Options.parse(["players=4", "cards=hidden", f"board={random.choice(['house8', 'house10'])}"])).state
    )
    state = GAME.position(found)
    cells = list(state.setup.layout.space)
    for cell in random.sample(cells, len(cells) * random.choice([5, 7, 8, 9]) // 10):
        found["chips"][cell] = "blue" if random.random() < 0.9 else "green"
    state = GAME.position(found)
    blue = {cell for cell, side in found["chips"].items() if side == "blue"} | state.setup.layout.corners
    lines = [window.cells for window in state.setup.layout.window.values() if set(window.cells) <= blue]
    if lines and random.random() < 0.7:
        found["sequences"] = [{"side": "blue", "cells": list(random.choice(lines))}]
    state = GAME.position(found)
    for cell in cells:
        if cell not in found["chips"]:
            said = GAME.do(state, f"play PLUS {cell}")[1]
            assert [word["cells"] for word in said if word["say"] == "sequence"] == expected_sequences(state, cell)


@pytest.mark.parametrize("words", ["", "cards=hidden"])
def test_pick_chooses_every_legal_action_alike(words: str) -> None:
    """Also of equal cards: PLUS stands in the stock twice and counts once."""
    random = Random(1)
    state = Session.new(GAME, Options.parse(["board=house8", "seed=1", *words.split()])).state
    state = GAME.do(state, GAME.legal(state)[0])[0] if not words else state
    legal = GAME.legal(state)
    counts = Counter(GAME.pick(state, random) for _ in range(200 * len(legal)))
    assert set(counts) == set(legal)
    assert all(120 < count < 280 for count in counts.values())
