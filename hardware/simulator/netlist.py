"""The switches under the board and the keys as an electrical circuit below the pins.

Row lines are driven low, driven high or left floating; columns are pulled up. A column
reads low if current can run from it to a row driven low. With a diode at every contact the
only way is a closed contact of that row. Without diodes current runs both ways through
every closed contact and on through floating lines: three closed corners of a rectangle
then pull the fourth one's column low as well. That is all there is to a ghost; it comes
out of the same solver and needs no case of its own.

Contacts bounce as reeds do. Whether a contact is closed is a pure function of the clock's
time, so nothing has to be scheduled: whoever looks, sees.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum
from random import Random
from typing import Literal

from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import Clock

CLOSING_BOUNCE_MS = 3
OPENING_BOUNCE_MS = 2
"""A reed opens with 1.5 ms of bounce; this is the next whole millisecond."""
MAX_LINES = 16

Stuck = Literal["closed", "open"]


class Contact:
    """One reed switch or key.

    It is closed by a magnet or a finger and bounces on the way; two faults can be put on
    it: it may stick in one position, or chatter until a given time.
    """

    def __init__(self, clock: Clock, seed: int = 0) -> None:
        """An open contact at rest; *seed* picks its bounce pattern."""
        self.stuck: Stuck | None = None
        self._clock = clock
        self._seed = seed
        self._pressed = False
        self._bounce_until = 0
        self._chatter_until = 0

    def close(self) -> None:
        """The magnet or the finger arrives now."""
        self._move(True, CLOSING_BOUNCE_MS)

    def open(self) -> None:
        """The magnet or the finger leaves now."""
        self._move(False, OPENING_BOUNCE_MS)

    def _move(self, pressed: bool, bounce_ms: int) -> None:
        if pressed != self._pressed:
            self._pressed = pressed
            self._bounce_until = self._clock.now() + bounce_ms

    def chatter(self, until: int) -> None:
        """Open and close at random until the clock shows *until*, then rest."""
        self._chatter_until = until

    @property
    def steady_from(self) -> int:
        """The time from which :meth:`closed` stays the same unless somebody touches the contact."""
        return 0 if self.stuck else max(self._bounce_until, self._chatter_until)

    def closed(self) -> bool:
        """Whether current can pass at this very millisecond."""
        if self.stuck:
            return self.stuck == "closed"
        now = self._clock.now()
        if now >= self._bounce_until and now >= self._chatter_until:
            return self._pressed
        return Random(f"{self._seed}/{now}").random() < 0.5


class Diodes(Enum):
    """How the diodes of a matrix are soldered in."""

    FITTED = "fitted"
    MISSING = "missing"
    REVERSED = "reversed"


class ReedMatrix:
    """A matrix of contacts between row lines and column lines, 1x1 to 16x16, with its faults.

    Rows and columns count from 1. ``diodes`` may be set at any time. ValueError names a
    size or a cell that does not exist.
    """

    def __init__(
        self,
        clock: Clock,
        rows: int,
        columns: int,
        *,
        diodes: Diodes = Diodes.FITTED,
        holes: Iterable[Cell] = (),
        seed: int = 0,
    ) -> None:
        """A matrix at rest with all lines floating; *holes* are cells without a switch."""
        if not (1 <= rows <= MAX_LINES and 1 <= columns <= MAX_LINES):
            raise ValueError(f"a matrix is 1x1 to {MAX_LINES}x{MAX_LINES}, not {rows}x{columns}")
        self.rows = rows
        self.columns = columns
        self._clock = clock
        self._diodes = diodes
        everywhere = ((row, column) for row in range(1, rows + 1) for column in range(1, columns + 1))
        holes = frozenset(holes)
        self._contacts = {cell: Contact(clock, hash((seed, *cell))) for cell in everywhere if cell not in holes}
        self._drives: dict[int, bool] = {}
        self._touches = 0
        self._closed: list[int] = []
        self._closed_after = -1
        self._closed_at = 0
        self._steady_from = 0
        self._low_columns = 0
        self._solved_at: int | None = None
        self._random = Random(seed)
        self._noise = 0.0
        self._reads_to_noise = math.inf

    # ---- what hands and faults do -------------------------------------------------

    def close(self, cell: Cell) -> None:
        """A magnet arrives over *cell*."""
        self._contact(cell).close()
        self._touched()

    def open(self, cell: Cell) -> None:
        """The magnet over *cell* leaves."""
        self._contact(cell).open()
        self._touched()

    def stick(self, cell: Cell, stuck: Stuck | None) -> None:
        """Weld *cell* closed or open, or repair it (None)."""
        self._contact(cell).stuck = stuck
        self._touched()

    def chatter(self, cell: Cell, ms: int) -> None:
        """Let *cell* open and close at random for the next *ms* milliseconds."""
        self._contact(cell).chatter(self._clock.now() + ms)
        self._touched()

    @property
    def diodes(self) -> Diodes:
        """How the diodes are soldered in; may be set."""
        return self._diodes

    @diodes.setter
    def diodes(self, diodes: Diodes) -> None:
        self._diodes = diodes
        self._solved_at = None

    @property
    def noise(self) -> float:
        """The share of column readings that come out wrong, 0 to below 1; may be set."""
        return self._noise

    @noise.setter
    def noise(self, rate: float) -> None:
        if not 0 <= rate < 1:
            raise ValueError(f"noise is a share from 0 to below 1, not {rate}")
        self._noise = rate
        self._reads_to_noise = self._next_gap()

    def _next_gap(self) -> float:
        """Readings up to the next wrong one: drawing gaps is far cheaper than drawing every reading."""
        if not self._noise:
            return math.inf
        return 1 + int(math.log(1 - self._random.random()) / math.log(1 - self._noise))

    def _contact(self, cell: Cell) -> Contact:
        if cell not in self._contacts:
            raise ValueError(f"no switch at row {cell[0]}, column {cell[1]}")
        return self._contacts[cell]

    def _touched(self) -> None:
        """Counted after the act, so that a scan on another thread cannot take an older state for the newest."""
        self._touches += 1
        self._solved_at = None

    # ---- what the pins see --------------------------------------------------------

    def drive_row(self, row: int, level: bool | None) -> None:
        """Drive the line of *row* high or low, or let it float (None)."""
        if level is None:
            self._drives.pop(row, None)
        else:
            self._drives[row] = level
        self._solved_at = None

    def drive_only(self, row: int | None) -> None:
        """Drive the line of *row* low and let all others float, or all lines (None)."""
        self._drives = {} if row is None else {row: False}
        self._solved_at = None

    def column_level(self, column: int) -> bool:
        """The level of a *column* that is pulled up, read now: high unless current runs to a low row."""
        low = self._solved() >> (column - 1) & 1
        return not low ^ self._wrong_reads(1)

    def low_columns(self) -> int:
        """The mask of the columns that read low now, bit 0 for column 1, all of them pulled up and read at once."""
        return self._solved() ^ self._wrong_reads(self.columns)

    def _wrong_reads(self, count: int) -> int:
        """Which of the next *count* readings noise turns round, as a mask."""
        wrong, at = 0, self._reads_to_noise
        while at <= count:
            wrong |= 1 << int(at) - 1
            at += self._next_gap()
        self._reads_to_noise = at - count
        return wrong

    def _solved(self) -> int:
        """The columns that are low now, worked out again only if something may have changed."""
        now = self._clock.now()
        if now != self._solved_at:
            self._low_columns = self._solve(self._closed_masks(now))
            self._solved_at = now
        return self._low_columns

    def _closed_masks(self, now: int) -> list[int]:
        """Closed contacts, one mask a row; worked out again only after a touch and while something bounces."""
        touches = self._touches
        if touches != self._closed_after or (now != self._closed_at and self._closed_at < self._steady_from):
            self._closed = [0] * self.rows
            for (row, column), contact in self._contacts.items():
                if contact.closed():
                    self._closed[row - 1] |= 1 << (column - 1)
            self._steady_from = max((contact.steady_from for contact in self._contacts.values()), default=0)
            self._closed_at, self._closed_after = now, touches
        return self._closed

    def _solve(self, closed: list[int]) -> int:
        """The mask of columns from which current can reach a row driven low."""
        if self._diodes is Diodes.REVERSED:
            return 0
        low = 0
        for row, level in self._drives.items():
            if not level:
                low |= closed[row - 1]
        return self._spread(low, closed) if self._diodes is Diodes.MISSING else low

    def _spread(self, low: int, closed: list[int]) -> int:
        """Follow the current from low columns through floating rows to further columns until no more is reached.

        A row driven high is held there by its driver and passes nothing on.
        """
        waiting = {row for row in range(1, self.rows + 1) if row not in self._drives}
        reached = {row for row in waiting if closed[row - 1] & low}
        while reached:
            waiting -= reached
            for row in reached:
                low |= closed[row - 1]
            reached = {row for row in waiting if closed[row - 1] & low}
        return low
