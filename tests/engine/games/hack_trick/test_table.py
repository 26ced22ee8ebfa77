"""Hack Trick at the table: how many key presses a turn takes; a token tells its server, and with it the card."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, KeyPressed, Ordered
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step

HIDDEN = {"cards": "hidden", "out": "0,5"}
MOST = 6
"""Key presses that a player bears for the longest turn: SPY, INFECT with the giant, a call."""


def read(at: TableState, tokens: frozenset[str]) -> TableState:
    return step(at, BoardRead(tokens, True), 0)[0]


def chosen(at: TableState, name: str) -> tuple[TableState, int]:
    """The table after a choice, and how many key presses it took, round the ring."""
    names = [choice.name for choice in at.choices]
    way = (names.index(name) - at.cursor) % len(names)
    key, count = ("right", way) if way <= len(names) - way else ("left", len(names) - way)
    for pressed in (*[key] * count, "ok"):
        at, _ = step(at, KeyPressed(pressed), at.keys_rest_until)
    return at, count + 1


def infected(at: TableState, action: Action) -> tuple[TableState, int]:
    """The table after an INFECT by its tokens: enemies come off, the new one goes on, then the table asks what it cannot see."""
    change = at.changes[action]
    site = change.puts[0]
    standing = at.layout.spaces
    left = frozenset(space for space in standing if space[0] not in change.clears)
    free = next(space for space in sorted(at.sites[site]) if space not in standing)
    before = at.session.now.ply
    at = read(read(at, left), left | {free})
    if at.session.now.ply > before:
        assert at.session.now.action == action
        return at, 0
    return chosen(at, action)


def turns(at: TableState) -> Iterator[tuple[str, TableState, int]]:
    """Every turn from its beginning, and the key presses it took."""
    names = [choice.name for choice in at.choices]
    for name in names:
        if name.startswith(("start", "draw")):
            yield name, *chosen(at, name)
    yield from ((f"INFECT {words}", after, count) for words, after, count in infections(at))
    if "spy" in names:
        spied, count = chosen(at, "spy")
        yield from ((f"SPY, {words}", after, count + more) for words, after, more in turns(spied))


def infections(at: TableState) -> Iterator[tuple[str, TableState, int]]:
    """Every INFECT with every call after it."""
    for action in at.changes:
        after, count = infected(at, action)
        calls = [name for choice in after.choices for name in choice.actions] if after.state.phase == "call" else []
        for call in calls:
            called, more = called_by_key(after, call)
            yield f"{action}, {call}", called, count + more
        if not calls:
            yield action, after, count


def called_by_key(at: TableState, call: Action) -> tuple[TableState, int]:
    """The table after a call; a long OK pays with the giant."""
    plain = call.removesuffix(" giant")
    names = [choice.name for choice in at.choices]
    if call in names:
        return chosen(at, call)
    way = (names.index(plain) - at.cursor) % len(names)
    for _ in range(way):
        at, _ = step(at, KeyPressed("right"), at.keys_rest_until)
    return step(at, KeyPressed("ok", held=True), at.keys_rest_until)[0], min(way, len(names) - way) + 1


def positions(options: dict[str, str], seed: int) -> Iterator[TableState]:
    """The beginnings of turns in a random game, the tokens where the game has them."""
    random = Random(seed)
    at = read(open_table(new_setup("hack_trick", options, seed, hands="open"))[0], frozenset())
    while not at.over:
        if at.state.phase != "call" and not at.state.spied:
            yield at
        at = step(at, Ordered(random.choice(at.setup.game.legal(at.state))), 0)[0]
        at = read(at, at.layout.spaces)


@pytest.mark.parametrize("options", [{}, HIDDEN], ids=["open", "hidden"])
def test_six_keys_are_enough_for_every_turn(options: dict[str, str]) -> None:
    seen: set[str] = set()
    for seed in range(3):
        for at in positions(options, seed):
            for name, after, count in turns(at):
                assert after.session.now.ply > at.session.now.ply, name
                assert count <= MOST, f"{name}: {count} key presses at {at.state}"
                seen |= set(name.replace(",", "").split())
    assert seen >= {"start", "draw", "SPY", "INFECT", "giant", "hack", "firewall", "end"}
