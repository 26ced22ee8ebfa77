"""Faults of a box: what each does to it, what is broken now, and that everything can be repaired."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest

from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.faults import Faults

HEALTHY = {"diodes": True, "noise": 0, "board": True, "reader": True, "oled": True, "bus": True, "clock": 0}
CELL = (2, 3)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def box(clock: VirtualClock) -> Iterator[SimulatedBox]:
    """A box with everything that can break, switched on."""
    with SimulatedBox(clock, board="pico", reader="rdm6300") as box:
        box.pin_factory()
        yield box


@pytest.fixture
def faults(box: SimulatedBox, clock: VirtualClock) -> Faults:
    return Faults(box, clock)


@pytest.mark.parametrize(
    ("fault", "broken"),
    [
        (("matrix", "diodes", False), {"diodes": False}),
        (("matrix", "noise", 0.01), {"noise": 0.01}),
        (("board", "unplug"), {"board": False}),
        (("reader", "unplug"), {"reader": False}),
        (("oled", "detach"), {"oled": False}),
        (("oled", "errno", (121, 5)), {"bus": False}),
        (("clock", "jump", -5_000), {"clock": -5_000}),
    ],
)
def test_a_part_breaks_and_is_repaired(faults: Faults, fault: tuple[Any, ...], broken: dict[str, Any]) -> None:
    assert faults.parts == HEALTHY
    faults.put(*fault)
    assert faults.parts == {**HEALTHY, **broken}
    faults.repair()
    assert faults.parts == HEALTHY


@pytest.mark.parametrize(
    ("fault", "repair"),
    [
        (("matrix", "diodes", False), ("matrix", "diodes", True)),
        (("matrix", "noise", 0.01), ("matrix", "noise", 0)),
        (("board", "unplug"), ("board", "replug", None)),
        (("board", "unplug"), ("board", "replug", "ttyACM7")),
        (("reader", "unplug"), ("reader", "replug", None)),
        (("oled", "detach"), ("oled", "attach")),
        (("clock", "jump", 5_000), ("clock", "jump", -5_000)),
    ],
)
def test_each_fault_can_be_undone_alone(faults: Faults, fault: tuple[Any, ...], repair: tuple[Any, ...]) -> None:
    faults.put(*fault)
    faults.put(*repair)
    assert faults.parts == HEALTHY


@pytest.mark.parametrize(
    ("kind", "value", "called"), [("stuck", "closed", "closed"), ("stuck", "open", "open"), ("chatter", 50, "chatter")]
)
@pytest.mark.parametrize("mended", [lambda faults: faults.put("cell", "ok", None, CELL), lambda faults: faults.repair()])
def test_a_cell_breaks_and_is_repaired(faults: Faults, kind: str, value: Any, called: str, mended: Callable[[Faults], None]) -> None:
    faults.put("cell", kind, value, CELL)
    assert faults.cells == {CELL: called}
    mended(faults)
    assert faults.cells == {}


def test_a_cell_rests_by_itself_and_stays_welded(faults: Faults, clock: VirtualClock) -> None:
    faults.put("cell", "stuck", "closed", CELL)
    faults.put("cell", "chatter", 50, (1, 1))
    assert faults.cells == {CELL: "closed", (1, 1): "chatter"}
    clock.advance(50)
    assert faults.cells == {CELL: "closed"}


def test_the_wall_clock_jumps(faults: Faults, clock: VirtualClock) -> None:
    before = clock.wall()
    faults.put("clock", "jump", 3_600_000)
    assert clock.wall() - before == timedelta(hours=1)
    faults.repair()
    assert clock.wall() == before


def test_bytes_reach_the_computer_through_the_reader(faults: Faults, box: SimulatedBox) -> None:
    (port,) = [port.path for port in box.ports.list() if "ACM" not in port.path]
    with closing(box.ports.open(port, 9600)) as opened:
        faults.put("reader", "bytes", b"\x02abc")
        assert opened.read(4) == b"\x02abc"


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (("board", "replug", None), "in already"),
        (("reader", "replug", None), "in already"),
        (("cell", "stuck", "closed", (11, 1)), "no switch at row 11"),
    ],
)
def test_what_cannot_be_is_refused(faults: Faults, fault: tuple[Any, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        faults.put(*fault)


def test_a_plain_box_has_no_cables(clock: VirtualClock) -> None:
    with SimulatedBox(clock) as box:
        faults = Faults(box, clock)
        assert faults.parts == {**HEALTHY, "board": None, "reader": None}
        faults.repair()
        for part in ("board", "reader"):
            with pytest.raises(ValueError, match="there is no"):
                faults.put(part, "unplug")
