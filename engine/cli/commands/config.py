"""`underboard config`: an example of the table's configuration, or what is wrong with one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config, refuse

ABOUT = """\
Writes the table's configuration with every setting, its default and what it is
for: which game, and which line of the Pi leads where. Change what is different
on your table; what is left out is as in the building instructions. With
--check it writes nothing and says everything that is wrong with a
configuration."""

EXAMPLES = """\
examples:
  underboard config                           read what can be set
  sudo underboard config -o /etc/underboard/table.toml
  underboard config --check     of the table that is installed here
  underboard config --check --config my-table.toml

Exit status: 0, 1 if the configuration cannot be used, 2 if nothing could be
written."""


def run(options: argparse.Namespace) -> int:
    """`underboard config`: 1 if the configuration that is checked cannot be used."""
    if options.check:
        return check(options.config)
    from underboard.engine.app.config import example_text

    if options.output is None:
        sys.stdout.write(example_text())
        return 0
    return write(options.output, example_text(), options.force)


def check(file: Path | None) -> int:
    """Says what is wrong with a configuration."""
    from underboard.engine.app.config import ConfigError, HiddenMap, load_config

    hidden = ""
    try:
        config = load_config(file)
        config.read_cell_map()
    except HiddenMap as error:
        hidden = f"Not looked at: {error}"
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{config.file} can be used." if config.file.exists() else f"There is no {config.file}: everything is as in the example.")
    if hidden:
        print(hidden)
    return 0


def write(path: Path, text: str, force: bool) -> int:
    """Puts the example into a file; one that is there stays unless it is meant to go."""
    from underboard.engine.base.file_errors import unwritable

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        if isinstance(error, FileExistsError) and path.exists():
            return refuse(f"{path}: there is such a file, and nothing was written: name another one, or add --force to lose what is in it")
        return refuse(unwritable(path, error))
    print(f"The example is in {path}. `underboard config --check --config {path}` says whether it can be used after a change.")
    return 0


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "config", help="an example of the table's configuration, or check one", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW
    )
    command.add_argument("--check", action="store_true", help="say what is wrong with a configuration instead")
    add_config(command)
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to FILE instead of standard output")
    command.add_argument("--force", action="store_true", help="write over a file that is there")
    command.set_defaults(run=run)
