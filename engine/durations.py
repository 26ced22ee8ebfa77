"""Times as people write them."""

from __future__ import annotations

import re

from engine.errors import BadArgument

UNITS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


def duration(text: str) -> int:
    """Milliseconds of "300ms", "2s", "1.5min", "3h", "14d". Raises BadArgument."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|min|h|d)", text, re.ASCII)
    if not match:
        raise BadArgument(f"'{text}' is no time: write 300ms, 2s, 1min or 3h")
    return round(float(match[1]) * UNITS[match[2]])
