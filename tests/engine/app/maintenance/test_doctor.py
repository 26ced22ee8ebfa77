"""`underboard doctor`: configuration, files, texts and clock, and its exit status."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from underboard.engine.app.config import STATE_FOLDER, Config
from underboard.engine.app.maintenance import doctor
from underboard.engine.app.maintenance.doctor import check_clock, check_disk, check_files, check_journal, check_texts
from underboard.engine.cli.main import main
from underboard.engine.journal.database import Entry, open_journal
from underboard.hardware.maintenance.doctor import Finding
from underboard.hardware.system.machine import Machine
from underboard.version import find_version


def test_files_that_are_not_there_yet(tmp_path: Path) -> None:
    config = Config(folder=tmp_path / "state")
    assert [(found.level, found.about) for found in check_files(config)] == [("ok", "cell map"), ("ok", "journal"), ("ok", "disk")]
    assert not config.folder.exists(), "nothing is changed"


def test_a_cell_map_and_a_journal_that_cannot_be_read(tmp_path: Path) -> None:
    config = Config(folder=tmp_path)
    config.cell_map.write_text("nonsense", encoding="utf-8")
    config.journal.write_text("a diary " * 100, encoding="utf-8")
    levels = {found.about: found for found in check_files(config)}
    assert levels["cell map"].level == levels["journal"].level == "wrong"
    assert levels["cell map"].remedy == "underboard selftest"
    assert str(config.journal) in levels["journal"].remedy


def test_a_journal(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal").journal
    journal.append(Entry("new", "new_game spy", [], {}), datetime.now(UTC))
    assert check_journal(tmp_path / "journal").text.endswith("1 entries in the last match")
    journal.close()


def test_a_journal_of_a_newer_program_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    open_journal(path).journal.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=7")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    found = check_journal(path)
    assert (found.level, "written by a newer Underboard (schema 7," in found.text) == ("wrong", True)
    assert found.remedy == f"update Underboard; to begin another journal instead: mv {path} {path}.newer"
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("folder", "remedy"),
    [
        (Path("/srv/games of ours/new"), "sudo mkdir -p '/srv/games of ours/new' && sudo chown -R $USER '/srv/games of ours/new'"),
        (STATE_FOLDER, "sudo -u underboard underboard doctor: it belongs to the installed service"),
    ],
)
def test_a_folder_that_may_not_be_written_to(folder: Path, remedy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert check_journal(folder / "journal").remedy == remedy, "never takes a folder of the system away"


@pytest.mark.parametrize(("free", "level"), [(10**9, "ok"), (50 * 10**6, "warning"), (10**6, "wrong")])
def test_the_disk(free: int, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=free))
    assert check_disk(tmp_path / "no" / "journal").level == level


def test_texts_of_all_languages_can_be_drawn() -> None:
    assert [found.level for found in check_texts()] == ["ok"]


@pytest.mark.parametrize(("year", "level"), [(1970, "warning"), (2024, "warning"), (2026, "ok")])
def test_the_clock(year: int, level: str, tmp_path: Path) -> None:
    assert check_clock(datetime(year, 12, 1, tzinfo=UTC), Machine(tmp_path)).level == level


@pytest.mark.parametrize(("levels", "status"), [(["ok"], 0), (["ok", "unknown"], 0), (["warning", "ok"], 1), (["wrong", "warning"], 2)])
def test_the_exit_status(levels: list[str], status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def examine(file: Path | None, machine: Machine) -> Iterator[Finding]:
        for level in levels:
            yield Finding(level, "thing", "is so", "do this" if level != "ok" else "")  # type: ignore[arg-type]

    monkeypatch.setattr(doctor, "examine", examine)
    assert main(["doctor"]) == status
    assert ("-> do this" in capsys.readouterr().out) == (levels != ["ok"])


def test_every_problem_of_the_configuration_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[board]\nrows = [2, 99]", encoding="utf-8")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    assert main(["doctor", "--config", str(path)]) == 2
    told = capsys.readouterr().out
    assert told.startswith(f"ok       program        Underboard {find_version()}\n")
    assert told.count("WRONG    configuration") == 2
    assert f"{tmp_path}/state/journal.sqlite3" in told, "the files are where they would be with a configuration"
    assert "texts" in told, "the rest is looked at all the same"
