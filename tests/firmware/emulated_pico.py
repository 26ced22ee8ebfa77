"""An emulated RP2040 with the real MicroPython, its console on a pseudo-terminal and a reed matrix on its pins.

Usage: emulated_pico.py IMAGE.uf2 MATRIX. Prints the path of its port. MATRIX is a file with a line of row masks, as in
unix_chip.py; rows on GPIO 0 and up, columns on GPIO 13 and up.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from rp2040py.boards import resolve_board_spec
from rp2040py.cli.pty_repl import PtyInteractiveRepl
from rp2040py.device import MicroPythonDevice
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.utils.firmware_retrieve import MICROPYTHON

ROWS, COLUMNS = range(10), range(13, 23)
READ_S = 0.02


class Matrix:
    """The contacts between the pins of one chip."""

    def __init__(self, device: MicroPythonDevice, path: Path) -> None:
        self._pins = device.simulator.rp2040.gpio
        self._path = path
        self._masks: list[int] = []
        for row in ROWS:
            self._pins[row].add_listener(lambda *_: self._settle())

    def _settle(self) -> None:
        """Columns read low where a row that is pulled low has a closed contact."""
        low = 0
        for row, mask in zip(ROWS, self._masks, strict=False):
            if self._pins[row].value == GPIOPinState.LOW:
                low |= mask
        for bit, column in enumerate(COLUMNS):
            self._pins[column].set_input_value(not low >> bit & 1)

    async def follow(self) -> None:
        """Do as the file says."""
        while True:
            masks = [int(word) for word in self._path.read_text(encoding="ascii").split()]
            if masks != self._masks or not masks:
                self._masks = masks
                self._settle()
            await asyncio.sleep(READ_S)


async def main(image: str, matrix: Path) -> None:
    """Until it is killed."""
    device = MicroPythonDevice(board=resolve_board_spec("pico", MICROPYTHON, image))
    repl = PtyInteractiveRepl(device.cdc, device.simulator, on_quit=device.simulator.shutdown_request.request)
    await repl.start()
    await device.astart(timeout=None)
    print(repl.slave_path, flush=True)
    await Matrix(device, matrix).follow()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
