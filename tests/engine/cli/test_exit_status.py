"""Exit statuses: every error of ours says whose fault it is, and has the status that each `--help` promises."""

from __future__ import annotations

import argparse
import inspect
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import get_args

import pytest

from underboard.engine.app.config import ConfigError
from underboard.engine.base.errors import IllegalAction
from underboard.engine.cli.commands import parts
from underboard.engine.cli.exit_status import exit_status, report_error
from underboard.engine.cli.main import main
from underboard.engine.scripting.parser import ScriptError
from underboard.errors import Fault, UnderboardError
from underboard.hardware.panel.picture import PictureError

NEEDS_A_PI = ("underboard.hardware.gpio.rpigpio_pins", "underboard.hardware.gpio.lgpio_pins", "underboard.firmware.main")

STATUSES: Mapping[str, tuple[int | None, int | None]] = {
    "BadArgument": (None, 2),
    "BadCommand": (None, 2),
    "BrokenGpiozero": (3, 2),
    "CellMapError": (2, 2),
    "ConfigError": (2, 2),
    "DeckError": (2, 2),
    "Failed": (None, 2),
    "FlashError": (3, 2),
    "FolderNotWritable": (3, 2),
    "GameError": (None, 2),
    "GameHasEnded": (None, 2),
    "GameOver": (None, 2),
    "GpioError": (3, 2),
    "HiddenMap": (2, 2),
    "IllegalAction": (None, 2),
    "JournalError": (4, 2),
    "LibraryMissing": (3, 2),
    "LineBusy": (3, 2),
    "NewerJournalError": (4, 2),
    "NoChip": (3, 2),
    "NoGame": (None, 2),
    "NoPermission": (3, 2),
    "NoTable": (None, 2),
    "NotYourTurn": (None, 2),
    "NothingToUndo": (None, 2),
    "PictureError": (None, None),
    "PlayError": (2, 2),
    "Refused": (None, 2),
    "ResumeError": (4, 2),
    "ScriptError": (None, 2),
    "SelfTestError": (3, 2),
    "SpiError": (3, 2),
    "Stale": (None, 2),
    "SeatTaken": (None, 2),
    "UnknownCommand": (None, 2),
    "UnknownLink": (None, 2),
    "Unplayable": (None, 2),
    "WiringError": (2, 2),
}
"""The exit status of `underboard run`, and that of any other command; None for a fault of the program, which keeps its traceback."""


@cache
def exceptions() -> Sequence[type[BaseException]]:
    """Every exception class that a module of ours defines."""
    tops = [import_module(f"underboard.{top}") for top in ("engine", "hardware", "firmware", "web")]
    names = [module.name for top in tops for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}.")]
    classes = [
        found
        for name in names
        if name not in NEEDS_A_PI
        for _, found in inspect.getmembers(import_module(name), inspect.isclass)
        if found.__module__ == name
    ]
    return [found for found in classes if issubclass(found, BaseException)]


def status_of(name: str, command: str | None) -> int | None:
    """The exit status for an error of this name; None if it is raised again."""
    error_class = next(found for found in exceptions() if found.__name__ == name)
    error = error_class.__new__(error_class)  # what each is made of does not matter here
    assert isinstance(error, UnderboardError)
    try:
        return exit_status(error, command)
    except UnderboardError:
        return None


def test_every_exception_has_the_base_that_says_whose_fault_it_is() -> None:
    assert [found for found in exceptions() if not issubclass(found, UnderboardError)] == []
    assert [found for found in exceptions() if getattr(found, "fault", None) not in get_args(Fault)] == []


def test_every_error_is_in_the_table() -> None:
    assert sorted(found.__name__ for found in exceptions()) == sorted(STATUSES)


@pytest.mark.parametrize("name", STATUSES)
def test_the_status_is_that_of_the_help(name: str) -> None:
    assert (status_of(name, "run"), status_of(name, "play")) == STATUSES[name]
    assert {status_of(name, command) for command in ("replay", "export", "selftest", "flash", None)} == {STATUSES[name][1]}


def test_an_error_is_one_sentence_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert report_error(ScriptError("evening.table, line 3: which key?"), "replay") == 2
    assert capsys.readouterr() == ("", "evening.table, line 3: which key?\n")


def test_a_service_says_it_in_its_log(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    assert report_error(ConfigError("table.toml: game.id"), "run") == 2
    assert caplog.messages == ["table.toml: game.id"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("error", "command"), [(PictureError("a line is too long"), "play"), (IllegalAction("not now"), "run")])
def test_a_fault_of_the_program_is_not_reported_but_raised(
    error: UnderboardError, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A service that ended with 2 would not be started again."""
    with pytest.raises(type(error)) as raised:
        report_error(error, command)
    assert raised.value is error
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("error", [PictureError("a line is too long"), ZeroDivisionError()])
def test_the_command_line_lets_faults_of_the_program_through(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(parts, "run", fail)
    with pytest.raises(type(error)):
        main(["parts"])
