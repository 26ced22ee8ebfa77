"""What `underboard status` says of the devices."""

from __future__ import annotations

import socket

import pytest

from engine.cli import main
from engine.status import NoTable, ask_page, device_lines


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


def test_no_table(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(NoTable, match=f"port {port}"):
        ask_page(port)
    assert main(["status", "--port", str(port)]) == 2
    assert "underboard play" in capfd.readouterr().err
