"""Facts about the computer that the table runs on, found without touching a device's lines.

Everything is looked up below one folder, which is the root of the file system except in tests.
"""

from __future__ import annotations

import fcntl
import grp
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import distributions
from pathlib import Path

GET_CHIP_INFO = 0x8044B401
"""GPIO_GET_CHIPINFO_IOCTL of linux/gpio.h: name and label, 32 bytes each, and the number of lines."""


def chip_label(path: Path) -> str:
    """What the kernel calls a GPIO chip. Raises OSError."""
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        info = fcntl.ioctl(descriptor, GET_CHIP_INFO, bytes(68))
    finally:
        os.close(descriptor)
    return info[32:64].rstrip(b"\0").decode("ascii", "replace")


def own_groups() -> frozenset[str]:
    """The names of the groups that this process belongs to."""
    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        with suppress(KeyError):  # a group without a name
            names.add(grp.getgrgid(number).gr_name)
    return frozenset(names)


def installed_packages() -> dict[str, str]:
    """The version of each Python package, by its name in small letters with hyphens."""
    return {found.name.lower().replace("_", "-"): found.version for found in distributions() if found.name}


@dataclass(frozen=True)
class Machine:
    """One computer; the fields after *root* are what a folder cannot tell."""

    root: Path = Path("/")
    label: Callable[[Path], str] = chip_label
    groups: frozenset[str] = field(default_factory=own_groups)
    is_root: bool = field(default_factory=lambda: os.geteuid() == 0)
    packages: Mapping[str, str] = field(default_factory=installed_packages)
    python: tuple[int, int] = (sys.version_info[0], sys.version_info[1])

    def path(self, name: str) -> Path:
        """A file or folder by its usual name, like "/dev"."""
        return self.root / name.lstrip("/")

    def read(self, name: str) -> bytes | None:
        """What is in a file; None if it cannot be read."""
        with suppress(OSError):
            return self.path(name).read_bytes()
        return None

    def exists(self, *names: str) -> bool:
        """Whether one of these is there."""
        return any(self.path(name).exists() for name in names)

    @property
    def model(self) -> str:
        """Which Raspberry Pi it is; "" if it is none."""
        name = (self.read("/proc/device-tree/model") or b"").rstrip(b"\0").decode("utf-8", "replace")
        return name if name.startswith("Raspberry Pi") else ""

    @property
    def chips(self) -> Sequence[Path]:
        """The nodes of all GPIO chips."""
        return sorted(self.path("/dev").glob("gpiochip*"))

    def bus_speed(self, bus: int) -> int | None:
        """How fast an I2C bus is set to be, in Hz; None if that is not known."""
        told = self.read(f"/sys/bus/i2c/devices/i2c-{bus}/of_node/clock-frequency")
        return int.from_bytes(told, "big") if told and len(told) == 4 else None

    def usb_devices(self) -> list[tuple[int, int]]:
        """Vendor and product of everything on USB."""
        found = []
        for folder in sorted(self.path("/sys/bus/usb/devices").glob("*")):
            with suppress(OSError, ValueError):
                found.append((int((folder / "idVendor").read_text(), 16), int((folder / "idProduct").read_text(), 16)))
        return found
