"""The simulated display against the data sheets of its controllers, byte by byte, and its ways to fail."""

import errno
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image, ImageChops
from smbus2 import i2c_msg

from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import CONTROLLERS, Controller
from underboard.hardware.simulator.i2c import SimulatedI2C

ADDRESS = 0x3C
UPRIGHT = [0xA1, 0xC8]  # how modules are wired
ON = [0x8D, 0x14, 0xAF]


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


def command(bus: SimulatedI2C, *codes: int) -> None:
    bus.write_i2c_block_data(ADDRESS, 0x00, codes)


def data(bus: SimulatedI2C, content: bytes) -> None:
    for start in range(0, len(content), 32):
        bus.write_i2c_block_data(ADDRESS, 0x40, content[start : start + 32])


def blank(bus: SimulatedI2C) -> None:
    """Clear all of the memory by pages, which both controllers know."""
    for page in range(8):
        command(bus, 0xB0 | page, 0x00, 0x10)
        data(bus, bytes(132 if bus.controller == "sh1106" else 128))


def switched_on(controller: Controller, clock: VirtualClock) -> SimulatedI2C:
    bus = SimulatedI2C(controller, clock=clock)
    command(bus, *UPRIGHT, *ON)
    blank(bus)
    command(bus, 0xB0, 0x00, 0x10)
    return bus


def lit(bus: SimulatedI2C) -> set[tuple[int, int]]:
    pixels = bus.pixels()
    return {(x, y) for x in range(128) for y in range(64) if pixels.getpixel((x, y))}


# What a person sees


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_noise_is_seen_only_when_the_display_is_switched_on(controller: Controller, clock: VirtualClock) -> None:
    bus = SimulatedI2C(controller, clock=clock)
    assert lit(bus) == set()
    command(bus, *ON)
    assert 2000 < len(lit(bus)) < 6000
    command(bus, 0xAE)
    assert lit(bus) == set()


def test_the_ssd1306_stays_black_without_its_charge_pump(clock: VirtualClock) -> None:
    bus = SimulatedI2C("ssd1306", clock=clock)
    command(bus, 0xAF)
    assert lit(bus) == set()


def test_the_sh1106_has_its_converter_on_until_told_otherwise(clock: VirtualClock) -> None:
    bus = SimulatedI2C("sh1106", clock=clock)
    command(bus, 0xAF)
    assert lit(bus)
    command(bus, 0xAD, 0x8A)
    assert lit(bus) == set()


@pytest.mark.parametrize(("controller", "first"), [("ssd1306", 0), ("sh1106", 2)])
def test_the_lowest_bit_is_on_top_and_the_first_column_left(controller: Controller, first: int, clock: VirtualClock) -> None:
    bus = switched_on(controller, clock)
    command(bus, 0xB1, first, 0x10)
    data(bus, b"\x01\x80")
    assert lit(bus) == {(0, 8), (1, 15)}
    command(bus, 0xB7, (first + 127) & 0x0F, 0x10 | (first + 127) >> 4)
    data(bus, b"\x80")
    assert (127, 63) in lit(bus)


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize(
    ("codes", "where"),
    [
        ([0xA0], (117, 3)),
        ([0xC0], (10, 60)),
        ([0xA0, 0xC0], (117, 60)),
        ([0x43], (10, 0)),
        ([0x44], (10, 63)),
        ([0xD3, 0x02], (10, 1)),
        ([0xD3, 0x3F, 0x41], (10, 3)),
    ],
)
def test_wiring_and_scrolling(controller: Controller, codes: list[int], where: tuple[int, int], clock: VirtualClock) -> None:
    bus = switched_on(controller, clock)
    command(bus, 0xB0, 0x0A if controller == "ssd1306" else 0x0C, 0x10)
    data(bus, b"\x08")
    assert lit(bus) == {(10, 3)}
    command(bus, *codes)
    assert lit(bus) == {where}


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_inverted_all_lit_and_fewer_rows(controller: Controller, clock: VirtualClock) -> None:
    bus = switched_on(controller, clock)
    command(bus, 0xA7)
    assert len(lit(bus)) == 128 * 64
    command(bus, 0xA6, 0xA5)
    assert len(lit(bus)) == 128 * 64
    command(bus, 0xA8, 0x1F)
    assert len(lit(bus)) == 128 * 32
    command(bus, 0xA4)
    assert lit(bus) == set()


def test_contrast_is_kept(clock: VirtualClock) -> None:
    bus = SimulatedI2C("ssd1306", clock=clock)
    command(bus, 0x81, 0xCF)
    assert bus.chip
    assert bus.chip.contrast == 0xCF


# Addressing


@pytest.mark.parametrize(
    ("mode", "column_order"),
    [(0x00, [(10, 2), (11, 2), (10, 3), (11, 3), (10, 2)]), (0x01, [(10, 2), (10, 3), (11, 2), (11, 3), (10, 2)])],
)
def test_windows_of_the_ssd1306(mode: int, column_order: list[tuple[int, int]], clock: VirtualClock) -> None:
    bus = switched_on("ssd1306", clock)
    assert bus.chip
    command(bus, 0x20, mode, 0x21, 10, 11, 0x22, 2, 3)
    for number, (column, page) in enumerate(column_order, start=1):
        data(bus, bytes([number]))
        assert bus.chip.memory[page][column] == number


def test_a_page_of_the_ssd1306_begins_anew_after_its_end(clock: VirtualClock) -> None:
    bus = switched_on("ssd1306", clock)
    assert bus.chip
    command(bus, 0xB4, 0x0F, 0x17)
    data(bus, b"\x01\x02")
    assert (bus.chip.memory[4][127], bus.chip.memory[4][0]) == (1, 2)


def test_a_page_of_the_sh1106_ends_after_132_columns(clock: VirtualClock) -> None:
    bus = switched_on("sh1106", clock)
    assert bus.chip
    command(bus, 0xB4, 0x03, 0x18)
    data(bus, b"\x01\x02\x03")
    assert bus.chip.memory[4] == bytes(131) + b"\x01"


def test_the_sh1106_knows_no_windows(clock: VirtualClock) -> None:
    """What follows 0x21 and 0x22 are commands of their own: here columns."""
    bus = switched_on("sh1106", clock)
    command(bus, 0x20, 0x00, 0x21, 0x00, 0x10, 0x22, 0x05)
    data(bus, b"\x01")
    assert lit(bus) == {(3, 0)}


# The wire


def test_control_bytes_may_speak_for_one_byte_or_for_the_rest(clock: VirtualClock) -> None:
    bus = switched_on("ssd1306", clock)
    bus.i2c_rdwr(i2c_msg.write(ADDRESS, [0x80, 0xB2, 0x80, 0x05, 0xC0, 0x01, 0x80, 0x07, 0x40, 0x02, 0x04]))
    assert lit(bus) == {(5, 16), (7, 17), (8, 18)}


def test_a_command_may_be_cut_in_two_transfers(clock: VirtualClock) -> None:
    bus = SimulatedI2C("ssd1306", clock=clock)
    bus.write_byte_data(ADDRESS, 0x00, 0x81)
    bus.write_byte_data(ADDRESS, 0x00, 0xAF)
    assert bus.chip
    assert (bus.chip.contrast, bus.chip.on) == (0xAF, False)


def test_unknown_commands_and_scrolling_do_nothing(clock: VirtualClock) -> None:
    bus = switched_on("ssd1306", clock)
    data(bus, b"\x01")
    command(bus, 0xE3, 0x2E, 0x29, 0, 1, 2, 3, 4, 0xA3, 0, 0x40)
    assert lit(bus) == {(0, 0)}


def test_a_block_has_at_most_32_bytes(clock: VirtualClock) -> None:
    with pytest.raises(ValueError, match="33 bytes"):
        SimulatedI2C(clock=clock).write_i2c_block_data(ADDRESS, 0x40, bytes(33))


def test_what_went_over_the_wire_is_counted_and_dated(clock: VirtualClock) -> None:
    bus = SimulatedI2C(clock=clock)
    command(bus, 0xAE)
    clock.advance(70)
    data(bus, bytes(40))
    assert (bus.transfers, bus.bytes_written) == (3, 3 + 34 + 10)
    assert list(bus.log) == [(0, 3), (70, 34), (70, 10)]


def test_the_log_is_bounded(clock: VirtualClock) -> None:
    bus = SimulatedI2C(clock=clock)
    for _ in range(10_500):
        command(bus, 0xE3)
    assert (len(bus.log), bus.transfers) == (10_000, 10_500)


@pytest.mark.filterwarnings("ignore:.*getdata:DeprecationWarning")
@pytest.mark.parametrize("managed", [False, True])
@pytest.mark.parametrize(("controller", "driver"), [("ssd1306", ssd1306), ("sh1106", sh1106)])
@given(content=st.binary(min_size=1024, max_size=1024))
@settings(deadline=None)
def test_lumas_own_driver_is_understood(controller: Controller, driver: Any, managed: bool, content: bytes) -> None:
    """Without anything of this project in between, in both of luma's ways to use a bus."""
    picture = Image.frombytes("1", (128, 64), content)
    bus = SimulatedI2C(controller, clock=VirtualClock())
    serial = i2c(bus=bus)
    if managed:
        serial._managed, serial._i2c_msg_write = True, i2c_msg.write
    panel = driver(serial)
    panel.persist = True  # its hook at exit finds nothing to do
    assert bus.pixels().getbbox() is None
    panel.display(picture)
    assert ImageChops.logical_xor(bus.pixels(), picture).getbbox() is None


# Faults


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_detached_nobody_answers_and_nothing_is_seen(controller: Controller, clock: VirtualClock) -> None:
    bus = switched_on(controller, clock)
    data(bus, b"\xff")
    before = bus.bytes_written
    bus.detach()
    with pytest.raises(OSError) as caught:
        command(bus, 0xE3)
    assert caught.value.errno == errno.EREMOTEIO
    assert (lit(bus), bus.chip, bus.bytes_written) == (set(), None, before)


def test_attached_again_it_has_forgotten_everything(clock: VirtualClock) -> None:
    bus = switched_on("ssd1306", clock)
    bus.detach()
    bus.attach()
    assert lit(bus) == set()
    command(bus, *ON)
    assert len(lit(bus)) > 2000


def test_nobody_is_at_another_address(clock: VirtualClock) -> None:
    with pytest.raises(OSError, match=f"Errno {errno.EREMOTEIO}"):
        SimulatedI2C(clock=clock, address=0x3D).write_i2c_block_data(0x3C, 0x00, [0xE3])


def test_failures_come_as_often_as_asked_and_reach_nobody(clock: VirtualClock) -> None:
    bus = switched_on("ssd1306", clock)
    bus.fail(errno.ETIMEDOUT, times=2)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            data(bus, b"\xff")
    assert lit(bus) == set()
    data(bus, b"\x01")
    assert lit(bus) == {(0, 0)}
    bus.fail(errno.ETIMEDOUT, times=5)
    bus.fail(0, times=0)
    data(bus, b"\x01")


def test_a_chip_in_reset_acknowledges_and_forgets(clock: VirtualClock) -> None:
    bus = SimulatedI2C("sh1106", clock=clock, power_delay_ms=200)
    command(bus, 0xAF)
    assert (lit(bus), bus.transfers) == (set(), 1)
    clock.advance(200)
    command(bus, 0xAF)
    assert lit(bus)


def test_closing_the_bus_is_harmless(clock: VirtualClock) -> None:
    bus = SimulatedI2C(clock=clock)
    bus.close()
    command(bus, 0xE3)
