"""The journal as a file among others: whose it is, who has it open, where a damaged one goes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

APPLICATION_ID = 0x556E6462
"""What SQLite writes into the header of a journal, so that it is told from the database of another program: "Undb"."""

MAGIC = b"SQLite format 3\0"
APPLICATION_ID_AT = 68
SMALLEST_DATABASE = 512
HEAD = 65_536
TRACE = b"standing TEXT NOT NULL"
"""Words of the journal's schema, which SQLite keeps as they are in the first page."""

SIDE_FILES = ("", "-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, now or for as long as it is being made."""


def is_foreign(path: Path) -> bool:
    """Whether a file is there that never was a journal. Raises OSError.

    A journal is known by its application id or by words of its schema, whatever else of it is garbled, and by the lock that
    every table puts beside it. A file of zeros, or one that ends before its first page does, is what a power cut
    leaves of any new file: nobody's property.
    """
    if not path.exists() or Path(f"{path}.lock").exists():
        return False
    head = read_head(path)
    unfinished = len(head) < SMALLEST_DATABASE and MAGIC.startswith(head[: len(MAGIC)])
    return bool(head.strip(b"\0")) and not (has_application_id(head) or TRACE in head or unfinished)


def read_head(path: Path) -> bytes:
    """The beginning of a file. Raises OSError."""
    with path.open("rb") as file:
        return file.read(HEAD)


def has_header(head: bytes) -> bool:
    """Whether the beginning of a file is that of a journal."""
    return head.startswith(MAGIC) and has_application_id(head)


def has_application_id(head: bytes) -> bool:
    """Whether the application id is a journal's, whatever stands before it."""
    return head[APPLICATION_ID_AT : APPLICATION_ID_AT + 4] == APPLICATION_ID.to_bytes(4, "big")


def lock(path: Path) -> int:
    """Reserves a journal for this process; answers a file descriptor that holds the lock. Raises BlockingIOError if it is taken."""
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it, each on disk before anything is put into it. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Waits until the names in a folder are on disk. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def behind_links(path: Path) -> Path:
    """The file that a link leads to, be it there or not: SQLite keeps its other files beside that one. A link in a circle stays."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else path


def side_files(path: Path) -> list[Path]:
    """The files that the database consists of now."""
    return [file for suffix in SIDE_FILES if (file := Path(f"{path}{suffix}")).exists()]


def identities(path: Path) -> Iterator[tuple[int, int]]:
    """Which files the database and its log are, whatever they are called. Raises FileNotFoundError if one of them is gone."""
    for suffix in ("", "-wal"):
        found = os.stat(f"{path}{suffix}")
        yield found.st_dev, found.st_ino


def move_aside(path: Path) -> Path:
    """Renames a database that cannot be used; answers its new name. Raises OSError."""
    number = 1
    while (target := Path(f"{path}.damaged-{number}")).exists():
        number += 1
    for file in side_files(path):
        file.rename(f"{target}{str(file)[len(str(path)) :]}")
    return target
