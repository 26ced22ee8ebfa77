"""The scan of a reed-switch matrix through gpiozero pins.

One row at a time is an output driven low; the other rows float and the columns are inputs
pulled up, so a column reads low where the active row has a closed contact. Rows float rather
than stand high, for a high and a low row joined by two closed contacts without diodes would
be a short. A released column rises through its pull-up within some microseconds, less than
the system calls of a scan take, so no row sees the closed contacts of the one before.

Pins are read, never waited for: one exception in an edge callback would end them all.
"""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from gpiozero import InputDevice


class MatrixScanner:
    """The matrix on the lines *rows* and *columns* (BCM numbers) of a gpiozero pin factory.

    A context manager. gpiozero's errors name a pin that is taken or does not exist; whatever was
    opened by then is closed again.
    """

    def __init__(self, factory: Any, rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
        """Reserve all lines and leave every row floating."""
        with ExitStack() as opened:
            self._rows = [self._open(opened, factory, line, pull_up=None, active_state=False).pin for line in rows]
            self._columns = [
                (1 << bit, self._open(opened, factory, line, pull_up=True).pin) for bit, line in enumerate(columns)
            ]
            self._opened = opened.pop_all()

    @staticmethod
    def _open(opened: ExitStack, factory: Any, line: int, **options: bool | None) -> InputDevice:
        return opened.enter_context(InputDevice(line, pin_factory=factory, **options))

    def scan(self) -> tuple[int, ...]:
        """Read the whole matrix: one mask a row, bit 0 for the first column, set where a contact is closed."""
        return tuple([self._scan_row(row) for row in self._rows])

    def _scan_row(self, row: Any) -> int:
        mask = 0
        row.output_with_state(False)
        try:
            for bit, column in self._columns:
                if not column.state:
                    mask |= bit
        finally:
            row.function = "input"
        return mask

    def close(self) -> None:
        """Give all lines back; closing twice does no harm."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
