"""A table that is watched: the crowd is there while the turns are measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import crowd


def test_turns_are_measured_before_a_crowd_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "TURNS", 100)
    with crowd.WatchedTable(tmp_path) as table, crowd.watching(table.port, 3):
        turns = table.turns_ms()
    assert len(turns) == 100
    assert min(turns) > 0


def test_a_crowd_that_finds_no_table_measures_nothing() -> None:
    with pytest.raises(RuntimeError, match="turned away"), crowd.watching(1, 1):
        pytest.fail("there is no table")
