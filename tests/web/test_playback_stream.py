"""Playbacks at the page, with small programs in place of the one that makes them."""

from __future__ import annotations

import http.client
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from underboard.web.playback_stream import LARGEST_FILE, PlaybackStream
from underboard.web.server import WebServer, listen

ECHO = "import sys; print(sys.argv[1:]); sys.stdout.buffer.write(sys.stdin.buffer.read())"
DEAF = "print('nothing was read')"
BROKEN = "print('so far so good'); raise SystemExit(3)"
ENDLESS = """
import pathlib, os, sys, time
pathlib.Path(sys.argv[-1]).write_text(str(os.getpid()))
while True:
    print('and on', flush=True)
    time.sleep(0.01)
"""
Ask = Callable[..., http.client.HTTPResponse]
Serve = Callable[..., Ask]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves playbacks made by a program: `ask = serve(ECHO, own=path)`, then `ask("GET", "/playback")`."""
    opened: list[Callable[[], None]] = []
    failures: list[BaseException] = []

    def begin(program: str, own: Path | None = None) -> Ask:
        playbacks = PlaybackStream([sys.executable, "-c", program], lambda: own, {"Cache-Control": "no-store"})
        listener = listen(0)
        app = Starlette(routes=[Route("/playback", playbacks.answer, methods=["GET", "POST"])])
        server = WebServer(app, listener, failures.append)
        server.start()
        opened.extend((listener.close, server.close))

        def ask(method: str, path: str, body: bytes | None = None) -> http.client.HTTPResponse:
            connection = http.client.HTTPConnection("127.0.0.1", listener.getsockname()[1], timeout=10)
            opened.append(connection.close)
            connection.request(method, path, body, {"Connection": "close"})
            answer = connection.getresponse()
            opened.append(answer.close)
            return answer

        return ask

    yield begin
    for close in reversed(opened):
        close()
    assert not failures


def test_a_file_is_sent_and_its_playback_comes_back(serve: Serve) -> None:
    answer = serve(ECHO)("POST", "/playback?name=an%20evening.table", b"place 4b\n")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.read() == b"['--name', 'an evening.table']\nplace 4b\n"


def test_the_playback_of_the_server_itself(serve: Serve, tmp_path: Path) -> None:
    assert serve(ECHO, own=tmp_path / "journal")("GET", "/playback").read().decode() == f"['{tmp_path / 'journal'}']\n"
    assert serve(ECHO)("GET", "/playback").status == 204


def test_a_program_that_does_not_read_all_is_no_harm(serve: Serve) -> None:
    assert serve(DEAF)("POST", "/playback?name=big", b"x" * 1_000_000).read() == b"nothing was read\n"


def test_a_playback_that_breaks_off_says_so(serve: Serve) -> None:
    first, last = serve(BROKEN)("POST", "/playback?name=a", b"").read().splitlines()
    assert first == b"so far so good"
    assert "broke off" in json.loads(last)["error"]


@pytest.mark.parametrize("name", ["", "x" * 201, "a%0Ab"])
def test_a_file_needs_a_name(serve: Serve, name: str) -> None:
    answer = serve(ECHO)("POST", f"/playback?name={name}", b"")
    assert answer.status == 400
    assert b"needs a name" in answer.read()


def test_a_file_that_is_too_large_is_refused(serve: Serve) -> None:
    answer = serve(ECHO)("POST", "/playback?name=a", bytes(LARGEST_FILE + 1))
    assert answer.status == 413
    assert b"a is larger than 32 MB" in answer.read()


def test_a_program_nobody_listens_to_is_ended(serve: Serve, tmp_path: Path) -> None:
    number = tmp_path / "number"
    answer = serve(ENDLESS, own=number)("GET", "/playback")
    assert answer.readline() == b"and on\n"
    process = Path("/proc") / number.read_text()
    assert process.exists()
    answer.close()
    until = time.monotonic() + 5
    while process.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not process.exists()
