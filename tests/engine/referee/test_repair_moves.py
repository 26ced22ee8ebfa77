"""From any arrangement of tokens back to the game: following the panel takes the fewest moves there are."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.alert import Alert, RepairMove
from underboard.engine.referee.events import BoardRead, Ordered, TimePassed
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.repair_moves import next_move
from underboard.engine.referee.state import WRONG_MS, TableState
from underboard.engine.referee.step import step

BOARDS = {
    "hack_trick": {},
    "sequence_numbers": {"board": "house8"},
    "spy": {"track": "on"},
    "virus_wars": {"size": "6"},
}
seeds = st.integers(0, 10_000)


def after_a_power_cut(game_id: str, seed: int) -> TableState:
    """A table in mid-game on which anything may have been moved."""
    table, _ = open_table(new_setup(game_id, BOARDS[game_id], seed, hands="open"))
    random = Random(seed)
    for _ in range(random.randrange(40)):
        if legal := table.setup.game.legal(table.state):
            table, _ = step(table, Ordered(random.choice(legal)), 0)
    return replace(table, restarted=True, rearranging=False)


def alert_of(table: TableState, tokens: frozenset[str], now: int) -> tuple[TableState, Alert | None]:
    """The table a while after these tokens have been seen, and what it says is wrong."""
    table, _ = step(table, BoardRead(tokens, True), now)
    table, _ = step(table, TimePassed(), now + WRONG_MS)
    return table, find_alert(table)


def obeyed(tokens: frozenset[str], alert: Alert) -> frozenset[str]:
    """The tokens after what the panel asks for."""
    if alert.move is None:
        return tokens - {alert.wrong[0]}
    return (tokens - {alert.move.start}) | {alert.move.to}


@pytest.mark.parametrize("game_id", sorted(BOARDS))
@settings(max_examples=40, deadline=None)
@given(seed=seeds, data=st.data())
def test_the_moves_are_the_fewest_and_lead_back_to_the_game(game_id: str, seed: int, data: st.DataObject) -> None:
    table = after_a_power_cut(game_id, seed)
    spaces = sorted(table.setup.overlay.spaces)
    tokens = frozenset(data.draw(st.lists(st.sampled_from(spaces), unique=True, max_size=20)))
    state, moves, now = table.state, 0, 0
    table, alert = alert_of(table, tokens, now)
    surplus = sum(max(0, len(each.does) - len(each.should)) for each in table.board.different().values())
    gone = sum(max(0, len(each.should) - len(each.does)) for each in table.board.different().values())
    assume(not table.matches)  # what stands there can be an action that was done meanwhile: that is asked about
    assume(not table.over)  # the tokens are being put away
    while alert is not None and moves < 100:
        tokens, moves, now = obeyed(tokens, alert), moves + 1, now + 2 * WRONG_MS
        table, alert = alert_of(table, tokens, now)
        assume(not table.matches)
    assert table.state == state
    assert moves == max(surplus, gone)


def test_a_token_goes_to_the_nearest_place_that_lacks_one() -> None:
    table = replace(open_table(new_setup("virus_wars", {"size": "6"}, 1, hands="open"))[0])
    assert next_move(table, ["a1", "f6"], ["b6", "f5"]) == RepairMove("f6", "f5", (), 2)
    assert next_move(table, ["a1"], ["b6", "a2", "b1"]) == RepairMove("a1", "a2", (), 3)


def test_the_panel_says_which_token_comes_back() -> None:
    table, _ = open_table(new_setup("spy", {"track": "on"}, 1, hands="open"))
    assert next_move(table, [], ["red0"]) == RepairMove(None, "red0", ("RED",), 1)
