"""The command line."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence


def rules(_: argparse.Namespace) -> int:
    """`underboard rules`: the rules protocol on standard input and output."""
    from engine.rules_protocol import dialogue

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    for answer in dialogue(sys.stdin):
        sys.stdout.write(answer)
        sys.stdout.flush()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; answers the exit status."""
    parser = argparse.ArgumentParser(prog="underboard")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("rules").set_defaults(run=rules)
    options = parser.parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
