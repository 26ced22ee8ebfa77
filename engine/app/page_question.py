"""What a page asks of whoever looks at it, by which a command that comes late is told from one that answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

QUESTION = ("place", "game", "ply", "to_move", "phase", "choices", "playable")
"""What of a page says who has to act, and what can be answered."""


def asked(seen: Mapping[str, Any]) -> object:
    """What a page asks of whoever looks at it; while that is the same, a command means the same."""
    return [seen.get(key) for key in QUESTION]
