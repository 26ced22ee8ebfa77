"""The computers that QEMU can make a virtual Pi of."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MODEL = "Raspberry Pi 4 Model B Rev 1.4"
REVISION = "c03114"
"""The number by which programs tell that model from others."""


@dataclass(frozen=True)
class Machine:
    """What differs between processors."""

    program: str
    board: str
    processor: str
    console: str
    """The serial port by the kernel's name."""
    has_device_tree: bool
    """Whether the machine tells the kernel what it is; without, the module of the virtual Pi says it is a Pi."""

    def command(self, scratch: Path) -> list[str]:
        """QEMU as this machine, with nothing plugged in. Files that it needs go to the folder *scratch*."""
        words = [self.program, "-accel", "tcg,thread=multi", "-cpu", self.processor, "-smp", "1", "-m", "768"]
        words += ["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"]
        if not self.has_device_tree:
            return [*words, "-machine", self.board]
        tree = scratch / "pi.dtb"
        call([*words, "-machine", f"{self.board},dumpdtb={tree}"])
        name_a_pi(tree)
        return [*words, "-machine", self.board, "-dtb", str(tree)]


MACHINES: Mapping[str, Machine] = {
    "amd64": Machine("qemu-system-x86_64", "q35", "max", "ttyS0", has_device_tree=False),
    "arm64": Machine("qemu-system-aarch64", "virt", "cortex-a72", "ttyAMA0", has_device_tree=True),
}
"""By Debian's names of the architectures."""


def name_a_pi(tree: Path) -> None:
    """Make the device tree of QEMU's own arm64 computer that of a Pi 4, whose first GPIO chip is the header's."""
    call(["fdtput", "-t", "s", str(tree), "/", "model", MODEL])
    call(["fdtput", "-c", str(tree), "/system"])
    call(["fdtput", "-t", "x", str(tree), "/system", "linux,revision", REVISION])
    call(["fdtput", "-t", "s", str(tree), "/pl061@9030000", "status", "disabled"])
    call(["fdtput", "-r", str(tree), "/gpio-keys"])  # the power button, on that chip


def call(words: list[str]) -> None:
    """A command that has to succeed and has nothing to say."""
    subprocess.run(words, check=True, timeout=60, capture_output=True)
