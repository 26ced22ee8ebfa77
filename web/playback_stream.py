"""Playbacks at the page: what is to be seen at each moment of a file, worked out by a process of its own and streamed as it comes.

`POST playback?name=NAME` takes a file, `GET playback` is about the one that the server has to show by itself. The answer is the
output of the playback program, a JSON object a line. Whoever stops listening ends the program.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from underboard.web.commands import Refused

LARGEST_FILE = 32_000_000
LONGEST_NAME = 200
AT_ONCE = 2
"""Playbacks made at the same time; the next has to wait."""
CHUNK = 1 << 16


class PlaybackStream:
    """Makes playbacks with *command*, to which `--name NAME` and a file on its standard input are given, or the path of a file."""

    def __init__(self, command: Sequence[str], own: Callable[[], Path | None], headers: dict[str, str]) -> None:
        """*own* answers the path of the file to be shown without being sent one, None if there is none; raises Refused if not now."""
        self._command = command
        self._own = own
        self._headers = headers
        self._free = asyncio.Semaphore(AT_ONCE)

    async def answer(self, request: Request) -> Response:
        """The playback that is asked for."""
        if request.method != "POST":
            try:
                path = self._own()
            except Refused as error:
                return PlainTextResponse(f"{error}\n", 403)
            return Response(status_code=204, headers=self._headers) if path is None else self._playback([str(path)], b"")
        name = request.query_params.get("name", "")
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            return PlainTextResponse(f"A file needs a name of at most {LONGEST_NAME} characters: playback?name=NAME\n", 400)
        content = bytearray()
        async for chunk in request.stream():
            content += chunk
            if len(content) > LARGEST_FILE:
                return PlainTextResponse(
                    f"{name} is larger than {LARGEST_FILE // 1_000_000} MB: it is no script, and no journal of a table\n", 413
                )
        return self._playback(["--name", name], content)

    def _playback(self, arguments: Sequence[str], content: bytes | bytearray) -> Response:
        return StreamingResponse(self._made(arguments, content), media_type="application/x-ndjson", headers=self._headers)

    async def _made(self, arguments: Sequence[str], content: bytes | bytearray) -> AsyncIterator[bytes]:
        async with self._free:
            process = await asyncio.create_subprocess_exec(*self._command, *arguments, stdin=PIPE, stdout=PIPE)
            try:
                feeding = asyncio.create_task(feed(process, content))
                assert process.stdout is not None
                while part := await process.stdout.read(CHUNK):
                    yield part
                await feeding
                if await process.wait() not in (0, 2):
                    yield json.dumps({"error": "The playback broke off: the program that makes it has failed."}).encode() + b"\n"
            finally:
                if process.returncode is None:
                    process.kill()


async def feed(process: Process, content: bytes | bytearray) -> None:
    """Gives a process its standard input, as much of it as it wants to read."""
    assert process.stdin is not None
    try:
        process.stdin.write(content)
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        pass
    finally:
        process.stdin.close()
