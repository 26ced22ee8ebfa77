"""The pins of the Pi without a Pi: the libraries are made up here, with the kernel's chips and lines behind them.

Below the made-up lgpio lies a simulated reed matrix, so the whole way from the scanner to the contacts can be gone.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import GPIOPinInUse, InputDevice, PinUnknownPi
from gpiozero.pins.local import LocalPiFactory

from underboard.hardware.board.matrix import MatrixScanner, PinLines
from underboard.hardware.board.reed_board import ReedBoard
from underboard.hardware.core.cells import closed_cells
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.gpio import open as gpio
from underboard.hardware.gpio.errors import (
    Backend,
    BrokenGpiozero,
    FolderNotWritable,
    GpioError,
    LibraryMissing,
    LineBusy,
    NoChip,
    NoPermission,
)
from underboard.hardware.gpio.open import open_pins
from underboard.hardware.panel.keys_and_buzzer import Buzzer, Keys
from underboard.hardware.simulator.netlist import ReedMatrix

PI_3B, PI_ZERO_2, PI_4B, PI_5B = 0xA02082, 0x902120, 0xC03114, 0xC04170
INPUT, OUTPUT, OPEN_DRAIN, UP, DOWN, NONE = 0x100, 0x200, 8, 32, 64, 128


class LgpioError(Exception):
    """As lgpio's own."""

    def __init__(self, value: str) -> None:
        super().__init__(value)
        self.value = value


class Chip:
    """A chip of the kernel: its label, whether it opens, and who has which line."""

    def __init__(self, label: str, *, opens: bool = True, lines: int = 54) -> None:
        self.label = label
        self.opens = opens
        self.lines = lines
        self.users: dict[int, str] = {}


class FakeLgpio(ModuleType):
    """lgpio with the rules of its C code: groups have leaders, a claimed line is busy for everybody else."""

    SET_OPEN_DRAIN, SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = OPEN_DRAIN, UP, DOWN, NONE
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    GPIO_BUSY = -79
    error = LgpioError

    def __init__(self, chips: dict[int, Chip], matrix: ReedMatrix | None = None) -> None:
        super().__init__("lgpio")
        self.chips = chips
        self.matrix = matrix
        self.open_handles: list[int] = []
        self.groups: dict[int, tuple[int, ...]] = {}  # leader: lines
        self.modes: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        self.calls = 0

    def error_text(self, number: int) -> str:
        return {self.GPIO_BUSY: "GPIO busy"}[number]

    def gpiochip_open(self, number: int) -> int:
        if number not in self.chips or not self.chips[number].opens:
            raise LgpioError("can not open gpiochip")
        self.open_handles.append(number)
        return number

    def gpiochip_close(self, handle: int) -> int:
        self.open_handles.remove(handle)
        if not self.open_handles:
            self.groups.clear()
            self.modes.clear()
        return 0

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        return [0, self.chips[handle].lines, f"gpiochip{handle}", self.chips[handle].label]

    def gpio_get_line_info(self, handle: int, line: int) -> list[Any]:
        ours = "lg" if any(line in lines for lines in self.groups.values()) else ""
        return [0, line, 0, f"GPIO{line}", self.chips[handle].users.get(line, ours)]

    def gpio_get_mode(self, handle: int, line: int) -> int:
        mode = self.modes.get(line, 0)
        return mode | (2 if mode & OUTPUT else 0)

    def _claim(self, handle: int, lines: Sequence[int], mode: int) -> int:
        users = self.chips[handle].users
        taken = [line for lines in self.groups.values() for line in lines]
        if any(line in users or line in taken for line in lines):
            raise LgpioError("GPIO busy")
        self.groups[lines[0]] = tuple(lines)
        self.modes.update(dict.fromkeys(lines, mode))
        self._drive(lines)
        return 0

    def _claim_one(self, handle: int, line: int, mode: int) -> int:
        """A single line that is claimed the same way already stays as it is; otherwise it is freed first."""
        if self.modes.get(line, 0) & (INPUT | OUTPUT) & mode:
            return 0
        if self.groups.get(line) == (line,):
            self.gpio_free(handle, line)
        return self._claim(handle, [line], mode)

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> int:
        return self._claim_one(handle, line, INPUT | flags)

    def gpio_claim_output(self, handle: int, line: int, level: int = 0, flags: int = 0) -> int:
        self.levels[line] = level
        return self._claim_one(handle, line, OUTPUT | flags)

    def group_claim_input(self, handle: int, lines: list[int], flags: int = 0) -> int:
        return self._claim(handle, lines, INPUT | flags)

    def group_claim_output(self, handle: int, lines: list[int], levels: list[int], flags: int = 0) -> int:
        self.levels.update(zip(lines, levels, strict=True))
        return self._claim(handle, lines, OUTPUT | flags)

    def gpio_free(self, handle: int, line: int) -> int:
        if line not in self.groups:
            raise LgpioError("GPIO not allocated")
        lines = self.groups.pop(line)
        for freed in lines:
            self.modes[freed] &= ~(INPUT | OUTPUT)
        self._drive(lines)
        return 0

    group_free = gpio_free

    def gpio_read(self, handle: int, line: int) -> int:
        self.calls += 1
        return self._level(line)

    def gpio_write(self, handle: int, line: int, level: int) -> int:
        self.calls += 1
        assert self.modes[line] & OUTPUT
        self.levels[line] = int(level)
        self._drive([line])
        return 0

    def group_read(self, handle: int, leader: int) -> list[int]:
        self.calls += 1
        lines = self.groups[leader]
        return [len(lines), sum(self._level(line) << bit for bit, line in enumerate(lines))]

    def group_write(self, handle: int, leader: int, bits: int) -> int:
        self.calls += 1
        lines = self.groups[leader]
        self.levels.update({line: bits >> bit & 1 for bit, line in enumerate(lines)})
        self._drive(lines)
        return 0

    def _drive(self, lines: Sequence[int]) -> None:
        if self.matrix is None:
            return
        for line in lines:
            if line in REFERENCE.rows:
                mode, level = self.modes[line], bool(self.levels.get(line))
                floats = not mode & OUTPUT or (mode & OPEN_DRAIN and level)
                self.matrix.drive_row(REFERENCE.rows.index(line) + 1, None if floats else level)

    def _level(self, line: int) -> int:
        if self.matrix is None or line not in REFERENCE.columns:
            return int(bool(self.modes[line] & UP))
        return int(bool(self.modes[line] & UP) and self.matrix.column_level(REFERENCE.columns.index(line) + 1))


class Computer:
    """A computer with chips, on which modules can be missing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, dev: Path) -> None:
        self._monkeypatch = monkeypatch
        self._dev = dev
        monkeypatch.setattr(gpio, "DEV", dev)

    def set_up(self, chips: dict[int, Chip], *, revision: int | None = PI_4B, matrix: ReedMatrix | None = None) -> FakeLgpio:
        """Plug these chips in; `revision` says which Pi it is, None that it is none."""
        for number in chips:
            (self._dev / f"gpiochip{number}").touch()
        self.is_a(revision)
        library = FakeLgpio(chips, matrix)
        self.install("lgpio", library)
        return library

    def is_a(self, revision: int | None) -> None:
        def found() -> int:
            if revision is None:
                raise PinUnknownPi("unable to locate Pi revision")
            return revision

        self._monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", found)

    def install(self, name: str, module: ModuleType | None) -> None:
        """A module to import; None: it is missing."""
        self._monkeypatch.setitem(sys.modules, name, module)

    def close_chips(self) -> None:
        """Take the permission for all chips away."""
        self._monkeypatch.setattr(gpio, "may_open", lambda number: False)


FRESH = (
    "underboard.hardware.gpio.lgpio_pins",
    "underboard.hardware.gpio.rpigpio_pins",
    "gpiozero.pins.lgpio",
    "gpiozero.pins.rpigpio",
    "lgpio",
    "RPi",
    "RPi.GPIO",
)


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Computer]:
    for name in FRESH:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))  # so that it is put back, or removed, at the end
        monkeypatch.delitem(sys.modules, name)
    dev = tmp_path / "dev"
    dev.mkdir()
    yield Computer(monkeypatch, dev)
    for name in FRESH:
        sys.modules.pop(name, None)
    assert not LocalPiFactory.pins, "a factory was not closed"


# Every Pi, every kernel

PIS = {
    "Pi 3": (PI_3B, {0: "pinctrl-bcm2835", 1: "brcmvirt-gpio", 2: "raspberrypi-exp-gpio"}, 0),
    "Zero 2": (PI_ZERO_2, {0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0),
    "Pi 4": (PI_4B, {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
    "Pi 5, kernel 6.1": (PI_5B, {0: "gpio-brcmstb@107d508500", 1: "gpio-brcmstb@107d508520", 4: "pinctrl-rp1"}, 4),
    "Pi 5, kernel 6.6.45": (PI_5B, {0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500", 11: "gpio-brcmstb@107d508520"}, 0),
    "an adapter on USB": (PI_4B, {0: "cp210x", 1: "pinctrl-bcm2711"}, 1),
}


@pytest.mark.parametrize("variant", PIS)
def test_the_header_is_found(computer: Computer, variant: str) -> None:
    revision, labels, expected = PIS[variant]
    library = computer.set_up({number: Chip(label) for number, label in labels.items()}, revision=revision)
    with open_pins() as factory:
        assert factory.chip == expected
        assert library.open_handles == [expected]
    assert library.open_handles == []


def test_a_chip_that_is_not_ours_is_skipped(computer: Computer) -> None:
    computer.set_up({0: Chip("gpio-brcmstb", opens=False), 4: Chip("pinctrl-rp1")}, revision=PI_5B)
    with open_pins() as factory:
        assert factory.chip == 4


# The scan through lgpio


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def matrix(clock: VirtualClock) -> ReedMatrix:
    return ReedMatrix(clock, 10, 10)


@pytest.fixture
def pi(computer: Computer, matrix: ReedMatrix) -> FakeLgpio:
    return computer.set_up({0: Chip("pinctrl-bcm2711")}, matrix=matrix)


def test_the_scan_reads_what_stands_on_the_board(pi: FakeLgpio, matrix: ReedMatrix, clock: VirtualClock) -> None:
    tokens = {(1, 1), (1, 10), (5, 5), (10, 1), (10, 10)}
    for cell in tokens:
        matrix.close(cell)
    clock.advance(10)
    with open_pins() as factory, MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        assert closed_cells(scanner.scan()) == tokens
        assert not matrix._drives


def test_an_empty_board_costs_two_calls_a_row(pi: FakeLgpio) -> None:
    with open_pins() as factory, MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        before = pi.calls
        scanner.scan()
        assert pi.calls - before == 21


def test_pin_by_pin_it_reads_the_same(pi: FakeLgpio, matrix: ReedMatrix, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix.close((3, 4))
    clock.advance(10)
    with open_pins() as factory:
        monkeypatch.setattr(type(factory), "matrix_lines", None)
        with MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
            assert isinstance(scanner._lines, PinLines)
            assert closed_cells(scanner.scan()) == {(3, 4)}


def test_floating_rows_have_no_pull(pi: FakeLgpio) -> None:
    """At power-up some lines of the header are pulled down: half a short for a column."""
    with open_pins() as factory, MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns):
        assert {pi.modes[line] & (UP | DOWN | NONE) for line in REFERENCE.rows} == {NONE}
        assert {pi.modes[line] & (UP | DOWN | NONE) for line in REFERENCE.columns} == {UP}


def test_a_whole_box_opens_twice(pi: FakeLgpio, matrix: ReedMatrix, clock: VirtualClock) -> None:
    for _ in range(2):
        with (
            open_pins() as factory,
            MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner,
            Keys(factory, REFERENCE.keys, clock) as keys,
            Buzzer(factory, REFERENCE.buzzer, clock),
        ):
            board = ReedBoard(scanner, clock, rows=10, columns=10)
            assert board.poll().occupied == frozenset()
            assert keys.poll() == []


# Errors that help


def raises(kind: type[Exception], builtin: type[Exception], *words: str, backend: Backend = "auto") -> GpioError:
    """Opening the pins fails with this kind, which is also this builtin, and says these words."""
    with pytest.raises(kind) as caught:
        open_pins(backend)
    assert isinstance(caught.value, builtin)
    assert isinstance(caught.value, GpioError)
    for word in words:
        assert word in str(caught.value)
    return caught.value


def test_no_chip_at_all(computer: Computer) -> None:
    raises(NoChip, FileNotFoundError, "there is no", "gpiochip*", "underboard play")


def test_a_laptop_with_chips(computer: Computer) -> None:
    library = computer.set_up({0: Chip("INT34C5:00")})
    raises(NoChip, FileNotFoundError, "0 is INT34C5:00", "underboard play")
    assert library.open_handles == []


def test_a_header_without_a_pi(computer: Computer) -> None:
    library = computer.set_up({0: Chip("pinctrl-bcm2711")}, revision=None)
    raises(NoChip, FileNotFoundError, "does not say which Raspberry Pi")
    assert library.open_handles == []


def test_no_permission(computer: Computer) -> None:
    computer.set_up({0: Chip("pinctrl-bcm2711", opens=False)})
    computer.close_chips()
    raises(NoPermission, PermissionError, "gpiochip0", "sudo adduser $USER gpio")


def test_a_chip_that_does_not_open_for_no_known_reason(computer: Computer) -> None:
    computer.set_up({0: Chip("pinctrl-bcm2711", opens=False)})
    raises(NoChip, FileNotFoundError, "none can be opened")


@pytest.mark.parametrize(
    ("user", "remedy"), [("spi0 CS0", "switch SPI off"), ("lg", "sudo systemctl stop underboard"), ("", "somebody else")]
)
def test_a_line_in_use_is_named_with_its_user(pi: FakeLgpio, user: str, remedy: str) -> None:
    pi.chips[0].users[7] = user
    with open_pins() as factory, pytest.raises(LineBusy) as caught:
        MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns)
    assert isinstance(caught.value, OSError)
    assert (caught.value.line, caught.value.user) == (7, user)
    assert "GPIO 7" in str(caught.value)
    assert remedy in str(caught.value)
    pi.chips[0].users.clear()  # it has been given back, and can be had while the error is still around
    with open_pins() as factory, MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        assert scanner.scan() == (0,) * 10


@pytest.mark.parametrize("line", [REFERENCE.rows[2], REFERENCE.columns[3]])
def test_a_line_that_is_taken_at_the_last_moment(pi: FakeLgpio, monkeypatch: pytest.MonkeyPatch, line: int) -> None:
    free = pi.gpio_free

    def free_and_lose(handle: int, freed: int) -> int:
        if freed == line:
            pi.chips[0].users[line] = "somebody"
        return free(handle, freed)

    with open_pins() as factory:
        monkeypatch.setattr(pi, "gpio_free", free_and_lose)
        with pytest.raises(LineBusy, match=f'GPIO {line} is in use by "somebody"'):
            factory.matrix_lines(*claimed(factory))
        assert not any(line in lines for lines in pi.groups.values())


def claimed(factory: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    for line in (*REFERENCE.rows, *REFERENCE.columns):
        factory.pin(line)
    return REFERENCE.rows, REFERENCE.columns


def test_another_error_of_a_line_is_said_as_it_is(pi: FakeLgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(handle: int, line: int, flags: int = 0) -> int:
        raise LgpioError("bad GPIO number")

    with open_pins() as factory:
        monkeypatch.setattr(pi, "gpio_claim_input", broken)
        with pytest.raises(GpioError, match="GPIO 5: bad GPIO number"):
            factory.pin(5)


def test_our_own_second_use_is_gpiozeros_error(pi: FakeLgpio) -> None:
    with open_pins() as factory, InputDevice(14, pull_up=True, pin_factory=factory), pytest.raises(GPIOPinInUse, match="GPIO14"):
        InputDevice(14, pull_up=True, pin_factory=factory)


# The folder


def test_a_folder_that_cannot_be_written_is_named(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    """https://github.com/gpiozero/gpiozero/issues/1106: a FIFO error, and a misleading fall-back."""
    computer.set_up({0: Chip("pinctrl-bcm2711")})
    computer.install("lgpio", None)
    del sys.modules["lgpio"]
    monkeypatch.setattr("os.access", lambda path, mode: False)
    monkeypatch.delenv("LG_WD", raising=False)
    raises(FolderNotWritable, PermissionError, str(Path.cwd()), "the working directory", "export LG_WD=")
    monkeypatch.setenv("LG_WD", "/nowhere")
    raises(FolderNotWritable, PermissionError, "/nowhere", "environment variable LG_WD")
    raises(FolderNotWritable, PermissionError, "/nowhere", backend="rpigpio")


@pytest.mark.skipif(find_spec("lgpio") is None, reason="on Python 3.13 lgpio comes with the Pi's system, not from PyPI")
@pytest.mark.parametrize("backend", ["lgpio", "rpigpio"])
def test_the_real_lgpio_in_such_a_folder(backend: str, tmp_path: Path) -> None:
    """The same report with the library itself: /proc takes no files, not even root's, though access() says so."""
    (tmp_path / "gpiochip0").touch()
    code = f"""
import sys, pathlib
from underboard.hardware.gpio.errors import FolderNotWritable
from underboard.hardware.gpio import open as gpio
gpio.DEV = pathlib.Path({str(tmp_path)!r})
try:
    gpio.open_pins({backend!r})
except FolderNotWritable as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd="/proc", capture_output=True, text=True, check=True)
    assert done.stdout.startswith("lgpio has to write to /proc (the working directory)")


# Libraries that are missing or broken


def test_no_lgpio(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    computer.set_up({0: Chip("pinctrl-bcm2711")})
    computer.install("lgpio", None)
    monkeypatch.setattr("sys.version_info", (3, 11))
    raises(LibraryMissing, ImportError, "lgpio is not installed", "pip install 'lgpio>=0.2.2.0'", backend="lgpio")
    raises(LibraryMissing, ImportError, "lgpio is not installed", "RPi.GPIO is no way out: RPi.GPIO is not installed", "rpi-lgpio>=0.6")


def test_the_empty_shell_on_python_3_13(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    """https://github.com/joan2937/lg/issues/43: no wheels for 3.13, an empty stub instead."""
    computer.set_up({0: Chip("pinctrl-bcm2711")})
    computer.install("lgpio", ModuleType("lgpio"))
    monkeypatch.setattr("sys.version_info", (3, 13))
    raises(LibraryMissing, ImportError, "empty shell", "sudo apt install python3-lgpio", "--system-site-packages", backend="lgpio")


@pytest.mark.parametrize("release", ["2.0.1.post1", "2.0.1.post2"])
def test_broken_releases_of_gpiozero_are_refused(computer: Computer, monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    """https://github.com/gpiozero/gpiozero/issues/1229"""
    computer.set_up({0: Chip("pinctrl-bcm2711")})
    monkeypatch.setattr(gpio, "version", lambda name: release)
    raises(BrokenGpiozero, ImportError, release, "gpiozero>=2.0.1.post3")


@pytest.mark.parametrize(
    "name",
    [
        "underboard",
        "underboard.engine.scripting.runner",
        "underboard.hardware.box.drivers",
        "underboard.hardware.gpio.open",
        "underboard.hardware.board.matrix",
        "underboard.hardware.box.raspberry_pi",
    ],
)
def test_importing_the_program_needs_no_pi(name: str) -> None:
    """https://github.com/joan2937/lg/issues/22: importing lgpio fails under systemd. Nothing imports it that is not asked for pins."""
    code = f"import sys, {name}; assert not {{'lgpio', 'RPi', 'RPi.GPIO'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


# RPi.GPIO


class FakeRpi(ModuleType):
    """RPi.GPIO, whose set-up goes wrong in many ways."""

    BCM, IN, OUT, I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 11, 1, 0, 42, 41, 43, 40, -1
    PUD_UP, PUD_DOWN, PUD_OFF, BOTH, RISING, FALLING = 22, 21, 20, 33, 31, 32

    def __init__(self, *, error: Exception | None = None, busy: Sequence[int] = (), matrix: ReedMatrix | None = None) -> None:
        super().__init__("RPi.GPIO")
        self._error = error
        self._busy = busy
        self._matrix = matrix
        self.modes: dict[int, int] = {}

    def setmode(self, mode: int) -> None:
        if self._error:
            raise self._error

    def setwarnings(self, on: bool) -> None:
        pass

    def cleanup(self, line: int | None = None) -> None:
        pass

    def gpio_function(self, line: int) -> int:
        return self.modes[line]

    def setup(self, line: int, mode: int, pull: int = 20, initial: int | None = None) -> None:
        if line in self._busy:
            raise RuntimeError("GPIO busy" if line < 10 else "Cannot allocate memory")
        self.modes[line] = mode
        if self._matrix and line in REFERENCE.rows:
            self._matrix.drive_row(REFERENCE.rows.index(line) + 1, None if mode == self.IN else bool(initial))

    def input(self, line: int) -> int:
        return int(self._matrix.column_level(REFERENCE.columns.index(line) + 1)) if self._matrix else 1


Rpi = Callable[..., FakeRpi]


@pytest.fixture
def rpi(computer: Computer) -> Rpi:
    """Installs RPi.GPIO, and no lgpio, on a Pi 4."""

    def install(**options: Any) -> FakeRpi:
        computer.set_up({0: Chip("pinctrl-bcm2711")})
        computer.install("lgpio", None)
        library, package = FakeRpi(**options), ModuleType("RPi")
        package.GPIO = library  # type: ignore[attr-defined]
        computer.install("RPi", package)
        computer.install("RPi.GPIO", library)
        return library

    return install


@pytest.mark.parametrize("backend", ["auto", "rpigpio"])
def test_without_lgpio_rpi_gpio_scans(rpi: Rpi, matrix: ReedMatrix, clock: VirtualClock, backend: Backend) -> None:
    rpi(matrix=matrix)
    matrix.close((2, 3))
    clock.advance(10)
    with open_pins(backend) as factory, MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        assert closed_cells(scanner.scan()) == {(2, 3)}


def test_rpi_gpio_off_a_pi(rpi: Rpi) -> None:
    rpi(error=RuntimeError("This module can only be run on a Raspberry Pi!"))
    raises(NoChip, FileNotFoundError, "can only be run on a Raspberry Pi", "underboard play", backend="rpigpio")


def test_the_old_rpi_gpio_on_a_pi_5(rpi: Rpi) -> None:
    rpi(error=RuntimeError("Cannot determine SOC peripheral base address"))
    raises(NoChip, FileNotFoundError, "pip uninstall RPi.GPIO", backend="rpigpio")


def test_rpi_gpio_without_permission(rpi: Rpi, computer: Computer) -> None:
    rpi(error=LgpioError("can not open gpiochip"))
    computer.close_chips()
    raises(NoPermission, PermissionError, "gpiochip0", "adduser", backend="rpigpio")


def test_rpi_gpio_with_a_line_in_use(rpi: Rpi) -> None:
    rpi(busy=[7, 12])
    with open_pins("rpigpio") as factory:
        with pytest.raises(LineBusy, match="GPIO 7 is in use by somebody else"):
            factory.pin(7)
        with pytest.raises(GpioError, match="GPIO 12: Cannot allocate memory"):
            factory.pin(12)


def test_an_explicit_choice_is_not_replaced(rpi: Rpi) -> None:
    rpi()
    raises(LibraryMissing, ImportError, "lgpio is not installed", backend="lgpio")
