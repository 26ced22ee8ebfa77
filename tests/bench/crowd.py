"""A table that hundreds watch: what a turn of the service's loop takes, beside the same table that nobody watches.

The page's server is a thread of the same process, so it could hold the referee up. The crowd is a process of its own that gives way
to everybody else: the phones of a crowd do not use the processor of the table either.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from types import TracebackType
from typing import Self

from tests.bench.at_table import TableAtWork
from tests.bench.rivals import ROOT
from tests.bench.rows import Row
from tests.web.browserless import Follower
from underboard.engine.app.service.pages import ServicePages
from underboard.engine.view.game_log import GameLog
from underboard.web.host_names import LOOPBACK
from underboard.web.server import listen

CROWD = 200
ROUNDS = 3
TURNS, TURN_S = 400, 0.005
"""Of the loop in one measurement, and the pause between two as in the service: together more than two seconds."""
PLACE_EVERY = 80
"""Turns from one token to the next: more than twice in a second a crowd has something to see."""
LOWEST_PRIORITY = 19
NEEDED_MEAN, NEEDED_SLOWEST = 0.67, 0.5
"""With a crowd a turn may take half as long again, the slowest of a hundred twice as long."""


class WatchedTable:
    """A table with the page of the service. A context manager."""

    def __init__(self, folder: Path) -> None:
        self._table = TableAtWork(folder)
        self._page = ServicePages(self._table.app, self._table.drivers, GameLog(), fail)
        with listen(0) as free:
            self.port = int(free.getsockname()[1])
        self._page.open(LOOPBACK, self.port)
        self._random = Random(1)

    def turns_ms(self) -> list[float]:
        """What each turn of the loop takes, in ms of the wall clock, while tokens are put down."""
        return [self._turn_ms(number) for number in range(TURNS)]

    def _turn_ms(self, number: int) -> float:
        if number % PLACE_EVERY == 0:
            self._table.box.place(self._table.cell(self._table.legal_space(self._random)))
        time.sleep(TURN_S)
        table, lines = self._table.app.table, self._table.app.lines
        start = time.perf_counter()
        self._table.tick()
        if self._table.app.table is not table or self._table.app.lines is not lines:
            self._page.show()
        return (time.perf_counter() - start) * 1_000

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._page.close()
        self._table.__exit__(kind, error, trace)


def fail(problem: str) -> None:
    """A page that has gone measures nothing."""
    raise RuntimeError(problem)


@contextmanager
def watching(port: int, count: int) -> Iterator[None]:
    """So many spectators in a process of their own, all of whom have seen the table."""
    command = [sys.executable, "-m", "tests.bench.crowd", str(port), str(count)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as crowd:
        assert crowd.stdout is not None
        try:
            if crowd.stdout.readline() != b"all are there\n":
                raise RuntimeError("a spectator was turned away")
            yield
            if crowd.poll() is not None:
                raise RuntimeError("the crowd has gone")
        finally:
            crowd.kill()


def watch(port: int, count: int) -> None:
    """Watches until it is ended, as the process of `watching`."""
    os.nice(LOWEST_PRIORITY)
    spectators = [Follower(port, "watch") for _ in range(count)]
    for spectator in spectators:
        spectator.news()
        Thread(target=follow, args=(spectator,), daemon=True).start()
    print("all are there", flush=True)
    sys.stdin.read()


def follow(spectator: Follower) -> None:
    """Answers whatever comes."""
    while spectator.message() is not None:
        pass


def turns_before(count: int) -> tuple[float, float]:
    """The mean turn and the slowest of a hundred, in ms, before so many spectators."""
    with TemporaryDirectory() as folder, WatchedTable(Path(folder)) as table, watching(table.port, count):
        turns = table.turns_ms()
    return sum(turns) / len(turns), quantiles(turns, n=100)[-1]


def rows() -> list[Row]:
    """With the crowd and without, in turns; the median of each."""
    rounds = [(turns_before(CROWD), turns_before(0)) for _ in range(ROUNDS)]
    names = (("mean", "mean turn", NEEDED_MEAN), ("slowest", "slowest turn of 100", NEEDED_SLOWEST))
    return [
        Row(
            f"crowd/{key}",
            f"{what}, {CROWD} watch",
            "ms",
            median(ours[place] for ours, _ in rounds),
            "nobody watches",
            median(theirs[place] for _, theirs in rounds),
            median(theirs[place] / ours[place] for ours, theirs in rounds),
            needed,
        )
        for place, (key, what, needed) in enumerate(names)
    ]


if __name__ == "__main__":
    watch(int(sys.argv[1]), int(sys.argv[2]))
