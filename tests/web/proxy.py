"""Something between a browser and a table, as networks are: it goes silent and closes nothing, holds commands back, repeats them."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from typing import Literal

PATIENCE_S = 15
CHUNK = 1 << 16
NAMED = re.compile(rb"127\.0\.0\.1:[0-9]+")
Hold = Literal["nothing", "commands", "everything"]


class Proxy:
    """Passes bytes on to a table on this computer. A context manager.

    Requests are made to name the table's own port, as if nobody were in between.
    """

    def __init__(self, port: int) -> None:
        self.answers = b""
        """All that the table has answered to commands."""
        self.repeats = 0
        """How often a command is sent once more, each time on a connection of its own."""
        self.repeated = 0
        self._table = ("127.0.0.1", port)
        self._hold: Hold = "nothing"
        self._changed = threading.Condition()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._take, daemon=True).start()

    def hold(self, what: Hold) -> None:
        """From now on this is not passed on but kept, and passed on when it is no longer held."""
        with self._changed:
            self._hold = what
            self._changed.notify_all()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.hold("nothing")
        self._listener.close()

    def _take(self) -> None:
        with suppress(OSError):  # closed
            while True:
                browser, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(browser,), daemon=True).start()

    def _connect(self, browser: socket.socket) -> None:
        with browser, suppress(OSError), socket.create_connection(self._table) as table:
            back = threading.Thread(target=self._pass_back, args=(table, browser), daemon=True)
            back.start()
            while request := self._request(browser):
                is_command = request.startswith(b"POST")
                self._wait("everything")
                if is_command:
                    self._wait("commands")
                table.sendall(request)
                for _ in range(self.repeats if is_command else 0):
                    self._repeat(request)
            back.join(PATIENCE_S)  # a browser that has given up is no news to the table: what it has sent is answered all the same

    def _request(self, browser: socket.socket) -> bytes:
        """The next bytes of a browser; a command is only passed on as a whole."""
        request = browser.recv(CHUNK)
        while request.startswith(b"POST") and not is_whole(request):
            request += browser.recv(CHUNK)
        return NAMED.sub(b"127.0.0.1:%d" % self._table[1], request) if request[:4] in (b"GET ", b"POST") else request

    def _pass_back(self, table: socket.socket, browser: socket.socket) -> None:
        with suppress(OSError):  # the browser may not wait for the answer any more
            while answer := table.recv(CHUNK):
                self.answers += answer if answer.startswith(b"HTTP") else b""
                self._wait("everything")
                browser.sendall(answer)
            browser.shutdown(socket.SHUT_WR)

    def _repeat(self, request: bytes) -> None:
        with socket.create_connection(self._table, PATIENCE_S) as table:
            table.sendall(request)
            assert table.recv(CHUNK)
        self.repeated += 1

    def _wait(self, *held: Hold) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._hold not in held)


def is_whole(request: bytes) -> bool:
    """Whether head and body are there."""
    head, blank, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: *([0-9]+)", head, re.IGNORECASE)
    return bool(blank) and length is not None and len(body) >= int(length[1])
