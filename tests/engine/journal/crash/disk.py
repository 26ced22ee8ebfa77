"""A disk whose power can be cut: what may be on it then, after the operations that were asked of it.

What was synced is there. Of what was not, any part may be there: each sector of a write and each change of a name by itself,
in any combination, however they were ordered; and a sector that was being written may hold anything. What is not touched by a
write keeps its value, also in the same sector.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from tests.engine.journal.crash.operations import Acknowledged, Create, MakeFolder, Operation, Sync, SyncFolder, Truncate, Unlink, Write

SECTOR = 512
JUNK = 0xA5

Fate = Literal["done", "lost", "junk"]
ALONE: tuple[tuple[Fate, Fate], ...] = (("lost", "done"), ("done", "lost"), ("junk", "done"))
"""What becomes of one operation, and of all others."""
Pending = Create | MakeFolder | Unlink | Write | Truncate


class Image(NamedTuple):
    """What is on the disk: folders, and what is in files."""

    folders: frozenset[Path]
    files: dict[Path, bytes]

    def put(self, root: Path, at: Path) -> None:
        """Puts everything that was below `root` below the folder `at`."""
        for folder in sorted(self.folders):
            (at / folder.relative_to(root)).mkdir(exist_ok=True)
        for path, content in self.files.items():
            (at / path.relative_to(root)).write_bytes(content)


class Disk:
    """Begins with folders and files that are on disk; `pending` is what was asked for since and is not synced yet."""

    def __init__(self, folders: Iterable[Path], files: dict[Path, int], contents: dict[int, bytes]) -> None:
        self.pending: list[Pending] = []
        self.synced = 0  # how often
        self._folders = set(folders)
        self._names = dict(files)
        self._contents = {number: bytearray(content) for number, content in contents.items()}

    def do(self, operation: Operation) -> None:
        """One more operation."""
        match operation:
            case Acknowledged():
                return
            case Sync(file):
                self._settle([one for one in self.pending if isinstance(one, Write | Truncate) and one.file == file])
            case SyncFolder(folder):
                self._settle([one for one in self.pending if not isinstance(one, Write | Truncate) and one.path.parent == folder])
            case Write(file, offset, data):
                self.pending += pieces(file, offset, data)
            case _:
                self.pending.append(operation)

    def _settle(self, done: Sequence[Pending]) -> None:
        """These are on disk."""
        for one in done:
            self._apply(one, "done", self._names, self._folders, self._contents)
        self.pending = [one for one in self.pending if not any(one is other for other in done)]
        self.synced += bool(done)

    def image(self, fates: Sequence[Fate]) -> Image:
        """The disk after a power cut, if this is what became of each pending operation."""
        names, folders = dict(self._names), set(self._folders)
        contents = dict(self._contents)
        for file in {one.file for one in self.pending if isinstance(one, Write | Truncate)}:
            contents[file] = bytearray(contents.get(file, b""))
        for one, fate in zip(self.pending, fates, strict=True):
            self._apply(one, fate, names, folders, contents)
        there = frozenset(
            folder for folder in folders if all(parent in folders for parent in folder.parents if parent in self._all(folders))
        )
        return Image(there, {path: bytes(contents.get(file, b"")) for path, file in names.items() if path.parent in there})

    def _all(self, folders: set[Path]) -> set[Path]:
        """Every folder that was ever asked for, on disk or not."""
        return folders | {one.path for one in self.pending if isinstance(one, MakeFolder)}

    def _apply(self, one: Pending, fate: Fate, names: dict[Path, int], folders: set[Path], contents: dict[int, bytearray]) -> None:
        if fate == "lost":
            return
        match one:
            case Create(path, file):
                names[path] = file
            case MakeFolder(path):
                folders.add(path)
            case Unlink(path):
                names.pop(path, None)
            case Write(file, offset, data):
                put(contents.setdefault(file, bytearray()), offset, data if fate == "done" else bytes([JUNK]) * len(data))
            case Truncate(file, size):
                content = contents.setdefault(file, bytearray())
                content.extend(bytes(max(0, size - len(content))))
                del content[size:]


def pieces(file: int, offset: int, data: bytes) -> Iterator[Write]:
    """A write as one write for each sector."""
    start = 0
    while start < len(data):
        size = min(SECTOR - (offset + start) % SECTOR, len(data) - start)
        yield Write(file, offset + start, data[start : start + size])
        start += size


def put(content: bytearray, offset: int, data: bytes) -> None:
    """Writes into a file; what it is made longer by is zeros."""
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def fates(pending: int, random: Random, samples: int) -> Iterator[tuple[Fate, ...]]:
    """What can become of so many operations: everything if they are few, else each prefix, all but one, one alone, and samples.

    With no more than one sample, nothing but that.
    """
    if samples <= 1:
        yield from some_fates(pending, random, samples)
        return
    if pending <= 4:
        yield from product(("done", "lost", "junk"), repeat=pending)
        return
    for end in range(pending + 1):
        yield tuple("done" if number < end else "lost" for number in range(pending))
    for one in [*range(min(pending, samples)), pending - 1]:
        for fate, others in ALONE:
            chosen: list[Fate] = [others] * pending
            chosen[one] = fate
            yield tuple(chosen)
    yield from some_fates(pending, random, samples)


def some_fates(pending: int, random: Random, samples: int) -> Iterator[tuple[Fate, ...]]:
    """Samples, half of them with junk."""
    for _ in range(samples):
        yield tuple(random.choices(("done", "lost", "junk"), (4, 3, random.randrange(2)), k=pending))
