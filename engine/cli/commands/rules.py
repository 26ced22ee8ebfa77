"""`underboard rules`: the rules alone, as a dialogue."""

from __future__ import annotations

import argparse
import sys

from underboard.engine.cli.commands.common import RAW, Subparsers

ABOUT = """\
The rules without a table: one command a line on standard input, framed like
the Go Text Protocol. `list_commands` lists all; `legal` what may be done, `do
ACTION` does it, `undo` takes it back, `state` shows all."""

EXAMPLES = """\
examples:
  echo 'new_game hack_trick' | underboard rules
  printf 'new_game spy seed=1\\nlegal\\nstate\\n' | underboard rules

Exit status: 0; a command that is refused is answered with `?` and the reason,
and the dialogue goes on."""


def run(_: argparse.Namespace) -> int:
    """`underboard rules`: the rules protocol on standard input and output."""
    from underboard.engine.scripting.rules_protocol import dialogue

    for answer in dialogue(sys.stdin):
        sys.stdout.write(answer)
        sys.stdout.flush()
    return 0


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "rules", help="the rules of the games as a dialogue of text lines", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW
    )
    command.set_defaults(run=run)
