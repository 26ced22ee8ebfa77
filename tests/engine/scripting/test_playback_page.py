"""`underboard replay --page`: what is served, and what is refused before anything is."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from underboard.engine.cli.main import main

SCRIPT = "table hack_trick out=0,5 red=0,1,2,5 yellow=1,3,3\nchoose start 1\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "evening.table"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.fixture
def port(script: Path) -> Iterator[int]:
    """The port of a running page about that script; it ends by Ctrl-C without a word."""
    command = [sys.executable, "-m", "underboard", "replay", "--page", str(script), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        found = re.fullmatch(r"evening\.table at http://127\.0\.0\.1:([0-9]+)/replay\.html\n", process.stdout.readline())
        assert found
        yield int(found[1])
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
        assert (process.returncode, errors) == (0, "")


def ask(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    """Status and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_the_page_and_its_playback(port: int) -> None:
    assert ask(port, "GET", "/")[0] == 303
    status, page = ask(port, "GET", "/replay.html")
    assert status == 200
    assert b"replay.js" in page
    status, playback = ask(port, "GET", "/playback")
    head, *frames = map(json.loads, playback.splitlines())
    assert head["playback"]["text"] == SCRIPT
    assert len(frames) == 2
    status, playback = ask(port, "POST", "/playback?name=other.table", b"table spy\nfly")
    assert json.loads(playback)["error"].startswith("other.table, line 2: 'fly' is no command")
    assert ask(port, "GET", "/playback", Host="elsewhere.example")[0] == 403
    assert ask(port, "POST", "/playback?name=a", b"", Origin="http://elsewhere.example")[0] == 403


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"table hack_trick\nfly", "evening.table, line 2: 'fly' is no command"),
        (b"table hack_trick red=9,9", "evening.table, line 1: "),
        (b"\xff", "evening.table: this is no text in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_at_once(script: Path, content: bytes, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_bytes(content)
    assert main(["replay", "--page", str(script), "--no-browser"]) == 2
    assert why in capsys.readouterr().err


def test_a_script_is_needed_without_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay"]) == 2
    assert "underboard replay FILE" in capsys.readouterr().err
