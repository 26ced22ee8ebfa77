"""Simulated serial ports that can be plugged in and pulled out: pseudo-terminals that behave like USB devices.

A :class:`SimulatedPort` is the plug of one device. Its other end is opened by the real pyserial, under a name in a folder
that stands for ``/dev``. Pulling the plug hangs up whoever has it open, and each new plug is a new pseudo-terminal, so a
driver that does not let go of the old one never finds the new one: as with a real USB port.

Nothing here takes time and nothing is left to chance. A pseudo-terminal delivers bytes from a kernel thread, some
microseconds later; every transfer waits for that. The device does not run in a thread either: it is asked to work, through
``device``, whenever the host looks at the port or for it, so a virtual clock decides everything.
"""

from __future__ import annotations

import fcntl
import os
import struct
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

import serial

from underboard.hardware.system.serial_ports import OPTIONS, Port, PortInfo

FIFO_BYTES = 4095
"""As much as a pseudo-terminal holds for a reader; a device may have less room."""
_DELIVERY_S = 5.0  # real seconds; only a kernel in deep trouble needs more than some microseconds
_PAUSE_S = 20e-6
_SPEEDS = {termios.B9600: 9_600, termios.B115200: 115_200}
"""Those that our devices have."""


class SimulatedPorts:
    """The USB sockets of a computer: the :class:`underboard.hardware.system.serial_ports.Ports` of a simulated box. A context manager."""

    def __init__(self) -> None:
        """No device yet; each :class:`SimulatedPort` adds itself."""
        self._folder: TemporaryDirectory[str] | None = None
        self._devices: list[SimulatedPort] = []

    @property
    def folder(self) -> Path:
        """The folder with the names of all plugged ports, in place of ``/dev``; made when it is first needed."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="ports-")
        return Path(self._folder.name)

    def add(self, device: SimulatedPort) -> None:
        """A device that may be plugged in here."""
        self._devices.append(device)

    def list(self) -> list[PortInfo]:
        """The ports that are plugged in now."""
        for device in self._devices:
            device.look()
        return [device.info for device in self._devices if device.plugged]

    def open(self, path: str, baudrate: int) -> Port:
        """pyserial on one of the ports; raises what pyserial raises."""
        found = [device for device in self._devices if device.plugged and device.info.path == path]
        port: Port = _Serial(found[0], baudrate) if found else serial.Serial(path, baudrate, **OPTIONS)
        return port

    def close(self) -> None:
        """Pull all plugs and clear up; closing twice does no harm."""
        for device in self._devices:
            device.unplug()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class SimulatedPort:
    """The plug of one serial device; the device sends and receives through it.

    ``device`` is called whenever the host looks: that is the moment for the device to do what it would have done by now.
    """

    def __init__(
        self,
        ports: SimulatedPorts,
        name: str,
        *,
        vid: int | None = None,
        pid: int | None = None,
        serial_number: str | None = None,
        description: str = "",
        fifo_bytes: int = FIFO_BYTES,
    ) -> None:
        """A device that is not plugged in; *name* is what its port will be called, like ``ttyACM0``.

        *fifo_bytes*: how much it can send ahead of a host that does not read, at most ``FIFO_BYTES``.
        """
        self.device: Callable[[], None] | None = None
        self._ports = ports
        self._name = name
        self._ids = (vid, pid, serial_number, description)
        self._fifo_bytes = min(fifo_bytes, FIFO_BYTES)
        self._fds: tuple[int, int] | None = None  # the device's end, and one of ours on the host's that keeps it alive
        self._working = False
        ports.add(self)

    @property
    def plugged(self) -> bool:
        """Whether the plug is in its socket."""
        return self._fds is not None

    @property
    def info(self) -> PortInfo:
        """What the system would say about the port."""
        return PortInfo(str(self._ports.folder / self._name), *self._ids)

    def plug(self, name: str | None = None) -> None:
        """Plug it in, from now on under *name* if that is given; ValueError if the plug is in, or a port has that name."""
        if self._fds is not None:
            raise ValueError(f"{self._name} is plugged in already")
        name = name or self._name
        if any(port.path == str(self._ports.folder / name) for port in self._ports.list()):
            raise ValueError(f"another port is called {name} already")
        self._name = name
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self._fds = ours, theirs
        Path(self.info.path).symlink_to(os.ttyname(theirs))

    def unplug(self) -> None:
        """Pull the plug; pulling it twice does no harm."""
        if self._fds is not None:
            Path(self.info.path).unlink()
            for fd in self._fds:
                os.close(fd)
            self._fds = None

    def send(self, data: bytes) -> int:
        """Send to the host as much of *data* as there is room for; how many bytes that was."""
        if self._fds is None:
            return 0
        ours, theirs = self._fds
        waiting = _waiting(theirs)
        accepted = data[: max(0, self._fifo_bytes - waiting)]
        if accepted:
            os.write(ours, accepted)
            _wait_for(theirs, waiting + len(accepted))
        return len(accepted)

    @property
    def room(self) -> int:
        """How many bytes can be sent now."""
        return max(0, self._fifo_bytes - _waiting(self._fds[1])) if self._fds else 0

    def receive(self) -> bytes:
        """All that the host has sent since this was last asked."""
        waiting = self.received
        return os.read(self._fds[0], waiting) if self._fds and waiting else b""

    @property
    def received(self) -> int:
        """How many bytes of the host wait to be received."""
        return _waiting(self._fds[0]) if self._fds else 0

    @property
    def baudrate(self) -> int:
        """The speed that the host has set, which it has to know by itself; 0 if nothing is plugged in."""
        return _SPEEDS.get(termios.tcgetattr(self._fds[1])[5], 0) if self._fds else 0

    def look(self) -> None:
        """The host looks at the port: let the device work first."""
        if self.device and self._fds and not self._working:
            self._working = True
            try:
                self.device()
            finally:
                self._working = False

    def delivered(self, total: int) -> None:
        """Wait until *total* bytes of the host have come through, or all that fit."""
        if self._fds is not None:
            _wait_for(self._fds[0], total)


class _Serial(serial.Serial):  # type: ignore[misc]  # pyserial is not annotated
    """The real pyserial; it lets the device work first, and bytes are through when a call is over."""

    def __init__(self, port: SimulatedPort, baudrate: int) -> None:
        self._plug = port
        super().__init__(port.info.path, baudrate, **OPTIONS)

    @property
    def in_waiting(self) -> int:
        self._plug.look()
        return int(super().in_waiting)

    def read(self, size: int = 1) -> bytes:
        self._plug.look()
        return bytes(super().read(size))

    def write(self, data: bytes) -> int:
        waiting = self._plug.received
        written = int(super().write(data) or 0)
        self._plug.delivered(waiting + written)
        return written


def _waiting(fd: int) -> int:
    """The bytes that can be read at once."""
    return int(struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))[0])


def _wait_for(fd: int, total: int) -> None:
    """Wait, in real time, until *total* bytes can be read, or as many as fit."""
    deadline = time.monotonic() + _DELIVERY_S
    while _waiting(fd) < min(total, FIFO_BYTES):
        if time.monotonic() > deadline:
            raise TimeoutError(f"a pseudo-terminal has not delivered its bytes in {_DELIVERY_S} s")
        time.sleep(_PAUSE_S)
