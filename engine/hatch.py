"""Through which a table and its page reach each other: what is to be seen goes out, what is wanted comes in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from hardware.simulator.commands import Command, CommandReader
from hardware.simulator.doors import SEATS, SPECTATORS, Door, Doors
from hardware.simulator.feed import Feed

Commands = SimpleQueue[Command | None]
"""What the page wants done; None ends the program."""


@dataclass(frozen=True)
class Hatch:
    """One page; `doors` are its addresses, None if nobody can ask for it."""

    feed: Feed
    reader: CommandReader = field(default_factory=CommandReader)
    commands: Commands = field(default_factory=SimpleQueue)
    doors: Doors | None = None

    def links(self, seats: Sequence[str]) -> dict[str, Any] | None:
        """The addresses of seats and spectators; None where one page is for all, on this computer alone."""
        if self.doors is None or not self.doors.locked:
            return None
        keys = {seat: link_record(self.doors, door) for seat, door in zip(seats, SEATS, strict=False)}
        return {"seats": keys, "watch": link_record(self.doors, SPECTATORS)}


def link_record(doors: Doors, door: Door) -> dict[str, Any]:
    """The address of a door as JSON values."""
    link = doors.link(door)
    return {"url": link.url, "code": list(link.code)}
