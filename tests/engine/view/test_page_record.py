"""The page's record: one builder for all pages, and nothing of a hand in what everybody sees."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.engine.gamekit.registry import game_ids
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table, perform
from underboard.engine.referee.state import TableState
from underboard.engine.view.page_record import PageRecord, Surroundings, page_record
from underboard.engine.view.visibility import seen_by, seen_by_reader

NOTHING_AROUND = Surroundings({}, (), "", (), ())


def in_the_middle(game_id: str, seed: int, plies: int) -> TableState:
    """A table on which so many random actions have been done."""
    table, _ = open_table(new_setup(game_id, {}, seed))
    random = Random(seed)
    for _ in range(plies):
        if not table.over:
            table, _ = perform(table, table.setup.game.pick(table.state, random))
    return table


@settings(max_examples=60)
@given(st.sampled_from(game_ids()), st.integers(0, 10**6), st.integers(0, 40))
def test_every_eye_gets_a_page_of_json_and_only_its_own_hand(game_id: str, seed: int, plies: int) -> None:
    table = in_the_middle(game_id, seed, plies)
    record = page_record(table, NOTHING_AROUND)
    seats = table.setup.game.seats(table.state)
    assert tuple(record.seats) == seats
    for number, seat in enumerate(seats, 1):
        seen = seen_by(f"seat {number}", record)
        assert json.loads(json.dumps(seen)) == json.loads(json.dumps(dict(seen)))
        assert set(seen["hands"]) <= {seat}
        assert seen["playable"] == ({} if seat != record.public["to_move"] else record.table["playable"])
    assert seen_by("watch", record)["hands"] == {}
    assert seen_by("table", record).keys() == seen_by_reader(record).keys()


@pytest.mark.parametrize("game_id", game_ids())
def test_what_everybody_sees_is_named_field_by_field(game_id: str) -> None:
    """A field added to the report or to a game's page does not become public by itself."""
    record = page_record(in_the_middle(game_id, 1, 3), NOTHING_AROUND)
    assert not {"choices", "selected", "hands", "playable", "links"} & record.public.keys()
    assert isinstance(record, PageRecord)


def test_a_real_box_has_no_faults_to_be_made_on_the_page() -> None:
    table = in_the_middle("hack_trick", 1, 0)
    assert "faults" not in page_record(table, NOTHING_AROUND).public
    broken = Surroundings({}, (), "", (), (), faults={"cells": {}})
    assert page_record(table, broken).public["faults"] == {"cells": {}}
