"""Positions with right answers: every case of tests/cases, asked of the engine in Python and of `underboard rules`.

A case has `setup`, commands that must succeed, and `steps` of [command, expectation]. Expectations:
["ok"] · ["refused"] (illegal_action) · ["refused_over"] (that or game_over) · ["fail", code or null] · ["text", T] ·
["lines" | "includes" | "excludes", [lines]] · ["says", [announcements]] · ["has", {dotted path: value}] ·
["keep", name] and ["same", name], which compares with what was kept. A refusal must leave the state as it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from underboard.engine.gamekit.registry import game_ids

Ask = Callable[[str], tuple[bool, str]]
ABSENT = "(absent)"
REFUSALS: dict[str, tuple[str, ...]] = {"refused": ("illegal_action",), "refused_over": ("game_over", "illegal_action")}

CASES = [
    json.loads(line)
    for file in sorted((Path(__file__).parents[2] / "cases").glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]


def test_every_game_has_cases() -> None:
    assert {case["game"] for case in CASES} == set(game_ids())


@pytest.fixture(params=["python", "process"])
def dialogue(request: pytest.FixtureRequest) -> Ask:
    """Both ways to ask the engine."""
    ask: Ask = request.getfixturevalue("ask" if request.param == "python" else "ask_process")
    return ask


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['game']}: {case['name']}")
def test_case(case: dict[str, Any], dialogue: Ask) -> None:
    for command in case["setup"]:
        success, text = dialogue(command)
        assert success, f"{command}: {text}"
    kept: dict[str, Any] = {}
    for command, expectation in case["steps"]:
        kind, wanted = (*expectation, None)[:2]
        if kind == "fail" or kind in REFUSALS:
            refuses(dialogue, command, REFUSALS.get(kind, (wanted,)))
        else:
            success, text = dialogue(command)
            assert success, f"{command}: {text}"
            if kind == "keep":
                kept[wanted] = json.loads(text)
            else:
                meets(kind, kept[wanted] if kind == "same" else wanted, text, command)


def refuses(dialogue: Ask, command: str, codes: tuple[str | None, ...]) -> None:
    """The command fails with one of the codes, None for any, and changes nothing."""
    before = dialogue("state")
    success, text = dialogue(command)
    assert not success, f"{command} was not refused"
    assert None in codes or text.partition(":")[0] in codes, f"{command}: {text}"
    assert dialogue("state") == before, f"{command} was refused and changed the state"


def meets(kind: str, wanted: Any, text: str, command: str) -> None:
    """The text of a success is what the expectation says."""
    lines = text.split("\n") if text else []
    if kind == "ok":
        return
    if kind == "text":
        assert text == wanted, command
    elif kind == "lines":
        assert lines == wanted, command
    elif kind == "includes":
        assert set(wanted) <= set(lines), command
    elif kind == "excludes":
        assert not set(wanted) & set(lines), command
    elif kind in ("says", "same"):
        assert json.loads(text) == wanted, command
    elif kind == "has":
        answer = json.loads(text)
        assert {path: look_up(answer, path) for path in wanted} == wanted, command
    else:
        raise AssertionError(f"{kind} is no expectation")


def look_up(value: Any, path: str) -> Any:
    """The value at a dotted path, "" for the whole; ABSENT where there is nothing."""
    for key in path.split(".") if path else ():
        if isinstance(value, list) and key.isdigit():
            value = value[int(key)] if int(key) < len(value) else ABSENT
        else:
            value = value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
    return value
