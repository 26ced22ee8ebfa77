"""The matrix and the lights on the pins of a Pico.

Rows are open drains: one at a time is pulled low, the others float. Columns are inputs with a pull-up of 50 to 80 kilohms, so
after a row is let go they need some microseconds to rise, more with a long cable. Without the pause the next row would read
what this one had closed.

*machine* is MicroPython's module of that name, or something that does the same.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SETTLE_US = 25
"""Five times 70 kilohms x 70 pF: a column on a cable of 70 cm."""
LIGHTS_LIMIT = 5_100
"""The sum of all colour values at once: at 20 mA for 255 that is 400 mA, which USB can give."""
WS2812_NS = (400, 850, 800, 450)
"""High and low for a 0, high and low for a 1."""


class Matrix:
    """The matrix on the pins *rows* and *columns* (GPIO numbers)."""

    def __init__(self, machine: "Any", rows: "tuple[int, ...]", columns: "tuple[int, ...]", sleep_us: "Callable[[int], object]") -> None:
        """All rows float; *sleep_us* waits some microseconds."""
        pin = machine.Pin
        self._rows = [pin(row, pin.OPEN_DRAIN, value=1) for row in rows]
        self._columns = [pin(column, pin.IN, pin.PULL_UP) for column in columns]
        self._readers = [(1 << bit, column.value) for bit, column in enumerate(self._columns)]
        self._floating = pin.IN
        self._sleep_us = sleep_us

    def scan(self) -> "list[int]":
        """One mask a row, bit 0 for the first column, set where a contact is closed."""
        return [self._scan_row(row) for row in self._rows]

    def _scan_row(self, row: "Any") -> int:
        row.value(0)
        self._sleep_us(SETTLE_US)
        mask = 0
        for bit, read in self._readers:
            if not read():
                mask |= bit
        row.value(1)
        self._sleep_us(SETTLE_US)
        return mask

    def release(self) -> None:
        """Let all pins float."""
        for pin in self._rows + self._columns:
            pin.init(self._floating, None)


class Lights:
    """A WS2812 light for each cell of a board of *columns* columns, row after row on one chain at *pin*; none if that is None."""

    def __init__(self, machine: "Any", pin: "int | None", rows: int, columns: int) -> None:
        """All lights off."""
        self._machine = machine
        self._pin = None if pin is None else machine.Pin(pin, machine.Pin.OUT, value=0)
        self._columns = columns
        self._size = rows * columns
        self._shown = b""
        self.show((0, 0, 0), ())

    def show(self, colour: "tuple[int, int, int]", masks: "tuple[int, ...]") -> None:
        """Light the cells set in *masks* (one a row) in a colour (red, green, blue), as bright as the supply can bear."""
        cells = [row * self._columns + bit for row, mask in enumerate(masks) for bit in range(self._columns) if mask >> bit & 1]
        total = sum(colour) * len(cells)
        red, green, blue = (value if total <= LIGHTS_LIMIT else value * LIGHTS_LIMIT // total for value in colour)
        data = bytearray(3 * self._size)
        for cell in cells:
            if cell < self._size:
                data[3 * cell : 3 * cell + 3] = bytes((green, red, blue))
        if self._pin is not None and data != self._shown:
            self._shown = bytes(data)
            self._machine.bitstream(self._pin, 0, WS2812_NS, data)

    def release(self) -> None:
        """All lights off."""
        self.show((0, 0, 0), ())
