"""gpiozero's pins on lgpio, with errors that help and lines that move together.

Importing this module imports lgpio; `underboard.hardware.gpio.open` does it when pins are opened, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import lgpio
from gpiozero import PinUnknownPi
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

from underboard.hardware.core.cells import ALL
from underboard.hardware.gpio.errors import NO_PI, GpioError, LineBusy, NoChip, give_up


class GroupLines:
    """The lines of a matrix in two groups of the kernel: a call for all rows, a call for all columns.

    The rows are open-drain outputs: written low they pull, written high they float, and that in
    the same call. All lines are lgpio's in groups until :meth:`close`.
    """

    def __init__(self, handle: int, rows: Sequence[int], columns: Sequence[int]) -> None:
        """Claim the lines, which single pins have claimed before. GpioError if one is gone meanwhile."""
        self._handle = handle
        self._leaders = rows[0], columns[0]
        self._floating = (1 << len(rows)) - 1
        self._columns = (1 << len(columns)) - 1
        for line in (*rows, *columns):
            lgpio.gpio_free(handle, line)
        try:
            lgpio.group_claim_output(handle, list(rows), [1] * len(rows), lgpio.SET_OPEN_DRAIN | lgpio.SET_PULL_NONE)
        except lgpio.error as error:
            raise refused(handle, rows, error) from error
        try:
            lgpio.group_claim_input(handle, list(columns), lgpio.SET_PULL_UP)
        except lgpio.error as error:
            lgpio.group_free(handle, rows[0])
            raise refused(handle, columns, error) from error

    def select(self, row: int | None) -> None:
        """Pull this row low and let all others float."""
        levels = self._floating if row is None else self._floating & ~(1 << row)
        lgpio.group_write(self._handle, self._leaders[0], levels)

    def low(self, among: int = ALL) -> int:
        """The mask of those columns that read low."""
        levels: int = lgpio.group_read(self._handle, self._leaders[1])[1]
        return ~levels & self._columns & among

    def close(self) -> None:
        """Let all rows float and take the groups apart."""
        self.select(None)
        for leader in self._leaders:
            lgpio.group_free(self._handle, leader)


class HeaderPin(LGPIOPin):  # type: ignore[misc]  # gpiozero is not annotated
    """A pin that can be closed whatever has become of its line: gpiozero claims it once more on that occasion."""

    def close(self) -> None:
        """Become an input; somebody else may have the line by now."""
        with suppress(lgpio.error):
            super().close()


class HeaderFactory(LGPIOFactory):  # type: ignore[misc]
    """The pins of the header on chip number *chip*."""

    def __init__(self, chip: int) -> None:
        """lgpio.error if it cannot be opened."""
        super().__init__(chip=chip)
        self.pin_class = HeaderPin

    def pin(self, name: int) -> Any:
        """gpiozero's pin; LineBusy if somebody else has the line."""
        try:
            return super().pin(name)
        except lgpio.error as error:
            give_up(self, name)
            raise refused(self._handle, [name], error) from error

    def matrix_lines(self, rows: Sequence[int], columns: Sequence[int]) -> GroupLines:
        """The lines of a matrix together; their single pins must not be used until they are closed."""
        return GroupLines(self._handle, rows, columns)


def open_header(chip: int) -> HeaderFactory:
    """The header on this chip. NoChip if this is no Pi all the same."""
    factory = HeaderFactory(chip=chip)
    try:
        factory.board_info  # noqa: B018  # gpiozero finds out here what header this Pi has
    except PinUnknownPi as error:
        factory.close()
        raise NoChip(f"this computer does not say which Raspberry Pi it is ({error}): {NO_PI}") from error
    return factory


def refused(handle: int, lines: Sequence[int], error: Any) -> GpioError:
    """What to say when the kernel does not give us one of these lines, none of which we have."""
    if error.value != lgpio.error_text(lgpio.GPIO_BUSY):
        return GpioError(f"GPIO {', '.join(map(str, lines))}: {error.value}")
    users = {line: lgpio.gpio_get_line_info(handle, line)[4] for line in lines}
    line = next((line for line, user in users.items() if user), lines[0])
    return LineBusy(line, users[line])
