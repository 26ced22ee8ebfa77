"""The page of a simulated table, for browsers on this computer only.

`GET /events` streams what is to be seen: a first event with everything, then one for each change with what changed.
`POST /do` takes one command of a hand. Commands are only read here and handed on, the stream is only fed; both are safe
from other threads. Whoever is not addressed by our own name, or comes from another page, is turned away: other pages
in the same browser could otherwise reach us.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hardware.wiring import KEY_NAMES

HOST = "127.0.0.1"
NAMES = (HOST, "localhost", "[::1]")
LONGEST_COMMAND = 2_000
RETRY_MS = 500
"""How soon a browser that lost the stream asks again."""
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class BadCommand(ValueError):
    """A command that cannot be understood; the text says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A token of some kind is put on a space."""

    space: str
    token: str


@dataclass(frozen=True, slots=True)
class Lift:
    """The token on a space is taken off."""

    space: str


@dataclass(frozen=True, slots=True)
class Move:
    """A token is taken from one space to another."""

    space: str
    to: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key is pressed down or let go."""

    key: str
    down: bool


@dataclass(frozen=True, slots=True)
class Choose:
    """The keys are pressed until something is chosen."""

    name: str


@dataclass(frozen=True, slots=True)
class Break:
    """A part of the box breaks or is repaired; `fault` is as the table reads it from its words."""

    fault: Any


@dataclass(frozen=True, slots=True)
class Repair:
    """Everything that is broken is repaired."""


@dataclass(frozen=True, slots=True)
class Power:
    """The power is cut, or comes back."""

    on: bool


Command = Place | Lift | Move | Key | Choose | Break | Repair | Power


def no_faults(text: str) -> Any:
    """For a table where nothing can be broken."""
    raise ValueError("there is nothing to be broken here")


class CommandReader:
    """Reads commands for a table with these spaces and kinds of tokens; `read_fault` makes a fault of its words, or raises ValueError."""

    def __init__(self, spaces: Collection[str], tokens: Collection[str], read_fault: Callable[[str], Any] = no_faults) -> None:
        self._read_fault = read_fault
        self._words: Mapping[str, Collection[str]] = {"space": spaces, "to": spaces, "token": tokens, "key": KEY_NAMES}
        self._verbs: Mapping[str, tuple[Callable[..., Command], tuple[str, ...]]] = {
            "place": (Place, ("space", "token")),
            "lift": (Lift, ("space",)),
            "move": (Move, ("space", "to")),
            "key": (Key, ("key", "down")),
            "choose": (Choose, ("name",)),
            "fault": (Break, ("fault",)),
            "repair": (Repair, ()),
            "power": (Power, ("on",)),
        }

    def read(self, text: bytes) -> Command:
        """A command from its JSON; raises BadCommand."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise BadCommand("this is no JSON") from None
        if not isinstance(value, dict):
            raise BadCommand("a command is a JSON object")
        verb = value.pop("do", None)
        if not isinstance(verb, str) or verb not in self._verbs:
            raise BadCommand(f"'do' has to be one of {', '.join(self._verbs)}")
        make, keys = self._verbs[verb]
        if value.keys() != set(keys):
            raise BadCommand(f"'{verb}' takes {', '.join(keys) or 'nothing'}")
        return make(**{key: self._checked(key, value[key]) for key in keys})

    def _checked(self, key: str, value: Any) -> Any:
        if key in ("down", "on"):
            if not isinstance(value, bool):
                raise BadCommand(f"'{key}' is true or false")
        elif not isinstance(value, str):
            raise BadCommand(f"'{key}' is a text")
        elif key in self._words and value not in self._words[key]:
            raise BadCommand(f"there is no {'space' if key == 'to' else key} '{value[:40]}'")
        elif key == "fault":
            return self._fault(value)
        return value

    def _fault(self, text: str) -> Any:
        try:
            return self._read_fault(text)
        except ValueError as error:
            raise BadCommand(str(error)) from None


class Feed:
    """What is to be seen now, a JSON value under each of its keys, for any number of listeners."""

    def __init__(self) -> None:
        self._latest: Mapping[str, Any] = {}
        self._closed = False
        self._lock = threading.Lock()
        self._listeners: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def latest(self) -> Mapping[str, Any]:
        """What is to be seen now."""
        return self._latest

    def publish(self, snapshot: Mapping[str, Any]) -> None:
        """From now on this is to be seen. The values must not change afterwards."""
        self._latest = snapshot
        self._wake()

    def close(self) -> None:
        """Ends all streams."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            for loop, event in self._listeners:
                loop.call_soon_threadsafe(event.set)

    async def changes(self) -> AsyncIterator[Mapping[str, Any]]:
        """Everything, then each time what differs from the last time; a slow listener misses what was there only in between."""
        listener = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._listeners.add(listener)
        sent: Mapping[str, Any] = {}
        try:
            while not self._closed:
                listener[1].clear()
                latest = self._latest
                news = {key: value for key, value in latest.items() if key not in sent or sent[key] != value}
                if news:
                    yield news
                    sent = latest
                await listener[1].wait()
        finally:
            with self._lock:
                self._listeners.discard(listener)


class OnlyOurs:
    """Turns away requests that do not come from this computer's own page."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in NAMES} | (set(NAMES) if port == 80 else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._ours(Request(scope)):
            await PlainTextResponse("This table is for this computer only.\n", 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _ours(self, request: Request) -> bool:
        origin = request.headers.get("origin")
        return request.headers.get("host") in self._hosts and (origin is None or origin in {f"http://{host}" for host in self._hosts})


def build_app(feed: Feed, reader: CommandReader, do: Callable[[Command], None], port: int) -> Starlette:
    """The page, its events and its commands; `do` is called from the server's thread."""

    async def events(_: Request) -> Response:
        return StreamingResponse(event_lines(feed), media_type="text/event-stream", headers=HEADERS)

    async def health(_: Request) -> Response:
        return JSONResponse(feed.latest.get("health", []), headers=HEADERS)

    async def command(request: Request) -> Response:
        try:
            do(reader.read(await body(request)))
        except BadCommand as error:
            return PlainTextResponse(f"{error}\n", 400)
        return Response(status_code=204)

    routes = [Route("/events", events), Route("/health", health), Route("/do", command, methods=["POST"]), *page_routes()]
    return Starlette(routes=routes, middleware=[Middleware(OnlyOurs, port=port)])


async def event_lines(feed: Feed) -> AsyncIterator[str]:
    """The feed as server-sent events."""
    yield f"retry: {RETRY_MS}\n\n"
    async for news in feed.changes():
        yield f"data: {json.dumps(news, ensure_ascii=False, separators=(',', ':'))}\n\n"


async def body(request: Request) -> bytes:
    """The body of a request; raises BadCommand if it is longer than any command."""
    text = b""
    async for chunk in request.stream():
        text += chunk
        if len(text) > LONGEST_COMMAND:
            raise BadCommand(f"a command has at most {LONGEST_COMMAND} bytes")
    return text


def page_routes() -> Iterator[Route]:
    """The files of the page."""
    for file in (resources.files("hardware.simulator") / "page").iterdir():
        kind = TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            yield Route("/" if file.name == "index.html" else f"/{file.name}", static(file.read_bytes(), kind))


def static(content: bytes, kind: str) -> Callable[[Request], Response]:
    """An endpoint that answers a file."""
    return lambda _: Response(content, media_type=kind, headers=HEADERS)


def listen(port: int) -> socket.socket:
    """A socket on this port, on any free one for 0, that takes connections. Raises OSError."""
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener


class WebServer:
    """Serves an app in a thread of its own; `failed` is called if it ends by an error."""

    def __init__(self, app: ASGIApp, listener: socket.socket, failed: Callable[[BaseException], None]) -> None:
        config = uvicorn.Config(
            app, loop="asyncio", http="h11", ws="none", lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._listener = listener
        self._failed = failed
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._server.run(sockets=[self._listener])
        except BaseException as error:
            self._failed(error)

    def close(self) -> None:
        """Takes no more requests, and waits a moment for those under way; streams have to be closed before."""
        self._server.should_exit = True
        self._thread.join(2)
