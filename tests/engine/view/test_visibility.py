"""Visibility: what is a seat's own leaves for nobody else."""

from __future__ import annotations

import json

import pytest

from underboard.engine.view.page_record import PageRecord
from underboard.engine.view.visibility import seat_of, seen_by, seen_by_reader

BACKS = {"red": [None], "yellow": [None]}
RECORD = PageRecord(
    public={"place": "table", "to_move": "yellow", "log": [{"text": "a new game begins"}], "hands": BACKS, "playable": {}},
    seats={
        "red": {"hands": {**BACKS, "red": ["R4"]}},
        "yellow": {"hands": {**BACKS, "yellow": ["Y5"]}, "playable": {"Y5": "infect Y5"}},
    },
    table={"links": {"seats": {"red": {"url": "http://secret-red"}}}, "curtain": "Hand the screen to YELLOW"},
    reader={"hands": {"red": ["R4"], "yellow": ["Y5"]}},
)


def test_the_table_sees_what_is_its_own() -> None:
    assert seen_by("table", RECORD) == {**RECORD.public, **RECORD.table, "you": {"role": "table", "seat": None}}


@pytest.mark.parametrize(
    ("audience", "seat", "playable"),
    [("seat 1", "red", {}), ("seat 2", "yellow", {"Y5": "infect Y5"}), ("seat 3", None, {}), ("watch", None, {})],
)
def test_others_see_their_own_hand_and_what_lies_open(audience: str, seat: str | None, playable: object) -> None:
    seen = seen_by(audience, RECORD)
    assert seen["you"] == {"role": "watch" if audience == "watch" else "seat", "seat": seat}
    assert (seen["hands"], seen["playable"]) == (RECORD.seats[seat]["hands"] if seat else BACKS, playable)
    text = json.dumps(seen)
    assert "secret" not in text
    assert ("R4" in text) == (seat == "red")
    assert ("Y5" in text) == (seat == "yellow")


@pytest.mark.parametrize("audience", ["seat 1", "watch"])
def test_the_start_page_is_for_the_table_alone(audience: str) -> None:
    start = PageRecord({"place": "start", "labels": {}, "language": "en"}, {}, {"games": [1], "kept": [2]})
    assert seen_by("table", start)["kept"] == [2]
    assert seen_by(audience, start).keys() == {"place", "labels", "language", "you"}


def test_nothing_is_to_be_seen_before_there_is_anything() -> None:
    assert seen_by("seat 1", PageRecord())["you"]["seat"] is None


def test_a_game_that_is_played_back_lies_open() -> None:
    seen = seen_by_reader(RECORD)
    assert (seen["hands"], seen["playable"], seen["you"]["role"]) == (RECORD.reader["hands"], {}, "watch")


@pytest.mark.parametrize(
    ("audience", "seat"), [("seat 1", "red"), ("seat 2", "yellow"), ("seat 3", None), ("seat 0", None), ("table", None), ("watch", None)]
)
def test_seats_are_counted_in_the_order_of_play(audience: str, seat: str | None) -> None:
    assert seat_of(audience, ("red", "yellow")) == seat
