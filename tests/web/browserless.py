"""A page without a browser: it follows a table and sends commands as `web/page/connection.js` does."""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

import websocket

PATIENCE_S = 10


class Follower:
    """One listener to the stream of a running server; a context manager."""

    def __init__(self, port: int, key: str = "", host: str | None = None, origin: str | None = None, browser: str = "") -> None:
        """With the `key` of an access, "" for the table on this computer; `host` is what the server is called, `origin` who asks.

        `browser` is what a cookie calls the browser, "" without one.
        """
        self.seen: dict[str, Any] = {}
        self._browser = browser
        self._name, self._run, self._question, self._number = secrets.token_hex(8), "", 0, 0
        self._place = f"http://127.0.0.1:{port}/{key + '/' if key else ''}"
        url = f"ws://127.0.0.1:{port}/{key + '/' if key else ''}events"
        self._socket = websocket.create_connection(
            url, timeout=PATIENCE_S, host=host, origin=origin, cookie=f"browser={browser}" if browser else None
        )

    def message(self) -> dict[str, Any] | None:
        """The next message, answered; None at the end of the stream."""
        try:
            text = self._socket.recv()
        except websocket.WebSocketConnectionClosedException:
            return None
        if not text:
            return None
        message: dict[str, Any] = json.loads(text)
        self._socket.send(str(message["state"]))
        self.seen |= message.get("news", {})
        self._run, self._question = message.get("run", self._run), message.get("question", self._question)
        return message

    def news(self) -> dict[str, Any] | None:
        """What the next message that is no heartbeat tells; None at the end of the stream."""
        while (message := self.message()) is not None:
            if "news" in message:
                return dict(message["news"])
        return None

    def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """What is to be seen once it is as wanted."""
        while not (self.seen and holds(self.seen)):
            assert self.message() is not None, "the table has gone"
        return self.seen

    def order(self, command: Mapping[str, Any], **changes: Any) -> bytes:
        """What the page sends for a command, as an answer to what it shows now; `changes` are made to that."""
        self._number += 1
        sent = {"run": self._run, "question": self._question, "page": self._name, "number": self._number, "command": command}
        return json.dumps({**sent, **changes}).encode()

    def do(self, command: Mapping[str, Any], **changes: Any) -> tuple[int, str]:
        """Sends a command; status and text of the answer."""
        return self.post(self.order(command, **changes))

    def post(self, content: bytes) -> tuple[int, str]:
        """Sends a command that is written already."""
        return post(self._place + "do", content, self._browser)

    def close(self) -> None:
        self._socket.close()
        # `close` leaves the socket open where the other side has closed first.
        self._socket.shutdown()  # type: ignore[no-untyped-call]

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def post(url: str, content: bytes, browser: str = "") -> tuple[int, str]:
    """Sends something; status and text of the answer."""
    cookie = {"Cookie": f"browser={browser}"} if browser else {}
    request = urllib.request.Request(url, content, {"Content-Type": "application/json", **cookie})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


def look(port: int, key: str = "", browser: str = "") -> dict[str, Any]:
    """All that is to be seen now."""
    with Follower(port, key, browser=browser) as page:
        return page.until(lambda _: True)
