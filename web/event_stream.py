"""What is to be seen on the page, for any number of listeners, each of whom sees what their place lets them see."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any

Snapshot = Mapping[str, Any]
View = Callable[[str, Snapshot], Snapshot]
"""What an audience gets to see of a snapshot."""


def all_of_it(audience: str, snapshot: Snapshot) -> Snapshot:
    """A view that keeps nothing back."""
    return snapshot


class EventStream:
    """What is to be seen now, a JSON value under each of its keys. Safe from any thread."""

    def __init__(self, view: View = all_of_it) -> None:
        self._view = view
        self._latest: Snapshot = {}
        self._closed = False
        self._lock = threading.Lock()
        self._listeners: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def latest(self) -> Snapshot:
        """All that is to be seen now."""
        return self._latest

    def publish(self, snapshot: Snapshot) -> None:
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
                with suppress(RuntimeError):  # a server that has ended by an error hears nothing any more
                    loop.call_soon_threadsafe(event.set)

    async def changes(self, audience: str = "") -> AsyncIterator[Snapshot]:
        """Everything that `audience` may see, then each time what differs from the last time.

        A slow listener misses what was there only in between.
        """
        listener = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._listeners.add(listener)
        sent: Snapshot = {}
        try:
            while not self._closed:
                listener[1].clear()
                latest = self._view(audience, self._latest)
                news = {key: value for key, value in latest.items() if key not in sent or sent[key] != value}
                if news:
                    yield news
                    sent = latest
                await listener[1].wait()
        finally:
            with self._lock:
                self._listeners.discard(listener)
