"""What is to blame when a journal cannot be written: the disk, the file, or another program."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Literal

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

Cause = Literal["full", "read_only", "busy", "failed", "gone", "damaged"]
"""Why a journal that is none of the player's mistakes cannot be written; `gone`: another file, or none, has its name now."""

CAUSES: dict[int, Cause] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
}
ERRNO_CAUSES: dict[int, Cause] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EROFS: "read_only",
    errno.EACCES: "read_only",
    errno.EPERM: "read_only",
    errno.EIO: "failed",
    errno.ENXIO: "failed",
    errno.ENODEV: "failed",
    errno.ESTALE: "failed",
    errno.ENOMEM: "failed",
    errno.EMFILE: "failed",
    errno.ENFILE: "failed",
}


def cause_of(error: OSError | sqlite3.Error) -> Cause | None:
    """What is to blame for an error: None if it is the name of the file."""
    if isinstance(error, OSError):
        return ERRNO_CAUSES.get(error.errno or 0)
    return CAUSES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "failed")


def is_damage(error: sqlite3.DatabaseError, path: Path) -> bool:
    """Whether the file is to blame, and not the disk, its permissions or another program."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_READONLY:
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return path.is_file() and code not in BLAMELESS
