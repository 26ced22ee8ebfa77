"""Installs the firmware on a Pico that runs MicroPython, with mpremote.

A firmware that runs is asked to end first: it starts the chip anew, to its prompt. Then the files are copied, the chip is
started once more, and the firmware has to say hello. Every way this can fail is a :class:`FlashError` that says what to do.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from underboard import firmware
from underboard.errors import UnderboardError
from underboard.firmware import frames
from underboard.firmware.frames import Decoder, Hello
from underboard.hardware.board.pico import PICO
from underboard.hardware.core.clock import Clock
from underboard.hardware.system.serial_ports import ERRORS, PortInfo, Ports, SerialLink, Wanted, explain

FILES = ("__init__.py", "frames.py", "scan.py", "main.py")
MAIN = "from firmware.main import run\n\nrun()\n"
"""What the Pico runs at its start."""
MAKE_FOLDER = "import os\ntry:\n    os.mkdir('firmware')\nexcept OSError:\n    pass"

POLL_MS = 20
ASK_MS = 200
ANSWER_MS = 1_500
SEND_MS = 200
STOPS = 3
"""How often a firmware is told to end: a message may be lost."""
LEAVE_MS = 2_000
"""A chip that starts anew is gone from the bus for a moment, within this time."""
SETTLE_MS = 500
"""The system gives a new port its name and its permissions a little later."""
RESTART_MS = 15_000
"""So long may a chip take to start and its port to appear; it needs two seconds."""
COPY_S = 120

NO_MICROPYTHON = (
    "a new Pico needs MicroPython first: hold its BOOTSEL button while you plug it in, and copy the .uf2 file from"
    " https://micropython.org/download/RPI_PICO to the drive that appears"
)

Say = Callable[[str], None]


class FlashError(UnderboardError, RuntimeError):
    """The firmware could not be installed; the text says why and what to do."""

    fault = "device"


class Copier(Protocol):
    """Brings files to a Pico at its prompt and starts it anew."""

    def __call__(self, port: str, files: Sequence[tuple[Path, str]]) -> None:
        """Copy local files to these paths; raises FlashError."""


def install(ports: Ports, clock: Clock, copy: Copier, say: Say, wanted: Wanted = PICO) -> Hello:
    """Installs the firmware and answers its hello; *say* is told what is being done. Raises FlashError."""
    port = stop(ports, clock, say, wanted)
    say(f"copying the firmware to {port.path} ...")
    with TemporaryDirectory() as folder:
        main = Path(folder) / "main.py"
        main.write_text(MAIN, encoding="utf-8")
        source = Path(firmware.__file__).parent
        copy(port.path, [*((source / name, f"firmware/{name}") for name in FILES), (main, "main.py")])
    say("waiting for it to start ...")
    hello = ask(ports, clock, wanted, RESTART_MS)
    if hello is None:
        raise FlashError(
            "the firmware was copied, but does not answer: unplug the Pico and plug it in again; if that does not help, repeat"
        )
    return hello


def stop(ports: Ports, clock: Clock, say: Say, wanted: Wanted = PICO) -> PortInfo:
    """Ends a firmware that runs, and answers the port at which MicroPython's prompt is then. Raises FlashError."""
    for _ in range(STOPS):
        port = find(ports, wanted)
        hello = ask(ports, clock, wanted, ANSWER_MS, frames.STOP)
        if hello is None:
            return port
        say(f"ending the firmware {hello.version[0]}.{hello.version[1]} that runs on the Pico ...")
        wait_for(lambda: look_for(ports, wanted) is None, clock, LEAVE_MS)
        if not wait_for(lambda: look_for(ports, wanted) is not None, clock, RESTART_MS):
            raise FlashError("the Pico did not come back: unplug it, plug it in again and repeat")
        clock.sleep(SETTLE_MS)
    raise FlashError("the firmware does not end: unplug the Pico, plug it in again and repeat")


def wait_for(holds: Callable[[], bool], clock: Clock, ms: int) -> bool:
    """Whether this held within *ms*."""
    for _ in range(0, ms, POLL_MS):
        if holds():
            return True
        clock.sleep(POLL_MS)
    return holds()


def find(ports: Ports, wanted: Wanted) -> PortInfo:
    """The Pico's port. Raises FlashError if there is none, or if nobody can tell which one is meant."""
    if wanted.path is None and wanted.serial_number is None:
        several = [port for port in ports.list() if (port.vid, port.pid) in wanted.usb_ids]
        if len(several) > 1:
            choice = ", ".join(f"{port.serial_number} at {port.path}" for port in several)
            raise FlashError(f"there are several Picos, choose one by its serial number: {choice}")
    port = look_for(ports, wanted)
    if port is None:
        raise FlashError(f"{wanted} is not plugged in; {NO_MICROPYTHON}")
    return port


def look_for(ports: Ports, wanted: Wanted) -> PortInfo | None:
    """The Pico's port, None if there is none. Raises FlashError if ports cannot be listed."""
    try:
        return wanted.find(ports)
    except ERRORS as error:
        raise FlashError(f"the serial ports cannot be listed: {explain(error)}") from None


def ask(ports: Ports, clock: Clock, wanted: Wanted, ms: int, then: int | None = None) -> Hello | None:
    """Who is there, None if no firmware answers within *ms*; *then* is a message to send to whoever it is.

    Raises FlashError if the port cannot be used.
    """
    link = SerialLink(ports, clock, wanted)
    decoder = Decoder()
    try:
        for waited in range(0, ms, POLL_MS):
            hellos = [Hello.unpack(payload) for kind, _, payload in decoder.feed(link.read()) if kind == frames.HELLO]
            if hellos and hellos[-1]:
                if then is not None:
                    link.write(frames.encode(then, 1))
                    clock.sleep(SEND_MS)  # closing throws away what has not been sent
                return hellos[-1]
            if waited % ASK_MS == 0:
                link.write(frames.encode(frames.ASK, 0))
            clock.sleep(POLL_MS)
        if link.state == "fault":
            raise FlashError(f"{link.reason}; if Underboard runs: sudo systemctl stop underboard")
    finally:
        link.close()
    return None


def mpremote(port: str, files: Sequence[tuple[Path, str]]) -> None:
    """Copies with mpremote and starts the chip anew; raises FlashError if it is missing or fails."""
    need_mpremote()
    command = [sys.executable, "-P", "-m", "mpremote", "connect", port, "exec", MAKE_FOLDER]
    for source, target in files:
        command += ["+", "fs", "cp", str(source), f":{target}"]
    try:
        done = subprocess.run([*command, "+", "reset"], capture_output=True, text=True, timeout=COPY_S, check=False)
    except subprocess.TimeoutExpired:
        raise FlashError(f"mpremote does not come to an end: unplug the Pico, plug it in again and repeat; {NO_MICROPYTHON}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise FlashError(f"mpremote failed: {said[-1] if said else f'exit status {done.returncode}'}; {NO_MICROPYTHON}")


def need_mpremote() -> None:
    """Raises FlashError if mpremote is not installed."""
    if find_spec("mpremote") is None:
        raise FlashError(f"mpremote is missing, it brings the files to the Pico: {sys.executable} -m pip install mpremote")
