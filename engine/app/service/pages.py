"""The pages of a table in operation: for those who watch it on a second screen, and, if they are wanted, for the seats on phones.

Who watches sees what lies open. A seat has its hand, its choices and its keys there; tokens stand on the real board, and the table's own
page is not served. Whatever becomes of the pages, the table plays on: they have a thread of their own, which only reads what is
published here and queues what seats send, and an error in it is reported and ends them.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue

from underboard.engine.app.loop import TableLoop
from underboard.engine.app.page_question import asked
from underboard.engine.app.pixels import pixels
from underboard.engine.app.seat_keys import SeatKeys
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.referee.events import Chosen, Event, SeatPages
from underboard.engine.view.game_log import GameLog
from underboard.engine.view.page_record import PageRecord, Surroundings, page_record
from underboard.engine.view.snapshot import pieces_on
from underboard.engine.view.visibility import seat_of, seen_by
from underboard.hardware.box.drivers import Box
from underboard.hardware.core.health import record_of
from underboard.web.access import SEATS, SPECTATORS, AccessRules
from underboard.web.commands import Choose, Key, Order, PageCommandReader, Refused
from underboard.web.event_stream import EventStream
from underboard.web.server import PageSite, WebServer, build_app, listen

REMEDIES = {
    errno.EADDRINUSE: "another program uses this port: choose another page.port",
    errno.EADDRNOTAVAIL: 'this computer has no such address: page.host = "0.0.0.0" means all it has',
    errno.EAFNOSUPPORT: "the service may not use the network: docs/build.md (A second screen) says how it is opened",
}

LOOK_MS = 500
"""How often it is seen which seats have an open page."""

Complain = Callable[[str], None]


class ServicePages:
    """Pages that follow a table; `show` and `step` raise nothing. A context manager."""

    def __init__(self, app: TableLoop, box: Box, game_log: GameLog, complain: Complain) -> None:
        """`complain` is called with what is wrong with the page, in the table's own thread."""
        self.url = ""
        self._problem = ""
        self._app = app
        self._box = box
        self._log = game_log
        self._complain = complain
        self._events = EventStream(seen_by, PageRecord(), asked)
        self._orders: SimpleQueue[Order] = SimpleQueue()
        self._seat_keys = SeatKeys()
        self._access_rules: AccessRules | None = None
        self._site: PageSite | None = None
        self._with_seats = False
        self._looked_at = 0  # when it was last seen which seats are taken
        self._server: WebServer | None = None
        self._failure: BaseException | None = None  # set by the server's thread
        self._pieces: Mapping[Space, str] = {}

    def open(self, host: str, port: int, names: Sequence[str] = (), secret: bytes | None = None) -> None:
        """From now on the pages are there, with a secret those of the seats, too; a port that cannot be used is complained of."""
        try:
            listener = listen(port, host)
        except OSError as error:
            self._end(f"{host}:{port}: {REMEDIES.get(error.errno or 0) or trouble(error)}")
            return
        self._with_seats = secret is not None
        self._access_rules = AccessRules(listener.getsockname()[1], host, secret, keyed=SEATS if secret else (), names=names)
        self._site = PageSite(self._events, PageCommandReader(), self._take, self._access_rules)
        self._server = WebServer(build_app(self._site, self._access_rules), listener, self._failed)
        self.url = self._access_rules.link(SPECTATORS).url
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

    def step(self, now: int) -> None:
        """Does what seats have sent, each against what the one before has made of the table; looks now and then who is there."""
        with suppress(Empty):
            while order := self._orders.get_nowait():
                if order.take() and (event := self._event(order, now)):
                    self._app.handle(event, now)
                    self.show()
        if self._with_seats and now >= self._looked_at + LOOK_MS:
            self._looked_at = now
            self._tell_who_is_there(now)

    def _event(self, order: Order, now: int) -> Event | None:
        """What a command of a seat comes to at the table; None: nothing, or nothing yet."""
        table = self._app.table
        seat = seat_of(order.audience, table.setup.game.seats(table.state))
        match order.command:
            case Key(key, down) if seat is not None:
                return self._seat_keys.take(seat, key, down, now)
            case Choose(name) if seat is not None:
                return Chosen(name, seat)
        return None

    def _tell_who_is_there(self, now: int) -> None:
        """Tells the table the codes of its seats, and whose page is open; none any more once the pages have ended."""
        table = self._app.table
        if self._server is None or self._access_rules is None or self._site is None:
            self._with_seats = False
            self._app.handle(SeatPages({}, frozenset()), now)
            return
        by_seat = dict(zip(table.setup.game.seats(table.state), SEATS, strict=False))
        codes = {seat: tuple(self._access_rules.link(access).code) for seat, access in by_seat.items()}
        taken = self._site.taken
        told = SeatPages(codes, frozenset(seat for seat, access in by_seat.items() if access.audience in taken))
        if (told.codes, told.taken) != (table.seat_codes, table.seats_taken):
            self._app.handle(told, now)

    @property
    def record(self) -> dict[str, str]:
        """Where the page is, and what is wrong with it, as JSON values."""
        return {"url": self.url, "problem": self._problem}

    def close(self) -> None:
        """Sends those who watch away."""
        self._events.close()
        if self._server:
            self._server.close()

    def __enter__(self) -> ServicePages:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, order: Order) -> None:
        """From the server's thread. Raises Refused for what is done with real tokens and cards."""
        if not isinstance(order.command, Key | Choose):
            raise Refused("Tokens stand on the board, and cards lie on its reader: nothing was done.")
        self._orders.put(order)

    def _failed(self, error: BaseException) -> None:
        self._failure = error

    def _end(self, why: str) -> None:
        self.url, self._problem = "", f"the pages are not there: {why}"
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


def trouble(error: OSError) -> str:
    """What is wrong with an address."""
    return "there is no computer of that name" if isinstance(error, socket.gaierror) else error.strerror or str(error)
