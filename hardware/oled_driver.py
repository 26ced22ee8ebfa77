"""luma's drivers of the SSD1306 and the SH1106, taught to send only what changed.

Both controllers keep the picture in eight pages of eight pixel rows; a byte is eight pixels of one column, the lowest bit
on top. A picture is handled here as its `pages`: 1,024 bytes, page after page. luma itself would send all of them each time.
Importing this module imports luma; `hardware.oled` does it when a display is opened, not before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from luma.core.device import device
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306

from hardware.picture import HEIGHT, WIDTH

PAGES = HEIGHT // 8
BLANK = bytes(WIDTH * PAGES)

_MEMORY_COLUMNS = 132  # of the SH1106; the SSD1306 has 128 and begins anew after them
_PAGE_MODE = (0x20, 0x02)  # the SH1106 has no other mode; it ignores the one and takes the other for a column that is set later anyway
_PAGE, _COLUMN_LOW, _COLUMN_HIGH = 0xB0, 0x00, 0x10
_NO_OPERATION = 0xE3
_SPAN_COST = 7  # bytes of addresses, control bytes and commands that one more span costs


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


class PagedDriver(device):  # type: ignore[misc]  # luma has no types
    """What goes in front of a luma driver. Every method raises what luma or the bus raises; after that, make a new driver."""

    first_column = 0  # where in the memory the panel's left edge is

    def __init__(self, bus: Any, address: int, pages: bytes, *, awake: bool) -> None:
        """Set the display up and switch it on with this picture.

        `awake`: it may well be on, and must not go dark while it is set up anew.
        """
        self._picture = pages
        self._awake = awake
        super().__init__(i2c(bus=bus, address=address))  # sends luma's set-up; calls clear(), then show()
        self._awake = False

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

    def draw(self, pages: bytes) -> None:
        """Send what differs from the picture before."""
        self._send(self._picture, pages)
        self._picture = pages

    def check(self) -> None:
        """Send a command that does nothing: raises if nobody is there to take it."""
        self.command(_NO_OPERATION)

    def _send(self, old: bytes | None, new: bytes) -> None:
        for page, column, data in changed_spans(old, new):
            self._write(page, self.first_column + column, data)

    def _write(self, page: int, column: int, data: bytes) -> None:
        self.command(_PAGE | page, _COLUMN_LOW | column & 0x0F, _COLUMN_HIGH | column >> 4)
        self.data(data)


class _WithoutExitHook(device):  # type: ignore[misc]
    """Stands in for the base of luma's drivers.

    The original registers a function with `atexit` that nobody can take away again. It would clear the panel at exit, and
    there would be one more of them after each retry.
    """

    def __init__(self, const: Any, serial_interface: Any) -> None:
        self._const = const
        self._serial_interface = serial_interface


class SSD1306(PagedDriver, ssd1306, _WithoutExitHook):  # type: ignore[misc]
    """128 columns of memory, all of them on the panel."""


class SH1106(PagedDriver, sh1106, _WithoutExitHook):  # type: ignore[misc]
    """132 columns of memory; the panel shows the 128 in the middle."""

    first_column = 2
