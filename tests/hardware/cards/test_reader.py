"""The card reader over a simulated port: which card lies there, whatever the line makes of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.hardware.cards.frames import tag_frame
from underboard.hardware.cards.reader import CardEvent, CardGone, CardReader, CardSeen
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import READER_KINDS, ReaderKind
from underboard.hardware.simulator.card_reader import SimulatedReader
from underboard.hardware.simulator.serial_port import SimulatedPort, SimulatedPorts
from underboard.hardware.system.serial_ports import Wanted

ONE, TWO = "04006A3F1C", "0400691D22"
CHIP_TAGS = {ONE: "13C48A32", TWO: "043318EA703280"}


class Desk:
    """A reader, the driver, and a clock that is moved by hand."""

    def __init__(self, kind: ReaderKind = "rdm6300", known: Callable[[str], bool] = lambda tag: False) -> None:
        self.clock = VirtualClock()
        self.ports = SimulatedPorts()
        self.device = SimulatedReader(self.ports, self.clock, kind)
        self.reader = CardReader(self.ports, self.clock, known=known)

    def run(self, ms: int) -> list[CardEvent]:
        """Poll for *ms* milliseconds; what happened."""
        events: list[CardEvent] = []
        for _ in range(ms // 20):
            self.clock.advance(20)
            events += self.reader.poll()
        return events

    def lay(self, tag: str) -> None:
        """Lay a card down; on a PN532 one of its kind."""
        self.device.lay(CHIP_TAGS.get(tag, tag) if self.device.kind == "pn532" else tag)

    def close(self) -> None:
        self.reader.close()
        self.ports.close()


@pytest.fixture
def new_desk() -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(kind: ReaderKind = "rdm6300", known: Callable[[str], bool] = lambda tag: False) -> Desk:
        desks.append(Desk(kind, known))
        return desks[-1]

    yield make
    for desk in desks:
        desk.close()


def ready(desk: Desk) -> Desk:
    """Plug the reader in and wait until cards can be laid down."""
    desk.device.plug()
    desk.run(1_000)
    assert (desk.reader.state, desk.reader.reason) == ("ready", "")
    return desk


def state(desk: Desk) -> str:
    """The driver's state, which a type checker takes for constant."""
    return desk.reader.state


def send(desk: Desk, tag: str, times: int, every_ms: int = 65, kind: ReaderKind = "rdm6300") -> list[CardEvent]:
    """Frames that are equal."""
    events = []
    for _ in range(times):
        desk.device.send(tag_frame(tag, kind))
        desk.clock.advance(every_ms)
        events += desk.reader.poll()
    return events


def test_without_a_reader_nothing_happens(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    assert desk.run(5_000) == []
    assert desk.reader.state == "absent"
    assert "not plugged in" in desk.reader.reason


@pytest.mark.parametrize("kind", READER_KINDS)
def test_readers_are_told_apart_by_themselves(kind: ReaderKind, new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk(kind, lambda tag: True))
    desk.lay(ONE)
    assert [type(event) for event in desk.run(300)] == [CardSeen]
    assert desk.reader.kind == kind


@pytest.mark.parametrize("kind", READER_KINDS)
def test_a_card_comes_and_goes(kind: ReaderKind, new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk(kind, lambda tag: True))
    desk.lay(ONE)
    seen = desk.run(400)
    desk.device.take_away()
    gone = desk.run(2_100)
    tag = CHIP_TAGS[ONE] if kind == "pn532" else ONE
    assert (seen, gone) == ([CardSeen(tag)], [CardGone(tag)])
    assert desk.reader.tag == ""


def test_a_card_that_stays_is_one_card(new_desk: Callable[..., Desk]) -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/910: a hundred equal frames are one card, 400 ms of silence its end."""
    desk = ready(new_desk())
    assert send(desk, ONE, 100) == [CardSeen(ONE)]
    assert desk.run(320) == []
    assert desk.run(100) == [CardGone(ONE)]


@pytest.mark.parametrize("kind", READER_KINDS)
def test_the_same_card_counts_again_when_it_was_away(kind: ReaderKind, new_desk: Callable[..., Desk]) -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/914"""
    desk = ready(new_desk(kind, lambda tag: True))
    events = []
    for _ in range(3):
        desk.lay(ONE)
        events += desk.run(300)
        desk.device.take_away()
        events += desk.run(5_000)
    assert [type(event) for event in events] == [CardSeen, CardGone] * 3


def test_one_card_after_the_other(new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk())
    assert send(desk, ONE, 3) + send(desk, TWO, 3) == [CardSeen(ONE), CardGone(ONE), CardSeen(TWO)]


@pytest.mark.parametrize("kind", ["rdm6300", "id12la"])
def test_phantoms(kind: ReaderKind, new_desk: Callable[..., Desk]) -> None:
    """https://github.com/esprfid/esp-rfid/issues/411: neither zeros nor a single valid frame of nowhere are a card."""
    desk = ready(new_desk(kind))
    assert send(desk, "0000000000", 10, kind=kind) == []
    random = Random(1)
    for _ in range(20):
        assert send(desk, random.randbytes(5).hex().upper(), 1, kind=kind) == []
        assert desk.run(1_000) == []
    assert (desk.reader.counters["zero"], desk.reader.counters["frames"]) == (10, 20)
    desk.run(11_000)
    assert desk.reader.counters["phantoms"] == 20


def test_a_phantom_does_not_disturb_a_card(new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk())
    assert send(desk, ONE, 3) == [CardSeen(ONE)]
    assert [send(desk, tag, 1) for tag in (TWO, ONE, TWO, ONE, TWO, ONE)] == [[]] * 6


def test_all_five_bytes_are_in_the_checksum(new_desk: Callable[..., Desk]) -> None:
    """https://github.com/BruceDevices/firmware/issues/2014: a good card is not refused, one with the first byte left out is."""
    desk = ready(new_desk())
    assert send(desk, "FF01020304", 2) == [CardSeen("FF01020304")]
    desk.run(1_000)
    for _ in range(5):
        desk.device.send(b"\x02FF0102030404\x03")
        assert desk.run(60) == []
    assert desk.reader.counters["bad"] == 5


# ID-12LA: a frame a card


def test_a_known_card_counts_at_once_where_it_is_told_of_only_once(new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk("id12la", lambda tag: tag == ONE))
    desk.lay(ONE)
    assert desk.run(60) == [CardSeen(ONE)]


def test_a_new_card_has_to_be_laid_down_twice(new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk("id12la"))
    desk.lay(TWO)
    assert desk.run(3_000) == []
    assert desk.reader.doubted == TWO
    desk.device.take_away()
    desk.lay(TWO)
    assert desk.run(60) == [CardSeen(TWO)]
    assert desk.reader.doubted == ""


# Coming and going


def test_unplugged_and_plugged_in_under_another_name(new_desk: Callable[..., Desk]) -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/1083: no traceback, and within three seconds all is well."""
    for kind in READER_KINDS:
        desk = ready(new_desk(kind, lambda tag: True))
        desk.lay(ONE)
        desk.run(300)
        desk.device.unplug()
        gone = desk.run(2_000)
        assert [type(event) for event in gone] == [CardGone]
        assert state(desk) == "absent"
        assert "lost" in desk.reader.reason or "not plugged in" in desk.reader.reason
        desk.device.take_away()
        desk.device.plug("ttyUSB7")
        assert desk.run(2_500) == []
        desk.lay(ONE)
        assert [type(event) for event in desk.run(500)] == [CardSeen]
        assert desk.reader.state == "ready"
        assert desk.reader.counters["replugs"] == 1


def test_a_hundred_replugs_leave_nothing_open(new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk())
    before = len(os.listdir("/proc/self/fd"))
    for number in range(100):
        desk.device.unplug()
        desk.run(100)
        desk.device.plug(f"ttyUSB{number % 2}")
        desk.run(12_000)
        assert desk.reader.state == "ready"
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_port_that_cannot_be_used_is_a_fault_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "ttyUSB0").write_text("")
    clock, ports = VirtualClock(), SimulatedPorts()
    with ports, CardReader(ports, clock, Wanted("the card reader", path=str(tmp_path / "ttyUSB0"))) as reader:
        assert reader.poll() == []
        assert reader.state == "fault"
        assert reader.reason


def test_another_reader_on_the_same_plug(new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk("rdm6300"))
    desk.lay(ONE)
    desk.run(200)
    desk.device.unplug()
    desk.run(600)
    other = SimulatedReader(desk.ports, desk.clock, "pn532", "ttyUSB1")
    other.plug()
    other.lay("13C48A32")
    assert CardSeen("13C48A32") in desk.run(3_000)


@pytest.mark.parametrize("kind", READER_KINDS)
def test_after_a_day_of_silence_a_card_is_read_as_on_the_first(kind: ReaderKind, new_desk: Callable[..., Desk]) -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/912: nothing runs beside `poll` that could die unseen."""
    desk = ready(new_desk(kind, lambda tag: True))
    before = threading.active_count()
    for _ in range(24):
        desk.clock.advance(3_600_000)
        desk.run(500)
    desk.lay(ONE)
    assert [type(event) for event in desk.run(1_000)] == [CardSeen]
    assert threading.active_count() == before


def test_poll_does_not_wait_for_a_device_that_takes_no_bytes() -> None:
    line = Line()
    try:
        for _ in range(9_000):
            line.clock.advance(100)
            assert line.reader.poll() == []
        assert line.port.room > 0  # it has nothing to say, and is full of what it was told
        assert line.port.received > 1_000
    finally:
        line.close()


# PN532


def test_a_chip_that_was_put_to_sleep_is_woken(new_desk: Callable[..., Desk]) -> None:
    """https://github.com/nfcpy/nfcpy/issues/186: deaf after a power-down at close; the wake-up sequence, and again."""
    desk = ready(new_desk("pn532"))
    desk.device.power_down()
    desk.lay(ONE)
    assert desk.run(3_000) == [CardSeen(CHIP_TAGS[ONE])]
    assert desk.reader.state == "ready"
    desk.reader.close()
    desk.device.power_down()
    with CardReader(desk.ports, desk.clock) as again:
        desk.reader = again
        assert desk.run(1_000) == [CardSeen(CHIP_TAGS[ONE])]


def test_a_chip_that_stays_deaf_is_a_fault_and_is_used_when_it_hears_again(new_desk: Callable[..., Desk]) -> None:
    desk = ready(new_desk("pn532"))
    desk.device.hears = False
    desk.run(2_000)
    assert state(desk) == "fault"
    assert "PN532 does not answer" in desk.reader.reason
    desk.device.hears = True
    desk.lay(ONE)
    assert desk.run(1_000) == [CardSeen(CHIP_TAGS[ONE])]
    assert desk.reader.state == "ready"


def test_a_chip_that_gets_its_power_late_is_found(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk("pn532")
    desk.device.hears = False
    desk.device.plug()
    desk.run(3_000)
    assert desk.reader.state == "ready"  # a reader of the other kinds would be as silent
    desk.device.hears = True
    desk.lay(ONE)
    assert desk.run(6_000) == [CardSeen(CHIP_TAGS[ONE])]


# Noise


class Line:
    """A device that sends what it is told to, noise included."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.ports = SimulatedPorts()
        self.port = SimulatedPort(self.ports, "ttyUSB0", vid=0x0403, pid=0x6001)
        self.port.plug()
        self.reader = CardReader(self.ports, self.clock, known=lambda tag: tag in (ONE, TWO))
        self.seen: set[str] = set()
        self.wait(1_000)

    def wait(self, ms: int) -> None:
        for _ in range(ms // 20):
            self.clock.advance(20)
            self.seen |= {event.tag for event in self.reader.poll()}

    def send(self, data: bytes) -> None:
        self.port.send(data)
        self.wait(60)

    def close(self) -> None:
        self.reader.close()
        self.ports.close()


def noisy(data: bytes, random: Random) -> bytes:
    """Five per cent of all bits are wrong."""
    return bytes(byte ^ sum(1 << bit for bit in range(8) if random.random() < 0.05) for byte in data)


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from(["rdm6300", "id12la"]))
def test_a_bad_line_never_makes_a_wrong_tag_and_good_frames_are_heard_again(seed: int, kind: ReaderKind) -> None:
    random, line = Random(seed), Line()
    try:
        frame = tag_frame(ONE, kind)
        for _ in range(40):
            wrong = random.choice((noisy(frame, random), random.randbytes(random.randrange(40)), frame[: random.randrange(len(frame))]))
            line.send(random.choice((frame, wrong, wrong)))
        line.wait(3_000)
        assert line.seen <= {ONE}
        line.send(frame)
        line.send(frame)
        line.send(frame)
        assert line.reader.tag == ONE
    finally:
        line.close()


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_a_bad_line_to_a_chip_never_makes_a_wrong_tag_and_it_is_used_again(seed: int) -> None:
    random, desk = Random(seed), Desk("pn532")
    try:
        ready(desk)
        desk.device.line = lambda data: noisy(data, random) if random.random() < 0.5 else data[: random.randrange(len(data) + 1)]
        desk.lay(ONE)
        noise = desk.run(5_000)
        desk.device.line = bytes
        desk.run(1_000)
        assert {event.tag for event in noise} <= {CHIP_TAGS[ONE]}
        assert desk.reader.tag == CHIP_TAGS[ONE]
    finally:
        desk.close()
