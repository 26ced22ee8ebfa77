"""When a position may be judged: the whole board has been still for a while.

A token on its way over other spaces, a hand that nudges, two hands at once: all of these end
in a position that stays. This timer is apart from contact debounce (one cell, some
milliseconds) and from the patience with a wrong board (seconds).
"""

from __future__ import annotations

from collections.abc import Hashable

QUIET_MS = 250


class Settler:
    """Says whether the position has been the same for *quiet_ms* milliseconds.

    Nothing is settled before the first readings have stood that long: what a board shows
    right after power-on is not yet its position.
    """

    def __init__(self, quiet_ms: int = QUIET_MS) -> None:
        """ValueError if *quiet_ms* is negative."""
        if quiet_ms < 0:
            raise ValueError(f"the quiet time cannot be negative: {quiet_ms} ms")
        self._quiet_ms = quiet_ms
        self._position: Hashable = None
        self._since: int | None = None

    def update(self, now: int, position: Hashable) -> bool:
        """Take in the *position* at time *now* (ms); True if it is settled."""
        if self._since is None or position != self._position:
            self._position = position
            self._since = now
        return now - self._since >= self._quiet_ms
