"""The board: which cells carry a token, and which of these readings can be believed.

One :meth:`ReedBoard.poll` scans the matrix once and takes the reading through debounce, the
search for ghosts and the wait for a still position. A board that comes back is judged as at a start: what it showed
before is kept until the first readings have settled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from underboard.hardware.board.cell_map import CellMap, CellMapError, Sensor
from underboard.hardware.board.flutter import FlutterWatch
from underboard.hardware.board.ghosts import Doubt, find_doubts, still_in_doubt
from underboard.hardware.board.settle import QUIET_MS, Settler
from underboard.hardware.core.cells import Cell, closed_cells
from underboard.hardware.core.clock import Clock
from underboard.hardware.core.debounce import OFF_MS, ON_MS, ContactChange, Debouncer
from underboard.hardware.core.health import CellHealth, DeviceState, Health, counts

__all__ = ["Cell", "Reading", "ReedBoard", "Scanner"]


BUSY_POLL_MS = 4
IDLE_POLL_MS = 20
"""With it a token is seen at most 20 + 3 (bounce) + 15 (debounce) + 2 x 4 ms after contact."""
TOGETHER_MS = IDLE_POLL_MS
"""Contacts that close within one poll of a quiet board cannot be told apart in time."""


class Scanner(Protocol):
    """Whatever reads the raw matrix."""

    @property
    def state(self) -> DeviceState:
        """Whether it can be read."""
        ...

    @property
    def reason(self) -> str:
        """Why it cannot, in words; empty if it can."""
        ...

    def scan(self) -> tuple[int, ...] | None:
        """One mask a row, bit 0 for column 1, set where a contact is closed; None while it cannot be read."""
        ...


@dataclass(frozen=True)
class Reading:
    """What one poll found.

    ``ambiguous`` names the cells of ghost rectangles for people; of these only the doubtful
    ones are missing in ``occupied``, corners that had stood there before stay.
    """

    occupied: frozenset[Cell]
    """Debounced cells that carry a token, without holes, masked and doubtful cells."""
    settled: bool
    """The position has been the same for the quiet time."""
    ambiguous: frozenset[Cell]
    """Cells whose readings cannot be trusted."""
    faulty: frozenset[Cell]
    """Cells that chatter or flutter, which keep the state they had before, and cells without a working sensor."""
    changes: tuple[ContactChange, ...]
    """What entered or left ``occupied`` since the last poll: per cell strictly in turns."""


class ReedBoard:
    """A matrix of *rows* x *columns* sensors read through *scanner*; *holes* have no switch."""

    def __init__(
        self,
        scanner: Scanner,
        clock: Clock,
        *,
        rows: int,
        columns: int,
        on_ms: int = ON_MS,
        off_ms: int = OFF_MS,
        quiet_ms: int = QUIET_MS,
        holes: Iterable[Cell] = (),
        cell_map: CellMap | None = None,
    ) -> None:
        """Times in ms: contact debounce on and off, and how long a position must stand still.

        *rows*, *columns* and *holes* are those of the matrix; readings speak of the cells that *cell_map* (None: the
        plain one) has over its sensors. ValueError if the map is that of another matrix.
        """
        self._map = CellMap(rows, columns) if cell_map is None else cell_map
        if (self._map.rows, self._map.columns) != (rows, columns):
            raise CellMapError(
                f"the cell map is for {self._map.rows}x{self._map.columns} sensors, this matrix has {rows}x{columns}:"
                " run underboard selftest"
            )
        self._scanner = scanner
        self._clock = clock
        self._size = rows, columns
        self._times = on_ms, off_ms, quiet_ms
        self._holes = frozenset(holes)
        self._masked: frozenset[Cell] = frozenset()
        self._masks_changed = False
        self._shown: frozenset[Cell] = frozenset()
        self._raw: tuple[int, ...] = ()
        self._edges: Counter[Sensor] = Counter()
        self._episodes: Counter[Sensor] = Counter()
        self._begin()

    def _begin(self) -> None:
        """Nothing is known of the board."""
        on_ms, off_ms, quiet_ms = self._times
        self._debouncer = Debouncer(*self._size, on_ms=on_ms, off_ms=off_ms, edges=self._edges, episodes=self._episodes)
        self._flutter = FlutterWatch(self._episodes)
        self._settler = Settler(quiet_ms)
        self._started = False
        self._closings: list[ContactChange] = []
        self._doubts: set[Doubt] = set()
        self._occupied: frozenset[Cell] = frozenset()
        self._ambiguous: frozenset[Cell] = frozenset()

    @property
    def state(self) -> DeviceState:
        """Whether there is a board to be read."""
        return self._scanner.state

    @property
    def reason(self) -> str:
        """Why there is none, in words; empty if there is."""
        return self._scanner.reason

    def poll(self) -> Reading:
        """Scan once and say what the board looks like now; errors of the scanner pass through.

        While the scanner has nothing to say the last position stays, and is not settled.
        """
        now = self._clock.now()
        masks = self._scanner.scan()
        self._raw = masks or ()
        if masks is None:
            self._begin()
            return Reading(self._map.cells(self._shown), False, frozenset(), frozenset(), ())
        contacts = self._flutter.update(now, self._debouncer.update(now, masks))
        if contacts or self._masks_changed:
            self._judge(contacts)
        settled = self._settler.update(now, (self._occupied, self._ambiguous))
        self._started = self._started or settled
        changes = self._show(now, contacts) if self._started else ()
        return Reading(self._map.cells(self._shown), settled, self._map.cells(self._ambiguous), self._faulty(), changes)

    @property
    def contacts(self) -> frozenset[Cell]:
        """The cells that read closed at the last poll, with bounce, noise and ghosts; none while there is no board."""
        return self._map.cells(closed_cells(self._raw))

    def _faulty(self) -> frozenset[Cell]:
        """The cells that are not believed: those that do not rest, and those without a sensor."""
        restless = (self._debouncer.chattering() | self._flutter.fluttering()) - self._masked
        return self._map.cells(restless) | self._map.dead

    def health(self) -> Health:
        """How the board is, with whatever its scanner counts."""
        cells = {
            cell: CellHealth(edges, self._episodes[sensor])
            for sensor, edges in sorted(self._edges.items())
            if (cell := self._map.cell(sensor))
        }
        counters = {
            **counts(self._scanner),
            "chatters": self._episodes.total(),
            "masked": len(self._masked),
            "dead": len(self._map.dead),
        }
        return Health("board", self.state, self.reason, counters, self._faulty(), cells)

    def mask(self, cells: Iterable[Cell]) -> None:
        """From now on take no notice of *cells*, and of all others again; an empty call unmasks everything."""
        self._masked = self._map.sensors(cells)
        self._masks_changed = True

    def sensors(self, cells: Iterable[Cell]) -> frozenset[Sensor]:
        """The sensors under cells, as the matrix is wired."""
        return self._map.sensors(cells)

    def next_poll_ms(self) -> int:
        """How long to wait before the next poll: little while contacts move, longer on a quiet board."""
        return BUSY_POLL_MS if self._debouncer.restless(self._clock.now()) else IDLE_POLL_MS

    def _judge(self, contacts: list[ContactChange]) -> None:
        """Work out anew what is occupied and ambiguous."""
        masks = self._flutter.masks(self._debouncer.masks())
        self._doubts = still_in_doubt(self._doubts, masks) | find_doubts(masks, self._together(contacts), self._holes)
        self._ambiguous = frozenset(cell for doubt in self._doubts for cell in doubt.cells) - self._masked
        doubtful = {cell for doubt in self._doubts for cell in doubt.doubtful}
        self._occupied = closed_cells(masks) - doubtful - self._holes - self._masked
        self._masks_changed = False

    def _show(self, now: int, contacts: list[ContactChange]) -> tuple[ContactChange, ...]:
        """What all that changes for the game."""
        before, self._shown = self._shown, self._occupied
        if before == self._shown:
            return ()
        times = {change.cell: change.at for change in contacts}
        changes = [
            ContactChange(cell, sensor in self._shown, times.get(sensor, now))
            for sensor in sorted(before ^ self._shown)
            if (cell := self._map.cell(sensor))
        ]
        return tuple(sorted(changes, key=lambda change: change.at))

    def _together(self, contacts: list[ContactChange]) -> frozenset[Cell]:
        """The cells that closed at the same time as the newest; none before the first position stands."""
        closings = [change for change in contacts if change.closed]
        if not self._started or not closings:
            return frozenset()
        self._closings += closings
        newest = max(change.at for change in closings)
        self._closings = [change for change in self._closings if newest - change.at < TOGETHER_MS]
        return frozenset(change.cell for change in self._closings)
