"""The rooms of the house: who may import whom, as the table in docs/architecture.md says, and what pure rooms may not know."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOPS = ("engine", "hardware", "firmware", "web")
PURE = ("engine.base", "engine.gamekit", "engine.games", "engine.referee", "engine.view")
"""Rooms that know no device, thread, clock, socket or file."""
IMPURE = {"asyncio", "datetime", "os", "select", "signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time"}
DEVICES = {"gpiozero", "luma", "serial", "lgpio", "RPi", "starlette", "uvicorn"}
ALLOWED = {
    "engine.base.signals": {"signal"},
    "engine.base.file_errors": {"tempfile"},
    "engine.base.drawing.pdf": {"datetime"},
}
"""Modules of pure rooms that are about such a thing: telling a program to end, trying a file out, a fixed date in a file."""
SCENARIOS = {
    "tests/engine/games/sequence_numbers/test_evenings.py",
    "tests/engine/games/virus_wars/test_evenings.py",
    "tests/engine/games/test_every_game.py",
    "tests/engine/games/test_cases.py",
    "tests/engine/games/test_golden.py",
    "tests/engine/view/test_secrets.py",
    "tests/engine/scripting/test_table_scripts.py",
    "tests/engine/scripting/test_pico_scripts.py",
    "tests/engine/scripting/test_nasty_scripts.py",
    "tests/engine/scripting/test_power_cuts.py",
    "tests/engine/scripting/test_power_cuts_everywhere.py",
    "tests/engine/scripting/test_display_bytes.py",
    "tests/engine/journal/crash/test_crash_states.py",
    "tests/firmware/test_emulated.py",
    "tests/firmware/test_micropython.py",
}
"""Tests of no single module: they play across all rooms."""


@cache
def rows() -> Mapping[str, frozenset[str]]:
    """Each room with those that it may import, in the order of the table."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `([a-z.]+)` \| [^|]+ \| ([^|]*)\|$", text, re.MULTILINE)
    return {room: frozenset(re.findall(r"`([a-z.]+)`", allowed)) for room, allowed in found}


def room_of(module: str) -> str:
    """The room of a module: the one with the longest name that its own begins with; "" for a package that only holds rooms."""
    fitting = (room for room in rows() if module == room or module.startswith(f"{room}."))
    return max(fitting, key=len, default="")


@cache
def modules() -> Mapping[str, Path]:
    """Every module of ours by its name below `underboard`."""
    files = [file for top in TOPS for file in sorted((ROOT / top).rglob("*.py"))]
    return {str(file.relative_to(ROOT).with_suffix("")).replace("/", ".").removesuffix(".__init__"): file for file in files}


@cache
def imports(module: str) -> frozenset[str]:
    """Everything that a module imports, wherever in it; modules of ours by their name below `underboard`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(modules()[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = f"underboard.{module.rpartition('.')[0]}." if node.level else ""
            source = f"{package}{node.module or ''}"
            found |= {
                whole if (whole := f"{source}.{alias.name}").removeprefix("underboard.") in modules() else source for alias in node.names
            }
    return frozenset(name.removeprefix("underboard.") for name in found)


def ours(module: str) -> Iterator[str]:
    """The modules of ours that a module imports."""
    return (name for name in imports(module) if name.partition(".")[0] in TOPS)


def foreign(module: str) -> set[str]:
    """The packages of others that a module imports."""
    return {name.partition(".")[0] for name in imports(module)} - set(TOPS)


def test_every_module_is_in_a_room_and_every_room_says_what_it_is_for() -> None:
    holders = {"engine", "hardware"}
    assert {module for module in modules() if not room_of(module)} == holders
    for package in [*rows(), *holders]:
        purpose = ast.get_docstring(ast.parse(modules()[package].read_text(encoding="utf-8")))
        assert purpose, f"{package} does not say what it is for"
        assert len(purpose) > 40, f"{package} says too little about what it is for"


def test_rooms_import_only_rooms_above_them_in_the_table() -> None:
    order = list(rows())
    for number, (room, allowed) in enumerate(rows().items()):
        assert allowed <= set(order[:number]), f"{room} may not import {sorted(allowed - set(order[:number]))}: they stand below it"


@pytest.mark.parametrize("room", list(rows()))
def test_a_room_imports_what_its_row_allows_and_all_of_it(room: str) -> None:
    used: dict[str, str] = {}
    for module in modules():
        if room_of(module) == room:
            used |= {room_of(name): f"{module} imports {name}" for name in ours(module) if room_of(name) not in ("", room)}
    assert {other: why for other, why in used.items() if other not in rows()[room]} == {}
    assert rows()[room] - set(used) == set(), "no longer imported: take it out of the table"


def test_a_package_inside_a_room_is_the_rooms_own() -> None:
    """What two other rooms need is no longer an inner package but a room."""
    inner = {module for module in modules() if modules()[module].name == "__init__.py" and module not in rows() and room_of(module)}
    users: dict[str, set[str]] = {package: set() for package in inner if room_of(package) != "engine.games"}
    for module in modules():
        for name in ours(module):
            for package, found in users.items():
                if name.startswith(f"{package}.") and room_of(module) != room_of(package):
                    found.add(room_of(module))
    assert {package: sorted(found) for package, found in users.items() if len(found) > 1 and package not in SHARED} == {}


SHARED = {"engine.base.drawing"}
"""The drawing kit: games draw on cards, printing puts it on paper."""


def test_nothing_is_imported_in_a_circle() -> None:
    assert circles({module: [name for name in ours(module) if name in modules()] for module in modules()}) == []


def circles(arrows: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The groups of modules that import each other, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in arrows[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in arrows:
        if node not in index:
            visit(node)
    return found


@pytest.mark.parametrize("room", PURE)
def test_pure_rooms_know_no_device_thread_clock_or_file(room: str) -> None:
    inside = [module for module in modules() if room_of(module) == room]
    assert {module: found for module in inside if (found := foreign(module) & (IMPURE | DEVICES) - ALLOWED.get(module, set()))} == {}


def test_games_know_nothing_of_each_other() -> None:
    for module in modules():
        game = re.match(r"engine\.games\.([a-z_]+)", module)
        if game:
            assert all(name.startswith(game[0]) for name in ours(module) if name.startswith("engine.games.")), module


def test_an_installed_table_loads_no_simulator(tmp_path: Path) -> None:
    """All that a service does until it finds that this computer has no lines of a header."""
    config = tmp_path / "table.toml"
    config.write_text("page.enabled = true\n", encoding="utf-8")
    code = f"""
import sys
from pathlib import Path
from underboard.engine.app.service.main import RunOptions, run
from underboard.hardware.gpio.errors import GpioError
try:
    run(RunOptions(Path({str(config)!r})), {{"STATE_DIRECTORY": {str(tmp_path)!r}}})
except GpioError as error:
    status = error.fault
loaded = [name for name in sys.modules if name.startswith("underboard.hardware.simulator")]
print(status, loaded)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "device []\n", done.stderr


def test_tests_carry_the_name_of_the_module_they_test() -> None:
    lost = []
    for folder in TOPS:
        for file in sorted((ROOT / "tests" / folder).rglob("test_*.py")):
            name = str(file.relative_to(ROOT))
            module = file.relative_to(ROOT / "tests").parent / re.sub(r"^test_|(_random|_hidden|_care)?\.py$", "", file.name)
            tested = ROOT / module.with_suffix(".py"), ROOT / module
            if name not in SCENARIOS and "/web/page/" not in name and not any(path.exists() for path in tested):
                lost.append(name)
    assert lost == []
    assert [name for name in SCENARIOS if not (ROOT / name).exists()] == []
