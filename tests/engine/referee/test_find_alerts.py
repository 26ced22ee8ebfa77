"""Alerts: which one comes first, what it says, and that it fits the panel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.base.errors import Text
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.panel import shortened, wrapped
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.alert import ALERTS, Alert, RepairMove
from underboard.engine.referee.find_alerts import find_alert, surplus_and_gone
from underboard.engine.referee.state import TableState
from underboard.hardware.panel.picture import problems

ENGLISH = find_words("en")


def table(standing: str = "", sensed: str = "", **changes: Any) -> TableState:
    """A table in phase `start`, where no token may move."""
    opened, _ = open_table(new_setup("hack_trick", {}, 1, hands="open"))
    layout = replace(opened.layout, spaces=frozenset(standing.split()))
    return replace(opened, layout=layout, sensed=frozenset(sensed.split()), settled=True, **changes)


def test_nothing_is_wrong_at_a_new_table() -> None:
    assert find_alert(table()) is None


def test_the_most_urgent_comes_first() -> None:
    """What the game has refused, that there is no board, what its sensors say, then what one can play on with."""
    causes: list[tuple[str, dict[str, Any]]] = [
        ("illegal", {"notice": Text("no", {})}),
        ("board_absent", {"devices": {"board": "absent", "oled": "absent", "reader": "ready"}}),
        ("ambiguous", {"ambiguous": frozenset({"2a", "2b"})}),
        ("wrong_place", {"wrong": True}),
        ("not_saved", {"unsaved": Text("the disk is full", {})}),
        ("faulty_cell", {"faulty": frozenset({"3a"})}),
        ("oled_absent", {"devices": {"board": "ready", "oled": "fault", "reader": "ready"}}),
    ]
    for number, (code, _) in enumerate(causes):
        together = {key: value for _, cause in reversed(causes[number:]) for key, value in cause.items()}
        alert = find_alert(table(sensed="9a", **together))
        assert alert is not None
        assert alert.code == code


@pytest.mark.parametrize("state", ["ready", "probing"])
def test_a_device_that_is_there_or_being_tried_is_no_alert(state: str) -> None:
    assert find_alert(table(devices={"board": state, "oled": state, "reader": "absent"})) is None


@pytest.mark.parametrize(
    ("standing", "sensed", "flags", "code", "cells"),
    [
        ("4a", "4a 9a", {}, "wrong_place", "9a"),
        ("4a", "", {}, "missing", "4a"),
        ("4a", "9a", {}, "wrong_place", "9a 4a"),
        ("4a 4b", "4c 9a", {}, "wrong_place", "9a 4a 4b"),
        ("4a", "9a", {"rearranging": True}, "wrong_place", "9a 4a"),
        ("4a", "4a 9a", {"rearranging": True}, "extra", "9a"),
        ("4a", "", {"rearranging": True}, "missing", "4a"),
        ("4a", "9a", {"restarted": True}, "wrong_place", "9a 4a"),
        ("4a", "4b 9a", {"masked": frozenset({"9a"})}, "faulty_cell", "9a"),
    ],
)
def test_what_is_wrong_with_the_tokens(standing: str, sensed: str, flags: dict[str, Any], code: str, cells: str) -> None:
    at = table(standing, sensed, **flags)
    alert = find_alert(replace(at, wrong=bool(at.board.different())))
    assert alert is not None
    assert (alert.code, " ".join(alert.cells)) == (code, cells)


def test_surplus_tokens_are_those_on_new_spaces() -> None:
    assert surplus_and_gone(table("4a 5a 5b", "4a 4b 5c 9a")) == (("4b", "9a"), ("5a", "5b"))


@pytest.mark.parametrize(
    ("alert", "text"),
    [
        (Alert("wrong_place", ("5b",), ("4a", "4b", "4c"), ("4",)), "The token on 5b is in the wrong place: it may go to 4."),
        (Alert("wrong_place", ("9a",)), "No token may go to 9a now: take it off."),
        (Alert("wrong_place", ("5b", "6a"), ("4a",), ("4",)), "The tokens on 5b 6a are in the wrong place: they may go to 4."),
        (Alert("wrong_place", ("9a", "9b")), "No tokens may go to 9a 9b now: take them off."),
        (Alert("missing", ("4a",)), "A token is missing on 4a: put it back."),
        (Alert("missing", ("4a", "4b")), "Tokens are missing on 4a 4b: put them back."),
        (Alert("missing", ("4a", "4b"), tokens=1), "A token is missing on 4a 4b: put it back."),
        (Alert("extra", ("4a",)), "There is one token too many on 4a: take it off."),
        (Alert("extra", ("4a", "5a")), "There are tokens too many on 4a 5a: take them off."),
        (Alert("extra", ("4a", "4b", "4c"), tokens=1), "There is one token too many on 4a 4b 4c: take one of them off."),
        (Alert("extra", ("4a", "4b", "4c"), tokens=2), "There are 2 tokens too many on 4a 4b 4c: take 2 of them off."),
        (Alert("faulty_cell", ("4a",)), "The sensor of 4a is not trusted: the game goes on without it."),
        (Alert("faulty_cell", ("4a", "4b")), "The sensors of 4a 4b are not trusted: the game goes on without them."),
        (Alert("illegal", reason=Text("{card} may not follow {last}", {"card": 3, "last": 3})), "3 may not follow 3"),
    ],
)
def test_an_alert_says_what_is_wrong_and_what_to_do(alert: Alert, text: str) -> None:
    assert alert.text(ENGLISH) == text


def alerts() -> Iterator[Alert]:
    for code in ALERTS:
        if not ALERTS[code].text:  # these come with a reason
            yield Alert(
                code, reason=Text("a reason that is so long that it cannot stand in one line of the panel, nor in two or even three", {})
            )
        else:
            yield Alert(code, ("4a",))
            yield Alert(code, tuple(f"{server}{letter}" for server in range(1, 10) for letter in "abc"))
            yield Alert(code, ("@r10c10",), ("4a", "4b", "5a"), ("4", "5"))
            for start, to in (("@r10c10", "yellow5"), ("yellow5", "blue5"), (None, "yellow5")):
                yield Alert(code, ("@r10c10",), ("yellow5",), ("yellow5",), move=RepairMove(start, to, ("YELLOW", "zombie"), 36))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_alert_has_a_text_and_those_that_stop_the_game_a_screen(language: str) -> None:
    words = find_words(language)
    for alert in alerts():
        assert alert.text(words)
        if alert.reason or alert.texts.hints[0]:
            for restored in (0, 1, 1234):
                assert problems(alert.lines(words, restored)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_panel_names_the_token_that_comes_back(language: str) -> None:
    words = find_words(language)
    for seat in ("RED", "YELLOW", "BLUE"):
        for piece in ((seat,), (seat, "giant"), (seat, "zombie")):
            line = Alert("missing", ("4a",), move=RepairMove(None, "4a", piece)).lines(words, restored=0)[2].text
            assert line.endswith(" ".join(map(words, piece)))


def test_an_alert_that_stops_the_game_says_what_to_do_about_it() -> None:
    for texts in ALERTS.values():
        assert texts.title
        assert texts.plays_on or not texts.text or all(texts.hints)
        assert not (texts.plays_on and any(texts.hints))


def test_an_alert_says_that_ok_takes_back_where_it_does() -> None:
    alert = Alert("missing", ("4a",))
    assert [line.text for line in alert.lines(ENGLISH, restored=0)] == ["TOKEN MISSING", "4a", "Put it back.", "Is it there? Hold OK"]
    assert alert.lines(ENGLISH, restored=1)[-1].text == "OK: take it back"


@given(text=st.text(alphabet="ab ", max_size=40), width=st.integers(2, 21))
def test_shortened_text_fits_and_is_whole_if_it_can_be(text: str, width: int) -> None:
    short = shortened(text, width)
    assert len(short) <= width
    assert short == text if len(text) <= width else short.endswith("…")


def test_long_reasons_are_wrapped() -> None:
    assert wrapped("one two three", 7, 3) == ["one two", "three"]
    assert wrapped("one two three four five six", 5, 2) == ["one", "two…"]
