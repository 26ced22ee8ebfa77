"""The page of a table in operation for those who only watch it, on a second screen.

It shows what lies open, and takes nothing: no hands, no commands. Whatever becomes of it, the table plays on: it has a thread
of its own, which only reads what is published here, and trouble with it is told and ends it.
"""

from __future__ import annotations

import base64
import errno
import socket
from collections.abc import Callable, Mapping
from typing import Any

from engine.app import App
from engine.labels import labels
from engine.page import find_page
from engine.snapshot import board_of, pieces_on, view_of
from engine.story import Story
from engine.table import Space
from engine.views import seen_by
from hardware.box import Box
from hardware.health import record_of
from hardware.picture import draw
from hardware.simulator.commands import BadCommand, Command, CommandReader
from hardware.simulator.doors import SPECTATORS, Doors
from hardware.simulator.feed import Feed
from hardware.simulator.web import Site, WebServer, build_app, listen

REMEDIES = {
    errno.EADDRINUSE: "another program uses this port: choose another page.port",
    errno.EADDRNOTAVAIL: 'this computer has no such address: page.host = "0.0.0.0" means all it has',
    errno.EAFNOSUPPORT: "the service may not use the network: docs/build.md (A second screen) says how it is opened",
}

Complain = Callable[[str], None]


class Spectators:
    """A page that follows a table; `show` raises nothing. A context manager."""

    def __init__(self, app: App, box: Box, story: Story, complain: Complain) -> None:
        """`complain` is told what is wrong with the page, in the table's own thread."""
        self.url = ""
        self._problem = ""
        self._app = app
        self._box = box
        self._story = story
        self._complain = complain
        self._feed = Feed(seen_by)
        self._server: WebServer | None = None
        self._failure: BaseException | None = None  # set by the server's thread
        self._pieces: Mapping[Space, str] = {}

    def open(self, host: str, port: int) -> None:
        """From now on the page is there; a port that cannot be used is complained of."""
        try:
            listener = listen(port, host)
        except OSError as error:
            self._end(f"{host}:{port}: {REMEDIES.get(error.errno or 0) or trouble(error)}")
            return
        doors = Doors(listener.getsockname()[1], host, table=False)
        self._server = WebServer(build_app(Site(self._feed, CommandReader(), refuse, doors), doors), listener, self._failed)
        self.url = doors.link(SPECTATORS).url
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
            self._feed.publish(self._snapshot())
        except Exception as error:  # a picture of the table is not worth the table
            self._end(f"{type(error).__name__}: {error}")

    @property
    def record(self) -> dict[str, str]:
        """Where the page is, and what is wrong with it, as JSON values."""
        return {"url": self.url, "problem": self._problem}

    def close(self) -> None:
        """Sends those who watch away."""
        self._feed.close()
        if self._server:
            self._server.close()

    def __enter__(self) -> Spectators:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _failed(self, error: BaseException) -> None:
        self._failure = error

    def _end(self, why: str) -> None:
        self.url, self._problem = "", f"the page for spectators is not there: {why}"
        self._complain(self._problem)
        self._feed.close()
        if self._server:
            self._server.stop()
        self._server = None

    def _snapshot(self) -> dict[str, Any]:
        """What is to be seen; which piece a token is follows from the game, sensors feel none."""
        table, words = self._app.table, self._app.words
        page = find_page(table.setup.game)
        self._pieces = pieces_on(table, page, sorted(table.sensed), self._pieces)
        return {
            "place": "table",
            "board": board_of(table, page),
            "labels": {**labels(words), "help": page.help(words)},
            "language": words.language,
            **view_of(table, page, words, self._pieces),
            "reader": None,
            "screen": [line.text for line in self._app.lines],
            "display": base64.b64encode(draw(self._app.lines).tobytes()).decode("ascii"),
            "buzzer": False,
            "log": self._story.entries,
            "health": [record_of(health, table.setup.overlay.name) for health in self._box.health()],
            "power": True,
            "contacts": sorted(table.sensed),
        }


def refuse(command: Command) -> None:
    """There is no hand behind this page."""
    raise BadCommand("here one can only look")


def trouble(error: OSError) -> str:
    """What is wrong with an address."""
    return "there is no computer of that name" if isinstance(error, socket.gaierror) else error.strerror or str(error)
