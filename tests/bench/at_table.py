"""A table with all drivers, a simulated box below them and a journal on disk, as the measurements need it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from underboard.engine.app.devices import Devices
from underboard.engine.app.loop import TableLoop
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.writer import JournalWriter, open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import Did
from underboard.engine.scripting.runner import keys_to
from underboard.hardware.box.drivers import open_box
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import BoardKind
from underboard.hardware.panel.picture import draw
from underboard.hardware.simulator.box import SimulatedBox

SETTLED_MS = 3_000
"""After this long a table with its devices has come to rest."""
PATIENCE_MS = 5_000
KEY_MS = 60
"""A quick finger."""


class TableAtWork:
    """A game of Virus Wars, where a token is an action: hands, program and disk. A context manager."""

    def __init__(self, folder: Path, board: BoardKind = "gpio", options: Mapping[str, str] | None = None) -> None:
        """A new game whose journal is in `folder`; its devices are ready."""
        self.clock = VirtualClock()
        self.box = SimulatedBox(self.clock, board=board)
        self.writer: JournalWriter = open_writer(folder / "journal.sqlite3")
        self.drivers = open_box(self.box, self.clock, board=board)
        drivers, clock = self.drivers, self.clock
        devices = Devices(drivers.board, drivers.keys, drivers.buzzer, drivers.display, clock, draw)
        setup = new_setup("virus_wars", {"size": "10", **(options or {})}, 1)
        self.done: list[Did] = []
        self.app = TableLoop(*open_table(setup), devices, self.writer, [lambda _, done: self.done.extend(done)])
        self.run(SETTLED_MS)

    def tick(self) -> None:
        """One turn of the program's loop: as long as it wants to wait, then everything that is due, until the display has it."""
        self.clock.advance(self.app.next_tick_ms())
        self.app.tick()
        self.drivers.display.drain()

    def run(self, ms: int) -> None:
        """Lets time pass."""
        end = self.clock.now() + ms
        while self.clock.now() < end:
            self.tick()

    def until(self, happened: Callable[[], bool]) -> int:
        """How long it takes, in ms; TimeoutError if it does not happen."""
        start = self.clock.now()
        while not happened():
            if self.clock.now() - start > PATIENCE_MS:
                raise TimeoutError("it does not happen")
            self.tick()
        return self.clock.now() - start

    def choose(self, action: str) -> None:
        """Takes a choice with the keys, as a player does, and lets the table come to rest."""
        for key in keys_to(self.app.table, action):
            self.box.press_key(key)
            self.run(KEY_MS)
            self.box.release_key(key)
            self.run(KEY_MS)

    def legal_space(self, random: Random) -> str:
        """An empty space on which the mover may put a token."""
        game, state = self.app.table.setup.game, self.app.table.state
        free = [action for action in game.legal(state) if self.cell(action) not in self.box.tokens]
        return random.choice(free)

    def cell(self, space: str) -> Cell:
        """The sensor's place below a space."""
        return self.app.table.setup.overlay.cell(space)

    @property
    def pictures(self) -> int:
        """How many pictures the display has got."""
        return self.drivers.display.counters["pictures"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.drivers.close()
        self.box.close()
        self.writer.close()
