"""The table as JSON values, for scripts and pages: the keys are those of the table scripts' output."""

from __future__ import annotations

from typing import Any

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import TABLE
from underboard.engine.referee.alert import Alert
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.state import TableState


def report(table: TableState, words: Words) -> dict[str, Any]:
    """Whose turn it is, what the keys can choose, what is wrong, what stands where."""
    alert = find_alert(table)
    game = table.setup.game
    return {
        "to_move": game.to_move(table.state) if table.playing else TABLE,
        "phase": "deal" if table.deal else game.phase(table.state) if table.playing else "set_up",
        "choices": [choice.name for choice in table.choices],
        "selected": table.selected,
        "alert": None if alert is None else alert_record(alert, words),
        "sensed": sorted(table.sensed),
        "expected": sorted(table.layout.spaces),
        "devices": dict(table.devices),
        "outcome": game.outcome(table.state),
    }


def alert_record(alert: Alert, words: Words) -> dict[str, Any]:
    """What is wrong, as JSON values."""
    return {"code": alert.code, "cells": list(alert.cells), "text": alert.text(words)}
