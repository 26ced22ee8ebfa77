"""Keys on the pages of seats: each page has a panel of its own, so its keys are no contacts of the box."""

from __future__ import annotations

from underboard.engine.gamekit.game import Seat
from underboard.engine.referee.events import KeyPressed

HOLD_MS = 1_000
"""As long as on the panel."""


class SeatKeys:
    """Makes presses and holds of keys that go down and up on the pages of seats."""

    def __init__(self) -> None:
        self._down: dict[tuple[Seat, str], int] = {}

    def take(self, seat: Seat, key: str, down: bool, now: int) -> KeyPressed | None:
        """What it comes to that a key goes down or up on the page of a seat; `now` in milliseconds. None: nothing yet."""
        if down:
            self._down[seat, key] = now
            return None
        since = self._down.pop((seat, key), None)
        return None if since is None else KeyPressed(key, now - since >= HOLD_MS, since, seat)
