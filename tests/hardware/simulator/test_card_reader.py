"""The simulated card reader: what it sends, when, and at which speed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from underboard.hardware.cards.frames import ACK, FROM_CHIP, chip_frame, tag_frame
from underboard.hardware.cards.pn532 import LOOK_ONCE, NORMAL_MODE, ONE_TYPE_A, WAKE_UP
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import ReaderKind
from underboard.hardware.simulator.card_reader import SimulatedReader
from underboard.hardware.simulator.serial_port import SimulatedPorts
from underboard.hardware.system.serial_ports import Port

TAG, UID = "04006A3F1C", "13C48A32"


class Computer:
    """A reader that is plugged in, and its port opened."""

    def __init__(self, kind: ReaderKind, baudrate: int) -> None:
        self.clock = VirtualClock()
        self.ports = SimulatedPorts()
        self.reader = SimulatedReader(self.ports, self.clock, kind)
        self.reader.plug()
        self.port: Port = self.ports.open(self.ports.list()[0].path, baudrate)

    def after(self, ms: int) -> bytes:
        """What has come when that time is over."""
        self.clock.advance(ms)
        return self.port.read(self.port.in_waiting)

    def ask(self, data: bytes) -> bytes:
        self.port.write(data)
        return self.after(0) + self.after(30)


@pytest.fixture
def computer(request: pytest.FixtureRequest) -> Iterator[Computer]:
    made = Computer(*request.param)
    yield made
    made.port.close()
    made.ports.close()


def with_a(kind: ReaderKind, baudrate: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("computer", [(kind, baudrate)], indirect=True)


@with_a("rdm6300", 9_600)
def test_an_rdm6300_repeats_itself_while_the_card_lies_there(computer: Computer) -> None:
    assert computer.after(1_000) == b""
    computer.reader.lay(TAG)
    assert computer.after(650) == tag_frame(TAG, "rdm6300") * 11
    computer.reader.take_away()
    assert computer.after(1_000) == b""


@with_a("id12la", 9_600)
def test_an_id12la_tells_of_a_card_once(computer: Computer) -> None:
    computer.reader.lay(TAG)
    assert computer.after(1_000) == tag_frame(TAG, "id12la")
    computer.reader.take_away()
    computer.reader.lay(TAG)
    assert computer.after(1_000) == tag_frame(TAG, "id12la")


@with_a("rdm6300", 115_200)
def test_at_the_wrong_speed_everything_is_mangled(computer: Computer) -> None:
    computer.reader.lay(TAG)
    came = computer.after(100)
    assert came
    assert b"\x02" not in came


@with_a("pn532", 115_200)
def test_a_pn532_is_deaf_until_it_is_woken_and_answers_what_it_is_asked(computer: Computer) -> None:
    assert computer.ask(chip_frame(NORMAL_MODE)) == b""
    assert computer.ask(WAKE_UP + chip_frame(NORMAL_MODE)) == ACK + chip_frame(b"\x15", FROM_CHIP)
    assert computer.ask(chip_frame(LOOK_ONCE)) == ACK + chip_frame(b"\x33", FROM_CHIP)
    assert computer.ask(chip_frame(ONE_TYPE_A)) == ACK + chip_frame(b"\x4b\x00", FROM_CHIP)
    computer.reader.lay(UID)
    assert computer.ask(chip_frame(ONE_TYPE_A)) == ACK + chip_frame(b"\x4b\x01\x01\x00\x04\x08\x04" + bytes.fromhex(UID), FROM_CHIP)
    computer.reader.power_down()
    assert computer.ask(chip_frame(ONE_TYPE_A)) == b""


@with_a("pn532", 9_600)
def test_a_pn532_does_not_understand_the_wrong_speed(computer: Computer) -> None:
    assert computer.ask(WAKE_UP + chip_frame(NORMAL_MODE)) == b""


@with_a("pn532", 115_200)
def test_commands_nobody_knows_are_left_unanswered(computer: Computer) -> None:
    assert computer.ask(WAKE_UP + chip_frame(b"\x99")) == b""


@with_a("rdm6300", 9_600)
def test_what_hands_cannot_do(computer: Computer) -> None:
    computer.reader.lay(TAG)
    with pytest.raises(ValueError, match="lies on the reader already"):
        computer.reader.lay(TAG)
    with pytest.raises(ValueError, match="plugged in already"):
        computer.reader.plug()
    computer.reader.unplug()
    with pytest.raises(ValueError, match="not plugged in"):
        computer.reader.send(b"\x02")
