"""Errors become exit statuses and sentences here, and nowhere else.

What a command answers besides (an expectation that failed, a device that is not ready) is its own; each `--help` says it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from underboard.errors import Fault, UnderboardError

UNUSABLE = 2
"""What is given cannot be used: a file, an option, a device that the command is for."""
SERVICE: Mapping[Fault, int] = {"device": 3, "disk": 4}
"""A service manager tells faults of the box and of the disk from those of the configuration."""
STATUSES: Mapping[str, Mapping[Fault, int]] = {"run": SERVICE}
"""By command, where it differs."""


def exit_status(error: UnderboardError, command: str | None) -> int:
    """The exit status of a command that this error has ended. A fault of the program itself is raised again, with its traceback."""
    if error.fault == "program":
        raise error
    return STATUSES.get(command or "", {}).get(error.fault, UNUSABLE)


def report_error(error: UnderboardError, command: str | None) -> int:
    """Says on standard error why a command has ended; answers its exit status."""
    status = exit_status(error, command)
    print(error, file=sys.stderr)
    return status
