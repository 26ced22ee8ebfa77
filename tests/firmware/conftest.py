"""The firmware on a pretended chip, spoken to in bytes."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from underboard.firmware import frames
from underboard.firmware.frames import Decoder
from underboard.firmware.main import Firmware
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.netlist import ReedMatrix
from underboard.hardware.simulator.pico import SimulatedMachine
from underboard.hardware.simulator.pins import ColumnLine, Node, RowLine

collect_ignore = [] if "UNDERBOARD_PICO_IMAGE" in os.environ else ["test_emulated.py"]
"""What takes minutes and an image is a target of its own: make test-pico."""

BOARD = bytes.fromhex("e6614103e73c2b2e")
Message = tuple[int, int, bytes]


class Bench:
    """A firmware with a matrix of *rows* x *columns* behind its default pins; the test is the host.

    It is also the firmware's chip. ``room`` is how many bytes the host still takes.
    """

    def __init__(self, rows: int = frames.MAX_LINES, columns: int = frames.MAX_LINES, *, holes: tuple[tuple[int, int], ...] = ()) -> None:
        self.clock = VirtualClock()
        self.matrix = ReedMatrix(self.clock, rows, columns, holes=holes)
        nodes: dict[int, Node] = {frames.PINS[row - 1]: RowLine(self.matrix, row) for row in range(1, rows + 1)}
        nodes |= {frames.PINS[12 + column]: ColumnLine(self.matrix, column) for column in range(1, columns + 1)}
        self.machine: Any = SimulatedMachine(self.clock, nodes, BOARD)
        self.room = 1 << 30
        self.stopped = False
        self.scans = 0
        self.longest_write = 0
        self.random: Callable[[int], bytes] = Random(1).randbytes
        self._to_firmware = b""
        self._from_firmware = b""
        self._sequence = 0
        self.decoder = Decoder()
        self.start()

    def start(self) -> None:
        """Power on, or a new start."""
        self.firmware = Firmware(self)

    # ---- the chip -----------------------------------------------------------------

    def ticks_ms(self) -> int:
        return self.clock.now()

    def sleep_us(self, us: int) -> None:
        self.scans += 1

    def read(self) -> bytes:
        data, self._to_firmware = self._to_firmware, b""
        return data

    def write(self, data: bytes) -> int:
        accepted = data[: self.room]
        self.room -= len(accepted)
        self._from_firmware += accepted
        return len(accepted)

    def stop(self) -> None:
        self.stopped = True

    # ---- the host -----------------------------------------------------------------

    def send(self, kind: int, payload: bytes = b"") -> None:
        """A message to the firmware."""
        self._sequence += 1
        self.send_raw(frames.encode(kind, self._sequence, payload))

    def send_raw(self, data: bytes) -> None:
        """Any bytes to the firmware."""
        self._to_firmware += data

    def take_raw(self) -> bytes:
        """The bytes that the firmware has sent."""
        data, self._from_firmware = self._from_firmware, b""
        return data

    def run(self, ms: int, *, alive: bool = True, step: int = 1) -> list[Message]:
        """Let time pass; the messages that came. The host is *alive* as a host should be, or silent."""
        for _ in range(0, ms, step):
            if alive and self.clock.now() % 500 == 0:
                self.send(frames.ALIVE)
            self.firmware.step()
            self.clock.advance(step)
        return self.decoder.feed(self.take_raw())

    def hello(self) -> frames.Hello:
        """Ask who it is."""
        self.send(frames.ASK)
        hellos = [payload for kind, _, payload in self.run(10) if kind == frames.HELLO]
        hello = frames.Hello.unpack(hellos[-1])
        assert hello is not None
        return hello


def snapshots(messages: list[Message]) -> list[tuple[int, ...]]:
    """The matrices among the messages."""
    return [frames.unpack_masks(payload[6:]) for kind, _, payload in messages if kind == frames.SNAPSHOT]


@pytest.fixture
def bench() -> Bench:
    """A started firmware with its default of 13 x 13 cells."""
    return Bench()
