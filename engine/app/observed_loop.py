"""A table in operation that tells what happens at it, for pages."""

from __future__ import annotations

from collections.abc import Iterable

from underboard.engine.app.devices import Devices
from underboard.engine.app.loop import TableLoop
from underboard.engine.journal.writer import JournalWriter
from underboard.engine.referee.events import Effect, Event
from underboard.engine.referee.state import TableState
from underboard.engine.view.game_log import GameLog


class ObservedLoop(TableLoop):
    """A table in operation that keeps a game log."""

    def __init__(self, table: TableState, effects: Iterable[Effect], devices: Devices, journal: JournalWriter, game_log: GameLog) -> None:
        super().__init__(table, effects, devices, journal)
        self._log = game_log
        game_log.follow(self.table, self.take_done())

    def handle(self, event: Event, now: int) -> None:
        super().handle(event, now)
        self._log.follow(self.table, self.take_done())
