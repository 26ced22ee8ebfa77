"""Cells that come and go for ever, and what is counted of every cell and device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from underboard.hardware.board.cell_map import CellMap
from underboard.hardware.board.flutter import CALM_MS, FLUTTER_CHANGES, REST_MS, FlutterWatch
from underboard.hardware.box.drivers import Box, open_box
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.debounce import ContactChange
from underboard.hardware.core.health import CellHealth, Health, health_of
from underboard.hardware.panel.picture import draw
from underboard.hardware.simulator.box import SimulatedBox

if TYPE_CHECKING:
    from underboard.hardware.board.reed_board import Reading

A: Cell = (3, 4)
NewTable = Callable[..., Any]


def changes(period: int, count: int, first: bool = True) -> list[ContactChange]:
    """A cell that changes *count* times, every *period* ms."""
    return [ContactChange(A, (number % 2 == 0) is first, 1_000 + number * period) for number in range(count)]


def test_a_hand_that_drums_is_believed() -> None:
    watch = FlutterWatch()
    drum = changes(100, FLUTTER_CHANGES - 1)
    assert [one for change in drum for one in watch.update(change.at, [change])] == drum
    assert watch.fluttering() == frozenset()


def test_a_hand_that_plays_all_evening_is_believed() -> None:
    watch = FlutterWatch()
    evening = changes(REST_MS + 1, 1_000)
    assert [one for change in evening for one in watch.update(change.at, [change])] == evening


@pytest.mark.parametrize("first", [True, False])
def test_a_flutter_is_held_where_it_began_and_let_go_when_calm(first: bool) -> None:
    counted: Counter[Cell] = Counter()
    watch = FlutterWatch(counted)
    endless = changes(100, 101, first)
    believed = [one for change in endless for one in watch.update(change.at, [change])]
    assert believed == endless[:FLUTTER_CHANGES]
    assert believed[-1].closed is not first
    assert watch.fluttering() == {A}
    assert watch.masks((0, 0, 0xFF)) == (0, 0, 0xFF & ~8 if first else 0xFF)
    assert watch.masks((0, 0, 0)) == (0, 0, 0 if first else 8)
    last = endless[-1].at
    assert watch.update(last + CALM_MS - 1, []) == []
    assert watch.update(last + CALM_MS, []) == [ContactChange(A, first, last + CALM_MS)]
    assert (watch.fluttering(), watch.masks((1, 1, 1))) == (frozenset(), (1, 1, 1))
    assert counted == {A: 1}


# On a board


def flutter(table: Any, cell: Cell, ms: int, half_period: int = 50) -> list[Reading]:
    """Let the cell close and open for *ms*: contacts that really move, not bounce."""
    readings = []
    for number in range(ms // half_period):
        (table.box.matrix.close if number % 2 == 0 else table.box.matrix.open)(cell)
        readings += table.run(half_period)
    table.box.matrix.open(cell)
    return readings


@pytest.mark.parametrize("half_period", [50, 80, 120])
def test_a_slow_flutter_is_named_and_the_board_comes_to_rest(table: Any, half_period: int) -> None:
    """https://github.com/UltimateHackingKeyboard/firmware/issues/128: chatter next to a magnet; here too slow for a debounce."""
    readings = flutter(table, A, 6_000, half_period)
    named = [reading.faulty == {A} for reading in readings]
    assert sum(named) > len(readings) / 3
    assert not any(reading.occupied for reading in readings if reading.settled)
    table.box.place((7, 7))
    seen = flutter(table, A, 1_000, half_period)
    assert seen[-1].settled
    assert (seen[-1].occupied, seen[-1].faulty) == (frozenset({(7, 7)}), frozenset({A}))
    last = table.run(3_000)[-1]
    assert (last.settled, last.occupied, last.faulty) == (True, {(7, 7)}, frozenset())


def test_a_cell_that_flutters_under_a_token_keeps_it(table: Any) -> None:
    table.box.place(A)
    table.rest()
    for _ in range(60):
        table.box.matrix.open(A)
        table.run(60)
        table.box.matrix.close(A)
        readings = table.run(60)
    assert (readings[-1].settled, readings[-1].occupied, readings[-1].faulty) == (True, {A}, {A})


# What is counted


def test_the_board_counts_what_its_cells_go_through(table: Any) -> None:
    table.box.place((1, 1))
    table.rest()
    table.box.chatter(A, 1_000)
    table.run(1_000)
    health: Health = table.board.health()
    assert (health.device, health.state, health.reason) == ("board", "ready", "")
    assert health.faulty == {A}
    assert health.counters == {"chatters": 1, "masked": 0, "dead": 0}
    assert set(health.cells) == {(1, 1), A}
    assert health.cells[1, 1].chatters == 0
    assert health.cells[1, 1].edges % 2 == 1
    assert health.cells[A].chatters == 1
    assert health.cells[A].edges > 100


def test_a_flutter_counts_as_chatter(table: Any) -> None:
    flutter(table, A, 4_000)
    assert table.board.health().cells[A] == CellHealth(edges=table.board.health().cells[A].edges, chatters=1)
    table.board.mask([A])
    assert table.board.health().counters["masked"] == 1
    assert table.board.health().faulty == frozenset()


@pytest.fixture
def opened() -> Iterator[tuple[Box, SimulatedBox, VirtualClock]]:
    clock = VirtualClock()
    with ExitStack() as stack:
        simulated = stack.enter_context(SimulatedBox(clock))
        box = open_box(simulated, clock, cell_map=CellMap(10, 10, dead=frozenset({(10, 10)})))
        stack.callback(box.close)
        yield box, simulated, clock


def test_a_box_tells_of_all_its_devices(opened: tuple[Box, SimulatedBox, VirtualClock]) -> None:
    box, simulated, clock = opened
    box.display.drain()
    board, oled = box.health()
    assert (board.device, board.faulty, board.counters["dead"]) == ("board", frozenset({(10, 10)}), 1)
    assert (oled.device, oled.state, oled.reason) == ("oled", "ready", "")
    assert oled.counters == {"pictures": 1, "openings": 1, "failures": 0}
    simulated.i2c.detach()
    box.display.show(draw([]))
    clock.advance(500)
    box.display.poll()
    box.display.drain()
    oled = box.health()[1]
    assert (oled.state, oled.counters["failures"]) == ("absent", 2)
    assert oled.reason.startswith("display at 0x3c")


def test_a_device_that_counts_nothing_has_no_counters() -> None:
    class Silent:
        state = "fault"
        reason = "it is broken"

    assert health_of("silent", Silent()) == Health("silent", "fault", "it is broken")
