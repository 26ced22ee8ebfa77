"""`underboard flash`: the firmware on the Pico."""

from __future__ import annotations

import argparse

from underboard.engine.cli.commands.common import RAW, Subparsers

ABOUT = """\
Installs the firmware on a Raspberry Pi Pico that reads the board, over its USB
cable. It needs mpremote (`pip install mpremote`), and MicroPython on the Pico:
hold BOOTSEL while plugging a new one in, and copy the .uf2 file from
https://micropython.org/download/RPI_PICO to the drive that appears."""

EXAMPLES = """\
examples:
  underboard flash               the one Pico that is plugged in
  underboard flash --serial-number e6614103e73c2b2e
  underboard flash --stop        only end the firmware, for other tools; it runs
                                 again after the next start

Exit status: 0, or 2 if it could not be done."""


def run(options: argparse.Namespace) -> int:
    """`underboard flash`: the firmware on the Pico."""
    from dataclasses import replace

    from underboard.hardware.board.pico import PICO
    from underboard.hardware.core.clock import RealClock
    from underboard.hardware.maintenance.flash import install, mpremote, need_mpremote, stop
    from underboard.hardware.system.serial_ports import SystemPorts

    wanted = replace(PICO, serial_number=options.serial_number, path=options.port)
    if options.stop:
        print(f"MicroPython's prompt is at {stop(SystemPorts(), RealClock(), print, wanted).path}")
        return 0
    need_mpremote()
    hello = install(SystemPorts(), RealClock(), mpremote, print, wanted)
    print(f"firmware {hello.version[0]}.{hello.version[1]} runs on the Pico {hello.board.hex()}")
    return 0


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("flash", help="install the firmware on the Pico", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument("--serial-number", metavar="N", help="of the Pico, if there are several")
    command.add_argument("--port", metavar="PATH", help="its serial port, if it is not found by itself")
    command.add_argument("--stop", action="store_true", help="only end the firmware that runs")
    command.set_defaults(run=run)
