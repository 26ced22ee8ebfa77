"""`underboard run`: the table as a service."""

from __future__ import annotations

import argparse

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config

ABOUT = """\
Runs the table: reads the configuration, opens the lines of the Pi, display and
reader, and goes on with the game that is kept, or begins the one that is
configured. A display, a Pico or a reader that is missing is said on the table
and used when it is there; the game goes on without. systemd is told when the
game can be played, how it stands and that it is alive."""

EXAMPLES = """\
examples:
  underboard run                          as the service does; Ctrl-C ends it
  underboard run --config my-table.toml
  underboard run --simulated              the same over a simulated box
  underboard status                       in another terminal: how it is

Exit status: 0 if it was ended by SIGTERM or Ctrl-C, and the game is kept; 2 if
the configuration, the cell map or the deck cannot be used; 3 if the lines of
the header cannot be used; 4 if the journal cannot be used; 1 for a fault of
the program itself."""


def run(options: argparse.Namespace) -> int:
    """`underboard run`: the table, until a signal ends it."""
    from underboard.engine.app.service.main import RunOptions, run

    return run(RunOptions(options.config, options.simulated, options.new))


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("run", help="the table as a service", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    add_config(command)
    command.add_argument("--new", action="store_true", help="begin the configured game even if there is one to go on with")
    command.add_argument("--simulated", action="store_true", help="real drivers on a simulated box, on which nobody plays")
    command.set_defaults(run=run)
