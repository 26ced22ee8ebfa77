"""What one connection may cost, in virtual time and without a network: time for a request, and how many there are."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from tests.web.virtual_loop import run
from underboard.web.connections import MOST_CONNECTIONS, MOST_OF_ONE, REQUEST_S, RESERVED, UNREAD_MS, PageProtocol
from underboard.web.server import listen

HEAD = b"POST /do HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"


UPGRADE = (
    b"GET /events HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Wire(asyncio.Transport):
    """A connection from an address; what becomes of it is kept."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.sent = b""
        self.ended_at: float | None = None
        self.how = ""

    def write(self, data: Any) -> None:
        self.sent += data

    def close(self) -> None:
        self._end("closed")

    def abort(self) -> None:
        self._end("aborted")

    def _end(self, how: str) -> None:
        if not self.how:
            self.ended_at, self.how = asyncio.get_running_loop().time(), how

    def is_closing(self) -> bool:
        return bool(self.how)

    def pause_reading(self) -> None:
        """Nothing comes by itself."""

    def resume_reading(self) -> None:
        """Nothing comes by itself."""

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Whoever plays the browser has the protocol anyway."""


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers when the whole body is there; a WebSocket is accepted and kept."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        await asyncio.sleep(3600)
        return
    while (await receive()).get("more_body"):
        pass
    await PlainTextResponse("thanks")(scope, receive, send)


class Door:
    """A server without a network."""

    def __init__(self) -> None:
        self.config = uvicorn.Config(echo, log_config=None, ws="wsproto", ws_ping_interval=None, lifespan="off")
        self.config.load()
        self.state = ServerState()

    def connect(self, address: str = "10.0.0.9") -> tuple[PageProtocol, Wire]:
        wire = Wire(address)
        protocol = PageProtocol(self.config, self.state, {}, asyncio.get_running_loop())
        protocol.connection_made(wire)
        return protocol, wire


def played(scenario: Callable[[Door], Coroutine[Any, Any, None]]) -> None:
    """A scenario in virtual time."""

    async def main() -> None:
        await scenario(Door())

    run(main())


def test_who_says_nothing_is_cut_off() -> None:
    async def scenario(door: Door) -> None:
        _, wire = door.connect()
        await asyncio.sleep(100)
        assert (wire.how, wire.ended_at) == ("aborted", REQUEST_S)

    played(scenario)


def test_a_head_that_trickles_in_has_no_more_time_than_another() -> None:
    async def scenario(door: Door) -> None:
        protocol, wire = door.connect()
        for byte in HEAD[:20]:
            await asyncio.sleep(1)
            if not wire.is_closing():
                protocol.data_received(bytes([byte]))
        assert (wire.how, wire.ended_at) == ("aborted", REQUEST_S)

    played(scenario)


def test_a_body_has_time_as_long_as_something_comes() -> None:
    async def scenario(door: Door) -> None:
        protocol, wire = door.connect()
        protocol.data_received(HEAD)
        for _ in range(4):
            await asyncio.sleep(REQUEST_S - 1)
            protocol.data_received(b"x")
        await asyncio.sleep(1)
        assert b"200 OK" in wire.sent
        assert not wire.how

    played(scenario)


def test_a_body_that_does_not_come_ends_the_connection() -> None:
    async def scenario(door: Door) -> None:
        protocol, wire = door.connect()
        protocol.data_received(HEAD + b"xx")
        await asyncio.sleep(100)
        assert (wire.how, wire.ended_at) == ("aborted", REQUEST_S)
        protocol.connection_lost(None)

    played(scenario)


def test_a_next_request_that_is_only_begun_is_not_waited_for() -> None:
    async def scenario(door: Door) -> None:
        protocol, wire = door.connect()
        protocol.data_received(HEAD + b"xxxx")
        await asyncio.sleep(1)
        assert b"200 OK" in wire.sent
        protocol.data_received(b"G")
        await asyncio.sleep(100)
        assert (wire.how, wire.ended_at) == ("aborted", 1 + REQUEST_S)

    played(scenario)


def test_a_websocket_is_no_request_that_takes_too_long() -> None:
    async def scenario(door: Door) -> None:
        protocol, wire = door.connect()
        protocol.data_received(UPGRADE)
        await asyncio.sleep(1_000)
        assert wire.sent.startswith(b"HTTP/1.1 101 ")
        assert not wire.how
        await asyncio.sleep(3_000)
        assert wire.ended_at == 3600

    played(scenario)


def test_one_address_has_no_more_connections_than_it_needs() -> None:
    async def scenario(door: Door) -> None:
        wires = [door.connect()[1] for _ in range(MOST_OF_ONE + 1)]
        assert [wire.how for wire in wires] == [""] * MOST_OF_ONE + ["closed"]
        assert wires[-1].sent.startswith(b"HTTP/1.1 503 ")
        assert door.connect("10.0.0.8")[1].how == ""

    played(scenario)


@pytest.mark.parametrize("own", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_a_crowd_leaves_room_for_this_computer(own: str) -> None:
    async def scenario(door: Door) -> None:
        crowd = [door.connect(f"10.0.{number // 250}.{number % 250}")[1] for number in range(MOST_CONNECTIONS + 1)]
        assert [wire.how for wire in crowd] == [""] * MOST_CONNECTIONS + ["closed"]
        # the one that was turned away counts until it has been told
        assert [door.connect(own)[1].how for _ in range(RESERVED)] == [""] * (RESERVED - 1) + ["closed"]

    played(scenario)


def test_what_nobody_reads_is_given_up() -> None:
    with listen(0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNREAD_MS
