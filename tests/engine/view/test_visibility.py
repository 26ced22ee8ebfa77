"""Visibility: no hand leaves for anybody but its seat."""

from __future__ import annotations

import json

import pytest

from underboard.engine.view.page_record import PageRecord
from underboard.engine.view.visibility import seen_by, seen_by_reader

RECORD = PageRecord(
    public={"place": "table", "to_move": "yellow", "log": [{"text": "a new game begins"}]},
    seats={
        "red": {"hands": {"red": ["R4"]}, "playable": {}},
        "yellow": {"hands": {"yellow": ["Y5"]}, "playable": {"Y5": "infect Y5"}},
    },
    table={
        "hands": {"red": ["R4"], "yellow": ["Y5"]},
        "playable": {"Y5": "infect Y5"},
        "choices": ["infect Y5"],
        "selected": "infect Y5",
        "links": None,
    },
)
LINKS = {"seats": {"red": {"url": "http://secret-red"}}, "watch": {"url": "http://watch"}}
LINKED = PageRecord(RECORD.public, RECORD.seats, {**RECORD.table, "links": LINKS})


def test_on_this_computer_the_page_has_everything() -> None:
    assert seen_by("table", RECORD) == {**RECORD.public, **RECORD.table, "you": {"role": "table", "seat": None}}


def test_where_seats_have_links_the_table_has_links_and_no_hands() -> None:
    seen = seen_by("table", LINKED)
    assert seen["links"] == LINKS
    assert (seen["hands"], seen["playable"]) == ({}, {})


@pytest.mark.parametrize(
    ("audience", "seat", "hands", "playable"),
    [
        ("seat 1", "red", {"red": ["R4"]}, {}),
        ("seat 2", "yellow", {"yellow": ["Y5"]}, {"Y5": "infect Y5"}),
        ("seat 3", None, {}, {}),
        ("watch", None, {}, {}),
    ],
)
def test_others_see_their_own_hand_and_what_lies_open(audience: str, seat: str | None, hands: object, playable: object) -> None:
    seen = seen_by(audience, LINKED)
    assert seen["you"] == {"role": "watch" if audience == "watch" else "seat", "seat": seat}
    assert (seen["hands"], seen["playable"], seen["log"]) == (hands, playable, RECORD.public["log"])
    text = json.dumps(seen)
    assert "secret" not in text
    assert ("R4" in text) == (seat == "red")
    assert ("Y5" in text) == (seat == "yellow")


@pytest.mark.parametrize("audience", ["seat 1", "watch"])
def test_the_start_page_is_for_the_table_alone(audience: str) -> None:
    start = PageRecord({"place": "start", "labels": {}, "language": "en"}, {}, {"games": [1], "kept": [2]})
    assert seen_by("table", start)["kept"] == [2]
    assert seen_by(audience, start).keys() == {"place", "labels", "language", "hands", "playable", "you"}


def test_nothing_is_to_be_seen_before_there_is_anything() -> None:
    assert seen_by("seat 1", PageRecord())["you"]["seat"] is None


def test_a_game_that_is_played_back_lies_open_and_nothing_can_be_done() -> None:
    seen = seen_by_reader(RECORD)
    assert (seen["hands"], seen["playable"], seen["you"]["role"]) == (RECORD.table["hands"], {}, "watch")
