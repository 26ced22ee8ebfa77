"""What happens between a token and the display: how long it takes, in virtual time, and what it costs of the processor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Literal

from tests.bench.at_table import TableAtWork
from tests.bench.paired import yardstick_ms
from tests.bench.rows import Row, limit
from underboard.engine.journal.database import read_game
from underboard.engine.referee.find_alerts import find_alert
from underboard.hardware.board.reed_board import IDLE_POLL_MS

Backend = Literal["gpio", "pico"]
BACKENDS: tuple[Backend, ...] = ("gpio", "pico")
PHASES = range(0, IDLE_POLL_MS, 3)
"""A token comes at any moment between two looks at the board."""
TRIES = 40
UNTIL_MS, ALERT_MS, SETTLED_MS, COST_MS = 60, 1_000, 400, 4.0


@contextmanager
def at_work(board: Backend) -> Iterator[TableAtWork]:
    """A table with its journal in a folder of its own."""
    with TemporaryDirectory() as folder, TableAtWork(Path(folder), board) as table:
        yield table


def shown_after(table: TableAtWork, space: str) -> int:
    """From the contact to the first byte on the display's bus, in ms; the action must be on disk by then, which is read as others would."""
    kept, pictures = len(read_game(table.writer.path)), table.pictures
    start = table.clock.now()
    table.box.place(table.cell(space))
    table.until(lambda: table.pictures > pictures)
    if len(read_game(table.writer.path)) != kept + 1:
        raise AssertionError("something is shown that is not on disk")
    return table.clock.now() - start


def awaited(board: Backend) -> int:
    """The worst time for a token that the display asks for, since its space was chosen by key."""
    return worst(board, lambda table, space: table.choose(space))


def unannounced(board: Backend) -> int:
    """The worst time for a token that is put down without a word: it might be on its way elsewhere."""
    return worst(board, lambda table, space: None)


def worst(board: Backend, prepare: Callable[[TableAtWork, str], None]) -> int:
    """The longest time of tokens that come at different moments."""
    random, times = Random(1), []
    with at_work(board) as table:
        for phase in PHASES:
            table.run(1_000)
            space = table.legal_space(random)
            prepare(table, space)
            table.clock.advance(phase)
            times.append(shown_after(table, space))
    return max(times)


def alert_after(board: Backend) -> int:
    """The worst time from a token where none may be to the alert."""
    times = []
    for phase in PHASES:
        with at_work(board) as table:
            table.clock.advance(phase)
            table.box.place((5, 5))  # the first token goes to an edge
            times.append(table.until(lambda: find_alert(table.app.table) is not None))
    return max(times)


def cost() -> Row:
    """Processor time of all threads from the contact until the action is on the display, the median of many."""
    random, costs, yards = Random(1), [], []
    with at_work("gpio") as table:
        for _ in range(TRIES):
            table.run(1_000)
            table.done.clear()
            space, start = table.legal_space(random), process_time()
            table.box.place(table.cell(space))
            table.until(lambda: bool(table.done))
            costs.append((process_time() - start) * 1_000)
            yards.append(yardstick_ms())
    steady = median(yard / cost for yard, cost in zip(yards, costs, strict=True))
    return limit("cost/placement", "processor time of a placement", "ms", median(costs), COST_MS, steady)


def rows() -> list[Row]:
    """Times of both backends, and the cost."""
    found = []
    for board in BACKENDS:
        found += [
            limit(f"latency/awaited/{board}", f"awaited token: disk and display, {board}", "ms", awaited(board), UNTIL_MS),
            limit(f"latency/unannounced/{board}", f"unannounced token: disk and display, {board}", "ms", unannounced(board), SETTLED_MS),
            limit(f"latency/wrong/{board}", f"wrong token: alert, {board}", "ms", alert_after(board), ALERT_MS),
        ]
    return [*found, cost()]
