"""The connection of one page in virtual time: who is silent is dropped, who goes away is forgotten."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from starlette.websockets import WebSocketDisconnect

from tests.web.virtual_loop import run
from underboard.web.event_stream import HEARTBEAT_S, EventStream, Listener
from underboard.web.page_socket import SILENCE_S, follow


class Page:
    """A page at the other end: `answer` makes of each message what it says, None if it is silent."""

    def __init__(self, answer: Callable[[str], str | None]) -> None:
        self.received: list[str] = []
        self._answer = answer
        self._said: asyncio.Queue[str | None] = asyncio.Queue()

    async def send_text(self, data: str) -> None:
        self.received.append(data)
        if (answer := self._answer(data)) is not None:
            self._said.put_nowait(answer)

    async def receive_text(self) -> str:
        said = await self._said.get()
        if said == "bye":
            raise WebSocketDisconnect
        return said or ""


def state_of(message: str) -> str:
    """What an honest page answers."""
    return str(json.loads(message)["state"])


def stream() -> EventStream[dict[str, int]]:
    return EventStream(lambda _, record: record, {"n": 0})


async def follow_until_the_end(events: EventStream[dict[str, int]], page: Page) -> float:
    """When the connection ends."""
    await follow(Listener(events, "watch"), page)
    await asyncio.sleep(0)
    return asyncio.get_running_loop().time()


def test_a_page_that_sleeps_is_dropped() -> None:
    awake = iter(["1", "1", "1"])
    page = Page(lambda _: next(awake, None))
    assert run(follow_until_the_end(stream(), page)) == pytest.approx(2 * HEARTBEAT_S + SILENCE_S)


def test_a_page_that_never_said_anything_is_dropped() -> None:
    page = Page(lambda _: None)
    assert run(follow_until_the_end(stream(), page)) == SILENCE_S
    assert json.loads(page.received[-1]) == {"state": 1}


def test_a_page_that_answers_stays_until_the_stream_ends() -> None:
    async def scenario() -> float:
        events = stream()
        asyncio.get_running_loop().call_later(3600, events.close)
        return await follow_until_the_end(events, Page(state_of))

    assert run(scenario()) == 3600


def test_a_page_that_does_not_read_is_dropped() -> None:
    class Stuck(Page):
        async def send_text(self, data: str) -> None:
            await asyncio.sleep(1e9)

    assert run(follow_until_the_end(stream(), Stuck(state_of))) == SILENCE_S


@pytest.mark.parametrize("nonsense", ["bye", "x", "", "1.5"])
def test_a_page_that_goes_away_or_talks_nonsense_is_dropped_at_once(nonsense: str) -> None:
    assert run(follow_until_the_end(stream(), Page(lambda _: nonsense))) == 0


def test_what_goes_wrong_here_is_not_hidden() -> None:
    class Broken(Page):
        async def send_text(self, data: str) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(follow_until_the_end(stream(), Broken(state_of)))


def test_who_has_gone_is_not_woken_any_more() -> None:
    async def scenario() -> None:
        events = stream()
        await follow_until_the_end(events, Page(lambda _: "bye"))
        assert not any(events._listeners.values())
        events.publish({"n": 1})

    run(scenario())
