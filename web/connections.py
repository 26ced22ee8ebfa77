"""What one connection may cost: how many there are, how long a request may take, and how long nobody has to read an answer.

uvicorn waits for a request as long as it takes, and a computer has only so many open files; a table needs some of them itself.
"""

from __future__ import annotations

import asyncio
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from underboard.web.host_names import is_loopback

MOST_CONNECTIONS = 300
"""A crowd of spectators, with room for the seats; a third of the files that Linux lets a program open if nobody says otherwise."""
MOST_OF_ONE = 100
"""Connections of one address: thirty tabs of one browser, and all phones behind one router."""
RESERVED = 20
"""So many more for browsers on this computer, so that its own page opens whatever others do."""
REQUEST_S = 10.0
"""A request has to be there after this: its head, and then each further part of its body."""
UNREAD_MS = 10_000
"""What a browser has not taken after this is not sent any more, and its connection ends."""
IPV4_IN_IPV6 = "::ffff:"
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 10\r\nConnection: close\r\n\r\n"
    b"Too many browsers are connected. Close some, or try again in a while.\n"
)


class PageProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, within these limits. A connection that becomes a WebSocket has its own."""

    _deadline: asyncio.TimerHandle | None = None
    _is_handed_over = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Turns away what is too much."""
        super().connection_made(transport)
        if self._is_too_much():
            transport.write(FULL)
            transport.close()
        else:
            self._expect_more()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The deadline is for the whole head, and for each part of the body."""
        super().data_received(data)
        state = self.conn.their_state
        if self._is_handed_over or state is not h11.IDLE:
            self._expect_nothing()
        if not self._is_handed_over and state in (h11.IDLE, h11.SEND_BODY) and self._deadline is None:
            self._expect_more()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on `underboard.web.page_socket` says what is too long."""
        super().handle_websocket_upgrade(event)
        self._is_handed_over = True

    def _is_too_much(self) -> bool:
        if self.client is not None and is_loopback(self.client[0].removeprefix(IPV4_IN_IPV6)):
            return len(self.connections) > MOST_CONNECTIONS + RESERVED
        others = [client[0] for one in self.connections if (client := getattr(one, "client", None))]
        return len(others) > MOST_CONNECTIONS or (self.client is not None and others.count(self.client[0]) > MOST_OF_ONE)

    def _expect_more(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None


def limit_unread(listener: socket.socket) -> None:
    """Connections that this socket takes end if nobody reads what is sent; they have that from it."""
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
