"""`underboard selftest`: how a board is wired."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config, refuse, say
from underboard.hardware.core.parts import BOARD_KINDS, CONTROLLERS

if TYPE_CHECKING:
    from underboard.hardware.panel.oled import Panel

ABOUT = """\
Walks through a new board: put one token on the space it names, lift it, go on.
It finds how the matrix lies under the board, swapped and dead cells, stuck and
flickering sensors, reversed and missing diodes, says so in words, and keeps in
a file which sensor lies where. Enter goes on, s skips a cell, b goes back, q
stops; so do the panel's keys."""

EXAMPLES = """\
examples:
  underboard selftest                every cell of the board on this Pi
  underboard selftest --quick        three corners: only how the board lies
  underboard selftest --board pico   a board on a Pico
  underboard selftest --display      a picture that shows whether the display is
                                     set right
  underboard selftest --display sh1106 --offset 0
  underboard selftest --simulated --fault rotation=90 --fault dead=r3c4
                                     what it is like, on a simulated board

Exit status: 0, 1 if something is broken or was not tested, 2 if the board
cannot be tested."""

CONFIGURED = "configured"
"""The display that the configuration names."""


def run(options: argparse.Namespace) -> int:
    """`underboard selftest`: 1 if the board is not sound."""
    from underboard.engine.app.config import load_config, state_folder
    from underboard.engine.app.maintenance import selftest

    if options.fault and not options.simulated:
        return refuse("--fault builds a fault into a simulated board: add --simulated")
    if options.simulated:
        path = options.output or state_folder(os.environ) / "simulated-cells.toml"
        return 0 if selftest.on_a_simulation(options.fault, options.quick, path, say) else 1
    config = load_config(options.config)
    if options.display is not None:
        selftest.show_picture(panel_of(config.box.panel, options), config.box.i2c_bus, say)
        return 0
    box = config.box.on(options.board or config.box.board)
    return 0 if selftest.on_the_board(box, options.quick, options.output or config.cell_map, say) else 1


def panel_of(panel: Panel, options: argparse.Namespace) -> Panel:
    """The configured display, or another one in its place. Raises BadArgument for an offset that it cannot have."""
    from dataclasses import replace

    from underboard.engine.base.errors import BadArgument

    try:
        if options.display != CONFIGURED:
            panel = replace(panel, controller=options.display, offset=options.offset)
        return panel if options.offset is None else replace(panel, offset=options.offset)
    except ValueError as error:
        raise BadArgument(str(error)) from None


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("selftest", help="find out how a board is wired", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument("--quick", action="store_true", help="three corners only")
    add_config(command)
    command.add_argument("--board", choices=BOARD_KINDS, help="what the matrix is wired to, if not as configured")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="the cell map (default: the one that is configured)")
    command.add_argument(
        "--display",
        nargs="?",
        const=CONFIGURED,
        choices=(CONFIGURED, *CONTROLLERS),
        help="show the set-up picture instead, on the configured display or on this one",
    )
    command.add_argument("--offset", type=int, metavar="N", help="the display's first column, 0 or 2 for the SH1106 (default: 2)")
    command.add_argument("--simulated", action="store_true", help="a simulated person tests a simulated board, in virtual time")
    command.add_argument("--fault", action="append", default=[], metavar="FAULT", help="something wrong with that board; may be repeated")
    command.set_defaults(run=run)
