"""The version of a journal's schema: older journals go on, newer ones are refused and left as they are."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from underboard.engine.journal import schema
from underboard.engine.journal.database import Entry, NewerJournalError, open_journal, read_game, read_match
from underboard.engine.journal.history import resume
from underboard.engine.journal.schema import HIGHEST, MIGRATIONS, SCHEMA_VERSION, make_entries, migrate, version_in_header, version_of
from underboard.engine.journal.writer import open_writer

WALL = datetime(2024, 5, 1, 20, 15, tzinfo=UTC)
NEW, DID = Entry("new", "new_game spy", [], {}), Entry("do", "look", ["a1"])
OLDER = Path(__file__).with_name("version_0.journal")
"""20 actions of Hack Trick, written by Underboard 0.1.0, before there were versions."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def older(path: Path) -> Path:
    """A journal of version 0."""
    shutil.copyfile(OLDER, path)
    return path


def newer(path: Path, version: int = SCHEMA_VERSION + 1) -> None:
    """Writes a journal as a later program would."""
    with closing(open_journal(path).journal) as journal:
        journal.append(NEW, WALL)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={version}")
    Path(f"{path}.lock").unlink()


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_every_version_has_a_way_to_the_next() -> None:
    assert set(MIGRATIONS) == set(range(SCHEMA_VERSION))


def test_a_new_journal_is_of_the_latest_version(path: Path) -> None:
    journal = open_journal(path).journal
    assert version_in_header(path) == SCHEMA_VERSION, "already while it is in use"
    journal.close()
    assert version_in_header(path) == SCHEMA_VERSION


# Older journals


def test_an_older_journal_goes_on_and_is_marked(older: Path) -> None:
    before = read_match(older)
    with closing(open_writer(older)) as writer:
        assert (writer.problem, writer.notes, writer.game) == (None, [], before)
        assert resume(writer.game).setup.game.id == "hack_trick"
        writer.append(DID, WALL, 0)
    assert read_match(older) == [*before, DID]
    assert version_in_header(older) == SCHEMA_VERSION


@pytest.mark.parametrize("read", [read_match, read_game])
def test_an_older_journal_is_read_as_it_is(older: Path, read: Callable[[Path], list[Entry]]) -> None:
    assert len(read(older)) == 21
    assert older.read_bytes() == OLDER.read_bytes()


def test_a_journal_of_the_latest_version_is_not_written_when_it_is_opened(path: Path) -> None:
    open_journal(path).journal.close()
    before = path.read_bytes()
    open_journal(path).journal.close()
    assert path.read_bytes() == before


def test_versions_follow_one_another_all_at_once_or_not_at_all(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def add_players(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE players (name TEXT)")

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO no_such_table VALUES (1)")

    monkeypatch.setattr(schema, "SCHEMA_VERSION", 3)
    with closing(sqlite3.connect(older)) as connection:
        monkeypatch.setattr(schema, "MIGRATIONS", {0: make_entries, 1: add_players, 2: fail})
        with pytest.raises(sqlite3.OperationalError):
            migrate(connection)
        assert (version_of(connection), tables(connection)) == (0, {"entries"})
        monkeypatch.setattr(schema, "MIGRATIONS", {0: make_entries, 1: add_players, 2: lambda connection: None})
        migrate(connection)
        assert (version_of(connection), tables(connection)) == (3, {"entries", "players"})


def tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


# Newer journals


@pytest.mark.parametrize("use", [open_journal, open_writer, read_match, read_game])
@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, HIGHEST])
def test_a_newer_journal_is_refused_and_left_as_it_is(path: Path, version: int, use: Callable[[Path], object]) -> None:
    newer(path, version)
    before = files(path.parent)
    with pytest.raises(NewerJournalError) as refused:
        use(path)
    assert str(refused.value) == (
        f"{path}: this journal was written by a newer Underboard (schema {version}, this one knows {SCHEMA_VERSION}):"
        " update, or name another file"
    )
    assert refused.value.cause is None, "trying again would not help"
    assert files(path.parent) == before


@pytest.mark.parametrize("use", [open_journal, open_writer, read_match, read_game])
def test_a_newer_journal_is_refused_if_only_its_log_says_so(path: Path, use: Callable[[Path], object]) -> None:
    """The power was cut just after it was marked."""
    journal = open_journal(path).journal
    journal.append(NEW, WALL)
    journal._connection.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    journal.cut()
    assert version_in_header(path) == SCHEMA_VERSION
    with pytest.raises(NewerJournalError):
        use(path)
    with closing(sqlite3.connect(path)) as connection:
        assert version_of(connection) == SCHEMA_VERSION + 1
        assert connection.execute("SELECT kind FROM entries").fetchall() == [("new",)]
    assert not list(path.parent.glob("*.damaged-*"))


@pytest.mark.parametrize("version", [-1, HIGHEST + 1, 0x7FFFFFFF])
def test_a_version_that_cannot_be_is_damage(path: Path, version: int) -> None:
    newer(path, version)
    opened = open_journal(path)
    opened.journal.close()
    assert opened.moved_to == path.with_name("journal.damaged-1")


@pytest.mark.parametrize("content", [b"", b"a diary", b"SQLite format 3\0" + b"\0" * 44 + b"\0\0\0\7" + b"\0" * 40])
def test_a_file_without_the_header_of_a_journal_has_no_version(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert version_in_header(path) == 0
