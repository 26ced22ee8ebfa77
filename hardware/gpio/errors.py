"""The errors of the header's lines; each says what to do about it."""

from __future__ import annotations

from typing import Any, Literal

from underboard.errors import UnderboardError

Backend = Literal["auto", "lgpio", "rpigpio"]


class GpioError(UnderboardError):
    """The lines of the header cannot be used; the text says why and what to do about it."""

    fault = "device"


class NoChip(GpioError, FileNotFoundError):
    """No chip of this computer is the header of a Pi."""


class NoPermission(GpioError, PermissionError):
    """The chip is there, but not for this user."""


class FolderNotWritable(GpioError, PermissionError):
    """lgpio cannot be imported here, for it cannot put its pipes anywhere."""


class LineBusy(GpioError, OSError):
    """A line belongs to somebody else."""

    def __init__(self, line: int, user: str = "") -> None:
        """*line* is its BCM number, *user* what the kernel says of who has it."""
        holder = f'"{user}"' if user else "somebody else"
        super().__init__(f"GPIO {line} is in use by {holder}: {remedy_for(user)}")
        self.line = line
        self.user = user


class LibraryMissing(GpioError, ImportError):
    """A library that opens the lines is not there, or an empty shell."""


class BrokenGpiozero(GpioError, ImportError):
    """A release of gpiozero that does not work on any Pi."""


NO_PI = "on a Raspberry Pi update its system (sudo apt full-upgrade); on any other computer use `underboard play`"

JOIN_GROUP = "sudo adduser $USER gpio, then log in again"


def remedy_for(user: str) -> str:
    """What to do about a line that *user*, as the kernel calls it, has."""
    for beginning, name in {"spi": "SPI", "i2c": "I2C", "onewire": "1-Wire", "w1": "1-Wire", "uart": "the serial port"}.items():
        if user.lower().startswith(beginning):
            return f"switch {name} off (sudo raspi-config, Interface Options) and restart the Pi"
    return "end the other program (a second Underboard? sudo systemctl stop underboard)"


def give_up(factory: Any, line: int) -> None:
    """Take back that a gpiozero device has reserved *line*, for it could not get it; gpiozero forgets to."""
    for _, info in factory.board_info.find_pin(line):
        factory._reservations.pop(info, None)
