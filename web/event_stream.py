"""Streams what is to be seen to any number of pages; each gets what its audience may see, and then what changes.

Everything is counted for each audience by itself, from what that audience sees, so the numbers tell it nothing else:
`state` rises with each change of what it sees, `question` when something else is asked of it. A command names the question that it
answers. Numbers are those of one `run`: another server counts anew.

A message is a JSON object:

    {"run": …, "state": …, "question": …, "news": {…}}    the first one: everything
    {"state": …, "question": …, "news": {…}}              what has changed since; `gone` are the keys that there are no longer
    {"state": …}                                          a heartbeat, when nothing else is said for HEARTBEAT_S

A page answers each with the number of its state. The next news wait for the answer to the last, so nothing piles up on the way to a
slow page: it misses what was there only in between.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Snapshot = Mapping[str, Any]
"""What one audience sees: a JSON value under each of its keys."""
R = TypeVar("R")
HEARTBEAT_S = 2.0
PACE_S = 0.05
"""From one message with news to the next; an eye sees no more, and a crowd takes no more of the processor."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What an audience sees, how often that has changed, and how often something else was asked of it."""

    snapshot: Snapshot
    state: int
    question: int


def asks_nothing(_: Snapshot) -> object:
    """For pages that nobody can answer on."""
    return None


class EventStream(Generic[R]):
    """What is to be seen now, by any number of listeners. Safe from any thread."""

    def __init__(self, view: Callable[[str, R], Snapshot], first: R, asked: Callable[[Snapshot], object] = asks_nothing) -> None:
        """`view` is what an audience gets to see of a record, `first` the record before anything is published.

        `asked` picks from a snapshot what makes a question: it is another one when that is no longer equal.
        """
        self._view = view
        self._asked = asked
        self._latest = first
        self._closed = False
        self._lock = threading.Lock()
        self._sights: dict[str, Sight] = {}
        self._messages: dict[tuple[str, int, int], str] = {}
        self._listeners: dict[asyncio.AbstractEventLoop, set[asyncio.Event]] = {}
        self.run = secrets.token_hex(4)

    def seen(self, audience: str) -> Snapshot:
        """What an audience sees now."""
        return self.sight(audience).snapshot

    def sight(self, audience: str) -> Sight:
        """What an audience sees now, with its numbers."""
        with self._lock:
            if audience not in self._sights:
                self._sights[audience] = Sight(self._view(audience, self._latest), 1, 1)
            return self._sights[audience]

    def is_asked(self, audience: str, run: str, question: int) -> bool:
        """Whether this is what an audience is asked now."""
        return run == self.run and question == self.sight(audience).question

    def publish(self, record: R) -> None:
        """From now on this is to be seen. Its values must not change afterwards."""
        with self._lock:
            self._latest = record
            self._messages.clear()
            for audience, sight in self._sights.items():
                self._sights[audience] = self._next(sight, self._view(audience, record))
        self._wake()

    def close(self) -> None:
        """Ends all streams."""
        self._closed = True
        self._wake()

    def _next(self, before: Sight, snapshot: Snapshot) -> Sight:
        if snapshot == before.snapshot:
            return before
        is_new = self._asked(snapshot) != self._asked(before.snapshot)
        return Sight(snapshot, before.state + 1, before.question + is_new)

    def _wake(self) -> None:
        with self._lock:
            for loop, events in self._listeners.items():
                with suppress(RuntimeError):  # a server that has ended by an error hears nothing any more
                    loop.call_soon_threadsafe(set_all, events)

    def message(self, audience: str, before: Sight | None, now: Sight) -> str:
        """What an audience that saw `before` is told of `now`; None: it has seen nothing. Listeners in step share it."""
        key = (audience, before.state if before else 0, now.state)
        text = self._messages.get(key)
        if text is None:
            known: Snapshot = before.snapshot if before else {}
            news = {name: value for name, value in now.snapshot.items() if name not in known or known[name] != value}
            gone = [name for name in known if name not in now.snapshot]
            head = {} if before else {"run": self.run}
            text = compact({**head, "state": now.state, "question": now.question, "news": news, **({"gone": gone} if gone else {})})
            self._messages[key] = text
        return text

    @contextmanager
    def waking(self, event: asyncio.Event) -> Iterator[None]:
        """Sets this event of the running loop whenever something was published or the stream was closed."""
        with self._lock:
            events = self._listeners.setdefault(asyncio.get_running_loop(), set())
            events.add(event)
        try:
            yield
        finally:
            with self._lock:
                events.discard(event)

    @property
    def closed(self) -> bool:
        """Whether all streams have ended."""
        return self._closed


class Listener(Generic[R]):
    """One page that follows a stream, from one loop."""

    def __init__(self, events: EventStream[R], audience: str) -> None:
        self._events = events
        self._audience = audience
        self._changed = asyncio.Event()
        self._has = 0

    def answered(self, state: int) -> None:
        """The page has this state."""
        self._has = state
        self._changed.set()

    async def messages(self) -> AsyncGenerator[str, None]:
        """All that the page is to be sent, until the stream is closed."""
        now_s = asyncio.get_running_loop().time
        sent: Sight | None = None
        beat_s = now_s() + HEARTBEAT_S
        with self._events.waking(self._changed):
            while not self._events.closed:
                self._changed.clear()
                sight = self._events.sight(self._audience)
                if sight is not sent and (sent is None or self._has >= sent.state):
                    yield self._events.message(self._audience, sent, sight)
                    sent, beat_s = sight, now_s() + HEARTBEAT_S
                    await asyncio.sleep(PACE_S)
                elif not await is_set_before(self._changed, beat_s):
                    yield compact({"state": sent.state if sent else 0})
                    beat_s = now_s() + HEARTBEAT_S


async def is_set_before(event: asyncio.Event, at_s: float) -> bool:
    """Waits for an event until a time of the running loop; whether it came."""
    try:
        async with asyncio.timeout_at(at_s):
            await event.wait()
    except TimeoutError:
        return False
    return True


def set_all(events: set[asyncio.Event]) -> None:
    """Wakes whoever waits for one of these events."""
    for event in events:
        event.set()


def compact(value: object) -> str:
    """A JSON value without a blank too many."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
