"""What a program asks of a disk, in order; and the points that matter for what has to be there after a power cut."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Create(NamedTuple):
    """A file comes into being under a name; `file` is its number from now on."""

    path: Path
    file: int


class MakeFolder(NamedTuple):
    """A folder comes into being."""

    path: Path


class Unlink(NamedTuple):
    """A name is taken away."""

    path: Path


class Write(NamedTuple):
    """Bytes are put into a file."""

    file: int
    offset: int
    data: bytes


class Truncate(NamedTuple):
    """A file is cut off or made longer."""

    file: int
    size: int


class Sync(NamedTuple):
    """What is in a file is on disk from now on."""

    file: int


class SyncFolder(NamedTuple):
    """Which names there are in a folder is on disk from now on."""

    path: Path


class Acknowledged(NamedTuple):
    """The program was told that everything up to this entry is on disk."""

    entries: int


Operation = Create | MakeFolder | Unlink | Write | Truncate | Sync | SyncFolder | Acknowledged
