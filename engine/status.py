"""How the devices of a running table are, asked over its page's port."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TIMEOUT_S = 5


class NoTable(RuntimeError):
    """Nobody answers; the text says what to do."""


def ask(port: int) -> Sequence[Mapping[str, Any]]:
    """The health of each device of the table on `port` of this computer. Raises NoTable."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=TIMEOUT_S) as answer:
            told: Sequence[Mapping[str, Any]] = json.load(answer)
            return told
    except (OSError, ValueError):
        raise NoTable(f"no table answers on port {port}: start one with `underboard play`, or name its port with --port") from None


def status_lines(devices: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line a device and one with what it has counted."""
    for device in devices:
        faulty = f"not trusted: {' '.join(device['faulty'])}" if device["faulty"] else ""
        yield f"{device['device']:<8} {', '.join(filter(None, [device['state'], device['reason'], faulty]))}"
        if device["counters"]:
            yield " " * 9 + ", ".join(f"{what} {count}" for what, count in device["counters"].items())
