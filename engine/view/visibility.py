"""Who gets to see what: the one place that decides which part of a snapshot leaves for whom.

The table's own page sees all; where hands have addresses of their own, all but the hands. A seat sees its hand, and of the
rest only what lies open; spectators see what lies open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SECRETS = frozenset({"hands", "playable", "choices", "selected", "links", "games", "kept"})
"""What does not lie open: cards and what they can be used for, addresses, and what only the start page needs."""


def seen_by(audience: str, snapshot: Mapping[str, Any]) -> Mapping[str, Any]:
    """What "table", "seat 1", "seat 2", … or "watch" sees of a snapshot. A seat that the game does not have only watches."""
    if audience == "table":
        kept_back = ("hands", "playable") if snapshot.get("links") else ()
        return {**snapshot, **{key: {} for key in kept_back}, "you": {"role": "table", "seat": None}}
    lies_open = {key: value for key, value in snapshot.items() if key not in SECRETS}
    seat = seat_of(audience, snapshot)
    if seat is None:
        role = "seat" if audience.startswith("seat") else "watch"
        return {**lies_open, "hands": {}, "playable": {}, "you": {"role": role, "seat": None}}
    return {
        **lies_open,
        "hands": {seat: snapshot["hands"][seat]} if seat in snapshot["hands"] else {},
        "playable": snapshot["playable"] if snapshot["to_move"] == seat else {},
        "you": {"role": "seat", "seat": seat},
    }


def seat_of(audience: str, snapshot: Mapping[str, Any]) -> str | None:
    """The seat of the game on the table that an audience plays."""
    word, _, number = audience.partition(" ")
    seats = snapshot.get("seats", ())
    return seats[int(number) - 1] if word == "seat" and 0 < int(number) <= len(seats) else None
