"""`underboard replay`: a table script in virtual time."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from engine.commands.common import RAW, Commands, refuse

ABOUT = """\
Plays a table script against the real drivers on simulated hardware, in virtual time, and prints one JSON object a line:
what was done, whose turn it is, what the panel shows, what is wrong."""

EXAMPLES = """\
example script:
  table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5
  choose start 1
  choose infect 3          # the panel shows 1+3 = 4
  place 4a
  expect did == ["infect 3"]

lines: table, place, lift, slide, key, choose, scan, wait, together … end, do, fault, power, expect, snap; # begins a comment
Exit status: 0, 1 if an `expect` failed, 2 if the script cannot be read."""


def run(options: argparse.Namespace) -> int:
    """`underboard replay FILE`: one JSON object a command; 1 if an expectation failed, 2 if the script cannot be read."""
    from engine.journal import JournalError
    from engine.replay import replay
    from engine.script import ScriptError

    failures = 0
    try:
        for report, failure in replay(options.script):
            print(json.dumps(report, ensure_ascii=False), flush=True)
            if failure is not None:
                failures += 1
                print(f"{options.script}, line {report['line']}: {failure}", file=sys.stderr)
    except (ScriptError, JournalError) as error:
        return refuse(error)
    return 1 if failures else 0


def add(commands: Commands) -> None:
    """The command and its options."""
    command = commands.add_parser("replay", help="play a table script", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument("script", type=Path, metavar="FILE", help="the table script")
    command.set_defaults(run=run)
