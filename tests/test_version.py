"""Which Underboard runs: in a checkout, in what was built from one, and where nobody knows."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version as release_of
from pathlib import Path

import pytest

from underboard import version
from underboard.version import COMMIT_FILE, DIGITS, find_commit, find_version, read_status, write_commit

RELEASE = release_of("underboard")


def git(folder: Path, *words: str) -> str:
    """What git answers, as somebody with a name."""
    somebody = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *somebody, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "checkout"
    (folder / "underboard").mkdir(parents=True)
    (folder / "underboard" / "module.py").write_text("ANSWER = 1\n")
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "First")
    return folder


def head(folder: Path) -> str:
    return git(folder, "rev-parse", "HEAD")[:DIGITS]


def test_a_checkout_is_known_by_its_commit(checkout: Path) -> None:
    assert find_commit(checkout) == head(checkout)


@pytest.mark.parametrize("words", [(), ("add", ".")], ids=["in the files", "in the index"])
def test_changes_are_said_until_they_are_committed(checkout: Path, words: tuple[str, ...]) -> None:
    (checkout / "underboard" / "module.py").write_text("ANSWER = 2\n")
    if words:
        git(checkout, *words)
    first = head(checkout)
    assert find_commit(checkout) == f"{first}, with uncommitted changes"
    git(checkout, "commit", "-am", "Second")
    assert find_commit(checkout) == head(checkout) != first


def test_a_file_that_git_does_not_know_is_no_change(checkout: Path) -> None:
    (checkout / "notes.txt").write_text("buy diodes\n")
    assert find_commit(checkout) == head(checkout)


def test_asking_changes_nothing_in_the_checkout(checkout: Path) -> None:
    """Root asks, too, and its files would be in the way of the owner."""
    (checkout / "underboard" / "module.py").touch()
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in checkout.rglob("*")}
    assert find_commit(checkout) == head(checkout)
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in checkout.rglob("*")} == before


def test_another_working_tree_of_the_same_repository(checkout: Path, tmp_path: Path) -> None:
    git(checkout, "worktree", "add", str(tmp_path / "other"))
    assert (tmp_path / "other" / ".git").is_file()
    assert find_commit(tmp_path / "other") == head(checkout)


def test_a_folder_inside_a_checkout_of_something_else_is_none(checkout: Path) -> None:
    assert find_commit(checkout / "underboard") == ""


def test_a_repository_that_the_environment_names_is_not_asked(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = head(checkout)
    git(tmp_path, "init", "hook")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "hook" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "hook" / "index"))
    assert find_commit(checkout) == commit


def test_without_git_or_a_repository_that_it_can_read_nothing_is_known(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    assert find_commit(tmp_path / "broken") == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_commit(checkout) == ""


@pytest.mark.parametrize(
    ("answer", "commit"),
    [
        ("# branch.oid 1a2b3c4d5e6f7a8b\n# branch.head main\n", "1a2b3c4d5e6f"),
        ("# branch.oid 1a2b3c4d5e6f7a8b\n1 .M N... 100644 100644 100644 aa bb setup.py\n", "1a2b3c4d5e6f, with uncommitted changes"),
        ("# branch.oid (initial)\n# branch.head main\n1 A. N... 000000 100644 100644 aa bb setup.py\n", ""),
        ("", ""),
    ],
)
def test_an_answer_of_git(answer: str, commit: str) -> None:
    assert read_status(answer) == commit


def test_what_is_built_keeps_the_commit(checkout: Path, tmp_path: Path) -> None:
    built, again = tmp_path / "built", tmp_path / "again"
    for source, target in ((checkout, built), (built, again)):
        (target / "underboard").mkdir(parents=True)
        write_commit(source, target)
        assert find_commit(target) == head(checkout)


def test_what_was_unpacked_is_known_by_what_it_was_built_from(checkout: Path) -> None:
    """Also where a distribution keeps source archives in a repository of its own."""
    (checkout / COMMIT_FILE).write_text("1a2b3c4d5e6f\n")
    assert find_commit(checkout) == "1a2b3c4d5e6f"


def test_nothing_is_noted_where_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "underboard").mkdir()
    write_commit(tmp_path, tmp_path)
    assert list((tmp_path / "underboard").iterdir()) == []


@pytest.mark.parametrize(
    ("commit", "said"),
    [
        ("", RELEASE),
        ("1a2b3c4d5e6f", f"{RELEASE} (commit 1a2b3c4d5e6f)"),
        ("1a2b3c4d5e6f, with uncommitted changes", f"{RELEASE} (commit 1a2b3c4d5e6f, with uncommitted changes)"),
    ],
)
def test_as_people_read_it(commit: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "find_commit", lambda root: commit)
    assert find_version.__wrapped__() == said


def test_an_installed_program_asks_nobody(tmp_path: Path) -> None:
    """What it is it knows from a file: neither git nor what starts it is loaded."""
    code = """
import sys
from pathlib import Path
from underboard.version import find_commit
print(find_commit(Path(sys.argv[1])), "subprocess" in sys.modules)
"""
    (tmp_path / "underboard").mkdir()
    (tmp_path / COMMIT_FILE).write_text("1a2b3c4d5e6f\n")
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "1a2b3c4d5e6f False\n"
