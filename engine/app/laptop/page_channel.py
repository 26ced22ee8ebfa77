"""The channel between a table and its page: records go out, commands come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from underboard.engine.view.page_record import PageRecord
from underboard.web.access import SEATS, SPECTATORS, Access, AccessRules
from underboard.web.commands import Order, PageCommandReader
from underboard.web.event_stream import EventStream

CommandQueue = SimpleQueue[Order | None]
"""What the page wants done; None ends the program."""


@dataclass(frozen=True)
class PageChannel:
    """One page; `access_rules` are its addresses, None if nobody can ask for it."""

    events: EventStream[PageRecord]
    reader: PageCommandReader = field(default_factory=PageCommandReader)
    commands: CommandQueue = field(default_factory=SimpleQueue)
    access_rules: AccessRules | None = None

    def next_order(self, timeout_s: float | None = None) -> Order | None:
        """The next command that is still asked for, None if the program is to end. Raises Empty after the time."""
        while (order := self.commands.get(timeout=timeout_s)) is not None:
            if order.take():
                return order
        return None

    def links(self, seats: Sequence[str]) -> dict[str, Any] | None:
        """The addresses of seats and spectators; None where one page is for all, on this computer alone."""
        if self.access_rules is None or not self.access_rules.locked:
            return None
        keys = {seat: link_record(self.access_rules, access) for seat, access in zip(seats, SEATS, strict=False)}
        return {"seats": keys, "watch": link_record(self.access_rules, SPECTATORS)}


def link_record(access_rules: AccessRules, access: Access) -> dict[str, Any]:
    """An address as JSON values."""
    link = access_rules.link(access)
    return {"url": link.url, "code": list(link.code), "others": list(link.others)}
