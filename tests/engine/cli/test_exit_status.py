"""Exit statuses: every error of ours has one, and says whose fault it is."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import get_args

import pytest

import underboard
from underboard.engine.app.config import ConfigError
from underboard.engine.base.errors import BadArgument, GameOver
from underboard.engine.cli.exit_status import exit_status, report_error
from underboard.engine.journal.database import JournalError
from underboard.engine.scripting.parser import ScriptError
from underboard.errors import Fault, UnderboardError
from underboard.hardware.gpio.errors import LineBusy, NoChip
from underboard.hardware.panel.picture import PictureError
from underboard.web.server import Refused

NEEDS_A_PI = ("underboard.hardware.gpio.rpigpio_pins", "underboard.hardware.gpio.lgpio_pins", "underboard.firmware.main")


def exceptions() -> Iterator[type[BaseException]]:
    """Every exception class that a module of ours defines."""
    for top in ("engine", "hardware", "web"):
        package = import_module(f"underboard.{top}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name not in NEEDS_A_PI:
                for _, found in inspect.getmembers(import_module(module.name), inspect.isclass):
                    if issubclass(found, BaseException) and found.__module__ == module.name:
                        yield found


def test_every_error_of_ours_says_whose_fault_it_is() -> None:
    found = list(exceptions())
    assert len(found) > 20
    assert {error.__name__ for error in found if not issubclass(error, UnderboardError)} == set()
    assert {error.__name__ for error in found if getattr(error, "fault", None) not in get_args(Fault)} == set()
    assert underboard.__name__ == UnderboardError.__module__.partition(".")[0]


@pytest.mark.parametrize(
    ("error", "command", "status"),
    [
        (BadArgument("no"), "play", 2),
        (GameOver("over"), None, 2),
        (ScriptError("line 3"), "replay", 2),
        (ConfigError("key"), "run", 2),
        (ConfigError("key"), "parts", 2),
        (JournalError("file"), "run", 4),
        (JournalError("file"), "export", 2),
        (NoChip("no header"), "run", 3),
        (LineBusy(4, "spi0"), "run", 3),
        (NoChip("no header"), "selftest", 2),
        (Refused("no", "out"), "play", 2),
    ],
)
def test_the_status_is_that_of_the_help(
    error: UnderboardError, command: str | None, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_status(error, command) == report_error(error, command) == status
    assert capsys.readouterr().err == f"{error}\n"


def test_a_fault_of_the_program_keeps_its_traceback() -> None:
    with pytest.raises(PictureError):
        report_error(PictureError("a line is too long"), "run")
