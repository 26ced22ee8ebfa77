"""The command line. What each command takes and does is in `underboard.engine.cli.commands`."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

from underboard.engine.cli.commands import (
    cards,
    config,
    doctor,
    export,
    flash,
    parts,
    play,
    printing,
    replay,
    rules,
    run,
    selftest,
    status,
    wiring,
)
from underboard.engine.cli.commands.common import RAW, refuse
from underboard.engine.cli.exit_status import report_error
from underboard.errors import UnderboardError

COMMANDS = (play, run, status, replay, export, cards, parts, wiring, printing, selftest, config, doctor, flash, rules)

DISK_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)

ABOUT = """\
The referee under your board: tokens on a sensor board, four keys and a small
display, or all of it simulated on a laptop."""

EXAMPLES = """\
examples:
  underboard play                 choose a game in the browser, and play it
  underboard replay evening.table         a game written down, in virtual time
  underboard replay --page evening.table  the same, step by step in the browser
  underboard export play.sqlite3  the game in a journal as such a script
  underboard config               what can be set for a table of your own
  echo 'new_game hack_trick' | underboard rules

Exit status: 0, 1 if something did not come out as expected, 2 if the input
cannot be used."""


def speak_utf8() -> None:
    """Standard streams in UTF-8 whatever the locale; bytes that are no text become marks instead of a traceback.

    One that was closed by whoever started the program is replaced by one that leads nowhere.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the end
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


class ShowVersion(argparse.Action):
    """`--version`; argparse's own wants to know it for every other command, too, and whom to ask takes as long as all else."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Prints it and ends."""
        from underboard.version import find_version

        print(f"underboard {find_version()}")
        parser.exit()


def list_commands(options: argparse.Namespace) -> int:
    """Without a command all of them are shown."""
    return refuse(options.parser.format_help().rstrip())


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = argparse.ArgumentParser(prog="underboard", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    top.add_argument("--version", action=ShowVersion, nargs=0, help="show program's version number and exit")
    top.set_defaults(parser=top, run=list_commands)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command in COMMANDS:
        command.add(commands)
    for subparser in commands.choices.values():
        subparser.set_defaults(parser=subparser)
    return top


def forget_output() -> None:
    """Nobody takes the output any more: Python must not try to get rid of the rest when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; answers the exit status."""
    speak_utf8()
    options, rest = parser().parse_known_args(arguments)
    if "words" in options and all("=" in word and not word.startswith("-") for word in rest):
        options.words = [*options.words, *rest]  # game options behind others, which argparse does not put together
    elif rest:
        options.parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except UnderboardError as error:
        return report_error(error, options.command)
    except BrokenPipeError:
        forget_output()
        return 0
    except OSError as error:
        if error.errno not in DISK_TROUBLE or error.filename is not None:
            raise
        forget_output()
        return refuse(f"the output cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        return 130
