"""A system laid out in a folder, on which the installer's commands leave the marks that real ones would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from systemd.target import CommandFailed, Target

Snapshot = dict[str, str]


class FakeSystem:
    """Runs commands by writing down what they were and making the files that the installer counts on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.commands: list[list[str]] = []
        self.lines: list[str] = []
        self.fails: str | None = None
        """A word of a command that is to fail."""
        self.program = "underboard 1"
        """What pip installs."""
        self.target = Target(root, self.run, self.lines.append)

    def run(self, words: Sequence[str]) -> None:
        self.commands.append(list(words))
        if self.fails is not None and any(self.fails in word for word in words):
            raise CommandFailed(f"this failed with status 1: {' '.join(words)}")
        if "venv" in words:
            folder = Path(words[-1], "bin")
            folder.mkdir(parents=True)
            (folder / "python").write_text("a Python")
        elif "pip" in words:
            Path(words[0]).with_name("underboard").write_text(self.program)
        elif words[0].endswith("/underboard") and words[1] == "config":
            assert Path(words[0]).read_text() == self.program
            Path(words[-1]).write_text("# all settings with their explanations\n")

    def snapshot(self) -> Snapshot:
        """Every file and link below the root, by its path; where the program lies counts only through the link to it."""
        return {str(path.relative_to(self.root)): describe(path) for path in files_below(self.root) if "underboard/a" not in str(path)}

    @property
    def said(self) -> str:
        """All lines that whoever installs has seen."""
        return "\n".join(self.lines)


def files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file())


def describe(path: Path) -> str:
    return f"-> {path.readlink()}" if path.is_symlink() else path.read_text()


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    """A Pi as it comes."""
    boot = tmp_path / "boot" / "firmware"
    boot.mkdir(parents=True)
    (boot / "config.txt").write_text("# For more options see the documentation\ndtparam=audio=on\n[cm4]\notg_mode=1\n[all]\n")
    return FakeSystem(tmp_path)
