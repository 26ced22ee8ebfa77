"""The record on disk: every action is here before anybody sees that it happened.

One SQLite file, one row an entry, one synced transaction a row. The settings are those that lost nothing in power cuts (see
docs/power-cuts.md): created with synchronous=EXTRA, then write-ahead logging, then synchronous=FULL. A row that begins a game
holds its whole state, so opening reads only from the last beginning on, however many evenings there are before it. The table is
that of `schema`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from underboard.engine.journal.causes import Cause, cause_of, is_damage
from underboard.engine.journal.file import APPLICATION_ID, identities, is_foreign, lock, make_folder, move_aside, side_files
from underboard.engine.journal.schema import SCHEMA_VERSION, is_newer, migrate, version_in_header, version_of
from underboard.errors import UnderboardError

SYNC_WHILE_MADE = "PRAGMA synchronous=EXTRA"
"""Also the deletion of the rollback journal, with which a database begins, is on disk before anything else happens."""
LOG = "PRAGMA journal_mode=WAL"
SYNC = "PRAGMA synchronous=FULL"
EMPTY_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"
"""At opening: else half an entry that a power cut left in the log can be made whole by another one that is written over it."""

BUSY_S = 0.2
"""How long another program may hold the file before an entry counts as not written; nothing happens at the table meanwhile."""

INSERT = "INSERT INTO entries (kind, action, standing, beginning, wall) VALUES (?, ?, ?, ?, ?)"
LAST_GAME = "SELECT max(number) FROM entries WHERE beginning IS NOT NULL"
LAST_MATCH = f"{LAST_GAME} AND kind = 'new'"


class JournalError(UnderboardError, RuntimeError):
    """The journal cannot be used; the text names the file and says why.

    `cause` is there if it is the disk's fault, or of a file that was fine before: then it is worth trying again. Else the
    name is a mistake.
    """

    fault = "disk"

    def __init__(self, text: str, cause: Cause | None = None) -> None:
        super().__init__(text)
        self.cause = cause


class NewerJournalError(JournalError):
    """The journal was written by a later program, whose schema is not known here. Nothing of it was changed."""

    def __init__(self, path: Path, version: int) -> None:
        super().__init__(
            f"{path}: this journal was written by a newer Underboard (schema {version}, this one knows {SCHEMA_VERSION}):"
            " update, or name another file"
        )


class Entry(NamedTuple):
    """One thing that happened; `beginning` is there where a game begins."""

    kind: str
    action: str
    standing: Sequence[str]
    beginning: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal, the last game in it, and where a damaged one has been moved, if there was one."""

    journal: Journal
    game: list[Entry]
    moved_to: Path | None = None
    why: str = ""


class Journal:
    """An open journal. Only one table at a time may write to a file."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file. Raises BlockingIOError if a table has it, OSError, sqlite3.Error."""
        self.path = path
        self._lock = lock(path)
        try:
            self._connection = connect(path)
            self._identities = list(identities(path))
        except BaseException:
            os.close(self._lock)
            raise

    def append(self, entry: Entry, wall: datetime) -> None:
        """Writes an entry; when this returns it is on disk. Raises JournalError if it cannot be written."""
        self.append_all([(entry, wall)])

    def append_all(self, entries: Iterable[tuple[Entry, datetime | None]]) -> None:
        """Writes all of the entries or, raising JournalError, none."""
        try:
            with self._connection:
                self._connection.executemany(INSERT, (row_of(entry, wall) for entry, wall in entries))
        except sqlite3.Error as error:
            raise self._error(error) from error
        if not self.in_place():
            raise gone(self.path)

    def in_place(self) -> bool:
        """Whether the open files are those that will be found under their names."""
        try:
            return list(identities(self.path)) == self._identities
        except OSError:
            return False

    def last_game(self) -> list[Entry]:
        """The entries of the last game begun, its beginning first; [] in an empty journal. Raises sqlite3.DatabaseError."""
        return read_entries(self._connection, LAST_GAME)

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

    def _error(self, error: sqlite3.Error) -> JournalError:
        """Why nothing can be written. Without its file SQLite can say anything."""
        if not self.in_place():
            return gone(self.path)
        if isinstance(error, sqlite3.DatabaseError) and is_damage(error, self.path):
            return JournalError(f"{self.path}: the journal is damaged: {error}", "damaged")
        return JournalError(f"{self.path}: nothing can be written any more: {error}", cause_of(error))


def gone(path: Path) -> JournalError:
    """The error that the journal has lost its name."""
    return JournalError(f"{path}: the file has been deleted or replaced", "gone")


def open_journal(path: Path) -> Opened:
    """A journal ready for use. A damaged one is moved aside and a fresh one started; raises JournalError for all else."""
    try:
        make_folder(path.parent)
        if path.exists() and not path.is_file():
            raise JournalError(f"{path}: this is no file; name another one")
        if is_foreign(path):
            raise JournalError(f"{path}: this is no journal, it is left as it is; name another file")
        refuse_newer(path)
        try:
            return opened(path)
        except sqlite3.DatabaseError as error:
            if not is_damage(error, path):
                raise
            moved = move_aside(path)
            fresh = opened(path)
            return Opened(fresh.journal, fresh.game, moved, str(error))
    except BlockingIOError:
        raise JournalError(f"{path}: another table is using this journal; close it or name another one") from None
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{path}: {getattr(error, 'strerror', None) or error}", cause_of(error)) from None


def opened(path: Path) -> Opened:
    """An open journal, its last game read. Raises sqlite3.DatabaseError if it is damaged."""
    journal = Journal(path)
    try:
        return Opened(journal, journal.last_game())
    except BaseException:
        journal.close()
        raise


def read_match(path: Path) -> list[Entry]:
    """The entries since the last new match, without disturbing a table that is writing. Raises JournalError."""
    return read_only(path, LAST_MATCH)


def read_game(path: Path) -> list[Entry]:
    """The entries of the last game begun, without writing anything. Raises JournalError."""
    return read_only(path, LAST_GAME)


def read_only(path: Path, first: str) -> list[Entry]:
    """The entries from the one that the query `first` names. Raises JournalError."""
    refuse_unreadable(path)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            refuse_newer_log(path, connection)
            return read_entries(connection, first)
    except (sqlite3.Error, ValueError) as error:
        raise JournalError(f"{path}: this is no readable journal ({error})") from None


def refuse_unreadable(path: Path) -> None:
    """Raises JournalError for what is no journal with a game, in plainer words than the database has."""
    try:
        if not path.exists():
            raise JournalError(f"{path}: there is no such journal")
        if not path.is_file() or is_foreign(path):
            raise JournalError(f"{path}: this is no journal of a table")
        if path.stat().st_size == 0:
            raise JournalError(f"{path}: this file is empty: no game has been kept in it")
        refuse_newer(path)
    except PermissionError:
        raise JournalError(f"{path}: no permission to read it: add sudo") from None
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror}") from None


def refuse_newer(path: Path) -> None:
    """Raises NewerJournalError for a journal that a later program has written, before anything touches it. Raises OSError."""
    if path.exists() and is_newer(version := version_in_header(path)):
        raise NewerJournalError(path, version)


def refuse_newer_log(path: Path, connection: sqlite3.Connection) -> None:
    """The same for an open one: its log may be all that says so, if the power was cut. Raises NewerJournalError, sqlite3.DatabaseError."""
    if is_newer(version := version_of(connection)):
        raise NewerJournalError(path, version)


def read_entries(connection: sqlite3.Connection, first: str) -> list[Entry]:
    """The entries from the one that the query `first` names. Raises sqlite3.DatabaseError for one that is missing or unreadable."""
    rows = connection.execute(f"SELECT kind, action, standing, beginning, number FROM entries WHERE number >= ({first}) ORDER BY number")
    entries: list[Entry] = []
    begins = 0
    try:
        for kind, action, standing, beginning, number in rows:
            begins = begins or number
            if number != begins + len(entries):
                raise sqlite3.DatabaseError(f"entry {begins + len(entries)} is missing")
            entries.append(Entry(kind, action, json.loads(standing), json.loads(beginning) if beginning else None))
    except (ValueError, TypeError, sqlite3.OperationalError) as error:
        raise sqlite3.DatabaseError(f"an entry cannot be read: {error}") from error
    return entries


def connect(path: Path) -> sqlite3.Connection:
    """Opens the database with the settings that survive a power cut, and looks whether entries can be added without harm.

    Raises sqlite3.Error, NewerJournalError.
    """
    connection = sqlite3.connect(path, timeout=BUSY_S)
    try:
        connection.execute(SYNC_WHILE_MADE)
        if connection.execute("PRAGMA page_count").fetchone() == (0,):
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(LOG)
        refuse_newer_log(path, connection)
        migrate(connection)
        connection.execute(EMPTY_LOG)
        connection.execute(SYNC)
        refuse_unsound(connection, path)
    except UnicodeDecodeError as error:  # an error text of SQLite itself, with what it has found
        connection.close()
        raise sqlite3.DatabaseError("its schema is garbled") from error
    except BaseException:
        connection.close()
        raise
    return connection


def refuse_unsound(connection: sqlite3.Connection, path: Path) -> None:
    """Raises sqlite3.DatabaseError if the header is not a journal's, or new pages would be put where others are.

    Nothing is ever deleted, so no page is free. Whether all pages are whole is not looked at: that would take the longer the
    more evenings there are. Those of the last game are read next, and damage that is met later does no harm (see writer.py).
    """
    names = ("application_id", "freelist_count", "page_count", "page_size")
    application_id, free, pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    if application_id != APPLICATION_ID or free or path.stat().st_size > pages * size:
        raise sqlite3.DatabaseError("its header is garbled")


def row_of(entry: Entry, wall: datetime | None) -> tuple[str | None, ...]:
    """The values of INSERT."""
    beginning = None if entry.beginning is None else compact(entry.beginning)
    return entry.kind, entry.action, compact(sorted(entry.standing)), beginning, wall.isoformat(timespec="seconds") if wall else ""


def compact(value: Any) -> str:
    """JSON without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
