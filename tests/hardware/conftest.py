"""A simulated table for the tests of the sensing side: box, real drivers, virtual clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack

import pytest

from underboard.hardware.board.matrix import MatrixScanner
from underboard.hardware.board.reed_board import Reading, ReedBoard
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE, Wiring
from underboard.hardware.simulator.box import SimulatedBox


class Table:
    """A board of some size that is polled as the program polls it."""

    def __init__(self, opened: ExitStack, rows: int, columns: int, *, holes: Iterable[Cell] = (), tokens: Iterable[Cell] = ()) -> None:
        wiring = Wiring(REFERENCE.rows[:rows], REFERENCE.columns[:columns], REFERENCE.keys, REFERENCE.buzzer)
        self.clock = VirtualClock()
        self.box = opened.enter_context(SimulatedBox(self.clock, wiring, holes=holes))
        for cell in tokens:
            self.box.place(cell)
        self.scanner = opened.enter_context(MatrixScanner(self.box.pin_factory(), wiring.rows, wiring.columns))
        self.board = ReedBoard(self.scanner, self.clock, rows=rows, columns=columns, holes=holes)

    def run(self, ms: int) -> list[Reading]:
        """Poll for *ms* milliseconds at the pace the board asks for."""
        end = self.clock.now() + ms
        readings = []
        while self.clock.now() < end:
            readings.append(self.board.poll())
            self.clock.advance(min(self.board.next_poll_ms(), end - self.clock.now()))
        return readings

    def moves(self, ms: int) -> list[tuple[Cell, bool]]:
        """What changed during the next *ms* milliseconds, as (cell, placed)."""
        return [(change.cell, change.closed) for reading in self.run(ms) for change in reading.changes]

    def rest(self) -> Reading:
        """Wait until everything is settled; the last reading."""
        return self.run(600)[-1]


@pytest.fixture
def new_table() -> Iterator[Callable[..., Table]]:
    """Makes tables: ``new_table(rows=10, columns=10, holes=(), tokens=())``, and closes them."""
    with ExitStack() as opened:

        def make(rows: int = 10, columns: int = 10, **options: Iterable[Cell]) -> Table:
            return Table(opened, rows, columns, **options)

        yield make


@pytest.fixture
def table(new_table: Callable[..., Table]) -> Table:
    """The reference table, empty and settled."""
    made = new_table()
    made.rest()
    return made
