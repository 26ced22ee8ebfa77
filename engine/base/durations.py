"""Times as people write them."""

from __future__ import annotations

import re

from underboard.engine.base.errors import BadArgument

UNITS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
YEAR, CENTURY = "366d", "36525d"
"""The longest that a table stands in a cupboard, and the furthest that a clock without battery is off: whoever writes more means
something else."""


def duration(text: str, longest: str = YEAR) -> int:
    """Milliseconds of "300ms", "2s", "1.5min", "3h", "14d". Raises BadArgument, for one that is longer than `longest` too."""
    ms = milliseconds(text)
    if ms > milliseconds(longest):
        raise BadArgument(f"{text} is too long: {longest} is the longest time")
    return round(ms)


def milliseconds(text: str) -> float:
    """However many. Raises BadArgument for what is no time."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s|min|h|d)", text, re.ASCII)
    if not match:
        raise BadArgument(f"'{text}' is no time: write 300ms, 2s, 1min or 3h")
    return float(match[1]) * UNITS[match[2]]
