"""Serial ports that come and go.

A USB device is known by its ids and its serial number; the name of its port is whatever the system had left over. When it
is pulled out pyserial raises `OSError`, `SerialException` (an `OSError` too) or `termios.error`, depending on the call, and
still claims to be open. A port that is not closed at once keeps its name, and the device comes back under another one. So
:class:`SerialLink` closes on any error, whatever it was, and looks for the device again; its callers see bytes or none.

    state      meaning                                            how it goes on
    absent     no such device is plugged in                       looked for twice a second
    fault      it is there, but cannot be opened or used          tried again after 0.5, 1, 2, 2 … seconds
    ready      open                                               any error: absent

A port that vanishes within two seconds, three times in a row, is taken away by another program: then the pauses grow longer
and the reason says who that may be.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import termios
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import serial

from underboard.hardware.core.clock import Clock

OPTIONS: dict[str, Any] = {"timeout": 0, "write_timeout": 0, "exclusive": True}
"""How every port is opened: nothing blocks, and two programs do not steal each other's bytes."""
ERRORS = (OSError, termios.error, TypeError, ValueError)
"""What pyserial raises when a port goes away: the last two where it finds itself closed in mid-call."""
SEARCH_MS = 500
RETRY_MS = (500, 1_000, 2_000)  # after the first, second and every later failure in a row
SHORT_MS = 2_000
"""A connection that ends sooner does not count as one."""
SHORT_LIVES = 3
PAUSE_MS = (5_000, 10_000)

State = Literal["absent", "ready", "fault"]


@dataclass(frozen=True)
class PortInfo:
    """A serial port: its path, and what its USB device says of itself (None where it is none)."""

    path: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    description: str = ""


class Port(Protocol):
    """The part of `serial.Serial` that is used; every call may raise one of ``ERRORS``."""

    baudrate: int
    """Its speed; setting it is a call, too."""

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read now."""

    def read(self, size: int, /) -> bytes:
        """Up to that many bytes, without waiting."""

    def write(self, data: bytes, /) -> int | None:
        """Write as much as there is room for; how many bytes that was."""

    def fileno(self) -> int:
        """The file descriptor, to wait for."""

    def reset_output_buffer(self) -> None:
        """Forget what has not been sent."""

    def close(self) -> None:
        """Let the port go."""


class Ports(Protocol):
    """The serial ports of a computer, real or simulated."""

    def list(self) -> Sequence[PortInfo]:
        """All ports there are now. May raise OSError."""

    def open(self, path: str, baudrate: int) -> Port:
        """Open one of them with ``OPTIONS``; may raise one of ``ERRORS``."""


class SystemPorts:
    """The ports of this computer."""

    def list(self) -> Sequence[PortInfo]:
        """All ports there are now, by USB ids."""
        from serial.tools.list_ports import comports  # here, since it looks for its platform on import

        return [PortInfo(port.device, port.vid, port.pid, port.serial_number, port.description) for port in comports()]

    def open(self, path: str, baudrate: int) -> Port:
        """pyserial on the port."""
        port: Port = serial.Serial(path, baudrate, **OPTIONS)
        return port


@dataclass(frozen=True)
class Wanted:
    """Which device is meant: one with one of these USB ids, and with this serial number if one is given.

    A *path* names the port itself, for devices without USB ids (a UART of the Pi); ids are of no account then.
    """

    what: str
    usb_ids: tuple[tuple[int, int], ...] = ()
    serial_number: str | None = None
    path: str | None = None

    def find(self, ports: Ports) -> PortInfo | None:
        """The port of the device, the first by name if there are several; None if it is not there."""
        if self.path is not None:
            return PortInfo(self.path) if os.path.exists(self.path) else None
        fitting = [port for port in ports.list() if self._fits(port)]
        return min(fitting, key=lambda port: (len(port.path), port.path), default=None)

    def _fits(self, port: PortInfo) -> bool:
        return (port.vid, port.pid) in self.usb_ids and self.serial_number in (None, port.serial_number)

    def __str__(self) -> str:
        """As people call it: "the Pico (2e8a:0005)"."""
        ids = self.path or ", ".join(f"{vid:04x}:{pid:04x}" for vid, pid in self.usb_ids)
        number = f", serial number {self.serial_number}" if self.serial_number else ""
        return f"{self.what} ({ids}{number})"


class SerialLink:
    """A connection to one device that is made again whenever it can be. Nothing here raises."""

    def __init__(self, ports: Ports, clock: Clock, wanted: Wanted, baudrate: int = 115_200) -> None:
        """Not connected; the first :meth:`read` looks for the device."""
        self.state: State = "absent"
        self.reason = f"{wanted} has not been looked for yet"
        self.info: PortInfo | None = None
        self.connections = 0
        """How often the port was opened."""
        self.losses = 0
        """How often it was lost while open."""
        self._ports = ports
        self._clock = clock
        self._wanted = wanted
        self._baudrate = baudrate
        self._port: Port | None = None
        self._opened_at = 0
        self._try_at = clock.now()
        self._failures = 0
        self._short_lives = 0
        self._missed = False  # whether it was not there when it was last looked for

    def read(self) -> bytes:
        """All bytes that have come; looks for the device if it is time to. Empty too if there is no device."""
        if self._port is None and self._clock.now() >= self._try_at:
            self._connect()
        if self._port is None:
            return b""
        try:
            waiting = self._port.in_waiting
            return self._port.read(waiting) if waiting else b""
        except ERRORS as error:
            self._lost(error)
            return b""

    def write(self, data: bytes) -> bool:
        """Send; whether all of it found room. What did not is not sent later: the device gets a cut message."""
        if self._port is None:
            return False
        try:
            # pyserial would try again and again until there is room.
            writable = select.select([], [self._port.fileno()], [], 0)[1]
            return bool(writable) and self._port.write(data) == len(data)
        except ERRORS as error:
            self._lost(error)
            return False

    def set_speed(self, baudrate: int) -> None:
        """Talk at this speed from now on, and whenever the device is found again."""
        self._baudrate = baudrate
        if self._port is not None:
            try:
                self._port.baudrate = baudrate
            except ERRORS as error:
                self._lost(error)

    def drop(self, reason: str) -> None:
        """The device does not do what it should, for this reason: close, and try again after the pause for failures."""
        self._release()
        self._failed(reason)

    def close(self) -> None:
        """End the connection for good; closing twice does no harm."""
        self._release()
        self.state, self.reason, self._try_at = "absent", "closed", 1 << 62

    def _connect(self) -> None:
        now = self._clock.now()
        try:
            found = self._wanted.find(self._ports)
            if found is None:
                self._miss(self._why_absent())
                return
            self._port = self._ports.open(found.path, self._baudrate)
        except ERRORS as error:
            if self._missed and _number(error) == errno.EACCES:
                # It has just appeared, and the system needs a moment until it has given it to its group.
                self._miss(f"{self._wanted} has just been plugged in")
                self._missed = False
            else:
                self._failed(explain(error))
        else:
            self._missed = False
            self.state, self.reason, self.info, self._opened_at = "ready", "", found, now
            self.connections += 1

    def _miss(self, reason: str) -> None:
        """It is not there yet: look for it again soon."""
        self.state, self.reason, self._try_at = "absent", reason, self._clock.now() + SEARCH_MS
        self._missed = True

    def _why_absent(self) -> str:
        hint = f"; {self._thief()}" if self._short_lives >= SHORT_LIVES else ""
        return f"{self._wanted} is not plugged in{hint}"

    def _thief(self) -> str:
        return (
            f"its port was gone {self._short_lives} times within {SHORT_MS // 1000} s: another program may take it"
            " (brltty does: sudo apt remove brltty), or the cable is bad"
        )

    def _failed(self, reason: str) -> None:
        self.state, self.reason = "fault", reason
        self._try_at = self._clock.now() + RETRY_MS[min(self._failures, len(RETRY_MS) - 1)]
        self._failures += 1

    def _lost(self, error: BaseException) -> None:
        """An open port is gone: close it at once, and look for it again soon, or later if this is its habit."""
        self._release()
        now = self._clock.now()
        self.losses += 1
        self._missed = True
        self._short_lives = self._short_lives + 1 if now - self._opened_at < SHORT_MS else 0
        surplus = self._short_lives - SHORT_LIVES
        self._try_at = now + (SEARCH_MS if surplus < 0 else PAUSE_MS[min(surplus, len(PAUSE_MS) - 1)])
        self.state = "absent"
        self.reason = self._thief() if surplus >= 0 else f"{self._wanted} was lost: {explain(error)}"

    def worked(self) -> None:
        """The device does what it should: the next failure is a first one again."""
        self._failures = 0

    def _release(self) -> None:
        port, self._port = self._port, None
        if port is None:
            return
        # Without the first, closing may wait half a minute for bytes that a dead device does not take.
        for call in (port.reset_output_buffer, port.close):
            with contextlib.suppress(*ERRORS):
                call()


def _number(error: BaseException) -> Any:
    """The error's number in errno, None if it has none."""
    return error.args[0] if isinstance(error, termios.error) and error.args else getattr(error, "errno", None)


def explain(error: BaseException) -> str:
    """An error of a port in words, with what to do about it if that is known."""
    number = _number(error)
    if number == errno.EACCES:
        return f"no permission for the port: sudo adduser $USER dialout, then log in again ({error})"
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return f"another program uses the port: end it ({error})"
    return str(error) or type(error).__name__
