"""luma's drivers of the SSD1306 and the SH1106, extended to send only what has changed.

Both controllers keep the picture in eight pages of eight pixel rows; a byte is eight pixels of one column, the lowest bit
on top. A picture is handled here as its `pages`: 1,024 bytes, page after page. luma itself would send all of them each time.
Importing this module imports luma; `underboard.hardware.panel.oled` does it when a display is opened, not before.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from typing import Any

from luma.core.device import device
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from smbus2 import i2c_msg

from underboard.hardware.panel.burn_in import Light
from underboard.hardware.panel.picture import HEIGHT, WIDTH
from underboard.hardware.panel.spi import SpiBus

PAGES = HEIGHT // 8
BLANK = bytes(WIDTH * PAGES)

_MEMORY_COLUMNS = 132  # of the SH1106; the SSD1306 has 128 and begins anew after them
_PAGE_MODE = (0x20, 0x02)  # the SH1106 has no other mode; it ignores the one and takes the other for a column that is set later anyway
_PAGE, _COLUMN_LOW, _COLUMN_HIGH = 0xB0, 0x00, 0x10
_NO_OPERATION = 0xE3
_STATUS_OFF = 0x40  # the bit of the status byte
_DATA = 0x40  # the control byte before data
_DIM = 0x08  # of 255
_SPAN_COST = 5  # bytes of addresses, control bytes and commands that one more span on a page costs, mostly


def changed_spans(old: bytes | None, new: bytes) -> Iterator[tuple[int, int, bytes]]:
    """What to send so that a display holding the pages `old` (None: unknown) holds `new`: page, first column, bytes from there on."""
    for page in range(PAGES):
        start = page * WIDTH
        changed = [column for column in range(WIDTH) if old is None or old[start + column] != new[start + column]]
        for first, last in _runs(changed):
            yield page, first, new[start + first : start + last + 1]


def _runs(columns: list[int]) -> list[tuple[int, int]]:
    """Rising columns as (first, last), where a gap that is cheaper to send than to skip does not separate."""
    runs: list[tuple[int, int]] = []
    for column in columns:
        if runs and column - runs[-1][1] <= _SPAN_COST:
            runs[-1] = (runs[-1][0], column)
        else:
            runs.append((column, column))
    return runs


class LongMessages(i2c):  # type: ignore[misc]  # luma has no types
    """luma's I2C line, which sends data in one message instead of blocks of 32 bytes with an address each."""

    def data(self, data: Any) -> None:
        """Send data; raises OSError."""
        self._bus.i2c_rdwr(i2c_msg.write(self._addr, [_DATA, *data]))

    def status(self) -> int:
        """The controller's status byte; raises OSError."""
        return int(self._bus.read_byte(self._addr))


def line_to(bus: Any, address: int) -> Any:
    """luma's serial line on an opened bus."""
    if isinstance(bus, SpiBus):
        return bus.line
    return (LongMessages if hasattr(bus, "i2c_rdwr") else i2c)(bus=bus, address=address)


class PagedDriver(device):  # type: ignore[misc]  # luma has no types
    """A mix-in for luma's drivers that sends only what has changed.

    Every method raises what luma or the bus raises; after that, make a new driver.
    """

    def __init__(self, line: Any, pages: bytes, *, light: Light, awake: bool, first_column: int) -> None:
        """Set the display on luma's serial `line` up and show this picture in this light.

        `awake`: it may well be on, and must not go dark while it is set up anew. `first_column`: where in the memory the panel's left
        edge is.
        """
        self._picture = pages
        self._light = light
        self._awake = awake
        self._full = 0xFF
        self._first_column = first_column
        self._pointer = (-1, 0, 0)  # page, the column that was set last, the one that was counted on to
        self._status: Callable[[], int] | None = getattr(line, "status", None)
        super().__init__(line)  # sends luma's set-up; calls contrast(), clear(), then show()
        self._awake = False
        self.status_is_true = self._check_status()
        """Whether the controller's status byte says the truth: some modules cannot be read, some always say the same."""

    def contrast(self, level: int) -> None:
        """Remember what luma takes to be full light, and set what is wanted now."""
        self._full = level
        super().contrast(_DIM if self._light == "dim" else level)

    def show(self) -> None:
        """Switch the panel on, if it is wanted."""
        super().hide() if self._light == "off" else super().show()

    def command(self, *cmd: int) -> None:
        """Send commands, but not the "off" with which luma's set-up begins if the display is awake."""
        super().command(*(cmd[1:] if self._awake and cmd[0] == self._const.DISPLAYOFF else cmd))

    def clear(self) -> None:
        """Put the first picture into the memory; luma calls this between setting up and switching on.

        A module that just woke has noise in columns that a picture does not reach, and a module of the other kind shows two of them.
        """
        self.command(*_PAGE_MODE)
        if self._awake:
            self._send(None, self._picture)
            return
        for page in range(PAGES):
            self._write(page, 0, bytes(_MEMORY_COLUMNS))
        self._send(BLANK, self._picture)

    def draw(self, pages: bytes, light: Light) -> None:
        """Send what differs from the picture before; the light is changed when the picture is there."""
        self._send(self._picture, pages)
        self._picture = pages
        if light != self._light:
            self._light = light
            self.contrast(self._full)
            self.show()

    def check(self) -> None:
        """Raise if nobody is there, or if whoever is there has forgotten everything, for it lost its supply meanwhile."""
        if not self.status_is_true:
            self.command(_NO_OPERATION)
        elif self._is_off() != (self._light == "off"):
            raise OSError(errno.EIO, "it has lost its supply for a moment")

    def _check_status(self) -> bool:
        try:
            return self._status is not None and self._is_off() == (self._light == "off")
        except OSError:
            return False  # it took everything that was written: it is there, and cannot be read

    def _is_off(self) -> bool:
        """What the status byte says."""
        return self._status is not None and bool(self._status() & _STATUS_OFF)

    def _send(self, old: bytes | None, new: bytes) -> None:
        for page, column, data in changed_spans(old, new):
            self._write(page, self._first_column + column, data)

    def _write(self, page: int, column: int, data: bytes) -> None:
        """Go there and write. On the same page only what differs of the column is said.

        Whether the half that is not said stays as it was set or has been counted on is one controller's way and the other's:
        so it is left out only where both come to the same.
        """
        last_page, last_set, last_at = self._pointer
        low, high = _COLUMN_LOW | column & 0x0F, _COLUMN_HIGH | column >> 4
        if page != last_page:
            self.command(_PAGE | page, low, high)
        elif column >> 4 == last_set >> 4 == last_at >> 4:
            self.command(low)
        else:
            self.command(low, high)
        self.data(data)
        self._pointer = page, column, column + len(data)


class _WithoutExitHook(device):  # type: ignore[misc]
    """The base of luma's drivers without its exit hook.

    The original registers a function with `atexit` that nobody can take away again. It would clear the panel at exit, and
    there would be one more of them after each retry.
    """

    def __init__(self, const: Any, serial_interface: Any) -> None:
        self._const = const
        self._serial_interface = serial_interface


class SSD1306(PagedDriver, ssd1306, _WithoutExitHook):  # type: ignore[misc]
    """128 columns of memory, all of them on the panel."""


class SH1106(PagedDriver, sh1106, _WithoutExitHook):  # type: ignore[misc]
    """132 columns of memory; the panel shows 128 of them, mostly those in the middle."""
