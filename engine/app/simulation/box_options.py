"""What a simulated box is made of."""

from __future__ import annotations

from dataclasses import dataclass

from underboard.engine.app.table_options import BoardOption
from underboard.hardware.cards.frames import ReaderKind
from underboard.hardware.panel.oled import Controller


@dataclass(frozen=True, slots=True)
class SimulatedBoxOptions:
    """The simulated box: its display, what the matrix is wired to, its card reader (None: there is none)."""

    oled: Controller = "ssd1306"
    board: BoardOption = "gpio"
    reader: ReaderKind | None = "rdm6300"
