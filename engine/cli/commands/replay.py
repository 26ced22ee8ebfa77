"""`underboard replay`: a table script in virtual time, as lines of JSON or in the browser."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from underboard.engine.cli.commands.common import RAW, Subparsers, port, refuse

ABOUT = """\
Plays a table script against the real drivers on simulated hardware, in virtual
time, and prints one JSON object a line: what was done, whose turn it is, what
the panel shows, what is wrong.

With --page the script, or the last match in a journal, is stepped through in
the browser, forwards and backwards, with the board and the panel of each
moment. More files can be opened there."""

PAGE_PORT = 8021

EXAMPLES = """\
example script:
  table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5
  choose start 1
  choose infect 3          # the panel shows 1+3 = 4
  place 4a
  expect did == ["infect 3"]

lines: table, place, lift, slide, key, choose, scan, wait, together … end, do,
fault, power, expect, snap; # begins a comment

examples:
  underboard replay evening.table
  underboard replay --page evening.table
  underboard replay --page ~/.local/state/underboard/play-spy.sqlite3

Exit status: 0, 1 if an `expect` failed (without --page), 2 if the script
cannot be read."""


def run(options: argparse.Namespace) -> int:
    """`underboard replay FILE`: one JSON object a command; 1 if an expectation failed, 2 if the script cannot be read."""
    from underboard.engine.scripting.runner import replay

    if options.page:
        return look_back(options)
    if options.script is None:
        return refuse("which script? underboard replay FILE, or underboard replay --page to choose one in the browser")
    failures = 0
    for report, failure in replay(options.script):
        print(json.dumps(report, ensure_ascii=False), flush=True)
        if failure is not None:
            failures += 1
            print(f"{options.script}, line {report['line']}: {failure}", file=sys.stderr)
    return 1 if failures else 0


def look_back(options: argparse.Namespace) -> int:
    """`underboard replay --page [FILE]`: until it is interrupted; 2 if the file cannot be read or the page cannot be opened."""
    from underboard.engine.scripting.playback_page import look_back as serve

    return serve(options.script, options.port, options.browser)


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("replay", help="play a table script", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument("script", nargs="?", type=Path, metavar="FILE", help="the table script; with --page also a journal")
    command.add_argument("--page", action="store_true", help="step through it in the browser")
    command.add_argument(
        "--port", type=port, default=PAGE_PORT, metavar="N", help="port of that page, 0: any free one (default: %(default)s)"
    )
    command.add_argument("--no-browser", dest="browser", action="store_false", help="only say where that page is")
    command.set_defaults(run=run)
