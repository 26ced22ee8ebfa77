"""What `underboard status` says of the devices."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from underboard.engine.app.service.status import NoTable, ask, ask_page, candidates, device_lines, service_socket, status_lines
from underboard.engine.cli.main import main
from underboard.hardware.system.status_socket import StatusSocket


def test_each_device_with_its_reason_and_what_it_has_counted() -> None:
    devices = [
        {"device": "board", "state": "ready", "reason": "", "counters": {"frames": 7, "replugs": 1}, "faulty": ["4a", "@r1c1"]},
        {"device": "oled", "state": "absent", "reason": "nobody answers", "counters": {}, "faulty": []},
    ]
    assert list(device_lines(devices)) == [
        "board    ready, not trusted: 4a @r1c1",
        "         frames 7, replugs 1",
        "oled     absent, nobody answers",
    ]


def test_a_table_can_be_looked_for_on_a_disk_that_may_not_be_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getuid", lambda: 4_000_000_000)  # somebody without a folder in /run/user
    assert [str(path) for path in candidates({"TMPDIR": "/no/such/folder"})] == [
        "/run/underboard/status.sock",
        "/no/such/folder/underboard-4000000000/status.sock",
    ]


def test_no_table(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(NoTable, match=f"port {port}"):
        ask_page(port)
    assert main(["status", "--port", str(port)]) == 2
    assert "underboard play" in capfd.readouterr().err


@pytest.mark.parametrize(
    "answer",
    [b"SSH-2.0-server\r\n", b'HTTP/1.0 200 OK\r\n\r\n{"status": "ok"}', b'HTTP/1.0 200 OK\r\n\r\n["x"]', b"HTTP/1.0 200 OK\r\n\r\n\xff"],
    ids=["no page", "another page", "another list", "no text"],
)
def test_another_program_at_the_port(answer: bytes) -> None:
    def reply() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        other = threading.Thread(target=reply)
        other.start()
        port = server.getsockname()[1]
        with pytest.raises(NoTable, match=f"no table answers on port {port}"):
            ask_page(port)
        other.join()


TOLD: dict[str, Any] = {
    "game": "spy",
    "to_move": "red",
    "phase": "main",
    "alert": {"code": "missing", "cells": ["b1"], "text": "A token is missing on b1: put it back."},
    "outcome": {"over": False},
    "devices": [{"device": "board", "state": "ready", "reason": "", "counters": {}, "faulty": []}],
    "journal": {"file": "/var/lib/underboard/journal.sqlite3", "problem": "The disk is full."},
    "page": {"url": "http://192.168.1.7:8021/watch/", "problem": ""},
    "version": "0.2.0 (commit 1a2b3c4d5e6f)",
    "uptime_s": 3700,
    "last_error": {"text": "oled: absent: nobody answers", "at": "2026-11-30T18:00:00+00:00"},
}


def test_a_table_for_people() -> None:
    assert list(status_lines(TOLD)) == [
        "game     spy, red to move (main)",
        "alert    A token is missing on b1: put it back.",
        "board    ready",
        "journal  /var/lib/underboard/journal.sqlite3, The disk is full.",
        "page     http://192.168.1.7:8021/watch/",
        "version  0.2.0 (commit 1a2b3c4d5e6f)",
        "up       1 h 1 min",
        "trouble  oled: absent: nobody answers (2026-11-30T18:00:00+00:00)",
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"phase": "set_up"}, "game     spy, a game is being set up"),
        ({"phase": "deal"}, "game     spy, cards are being dealt"),
        ({"outcome": {"over": True}}, "game     spy, over"),
    ],
)
def test_nobody_is_to_move(change: dict[str, Any], said: str) -> None:
    assert next(status_lines({**TOLD, **change})) == said


def test_a_healthy_table_says_less() -> None:
    quiet = {**TOLD, "page": None, "alert": None, "last_error": None, "journal": {"file": "j", "problem": ""}}
    assert [line.split()[0] for line in status_lines(quiet)] == ["game", "board", "journal", "version", "up"]


def test_where_tables_answer(tmp_path: Path) -> None:
    user = {"XDG_RUNTIME_DIR": "/run/user/1000"}
    assert service_socket({"RUNTIME_DIRECTORY": "/run/underboard", **user}) == Path("/run/underboard/status.sock")
    assert service_socket(user) == Path("/run/user/1000/underboard/status.sock")
    assert candidates(user) == [Path("/run/underboard/status.sock"), Path("/run/user/1000/underboard/status.sock")]
    assert service_socket({}).parent.name in ("underboard", f"underboard-{os.getuid()}")


def test_the_first_table_that_answers_is_told_of(tmp_path: Path) -> None:
    def serve() -> None:
        while not told:
            served.poll()
            time.sleep(0.005)

    told: list[dict[str, Any]] = []
    with StatusSocket(tmp_path / "status.sock", lambda: json.dumps(TOLD)) as served:
        server = threading.Thread(target=serve)
        server.start()
        told.append(ask([tmp_path / "nobody.sock", tmp_path / "status.sock"]))
        server.join()
    assert told == [TOLD]


def test_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(NoTable, match=r"no table answers \(.*a\.sock, .*b\.sock\): start one with"):
        ask([tmp_path / "a.sock", tmp_path / "b.sock"])
