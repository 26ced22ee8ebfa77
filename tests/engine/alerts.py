"""The alert of a table on which something must be wrong."""

from __future__ import annotations

from underboard.engine.referee.alert import Alert
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.state import TableState


def the_alert(table: TableState) -> Alert:
    """The most urgent alert; fails if nothing is wrong."""
    alert = find_alert(table)
    assert alert
    return alert
