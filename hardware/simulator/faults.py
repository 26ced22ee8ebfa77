"""What can break on a simulated box while somebody plays: one call for each fault, and a list of what is broken now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Protocol

from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import Clock
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.netlist import Diodes


class WallClock(Clock, Protocol):
    """A clock whose date and time of day can be set wrong."""

    def jump_wall(self, by: timedelta) -> None:
        """Set the wall clock by *by* forward or back."""
        ...


class Faults:
    """The faults of one box. ValueError says what is not there to be broken, or is broken that way already."""

    def __init__(self, box: SimulatedBox, clock: WallClock) -> None:
        self._box = box
        self._clock = clock
        self._welded: dict[Cell, str] = {}
        self._restless: dict[Cell, int] = {}  # until when
        self._jumped = 0
        self._acts: Mapping[tuple[str, str], Callable[[Any], None]] = {
            ("matrix", "diodes"): box.diodes,
            ("matrix", "noise"): box.noise,
            ("board", "unplug"): lambda _: box.unplug_board(),
            ("board", "replug"): box.replug_board,
            ("reader", "unplug"): lambda _: box.unplug_reader(),
            ("reader", "replug"): box.replug_reader,
            ("reader", "bytes"): lambda data: box.card_reader().send(data),
            ("oled", "detach"): lambda _: box.i2c.detach(),
            ("oled", "attach"): lambda _: box.i2c.attach(),
            ("oled", "errno"): lambda error: box.i2c.fail(*error),
            ("clock", "jump"): self._jump,
        }

    def put(self, part: str, kind: str, value: Any = None, cell: Cell | None = None) -> None:
        """Break or repair a part of the box. *value* and *cell* are what the kind needs:

        part "cell" (on *cell*): ``stuck`` "closed" or "open", ``chatter`` ms, ``ok``; "matrix": ``diodes`` fitted or not, ``noise``
        a share; "board" and "reader": ``unplug``, ``replug`` with the name of a port or None, and "reader" ``bytes``; "oled":
        ``detach``, ``attach``, ``errno`` (number, times); "clock": ``jump`` ms.
        """
        if cell is not None:
            self._put_on_cell(cell, kind, value)
        else:
            self._acts[part, kind](value)

    def _put_on_cell(self, cell: Cell, kind: str, value: Any) -> None:
        if kind == "chatter":
            self._box.chatter(cell, value)
            self._restless[cell] = self._clock.now() + value
            return
        self._box.stick(cell, value)
        self._box.chatter(cell, 0)
        self._restless.pop(cell, None)
        self._welded.pop(cell, None)
        if value is not None:
            self._welded[cell] = value

    def _jump(self, ms: int) -> None:
        self._clock.jump_wall(timedelta(milliseconds=ms))
        self._jumped += ms

    @property
    def cells(self) -> Mapping[Cell, str]:
        """The cells that are broken now: "closed", "open" or "chatter"."""
        now = self._clock.now()
        return {**self._welded, **{cell: "chatter" for cell, until in self._restless.items() if now < until}}

    @property
    def parts(self) -> Mapping[str, Any]:
        """How everything else is: ``diodes`` fitted, ``noise`` a share, ``clock`` ms that it is wrong, and what is plugged in."""
        box = self._box
        return {
            "diodes": box.matrix.diodes is Diodes.FITTED,
            "noise": box.matrix.noise,
            "board": box.board_plugged,
            "reader": box.reader_plugged,
            "oled": box.i2c.chip is not None,
            "bus": not box.i2c.failing,
            "clock": self._jumped,
        }

    def repair(self) -> None:
        """Everything is as it was built. The clock is put right, what chatters rests."""
        for cell in list(self.cells):
            self._put_on_cell(cell, "ok", None)
        box = self._box
        box.diodes(True)
        box.noise(0)
        box.i2c.fail(0, 0)
        if box.board_plugged is False:
            box.replug_board()
        if box.reader_plugged is False:
            box.replug_reader()
        if box.i2c.chip is None:
            box.i2c.attach()
        if self._jumped:
            self._jump(-self._jumped)
