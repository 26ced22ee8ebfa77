"""Contact debounce, for reed switches and keys alike.

A contact counts as closed when it has read closed for ``on_ms`` without a break, as open
when it has read open for ``off_ms``. What counts is time elapsed, not the number of
readings, so the result does not depend on how often somebody polls. Opening takes longer:
a token that is lifted or pushed away may close its reed once more, some 40 ms later, and
closing must be quick because a player waits for it.

A contact that keeps on flickering is *chattering*: it is broken, or a strange magnet is near.
Its noise would sooner or later look like a steady state, so it is frozen in the state it had
before it began, until it has been calm for a while. The limit lies far above what
1 % of wrong readings on a bad cable produces and far below real chatter.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from underboard.hardware.core.cells import Cell, bits, closed_cells

ON_MS = 15
OFF_MS = 45
CHATTER_EDGES = 20
CHATTER_WINDOW_MS = 250
RESTLESS_MS = 50
"""After an edge contacts are worth a closer look for this long: longer than either debounce time."""


@dataclass(frozen=True)
class ContactChange:
    """A contact that closed or opened for good; ``at`` is the time it was first read so, in ms."""

    cell: Cell
    closed: bool
    at: int


@dataclass
class _Flicker:
    """The recent edges of one contact and the state it had before them."""

    closed_before: bool
    edges: deque[int] = field(default_factory=deque)

    def forget(self, before: int) -> None:
        while self.edges and self.edges[0] <= before:
            self.edges.popleft()


class Debouncer:
    """Debounces a whole matrix of *rows* x *columns* contacts; all of them start open.

    The readings are packed into one integer, so a look at a quiet board is one comparison.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        *,
        on_ms: int = ON_MS,
        off_ms: int = OFF_MS,
        edges: Counter[Cell] | None = None,
        episodes: Counter[Cell] | None = None,
    ) -> None:
        """Times in ms; ValueError if one is negative.

        *edges* counts, for each contact, the readings other than the one before, *episodes* how often it began to chatter.
        """
        if on_ms < 0 or off_ms < 0:
            raise ValueError(f"debounce times cannot be negative: {on_ms} ms, {off_ms} ms")
        self._columns = columns
        self._on_ms = on_ms
        self._off_ms = off_ms
        self._read: tuple[int, ...] = (0,) * rows
        self._raw = 0
        self._stable = 0
        self._since: dict[int, int] = {}
        self._flickers: dict[int, _Flicker] = {}
        self._frozen = 0
        self._last_edge: int | None = None
        self._edges: Counter[Cell] = Counter() if edges is None else edges
        self._episodes: Counter[Cell] = Counter() if episodes is None else episodes

    def update(self, now: int, masks: Sequence[int]) -> list[ContactChange]:
        """Take in the readings *masks* (one mask a row) of time *now*; the contacts that changed, earliest first."""
        masks = tuple(masks)
        if masks == self._read and not self._since and not self._flickers:
            return []
        raw = self._pack(masks)
        edges = self._raw ^ raw
        self._read, self._raw = masks, raw
        return self._watch(now, edges) + self._follow(now)

    def masks(self) -> tuple[int, ...]:
        """The debounced state, one mask a row."""
        return self._unpack(self._stable)

    def chattering(self) -> frozenset[Cell]:
        """The contacts that are frozen because they chatter."""
        return closed_cells(self._unpack(self._frozen)) if self._frozen else frozenset()

    def restless(self, now: int) -> bool:
        """Whether some contact moved so recently that readings should follow each other quickly."""
        return self._last_edge is not None and now - self._last_edge < RESTLESS_MS

    def _follow(self, now: int) -> list[ContactChange]:
        """Change the contacts that have read otherwise for long enough; those that agree again start anew."""
        different = (self._raw ^ self._stable) & ~self._frozen
        self._since = {bit: self._since.get(bit, now) for bit in bits(different)}
        due = [bit for bit, since in self._since.items() if now - since >= self._hold_ms(bit)]
        changes = [self._flip(bit, self._since.pop(bit)) for bit in due]
        return sorted(changes, key=lambda change: change.at)

    def _hold_ms(self, bit: int) -> int:
        return self._on_ms if self._raw >> bit & 1 else self._off_ms

    def _flip(self, bit: int, at: int) -> ContactChange:
        self._stable ^= 1 << bit
        return ContactChange(self._cell(bit), bool(self._stable >> bit & 1), at)

    def _watch(self, now: int, edges: int) -> list[ContactChange]:
        """Count edges, release contacts that calmed down, freeze those that chatter and undo what they faked."""
        if edges:
            self._last_edge = now
        for bit in bits(edges):
            flicker = self._flickers.setdefault(bit, _Flicker(bool(self._stable >> bit & 1)))
            flicker.edges.append(now)
            self._edges[self._cell(bit)] += 1
        self._calm_down(now)
        return [change for bit in bits(edges) for change in self._freeze(now, bit)]

    def _calm_down(self, now: int) -> None:
        calm = [bit for bit, flicker in self._flickers.items() if flicker.edges[-1] <= now - CHATTER_WINDOW_MS]
        for bit in calm:
            del self._flickers[bit]
            self._frozen &= ~(1 << bit)

    def _freeze(self, now: int, bit: int) -> list[ContactChange]:
        flicker = self._flickers[bit]
        flicker.forget(now - CHATTER_WINDOW_MS)
        if len(flicker.edges) < CHATTER_EDGES:
            return []
        self._episodes[self._cell(bit)] += not self._frozen >> bit & 1
        self._frozen |= 1 << bit
        faked = flicker.closed_before != bool(self._stable >> bit & 1)
        return [self._flip(bit, now)] if faked else []

    def _cell(self, bit: int) -> Cell:
        row, column = divmod(bit, self._columns)
        return row + 1, column + 1

    def _pack(self, masks: Sequence[int]) -> int:
        packed = 0
        for mask in reversed(masks):
            packed = packed << self._columns | mask
        return packed

    def _unpack(self, packed: int) -> tuple[int, ...]:
        row = (1 << self._columns) - 1
        return tuple(packed >> index * self._columns & row for index in range(len(self._read)))
