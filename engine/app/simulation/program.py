"""The program in the box as far as a power cut takes it: the drivers, the table in operation and the writer of its journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from underboard.engine.app.devices import Devices
from underboard.engine.app.loop import TableLoop
from underboard.engine.journal.writer import JournalWriter
from underboard.hardware.box.drivers import Box, open_box
from underboard.hardware.core.clock import Clock
from underboard.hardware.core.parts import BoardKind, Controller
from underboard.hardware.panel.picture import draw
from underboard.hardware.simulator.box import SimulatedBox


@dataclass(frozen=True)
class Program:
    """What runs over a simulated box while the power is on."""

    app: TableLoop
    box: Box
    journal: JournalWriter

    def close(self) -> None:
        """Ends it in an orderly way; closing twice does no harm."""
        self.box.close()
        self.journal.close()

    def cut(self, simulated: SimulatedBox) -> None:
        """Ends it at this instant: nothing is written any more, and the lines float."""
        simulated.power_off()
        self.journal.cut()
        self.box.close()


def start(
    simulated: SimulatedBox,
    clock: Clock,
    oled: Controller,
    board: BoardKind,
    cards: Mapping[str, str],
    journal: JournalWriter,
    make: Callable[[Devices], TableLoop],
) -> Program:
    """Switches the box on: opens its drivers and sets the table that `make` makes of them. `cards` are those of the deck by tag."""
    box = open_box(simulated, clock, oled, board=board, cards=cards if simulated.reader else None)
    devices = Devices(box.board, box.keys, box.buzzer, box.display, clock, draw, box.reader, cards)
    try:
        return Program(make(devices), box, journal)
    except BaseException:
        box.close()
        raise
