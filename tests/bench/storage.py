"""What an action asks of the disk, what a picture asks of the display's bus, and how long a long journal takes to open."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image

from tests.bench.at_table import TableAtWork
from tests.bench.rivals import ROOT
from tests.bench.rows import Row, limit
from tests.engine.journal.crash.operations import Operation, Sync, Write
from tests.engine.journal.crash.recorder import Recorder, find_library
from underboard.engine.journal.database import Entry, Journal, open_journal
from underboard.engine.scripting.parser import read_script
from underboard.engine.scripting.runner import Runner
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.i2c import SimulatedI2C

EVENING = ROOT / "tests" / "scripts" / "hack_trick" / "evening.table"
LONG = 1_200
CHECKPOINTS = 0.01
"""Syncs for taking the log over into the database, a share of an action's."""
ENTRIES, GAME_LENGTH, OPENINGS = 10_000, 100, 9
MOST_BYTES, MOST_SYNCS, MOST_MS_MORE = 5_000, 1, 200
NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)


def disk() -> list[Row]:
    """Syncs and bytes of actions, as SQLite asks the system for them; what is done on opening does not count."""
    if find_library() is None:
        return []  # a Python whose SQLite cannot be watched
    with TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder))
        with recorder.recording(), TableAtWork(Path(folder)) as table:
            syncs, sizes = zip(*costs_of_game(table, recorder.operations, Random(1)), strict=True)
        standing = sorted(table.app.table.layout.spaces)
    long_syncs, long_bytes = cost_of_evening([standing[: n % len(standing)] for n in range(LONG)])
    return [
        limit("disk/syncs", "syncs an action, median of a game", "", median(syncs), MOST_SYNCS),
        limit("disk/bytes", "bytes an action, median of a game", "B", median(sizes), MOST_BYTES),
        limit("disk/syncs/mean", "syncs an action, mean of an evening", "", long_syncs / LONG, MOST_SYNCS + CHECKPOINTS),
        limit("disk/bytes/mean", "bytes an action, mean of an evening", "B", long_bytes / LONG, MOST_BYTES),
    ]


def costs_of_game(table: TableAtWork, operations: Sequence[Operation], random: Random) -> Iterator[tuple[int, int]]:
    """Syncs and bytes of each action of a random game."""
    game = table.app.table.setup.game
    while not game.over(state := table.app.table.state):
        before = len(operations)
        table.app.order(game.pick(state, random))
        yield cost(operations[before:])


def cost_of_evening(positions: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Syncs and bytes of so many entries of a journal, so many that its log is taken over into the database on the way."""
    with TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder))
        with recorder.recording():
            journal = open_journal(Path(folder) / "journal.sqlite3").journal
            before = len(recorder.operations)
            for standing in positions:
                journal.append(Entry("do", "j10", standing), NOON)
            done = recorder.operations[before:]
            journal.close()
    return cost(done)


def cost(operations: Sequence[Operation]) -> tuple[int, int]:
    """Syncs and bytes."""
    return sum(isinstance(one, Sync) for one in operations), sum(len(one.data) for one in operations if isinstance(one, Write))


def display() -> list[Row]:
    """Bytes on the bus for a whole game as people play it, beside luma sending each of the same pictures."""
    first, *commands = read_script(EVENING.read_text(encoding="utf-8"), EVENING.name)
    with Runner(first.arguments) as runner:
        for command in commands:
            runner.play(command)
        assert runner._program is not None
        pictures, ours = runner._program.box.display.counters["pictures"], runner._box.i2c.bytes_written
    whole = pictures * bytes_of_whole_frame()
    return [Row("display/bytes", f"display bytes of a game, {pictures} pictures", "B", ours, "luma's whole frames", whole, whole / ours, 4)]


def bytes_of_whole_frame() -> int:
    """What luma sends for a picture, set-up apart."""
    bus = SimulatedI2C(clock=VirtualClock())
    device = ssd1306(i2c(bus=bus, address=0x3C))
    before = bus.bytes_written
    device.display(Image.new("1", (128, 64), 1))
    return bus.bytes_written - before


def journals() -> list[Row]:
    """How long opening takes with many evenings in the journal, beside an empty one."""
    with TemporaryDirectory() as folder:
        empty, long = (Path(folder) / name for name in ("empty.sqlite3", "long.sqlite3"))
        open_journal(empty).journal.close()
        fill(long, ENTRIES)
        times = [(opening_ms(long), opening_ms(empty)) for _ in range(OPENINGS)]
    more = max(0.0, median(a - b for a, b in times))
    return [limit("journal/opening", f"opening with {ENTRIES:,} actions, beside none", "ms more", more, MOST_MS_MORE, steady=1.0)]


def fill(path: Path, entries: int) -> None:
    """A journal with so many entries, of games one after the other."""
    beginning = {"setup": {"game": "hack_trick"}, "options": {}, "record": {"row": list(range(40))}, "games": []}
    actions = (Entry("do", "infect 3", ["1a", "2a", "3a", "4b"], None if n % GAME_LENGTH else beginning) for n in range(entries))
    journal = Journal(path)
    journal.append_all((entry._replace(kind="new") if entry.beginning else entry, NOON) for entry in actions)
    journal.close()


def opening_ms(path: Path) -> float:
    """How long it takes to open a journal and read its last game, in ms."""
    start = time.perf_counter()
    opened = open_journal(path)
    spent = time.perf_counter() - start
    opened.journal.close()
    return spent * 1_000


def rows() -> list[Row]:
    """Disk, bus and journal."""
    return [*disk(), *display(), *journals()]
