"""Who gets to see what: the one place that decides which parts of a page's record leave for whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from underboard.engine.gamekit.game import Seat
from underboard.engine.view.page_record import PageRecord


def seen_by(audience: str, record: PageRecord) -> Mapping[str, Any]:
    """What "table", "seat 1", "seat 2", … or "watch" sees of a record. A seat that the game does not have only watches."""
    if audience == "table":
        return {**record.public, **record.table, "you": {"role": "table", "seat": None}}
    seat = seat_of(audience, tuple(record.seats))
    own = {} if seat is None else record.seats[seat]
    return {**record.public, **own, "you": {"role": "seat" if audience.startswith("seat") else "watch", "seat": seat}}


def seen_by_reader(record: PageRecord) -> Mapping[str, Any]:
    """What is seen of a game that is played back from a file: all hands, and nothing can be done."""
    return {**record.public, **record.reader, "you": {"role": "watch", "seat": None}}


def seat_of(audience: str, seats: Sequence[Seat]) -> Seat | None:
    """The seat that an audience plays, of those of a game in the order of play; None for one that plays none."""
    word, _, number = audience.partition(" ")
    return seats[int(number) - 1] if word == "seat" and 0 < int(number) <= len(seats) else None
