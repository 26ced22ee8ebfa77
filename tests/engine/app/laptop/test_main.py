"""`underboard play`: how a table is opened and closed, and what is said when it cannot be."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import fill
from tests.web.browserless import Follower
from underboard.engine.app.config import state_folder
from underboard.engine.app.laptop.launch import LaunchedTable, LaunchRequest, launch
from underboard.engine.app.laptop.main import read_options
from underboard.engine.app.listen import free_port
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.cli.main import main
from underboard.engine.journal.database import Entry, read_match
from underboard.engine.journal.history import entry
from underboard.engine.journal.writer import JournalWriter
from underboard.engine.referee.curtain import REST_MS
from underboard.engine.referee.events import Did
from underboard.web.server import listen

Start = Callable[..., Any]
EVERY_DEVICE = {"board": "ready", "oled": "ready", "reader": "ready"}
DEAL = ("out=0,5", "red=0,1,2,5", "yellow=1,3,3", "target=1", "hands=open")


def ask(port: int, command: dict[str, object]) -> None:
    """Sends a command to a running table."""
    with Follower(port) as page:
        page.until(lambda _: True)
        assert page.do(command) == (204, "")


def watch(port: int, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Follows a running table until what is to be seen is as wanted."""
    with Follower(port) as page:
        return page.until(until)


def test_a_table_is_opened_and_played_and_closed(play: Start) -> None:
    table = play("hack_trick", *DEAL)
    assert table.greeting.startswith(f"hack_trick at {table.url}\nA new game begins, kept in {table.journal}\n")
    ask(table.port, {"do": "choose", "name": "start 1"})
    assert watch(table.port, lambda seen: seen["phase"] == "main")["to_move"] == "yellow"
    before = time.monotonic()
    status, output, errors = table.stop()
    assert time.monotonic() - before < 1
    assert (status, errors) == (0, "")
    assert str(table.journal) in output


def test_a_table_with_an_open_page_closes_as_quickly(play: Start) -> None:
    table = play("hack_trick")
    with Follower(table.port) as page:
        assert page.message()
        before = time.monotonic()
        assert table.stop()[0] == 0
        assert time.monotonic() - before < 1


def test_the_table_says_how_its_devices_are(play: Start, capfd: pytest.CaptureFixture[str]) -> None:
    table = play("hack_trick", *DEAL, "board=pico")
    watch(table.port, lambda seen: {device["device"]: device["state"] for device in seen["health"]} == EVERY_DEVICE)
    assert main(["status", "--port", str(table.port)]) == 0
    told = capfd.readouterr().out
    assert "board    ready" in told
    assert "frames" in told


@pytest.mark.parametrize("board", ["gpio", "pico"])
def test_the_game_in_the_journal_goes_on(board: str, play: Start) -> None:
    first = play("hack_trick", *DEAL, f"board={board}")
    ask(first.port, {"do": "choose", "name": "start 1"})
    watch(first.port, lambda seen: "infect 3" in seen["choices"])
    time.sleep(REST_MS / 1000)  # somebody else is to move, and reads first
    ask(first.port, {"do": "choose", "name": "infect 3"})
    watch(first.port, lambda seen: "4b" in seen["targets"])
    ask(first.port, {"do": "place", "space": "4b", "token": "yellow"})
    watch(first.port, lambda seen: seen["phase"] == "call")
    first.stop()
    second = play()
    assert "The game goes on that was kept in" in second.greeting
    # Until the Pico answers there is no board; on a busy computer that takes long enough to be said.
    seen = watch(second.port, lambda seen: seen["sensed"] == ["4b"] and seen["alert"] is None)
    assert (seen["phase"], seen["tokens"]) == ("call", {"4b": "yellow"})
    assert "the game goes on" in [entry["text"] for entry in seen["log"]]


@pytest.mark.parametrize("wanted", [("hack_trick", "--new"), ("hack_trick", "--seed", "5"), ("hack_trick", "target=2")])
def test_a_new_game_begins_if_one_is_wanted(play: Start, wanted: tuple[str, ...]) -> None:
    first = play("hack_trick", *DEAL)
    ask(first.port, {"do": "choose", "name": "start 1"})
    watch(first.port, lambda seen: seen["phase"] == "main")
    first.stop()
    second = play(*wanted)
    assert "A new game begins" in second.greeting
    assert watch(second.port, bool)["phase"] == "start"


def test_a_match_that_is_won_does_not_go_on(tmp_path: Path) -> None:
    launched = begin(f"journal={tmp_path / 'j'}", "seed=1", "target=1")
    play_to_the_end(launched)
    again = launch(wanted(f"journal={tmp_path / 'j'}"))
    assert not again.resumed
    again.journal.close()


def play_to_the_end(launched: LaunchedTable) -> None:
    """Writes any game from beginning to end, and closes the journal."""
    table = launched.table
    session = table.session
    while not table.setup.game.over(session.state):
        action = session.game.legal(session.state)[0]
        session, _ = session.do(action)
        write(launched.journal, action)
    launched.journal.close()


def wanted(*words: str) -> LaunchRequest:
    """What is asked for with these words."""
    request = read_options(["hack_trick", *words], 0).request
    assert request is not None
    return request


def begin(*words: str) -> LaunchedTable:
    """A new game whose beginning is in the journal."""
    launched = launch(wanted(*words))
    assert not launched.resumed
    for effect in launched.effects:
        if isinstance(effect, Did):
            launched.journal.append(entry(effect, launched.table), datetime(2024, 1, 1, tzinfo=UTC), 0)
    return launched


def write(journal: JournalWriter, action: str) -> None:
    """An action after which nothing stands on the board."""
    journal.append(Entry("do", action, []), datetime(2024, 1, 1, tzinfo=UTC), 0)


def test_a_match_goes_on_after_a_game(tmp_path: Path) -> None:
    launched = begin(f"journal={tmp_path / 'j'}", "seed=1", "target=9")
    play_to_the_end(launched)
    again = launch(wanted(f"journal={tmp_path / 'j'}"))
    assert again.resumed
    assert again.table.selected == "next"
    again.journal.close()


def test_the_language_of_the_game_is_kept_until_another_is_wanted(tmp_path: Path) -> None:
    journal = f"journal={tmp_path / 'j'}"
    first = begin(journal, "seed=1", "lang=nl")
    first.journal.close()
    second = launch(wanted(journal))
    assert second.table.language == "nl"
    second.journal.close()
    third = launch(wanted(journal, "lang=hu"))
    assert (third.resumed, third.table.language) == (True, "hu")
    third.journal.close()


def test_a_damaged_journal_is_moved_aside(play: Start, tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    journal.write_bytes(b"SQLite format 3\0" + bytes(52) + b"Undb" + b"no database at all" * 100)
    table = play("hack_trick")
    assert "A new game begins" in table.greeting
    seen = watch(table.port, bool)
    errors = table.stop()[2]
    assert f"moved to {journal}.damaged-1" in errors
    assert seen["log"][0]["text"] in errors
    assert Path(f"{journal}.damaged-1").read_bytes().endswith(b"no database at all")


def test_a_journal_whose_entries_make_no_game_is_moved_aside(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    first = begin(f"journal={journal}", "seed=1")
    write(first.journal, "infect 99")
    first.journal.close()
    second = launch(wanted(f"journal={journal}"))
    assert not second.resumed
    assert f"moved to {journal}.damaged-1" in second.journal.notes[0]
    second.journal.close()
    with sqlite3.connect(f"{journal}.damaged-1") as kept:
        assert kept.execute("SELECT count(*) FROM entries").fetchone() == (2,)
    kept.close()


def test_a_full_disk_is_an_alert_and_the_game_goes_on(small_disk: Path, play: Start) -> None:
    filling = small_disk / "filling"
    fill(filling)
    table = play("hack_trick", *DEAL)
    assert watch(table.port, lambda seen: seen["alert"] is not None)["alert"]["code"] == "not_saved"
    ask(table.port, {"do": "choose", "name": "start 1"})
    assert watch(table.port, lambda seen: seen["phase"] == "main")["screen"][-1] == "! NOT SAVED"
    filling.unlink()
    watch(table.port, lambda seen: seen["alert"] is None)
    status, output, errors = table.stop()
    assert status == 0
    assert f"The game is kept in {table.journal}." in output
    assert "the game is only kept in memory" in errors
    assert [row.action for row in read_match(table.journal)] == ["new_game hack_trick", "start 1"]


def test_a_game_that_could_not_be_kept_is_said_at_the_end(small_disk: Path, play: Start) -> None:
    fill(small_disk / "filling")
    table = play("hack_trick", *DEAL)
    watch(table.port, lambda seen: seen["alert"] is not None)
    status, output, _ = table.stop()
    assert status == 0
    assert f"The game could not be kept in {table.journal}." in output


def test_a_journal_in_use_is_left_alone(play: Start, capfd: pytest.CaptureFixture[str]) -> None:
    table = play("hack_trick")
    assert main(["play", "--no-browser", "--port", "0", "--journal", str(table.journal)]) == 2
    assert "another table is using this journal" in capfd.readouterr().err


def test_a_busy_port_is_said_with_a_free_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with listen(0) as taken:
        port = taken.getsockname()[1]
        journal = tmp_path / "j"
        assert main(["play", "--no-browser", "--port", str(port), "--journal", str(journal)]) == 2
        text = capfd.readouterr().err
        free = free_port(port)
        assert text == f"port {port} cannot be used (Address already in use): try --port {free}\n"
        listen(free).close()
        assert not journal.exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "unknown game 'chess': known are hack_trick"),
        (["hack_trick", "colour=blue"], "unknown option 'colour': allowed are"),
        (["hack_trick", "target=0"], "target=0"),
        (["target"], "unknown game 'target'"),
        (["hack_trick", "word"], "'word' is not an option"),
        (["--lang", "xx"], f"lang=xx: allowed are {', '.join(LANGUAGES)}"),
        (["hack_trick", "--seed", "x"], "seed=x: a whole number"),
        (["hack_trick", "seed=1", "--seed", "2"], "option 'seed' is given twice"),
        (["virus_wars", "dealer=reader"], "dealer=reader: virus_wars has no cards"),
        (["hack_trick", "dealer=reader", "cards=hidden"], "no reader is needed"),
        (["--new"], "--new: name the game that this is for"),
        (["hack_trick", "--host", "203.0.113.9"], "this computer has no such address"),
        (["--name", "game.example", "--name", "game:8020"], "--name game:8020: a name of this computer is needed"),
        (["--journal", "/proc/no/such/place"], "/proc/no/such/place"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_a_reason(
    arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["play", "--no-browser", "--port", "0", *arguments]) == 2
    assert why in capfd.readouterr().err


@pytest.mark.parametrize("port", ["x", "-1", "65536", "²"])
def test_a_port_has_a_number(port: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", f"--port={port}"])
    assert ended.value.code == 2
    assert "is no port" in capfd.readouterr().err


def test_a_game_is_named_or_chosen_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    request = wanted("target=2", "four=yellow")
    assert (request.game_id, request.options) == ("hack_trick", {"target": "2", "four": "yellow"})
    assert read_options([], 0).request is None
    assert read_options(["lang=hu"], 0).language == "hu"
    with pytest.raises(BadArgument, match="unknown game 'go'"):
        read_options(["go"], 0)
    with pytest.raises(BadArgument, match="target=2: name the game that this is for"):
        read_options(["target=2"], 0)


def test_all_addresses_of_a_table_are_said(play: Start) -> None:
    greeting = play("hack_trick", "--host", "0.0.0.0", "--name", "game.example").greeting
    key = re.search(r"http://[0-9.]+(:[0-9]+/\S+/)", greeting)
    assert key
    assert f"\nalso at http://game.example{key[1]}\n" in greeting


def test_options_may_stand_behind_others(play: Start) -> None:
    assert "A new game begins" in play("hack_trick", "--lang", "en", "target=1").greeting


def test_games_are_kept_where_programs_keep_their_state(monkeypatch: pytest.MonkeyPatch) -> None:
    assert state_folder({"XDG_STATE_HOME": "/var/tmp/state"}) == Path("/var/tmp/state/underboard")
    home = Path.home() / ".local" / "state" / "underboard"
    assert state_folder({}) == state_folder({"XDG_STATE_HOME": "relative"}) == home
    monkeypatch.setenv("XDG_STATE_HOME", "/var/tmp/state")
    assert wanted().journal == Path("/var/tmp/state/underboard/play-hack_trick.sqlite3")


def test_other_commands_do_not_load_the_web_server() -> None:
    code = (
        "import sys; from underboard.engine.cli.main import parser; parser()\n"
        "sys.exit(any(name in sys.modules for name in ('uvicorn', 'starlette', 'gpiozero')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
