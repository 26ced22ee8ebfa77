"""Playbacks: what is to be seen after each line of a script or a journal, and what is said of files that are neither."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.database import open_journal
from underboard.engine.referee.actions import open_table
from underboard.engine.scripting.parser import ScriptError
from underboard.engine.scripting.playback import playback
from underboard.engine.scripting.runner import replay
from underboard.engine.view.snapshot import pieces_on

TABLE = "table hack_trick out=0,5 red=0,1,2,5 yellow=1,3,3 target=1"
TO_THE_CALL = (TABLE, "choose start 1", "choose infect 3", "place 4b")
DARK = bytes(128 * 64 // 8)


class Watched:
    """A whole playback: its head, and its frames put together as the page does it."""

    def __init__(self, path: Path) -> None:
        records = [json.loads(json.dumps(record)) for record in playback(path, path.name)]
        self.head: Mapping[str, Any] = records[0]["playback"]
        self.news: Sequence[Mapping[str, Any]] = [record["frame"] for record in records[1:]]
        self.frames: list[Mapping[str, Any]] = []
        before: Mapping[str, Any] = {"log": []}
        for news in self.news:
            before = {**before, **news, "log": [*before["log"], *news.get("log", [])]}
            self.frames.append(before)

    def log_texts(self, moment: int) -> list[str]:
        return [entry["text"] for entry in self.frames[moment]["log"]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.table"


def watch(path: Path, *lines: str) -> Watched:
    path.write_text("\n".join(lines), encoding="utf-8")
    return Watched(path)


def test_there_is_a_frame_for_each_line(path: Path) -> None:
    seen = watch(path, "# an evening", TABLE, "", "choose start 1", "choose infect 3", "place 4b", "expect to_move == red")
    assert seen.head["name"] == "evening.table"
    assert seen.head["kind"] == "script"
    assert seen.head["text"] == path.read_text()
    assert [line["number"] for line in seen.head["lines"]] == [2, 4, 5, 6, 7]
    assert [frame["line"] for frame in seen.frames] == [2, 4, 5, 6, 7]
    assert seen.frames[2]["screen"][1] == "1+3 = 4"
    assert seen.frames[2]["targets"] == ["4a", "4b", "4c"]
    assert [frame["tokens"] for frame in seen.frames[2:4]] == [{}, {"4b": "yellow"}]
    assert seen.frames[3]["did"] == ["infect 3"]
    assert seen.log_texts(3)[-1] == "YELLOW plays 3: 1+3 = 4"
    assert seen.frames[3]["failure"] is None
    assert seen.frames[4]["failure"] == 'to_move == red: it is "yellow"'
    assert [frame["t"] for frame in seen.frames] == sorted(frame["t"] for frame in seen.frames)


def test_a_playback_shows_what_the_replay_of_the_script_reports(path: Path) -> None:
    seen = watch(path, *TO_THE_CALL, "place 9a", "wait 5s", "lift 9a")
    for frame, (report, failure) in zip(seen.frames, replay(path), strict=True):
        assert failure == frame["failure"]
        same = ("t", "did", "screen", "alert", "sensed", "expected", "to_move", "phase", "choices", "selected")
        assert {key: frame[key] for key in same} == {key: report[key] for key in same}


def test_frames_hold_only_what_is_new(path: Path) -> None:
    seen = watch(path, *TO_THE_CALL, "wait 1s")
    assert seen.news[0].keys() >= {"board", "labels", "display", "hands"}
    assert not seen.news[1].keys() & {"board", "labels", "faults"}
    assert seen.news[-1].keys() == {"line", "t", "did"}


def test_a_giant_is_seen_as_one(path: Path) -> None:
    seen = watch(path, TABLE, "choose start 1", "choose infect 3", "key right", "place 4b", "lift 4b", "place 4b")
    assert [frame["tokens"] for frame in seen.frames[-3:]] == [{"4b": "yellow giant"}, {}, {"4b": "yellow giant"}]


def test_a_token_that_replaces_another_is_seen_before_the_table_has_been_told() -> None:
    seen = Watched(Path(__file__).parents[2] / "scripts" / "virus_wars" / "whole_game.table")
    moments = [line["text"] for line in seen.head["lines"]]
    lifted = moments.index("lift a1")
    assert moments[lifted : lifted + 3] == ["lift a1", "place a1", "key ok"]
    assert [frame["tokens"].get("a1") for frame in seen.frames[lifted - 1 : lifted + 3]] == ["red", None, "blue", "blue zombie"]


def test_faults_and_power_are_seen(path: Path) -> None:
    seen = watch(path, *TO_THE_CALL, "fault cell 9a stuck=closed", "wait 5s", "power cut", "lift 4b", "power on", "wait 5s")
    assert seen.frames[5]["faults"]["cells"] == {"9a": "closed"}
    assert seen.frames[5]["alert"]["cells"] == ["9a"]
    assert seen.frames[5]["contacts"] == ["4b", "9a"]
    assert [frame["power"] for frame in seen.frames[5:9]] == [True, False, False, True]
    assert base64.b64decode(seen.frames[6]["display"]) == DARK
    assert base64.b64decode(seen.frames[8]["display"]) != DARK
    assert [frame["tokens"] for frame in seen.frames[6:8]] == [{"4b": "yellow"}, {}]
    assert seen.frames[9]["phase"] == "call"


def test_a_script_leaves_no_files(path: Path) -> None:
    seen = watch(path, f"{TABLE} journal={path.parent / 'journal'}", f"snap {path.parent / 'panel.png'}")
    assert len(seen.frames) == 2
    assert [file.name for file in path.parent.iterdir()] == ["evening.table"]


def test_a_journal_is_shown_as_the_script_of_its_last_match(path: Path) -> None:
    journal = path.parent / "journal.sqlite3"
    watch_script = [TO_THE_CALL[0] + f" journal={journal}", *TO_THE_CALL[1:]]
    path.write_text("\n".join(watch_script), encoding="utf-8")
    assert [failure for _, failure in replay(path)] == [None] * 4
    seen = Watched(journal)
    assert seen.head["kind"] == "journal"
    assert "choose infect 3\nplace 4b\n" in seen.head["text"]
    assert seen.frames[-1]["tokens"] == {"4b": "yellow"}
    assert {frame["failure"] for frame in seen.frames} == {None}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "evening.table, line 1: the script has no `table` line"),
        (f"{TABLE}\nplace 99".encode(), "evening.table, line 2: there is no space '99'"),
        (b"table hack_trick red=9,9", "evening.table, line 1: "),
        (b"\xff\xfe", "evening.table: this is no text in UTF-8"),
        (b"SQLite format 3\0 and nothing more", "evening.table: this is no readable journal"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(path: Path, content: bytes, why: str) -> None:
    path.write_bytes(content)
    with pytest.raises(ScriptError) as refused:
        list(playback(path, path.name))
    assert str(refused.value).startswith(why)


def test_a_journal_without_a_game_and_no_file_at_all(path: Path) -> None:
    open_journal(path).journal.close()
    with pytest.raises(ScriptError, match=r"evening\.table: there is no game in this journal"):
        list(playback(path, path.name))
    with pytest.raises(ScriptError, match=r"nothing\.table: No such file"):
        list(playback(path.parent / "nothing.table", "nothing.table"))


def test_the_program_makes_playbacks_of_files_and_of_its_input(path: Path) -> None:
    path.write_text("\n".join(TO_THE_CALL), encoding="utf-8")
    command = [sys.executable, "-m", "underboard.engine.scripting.playback"]
    by_path = subprocess.run([*command, str(path)], capture_output=True, check=True)
    by_input = subprocess.run([*command, "--name", path.name], input=path.read_bytes(), capture_output=True, check=True)
    assert by_path.stdout == by_input.stdout
    assert len(by_path.stdout.splitlines()) == 1 + len(TO_THE_CALL)
    refused = subprocess.run([*command, "--name", "a.table"], input=b"fly", capture_output=True, check=False)
    assert refused.returncode == 2
    assert json.loads(refused.stdout)["error"].startswith("a.table, line 1: ")
    assert refused.stderr == b""


def test_pieces_that_the_game_knows_nothing_of_stay_what_they_were() -> None:
    table, _ = open_table(new_setup("hack_trick", {}, 1), "en")
    page = find_presentation(table.setup.game.id)
    assert pieces_on(table, page, ["4b", "9a"], {"9a": "yellow giant"}) == {"4b": "red", "9a": "yellow giant"}
