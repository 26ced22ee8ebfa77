"""`underboard parts`: what has to be bought for a table."""

from __future__ import annotations

import argparse

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config

ABOUT = """\
Lists what has to be bought for a table, how many of each and what for, from
the same configuration that the program uses."""

EXAMPLES = """\
examples:
  underboard parts                    the table of the building instructions
  underboard parts --config my-table.toml

Exit status: 0, or 2 if the configuration cannot be used."""


def run(options: argparse.Namespace) -> int:
    """`underboard parts`."""
    from underboard.engine.app.config import load_config
    from underboard.engine.printing.wiring.parts import parts_lines

    print(*parts_lines(load_config(options.config).box), sep="\n")
    return 0


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("parts", help="what has to be bought", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    add_config(command)
    command.set_defaults(run=run)
