"""The system that is installed into: this computer, or a folder laid out like one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


class InstallError(Exception):
    """It cannot go on; the text says why and what to do about it."""


class CommandFailed(InstallError):
    """A command that was run ended with an error."""


Run = Callable[[Sequence[str]], None]
"""Runs a command to its end. Raises CommandFailed."""


def run_command(words: Sequence[str]) -> None:
    """Run it in sight of whoever installs. Raises CommandFailed."""
    try:
        status = subprocess.run(words, check=False).returncode
    except OSError as error:
        raise CommandFailed(f"{words[0]} cannot be run: {error.strerror}") from error
    if status:
        raise CommandFailed(f"this failed with status {status}: {' '.join(words)}")


def say_at_once(line: str) -> None:
    """A line among those that commands write themselves."""
    print(line, flush=True)


@dataclass(frozen=True)
class Target:
    """Where to: *root* is ``/`` for this computer. *run* runs commands, *say* tells what is done, a line at a time."""

    root: Path
    run: Run = run_command
    say: Callable[[str], None] = say_at_once

    @property
    def live(self) -> bool:
        """Whether it is this computer, whose services can be started."""
        return self.root == Path("/")

    def path(self, absolute: str) -> Path:
        """Where a file of the system is."""
        return self.root / absolute.removeprefix("/")

    def write(self, absolute: str, text: str) -> bool:
        """Bring a file to this text, or leave the old one whole if the power fails; whether it was another."""
        path = self.path(absolute)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        fresh.replace(path)
        self.say(f"wrote {path}")
        return True

    def remove(self, absolute: str) -> None:
        """Remove a file if it is there."""
        path = self.path(absolute)
        if path.is_symlink() or path.exists():
            path.unlink()
            self.say(f"removed {path}")

    def link(self, absolute: str, to: str) -> None:
        """A symbolic link that leads *to* somewhere; it takes the place of an older link at once."""
        path = self.path(absolute)
        if path.is_symlink() and os.readlink(path) == to:
            return
        if path.exists() and not path.is_symlink():
            raise InstallError(f"{path} is not Underboard's: move it away, then install again")
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(to)
        fresh.replace(path)
        self.say(f"linked {path} to {to}")
