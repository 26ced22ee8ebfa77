"""What commands share."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

PAGE_PORT = 8020
LOOPBACK = "127.0.0.1"
RAW = argparse.RawDescriptionHelpFormatter
Subparsers = Any
"""What argparse's `add_subparsers` answers; its type has no public name."""


def refuse(why: object) -> int:
    """Says why the input cannot be used; answers the exit status for that."""
    print(why, file=sys.stderr)
    return 2


def say(text: str) -> None:
    """One line for whoever sits at the terminal, at once."""
    print(text, flush=True)


def port(text: str) -> int:
    """A port's number."""
    if not (text.isascii() and text.isdecimal() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"'{text}' is no port: a number from 0 to 65535 is needed, 0 for any free one")
    return int(text)


def add_config(command: argparse.ArgumentParser) -> None:
    """The option that names the table's configuration."""
    command.add_argument("--config", type=Path, metavar="FILE", help="the table's configuration (default: /etc/underboard/table.toml)")
