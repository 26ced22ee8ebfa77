"""The command line."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path


def rules(_: argparse.Namespace) -> int:
    """`underboard rules`: the rules protocol on standard input and output."""
    from engine.rules_protocol import dialogue

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for answer in dialogue(sys.stdin):
        sys.stdout.write(answer)
        sys.stdout.flush()
    return 0


def replay(options: argparse.Namespace) -> int:
    """`underboard replay FILE`: one JSON object a command; 1 if an expectation failed, 2 if the script cannot be read."""
    from engine.replay import replay as play
    from engine.script import ScriptError

    failures = 0
    try:
        for report, failure in play(options.script):
            print(json.dumps(report, ensure_ascii=False), flush=True)
            if failure is not None:
                failures += 1
                print(f"{options.script}, line {report['line']}: {failure}", file=sys.stderr)
    except ScriptError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if failures else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; answers the exit status."""
    parser = argparse.ArgumentParser(prog="underboard")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("rules").set_defaults(run=rules)
    command = commands.add_parser("replay")
    command.add_argument("script", type=Path)
    command.set_defaults(run=replay)
    options = parser.parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
