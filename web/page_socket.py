"""The connection of one page that follows the table: messages go out, answers come in, and who has been silent for long is dropped.

A page that sleeps says nothing and does not say good-bye, and its connection could last for days. It answers heartbeats as long as
it is awake; when it wakes up it comes back by itself and gets everything.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import Any, Protocol

from starlette.websockets import WebSocketDisconnect

from underboard.web.event_stream import Listener

SILENCE_S = 10.0
"""Five heartbeats: a page that has answered none of them is not there."""


class Socket(Protocol):
    """A WebSocket that was accepted. Both methods raise WebSocketDisconnect when the other side has gone."""

    async def send_text(self, data: str) -> None:
        """Sends a message, as soon as those before have left."""

    async def receive_text(self) -> str:
        """The next message; KeyError for one that is no text."""


async def follow(listener: Listener[Any], socket: Socket) -> None:
    """Sends what there is to be seen until the stream ends, the page goes away or says nothing any more."""
    both = [asyncio.create_task(send_all(listener, socket)), asyncio.create_task(read_answers(listener, socket))]
    try:
        done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
    for task in done:
        task.result()


async def send_all(listener: Listener[Any], socket: Socket) -> None:
    """Until the stream ends or the page has gone."""
    with suppress(WebSocketDisconnect):
        async with aclosing(listener.messages()) as messages:
            async for message in messages:
                await socket.send_text(message)


async def read_answers(listener: Listener[Any], socket: Socket) -> None:
    """Until the page has gone, is silent, or says what is no answer."""
    with suppress(WebSocketDisconnect, TimeoutError, KeyError, ValueError):
        while True:
            async with asyncio.timeout(SILENCE_S):
                answer = await socket.receive_text()
            listener.answered(int(answer))
