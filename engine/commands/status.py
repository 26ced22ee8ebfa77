"""`underboard status`: how a running table is."""

from __future__ import annotations

import argparse

from engine.commands.common import PAGE_PORT, RAW, Commands, port, refuse

ABOUT = """\
Asks the table that runs on this computer how its board, display and card reader are, and what they have counted."""

EXAMPLES = """\
examples:
  underboard status
  underboard status --port 8100

Exit status: 0, 1 if a device is not ready, 2 if no table answers."""


def run(options: argparse.Namespace) -> int:
    """`underboard status`: how the devices of a running table are; 1 if one is not ready, 2 if no table answers."""
    from engine.status import NoTable, ask, status_lines

    try:
        devices = ask(options.port)
    except NoTable as error:
        return refuse(error)
    for line in status_lines(devices):
        print(line)
    return 0 if all(device["state"] == "ready" for device in devices) else 1


def add(commands: Commands) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "status", help="how the devices of a running table are", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW
    )
    command.add_argument("--port", type=port, default=PAGE_PORT, metavar="N", help="the port of its page (default: %(default)s)")
    command.set_defaults(run=run)
