"""Manual overrides: what is offered can be set or is refused in words, is taken back, and is in the record."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.registry import game_ids
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.games.virus_wars.table import VirusWarsTable
from underboard.engine.journal.history import entry, resume
from underboard.engine.referee.actions import OVERRIDE, open_table, override, override_names, take_back
from underboard.engine.referee.events import Did, Ordered
from underboard.engine.referee.menu.main import MainMenu
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step

seeds = st.integers(0, 10_000)


def played(game_id: str, seed: int, actions: int) -> tuple[TableState, list[Did]]:
    """A table after some random actions, and what the journal has to keep of it."""
    table, effects = open_table(new_setup(game_id, {}, seed, hands="open"))
    random = Random(seed)
    for _ in range(actions):
        legal = table.setup.game.legal(table.state)
        if not legal:
            break
        table, more = step(table, Ordered(random.choice(legal)), 0)
        effects += more
    return table, [effect for effect in effects if isinstance(effect, Did)]


@pytest.mark.parametrize(
    "game_id", sorted(game for game in game_ids() if override_names(open_table(new_setup(game, {}, 1, hands="open"))[0]))
)
@settings(max_examples=25, deadline=None)
@given(seed=seeds, actions=st.integers(0, 25), pick=seeds)
def test_an_override_is_a_position_of_the_game_can_be_taken_back_and_is_kept(game_id: str, seed: int, actions: int, pick: int) -> None:
    table, done = played(game_id, seed, actions)
    names = override_names(table)
    if not names:
        return
    name = names[pick % len(names)]
    try:
        overridden, effects = override(table, name)
    except BadArgument:
        return
    kept = [*done, *(effect for effect in effects if isinstance(effect, Did))]
    assert kept[-1].action == OVERRIDE + name
    again = resume([entry(did, table) for did in kept])
    assert (again.state, again.layout.spaces) == (overridden.state, overridden.layout.spaces)
    back, _ = take_back(overridden)
    assert (back.state, back.layout.spaces) == (table.state, table.layout.spaces)


@pytest.mark.parametrize("game_id", game_ids())
def test_most_of_what_is_offered_can_be_set(game_id: str) -> None:
    table, _ = played(game_id, 3, 8)
    refused = []
    names = override_names(table)
    for name in names:
        try:
            after, _ = override(table, name)
        except BadArgument:
            refused.append(name)
            continue
        assert after.state != table.state or name.split()[0] in ("token", "spy"), name
    assert len(refused) <= len(names) / 10, refused


@pytest.mark.parametrize(
    ("game_id", "actions", "name", "found"),
    [
        ("hack_trick", ["start 1"], "score red 2", {"score": {"red": 2, "yellow": 0}}),
        ("hack_trick", ["start 1"], "turn red", {"to_move": "red", "phase": "main"}),
        ("hack_trick", ["start 1"], "token 7 red giant", {"servers": {"7": ["R"]}}),
        ("virus_wars", ["j1"], "token c 4 red zombie", {"opened": {"blue": True, "red": True}}),
        ("virus_wars", ["j1"], "step 4", {"step": 4}),
        ("virus_wars", ["j1"], "turn red", {"to_move": "red", "step": 1}),
        ("sequence_numbers", [], "token b 1 green", {"chips": {"b1": "green"}}),
        ("sequence_numbers", [], "turn p2", {"to_move": "p2"}),
        ("spy", [], "spy red 3 L", {"spies": {"green": "0R", "red": "3L"}}),
        ("spy", [], "turn red", {"to_move": "red", "moved": False}),
    ],
)
def test_what_an_override_sets(game_id: str, actions: list[str], name: str, found: dict[str, object]) -> None:
    options = {"four": "red", "out": "0,5", "red": "0,1,2,4", "yellow": "1,3,5"} if game_id == "hack_trick" else {}
    table, _ = open_table(new_setup(game_id, options, 1, hands="open"))
    for action in actions:
        table, _ = step(table, Ordered(action), 0)
    assert name in override_names(table)
    record = table.setup.game.record(override(table, name)[0].state)
    assert {key: record[key] for key in found} == found


def test_the_board_has_to_follow() -> None:
    table, _ = open_table(new_setup("hack_trick", {}, 1, hands="open"))
    after, _ = override(table, "token 7 yellow normal")
    assert after.rearranging
    assert after.layout.spaces == {"7a"}
    assert not override(table, f"turn {'yellow' if table.setup.game.to_move(table.state) == 'red' else 'red'}")[0].rearranging


@pytest.mark.parametrize("game_id", game_ids())
def test_after_the_end_there_is_nothing_to_override(game_id: str) -> None:
    table, _ = played(game_id, 5, 3_000)
    assert table.over
    assert override_names(table) == ()


def test_a_game_may_have_nothing_that_can_be_set() -> None:
    class FixedTable(VirusWarsTable):
        overrides = None  # type: ignore[assignment]

    setup = replace(new_setup("virus_wars", {}, 1, hands="open"), table=FixedTable())
    table, _ = open_table(setup)
    assert override_names(table) == ()
    assert [choice.name for choice in replace(table, open_menu=MainMenu()).choices] == ["go on", "new game", "scores", "language"]
    with pytest.raises(BadArgument, match="'turn red' is nothing that can be set here"):
        override(table, "turn red")
