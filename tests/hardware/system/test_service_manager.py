"""What systemd is told, heard by a socket like its own."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from underboard.hardware.system.service_manager import ServiceManager


@pytest.fixture(params=["path", "abstract"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    """The name of a socket as systemd gives it, and the socket."""
    name = f"{tmp_path}/notify" if request.param == "path" else f"@underboard-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(name.replace("@", "\0"))
        heard.settimeout(5)
        yield name, heard


def test_what_is_told(listener: tuple[str, socket.socket]) -> None:
    name, heard = listener
    manager = ServiceManager({"NOTIFY_SOCKET": name})
    manager.ready()
    manager.status("red to move\nREADY=1")
    manager.status("red to move\nREADY=1")
    manager.alive()
    manager.stopping()
    assert [heard.recv(100).decode() for _ in range(4)] == ["READY=1", "STATUS=red to move READY=1", "WATCHDOG=1", "STOPPING=1"]


@pytest.mark.parametrize(
    ("watchdog", "ms"),
    [
        ({"WATCHDOG_USEC": "20000000"}, 20_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}, 20_000),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_how_often_the_watchdog_wants_to_be_fed(watchdog: dict[str, str], ms: int | None) -> None:
    assert ServiceManager({"NOTIFY_SOCKET": "/run/notify", **watchdog}).watchdog_ms == ms
    assert ServiceManager(watchdog).watchdog_ms is None


@pytest.mark.parametrize("address", ["", "/nowhere/notify", "relative", "/" + "x" * 200])
def test_nobody_listens_and_nothing_happens(address: str) -> None:
    manager = ServiceManager({"NOTIFY_SOCKET": address})
    manager.ready()
    manager.status("well")
