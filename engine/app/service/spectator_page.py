"""The page of a table in operation for those who only watch it, on a second screen.

It shows what lies open, and takes nothing: no hands, no commands. Whatever becomes of it, the table plays on: it has a thread
of its own, which only reads what is published here, and an error in it is reported and ends it.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Mapping, Sequence

from underboard.engine.app.loop import TableLoop
from underboard.engine.app.pixels import pixels
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.view.game_log import GameLog
from underboard.engine.view.page_record import PageRecord, Surroundings, page_record
from underboard.engine.view.snapshot import pieces_on
from underboard.engine.view.visibility import seen_by
from underboard.hardware.box.drivers import Box
from underboard.hardware.core.health import record_of
from underboard.web.access import SPECTATORS, AccessRules
from underboard.web.commands import BadCommand, Order, PageCommandReader
from underboard.web.event_stream import EventStream
from underboard.web.server import PageSite, WebServer, build_app, listen

REMEDIES = {
    errno.EADDRINUSE: "another program uses this port: choose another page.port",
    errno.EADDRNOTAVAIL: 'this computer has no such address: page.host = "0.0.0.0" means all it has',
    errno.EAFNOSUPPORT: "the service may not use the network: docs/build.md (A second screen) says how it is opened",
}

Complain = Callable[[str], None]


class SpectatorPage:
    """A page that follows a table; `show` raises nothing. A context manager."""

    def __init__(self, app: TableLoop, box: Box, game_log: GameLog, complain: Complain) -> None:
        """`complain` is called with what is wrong with the page, in the table's own thread."""
        self.url = ""
        self._problem = ""
        self._app = app
        self._box = box
        self._log = game_log
        self._complain = complain
        self._events = EventStream(seen_by, PageRecord())
        self._server: WebServer | None = None
        self._failure: BaseException | None = None  # set by the server's thread
        self._pieces: Mapping[Space, str] = {}

    def open(self, host: str, port: int, names: Sequence[str] = ()) -> None:
        """From now on the page is there; a port that cannot be used is complained of."""
        try:
            listener = listen(port, host)
        except OSError as error:
            self._end(f"{host}:{port}: {REMEDIES.get(error.errno or 0) or trouble(error)}")
            return
        access_rules = AccessRules(listener.getsockname()[1], host, table=False, names=names)
        self._server = WebServer(
            build_app(PageSite(self._events, PageCommandReader(), refuse, access_rules), access_rules), listener, self._failed
        )
        self.url = access_rules.link(SPECTATORS).url
        self.show()
        if self._server:
            self._server.start()

    def show(self) -> None:
        """Publishes how the table is now."""
        if self._server is None:
            return
        if self._failure is not None:
            self._end(f"its server has ended: {self._failure}")
            return
        try:
            self._events.publish(self._record())
        except Exception as error:  # a picture of the table is not worth the table
            self._end(f"{type(error).__name__}: {error}")

    @property
    def record(self) -> dict[str, str]:
        """Where the page is, and what is wrong with it, as JSON values."""
        return {"url": self.url, "problem": self._problem}

    def close(self) -> None:
        """Sends those who watch away."""
        self._events.close()
        if self._server:
            self._server.close()

    def __enter__(self) -> SpectatorPage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _failed(self, error: BaseException) -> None:
        self._failure = error

    def _end(self, why: str) -> None:
        self.url, self._problem = "", f"the page for spectators is not there: {why}"
        self._complain(self._problem)
        self._events.close()
        if self._server:
            self._server.stop()
        self._server = None

    def _record(self) -> PageRecord:
        """What is to be seen; which piece a token is follows from the game, sensors feel none."""
        table = self._app.table
        self._pieces = pieces_on(table, find_presentation(table.setup.game.id), sorted(table.sensed), self._pieces)
        around = Surroundings(
            tokens=self._pieces,
            lines=self._app.lines,
            display=pixels(self._app.lines),
            draw=pixels,
            log=self._log.entries,
            contacts=sorted(table.sensed),
            health=[record_of(health, table.setup.overlay.name) for health in self._box.health()],
        )
        return page_record(table, around)


def refuse(_: Order) -> None:
    """There is no hand behind this page."""
    raise BadCommand("here one can only look")


def trouble(error: OSError) -> str:
    """What is wrong with an address."""
    return "there is no computer of that name" if isinstance(error, socket.gaierror) else error.strerror or str(error)
