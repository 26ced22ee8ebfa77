"""Time, real and virtual.

All durations and moments of the project are whole milliseconds of a monotonic clock. The
Pi has no clock battery: its wall time may be weeks off and jump at any moment, so wall
time is a label on a record and nothing is ever measured with it.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What a driver may ask about time. Drivers get a clock handed in; none reads its own."""

    def now(self) -> int:
        """Monotonic milliseconds; only differences mean anything."""
        ...

    def wall(self) -> datetime:
        """The date and time of day in UTC, a label for people only."""
        ...

    def sleep(self, ms: int) -> None:
        """Let *ms* milliseconds pass."""
        ...


class RealClock:
    """The computer's own clock."""

    def now(self) -> int:
        """Milliseconds of the system's monotonic clock."""
        return time.monotonic_ns() // 1_000_000

    def wall(self) -> datetime:
        """The system's wall time in UTC; it may jump."""
        return datetime.now(UTC)

    def sleep(self, ms: int) -> None:
        """Block this thread for *ms* milliseconds; ValueError if negative."""
        time.sleep(ms / 1000)


class JumpingClock(RealClock):
    """The computer's own clock with a wall time that can be set wrong, for tables that are simulated in real time."""

    def __init__(self) -> None:
        """At first the wall time is right."""
        self._jumped = timedelta()

    def wall(self) -> datetime:
        """The system's wall time in UTC, with all jumps."""
        return super().wall() + self._jumped

    def jump_wall(self, by: timedelta) -> None:
        """Set the wall clock by *by* forward or back; monotonic time does not notice."""
        self._jumped += by


class VirtualClock:
    """A clock that moves only when told to, so ten minutes at the table take seconds."""

    def __init__(self, start_wall: datetime = datetime(2024, 1, 1, tzinfo=UTC)) -> None:
        """Start at 0 ms with the wall clock at *start_wall* (aware, else ValueError)."""
        if start_wall.tzinfo is None:
            raise ValueError("start_wall needs a time zone")
        self._now = 0
        self._wall_at_zero = start_wall.astimezone(UTC)

    def now(self) -> int:
        """Virtual milliseconds since the clock was made."""
        return self._now

    def wall(self) -> datetime:
        """The virtual wall time in UTC, with all jumps."""
        return self._wall_at_zero + timedelta(milliseconds=self._now)

    def advance(self, ms: int) -> None:
        """Let *ms* milliseconds pass at once; ValueError if negative, for time does not run back."""
        if ms < 0:
            raise ValueError(f"time cannot run back by {-ms} ms")
        self._now += ms

    def sleep(self, ms: int) -> None:
        """Same as :meth:`advance`: sleeping costs no real time here."""
        self.advance(ms)

    def jump_wall(self, by: timedelta) -> None:
        """Set the wall clock by *by* forward or back; monotonic time does not notice."""
        self._wall_at_zero += by
