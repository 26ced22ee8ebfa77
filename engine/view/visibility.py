"""Who gets to see what: the one place that decides which parts of a page's record leave for whom.

Everybody sees what is public. A seat sees its own part as well. The table's own page sees all; where hands have addresses of their
own, all but the hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from underboard.engine.view.page_record import PageRecord

NO_HANDS: Mapping[str, Any] = {"hands": {}, "playable": {}}


def seen_by(audience: str, record: PageRecord) -> Mapping[str, Any]:
    """What "table", "seat 1", "seat 2", … or "watch" sees of a record. A seat that the game does not have only watches."""
    if audience == "table":
        hidden = NO_HANDS if record.table.get("links") else {}
        return {**record.public, **record.table, **hidden, "you": {"role": "table", "seat": None}}
    role = "seat" if audience.startswith("seat") else "watch"
    seat = seat_of(audience, record)
    own = record.seats[seat] if seat is not None else NO_HANDS
    return {**record.public, **own, "you": {"role": role, "seat": seat}}


def seen_by_reader(record: PageRecord) -> Mapping[str, Any]:
    """What is seen of a game that is played back from a file: all hands, and nothing can be done."""
    return {**record.public, **record.table, "playable": {}, "you": {"role": "watch", "seat": None}}


def seat_of(audience: str, record: PageRecord) -> str | None:
    """The seat of the game on the table that an audience plays."""
    word, _, number = audience.partition(" ")
    seats = tuple(record.seats)
    return seats[int(number) - 1] if word == "seat" and 0 < int(number) <= len(seats) else None
