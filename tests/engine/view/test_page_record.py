"""The page's record: one builder for all pages, and nothing of a hand in what everybody sees."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.view.callers import in_service, on_laptop, running_table, script_in_the_middle
from underboard.engine.app.pixels import pixels
from underboard.engine.gamekit.registry import game_ids
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table, perform
from underboard.engine.referee.state import TableState
from underboard.engine.scripting.playback import PageRecorder
from underboard.engine.view.page_record import Surroundings, page_record
from underboard.engine.view.report import report
from underboard.engine.view.visibility import seen_by, seen_by_reader

NOTHING_AROUND = Surroundings({}, (), "", (), (), draw=pixels)
PUBLIC = set(
    "place board labels language ply facts to_move phase alert sensed expected devices outcome game seats seat_names sides status wrong"
    " targets lift winning dealing pieces piece put_back tokens card_names screen display buzzer log health power contacts reader hands"
    " figures choices selected playable curtain may_act secret".split()
)
"""What everybody may see: a field that is to be public is added here as well, after a second thought."""

TURN = {"status", "alert", "wrong", "targets", "lift", "piece", "choices", "selected", "playable", "screen", "display"}
"""What the seat to move sees otherwise than the others."""


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
        assert all(card is None or other == seat or lies_open(card) for other, hand in seen["hands"].items() for card in hand)
        assert seen["may_act"] == (seat == record.public["to_move"])
        assert seen["may_act"] or (seen["choices"], seen["selected"], seen["playable"]) == ([], None, {})
    assert all(card is None or lies_open(card) for hand in seen_by("watch", record)["hands"].values() for card in hand)
    assert seen_by("table", record).keys() == seen_by_reader(record).keys()


def lies_open(card: str) -> bool:
    """Whether everybody sees this part of a SPY base: an exposed card, or the spy."""
    return card.startswith("[") or card in "▶◀"


@settings(max_examples=20)
@given(st.sampled_from(game_ids()), st.integers(0, 10**6), st.integers(0, 12))
def test_laptop_service_and_playback_show_the_same_of_the_same_table(game_id: str, seed: int, plies: int) -> None:
    with script_in_the_middle(game_id, seed, plies) as runner:
        table = running_table(runner)
        played_back = PageRecorder(runner).record()
    laptop, service = on_laptop(table), in_service(table)
    assert same(seen_by_reader(laptop)) == same(played_back)
    for audience in ("table", "seat 1", "seat 2", "watch"):
        assert same(seen_by(audience, laptop)) == same(seen_by(audience, service))


def same(seen: Mapping[str, Any]) -> dict[str, Any]:
    """What does not depend on how long a program has run, and on what sort of box."""
    return {key: value for key, value in seen.items() if key not in ("log", "health", "faults")}


@pytest.mark.parametrize("game_id", game_ids())
def test_each_part_of_the_record_is_named_field_by_field(game_id: str) -> None:
    record = page_record(in_the_middle(game_id, 1, 3), NOTHING_AROUND)
    assert record.public.keys() == PUBLIC
    assert {frozenset(part) for part in record.seats.values()} == {frozenset({"hands"}), frozenset({"hands", "may_act", *TURN})}
    assert record.table.keys() - TURN == {"hands", "links", "may_act", "curtain"}


@pytest.mark.parametrize("game_id", ["hack_trick", "makao"])
def test_the_tables_page_lays_no_hand_open_where_the_mover_has_no_secret_and_after_the_game(game_id: str) -> None:
    random = Random(1)
    table = in_the_middle(game_id, 1, 0)
    while not table.over:
        table, _ = perform(table, table.setup.game.pick(table.state, random))
        if not table.keeps_secret:
            record = page_record(table, NOTHING_AROUND)
            assert seen_by("table", record)["hands"] == seen_by("watch", record)["hands"]
    assert any(None in hand for hand in seen_by("table", record)["hands"].values())


def test_the_seat_to_move_is_told_that_it_is_its_turn_and_the_others_whose_turn_it_is() -> None:
    record = page_record(in_the_middle("hack_trick", 1, 0), NOTHING_AROUND)
    assert [seen_by(audience, record)["status"] for audience in ("seat 1", "seat 2", "watch", "table")] == [
        "RED: your turn",
        *["RED to move"] * 3,
    ]


def test_a_field_added_to_the_report_is_seen_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underboard.engine.view.page_record.report", lambda table, words: {**report(table, words), "next_card": "R4"})
    record = page_record(in_the_middle("hack_trick", 1, 3), NOTHING_AROUND)
    assert not any("next_card" in part for part in (record.public, *record.seats.values(), record.table))


def test_a_real_box_has_no_faults_to_be_made_on_the_page() -> None:
    table = in_the_middle("hack_trick", 1, 0)
    assert "faults" not in page_record(table, NOTHING_AROUND).public
    broken = Surroundings({}, (), "", (), (), draw=pixels, faults={"cells": {}})
    assert page_record(table, broken).public["faults"] == {"cells": {}}
