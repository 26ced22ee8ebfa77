"""`underboard status`: how a running table is."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from underboard.engine.cli.commands.common import RAW, Subparsers, port, say

ABOUT = """\
Asks the table that runs on this computer how it is: game and turn, what is
wrong, each device with what it has counted, where the games are kept, since
when it runs, the last trouble. The table of `underboard run`, the installed
service first, answers at a socket that its user and group may open; a table of
`underboard play` is asked by the port of its page, for its devices."""

EXAMPLES = """\
examples:
  underboard status
  underboard status --json | jq .devices
  underboard status --port 8020            of `underboard play`

Exit status: 0, 1 if a device is not ready, 2 if no table answers."""


def run(options: argparse.Namespace) -> int:
    """`underboard status`: 1 if a device is not ready, 2 if no table answers."""
    from underboard.engine.app.service import status

    if options.port is not None:
        told = {"devices": status.ask_page(options.port)}
    else:
        told = status.ask([options.socket] if options.socket else status.candidates(os.environ))
    if options.json:
        say(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        for line in status.status_lines(told):
            say(line)
    return 0 if all(device["state"] == "ready" for device in told["devices"]) else 1


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("status", help="how a running table is", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument("--json", action="store_true", help="all of it, for programs")
    command.add_argument("--port", type=port, metavar="N", help="ask the table of `underboard play` with its page on this port")
    command.add_argument("--socket", type=Path, metavar="PATH", help="ask at this socket instead of the usual ones")
    command.set_defaults(run=run)
