"""The power fails after every action of the table scripts of all games: each comes to the same end as without."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from underboard.engine.journal.database import read_match
from underboard.engine.journal.history import resume
from underboard.engine.scripting.parser import ScriptLine, read_script
from underboard.engine.scripting.runner import Failed, Runner

FOLDER = Path(__file__).parents[2] / "scripts"
OF_ITS_OWN = re.compile(r"^(power|fault|together|do next)\b", re.MULTILINE)
"""Scripts with faults or power cuts of their own, and those that a power cut would tear out of one movement of the hand."""
SCRIPTS = [script for script in sorted(FOLDER.rglob("*.table")) if not OF_ITS_OWN.search(script.read_text(encoding="utf-8"))]
CUT = [ScriptLine(0, f"power {what}", "power", what) for what in ("cut", "on")]


def end_of(script: Path, journal: Path, cuts: bool) -> tuple[Any, ...]:
    """Plays a script without its expectations, with a power cut after all that is done; answers how it ends."""
    text = re.sub(r"^(table\b[^#\n]*)", rf"\1 journal={journal} ", script.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE)
    if "seed=" not in text.split("\n", 3)[1]:
        text = re.sub(r"^(table\b[^#\n]*)", r"\1 seed=1 ", text, count=1, flags=re.MULTILINE)
    commands = [command for command in read_script(text, str(script)) if command.verb not in ("expect", "snap")]
    with Runner(commands[0].arguments) as runner:
        for command in commands:
            report = play(runner, command)
            if cuts and report["did"]:
                for cut in CUT:
                    runner.play(cut)
    entries = read_match(journal)
    table = resume(entries[max(number for number, entry in enumerate(entries) if entry.beginning) :])
    return table.setup.game.record(table.state), sorted(table.layout.spaces), table.session.now.actions()


def play(runner: Runner, command: ScriptLine) -> dict[str, Any]:
    """One command, whether or not it can be carried out."""
    try:
        return runner.play(command)
    except Failed:
        return runner.last


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: f"{script.parent.name}/{script.stem}")
def test_the_end_is_the_same(script: Path, tmp_path: Path) -> None:
    whole = end_of(script, tmp_path / "whole", cuts=False)
    assert end_of(script, tmp_path / "cut", cuts=True) == whole
