"""Which Underboard runs: its release, and the commit that it was made from.

In a checkout git is asked. What is built from a checkout, a wheel or a source archive, contains what git said then in COMMIT_FILE,
so an installed program needs no git. Where there is neither, only the release is known.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

COMMIT_FILE = "underboard/commit.txt"
"""Below the folder that the package is in. It is only ever made in what is built, never in a checkout."""
DIGITS = 12
"""How much of a commit's name is shown."""
GIT_TIMEOUT_S = 5


@cache
def find_version() -> str:
    """As people read it, "0.2.0 (commit 1a2b3c4d5e6f, with uncommitted changes)": what the program was when this was first asked."""
    from importlib.metadata import version  # here, since it takes as long to load as the rest of the command line

    commit = find_commit(Path(__file__).parents[1])
    return f"{version('underboard')} (commit {commit})" if commit else version("underboard")


def find_commit(root: Path) -> str:
    """The commit of what is in the folder *root* and whether something was changed since; "" if that is not known."""
    try:
        return (root / COMMIT_FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return ask_git(root) if (root / ".git").exists() else ""


def write_commit(source: Path, target: Path) -> None:
    """Note in *target*, in which something is being built from *source*, which commit that is. Raises OSError."""
    if commit := find_commit(source):
        (target / COMMIT_FILE).write_text(f"{commit}\n", encoding="utf-8")


def ask_git(root: Path) -> str:
    """What git says of the checkout *root*; "" without git, or if it refuses."""
    import subprocess  # here, since an installed program does not need it

    # The folder of git is named lest its owner be asked for: root may install from the checkout of another user.
    checkout = (f"--git-dir={root / '.git'}", f"--work-tree={root}")
    question = ("status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=no")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return read_status(
            subprocess.run(
                ["git", "--no-optional-locks", *checkout, *question],
                capture_output=True,
                text=True,
                check=True,
                timeout=GIT_TIMEOUT_S,
                env=environment,
            ).stdout
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""


def read_status(answer: str) -> str:
    """The commit in an answer of `git status --porcelain=v2 --branch`; "" if there is no commit yet."""
    lines = answer.splitlines()
    commit = next((words[2] for line in lines if (words := line.split())[:2] == ["#", "branch.oid"]), "(initial)")
    if commit == "(initial)":
        return ""
    changed = any(not line.startswith("#") for line in lines)
    return commit[:DIGITS] + (", with uncommitted changes" if changed else "")
