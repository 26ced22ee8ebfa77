"""The tests' hand inside the virtual Pi: carries out what is asked for over a virtual serial port, a JSON object a line.

`{"run": [words], "timeout": seconds}` runs a command: `{"status": …, "output": …}`. `{"board": ["press 26", "wait 0.1", …]}` moves
switches, with pauses in seconds of this computer's own time. `{"lines": true}` tells how the lines of the header are,
`{"display": true}` gives the bytes that the display got since last time.
"""

from __future__ import annotations

import base64
import json
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PORT = Path("/dev/virtio-ports/org.underboard.agent")
BOARD = Path("/dev/virtual-pi-board")
DISPLAY = Path("/dev/virtual-pi-display")


def run(words: list[str], timeout: float) -> Mapping[str, Any]:
    """A command with all it says; status 124 if it does not end in time, as of `timeout`."""
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        return {"status": 124, "output": (error.stdout or b"").decode(errors="replace")}
    except OSError as error:
        return {"status": 127, "output": str(error)}
    return {"status": done.returncode, "output": done.stdout.decode(errors="replace")}


def order(orders: list[str]) -> Mapping[str, Any]:
    """Switches of the board, one after the other."""
    for text in orders:
        if text.startswith("wait "):
            time.sleep(float(text.removeprefix("wait ")))
            continue
        with BOARD.open("wb", buffering=0) as board:
            board.write(text.encode())
    return {}


def drain() -> Mapping[str, Any]:
    """What the display was sent."""
    kept = b""
    with DISPLAY.open("rb", buffering=0) as display:
        while part := display.read(65_536):
            kept += part
    return {"bytes": base64.b64encode(kept).decode()}


def answer(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a request asks for."""
    if "run" in request:
        return run(request["run"], request["timeout"])
    if "board" in request:
        return order(request["board"])
    if "lines" in request:
        return {"lines": BOARD.read_text()}
    return drain()


def main() -> None:
    """Answer until the power goes."""
    with PORT.open("r+b", buffering=0) as port:
        port.write(b'{"ready": true}\n')
        rest = b""
        while True:
            *lines, rest = (rest + port.read(65_536)).split(b"\n")
            for line in lines:
                port.write(json.dumps(answer(json.loads(line))).encode() + b"\n")


if __name__ == "__main__":
    main()
