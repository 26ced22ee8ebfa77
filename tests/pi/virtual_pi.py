"""The virtual Pi from outside: its mains switch, its cables, and whoever looks at its display."""

from __future__ import annotations

import base64
import json
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from PIL.Image import Image

from tests.pi.machine import MACHINES, call
from underboard.hardware.simulator.i2c import DisplayChip

BOOT_S = 180
"""Without KVM and with others at work on the computer a start takes half a minute."""
PATIENCE_S = 60


class VirtualPiError(AssertionError):
    """The virtual Pi does not do what it was asked to; the console's last lines may say why."""


class VirtualPi:
    """A Debian system in QEMU on a disk that outlives power cuts. A context manager that ends with the power off."""

    def __init__(self, image: Path, project: Path, console: Path) -> None:
        """*image* is the folder that `build_image.sh` makes, *project* a disk image; the console is written to the file *console*.

        `architecture` is Debian's name of its processor's kind.
        """
        self._image = image
        self._project = project
        self._console = console
        self._folder = Path(tempfile.mkdtemp(prefix="virtual-pi-"))
        self.architecture = (image / "architecture").read_text().strip()
        self._machine = MACHINES[self.architecture]
        self._disk = self._folder / "disk.qcow2"
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._rest = b""
        self._chip = dark()
        call(["qemu-img", "create", "-f", "qcow2", "-b", str(image / "root.img"), "-F", "raw", str(self._disk)])

    # The mains

    def power_on(self) -> None:
        """Start it and wait until its hand answers."""
        door = self._folder / "agent"
        door.unlink(missing_ok=True)
        self._rest, self._chip = b"", dark()
        self._process = subprocess.Popen(self._command(door))
        wait_for(door.exists, "QEMU to start", PATIENCE_S)
        self._link = socket.socket(socket.AF_UNIX)
        self._link.settimeout(BOOT_S)
        self._link.connect(str(door))
        if self._receive() != {"ready": True}:
            raise VirtualPiError("the agent of the virtual Pi began with something else")

    def _command(self, door: Path) -> list[str]:
        disks = (self._disk, "qcow2", "vda"), (self._project, "raw", "vdb")
        return [
            *("nice", *self._machine.command(self._folder)),
            *("-kernel", str(self._image / "vmlinuz"), "-initrd", str(self._image / "initrd.gz")),
            *("-append", f"console={self._machine.console} panic=-1 quiet mitigations=off random.trust_cpu=on net.ifnames=0"),
            *("-serial", f"file:{self._console}", "-device", "virtio-rng-pci", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=agent,path={door},server=on,wait=off"),
            *("-device", "virtserialport,chardev=agent,name=org.underboard.agent"),
            *(word for disk in disks for word in drive(*disk)),
        ]

    def power_cut(self) -> None:
        """Off at this instant, with nothing written that was not."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None
        if self._link is not None:
            self._link.close()
            self._link = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.power_cut()
        shutil.rmtree(self._folder)

    # Commands

    def run(self, *words: str, timeout: float = PATIENCE_S, check: bool = True) -> str:
        """What a command inside says; VirtualPiError if it fails and *check* is set."""
        done = self._ask({"run": words, "timeout": timeout}, timeout + PATIENCE_S)
        if check and done["status"]:
            raise VirtualPiError(f"{' '.join(words)} ended with {done['status']}: {done['output']}")
        return str(done["output"])

    def status(self, *words: str, timeout: float = PATIENCE_S) -> int:
        """How a command inside ends."""
        return int(self._ask({"run": words, "timeout": timeout}, timeout + PATIENCE_S)["status"])

    def shell(self, script: str, timeout: float = PATIENCE_S) -> str:
        """What a script of /bin/sh says; VirtualPiError if it fails."""
        return self.run("sh", "-euc", script, timeout=timeout)

    def write(self, path: str, text: str) -> None:
        """A file inside."""
        self.run("sh", "-euc", 'mkdir -p "$(dirname "$1")"; printf %s "$2" >"$1"', "sh", path, text)

    # Cables, switches and eyes

    def order(self, *orders: str) -> None:
        """Move switches behind the header, as the module's header.c says."""
        self._ask({"board": orders})

    def lines(self) -> dict[int, tuple[str, int, int]]:
        """Of each line of the header its direction, level, and how often it was switched on."""
        rows = (row.split() for row in self._ask({"lines": True})["lines"].splitlines())
        return {int(line): (direction, int(level), int(rises)) for line, direction, level, rises in rows}

    def plug_display(self, plugged: bool) -> None:
        """Pull the display's plug, or put it in."""
        self.shell(f"echo {int(plugged)} >/sys/module/virtual_pi/parameters/plugged")
        if not plugged:
            self.pixels()
            self._chip = dark()

    def pixels(self) -> Image:
        """What somebody sees who looks at the display, from all bytes that it got since it has power."""
        for message in messages(base64.b64decode(self._ask({"display": True})["bytes"])):
            if message:
                self._chip.receive(message)
            else:
                self._chip = dark()
        return self._chip.pixels()

    # The line to the agent

    def _ask(self, request: dict[str, Any], timeout: float = PATIENCE_S) -> Any:
        if self._link is None:
            raise VirtualPiError("the virtual Pi is off")
        self._link.settimeout(timeout)
        self._link.sendall(json.dumps(request).encode() + b"\n")
        return self._receive()

    def _receive(self) -> Any:
        assert self._link is not None
        try:
            while b"\n" not in self._rest:
                part = self._link.recv(65_536)
                if not part:
                    raise VirtualPiError(f"the virtual Pi has ended: {self.last_words()}")
                self._rest += part
        except TimeoutError:
            raise VirtualPiError(f"the virtual Pi does not answer: {self.last_words()}") from None
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def last_words(self) -> str:
        """The end of what the console said."""
        return self._console.read_text(errors="replace")[-2_000:] if self._console.exists() else "(nothing on the console)"


def drive(file: Path, form: str, name: str) -> list[str]:
    """A disk, for QEMU."""
    return ["-drive", f"file={file},format={form},if=none,id={name},cache=writeback", "-device", f"virtio-blk-pci,drive={name}"]


def dark() -> DisplayChip:
    """The display as it wakes."""
    return DisplayChip.powered_up("ssd1306", random.Random(1))


def messages(kept: bytes) -> Iterator[bytes]:
    """The display's messages as the module keeps them, with their lengths in front."""
    while kept:
        length = int.from_bytes(kept[:2], "little")
        yield kept[2 : 2 + length]
        kept = kept[2 + length :]


def wait_for(condition: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
    """Wait until something holds. Raises VirtualPiError that says *what* was waited for."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise VirtualPiError(f"waited {seconds} s for {what}")
        time.sleep(0.05)
