"""`underboard run` as a process: what the service manager hears, what `status` says, signals, exit statuses, resuming."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from underboard.engine.cli.main import main
from underboard.engine.journal.database import open_journal, read_match
from underboard.version import find_version

START_S = 20
STOPPED, CONFIG_WRONG, NO_PINS, NO_JOURNAL = 0, 2, 3, 4
"""Exit statuses as `underboard run --help` has them."""


class Run:
    """`underboard run` with a service manager that listens."""

    def __init__(self, folder: Path, *arguments: str, watchdog_s: float = 0) -> None:
        self.folder = folder
        self.status_socket = folder / "run" / "status.sock"
        (folder / "run").mkdir(exist_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify = folder / "notify"
        notify.unlink(missing_ok=True)
        self._listener.bind(str(notify))
        self._listener.settimeout(START_S)
        environment = {"NOTIFY_SOCKET": str(notify), "STATE_DIRECTORY": str(folder / "state"), "RUNTIME_DIRECTORY": str(folder / "run")}
        if watchdog_s:
            environment["WATCHDOG_USEC"] = str(int(watchdog_s * 1_000_000))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "underboard", "run", *arguments],
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )

    def hear(self, until: str) -> list[str]:
        """What the service manager is told, up to the line *until*."""
        told = []
        while until not in told:
            told.append(self._listener.recv(4096).decode())
        return told

    def status(self, capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
        """What `underboard status` says of it."""
        capfd.readouterr()
        main(["status", "--json", "--socket", str(self.status_socket)])
        told: dict[str, Any] = json.loads(capfd.readouterr().out)
        return told

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Exit status and log after a signal."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=10)
        return self.process.returncode, errors.decode()

    def close(self) -> None:
        """Ends it if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        assert self.process.stderr
        self.process.stderr.close()
        self._listener.close()


Start = Callable[..., Run]


PLAYED = "game.begin = 'hack_trick'"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts tables in one folder; those still running are ended after the test."""
    tables: list[Run] = []

    def begin(*arguments: str, config: str = PLAYED, watchdog_s: float = 0) -> Run:
        (tmp_path / "table.toml").write_text(config, encoding="utf-8")
        tables.append(Run(tmp_path, "--config", str(tmp_path / "table.toml"), *arguments, watchdog_s=watchdog_s))
        return tables[-1]

    yield begin
    for table in tables:
        table.close()


def test_the_service_manager_hears_when_the_game_can_be_played_and_that_it_lives(start: Start) -> None:
    table = start("--simulated", watchdog_s=0.4)
    told = table.hear("READY=1")
    assert "STATUS=hack_trick: red to move (start); board ready, oled ready, reader absent" in told
    before = time.monotonic()
    for _ in range(4):
        table.hear("WATCHDOG=1")
    assert time.monotonic() - before < 2 * 0.4


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_and_the_game_is_kept(start: Start, number: int) -> None:
    table = start("--simulated")
    table.hear("READY=1")
    before = time.monotonic()
    status, log = table.stop(number)
    assert time.monotonic() - before < 5
    assert status == STOPPED
    assert "The game is kept in" in log
    assert "Traceback" not in log
    assert not table.status_socket.exists()
    assert [entry.kind for entry in read_match(table.folder / "state" / "journal.sqlite3")] == ["new"]


def test_the_status(start: Start, capfd: pytest.CaptureFixture[str]) -> None:
    table = start("--simulated", config="game.begin = 'virus_wars'\nboard.wired_to = 'pico'")
    table.hear("READY=1")
    told = table.status(capfd)
    assert (told["game"], told["to_move"] in ("red", "blue"), told["outcome"]["over"]) == ("virus_wars", True, False)
    assert {device["device"]: device["state"] for device in told["devices"]} == {"board": "ready", "oled": "ready"}
    assert told["journal"]["file"] == str(table.folder / "state" / "journal.sqlite3")
    assert (told["pid"], told["last_error"]) == (table.process.pid, None)
    assert told["version"] == find_version()
    assert main(["status", "--socket", str(table.status_socket)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith(f"game     virus_wars, {told['to_move']} to move")
    assert "board    ready" in lines
    _, log = table.stop()
    assert log.splitlines()[0] == f"Underboard {find_version()}"


def test_the_same_game_goes_on_until_a_new_one_is_wanted(start: Start, capfd: pytest.CaptureFixture[str]) -> None:
    table = start("--simulated", config="game.begin = 'spy'")
    table.hear("READY=1")
    table.stop(signal.SIGKILL)
    table = start("--simulated", config="game.begin = 'hack_trick'")
    table.hear("READY=1")
    assert table.status(capfd)["game"] == "spy"
    table.stop()
    table = start("--simulated", "--new")
    table.hear("READY=1")
    assert table.status(capfd)["game"] == "hack_trick"


def test_a_reader_deals_from_the_deck(start: Start, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table = start("--simulated", config=f"{PLAYED}\ngame.dealer = 'reader'\ngame.deck = 'deck.toml'\n")
    assert "STATUS=hack_trick: cards are dealt; board ready, oled ready, reader ready" in table.hear("READY=1")
    status, log = table.stop()
    assert (status, "cards have no tag yet: underboard cards learn hack_trick" in log) == (0, True)


def test_a_deck_that_was_learnt_is_known_whatever_game_is_played(start: Start, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "cards-hack_trick.toml").write_text('game = "hack_trick"\n[cards]\n"0" = ["04006A3F1C"]\n', encoding="utf-8")
    (tmp_path / "state" / "cards-sequence_numbers.toml").write_text("game = 'spy'", encoding="utf-8")
    table = start("--simulated", config="game.begin = 'virus_wars'")
    table.hear("READY=1")
    assert [device["device"] for device in table.status(capfd)["devices"]] == ["board", "oled", "reader"]
    status, log = table.stop()
    assert status == 0
    assert "cards-hack_trick.toml: 17 cards have no tag yet" in log
    assert "cards-sequence_numbers.toml: " in log


def test_the_game_is_chosen_at_the_table(start: Start, capfd: pytest.CaptureFixture[str]) -> None:
    table = start("--simulated", config="game.begin = ''")
    assert "STATUS=hack_trick: set-up; board ready, oled ready, reader absent" in table.hear("READY=1")
    assert table.status(capfd)["phase"] == "set_up"


def test_a_game_begun_on_a_larger_board_makes_room_for_another(start: Start, capfd: pytest.CaptureFixture[str]) -> None:
    table = start("--simulated", config="game.begin = 'hack_trick'")
    table.hear("READY=1")
    table.stop()
    table = start("--simulated", config="board = { rows = [4, 5], columns = [6, 7] }")
    table.hear("READY=1")
    assert table.status(capfd)["phase"] == "set_up"
    assert "the game that is kept, hack_trick, is too large for this board of 2 x 2: another one begins" in table.stop()[1]


@pytest.mark.parametrize(
    ("config", "exit_status", "said"),
    [
        ("[board]\nrows = [2]\n[kees]\n", CONFIG_WRONG, ["kees: there is no such table", "board.rows: row 1 on GPIO 2"]),
        ("board.cell_map = 'none.toml'", CONFIG_WRONG, ["board.cell_map: there is no file", "`underboard selftest` writes it"]),
        ("game.journal = '/dev/null/journal'", NO_JOURNAL, ["/dev/null/journal: "]),
        ("", NO_PINS, ["the lines of the header cannot be used: ", "`underboard play`"]),
    ],
)
def test_what_cannot_be_started_says_why_with_an_exit_status_of_its_own(
    start: Start, config: str, exit_status: int, said: list[str]
) -> None:
    if exit_status == NO_PINS and any(Path("/dev").glob("gpiochip*")):
        pytest.skip("this computer has lines of its own")
    table = start(config=config)
    assert table.process.wait(START_S) == exit_status
    _, log = table.stop()
    for text in said:
        assert text in log
    assert "Traceback" not in log


def test_a_second_table_on_the_same_journal_is_refused(start: Start, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    journal = open_journal(tmp_path / "state" / "journal.sqlite3").journal
    table = start("--simulated")
    assert table.process.wait(START_S) == NO_JOURNAL
    journal.close()


def test_a_journal_of_a_newer_program_is_refused_and_kept(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.sqlite3"
    open_journal(path).journal.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=7")
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    table = start("--simulated")
    assert table.process.wait(START_S) == NO_JOURNAL
    assert f"{path}: this journal was written by a newer Underboard" in table.stop()[1]
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_the_map_of_another_matrix(start: Start, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "cells.toml").write_text("rows = 8\ncolumns = 10", encoding="utf-8")
    table = start("--simulated")
    assert table.process.wait(START_S) == CONFIG_WRONG
    assert "cells.toml: this is the map of 8 x 10 sensors, the board has 10 x 10: `underboard selftest`" in table.stop()[1]


def test_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--socket", str(tmp_path / "status.sock")]) == 2
    said = capsys.readouterr().err
    assert "sudo systemctl start underboard" in said
    assert "--port" in said
