"""What is on the disk after a power cut at any write of a game: no entry that was acknowledged is ever lost.

docs/power-cuts.md tells the model. The settings that are known to lose entries are tried with the same means, and must.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.engine.journal.crash.disk import Disk, Image, fates
from tests.engine.journal.crash.evening import FOLDER, MEMORY, NAME, Evening, Trial, open_and_play, record, rows_in
from tests.engine.journal.crash.operations import Acknowledged, Create, MakeFolder, Sync, SyncFolder, Truncate, Unlink, Write
from tests.engine.journal.crash.recorder import find_library
from underboard.engine.journal import database as journal
from underboard.engine.journal.schema import SCHEMA_VERSION, version_in_header
from underboard.engine.journal.writer import open_writer

pytestmark = pytest.mark.skipif(find_library() is None, reason="this Python hides its SQLite: its requests to the disk cannot be seen")

OLDER = Path(__file__).parents[1] / "version_0.journal"
SHORT, LONG = 40, 1_050
"""Actions of an evening; the long one is long enough for the log to be written back into the database."""


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def short(root: Path) -> Evening:
    (root / "short").mkdir()
    return record(root / "short", open_and_play(SHORT))


@pytest.fixture(scope="module")
def long(root: Path) -> Evening:
    (root / "long").mkdir()
    return record(root / "long", open_and_play(LONG))


def syncs(evening: Evening) -> Counter[int]:
    """How often a file was synced for each entry, by the entries acknowledged before."""
    counts: Counter[int] = Counter()
    acknowledged = 0
    for operation in evening.operations:
        if isinstance(operation, Acknowledged):
            acknowledged = operation.entries
        counts[acknowledged] += isinstance(operation, Sync)
    return counts


# The journal


def test_nothing_is_lost_whatever_write_the_power_cut_comes_at(short: Evening) -> None:
    """From the first request on, which makes the folder, to the last, which takes the log away."""
    trial = Trial(short, lambda acknowledged: 6)
    trial.run()
    assert trial.losses == []
    assert trial.cuts > 1_000


def test_nothing_is_lost_while_the_log_is_written_back(long: Evening) -> None:
    eventful = {entry + near for entry, count in syncs(long).items() if count > 1 and entry > SHORT for near in (-1, 0, 1)}
    database = next(one.file for one in long.operations if isinstance(one, Create) and one.path.name == NAME)
    written_back = [one for one in long.operations if isinstance(one, Write) and one.file == database]
    assert len(written_back) > 20
    assert len(eventful) >= 4
    trial = Trial(long, lambda acknowledged: 4 if acknowledged in eventful else int(acknowledged % 5 == 0))
    trial.run()
    assert trial.losses == []


def test_nothing_is_lost_if_the_power_goes_again_while_the_game_goes_on(short: Evening, root: Path) -> None:
    """Opening what a power cut left, a few actions and closing, with a power cut at every write of that."""
    left = list(Trial(short, lambda acknowledged: 4).moments())
    for number, image in enumerate(Random(1).sample(left, 12)):
        folder = root / f"again-{number}"
        folder.mkdir()
        image.put(short.root, folder)
        evening = record(folder, open_and_play(5), known=rows_left(image, short))
        trial = Trial(evening, lambda acknowledged: 2)
        trial.run()
        assert trial.losses == []


def test_nothing_is_lost_if_the_power_goes_while_an_older_journal_is_brought_up_to_date(root: Path) -> None:
    """It is of the old version or the new one then, and can be opened."""
    folder, copy = root / "older", root / "copy"
    (folder / FOLDER).mkdir(parents=True)
    for path in (folder / FOLDER / NAME, copy):
        shutil.copyfile(OLDER, path)
    assert version_in_header(copy) == 0
    evening = record(folder, open_and_play(5), known=rows_in(copy))
    trial = Trial(evening, lambda acknowledged: 6)
    trial.run()
    assert trial.losses == []
    assert version_in_header(folder / FOLDER / NAME) == SCHEMA_VERSION


def rows_left(image: Image, evening: Evening) -> Any:
    """The rows that a table finds after a power cut."""
    with TemporaryDirectory(dir=MEMORY) as scratch:
        image.put(evening.root, Path(scratch))
        path = Path(scratch) / FOLDER / NAME
        open_writer(path).close()
        return rows_in(path)


def test_an_entry_is_one_sync_and_at_most_5_kB(long: Evening) -> None:
    """But for the first of a game, which is larger, and one in nine hundred, with which the log is written back."""
    counts, sizes = syncs(long), Counter[int]()
    acknowledged = 0
    for operation in long.operations:
        if isinstance(operation, Acknowledged):
            acknowledged = operation.entries
        elif isinstance(operation, Write):
            sizes[acknowledged] += len(operation.data)
    per_entry = [counts[entry] for entry in range(1, LONG)]
    assert sorted(per_entry)[-3:-2] == [1]
    assert min(per_entry) == 1
    assert sum(per_entry) / LONG < 1.01
    assert sum(sizes[entry] for entry in range(1, LONG)) / LONG < 5_000
    assert sum(sizes[entry] == 4_120 for entry in range(1, LONG)) > 0.9 * LONG  # a page and what stands before it in the log


# Settings that are known to lose entries


def no_identities(path: Path) -> Iterator[tuple[int, int]]:
    """In place of the look at database and log, for settings without a log."""
    return iter(())


@pytest.mark.parametrize(
    ("changes", "at_least"),
    [
        ({"SYNC_WHILE_MADE": "PRAGMA synchronous=FULL", "LOG": "PRAGMA journal_mode=DELETE", "identities": no_identities}, 20),
        ({"SYNC": "PRAGMA synchronous=NORMAL"}, 200),
        ({"SYNC": "PRAGMA synchronous=OFF"}, 200),
        ({"SYNC_WHILE_MADE": "PRAGMA synchronous=OFF", "SYNC": "PRAGMA synchronous=OFF"}, 200),
        ({"make_folder": lambda folder: folder.mkdir(exist_ok=True)}, 20),
    ],
    ids=["DELETE+FULL", "WAL+NORMAL", "WAL+OFF", "all OFF", "folder not synced"],
)
def test_weaker_settings_are_caught(root: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], at_least: int) -> None:
    folder = root / f"weak-{len(list(root.iterdir()))}"
    folder.mkdir()
    with monkeypatch.context() as weaker:
        for name, value in changes.items():
            weaker.setattr(journal, name, value)
        evening = record(folder, open_and_play(10))
    trial = Trial(evening, lambda acknowledged: 4)
    trial.run()
    assert len(trial.losses) >= at_least
    assert all(loss.acknowledged > 0 for loss in trial.losses)


# The means of proof


def test_the_record_is_what_happened(short: Evening, long: Evening) -> None:
    """If everything that was asked for is done, the disk of the model is the real one."""
    for evening in (short, long):
        disk = Disk(evening.folders, evening.files, evening.contents)
        for operation in evening.operations:
            disk.do(operation)
        files = disk.image(["done" for _ in disk.pending]).files
        real = {path: path.read_bytes() for path in evening.root.rglob("*") if path.is_file()}
        assert files == real


def after(*operations: Any) -> Disk:
    disk = Disk([Path("/d")], {}, {})
    for operation in operations:
        disk.do(operation)
    return disk


NEW_FILE = Create(Path("/d/f"), 1)


def outcomes(disk: Disk) -> set[bytes | None]:
    """What can be in the file /d/f."""
    return {disk.image(chosen).files.get(Path("/d/f")) for chosen in fates(len(disk.pending), Random(1), 4)}


@pytest.mark.parametrize(
    ("operations", "possible"),
    [
        ([NEW_FILE], {None, b""}),
        ([NEW_FILE, SyncFolder(Path("/d"))], {b""}),
        ([NEW_FILE, Write(1, 0, b"ab"), Sync(1)], {None, b"ab"}),
        ([NEW_FILE, SyncFolder(Path("/d")), Write(1, 0, b"ab")], {b"", b"ab", b"\xa5\xa5"}),
        ([NEW_FILE, SyncFolder(Path("/d")), Write(1, 0, b"ab"), Sync(1)], {b"ab"}),
        ([NEW_FILE, SyncFolder(Path("/d")), Write(1, 0, b"ab"), Sync(1), Truncate(1, 1)], {b"ab", b"a"}),
        ([NEW_FILE, SyncFolder(Path("/d")), Write(1, 0, b"ab"), Sync(1), Unlink(Path("/d/f"))], {b"ab", None}),
        ([NEW_FILE, SyncFolder(Path("/d")), Unlink(Path("/d/f")), SyncFolder(Path("/d"))], {None}),
    ],
)
def test_what_a_disk_can_hold(operations: list[Any], possible: set[bytes | None]) -> None:
    assert outcomes(after(*operations)) == possible


def test_sectors_are_written_one_by_one_in_any_order() -> None:
    disk = after(NEW_FILE, SyncFolder(Path("/d")), Write(1, 500, b"x" * 24))
    assert outcomes(disk) >= {b"", bytes(500) + b"x" * 12, bytes(512) + b"x" * 12, bytes(500) + b"x" * 24}


def test_what_is_in_a_folder_is_lost_with_it() -> None:
    inside = Path("/d/new/f")
    disk = after(MakeFolder(Path("/d/new")), Create(inside, 1), SyncFolder(Path("/d/new")))
    assert {inside in disk.image(chosen).files for chosen in fates(len(disk.pending), Random(1), 4)} == {True, False}
    disk.do(SyncFolder(Path("/d")))
    assert inside in disk.image(()).files


@pytest.mark.parametrize("pending", range(8))
def test_all_prefixes_are_among_what_can_become_of_requests(pending: int) -> None:
    found = set(fates(pending, Random(1), 3))
    assert {("done",) * end + ("lost",) * (pending - end) for end in range(pending + 1)} <= found
    assert len(found) >= min(3**pending, 2 * pending)


def test_nothing_stays_replaced(root: Path) -> None:
    """After a recording SQLite and `os` are as they were."""
    functions = os.open, os.fsync, os.mkdir
    folder = root / "once"
    folder.mkdir()
    evening = record(folder, open_and_play(1))
    count = len(evening.operations)
    open_writer(folder / FOLDER / NAME).close()
    assert (os.open, os.fsync, os.mkdir) == functions
    assert len(evening.operations) == count
