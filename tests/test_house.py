"""Who may import whom: the engine knows no device, the hardware knows no game, and they meet only where a program is put together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOGETHER = {
    "config",
    "desk",
    "doctor",
    "film",
    "hatch",
    "house",
    "laptop",
    "learn",
    "opening",
    "play",
    "program",
    "replay",
    "replay_page",
    "run",
    "selftest",
    "service",
    "spectators",
    "status",
}
"""Modules of the engine that put programs together or talk to devices for them; so do its folders `commands` and `plans`."""
IMPURE = {"asyncio", "datetime", "os", "select", "signal", "socket", "sqlite3", "subprocess", "threading", "time"}
"""What the rules, the tables and the referee have no use for: clocks, threads, files, processes."""
DISK_AND_CLOCK = {"app", "deck", "journal", "journal_causes", "journal_file", "keeper"}
"""Modules that know the journal, or a clock as a label."""


def imports(path: Path) -> set[str]:
    """The modules that a file imports, wherever in it, whole."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def tops(path: Path) -> set[str]:
    """The packages that a file imports from."""
    return {name.partition(".")[0] for name in imports(path)}


def sources(folder: str) -> Iterator[Path]:
    return iter(sorted((ROOT / folder).rglob("*.py")))


def is_together(path: Path) -> bool:
    inside = path.relative_to(ROOT / "engine")
    return inside.parts[0] in ("commands", "plans") or inside.stem in TOGETHER


PURE = [path for path in sources("engine") if not is_together(path)]


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_knows_no_device(path: Path) -> None:
    assert not tops(path) & {"hardware", "firmware", "gpiozero", "luma", "serial", "lgpio", "RPi", "starlette", "uvicorn"}


@pytest.mark.parametrize("folder", ["games", "aside"])
def test_rules_and_tables_are_pure(folder: str) -> None:
    assert {str(path): found for path in sources(f"engine/{folder}") if (found := tops(path) & IMPURE)} == {}


def test_so_is_the_referee_and_what_it_knows() -> None:
    flat = [path for path in PURE if path.parent == ROOT / "engine" and path.stem not in DISK_AND_CLOCK | {"cli", "signals"}]
    assert {path.name: found for path in flat if (found := tops(path) & IMPURE)} == {}


@pytest.mark.parametrize("folder", ["hardware", "firmware"])
def test_hardware_and_firmware_know_no_game(folder: str) -> None:
    assert [str(path) for path in sources(folder) if "engine" in tops(path)] == []


def test_games_know_nothing_of_each_other() -> None:
    games = [folder for folder in (ROOT / "engine" / "games").iterdir() if (folder / "rules.py").exists()]
    assert len(games) == 5
    for game in games:
        others = {f"engine.games.{other.name}" for other in games if other != game}
        for path in game.rglob("*.py"):
            assert not {name for name in imports(path) if any(name == other or name.startswith(f"{other}.") for other in others)}, path


def test_every_module_that_is_named_here_exists() -> None:
    flat = {path.stem for path in (ROOT / "engine").glob("*.py")}
    assert flat >= TOGETHER | DISK_AND_CLOCK
