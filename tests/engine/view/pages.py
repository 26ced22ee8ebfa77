"""Pages for tests: what the table's own page shows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from underboard.engine.app.pixels import pixels
from underboard.engine.referee.state import TableState
from underboard.engine.view.page_record import PageRecord, Surroundings, page_record
from underboard.engine.view.visibility import seen_by
from underboard.web.event_stream import EventStream


def table_page(table: TableState, tokens: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The page of a table on which these tokens stand."""
    return dict(seen_by("table", page_record(table, Surroundings(tokens or {}, (), "", (), (), pixels))))


def page_stream() -> EventStream[PageRecord]:
    """A stream to which nothing has been published yet."""
    return EventStream(seen_by, PageRecord())
