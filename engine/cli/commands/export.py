"""`underboard export`: the last match of a journal as a table script."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from underboard.engine.cli.commands.common import RAW, Subparsers, refuse

ABOUT = """\
Writes the last match in a journal as a table script, which `underboard replay`
plays to the same end. A table that is playing is not disturbed."""

EXAMPLES = """\
examples:
  underboard export /var/lib/underboard/journal.sqlite3 -o evening.table
  underboard replay evening.table

Exit status: 0, or 2 if there is no game to be read, or the file cannot be
written."""


def run(options: argparse.Namespace) -> int:
    """`underboard export JOURNAL`: the last match as a table script."""
    from underboard.engine.journal.database import JournalError, read_match
    from underboard.engine.journal.history import ResumeError
    from underboard.engine.scripting.export import script_of

    entries = read_match(options.journal)
    if not entries:
        raise JournalError(f"{options.journal}: there is no game in this journal")
    try:
        text = "".join(f"{line}\n" for line in script_of(entries))
    except ResumeError as error:
        raise JournalError(f"{options.journal}: {error}") from None
    return write(text, options.output)


def write(text: str, path: Path | None) -> int:
    """Puts the script into a file, or on standard output."""
    from underboard.engine.base.file_errors import unwritable

    if path is None:
        sys.stdout.write(text)
        return 0
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        return refuse(unwritable(path, error))
    return 0


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser("export", help="a journal as a table script", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW)
    command.add_argument("journal", type=Path, metavar="JOURNAL", help="the journal of a table (SQLite)")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to FILE instead of standard output")
    command.set_defaults(run=run)
