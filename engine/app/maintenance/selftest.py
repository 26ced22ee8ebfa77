"""`underboard selftest`: the walk through a board on this computer's pins, or on simulated ones, and the file it leaves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from underboard.engine.app.maintenance.teach_cards import Keyboard
from underboard.engine.base.file_errors import try_out, unwritable
from underboard.errors import UnderboardError
from underboard.hardware.board.cell_map import CellMapError, read_cell_map, write_cell_map
from underboard.hardware.box.config import BoxConfig
from underboard.hardware.box.drivers import Below, Box, open_box
from underboard.hardware.box.raspberry_pi import Pi
from underboard.hardware.core.clock import Clock, RealClock, VirtualClock
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.gpio.errors import GpioError
from underboard.hardware.maintenance.selftest import Answer, SelfTest
from underboard.hardware.maintenance.selftest_run import walk
from underboard.hardware.maintenance.wiring_findings import Findings, findings
from underboard.hardware.panel.keys_and_buzzer import KEY_POLL_MS
from underboard.hardware.panel.oled import OledDisplay, Panel, i2c_bus
from underboard.hardware.panel.setup_picture import SEEN, setup_picture
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.pins import NetFactory
from underboard.hardware.simulator.scripted_tester import ScriptedTester, read_wiring_faults

Say = Callable[[str], None]
TYPED: dict[str, Answer] = {"\n": "ok", "s": "skip", "b": "back", "q": "stop"}
HELP = "Enter = go on, s = skip this cell, b = back, q = stop; on the panel: OK, right, left, long BACK."
HEADING = "Where the sensors are, found by: underboard selftest"


class SelfTestError(UnderboardError, RuntimeError):
    """A board that cannot be tested, or a file that cannot be written; the text says why."""

    fault = "device"


def on_the_board(box: BoxConfig, quick: bool, path: Path, say: Say) -> bool:
    """The test on the real board; whether it is sound. Raises SelfTestError."""
    refuse_unwritable(path)
    clock = RealClock()
    with ExitStack() as opened:
        board = opened.enter_context(closing(open_real(box, clock, say)))
        keyboard = opened.enter_context(Keyboard(sys.stdin))
        say(HELP)
        test = SelfTest(*box.size, quick=quick)
        return carry_out(board, clock, test, lambda: [TYPED[key] for key in keyboard() if key in TYPED], path, say)


def open_real(box: BoxConfig, clock: Clock, say: Say) -> Box:
    """The drivers of the box; a board on a Pico can be tested from any computer, without panel. Raises SelfTestError."""
    below: Below = Pi(box.library, box.i2c_bus)
    try:
        return opened_over(below, box, clock)
    except GpioError as error:
        if box.pico is None:
            raise SelfTestError(str(error)) from error
        say(f"Without the panel's keys ({error}). The Pico is tested over USB.")
        return opened_over(HeaderlessComputer(clock), box, clock)


def opened_over(below: Below, box: BoxConfig, clock: Clock) -> Box:
    """The drivers over what lies below them. Raises GpioError."""
    return open_box(below, clock, box.panel, box.wiring, board=box.board, pico=box.pico, pico_at=box.pico_at)


class HeaderlessComputer(Pi):
    """A computer without a header: its serial ports are real, and its lines lead nowhere."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def pin_factory(self) -> NetFactory:
        """Pins that nothing is soldered to."""
        return NetFactory(self._clock, {})


def on_a_simulation(faults: Sequence[str], quick: bool, path: Path, say: Say) -> bool:
    """The test on a simulated board with these faults, by a simulated person in virtual time; whether it is sound. Raises SelfTestError."""
    refuse_unwritable(path)
    clock = VirtualClock()
    test = SelfTest(len(REFERENCE.rows), len(REFERENCE.columns), quick=quick)
    with SimulatedBox(clock) as simulated, ExitStack() as opened:
        try:
            tester = ScriptedTester(simulated, test, read_wiring_faults(faults))
        except CellMapError as error:
            raise SelfTestError(str(error)) from None
        box = open_box(simulated, clock)
        opened.callback(box.close)
        return carry_out(box, clock, test, tester, path, say)


def show_picture(panel: Panel, bus: int | str, say: Say) -> None:
    """The set-up picture on the display, until somebody presses Enter. Raises SelfTestError if the display does not answer."""
    clock = RealClock()
    with OledDisplay(lambda: i2c_bus(bus), panel, clock) as display, Keyboard(sys.stdin) as keyboard:
        display.show(setup_picture(panel.first_column))
        display.drain()
        if display.state != "ready":
            raise SelfTestError(f"No picture: {display.reason}; `underboard doctor` says more")
        say(f"{SEEN}\nEnter ends it.")
        while not set(keyboard()) & set("\nq"):
            display.poll()
            clock.sleep(KEY_POLL_MS)


def refuse_unwritable(path: Path) -> None:
    """Raises SelfTestError for a file that could not be written at the end: nobody walks over a board in vain."""
    try:
        try_out(path)
    except OSError as error:
        raise SelfTestError(unwritable(path, error)) from error


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
        raise SelfTestError(unwritable(path, error)) from error
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
