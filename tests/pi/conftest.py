"""The virtual Pi is a target of its own, `make test-pi` or `make test-pi64`: it takes minutes, root and Debian's packages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pi.table import Table
from tests.pi.virtual_pi import VirtualPi

FOLDER = os.environ.get("UNDERBOARD_PI", "")
"""Where `build_image.sh` and `build_project.sh` have put what they made."""

collect_ignore = [] if FOLDER else ["test_appliance.py"]


@pytest.fixture(scope="session")
def pi() -> Iterator[VirtualPi]:
    """A Pi as it comes, switched on; all tests have the same one."""
    folder = Path(FOLDER).resolve()
    with VirtualPi(folder, folder / "project.img", folder / "console.log") as pi:
        pi.power_on()
        yield pi


@pytest.fixture(scope="session")
def table(pi: VirtualPi, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """The game on the Pi's own header."""
    with Table(pi, tmp_path_factory.mktemp("table")) as table:
        yield table


@pytest.fixture(scope="session")
def pico_table(pi: VirtualPi, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Another match, on a board that is wired to a Pico."""
    with Table(pi, tmp_path_factory.mktemp("pico"), "pico") as table:
        yield table
