"""The loop of `underboard run`, and what it reports to the service manager, the status socket and the log.

The service manager hears when the game can be played, how it stands, and that the loop and everything beside it are alive.
The status socket answers `underboard status`. The log has each device that comes or goes.
"""

from __future__ import annotations

import json
import logging
import select
from collections.abc import Callable, Mapping
from typing import Any

from PIL.Image import Image

from underboard.engine.app.devices import Clock
from underboard.engine.app.last_screens import failed, farewell
from underboard.engine.app.loop import TableLoop
from underboard.engine.base.i18n import find_words
from underboard.engine.gamekit.overlay import Cell
from underboard.engine.referee.find_alerts import find_public_alert
from underboard.engine.referee.state import TableState
from underboard.engine.view.report import alert_record, report
from underboard.hardware.box.drivers import Box
from underboard.hardware.core.health import record_of
from underboard.hardware.panel.picture import draw
from underboard.hardware.system.service_manager import ServiceManager
from underboard.hardware.system.status_socket import StatusSocket

PATIENCE_MS = 5_000
"""The game can be played without a device; so long is one waited for that may be there."""
FED_TIMES = 4
"""How often the watchdog is fed within its time."""
KEPT = ("to_move", "phase", "outcome")
"""What of the table's report everybody may know who asks for the status."""

RED = (96, 0, 0)
"""Bright enough under wood, and little for the USB port that feeds it."""

log = logging.getLogger("underboard")

Facts = Callable[[], Mapping[str, Any]]


def nobody() -> None:
    """Nobody wants to know that the table has changed."""


def no_pages(now: int) -> None:
    """There are no pages from which anything could come."""


class Service:
    """A table in operation until `stop`."""

    def __init__(self, app: TableLoop, box: Box, clock: Clock, manager: ServiceManager) -> None:
        """`changed` and `look_at_pages` may be replaced: called after each change at the table, and in each step; they raise nothing."""
        self.last_error: dict[str, str] | None = None
        self._app = app
        self._box = box
        self._clock = clock
        self._manager = manager
        self._started = clock.now()
        self._stopped = False
        self._ready = False
        self._fed_at = clock.now() - (manager.watchdog_ms or 0)
        self._hangs = False
        self._table: TableState | None = None
        self._devices: Mapping[str, str] = {}
        self._lit: tuple[frozenset[Cell], str] = frozenset(), "ready"
        self.changed: Callable[[], None] = nobody
        self.look_at_pages: Callable[[int], None] = no_pages

    def run(self, wait: Callable[[int], object]) -> None:
        """Plays until `stop`; *wait* lets so many milliseconds pass, and may return sooner."""
        while not self._stopped:
            self.step()
            wait(self._app.next_tick_ms())
        self._manager.stopping()

    def stop(self) -> None:
        """Ends `run` at its next turn; may be called by a signal handler."""
        self._stopped = True

    def step(self) -> None:
        """One look at everything."""
        self.look_at_pages(self._clock.now())
        self._app.tick()
        if self._app.table is not self._table:
            self._table = self._app.table
            self._look_at_devices()
            self._light(self._table)
            self._manager.status(summary(self._table))
            self.changed()
        if not self._ready:
            self._say_when_ready()
        if self._manager.watchdog_ms is not None:
            self._feed_watchdog(self._manager.watchdog_ms)

    @property
    def uptime_s(self) -> int:
        """How long the table has been in operation."""
        return (self._clock.now() - self._started) // 1000

    @property
    def farewell(self) -> Image:
        """The picture that stays on the display when the service has ended, as it was asked to or by a fault."""
        table = self._app.table
        words = find_words(table.language)
        return draw(farewell(words, kept=not table.unsaved) if self._stopped else failed(words))

    def _look_at_devices(self) -> None:
        """Says in the log what has come and gone, and remembers the last trouble; a device that is being looked for is neither."""
        found = {device: state for device, state in self._app.device_states.items() if state != "probing"}
        changed = {device: state for device, state in found.items() if state != self._devices.get(device)}
        self._devices = {**self._devices, **found}
        for health in self._box.health() if changed else ():
            if changed.get(health.device) == "ready":
                log.info("%s: ready", health.device)
            elif health.device in changed:
                self.complain(f"{health.device}: {health.state}: {health.reason}")

    def _light(self, table: TableState) -> None:
        """Shows on the board where something is wrong, if it has lights; those of a board that comes back are dark."""
        alert = find_public_alert(table)
        wrong = alert.wrong if alert else ()
        wanted = frozenset(map(table.setup.overlay.cell, wrong)), self._app.device_states["board"]
        if wanted != self._lit:
            self._lit = wanted
            self._box.light(wanted[0], RED)

    def complain(self, text: str) -> None:
        """Something is wrong: it goes into the log, and is the last error from now on."""
        log.warning("%s", text)
        self.last_error = {"text": text, "at": self._clock.wall().isoformat(timespec="seconds")}

    def _say_when_ready(self) -> None:
        waiting = "probing" in self._app.device_states.values() and self._clock.now() - self._started < PATIENCE_MS
        if not waiting:
            self._ready = True
            self._manager.ready()

    def _feed_watchdog(self, within_ms: int) -> None:
        """Says that all is alive; whoever hangs is said once, and then the service manager starts everything anew."""
        now = self._clock.now()
        if now - self._fed_at < within_ms // FED_TIMES:
            return
        self._fed_at = now
        if self._box.alive:
            self._manager.alive()
        elif not self._hangs:
            self._hangs = True
            self.complain("the display hangs in its bus: the watchdog will start the table anew")


def summary(table: TableState) -> str:
    """How a table stands, in one line."""
    game, state = table.setup.game, table.state
    if not table.playing and not table.deal:
        stands = "set-up"
    elif table.deal:
        stands = "cards are dealt"
    elif game.over(state):
        stands = "over"
    else:
        stands = f"{game.to_move(state)} to move ({game.phase(state)})"
    found = find_public_alert(table)
    alert = f"; {found.code.replace('_', ' ')}" if found else ""
    devices = ", ".join(f"{device} {state}" for device, state in table.devices.items())
    return f"{game.id}: {stands}{alert}; {devices}"


def status_of(app: TableLoop, box: Box, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Everything `underboard status` shows of a running table, with *facts* of whoever runs it, as JSON values."""
    table = app.table
    found, alert = report(table, app.words), find_public_alert(table)
    return {
        "game": table.setup.game.id,
        **{key: found[key] for key in KEPT},
        "alert": None if alert is None else alert_record(alert, app.words),
        "devices": [record_of(health, table.setup.overlay.name) for health in box.health()],
        **facts,
    }


def answer(app: TableLoop, box: Box, facts: Facts) -> Callable[[], str]:
    """What a status socket tells of a table."""
    return lambda: json.dumps(status_of(app, box, facts()), ensure_ascii=False)


class Wait:
    """Waits for time to pass, and meanwhile answers who asks the status socket."""

    def __init__(self, status: StatusSocket | None) -> None:
        self._status = status
        self._poll = select.poll()
        if status is not None:
            self._poll.register(status.fileno(), select.POLLIN)

    def __call__(self, ms: int) -> None:
        """Returns after *ms* milliseconds, or as soon as somebody has been answered."""
        if self._poll.poll(ms) and self._status is not None:
            self._status.poll()
