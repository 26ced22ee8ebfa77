"""An evening of the service in a process of its own, in virtual time: prints its memory after every quarter as JSON, in MB.

The loop, the drivers, the journal and the modules are those of `underboard run --simulated`. Only the hands are missing: the
actions are ordered, and the tokens follow where they should stand, as people put them there.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.bench.memory import rss_mb
from underboard.engine.app.config import load_config
from underboard.engine.app.devices import Devices
from underboard.engine.app.loop import TableLoop
from underboard.engine.app.service.loop import Service
from underboard.engine.app.service.main import open_config
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.writer import open_writer
from underboard.engine.referee.actions import open_table
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.panel.picture import draw
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.system.service_manager import ServiceManager

ACTIONS, SAMPLES = 2_000, 4
THINKING_MS = 600


class Evening:
    """One game after another."""

    def __init__(self, folder: Path) -> None:
        """Everything as `underboard run` opens it."""
        (folder / "table.toml").touch()
        config = load_config(folder / "table.toml", {"STATE_DIRECTORY": str(folder)})
        self.clock, self.random = VirtualClock(), Random(1)
        table, effects = open_table(new_setup("hack_trick", {"target": "1000"}, 1), config.language)
        self.writer = open_writer(folder / "journal.sqlite3")
        self.simulated = SimulatedBox(self.clock, config.box.wiring)
        self.box = open_config(config, self.simulated, self.clock, None)
        devices = Devices(self.box.board, self.box.keys, self.box.buzzer, self.box.display, self.clock, draw)
        self.app = TableLoop(table, effects, devices, self.writer)
        self.service = Service(self.app, self.box, self.clock, ServiceManager({}))

    def act(self) -> None:
        """One action, or the next game of the match; the tokens follow."""
        game, state = self.app.table.setup.game, self.app.table.state
        self.app.order("next" if game.over(state) else game.pick(state, self.random))
        wanted = {self.app.table.setup.overlay.cell(space) for space in self.app.table.layout.spaces}
        for cell in self.simulated.tokens - wanted:
            self.simulated.lift(cell)
        for cell in wanted - self.simulated.tokens:
            self.simulated.place(cell)
        end = self.clock.now() + THINKING_MS
        while self.clock.now() < end:
            self.service.step()
            self.box.display.drain()
            self.clock.advance(self.app.next_tick_ms())

    def close(self) -> None:
        """Ends everything."""
        self.box.close()
        self.simulated.close()
        self.writer.close()


def main() -> None:
    """Plays and prints."""
    with TemporaryDirectory() as folder:
        evening, samples = Evening(Path(folder)), {}
        for number in range(1, ACTIONS + 1):
            evening.act()
            if number % (ACTIONS // SAMPLES) == 0:
                samples[number] = round(rss_mb(os.getpid()), 2)
        evening.close()
    print(json.dumps(samples))


if __name__ == "__main__":
    main()
