"""Lays cards on a simulated reader, one after the other, and takes each away to its player, as fast as a hand can."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from underboard.hardware.cards.frames import Tag
from underboard.hardware.core.clock import Clock
from underboard.hardware.simulator.card_reader import SimulatedReader

LIES_MS = 450
"""Long enough to be read twice, by the slowest reader too."""
BETWEEN_MS = 150
MOST_WAITING = 60

Pick = Callable[[], Tag]
"""Which card is laid down; asked when its turn has come."""


class CardHand:
    """One hand over one reader; call `poll` often."""

    def __init__(self, reader: SimulatedReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._waiting: deque[Pick] = deque()
        self._due = 0

    @property
    def busy(self) -> bool:
        """Whether a card lies on the reader or more are to come."""
        return bool(self._reader.tag or self._waiting)

    def lay(self, pick: Pick) -> None:
        """Lays a card down as soon as the reader is free. Nobody lays down more than a few dozen at once: the rest is left."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(pick)

    def poll(self) -> None:
        """The next move of the hand, if it is time for it."""
        now = self._clock.now()
        if now < self._due:
            return
        if self._reader.tag:
            self._reader.take_away()
            self._due = now + BETWEEN_MS
        elif self._waiting:
            self._reader.lay(self._waiting.popleft()())
            self._due = now + LIES_MS
