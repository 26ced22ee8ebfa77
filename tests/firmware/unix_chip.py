"""Runs under MicroPython's unix port: the firmware with standard input and output as its host's port.

The matrix is a file: a line of row masks, read anew at each scan. Its first argument is the folder of the project, its second
that file. A line "crash" in the file ends the program with an error, as a bug would.
"""

import os
import sys
import time

sys.path.insert(0, sys.argv[1])

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from underboard.firmware.main import Console, Firmware
else:
    from firmware.main import Console, Firmware  # the package's name on a Pico

DRIVEN: "dict[int, int]" = {}


class Pin:
    """Rows are GPIO 0 to 12, columns 13 to 22 and 26 to 28, as in the firmware's defaults."""

    IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 1

    def __init__(self, number: int, mode: int, pull: "int | None" = None, value: "int | None" = None) -> None:
        self._number = number

    def init(self, mode: int, pull: "int | None" = None) -> None:
        """Nothing changes."""

    def value(self, level: "int | None" = None) -> "int | None":
        """Rows are driven, columns read."""
        if level is not None:
            DRIVEN[self._number] = level
            return None
        bit = self._number - (13 if self._number < 26 else 16)
        return 0 if any(mask >> bit & 1 for row, mask in enumerate(masks()) if DRIVEN.get(row) == 0) else 1


def masks() -> "list[int]":
    """The matrix now."""
    with open(sys.argv[2]) as file:
        words = file.read().split()
    if words == ["crash"]:
        raise ValueError("a bug")
    return [int(word) for word in words]


class Machine:
    """What the unix port's own module lacks."""

    Pin = Pin

    @staticmethod
    def unique_id() -> bytes:
        """Always the same."""
        return b"\xe6\x61\x41\x03\xe7\x3c\x2b\x2e"

    @staticmethod
    def bitstream(pin: "Any", encoding: int, timing: "Any", data: "Any") -> None:
        """No lights."""


class Chip(Console):
    """A computer that pretends to be a Pico."""

    machine = Machine
    ticks_ms = time.ticks_ms  # type: ignore[attr-defined]
    sleep_us = time.sleep_us  # type: ignore[attr-defined]
    random = os.urandom

    def stop(self) -> None:
        """Back to whoever started it."""
        sys.exit(7)


firmware = Firmware(Chip())
while True:
    firmware.step()
    time.sleep_ms(1)  # type: ignore[attr-defined]
