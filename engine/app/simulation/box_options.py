"""What a simulated box is made of."""

from __future__ import annotations

from dataclasses import dataclass

from underboard.hardware.core.parts import BoardKind, Controller, ReaderKind


@dataclass(frozen=True, slots=True)
class SimulatedBoxOptions:
    """The simulated box: its display, what the matrix is wired to, its card reader (None: there is none)."""

    oled: Controller = "ssd1306"
    board: BoardKind = "gpio"
    reader: ReaderKind | None = "rdm6300"
