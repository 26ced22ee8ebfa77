"""Every table script runs the same with the board behind a Pico as with the Pi's own pins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from underboard.engine.scripting.runner import replay

FOLDER = Path(__file__).parents[2] / "scripts"
ONE_BOARD = re.compile(r"^fault board\b|^table\b.*\bboard=(gpio|pico)\b", re.MULTILINE)
BOTH = [script for script in sorted(FOLDER.rglob("*.table")) if not ONE_BOARD.search(script.read_text(encoding="utf-8"))]


def done(script: Path, board: str, folder: Path) -> list[list[str]]:
    """What each line of the script brought to the engine."""
    text = script.read_text(encoding="utf-8")
    seed = "" if re.search(r"^table\b.*\bseed=", text, re.MULTILINE) else " seed=1"
    path = folder / f"{board}.table"
    path.write_text(
        re.sub(r"^(table\b[^#\n]*?)(\s*(?:#.*)?)$", rf"\1 board={board}{seed}\2", text, count=1, flags=re.MULTILINE), encoding="utf-8"
    )
    reports = list(replay(path))
    assert [failure for _, failure in reports if failure is not None] == []
    return [report["did"] for report, _ in reports]


@pytest.mark.parametrize("script", BOTH, ids=lambda script: f"{script.parent.name}/{script.stem}")
def test_the_same_actions_through_both_backends(script: Path, tmp_path: Path) -> None:
    through_pico = done(script, "pico", tmp_path)
    assert through_pico
    assert through_pico == done(script, "gpio", tmp_path)
