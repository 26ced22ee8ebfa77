"""The firmware of the Pico: scans the matrix, tells the host, and never waits for it.

A host that has said something in the last three seconds gets

- a snapshot of the whole matrix at every change, but not more often than every 4 ms, then again after 50, 100, 200 and
  400 ms and from then on once a second. So a lost snapshot heals, soon after a change and late at worst;
- a heartbeat twice a second.

What to send is decided when there is room for it, so the newest snapshot wins and nothing piles up. A host that is silent
gets nothing: it would find old news in its buffers when it comes back. Contacts bounce; taking that out is the host's work.

Whatever the host sends that is no message of this protocol is ignored. STOP leaves a mark in the file system and starts the
chip anew, and that start ends at MicroPython's prompt: a watchdog once begun cannot be ended in any other way.
"""

from .frames import (
    ALIVE,
    ASK,
    DEFAULT,
    HELLO,
    LIGHTS,
    SETTINGS,
    SNAPSHOT,
    STOP,
    Decoder,
    Hello,
    Settings,
    encode,
    pack_alive,
    pack_snapshot,
    unpack_masks,
)
from .scan import Lights, Matrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TICKS = 0x3FFFFFFF
"""Milliseconds are counted modulo a power of two; this part of them is the same everywhere."""
HOST_MS = 3_000
ALIVE_MS = 500
GAP_MS = 4
REPEAT_MS = (50, 100, 200, 400, 1_000)
STALLED_MS = 500
WATCHDOG_MS = 5_000
READ_BYTES = 64
MARK = "stop-once"


def since(now: int, then: int) -> int:
    """The milliseconds from *then* to *now*."""
    return (now - then) & TICKS


class Firmware:
    """What the Pico does; :meth:`step` is to be called again and again.

    *chip* is everything it needs: ``machine`` (MicroPython's module), ``ticks_ms()``, ``sleep_us(us)``, ``random(count)``,
    ``read()`` and ``write(data)`` of the host's port, which do not wait, and ``stop()``, which ends at the prompt.
    """

    def __init__(self, chip: "Any") -> None:
        """Scanning 13 x 13 until the host sends settings."""
        now = chip.ticks_ms()
        self._chip = chip
        self._boot = int.from_bytes(chip.random(4), "big")
        self._second = self._heard = self._scanned = self._sent = self._alive = self._begun = now
        self._uptime = 0
        self._listening = False
        self._decoder = Decoder()
        self._refused = 0
        self._dropped = 0
        self._sequence = 0
        self._out = b""
        self._hello_due = False
        self._changed = True
        self._repeats = 0
        self._set_up(DEFAULT)
        self._watchdog = chip.machine.WDT(timeout=WATCHDOG_MS) if hasattr(chip.machine, "WDT") else None

    def step(self) -> None:
        """Listen, scan if it is time to, and say what there is to say."""
        now = self._chip.ticks_ms()
        if self._watchdog:
            self._watchdog.feed()
        while since(now, self._second) >= 1_000:
            self._second += 1_000
            self._uptime += 1
        self._hear(now)
        if since(now, self._scanned) >= self._settings.period:
            self._scan(now)
        self._talk(now)

    def _set_up(self, settings: Settings) -> None:
        self._settings = settings
        self._id = settings.id
        machine = self._chip.machine
        self._matrix = Matrix(machine, settings.rows, settings.columns, self._chip.sleep_us)
        self._lights = Lights(machine, settings.lights, len(settings.rows), len(settings.columns))
        self._masks = self._matrix.scan()
        self._changed = True

    # What the host says

    def _hear(self, now: int) -> None:
        data = self._chip.read()
        for kind, _, payload in self._decoder.feed(data) if data else ():
            self._heard = now
            self._listening = True
            if kind == ASK:
                self._hello_due = self._changed = True
            elif kind == SETTINGS:
                self._adopt(payload)
            elif kind == LIGHTS and len(payload) % 2 == 1 and len(payload) >= 3:
                self._lights.show((payload[0], payload[1], payload[2]), unpack_masks(payload[3:]))
            elif kind == STOP:
                self._matrix.release()
                self._lights.release()
                self._chip.stop()
        if since(now, self._heard) >= HOST_MS:
            self._listening = False

    def _adopt(self, payload: bytes) -> None:
        """New settings, if they are usable; the answer says which are in force."""
        settings = Settings.unpack(payload)
        self._hello_due = True
        if settings is None:
            self._refused += 1
        elif settings.id != self._id:
            self._matrix.release()
            self._lights.release()
            self._set_up(settings)

    # What the board shows

    def _scan(self, now: int) -> None:
        self._scanned = now
        masks = self._matrix.scan()
        if masks != self._masks:
            self._masks = masks
            self._changed = True

    # What the host is told

    def _talk(self, now: int) -> None:
        if self._out and since(now, self._begun) >= STALLED_MS:
            self._out = b""  # the rest of it would be old news
            self._dropped += 1
        while self._listening:
            if not self._out:
                self._out = self._next(now)
                self._begun = now
            if not self._out:
                return
            self._out = self._out[self._chip.write(self._out) :]
            if self._out:
                return

    def _next(self, now: int) -> bytes:
        """The next message, b"" if there is nothing to say."""
        if self._hello_due:
            self._hello_due = False
            size = len(self._settings.rows), len(self._settings.columns)
            return self._encode(HELLO, Hello(self._boot, self._id, size[0], size[1], self._chip.machine.unique_id()).pack())
        if since(now, self._sent) >= (GAP_MS if self._changed else REPEAT_MS[self._repeats]):
            self._repeats = 0 if self._changed else min(self._repeats + 1, len(REPEAT_MS) - 1)
            self._changed = False
            self._sent = now
            return self._encode(SNAPSHOT, pack_snapshot(self._boot, self._id, self._masks))
        if since(now, self._alive) >= ALIVE_MS:
            self._alive = now
            decoder = self._decoder
            counts = decoder.errors + self._refused, decoder.junk, self._dropped
            return self._encode(ALIVE, pack_alive(self._boot, self._uptime, counts[0], counts[1], counts[2]))
        return b""

    def _encode(self, kind: int, payload: bytes) -> bytes:
        self._sequence += 1
        return encode(kind, self._sequence, payload)


class Console:
    """The host's port: standard input and output of MicroPython, a byte at a time so that no call can wait."""

    def __init__(self) -> None:
        """Ctrl-C is a byte like any other from now on."""
        import select
        import sys

        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._can_read = select.poll()
        self._can_read.register(sys.stdin, select.POLLIN)
        self._can_write = select.poll()
        self._can_write.register(sys.stdout, select.POLLOUT)
        self._writable = select.POLLOUT

    def read(self) -> bytes:
        """What the host has sent, up to some bytes."""
        data = b""
        while len(data) < READ_BYTES and self._can_read.poll(0):
            byte = self._in.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data: bytes) -> int:
        """Send as much as there is room for; how many bytes that was."""
        for count in range(len(data)):
            ready = self._can_write.poll(0)
            if not ready or not ready[0][1] & self._writable:
                return count
            self._out.write(data[count : count + 1])
        return len(data)


class Chip(Console):
    """The Pico itself."""

    def __init__(self) -> None:
        """With MicroPython's modules."""
        import os
        import time

        import machine

        super().__init__()
        self.machine = machine
        self.random = os.urandom
        self.ticks_ms = time.ticks_ms  # type: ignore[attr-defined]  # MicroPython has it
        self.sleep_us = time.sleep_us  # type: ignore[attr-defined]

    def stop(self) -> None:
        """Leave the mark and start anew."""
        with open(MARK, "w"):
            pass
        self.machine.reset()


def stopped() -> bool:
    """Whether this start is to end at the prompt; the next one is not."""
    import os

    try:
        os.remove(MARK)
    except OSError:
        return False
    return True


def run() -> None:
    """On the Pico: work for ever, unless this start is to end at the prompt."""
    import time

    import micropython

    if stopped():
        return
    micropython.kbd_intr(-1)  # a 3 from a disturbed line must not end the program
    firmware = Firmware(Chip())
    while True:
        firmware.step()
        time.sleep_ms(1)  # type: ignore[attr-defined]
