"""The drivers of one box, opened together and closed together."""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Protocol

from PIL.Image import Image

from underboard.hardware.board.cell_map import CellMap
from underboard.hardware.board.matrix import MatrixScanner
from underboard.hardware.board.pico import PICO, Pico, PicoWiring, pico_wiring
from underboard.hardware.board.reed_board import ReedBoard
from underboard.hardware.cards.frames import Tag
from underboard.hardware.cards.reader import READER, CardReader
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import Clock
from underboard.hardware.core.health import Health, health_of
from underboard.hardware.core.parts import BoardKind, Controller
from underboard.hardware.core.wiring import REFERENCE, Wiring, WiringError
from underboard.hardware.panel.keys_and_buzzer import Buzzer, Keys
from underboard.hardware.panel.oled import Bus, OledDisplay, Panel
from underboard.hardware.system.serial_ports import Ports, Wanted


class Below(Protocol):
    """What lies below the drivers: pins, a bus and serial ports, real or simulated."""

    @property
    def ports(self) -> Ports:
        """The serial ports."""

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
    reader: CardReader | None = None
    pico: Pico | None = None

    def light(self, cells: Iterable[Cell], colour: tuple[int, int, int]) -> bool:
        """Lights these cells of the board and no others (red, green, blue, 0 to 255); whether there are lights that heard of it."""
        return self.pico is not None and self.pico.light(self.board.sensors(cells), colour)

    def health(self) -> tuple[Health, ...]:
        """How each device is."""
        reader = [health_of("reader", self.reader)] if self.reader else []
        return (self.board.health(), health_of("oled", self.display), *reader)

    @property
    def alive(self) -> bool:
        """Whether everything that works beside the loop still does: the display's thread. All else is polled from the loop."""
        return self.display.alive

    def close(self, last: Image | None = None) -> None:
        """Ends all drivers; closing twice does no harm. The display keeps the picture *last*, or goes dark."""
        self.display.close(last)
        self.opened.close()


def open_box(
    below: Below,
    clock: Clock,
    oled: Controller | Panel = "ssd1306",
    wiring: Wiring = REFERENCE,
    *,
    board: BoardKind = "gpio",
    cards: Container[Tag] | None = None,
    cell_map: CellMap | None = None,
    pico: PicoWiring | None = None,
    pico_at: Wanted = PICO,
    reader_at: Wanted = READER,
) -> Box:
    """Opens matrix, keys, buzzer and display, and the card reader for a deck with these tags (*cards*).

    If one of them cannot be opened none stays open.
    With *board* "pico" the matrix is on the Pico *pico_at*, wired as *pico* says; without it the rows and columns of *wiring*
    say how many there are. *reader_at* is the card reader that is meant.
    *cell_map* says which sensor lies under which cell (None: each under the cell of its name). CellMapError if it is that of
    another matrix, WiringError if a display on SPI has to share lines; what the pins raise passes through.
    """
    matrix: Wiring | PicoWiring = wiring
    on_header = wiring
    if board == "pico":
        matrix = pico or pico_wiring(len(wiring.rows), len(wiring.columns))
        on_header = replace(wiring, rows=(), columns=())
    rows, columns = len(matrix.rows), len(matrix.columns)
    if isinstance(oled, Panel) and oled.spi and (clashes := oled.spi.clashes(on_header)):
        raise WiringError(clashes)
    with ExitStack() as opened:
        factory = below.pin_factory()
        opened.callback(factory.close)
        scanner: Pico | MatrixScanner
        if isinstance(matrix, PicoWiring):
            scanner = opened.enter_context(Pico(below.ports, clock, matrix, pico_at))
        else:
            scanner = opened.enter_context(MatrixScanner(factory, wiring.rows, wiring.columns))
        sensors = ReedBoard(scanner, clock, rows=rows, columns=columns, cell_map=cell_map)
        keys = opened.enter_context(Keys(factory, wiring.keys, clock))
        buzzer = opened.enter_context(Buzzer(factory, wiring.buzzer, clock))
        display = opened.enter_context(OledDisplay(lambda: below.i2c, oled, clock))
        reader = None if cards is None else opened.enter_context(CardReader(below.ports, clock, reader_at, cards.__contains__))
        return Box(sensors, keys, buzzer, display, opened.pop_all(), reader, scanner if isinstance(scanner, Pico) else None)
