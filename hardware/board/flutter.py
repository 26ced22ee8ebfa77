"""Cells that come and go for ever: too slow for bounce, too fast and too long for a hand.

A loose wire or a magnet at the edge of its reach makes a cell open and close some times a
second. Each of these changes outlasts the debounce, so the board would never come to rest and
no token would count any more. A hand that drums with a token does the same, but not for long.
So a cell that changes without end is held in the state it had before, and named, until it has
been calm for a while.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

from underboard.hardware.core.cells import Cell
from underboard.hardware.core.debounce import ContactChange

FLUTTER_CHANGES = 14
"""Seven times there and back without a rest: nobody plays like that. The number is even."""
REST_MS = 400
"""A state that lasts longer than this ends a flutter, or what might have become one."""
CALM_MS = 2_000
"""So long a cell that is held has to be calm."""


class FlutterWatch:
    """Watches debounced changes; one for a whole board."""

    def __init__(self, episodes: Counter[Cell] | None = None) -> None:
        """Nothing flutters; *episodes* counts how often each cell has begun to."""
        self._episodes: Counter[Cell] = Counter() if episodes is None else episodes
        self._recent: dict[Cell, deque[ContactChange]] = {}
        self._held: dict[Cell, bool] = {}

    def update(self, now: int, changes: list[ContactChange]) -> list[ContactChange]:
        """Take in the debounced *changes* up to *now* (ms); those to be believed, with corrections of earlier ones."""
        if not changes and not self._held:
            return changes
        believed = [one for change in changes for one in self._take(change)]
        return believed + self._release(now)

    def masks(self, masks: Sequence[int]) -> tuple[int, ...]:
        """Debounced *masks*, one a row, with the fluttering cells as they are held."""
        held = list(masks)
        for (row, column), closed in self._held.items():
            bit = 1 << column - 1
            held[row - 1] = held[row - 1] | bit if closed else held[row - 1] & ~bit
        return tuple(held)

    def fluttering(self) -> frozenset[Cell]:
        """The cells that are held."""
        return frozenset(self._held)

    def _take(self, change: ContactChange) -> list[ContactChange]:
        recent = self._recent.setdefault(change.cell, deque(maxlen=FLUTTER_CHANGES))
        if change.cell in self._held:
            recent.append(change)
            return []
        if recent and change.at - recent[-1].at > REST_MS:
            recent.clear()
        recent.append(change)
        if len(recent) >= FLUTTER_CHANGES:
            self._episodes[change.cell] += 1
            self._held[change.cell] = change.closed  # after an even number of changes that is how it began
        return [change]

    def _release(self, now: int) -> list[ContactChange]:
        """Let go of the cells that have been calm: what they are now is believed again."""
        calm = [cell for cell in self._held if self._recent[cell][-1].at <= now - CALM_MS]
        ends = {cell: (self._recent.pop(cell)[-1].closed, self._held.pop(cell)) for cell in calm}
        return [ContactChange(cell, closed, now) for cell, (closed, held) in ends.items() if closed != held]
