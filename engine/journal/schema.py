"""The tables of a journal, and the version of their schema: how an older journal is brought up to date, and a newer one is known.

The version is SQLite's `user_version`, in the header of the file. A journal that is opened for writing goes through one function of
MIGRATIONS after the other, and is marked with the new version in the same transaction: a power cut leaves the old or the new one.

To change the schema: write a function that makes one of version N a journal of version N + 1, say in it what the new version is
for, enter it as `MIGRATIONS[N]` and raise SCHEMA_VERSION. A function that entered a release stays as it is. Only `execute` may be
used in it, for `executescript` would end the transaction. Add a journal of version N to `tests/engine/journal`, made by the
program before the change, and a test that it goes on. What reads entries in `database.py` reads journals of the latest version only,
but those that are opened without writing can be of any version: they have to be read as they are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from underboard.engine.journal.file import has_header, read_head

SCHEMA_VERSION = 1
"""That of the journals which this program writes."""

HIGHEST = 999
"""No schema has had so many versions: a number above it, or below 0, is that of a garbled header."""

VERSION_AT = 60
"""Where SQLite keeps `user_version` in the header, in four bytes."""

Migration = Callable[[sqlite3.Connection], None]


def make_entries(connection: sqlite3.Connection) -> None:
    """0 → 1: a new file gets its table. Journals from before there were versions are 0, too, and have it."""
    connection.execute("""
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,      -- new, next, do, undo, correct or table
    action TEXT NOT NULL,
    standing TEXT NOT NULL,  -- JSON list: the spaces with a token afterwards
    beginning TEXT,          -- JSON object, for kinds new and next: setup, options, record, games
    wall TEXT NOT NULL       -- the wall clock then, a label only; "" if it is not known
)""")
    connection.execute("CREATE INDEX IF NOT EXISTS beginnings ON entries (number) WHERE beginning IS NOT NULL")


MIGRATIONS: Mapping[int, Migration] = {0: make_entries}
"""What makes a journal of one version one of the next, by the version before."""


def migrate(connection: sqlite3.Connection) -> None:
    """Brings a journal of any version up to SCHEMA_VERSION, all at once or not at all. Raises sqlite3.Error."""
    found = version_of(connection)
    if found == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        for version in range(found, SCHEMA_VERSION):
            MIGRATIONS[version](connection)
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")


def version_of(connection: sqlite3.Connection) -> int:
    """The version of an open journal. Raises sqlite3.DatabaseError if its header is too garbled to have one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if not 0 <= version <= HIGHEST:
        raise sqlite3.DatabaseError("its header is garbled")
    return version


def version_in_header(path: Path) -> int:
    """The version of a journal without opening it as a database, which would leave other files beside it. Raises OSError.

    0 for a file without the header of a journal. What is still in the log of a journal is not looked at.
    """
    head = read_head(path)
    version = int.from_bytes(head[VERSION_AT : VERSION_AT + 4], "big")
    return version if has_header(head) and version <= HIGHEST else 0


def is_newer(version: int) -> bool:
    """Whether a later program has written it."""
    return version > SCHEMA_VERSION
