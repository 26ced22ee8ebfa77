"""`underboard selftest`: the walk through a board on this computer's pins, or on simulated ones, and the file it leaves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

from engine.learn import Keyboard
from hardware.box import Box, open_box
from hardware.cell_map import CellMapError, read_cell_map, write_cell_map
from hardware.clock import Clock, RealClock, VirtualClock
from hardware.gpio import GpioError
from hardware.oled import OledDisplay, Panel, i2c_bus
from hardware.panel import KEY_POLL_MS
from hardware.pi import Pi
from hardware.selftest import Answer, SelfTest
from hardware.selftest_run import walk
from hardware.setup_picture import SEEN, setup_picture
from hardware.simulator.box import SimulatedBox
from hardware.simulator.volunteer import Volunteer, read_faults
from hardware.wiring import REFERENCE
from hardware.wiring_findings import Findings, findings

Say = Callable[[str], None]
TYPED: dict[str, Answer] = {"\n": "ok", "s": "skip", "b": "back", "q": "stop"}
HELP = "Enter = go on, s = skip this cell, b = back, q = stop; on the panel: OK, right, left, long BACK."
HEADING = "Where the sensors are, found by: underboard selftest"


class SelfTestError(RuntimeError):
    """A board that cannot be tested, or a file that cannot be written; the text says why."""


def on_the_board(board: Literal["gpio", "pico"], quick: bool, path: Path, say: Say) -> bool:
    """The test on the real board; whether it is sound. Raises SelfTestError."""
    clock = RealClock()
    with ExitStack() as opened:
        try:
            box = open_box(Pi(), clock, board=board)
        except GpioError as error:
            raise SelfTestError(str(error)) from error
        opened.callback(box.close)
        keyboard = opened.enter_context(Keyboard(sys.stdin))
        say(HELP)
        return carry_out(box, clock, new_test(quick), lambda: [TYPED[key] for key in keyboard() if key in TYPED], path, say)


def on_a_simulation(faults: Sequence[str], quick: bool, path: Path, say: Say) -> bool:
    """The test on a simulated board with these faults, by a simulated person in virtual time; whether it is sound. Raises SelfTestError."""
    clock = VirtualClock()
    test = new_test(quick)
    with SimulatedBox(clock) as simulated, ExitStack() as opened:
        try:
            volunteer = Volunteer(simulated, test, read_faults(faults))
        except CellMapError as error:
            raise SelfTestError(str(error)) from None
        box = open_box(simulated, clock)
        opened.callback(box.close)
        return carry_out(box, clock, test, volunteer, path, say)


def show_picture(panel: Panel, say: Say) -> bool:
    """The set-up picture on the display, until somebody presses Enter; whether the display answered."""
    clock = RealClock()
    with OledDisplay(i2c_bus, panel, clock) as display, Keyboard(sys.stdin) as keyboard:
        display.show(setup_picture(panel.first_column))
        display.drain()
        if display.state != "ready":
            say(f"No picture: {display.reason}")
            return False
        say(f"{SEEN}\nEnter ends it.")
        while not set(keyboard()) & set("\nq"):
            display.poll()
            clock.sleep(KEY_POLL_MS)
    return True


def new_test(quick: bool) -> SelfTest:
    """A walk over the reference board."""
    return SelfTest(len(REFERENCE.rows), len(REFERENCE.columns), quick=quick)


def carry_out(box: Box, clock: Clock, test: SelfTest, typed: Callable[[], Iterable[Answer]], path: Path, say: Say) -> bool:
    """Walks, says what was found and keeps it; whether the board is sound."""
    walk(box, clock, test, typed, say)
    found = findings(test.seen)
    for sentence in found.sentences:
        say(sentence)
    keep(found, path, say)
    return found.sound


def keep(found: Findings, path: Path, say: Say) -> None:
    """Writes the map, if there is one; a quick test that agrees with the file leaves the file's exceptions alone."""
    if found.cell_map is None:
        say("Nothing was written.")
        return
    try:
        if not same_orientation(found, path):
            write_cell_map(path, found.cell_map, HEADING)
    except OSError as error:
        raise SelfTestError(f"{path}: {error.strerror or error}") from error
    say(f"The cell map is in {path}.")


def same_orientation(found: Findings, path: Path) -> bool:
    """Whether a quick test found what the file says already."""
    if not found.quick or found.cell_map is None:
        return False
    try:
        old = read_cell_map(path)
    except (OSError, CellMapError):
        return False
    return (old.rows, old.columns, old.rotation, old.mirrored) == (
        found.cell_map.rows,
        found.cell_map.columns,
        found.cell_map.rotation,
        found.cell_map.mirrored,
    )
