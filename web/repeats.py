"""What arrives twice is done once: something on the way to the table may send a request again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.responses import Response

from underboard.web.commands import Stale
from underboard.web.recent import Recent

MOST_PAGES = 1_000

Page = tuple[str, str]
"""The audience that a page belongs to, and the name that it has given itself."""


class CommandsDone:
    """The last command of each page, and its answer; a page sends them one after the other."""

    def __init__(self) -> None:
        self._last: Recent[Page, tuple[int, asyncio.Task[Response]]] = Recent(MOST_PAGES)

    async def once(self, page: Page, number: int, do: Callable[[], Coroutine[Any, Any, Response]]) -> Response:
        """Does a command, or answers as the first time. Raises Stale for one that another has followed already."""
        last, answer = self._last.get(page) or (-1, None)
        if number < last:
            raise Stale
        if answer is None or number > last:
            answer = asyncio.create_task(do())
            self._last.put(page, (number, answer))
        return await asyncio.shield(answer)
