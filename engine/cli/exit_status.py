"""Errors become exit statuses and sentences here, and nowhere else.

What a command answers besides (an expectation that failed, a device that is not ready) is its own; each `--help` says it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping

from underboard.errors import Fault, UnderboardError

UNUSABLE: Mapping[Fault, int] = {"player": 2, "configuration": 2, "device": 2, "disk": 2}
"""What is given cannot be used: a file, an option, a device that the command is for."""
SERVICE: Mapping[Fault, int] = {"configuration": 2, "device": 3, "disk": 4}
"""A service manager tells faults of the box and of the disk from those of the configuration, which alone it does not try again.

No player's fault ends a service: an error of that kind that gets as far as this is a fault of the program.
"""

log = logging.getLogger("underboard")


def exit_status(error: UnderboardError, command: str | None) -> int:
    """The exit status of a command that this error has ended. A fault of the program itself is raised again, with its traceback."""
    status = (SERVICE if command == "run" else UNUSABLE).get(error.fault)
    if status is None:
        raise error
    return status


def report_error(error: UnderboardError, command: str | None) -> int:
    """Says why a command has ended, a service in its log and any other on standard error; answers the exit status."""
    status = exit_status(error, command)
    if command == "run":
        log.error("%s", error)
    else:
        print(error, file=sys.stderr)
    return status
