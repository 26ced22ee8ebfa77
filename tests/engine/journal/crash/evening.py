"""An evening at the table whose every request to the disk is recorded, and the power cuts it could have met."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.engine.journal.crash.disk import Disk, Image, fates
from tests.engine.journal.crash.operations import Acknowledged, Operation, Sync, SyncFolder
from tests.engine.journal.crash.recorder import Recorder
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.database import Entry, JournalError, open_journal, row_of
from underboard.engine.journal.history import entry, resume
from underboard.engine.journal.writer import JournalWriter, open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import Did, Effect, Ordered
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step

WALL = datetime(2024, 5, 1, 20, 15, tzinfo=UTC)
FOLDER, NAME = "state", "journal.sqlite3"
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where images are put: nothing has to be on a real disk."""


Row = tuple[str | None, ...]


@dataclass
class Evening:
    """What was asked of the disk from the first request to the last, and the rows that were to be kept, in order."""

    root: Path
    folders: set[Path]
    files: dict[Path, int]
    contents: dict[int, bytes]
    operations: list[Operation] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


class Loss(NamedTuple):
    """A power cut that something did not survive, after so many acknowledged entries."""

    acknowledged: int
    why: str


def record(root: Path, act: Callable[[Path, Evening], None], known: Sequence[Row] = ()) -> Evening:
    """Records what `act` does with a journal below `root`; `known` are the rows that are in it already."""
    recorder = Recorder(root)
    files = recorder.known()
    folders = {root, *(path for path in root.rglob("*") if path.is_dir())}
    evening = Evening(root, folders, files, {number: path.read_bytes() for path, number in files.items()}, recorder.operations, [*known])
    with recorder.recording():
        act(root / FOLDER / NAME, evening)
    return evening


def play(writer: JournalWriter, evening: Evening, actions: int, seed: int) -> None:
    """Random play of Hack Trick, one game after the other; each entry is acknowledged once the writer has it on disk."""
    random = Random(seed)
    if writer.game:
        table = resume(writer.game)
    else:
        table, effects = open_table(new_setup("hack_trick", {"seed": str(seed), "target": "9"}, seed))
        keep(writer, evening, table, effects)
    for number in range(actions):
        table, effects = step(table, Ordered(next_action(table, random)), number)
        keep(writer, evening, table, effects)


def next_action(table: TableState, random: Random) -> str:
    """Any legal action, now and then one taken back; after a game the next one."""
    game, state = table.setup.game, table.state
    if game.over(state):
        return f"next seed={random.randrange(1000)}" if game.match(state)["winner"] is None else "undo"
    return "undo" if table.session.now.before and random.random() < 0.05 else random.choice(game.legal(state))


def keep(writer: JournalWriter, evening: Evening, table: TableState, effects: Sequence[Effect]) -> None:
    """As the program does it: written, then believed."""
    for did in effects:
        if isinstance(did, Did):
            evening.rows.append(row_of(entry(did, table), WALL))
            writer.append(entry(did, table), WALL, 0)
            assert writer.problem is None
            evening.operations.append(Acknowledged(len(evening.rows)))


def open_and_play(actions: int) -> Callable[[Path, Evening], None]:
    """A journal is opened, or made in a new folder; a game goes on or begins; the journal is closed."""

    def act(path: Path, evening: Evening) -> None:
        writer = open_writer(path)
        assert not writer.notes
        play(writer, evening, actions, seed=4)
        writer.close()

    return act


class Trial:
    """Cuts the power of an evening at every moment, and looks at what comes of it."""

    def __init__(self, evening: Evening, samples: Callable[[int], int]) -> None:
        """`samples` says, for a number of acknowledged entries, how closely to look at what can become of pending operations."""
        self.cuts = 0
        self.losses: list[Loss] = []
        self._evening = evening
        self._samples = samples
        self._disk = Disk(evening.folders, evening.files, evening.contents)
        self._acknowledged = len(evening.rows) - sum(isinstance(one, Acknowledged) for one in evening.operations)
        self._random = Random(1)
        self._seen: set[tuple[int, int, tuple[str, ...]]] = set()
        self._resumed: set[int] = set()

    def run(self) -> None:
        """Looks at all of them."""
        for image in self.moments():
            self.cuts += 1
            if why := self._verdict(image):
                self.losses.append(Loss(self._acknowledged, why))

    def moments(self) -> Iterator[Image]:
        """What can be on the disk before each sync, after each acknowledgement and at the end.

        Anything that was asked for may be missing then, so the images are also those of all moments in between.
        """
        for operation in self._evening.operations:
            if isinstance(operation, Sync | SyncFolder):
                yield from self._images()
            self._disk.do(operation)
            if isinstance(operation, Acknowledged):
                self._acknowledged = operation.entries
                yield from self._images()
        yield from self._images()

    def _images(self) -> Iterator[Image]:
        """What can be on the disk now and has not been looked at."""
        pending = self._disk.pending
        for chosen in fates(len(pending), self._random, self._samples(self._acknowledged)):
            key = (self._acknowledged, self._disk.synced, tuple(f"{id(one)}{fate}" for one, fate in zip(pending, chosen, strict=True)))
            if key not in self._seen:
                self._seen.add(key)
                yield self._disk.image(chosen)

    def _verdict(self, image: Image) -> str:
        """What is wrong after a power cut, "" if nothing: opens the journal as a table does and goes on with its game."""
        with TemporaryDirectory(dir=MEMORY) as scratch:
            image.put(self._evening.root, Path(scratch))
            path = Path(scratch) / FOLDER / NAME
            try:
                opened = open_journal(path)
                opened.journal.close()
                return f"damaged: {opened.why}" if opened.moved_to else self._compare(rows_in(path), opened.game)
            except (JournalError, sqlite3.DatabaseError) as error:
                return f"unreadable: {error}"

    def _compare(self, found: Sequence[Row], game: Sequence[Entry]) -> str:
        """Everything acknowledged is there, and at most one entry more, which was being written."""
        count = len(found)
        if count < self._acknowledged:
            return f"{self._acknowledged - count} of {self._acknowledged} acknowledged entries are lost"
        if count > self._acknowledged + 1 or found != self._evening.rows[:count]:
            return "entries that nobody wrote"
        if game and count not in self._resumed and self._samples(self._acknowledged) > 1:
            self._resumed.add(count)
            resume(game)
        return ""


def rows_in(path: Path) -> list[Row]:
    """All rows of a journal."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT kind, action, standing, beginning, wall FROM entries ORDER BY number").fetchall()
