"""The record on disk: every action is here before anybody sees that it happened.

One SQLite file, one row an entry, one synced transaction a row. The settings are those that lost nothing in power cuts:
created with synchronous=EXTRA, then write-ahead logging, then synchronous=FULL. A row that begins a game holds its whole
state, so opening reads only from the last beginning on.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

SIDE_FILES = ("", "-wal", "-shm")
"""What SQLite keeps beside a database."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,      -- new, next, do, undo, correct or table
    action TEXT NOT NULL,
    standing TEXT NOT NULL,  -- JSON list: the spaces with a token afterwards
    beginning TEXT,          -- JSON object, for kinds new and next: setup, options, record, games
    wall TEXT NOT NULL       -- the wall clock then, a label only
);
CREATE INDEX IF NOT EXISTS beginnings ON entries (number) WHERE beginning IS NOT NULL;
"""


BLAMELESS = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
)
"""Errors that say nothing about what is in the file."""


LAST_GAME = "SELECT max(number) FROM entries WHERE beginning IS NOT NULL"
LAST_MATCH = f"{LAST_GAME} AND kind = 'new'"


class JournalError(RuntimeError):
    """The journal cannot be used; the text names the file and says why."""


class Entry(NamedTuple):
    """One thing that happened; `beginning` is there where a game begins."""

    kind: str
    action: str
    standing: Sequence[str]
    beginning: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal, and where a damaged one has been moved, if there was one."""

    journal: Journal
    moved_to: Path | None = None
    why: str = ""


class Journal:
    """An open journal. Only one table at a time may write to a file."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file; raises JournalError if it cannot be, sqlite3.DatabaseError if it is damaged."""
        self.path = path
        self._lock = lock(path)
        try:
            self._connection = connect(path)
        except BaseException:
            os.close(self._lock)
            raise
        try:
            self.last_match()
        except BaseException:
            self.close()
            raise

    def append(self, entry: Entry, wall: datetime) -> None:
        """Writes an entry; when this returns it is on disk. Raises JournalError if it cannot be written."""
        beginning = None if entry.beginning is None else compact(entry.beginning)
        row = (entry.kind, entry.action, compact(sorted(entry.standing)), beginning, wall.isoformat(timespec="seconds"))
        try:
            with self._connection:
                self._connection.execute("INSERT INTO entries (kind, action, standing, beginning, wall) VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: nothing can be written any more: {error}") from error

    def last_game(self) -> list[Entry]:
        """The entries of the last game begun, its beginning first; [] in an empty journal."""
        return read_entries(self._connection, LAST_GAME)

    def last_match(self) -> list[Entry]:
        """The entries since the last new match, its beginning first; [] in an empty journal."""
        return read_entries(self._connection, LAST_MATCH)

    def close(self) -> None:
        """Closes the file; closing twice does no harm."""
        self._connection.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def cut(self) -> None:
        """As if the process ended at this instant: nothing more is written than what is on disk already."""
        files = {path: path.read_bytes() for path in side_files(self.path)}
        self.close()
        for path in side_files(self.path):
            path.unlink()
        for path, content in files.items():
            path.write_bytes(content)


def open_journal(path: Path) -> Opened:
    """A journal ready for use. A damaged one is moved aside and a fresh one started; raises JournalError for all else."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return Opened(Journal(path))
        except sqlite3.DatabaseError as error:
            if not is_damage(error, path):
                raise
            moved = move_aside(path)
            return Opened(Journal(path), moved, str(error))
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def is_damage(error: sqlite3.DatabaseError, path: Path) -> bool:
    """Whether the file is to blame, and not the disk, its permissions or another program."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_READONLY:
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return path.is_file() and code not in BLAMELESS


def read_match(path: Path) -> list[Entry]:
    """The entries since the last new match, without disturbing a table that is writing. Raises JournalError."""
    if not path.is_file():
        raise JournalError(f"{path}: there is no such journal")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return read_entries(connection, LAST_MATCH)
    except (sqlite3.Error, ValueError) as error:
        raise JournalError(f"{path}: this is no readable journal ({error})") from None


def read_entries(connection: sqlite3.Connection, first: str) -> list[Entry]:
    """The entries from the one that the query `first` names. Raises sqlite3.DatabaseError for one that cannot be read."""
    rows = connection.execute(f"SELECT kind, action, standing, beginning FROM entries WHERE number >= ({first}) ORDER BY number")
    try:
        return [Entry(kind, action, json.loads(standing), json.loads(beginning or "null")) for kind, action, standing, beginning in rows]
    except (ValueError, TypeError, sqlite3.OperationalError) as error:
        raise sqlite3.DatabaseError(f"an entry cannot be read: {error}") from error


def connect(path: Path) -> sqlite3.Connection:
    """Opens the database with the settings that survive a power cut, and looks whether it is whole."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA synchronous=EXTRA")
        connection.execute("PRAGMA journal_mode=WAL")
        with connection:
            connection.executescript(SCHEMA)
        connection.execute("PRAGMA synchronous=FULL")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
    except UnicodeDecodeError as error:  # an error text of SQLite itself, with what it has found
        connection.close()
        raise sqlite3.DatabaseError("its schema is garbled") from error
    except BaseException:
        connection.close()
        raise
    return connection


def lock(path: Path) -> int:
    """Reserves a journal for this process; answers a file descriptor that holds the lock. Raises JournalError if it is taken."""
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise JournalError(f"{path}: another table is using this journal; close it or name another one") from None
    return descriptor


def side_files(path: Path) -> list[Path]:
    """The files that the database consists of now."""
    return [file for suffix in SIDE_FILES if (file := Path(f"{path}{suffix}")).exists()]


def move_aside(path: Path) -> Path:
    """Renames a database that cannot be used; answers its new name."""
    number = 1
    while (target := Path(f"{path}.damaged-{number}")).exists():
        number += 1
    for file in side_files(path):
        file.rename(f"{target}{str(file)[len(str(path)) :]}")
    return target


def compact(value: Any) -> str:
    """JSON without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
