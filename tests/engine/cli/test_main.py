"""The command line as a user meets it: help, exit statuses, bad input, pipes that break, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import pytest

from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.cli.main import main, parser
from underboard.engine.journal.database import Entry, open_journal
from underboard.version import find_version

UNDERBOARD = [sys.executable, "-m", "underboard"]
SCRIPT = "table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5 seed=4 journal={journal}\nchoose start 1\nchoose infect 3\nplace 4a\n"


def run(*arguments: str, text: str = "", env: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Exit status, output and errors of `underboard` as a process."""
    done = subprocess.run(
        [*UNDERBOARD, *arguments], input=text.encode(), capture_output=True, timeout=60, env={**os.environ, **(env or {})}
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "evening.table"
    path.write_text(SCRIPT.format(journal=tmp_path / "journal"), encoding="utf-8")
    return path


def commands() -> list[str]:
    actions = parser()._subparsers
    assert actions is not None
    return [name for action in actions._group_actions for name in action.choices or ()]


def test_the_commands() -> None:
    assert set(commands()) >= {"play", "replay", "export", "rules"}


@pytest.mark.parametrize("command", ["", *commands()])
def test_every_command_explains_itself(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stopped:
        main([*command.split(), "--help"])
    assert stopped.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: underboard {command}".rstrip())
    assert "\nexamples:\n" in said or "\nexample script:\n" in said
    assert "Exit status: 0" in said
    assert [line for line in said.splitlines() if len(line) > 80] == []


def test_without_a_command_all_of_them_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    said = capsys.readouterr().err
    assert [name for name in commands() if f"\n    {name} " not in said] == []


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"underboard {find_version()}\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--music"], "unrecognized arguments: --music"),
        (["dance"], "invalid choice: 'dance'"),
        (["replay", "a", "b"], "unrecognized arguments: b"),
        (["export"], "required: JOURNAL"),
        (["rules", "chess"], "unrecognized arguments: chess"),
        (["play", "--port", "http"], "'http' is no port: a number from 0 to 65535"),
        (["play", "--port", "65536"], "'65536' is no port"),
        (["play", "--brightness=5"], "usage: underboard play"),
        (["play", "--brightness=5"], "unrecognized arguments: --brightness=5"),
        (["cards", "learn"], "required: GAME\n"),
    ],
)
def test_bad_arguments(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["chess"], "chess"),
        (["hack_trick", "colour=red"], "unknown option 'colour'"),
        (["hack_trick", "four=blue"], "four=blue: allowed are red, yellow"),
        (["--lang", "xx"], f"lang=xx: allowed are {', '.join(LANGUAGES)}"),
        (["hack_trick", "--seed", "x"], "seed=x: a whole number is needed"),
        (["--seed", "5"], "seed=5: name the game that this is for"),
        (["hack_trick", "four"], "'four' is not an option"),
    ],
)
def test_a_table_that_cannot_be_played(words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words, "--port", "0", "--no-browser", "--journal", str(tmp_path / "journal")]) == 2
    assert reason in capsys.readouterr().err


# replay


def test_replay_prints_one_object_a_line(script: Path) -> None:
    status, output, errors = run("replay", str(script))
    assert (status, errors) == (0, "")
    reports = [json.loads(line) for line in output.splitlines()]
    assert [report["line"] for report in reports] == [1, 2, 3, 4]
    assert reports[-1]["did"] == ["infect 3"]


def test_replay_in_a_locale_without_letters(script: Path) -> None:
    script.write_text(script.read_text().replace("seed=4", "seed=4 lang=hy"))
    status, output, _ = run("replay", str(script), env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert status == 0
    assert "ԴԵՂԻՆ" in output


def test_an_expectation_that_fails_is_exit_1_with_its_line(script: Path) -> None:
    with script.open("a") as file:
        file.write('expect did == ["infect 4"]\nexpect phase == call\nchoose dinner\n')
    status, output, errors = run("replay", str(script))
    assert status == 1
    assert len(output.splitlines()) == 7
    assert errors.splitlines() == [
        f'{script}, line 5: did == ["infect 4"]: it is ["infect 3"]',
        f"{script}, line 7: there is no choice 'dinner': there are hack, firewall, end",
    ]


def test_a_script_that_cannot_be_read_is_exit_2_and_nothing_is_played(script: Path) -> None:
    with script.open("a") as file:
        file.write("\n# a comment\nplace z9\n")
    status, output, errors = run("replay", str(script))
    assert (status, output) == (2, "")
    assert errors.startswith(f"{script}, line 7: there is no space 'z9'")


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"", b"place 4a\n"])
def test_files_that_are_no_script(tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "no.table"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_a_journal_of_no_use(tmp_path: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "journal").mkdir()
    assert main(["replay", str(script)]) == 2
    assert str(tmp_path / "journal") in capsys.readouterr().err


def test_what_never_was_a_journal_is_refused_and_left_as_it_is(tmp_path: Path, script: Path) -> None:
    (tmp_path / "journal").write_bytes(b"a diary" * 200)
    status, output, errors = run("replay", str(script))
    assert (status, output) == (2, "")
    assert f"{tmp_path / 'journal'}: this is no journal, it is left as it is; name another file" in errors
    assert sorted(file.name for file in tmp_path.iterdir()) == [script.name, "journal"]


def test_a_damaged_journal_is_moved_aside_and_named(tmp_path: Path, script: Path) -> None:
    open_journal(tmp_path / "journal").journal.close()
    (tmp_path / "journal").write_bytes(b"a diary" * 200)
    status, output, errors = run("replay", str(script))
    assert (status, len(output.splitlines())) == (0, 4)
    assert "the journal was damaged" in errors
    assert f"{tmp_path / 'journal'}.damaged-1" in errors


# export


def test_what_was_exported_replays(tmp_path: Path, script: Path) -> None:
    assert run("replay", str(script))[0] == 0
    status, output, _ = run("export", str(tmp_path / "journal"))
    assert status == 0
    assert output.splitlines()[:4] == [
        "table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5 seed=4 lang=en",
        "choose start 1",
        "choose infect 3",
        "place 4a",
    ]
    again = tmp_path / "again.table"
    assert run("export", str(tmp_path / "journal"), "-o", str(again)) == (0, "", "")
    assert again.read_text() == output
    assert run("replay", str(again))[0] == 0


def test_exports_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, diary, strange, folder, nothing, newer = (
        tmp_path / name for name in ("empty", "diary", "strange", "folder", "nothing", "newer")
    )
    folder.mkdir()
    nothing.touch()
    open_journal(empty).journal.close()
    open_journal(newer).journal.close()
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version=7")
    diary.write_text("a diary")
    journal = open_journal(strange).journal
    journal.append(Entry("new", "new_game chess", [], {"setup": {"game": "chess", "options": {}, "seed": 1}}), datetime.now(UTC))
    journal.close()
    for path, reason in (
        (tmp_path / "nowhere", "there is no such journal"),
        (empty, "there is no game in this journal"),
        (diary, "this is no journal of a table"),
        (folder, "this is no journal of a table"),
        (nothing, "this file is empty"),
        (strange, "its entries make no game"),
        (newer, "this journal was written by a newer Underboard (schema 7, this one knows 1): update, or name another file"),
    ):
        assert main(["export", str(path)]) == 2
        said = capsys.readouterr().err
        assert str(path) in said
        assert reason in said


def test_an_export_into_a_folder_that_is_not_there(tmp_path: Path, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(script)]) == 0
    assert main(["export", str(tmp_path / "journal"), "-o", str(tmp_path / "no" / "file")]) == 2
    assert f"there is no folder {tmp_path}/no: make it" in capsys.readouterr().err


# pipes and signals


NAME = b"name\n"
"""A command that `rules` answers; `replay` reads no input."""


@contextmanager
def answering(command: str, script: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """A process that has given its first line of output, with its output and its errors."""
    arguments = [str(script)] if command == "replay" else []
    with subprocess.Popen(
        [*UNDERBOARD, command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        if command == "rules":
            say(process, NAME)
        assert process.stdout.readline()
        yield process, process.stdout, process.stderr


def say(process: subprocess.Popen[bytes], line: bytes) -> None:
    assert process.stdin
    process.stdin.write(line)
    process.stdin.flush()


@pytest.mark.parametrize("command", ["replay", "rules"])
def test_a_reader_that_goes_away_ends_the_program_in_silence(command: str, script: Path) -> None:
    with script.open("a") as file:
        file.write("wait 1s\n" * 500)
    with answering(command, script) as (process, output, errors):
        output.close()
        if command == "rules":
            say(process, NAME)
        assert errors.read() == b""
        assert process.wait(30) == 0


@pytest.mark.parametrize("command", ["replay", "config", "rules"])
def test_an_output_that_takes_nothing_is_said(command: str, script: Path) -> None:
    arguments = [str(script)] if command == "replay" else []
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*UNDERBOARD, command, *arguments], input=b"name\n", stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert (done.returncode, done.stderr) == (2, b"the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_fault_of_the_program(stream: str) -> None:
    done = subprocess.run(["sh", "-c", f'exec "$@" {stream}', "sh", *UNDERBOARD, "config"], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["replay", "rules"])
def test_ctrl_c_ends_without_a_traceback(command: str, script: Path) -> None:
    with script.open("a") as file:
        file.write("wait 1h\n")
    with answering(command, script) as (process, _, errors):
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert errors.read() == b""


def test_print_writes_a_pdf_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.pdf"
    config = tmp_path / "table.toml"
    config.write_text("[board]\nrows = [4, 5, 6, 7, 8, 9, 10, 11, 12]\n", encoding="utf-8")
    assert main(["print", "virus_wars", "--pitch", "15mm", "size=6", "--config", str(config), "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"%PDF")
    assert capsys.readouterr().out.startswith(f"{path}: 1 sheet")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["makao"], "print cards makao"),
        (["hack_trick", "--pitch", "900mm"], "15 to 60 mm"),
        (["hack_trick", "-o", "board.svg"], "board.svg"),
    ],
)
def test_what_cannot_be_printed(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("command", ["wiring", "parts"])
def test_wiring_and_parts_follow_the_configuration(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[game]\nbegin = "spy"\n[board]\nrows = [4, 5]\ncolumns = [6, 7, 8]\n', encoding="utf-8")
    assert main([command, "--config", str(file)]) == 0
    assert "2 rows and 3 columns" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "start"), [("plan.svg", b"<svg "), ("plan.PDF", b"%PDF"), ("plan.txt", b"Wiring of a board")])
def test_wiring_writes_files(name: str, start: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(start)
    assert capsys.readouterr().out == f"{tmp_path / name}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "plan.png"], ".svg, .pdf or .txt"),
        (["--figure", "matrix"], "add -o FILE.svg"),
        (["--figure", "pico", "-o", "plan.svg"], "header, matrix, cell, panel"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
        (["-o", "nowhere/plan.svg"], "nowhere/plan.svg: there is no folder nowhere: make it, or name another file with -o"),
    ],
)
def test_plans_that_cannot_be_drawn(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("name", "start"), [("board.svg", b"<svg "), ("board.pdf", b"%PDF")])
def test_print_in_one_piece(name: str, start: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "spy", "--paper", "Whole", "track=on", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(start)
    assert capsys.readouterr().out == f"{tmp_path / name}: 350 x 350 mm\n"
