"""Puts faults given in words on a simulated box, and says what is broken in the names of the game."""

from __future__ import annotations

from typing import Any

from underboard.engine.app.simulation.faults import Fault, read_fault
from underboard.engine.gamekit.overlay import Overlay
from underboard.hardware.core.parts import BoardKind
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.faults import Faults, WallClock


class FaultInjector:
    """The faults of one box under one overlay."""

    def __init__(self, box: SimulatedBox, clock: WallClock, overlay: Overlay, board: BoardKind) -> None:
        self.overlay = overlay
        self._faults = Faults(box, clock)
        self._cable = board != "gpio"

    def read(self, text: str) -> Fault:
        """A fault in the words of the table scripts, like `cell 4b stuck=closed`. Raises BadArgument."""
        return read_fault(text, self.overlay, self._cable)

    def put(self, fault: Fault) -> None:
        """Breaks or repairs a part. ValueError if it is not there, or is so already."""
        self._faults.put(fault.part, fault.kind, fault.value, self.overlay.cell(fault.space) if fault.space else None)

    def repair(self) -> None:
        """Nothing is broken any more."""
        self._faults.repair()

    @property
    def seen(self) -> dict[str, Any]:
        """What is broken: `cells` by name, the other parts as `underboard.hardware.simulator.faults` tells them."""
        return {"cells": {self.overlay.name(cell): kind for cell, kind in self._faults.cells.items()}, **self._faults.parts}
