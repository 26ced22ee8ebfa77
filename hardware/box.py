"""The drivers of one box, opened together and closed together."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from hardware.board import ReedBoard
from hardware.clock import Clock
from hardware.matrix import MatrixScanner
from hardware.oled import Bus, OledDisplay
from hardware.panel import Buzzer, Keys
from hardware.wiring import REFERENCE, Wiring


class Below(Protocol):
    """What lies below the drivers: pins and a bus, real or simulated."""

    @property
    def i2c(self) -> Bus:
        """The bus of the display."""

    def pin_factory(self) -> Any:
        """The gpiozero pin factory of all lines."""


@dataclass(frozen=True)
class Box:
    """The opened drivers. `close` gives everything back."""

    board: ReedBoard
    keys: Keys
    buzzer: Buzzer
    display: OledDisplay
    opened: ExitStack

    def close(self) -> None:
        """Ends all drivers; closing twice does no harm."""
        self.opened.close()


def open_box(below: Below, clock: Clock, oled: Literal["ssd1306", "sh1106"] = "ssd1306", wiring: Wiring = REFERENCE) -> Box:
    """Opens matrix, keys, buzzer and display. If one of them cannot be opened none stays open."""
    factory = below.pin_factory()
    with ExitStack() as opened:
        scanner = opened.enter_context(MatrixScanner(factory, wiring.rows, wiring.columns))
        board = ReedBoard(scanner, clock, rows=len(wiring.rows), columns=len(wiring.columns))
        keys = opened.enter_context(Keys(factory, wiring.keys, clock))
        buzzer = opened.enter_context(Buzzer(factory, wiring.buzzer, clock))
        display = opened.enter_context(OledDisplay(lambda: below.i2c, oled, clock))
        return Box(board, keys, buzzer, display, opened.pop_all())
