"""Which games can go on, as the start page offers them."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from underboard.engine.app.laptop.launch import kept_in

KEPT = Path(__file__).parents[2] / "journal" / "version_0.journal"


def test_only_games_that_can_be_read_are_offered_and_no_journal_is_touched(tmp_path: Path) -> None:
    older, newer, diary, missing = (tmp_path / name for name in ("older", "newer", "diary", "missing"))
    for path in (older, newer):
        shutil.copyfile(KEPT, path)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version=7")
    diary.write_text("Dear diary,\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in (older, newer, diary)}
    assert [(path, table.setup.game.id) for path, table in kept_in([missing, newer, diary, older])] == [(older, "hack_trick")]
    assert {path: path.read_bytes() for path in before} == before
    assert not list(tmp_path.glob("newer?*"))
