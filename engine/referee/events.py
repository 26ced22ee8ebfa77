"""The events that the referee takes in, and the effects that it asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from underboard.engine.base.errors import Text
from underboard.engine.gamekit.game import Action, Announcement, Seat
from underboard.engine.gamekit.overlay import Space


@dataclass(frozen=True, slots=True)
class BoardRead:
    """The debounced occupancy; `settled` once nothing has moved for a while. Ambiguous and faulty spaces are in neither."""

    sensed: frozenset[Space]
    settled: bool
    ambiguous: frozenset[Space] = frozenset()
    faulty: frozenset[Space] = frozenset()


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key was pressed and released, or held for a second."""

    name: str
    held: bool = False
    since: int | None = None
    """When it went down, in the caller's milliseconds; None: now."""
    seat: Seat | None = None
    """Whose page it is on, where that seat sees its own hand; None: the panel's own."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice was taken by its name on a page, without the cursor; `seat` is whose page it is, None for the table's own."""

    name: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card was laid on the reader; `card` is None if its tag is in no deck."""

    card: str | None
    tag: str


@dataclass(frozen=True, slots=True)
class CardTaken:
    """The card was taken off the reader."""


@dataclass(frozen=True, slots=True)
class DevicesChanged:
    """The states of all devices: "ready", "absent", "probing" or "fault"."""

    states: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SeatPages:
    """Each seat has a page of its own, on a phone for instance, or none has one any more.

    `codes` are the QR codes of their addresses by seat, rows of "1" for dark and "0" for light, {} without pages; `taken` are the seats
    whose page is open on a phone.
    """

    codes: Mapping[Seat, Sequence[str]]
    taken: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class SavingChanged:
    """Whether the journal can be written: `problem` says why not, None that all of it is on disk again."""

    problem: Text | None


@dataclass(frozen=True, slots=True)
class Ordered:
    """An action that is ordered without board and keys, also "undo" and "next …": a script's `do`."""

    action: Action


@dataclass(frozen=True, slots=True)
class TimePassed:
    """A deadline of the table has come."""


Event = BoardRead | KeyPressed | Chosen | CardLaid | CardTaken | DevicesChanged | SavingChanged | SeatPages | Ordered | TimePassed


@dataclass(frozen=True, slots=True)
class Did:
    """Something happened in the game; it must be on disk before anybody sees it.

    Kind `correct` is what a referee set by hand, `table` concerns only the table: its language, its scores.
    `record` is the state that a new game begins with (kinds `new` and `next`), `options` the words that made it.
    """

    kind: Literal["new", "next", "do", "undo", "correct", "table"]
    action: Action
    standing: frozenset[Space]
    said: Sequence[Announcement] = ()
    options: Mapping[str, str] | None = None
    record: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Tone:
    """A sound: "right", "wrong", "win", "fuse" or "click"."""

    name: str


Effect = Did | Tone
