"""Playing table scripts: the shape of the reports, the clock, hands, faults, power; what `expect` means."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from underboard.engine.scripting.expectations import MISSING, holds, look_up
from underboard.engine.scripting.parser import Expectation, ScriptError, expectation
from underboard.engine.scripting.runner import replay

TABLE = "table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5 seed=4"
KEYS: Mapping[str, Any] = {
    "line": int,
    "t": int,
    "command": str,
    "did": list,
    "say": list,
    "to_move": str,
    "phase": str,
    "screen": list,
    "choices": list,
    "selected": str,
    "alert": (dict, type(None)),
    "sensed": list,
    "expected": list,
    "devices": dict,
    "outcome": dict,
}
"""What the contract promises of each line of output."""

Report = Mapping[str, Any]


class Played:
    """What came of a script: the reports, and the failures by line."""

    def __init__(self, path: Path) -> None:
        self.reports: list[Report] = []
        self.failures: dict[int, str] = {}
        for report, failure in replay(path):
            self.reports.append(json.loads(json.dumps(report)))
            if failure is not None:
                self.failures[report["line"]] = failure

    @property
    def last(self) -> Report:
        return self.reports[-1]

    def did(self) -> list[str]:
        return [action for report in self.reports for action in report["did"]]

    def after(self, command: str) -> Report:
        """The report of the last command of that text."""
        return next(report for report in reversed(self.reports) if report["command"] == command)


Play = Callable[..., Played]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    def one(*lines: str, table: str = TABLE) -> Played:
        path = tmp_path / "evening.table"
        path.write_text("\n".join([table, *lines]), encoding="utf-8")
        return Played(path)

    return one


def alert_of(report: Report) -> tuple[str, list[str]] | None:
    return (report["alert"]["code"], report["alert"]["cells"]) if report["alert"] else None


# Reports


def test_every_line_has_one_report_with_the_keys_of_the_contract(play: Play) -> None:
    played = play(
        "choose start 1  # a comment", "", "together", "place 9a", "end", "wait 1s", "expect to_move == yellow", "fault oled detach"
    )
    assert [report["line"] for report in played.reports] == [1, 2, 4, 5, 6, 7, 8, 9]
    assert [report["command"] for report in played.reports][1:3] == ["choose start 1", "together"]
    for report in played.reports:
        assert set(report) == set(KEYS)
        for key, kind in KEYS.items():
            assert isinstance(report[key], kind), key
        assert set(report["devices"]) == {"board", "oled", "reader"}
    times = [report["t"] for report in played.reports]
    assert times == sorted(times)
    assert played.failures == {}


def test_what_the_example_of_the_contract_shows(play: Play) -> None:
    played = play("choose start 1", "choose infect 3", "place 4a")
    assert played.reports[1]["did"] == ["start 1"]
    assert played.reports[1]["say"] == [{"say": "sum", "of": "red", "value": 6}, {"say": "sum", "of": "yellow", "value": 9}]
    assert played.reports[2]["screen"][1] == "1+3 = 4"
    last = played.last
    assert (last["did"], last["to_move"], last["phase"]) == (["infect 3"], "yellow", "call")
    assert (last["choices"], last["selected"]) == (["hack", "firewall", "end"], "end")
    assert (last["alert"], last["sensed"], last["expected"]) == (None, ["4a"], ["4a"])
    assert last["devices"] == {"board": "ready", "oled": "ready", "reader": "absent"}
    assert last["outcome"] == {"over": False}


def test_an_alert_has_code_cells_and_text(play: Play) -> None:
    alert = play("choose start 1", "choose infect 3", "place 9b").last["alert"]
    assert set(alert) == {"code", "cells", "text"}
    assert (alert["code"], alert["cells"]) == ("wrong_place", ["9b", "4a", "4b", "4c"])
    assert alert["text"] == "The token on 9b is in the wrong place: it may go to 4."


@pytest.mark.parametrize("language", ["hu", "nl", "hy"])
def test_the_panel_speaks_the_language_of_the_table_and_codes_stay(play: Play, language: str) -> None:
    foreign = play("choose start 1", "choose infect 3", "place 9b", table=f"{TABLE} lang={language} oled=sh1106")
    english = play("choose start 1", "choose infect 3", "place 9b")
    assert foreign.reports[1]["screen"] != english.reports[1]["screen"]
    assert foreign.last["alert"]["text"] != english.last["alert"]["text"]
    assert alert_of(foreign.last) == alert_of(english.last)
    assert foreign.last["choices"] == english.last["choices"]


def test_the_same_script_gives_the_same_reports(play: Play) -> None:
    lines = ("choose start 1", "choose draw", "choose draw", "fault matrix noise=1%", "place 9a", "fault cell 4a chatter=1s", "wait 2s")
    assert play(*lines).reports == play(*lines).reports


# Time


def test_nothing_waits_together_but_wait(play: Play) -> None:
    played = play("choose start 1", "together", "place 4a", "lift 4a", "key left", "do infect 3", "wait 7ms", "end")
    times = [report["t"] for report in played.reports]
    assert len(set(times[1:7])) == 1
    assert times[7] == times[6] + 7
    assert times[8] > times[7]


def test_a_lone_wait_passes_at_least_its_time(play: Play) -> None:
    played = play("wait 1500ms", "wait 2min")
    before, short, long = (report["t"] for report in played.reports)
    assert short - before >= 1500
    assert long - short >= 120_000


def test_after_a_line_the_table_is_quiet(play: Play) -> None:
    played = play("choose start 1", "place 9a")
    assert alert_of(played.last) is not None  # settled, and judged
    assert played.last["sensed"] == ["9a"]


def test_keys_together_are_pressed_one_after_the_other(play: Play) -> None:
    played = play("together", "key ok", "key right", "key right", "key ok", "wait 1s", "end")
    assert played.did() == ["start 2"]


def test_choose_together_takes_the_time_of_its_keys(play: Play) -> None:
    played = play("together", "choose start 4", "wait 100ms", "wait 2s", "end")
    assert played.did() == ["start 4"]
    assert played.reports[3]["did"] == []


# Hands


def test_a_slide_stays_on_every_space_for_its_dwell(play: Play) -> None:
    played = play("choose start 1", "together", "slide 1a 2a 3a dwell=300ms", *["wait 100ms"] * 9, "end")
    seen = [report["sensed"] for report in played.reports[3:12]]
    assert [spaces for number, spaces in enumerate(seen) if len(spaces) == 1 and spaces != seen[number - 1]] == [["1a"], ["2a"], ["3a"]]


def test_a_slide_takes_the_token_that_stands_there(play: Play) -> None:
    played = play("choose start 1", "place 9a", "slide 9a 8a")
    assert played.last["sensed"] == ["8a"]
    assert played.failures == {}


def test_hands_cannot_do_what_cannot_be_done(play: Play) -> None:
    played = play(
        "lift 4a", "place 4a", "place 4a", "place 5a", "slide 4a 5a", "choose dinner", "power on", "power cut", "power cut", "do start 1"
    )
    assert played.failures == {
        2: "no token stands on 4a",
        4: "a token stands on 4a already",
        6: "a token stands on 5a already",
        7: "there is no choice 'dinner': there are start 0, start 1, start 2, start 4",
        8: "the power is on already",
        10: "the power is off already",
        11: "the power is off",
    }
    assert len(played.reports) == 11


@pytest.mark.parametrize(
    ("hold", "held"), [("10ms", None), ("80ms", "press"), ("800ms", "press"), ("985ms", "press"), ("1s", "hold"), ("3s", "hold")]
)
def test_how_long_a_key_is_held(play: Play, hold: str, held: str | None) -> None:
    """https://github.com/gpiozero/gpiozero/issues/697 : let go at 0.99 s is no hold, and a hold is one only."""
    played = play("choose start 1", "choose infect 3", f"key back hold={hold}")
    assert played.last["did"] == (["undo"] if held == "hold" else [])
    assert (played.last["choices"] == ["infect 3", "infect 3 giant"]) == (held is None)


def test_a_key_that_is_down_at_power_on_means_nothing(play: Play) -> None:
    played = play("choose start 1", "together", "key back hold=5s", "wait 200ms", "power cut", "power on", "wait 4s", "end", "wait 2s")
    assert played.did() == ["start 1"]


# Faults


def test_a_display_that_is_pulled_out_and_comes_back(play: Play) -> None:
    played = play("choose start 1", "fault oled detach", "choose infect 3", "place 4a", "fault oled attach", "wait 6s", "key ok")
    assert alert_of(played.after("fault oled detach")) == ("oled_absent", [])
    assert played.after("fault oled detach")["devices"]["oled"] == "absent"
    assert played.after("fault oled detach")["screen"] == []
    assert played.after("place 4a")["did"] == ["infect 3"]
    assert (played.last["alert"], played.last["devices"]["oled"]) == (None, "ready")
    assert played.last["screen"][1] == "‹end turn›"


def test_one_transfer_that_fails_heals_itself(play: Play) -> None:
    played = play("choose start 1", "fault oled errno=121 times=1", "choose infect 3", "expect screen has 1+3 = 4", "expect alert == null")
    assert played.failures == {}


def test_a_bus_that_hangs_for_half_a_minute_delays_no_token(play: Play) -> None:
    """https://github.com/raspberrypi/linux/issues/6057"""
    played = play(
        "choose start 1",
        "fault oled errno=110 times=100000",
        "choose infect 3",
        "place 4a",
        "fault oled errno=0 times=0",
        "wait 6s",
        "key ok",
    )
    assert played.after("place 4a")["did"] == ["infect 3"]
    assert alert_of(played.after("place 4a")) == ("oled_absent", [])
    assert (played.last["alert"], played.last["screen"][1]) == (None, "‹end turn›")


def test_the_wall_clock_may_jump(play: Play) -> None:
    """https://github.com/guysoft/OctoPi/issues/606"""
    played = play("choose start 1", "fault clock +14d", "choose infect 3", "fault clock -28d", "place 4a", "expect alert == null")
    assert played.did() == ["start 1", "infect 3"]
    assert played.failures == {}
    assert max(report["t"] for report in played.reports) < 10_000


def test_a_stuck_sensor_is_said_and_can_be_played_around(play: Play) -> None:
    played = play("choose start 1", "choose infect 3", "fault cell 4a stuck=open", "place 4a", "lift 4a", "place 4b")
    assert played.after("place 4a")["did"] == []
    assert played.last["did"] == ["infect 3"]


def test_a_chattering_sensor_is_named_until_it_is_calm(play: Play) -> None:
    """https://github.com/UltimateHackingKeyboard/firmware/issues/128"""
    played = play(
        "choose start 1", "choose infect 3", "together", "fault cell 9c chatter=2s", "wait 1s", "place 4b", "wait 500ms", "end", "wait 1s"
    )
    assert alert_of(played.reports[5]) == ("faulty_cell", ["9c"])
    assert played.did()[-1] == "infect 3"
    assert played.last["alert"] is None


def test_noise_is_never_a_move(play: Play) -> None:
    """https://github.com/brettmclean/pad4pi/issues/7 : 1 % of the samples are wrong."""
    played = play("choose start 1", "place 4a", "key ok", "fault matrix noise=1%", "wait 2min")
    assert played.last["did"] == []
    assert (played.last["alert"], played.last["sensed"]) == (None, ["4a"])


# Power


def test_nothing_is_lost_and_nothing_is_seen_while_the_power_is_off(play: Play) -> None:
    played = play("choose start 1", "choose infect 3", "place 4a", "power cut", "expect screen == []", "key ok", "wait 1s", "power on")
    off = played.after("wait 1s")
    assert set(off) == set(KEYS)
    assert (off["screen"], off["to_move"], off["alert"], off["outcome"]) == ([], None, None, None)
    on = played.last
    assert (on["to_move"], on["phase"], on["expected"], on["alert"], on["did"]) == ("yellow", "call", ["4a"], None, [])
    assert played.failures == {}


def test_a_card_chosen_is_forgotten_by_a_power_cut_but_not_the_game(play: Play) -> None:
    played = play("choose start 1", "choose infect 3", "power cut", "power on", "choose infect 5", "place 6a")
    assert played.did() == ["start 1", "infect 5"]


def test_cards_come_as_they_would_have_without_the_power_cut(play: Play) -> None:
    draws = ["choose start 1", "choose draw", "choose draw"]
    assert play(*draws).did() == play(draws[0], draws[1], "power cut", "power on", draws[2]).did()


def test_the_journal_is_kept_where_the_script_says(play: Play, tmp_path: Path) -> None:
    played = play("choose start 1", table=f"{TABLE} journal={tmp_path / 'a' / 'journal'}")
    assert played.failures == {}
    assert (tmp_path / "a" / "journal").is_file()


# Pictures


@pytest.mark.parametrize("oled", ["ssd1306", "sh1106"])
def test_a_snapshot_is_what_the_panel_shows(play: Play, tmp_path: Path, oled: str) -> None:
    one, two, dark = (tmp_path / f"{name}.png" for name in ("one", "two", "dark"))
    played = play(f"snap {one}", "choose start 1", f"snap {two}", "fault oled detach", f"snap {dark}", table=f"{TABLE} oled={oled}")
    assert played.failures == {}
    pictures = [Image.open(path) for path in (one, two, dark)]
    assert {picture.size for picture in pictures} == {(128, 64)}
    assert pictures[0].tobytes() != pictures[1].tobytes()
    assert pictures[2].getextrema() == (0, 0)


@pytest.mark.parametrize("name", ["no/such/folder/a.png", "a.nothing"])
def test_a_snapshot_that_cannot_be_written_fails(play: Play, tmp_path: Path, name: str) -> None:
    assert list(play(f"snap {tmp_path / name}").failures) == [2]


# Expectations


VALUES: Mapping[str, Any] = {
    "did": ["infect 3"],
    "selected": "end",
    "alert": None,
    "screen": ["RED    0:0     last 4", "4+3 = 7"],
    "say": [{"say": "win", "points": 2}],
    "outcome": {"over": True, "points": 1, "servers": [1, 6, 8]},
    "t": 1,
}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('did == ["infect 3"]', True),
        ('did == ["infect 4"]', False),
        ("did == infect 3", False),
        ("did has infect 3", True),
        ('did has "infect 3"', True),
        ("did has infect", False),
        ("did hasnt infect 4", True),
        ('did != ["infect 4"]', True),
        ("did != []", True),
        ("selected == end", True),
        ('selected == "end"', True),
        ("selected has nd", True),
        ("selected hasnt x", True),
        ("alert == null", True),
        ("alert != null", False),
        ("alert.code == missing", False),
        ("alert.code != missing", True),
        ("screen has 4+3 = 7", True),
        ('screen has "RED    0:0"', True),
        ("screen hasnt YELLOW", True),
        ('say has {"points": 2, "say": "win"}', True),
        ('say has {"say": "win"}', False),
        ("say.0.points == 2", True),
        ("say.1.points == 2", False),
        ("outcome.over == true", True),
        ("outcome.over == 1", False),
        ("outcome.points == 1", True),
        ("outcome.points == true", False),
        ("outcome.servers has 6", True),
        ("outcome.servers hasnt 6", False),
        ("outcome has over", True),
        ("nothing == 1", False),
        ("nothing has 1", False),
        ("nothing hasnt 1", True),
    ],
)
def test_expect(text: str, right: bool) -> None:
    wanted: Expectation = expectation(text)
    assert holds(look_up(VALUES, wanted.path), wanted) == right


def test_a_path_that_leads_nowhere() -> None:
    assert look_up(VALUES, "outcome.servers.7") is MISSING
    assert look_up(VALUES, "selected.0") is MISSING
    assert look_up(VALUES, "outcome.servers.-1") is MISSING


def test_an_expectation_is_about_the_line_before_and_says_what_it_found(play: Play) -> None:
    played = play("choose start 1", 'expect did == ["start 1"]', "expect did has start 2", "expect phase == call", "expect colour == red")
    assert played.failures == {
        4: 'did has start 2: it is ["start 1"]',
        5: 'phase == call: it is "main"',
        6: "colour == red: it is nothing of that name",
    }
    assert {report["t"] for report in played.reports[1:]} == {played.reports[1]["t"]}


def test_a_script_that_the_game_refuses_names_its_line(play: Play, tmp_path: Path) -> None:
    for options in ("four=blue", "colour=red", "red=1,2", "target=0"):
        with pytest.raises(ScriptError, match=rf"evening.table, line 1: .*{options.split('=')[0]}"):
            play(table=f"table hack_trick {options}")
    with pytest.raises(ScriptError, match="nowhere"):
        Played(tmp_path / "nowhere.table")
    (tmp_path / "noise.table").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScriptError, match=r"noise.table"):
        Played(tmp_path / "noise.table")


def test_a_script_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "bom.table"
    path.write_text(TABLE, encoding="utf-8-sig")
    assert Played(path).failures == {}
