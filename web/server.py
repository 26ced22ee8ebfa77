"""The server of the page, of a live table on a laptop and of a service alike.

The WebSocket `events` streams what is to be seen (`underboard.web.event_stream`): a browser opens as many as it has tabs, while it has
only six connections for everything else. `POST do` takes one command. `POST ask` answers what the start page wants to know. Commands
are only read here and handed on, the stream is only fed; both are safe from other threads. All of it is there at each address that
leads in (`underboard.web.access`). Whoever is not addressed by our own name, or comes from another page, is turned away: other pages
in the same browser could otherwise reach us.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import resources
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from underboard.web.access import SPECTATORS, WATCH, Access, AccessRules
from underboard.web.commands import (
    OF_HANDS,
    BadCommand,
    GameHasEnded,
    NotYourTurn,
    Order,
    PageCommandReader,
    Refused,
    SeatTaken,
    SentCommand,
    Stale,
    UnknownLink,
    json_object,
    needs_no_question,
    read_sent,
)
from underboard.web.connections import PageProtocol, limit_unread
from underboard.web.event_stream import EventStream, Listener
from underboard.web.guesses import GuessLimit, KeyGuard
from underboard.web.host_names import LOOPBACK
from underboard.web.page_socket import follow
from underboard.web.playback_stream import PlaybackStream
from underboard.web.repeats import CommandsDone
from underboard.web.seat_holders import SeatHolders, browser_of, name_browser

LONGEST_COMMAND = 8_000
LONGEST_ANSWER = 100
"""Bytes of what a page says to a heartbeat."""
TABLE_S = 4.0
"""How long a command waits for the table, which may be writing to a slow disk."""
MOST_SPECTATORS = 220
"""Fewer than connections, so that seats always find room."""
TAKEN = 4409
"""The code with which a stream is closed for a seat that another browser holds."""
TAKEN_AGAIN_S = 5
"""How soon a browser asks again for such a seat."""
HEAD, HEAD_MARK = "head.html", b"  <!-- head -->\n"
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

FOREIGN_NAME = "This computer does not know itself by the name in this address. It is to be found at\n"

Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Answers a question of the start page; raises BadCommand for one that is none."""


class OnlyOurs:
    """Turns away requests that are not addressed to us or come from another page."""

    def __init__(self, app: ASGIApp, access_rules: AccessRules) -> None:
        self._app = app
        self._rules = access_rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host")
        if not self._rules.expects(host):
            await self._rules.after_looking_again()
        if not self._rules.expects(host):
            await PlainTextResponse(FOREIGN_NAME + "\n".join(self._rules.addresses) + "\n", 403)(scope, receive, send)
        elif not self._rules.is_own_page(host, headers.get("origin")):
            await PlainTextResponse("This page is not to be asked from another page.\n", 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def no_questions(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """For a page that has nothing to ask."""
    raise BadCommand("there is nothing to be asked here")


class PageSite:
    """What is answered at each address that leads in."""

    def __init__(
        self,
        feed: EventStream[Any],
        reader: PageCommandReader,
        do: Callable[[Order], None],
        access_rules: AccessRules,
        ask: Ask = no_questions,
        playbacks: PlaybackStream | None = None,
    ) -> None:
        """`do` and `ask` are called from the server's thread; `do` may raise Refused, and sees to it that the order is taken.

        Without `playbacks` nobody can look back.
        """
        self._feed = feed
        self._reader = reader
        self._do = do
        self._rules = access_rules
        self._ask = ask
        self._playbacks = playbacks
        self._files = dict(page_files())
        self._spectators = 0
        self._holders = SeatHolders()
        self._done = CommandsDone()

    @property
    def taken(self) -> frozenset[str]:
        """The audiences that somebody follows now; may be asked by any thread."""
        return self._holders.taken

    def routes(self) -> Iterable[BaseRoute]:
        """Everything with and without the key of an access before it."""
        for before in ("", "/{key}"):
            yield WebSocketRoute(f"{before}/events", self._events)
            yield Route(f"{before}/events", self._no_stream)
            yield Route(f"{before}/do", self._command, methods=["POST"])
            yield Route(f"{before}/ask", self._question, methods=["POST"])
            yield Route(f"{before}/playback", self._playback, methods=["GET", "POST"])
            yield Route(f"{before}/", self._page)
            if not before:
                yield Route("/health", self._health)
                for name in self._files:
                    yield Route(f"/{name}", self._file)
            else:
                yield Route("/{key}/{file}", self._file)

    def _access(self, connection: HTTPConnection) -> Access | None:
        return self._rules.find(connection.path_params.get("key", ""))

    def _is_taken(self, access: Access, connection: HTTPConnection) -> bool:
        return access.right == "hands" and self._holders.is_taken(access.audience, browser_of(connection))

    async def _page(self, request: Request) -> Response:
        access = self._access(request)
        if access is None:
            return self._sentence(UnknownLink()) if "key" in request.path_params else RedirectResponse(f"/{WATCH}/", 303)
        if self._is_taken(access, request):
            return self._sentence(SeatTaken(), {"Refresh": str(TAKEN_AGAIN_S)})
        self._rules.look_again()
        page = Response(self._files["index.html"], media_type=TYPES["html"], headers=HEADERS)
        if access.right == "hands" and not browser_of(request):
            name_browser(page)
        return page

    def _sentence(self, error: BadCommand, more: Mapping[str, str] | None = None) -> Response:
        """Why there is no page, in the language of the table."""
        labels = self._feed.seen(SPECTATORS.audience).get("labels", {})
        return PlainTextResponse(f"{labels.get(error.label, error)}\n", error.status, headers={**HEADERS, **(more or {})})

    async def _file(self, request: Request) -> Response:
        name = request.path_params.get("file", request.url.path[1:])
        if name not in self._files or ("key" in request.path_params and self._access(request) is None):
            return nothing_here()
        return Response(self._files[name], media_type=TYPES[name.rpartition(".")[2]], headers=HEADERS)

    async def _events(self, page: WebSocket) -> None:
        access = self._access(page)
        if access is None:
            await page.send_denial_response(self._sentence(UnknownLink()))
        elif access.right == "none" and self._spectators >= MOST_SPECTATORS:
            await page.send_denial_response(PlainTextResponse("Too many are watching already.\n", 503))
        else:
            await self._follow(page, access)

    async def _follow(self, page: WebSocket, access: Access) -> None:
        self._spectators += access.right == "none"
        try:
            await page.accept()
            if self._is_taken(access, page):
                await page.close(TAKEN)
                return
            with self._holders.following(access.audience, browser_of(page)):
                await follow(Listener(self._feed, access.audience), page)
        finally:
            self._spectators -= access.right == "none"

    async def _no_stream(self, request: Request) -> Response:
        if self._access(request) is None:
            return self._sentence(UnknownLink())
        return PlainTextResponse("This is the stream of the page, a WebSocket. A proxy on the way has to let it through.\n", 426)

    async def _health(self, _: Request) -> Response:
        return JSONResponse(self._feed.seen(SPECTATORS.audience).get("health", []), headers=HEADERS)

    async def _command(self, request: Request) -> Response:
        access = self._access(request)
        if access is None and "key" in request.path_params:
            return refusal(UnknownLink())
        if access is None or access.right == "none":
            return PlainTextResponse("Here one can only look.\n", 403)
        if self._is_taken(access, request):
            return refusal(SeatTaken())
        try:
            sent = read_sent(await body(request))
            return await self._done.once((access.audience, sent.page), sent.number, partial(self._carry_out, access, sent))
        except BadCommand as error:
            return refusal(error)

    async def _carry_out(self, access: Access, sent: SentCommand) -> Response:
        try:
            order = self._order(access, sent)
            if access.right != "all" and not isinstance(order.command, OF_HANDS):
                return PlainTextResponse("This is for the table's own page.\n", 403)
            self._do(order)
            return await outcome_of(order)
        except BadCommand as error:
            return refusal(error)

    def _order(self, access: Access, sent: SentCommand) -> Order:
        """The command, if it can be understood and is asked for. Raises BadCommand."""
        is_asked = partial(self._feed.is_asked, access.audience, sent.run, sent.question)
        try:
            order = Order(self._reader.read(sent.command), is_asked, audience=access.audience)
        except BadCommand:
            if not is_asked():
                raise Stale from None  # it may name what there was then
            raise
        if not (needs_no_question(order.command) or is_asked()):
            raise Stale
        seen = self._feed.seen(access.audience)
        if access.right == "hands" and not (needs_no_question(order.command) or seen.get("may_act")):
            raise GameHasEnded if seen.get("phase") == "over" else NotYourTurn
        return order

    async def _question(self, request: Request) -> Response:
        access = self._access(request)
        if access is None or access.right != "all":
            return PlainTextResponse("This is for the table's own page.\n", 403)
        try:
            return JSONResponse(self._ask(json_object(await body(request))), headers=HEADERS)
        except BadCommand as error:
            return refusal(error)

    async def _playback(self, request: Request) -> Response:
        access = self._access(request)
        if self._playbacks is None or access is None or access.right != "all":
            return PlainTextResponse("This is for the table's own page.\n", 403)
        return await self._playbacks.answer(request)


def file_route(path: str, name: str, content: bytes) -> Route:
    """Answers a file of the page there."""

    async def file(_: Request) -> Response:
        return Response(content, media_type=TYPES[name.rpartition(".")[2]], headers=HEADERS)

    return Route(path, file)


def nothing_here() -> Response:
    """For an address that leads nowhere."""
    return PlainTextResponse("There is nothing here.\n", 404)


def refusal(error: BadCommand) -> Response:
    """Why a command is not carried out."""
    field = error.field if isinstance(error, Refused) else ""
    return JSONResponse({"text": str(error), "field": field, "label": error.label}, error.status, headers=HEADERS)


async def outcome_of(order: Order) -> Response:
    """Waits until a command is taken; one that the table has no time for is given up, and never done. Raises Stale."""
    try:
        await asyncio.wait_for(asyncio.wrap_future(order.outcome), TABLE_S)
    except TimeoutError:
        if order.outcome.cancelled():
            return PlainTextResponse("The table is busy: nothing was done.\n", 503, headers=HEADERS)
    return Response(status_code=204)


def build_app(site: PageSite, access_rules: AccessRules, limit: GuessLimit | None = None) -> Starlette:
    """The page with all that belongs to it; `limit` is on wrong keys."""
    guards = [Middleware(OnlyOurs, access_rules=access_rules), Middleware(KeyGuard, access_rules=access_rules, limit=limit)]
    return Starlette(routes=[*site.routes()], middleware=guards)


async def body(request: Request) -> bytes:
    """The body of a request; raises BadCommand if it is longer than any command."""
    text = b""
    try:
        async for chunk in request.stream():
            text += chunk
            if len(text) > LONGEST_COMMAND:
                raise BadCommand(f"a command has at most {LONGEST_COMMAND} bytes")
    except ClientDisconnect:
        raise BadCommand("the rest of the command did not come") from None
    return text


def page_files() -> Iterable[tuple[str, bytes]]:
    """The files of the page by name; what the heads of all pages share is put into each."""
    folder = resources.files("underboard.web") / "page"
    head = (folder / HEAD).read_bytes()
    for file in folder.iterdir():
        if file.name != HEAD and file.name.rpartition(".")[2] in TYPES:
            yield file.name, file.read_bytes().replace(HEAD_MARK, head)


def listen(port: int, host: str = LOOPBACK) -> socket.socket:
    """A socket on this port, on any free one for 0, that takes connections. Raises OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        limit_unread(listener)
        listener.bind(address)
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener


class WebServer:
    """Serves an app in a thread of its own; `failed` is called if it ends by an error."""

    def __init__(self, app: ASGIApp, listener: socket.socket, failed: Callable[[BaseException], None]) -> None:
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=PageProtocol,
            ws="wsproto",
            ws_max_size=LONGEST_ANSWER,
            ws_ping_interval=None,  # pages answer heartbeats themselves, so that one that is frozen does not
            ws_per_message_deflate=False,  # for a crowd it costs more time and memory than a home network saves
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._listener = listener
        self._failed = failed
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    def start(self) -> None:
        """From now on requests are answered; those that came before have waited."""
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._server.run(sockets=[self._listener])
        except BaseException as error:
            self._failed(error)
        finally:
            self._listener.close()

    def stop(self) -> None:
        """Takes no more requests; waits for nothing."""
        self._server.should_exit = True
        if self._thread.ident is None:
            self._listener.close()

    def close(self) -> None:
        """Takes no more requests, and waits a moment for those under way; streams have to be closed before."""
        self.stop()
        if self._thread.ident is not None:
            self._thread.join(2)
