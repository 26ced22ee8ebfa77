"""The scan of a reed-switch matrix through gpiozero pins.

One row at a time is an output driven low; the other rows float and the columns are inputs
pulled up, so a column reads low where the active row has a closed contact. Rows float rather
than stand high, for a high and a low row joined by two closed contacts without diodes would
be a short.

A column that was low rises through its pull-up, which takes longer the longer its cable is.
So after a row with closed contacts all rows float until its columns read high again: no row
sees the closed contacts of the one before, whatever the cable, and empty rows cost nothing.

A factory may offer ``matrix_lines(rows, columns)``, lines that move together: one call
instead of one a pin. Pins are read, never waited for: one exception in an edge callback would
end them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from gpiozero import InputDevice

from underboard.hardware.core.cells import ALL

RISE_READS = 20
"""Readings that a column may take to rise; one that is low for longer is not held by its capacity."""


class MatrixLines(Protocol):
    """All lines of a matrix, moved and read together; rows and columns count from 0 here."""

    def select(self, row: int | None) -> None:
        """Pull this row low and let all others float, or all rows (None)."""

    def low(self, among: int = ALL) -> int:
        """The mask of the columns that read low now, bit 0 for the first; only those in the mask *among* matter."""

    def close(self) -> None:
        """Let all rows float and give back what goes beyond the single pins."""


class PinLines:
    """The lines of a matrix as single gpiozero pins, for factories that know nothing better."""

    def __init__(self, rows: Sequence[Any], columns: Sequence[Any]) -> None:
        """Open pins, columns pulled up."""
        self._rows = rows
        self._columns = [(1 << bit, pin) for bit, pin in enumerate(columns)]
        self._selected: Any = None

    def select(self, row: int | None) -> None:
        """One row becomes an input again, the other an output."""
        if self._selected is not None:
            self._selected.function = "input"
        self._selected = None if row is None else self._rows[row]
        if self._selected is not None:
            self._selected.output_with_state(False)

    def low(self, among: int = ALL) -> int:
        """Reads pin by pin."""
        return sum([bit for bit, column in self._columns if bit & among and not column.state])

    def close(self) -> None:
        """All rows float."""
        self.select(None)


class MatrixScanner:
    """The matrix on the lines *rows* and *columns* (BCM numbers) of a gpiozero pin factory.

    A context manager. gpiozero's errors name a pin that is taken or does not exist; whatever was
    opened by then is closed again.
    """

    state: Literal["ready"] = "ready"
    reason = ""

    def __init__(self, factory: Any, rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
        """Reserve all lines and leave every row floating."""
        self._count = len(rows)
        with ExitStack() as opened:
            row_pins = [self._open(opened, factory, line, pull_up=None, active_state=False).pin for line in rows]
            column_pins = [self._open(opened, factory, line, pull_up=True).pin for line in columns]
            together = getattr(factory, "matrix_lines", None)
            self._lines: MatrixLines = (together and together(rows, columns)) or PinLines(row_pins, column_pins)
            opened.callback(self._lines.close)
            self._opened = opened.pop_all()

    @staticmethod
    def _open(opened: ExitStack, factory: Any, line: int, **options: bool | None) -> InputDevice:
        return opened.enter_context(InputDevice(line, pin_factory=factory, **options))

    def scan(self) -> tuple[int, ...]:
        """Read the whole matrix: one mask a row, bit 0 for the first column, set where a contact is closed."""
        try:
            return tuple([self._scan_row(row) for row in range(self._count)])
        finally:
            self._lines.select(None)

    def _scan_row(self, row: int) -> int:
        self._lines.select(row)
        mask = self._lines.low()
        if mask:
            self._let_rise(mask)
        return mask

    def _let_rise(self, mask: int) -> None:
        """Wait until the columns of *mask* have recovered from the row that pulled them down."""
        self._lines.select(None)
        for _ in range(RISE_READS):
            if not self._lines.low(mask):
                return

    def close(self) -> None:
        """Give all lines back; closing twice does no harm."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
