"""What a display needs beside its pictures: the right columns, rest when nobody plays, another bus, few bytes."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from underboard.hardware.box.drivers import open_box
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import Controller
from underboard.hardware.core.wiring import REFERENCE, WiringError
from underboard.hardware.panel.burn_in import SHIFTS, Care
from underboard.hardware.panel.oled import OledDisplay, Panel
from underboard.hardware.panel.setup_picture import setup_picture
from underboard.hardware.panel.spi import SpiError, SpiWiring, spi_bus
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.i2c import DisplayChip, SimulatedI2C

MINUTE = 60_000
CARE = Care()
both = pytest.mark.parametrize("controller", ["ssd1306", "sh1106"])
PICTURE = setup_picture(0)


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


class Bench:
    """A display on a simulated bus, in virtual time."""

    def __init__(self, panel: Panel, bus: SimulatedI2C | None = None) -> None:
        self.clock = VirtualClock()
        self.bus = bus or SimulatedI2C(panel.controller, clock=self.clock)
        self.opened = 0
        self.oled = OledDisplay(self._open, panel, self.clock)
        self.oled.show(PICTURE)
        self.oled.drain()

    def _open(self) -> SimulatedI2C:
        self.opened += 1
        return self.bus

    def wait(self, ms: int, step: int = 1_000) -> None:
        for _ in range(0, ms, step):
            self.clock.advance(step)
            self.oled.poll()
            self.oled.drain()

    def wake(self) -> None:
        self.oled.wake()
        self.oled.drain()

    @property
    def chip(self) -> DisplayChip:
        assert self.bus.chip
        return self.bus.chip


New = Callable[..., Bench]


@pytest.fixture
def bench() -> Iterator[New]:
    made: list[Bench] = []

    def make(controller: Controller = "ssd1306", **options: Any) -> Bench:
        made.append(Bench(Panel(controller, **options)))
        return made[-1]

    yield make
    for one in made:
        one.oled.close()


# Offset and set-up picture


@pytest.mark.parametrize("first_column", [0, 2])
def test_modules_that_are_wired_otherwise_are_set_right_by_the_offset(first_column: int) -> None:
    bus = SimulatedI2C("sh1106", clock=VirtualClock(), first_column=first_column)
    bench = Bench(Panel("sh1106", offset=first_column), bus)
    with bench.oled:
        assert same(bus.pixels(), PICTURE)
        assert bench.chip.memory[0].count(0) >= 4 - first_column  # the rest of the 132 columns is clear


def test_a_wrong_offset_is_seen_on_the_picture() -> None:
    bench = Bench(Panel("sh1106"), SimulatedI2C("sh1106", clock=VirtualClock(), first_column=0))
    with bench.oled:
        left_edge = bench.bus.pixels().crop((0, 0, 2, 64))
        assert left_edge.getbbox() is None


@pytest.mark.parametrize(("controller", "offset"), [("ssd1306", 2), ("sh1106", -1), ("sh1106", 5)])
def test_offsets_that_cannot_be(controller: Controller, offset: int) -> None:
    with pytest.raises(ValueError, match=f"offset {offset}: the {controller} takes"):
        Panel(controller, offset)


def test_the_set_up_picture_reaches_every_edge() -> None:
    assert PICTURE.getbbox() == (0, 0, 128, 64)
    assert all(PICTURE.getpixel(corner) for corner in [(0, 0), (127, 0), (0, 63), (127, 63)])
    assert not same(PICTURE, setup_picture(2))


# Burn-in


def test_care_step_by_step() -> None:
    assert CARE.look(0) == CARE.look(CARE.dim_ms - 1)
    looks = [CARE.look(CARE.dim_ms + number * CARE.shift_ms) for number in range(9)]
    assert [look.light for look in looks] == ["dim"] * 9
    assert [look.shift for look in looks] == [*SHIFTS, SHIFTS[0]]
    assert CARE.look(CARE.dark_ms).light == "off"


@both
def test_a_table_at_which_nothing_happens_grows_dim_wanders_and_goes_dark(controller: Controller, bench: New) -> None:
    oled = bench(controller)
    full = oled.chip.contrast
    oled.wait(CARE.dim_ms - 1_000)
    assert oled.chip.contrast == full
    assert same(oled.bus.pixels(), PICTURE)
    oled.wait(2_000)
    assert oled.chip.contrast < full / 8
    seen = set()
    for _ in range(len(SHIFTS)):
        seen.add(oled.bus.pixels().tobytes())
        oled.wait(CARE.shift_ms)
    assert len(seen) == len(SHIFTS)
    assert PICTURE.tobytes() not in seen
    oled.wait(CARE.dark_ms)
    assert not oled.chip.on
    assert oled.oled.state == "ready"
    oled.wait(10 * MINUTE)  # and nothing switches it on by itself, no refresh either
    assert not oled.chip.on


@both
@pytest.mark.parametrize("idle", [CARE.dim_ms + MINUTE, CARE.dark_ms + MINUTE])
@pytest.mark.parametrize("how", ["wake", "show"])
def test_anything_that_happens_brings_it_back_at_once(controller: Controller, idle: int, how: str, bench: New) -> None:
    oled = bench(controller)
    full = oled.chip.contrast
    oled.wait(idle)
    if how == "wake":
        oled.wake()
    else:
        oled.oled.show(PICTURE)
        oled.oled.drain()
    assert (oled.chip.on, oled.chip.contrast) == (True, full)
    assert same(oled.bus.pixels(), PICTURE)
    oled.wait(CARE.dim_ms - 1_000)
    assert oled.chip.contrast == full


def test_a_display_that_comes_back_while_it_should_be_dark_stays_dark(bench: New) -> None:
    oled = bench()
    oled.wait(CARE.dark_ms + MINUTE)
    oled.bus.detach()
    oled.wait(MINUTE)
    oled.bus.attach()
    oled.wait(MINUTE)
    assert (oled.oled.state, oled.chip.on) == ("ready", False)
    oled.wake()
    assert same(oled.bus.pixels(), PICTURE)


def test_the_last_picture_is_shown_in_full_light_even_from_the_dark(bench: New) -> None:
    """https://github.com/rm-hull/luma.oled/issues/140, of a display that had gone to sleep."""
    oled = bench()
    full = oled.chip.contrast
    oled.wait(CARE.dark_ms + MINUTE)
    oled.oled.close(last=setup_picture(2))
    assert (oled.chip.on, oled.chip.contrast) == (True, full)
    assert same(oled.bus.pixels(), setup_picture(2))


def test_a_box_leaves_the_picture_that_was_chosen() -> None:
    clock = VirtualClock()
    with SimulatedBox(clock) as simulated:
        box = open_box(simulated, clock, Panel("ssd1306", care=replace(CARE, dim_ms=1_000)))
        box.close(PICTURE)
        box.close()
        assert same(simulated.i2c.pixels(), PICTURE)


# A display that tells if it has forgotten everything


@both
def test_a_loose_contact_is_noticed_within_a_second(controller: Controller, bench: New) -> None:
    oled = bench(controller)
    oled.wait(5_000)
    oled.bus.attach()  # everything forgotten, and no transfer failed
    oled.wait(1_000, step=100)
    assert same(oled.bus.pixels(), PICTURE)
    assert oled.opened == 3


def mute(monkeypatch: pytest.MonkeyPatch, answer: Callable[[SimulatedI2C, int], int]) -> None:
    monkeypatch.setattr(SimulatedI2C, "read_byte", answer)


def test_a_module_that_cannot_be_read_is_set_up_again_every_half_minute(bench: New, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(bus: SimulatedI2C, address: int) -> int:
        raise OSError(errno.EREMOTEIO, "no read")

    mute(monkeypatch, refuse)
    oled = bench()
    oled.wait(5_000)
    assert oled.oled.state == "ready"
    oled.bus.attach()
    oled.wait(31_000)
    assert same(oled.bus.pixels(), PICTURE)


def test_a_module_that_always_says_it_is_off_is_not_believed(bench: New, monkeypatch: pytest.MonkeyPatch) -> None:
    mute(monkeypatch, lambda bus, address: 0x40)
    oled = bench()
    oled.wait(20_000)
    assert oled.opened == 2  # at the start, and once after a second


# SPI


class FakeSpi:
    """spidev and RPi.GPIO at once: bytes that arrive while data/command is high are data."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, chip: DisplayChip) -> None:
        self.chip = chip
        self.levels: dict[int, int] = {}
        self.broken = False
        self.closed: list[str] = []
        self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        if self.broken:
            raise FileNotFoundError(errno.ENOENT, "no such file")

    def writebytes(self, data: list[int]) -> None:
        if self.broken:
            raise OSError(errno.EIO, "gone")
        self.chip.receive(bytes([0x40 if self.levels[24] else 0x00, *data]))

    def setup(self, line: int, mode: int) -> None:
        self.levels[line] = 0

    def output(self, line: int, level: int) -> None:
        self.levels[line] = level

    def close(self) -> None:
        self.closed.append("spi")

    def cleanup(self, lines: list[int]) -> None:
        self.closed.append("gpio")


@pytest.fixture
def spi(monkeypatch: pytest.MonkeyPatch) -> FakeSpi:
    """A display on SPI, as `OledDisplay` will find it."""
    chip = SimulatedI2C("sh1106", clock=VirtualClock()).chip
    assert chip
    fake = FakeSpi(chip)
    monkeypatch.setattr("underboard.hardware.panel.oled.spi_bus", lambda wiring: spi_bus(wiring, fake, fake))
    return fake


def no_i2c() -> SimulatedI2C:
    raise AssertionError("nobody asked for I2C")


def test_pictures_arrive_over_spi(spi: FakeSpi) -> None:
    clock = VirtualClock()
    with OledDisplay(no_i2c, Panel("sh1106", spi=SpiWiring()), clock) as oled:
        for number in range(3):
            oled.show(setup_picture(number))
            oled.drain()
            assert same(spi.chip.pixels(), setup_picture(number))
        assert spi.max_speed_hz == 8_000_000
        assert spi.levels[25] == 1  # out of reset
        spi.broken = True
        oled.show(PICTURE)
        oled.drain()
        assert oled.state == "fault"
        assert oled.reason.startswith("display on SPI 0.0: there is no /dev/spidev0.0: switch SPI on")
        spi.broken = False
        clock.advance(5_000)
        oled.poll()
        oled.drain()
        assert same(spi.chip.pixels(), PICTURE)
    assert "spi" in spi.closed


@pytest.mark.parametrize(("missing", "package"), [("spidev", "python3-spidev"), ("RPi", "python3-rpi-lgpio")])
def test_a_missing_library_is_named_with_its_package(missing: str, package: str, monkeypatch: pytest.MonkeyPatch, spi: FakeSpi) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    if missing == "RPi":
        monkeypatch.setitem(sys.modules, "RPi.GPIO", None)
    with pytest.raises(SpiError, match=f"sudo apt install {package}"):
        spi_bus(SpiWiring(), *((None, spi) if missing == "spidev" else (spi, None)))


def test_a_display_on_spi_cannot_share_the_lines_of_a_matrix() -> None:
    clock = VirtualClock()
    with SimulatedBox(clock) as simulated, pytest.raises(WiringError) as caught:
        open_box(simulated, clock, Panel("ssd1306", spi=SpiWiring()))
    for words in ("GPIO 10 is wired to row 7 and SPI data", "GPIO 24 is wired to key left and SPI data/command"):
        assert words in str(caught.value)
    free = replace(REFERENCE, rows=(), columns=())
    assert SpiWiring(dc=4, reset=5).clashes(free) == []


def test_no_library_of_spi_is_loaded_before_a_display_is_opened() -> None:
    code = "import sys, underboard.hardware.panel.oled; assert not {'luma', 'smbus2', 'spidev', 'RPi'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
