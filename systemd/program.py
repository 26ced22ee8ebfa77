"""The program in a virtual environment of its own, /opt/underboard/current.

``current`` leads to one of two folders. An update goes into the other one, and only when all of it is there and runs, the link is
moved: what goes wrong before leaves the program as it was.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from systemd.target import CommandFailed, InstallError, Target
from underboard.version import write_commit

HOME = "/opt/underboard"
CURRENT = f"{HOME}/current"
COMMAND = "/usr/local/bin/underboard"
PACKAGES = ("underboard", "engine", "firmware", "hardware", "web")
BUILD_FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
APT_LGPIO = ("python3-lgpio", "python3-rpi-lgpio")


def check_python() -> None:
    """Raises InstallError if the service could not use the Python that runs this."""
    if find_spec("ensurepip") is None or find_spec("venv") is None:
        raise InstallError("Python's venv module is missing: sudo apt install python3-venv")
    if Path(sys.base_prefix).is_relative_to("/home") or Path(sys.base_prefix).is_relative_to("/root"):
        raise InstallError(
            f"the service may not look into anybody's home, where this Python is ({sys.base_prefix}): make install PYTHON=/usr/bin/python3"
        )


def install_program(target: Target, source: Path, wheels: Path | None) -> None:
    """Put the program of the folder *source* where the service finds it, or that of the folder *wheels*, without a network.

    Raises InstallError; what was installed before is then still there.
    """
    old = current_slot(target)
    slot = "b" if old == "a" else "a"
    folder = target.path(f"{HOME}/{slot}")
    shutil.rmtree(folder, ignore_errors=True)
    target.say(f"making {folder}, this takes a minute or two ...")
    try:
        make_environment(target, folder, needs_apt())
        fill_environment(target, folder, source, wheels)
        target.run([f"{folder}/bin/underboard", "--version"])
    except CommandFailed as error:
        shutil.rmtree(folder, ignore_errors=True)
        left = f"The program in {target.path(CURRENT)} was not touched." if old else "Nothing was installed."
        raise InstallError(f"the program could not be installed: {error}. {remedy(wheels)} {left}") from error
    target.link(CURRENT, slot)
    target.link(COMMAND, f"{CURRENT}/bin/underboard")


def remedy(wheels: Path | None) -> str:
    """What to do if pip fails, which tells more above."""
    if wheels is None:
        return "Is there a connection to the Internet? `make wheels` on another Pi collects all that is needed without one."
    return f"Does {wheels} come from `make wheels` on a computer of the same kind with the same Python?"


def needs_apt(version: tuple[int, int] = sys.version_info[:2]) -> bool:
    """Whether lgpio is the system's: PyPI has it for Python 3.12 and older only."""
    return version >= (3, 13)


def make_environment(target: Target, folder: Path, apt: bool) -> None:
    """An empty environment; with *apt* the system's lgpio can be seen from it. Raises CommandFailed."""
    if apt and find_spec("lgpio") is None:
        target.say(f"Python {sys.version_info.major}.{sys.version_info.minor} takes lgpio from the system")
        target.run(["apt-get", "install", "--yes", "--no-install-recommends", *APT_LGPIO])
    target.run([sys.executable, "-m", "venv", *(["--system-site-packages"] if apt else []), str(folder)])


def fill_environment(target: Target, folder: Path, source: Path, wheels: Path | None) -> None:
    """The program and what it needs, from the network or from *wheels*. Raises CommandFailed."""
    pip = [f"{folder}/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if wheels is not None:
        target.run([*pip, "--no-index", f"--find-links={wheels}", "underboard"])
        return
    # pip builds in the folder it is given: in a copy, lest root's files stay behind in somebody's checkout.
    with tempfile.TemporaryDirectory(prefix="underboard-") as copy:
        copy_source(source, Path(copy))
        target.run([*pip, copy])


def copy_source(source: Path, copy: Path) -> None:
    """What the program is built from, and which commit that is: git stays behind."""
    for name in PACKAGES:
        shutil.copytree(source / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for name in BUILD_FILES:
        shutil.copy(source / name, copy / name)
    write_commit(source, copy)


def current_slot(target: Target) -> str:
    """The folder that the service uses now, "" if there is none."""
    link = target.path(CURRENT)
    return os.readlink(link) if link.is_symlink() and link.is_dir() else ""


def remove_old_program(target: Target) -> None:
    """Remove what `current` does not lead to."""
    for slot in ("a", "b"):
        if slot != current_slot(target):
            shutil.rmtree(target.path(f"{HOME}/{slot}"), ignore_errors=True)


def remove_program(target: Target) -> None:
    """Remove all of it."""
    target.remove(COMMAND)
    if target.path(HOME).exists():
        shutil.rmtree(target.path(HOME))
        target.say(f"removed {target.path(HOME)}")
