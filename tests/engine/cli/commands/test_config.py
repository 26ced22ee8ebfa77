"""`underboard config`: the example is written, files are never lost, and a configuration is checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from underboard.engine.app import config
from underboard.engine.app.config import Config, example_text, read_config
from underboard.engine.cli.main import main


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 0
    text = capsys.readouterr().out
    assert text == example_text()
    assert read_config(text) == Config()


def test_the_example_in_a_file_that_is_not_there_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "etc" / "table.toml"
    assert main(["config", "-o", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == example_text()
    assert str(path) in capsys.readouterr().out


def test_a_file_that_is_there_stays_unless_it_is_meant_to_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.toml"
    path.write_text("mine", encoding="utf-8")
    assert main(["config", "-o", str(path)]) == 2
    assert path.read_text(encoding="utf-8") == "mine"
    said = capsys.readouterr().err
    assert str(path) in said
    assert "--force" in said
    assert main(["config", "-o", str(path), "--force"]) == 0
    assert path.read_text(encoding="utf-8") == example_text()


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["config", "-o", str(tmp_path / "file" / "table.toml")]) == 2
    assert capsys.readouterr().err.startswith(f"{tmp_path}/file/table.toml: a file is where its folder should be")


def test_a_configuration_that_can_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.toml"
    path.write_text("game.begin = 'spy'", encoding="utf-8")
    assert main(["config", "--check", "--config", str(path)]) == 0
    assert capsys.readouterr().out == f"{path} can be used.\n"


def test_no_configuration_is_the_default_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(config, "CONFIG_FILE", tmp_path / "table.toml")
    assert main(["config", "--check"]) == 0
    assert f"There is no {tmp_path}/table.toml" in capsys.readouterr().out


@pytest.fixture
def hidden_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cell map of an installed table, which others than the table may not read."""

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(config, "read_cell_map", refuse)


@pytest.mark.usefixtures("hidden_map")
def test_a_cell_map_that_is_hidden_from_whoever_asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.toml"
    path.write_text("board.columns = [14, 15, 16, 17, 18, 19]", encoding="utf-8")
    assert main(["config", "--check", "--config", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{path} can be used.\nNot looked at: ")
    assert "cells.toml: no permission to read it: add sudo" in said
    main(["doctor", "--config", str(path)])
    assert "?        cell map" in capsys.readouterr().out
    assert main(["print", "virus_wars", "size=6", "--config", str(path), "-o", str(tmp_path / "sheet.pdf")]) == 0
    assert main(["print", "hack_trick", "--config", str(path), "-o", str(tmp_path / "sheet.pdf")]) == 2


def test_everything_that_is_wrong_is_said_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[board]\nrows = [2, 99]\n[keys]\nlft = 3\n", encoding="utf-8")
    assert main(["config", "--check", "--config", str(path)]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[1] for line in told] == ["keys.lft", "board.rows", "board.rows"]
    assert all(line.startswith(f"{path}: ") for line in told)
