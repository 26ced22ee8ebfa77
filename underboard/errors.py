"""The base of all errors of ours: each says whose fault it is.

An error that somebody meets is a sentence that names the file, key, cell or card and says what helps. Errors derive from the fitting
builtin as well. Which exit status a command answers for one is decided in one place, `underboard.engine.cli.exit_status`.
"""

from typing import ClassVar, Literal

Fault = Literal["player", "configuration", "device", "disk", "program"]
"""Who has to do something about it: whoever plays or types, whoever set the table up, the box, the disk, or its programmers."""


class UnderboardError(Exception):
    """Something that is refused, or cannot be had; the text says why."""

    fault: ClassVar[Fault]
