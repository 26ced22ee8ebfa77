"""Streams what is to be seen to any number of pages; each gets what its audience may see, and then what changes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, Generic, TypeVar

Snapshot = Mapping[str, Any]
"""What one audience sees: a JSON value under each of its keys."""
R = TypeVar("R")


class EventStream(Generic[R]):
    """What is to be seen now, by any number of listeners. Safe from any thread."""

    def __init__(self, view: Callable[[str, R], Snapshot], first: R) -> None:
        """`view` is what an audience gets to see of a record, `first` the record before anything is published."""
        self._view = view
        self._latest = first
        self._closed = False
        self._lock = threading.Lock()
        self._listeners: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def seen(self, audience: str) -> Snapshot:
        """What an audience sees now."""
        return self._view(audience, self._latest)

    def publish(self, record: R) -> None:
        """From now on this is to be seen. Its values must not change afterwards."""
        self._latest = record
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

    async def changes(self, audience: str) -> AsyncIterator[Snapshot]:
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
                latest = self.seen(audience)
                news = {key: value for key, value in latest.items() if key not in sent or sent[key] != value}
                if news:
                    yield news
                    sent = latest
                await listener[1].wait()
        finally:
            with self._lock:
                self._listeners.discard(listener)
