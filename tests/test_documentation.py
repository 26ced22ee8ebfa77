"""The building instructions: lists and pictures are what the program says, and its commands exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from underboard.engine.cli.main import COMMANDS, parser
from underboard.engine.printing.wiring.parts import parts_lines
from underboard.hardware.box.config import BoxConfig

DOCS = Path(__file__).parents[1] / "docs"
BUILD = DOCS / "build.md"
DOCUMENTS = [*DOCS.glob("*.md"), DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md"]
TEACHING = [file for file in DOCUMENTS if file.name != "benchmarks.md"]
"""Those that tell what to type; the other one shows what was measured."""
BLOCK = re.compile(r"^ *```\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
PARTS = re.compile(r"(<!-- parts -->\n```\n)(.*?)(```\n)", re.DOTALL)


def test_the_parts_are_those_that_the_command_lists(request: pytest.FixtureRequest) -> None:
    expected = "".join(f"{line}\n" for line in parts_lines(BoxConfig()))
    text = BUILD.read_text(encoding="utf-8")
    if request.config.getoption("--update-golden"):
        text = PARTS.sub(lambda found: found[1] + expected + found[3], text)
        BUILD.write_text(text, encoding="utf-8")
    found = PARTS.search(text)
    assert found
    assert found[2] == expected, "write it anew: make golden"


def typed(lines: Iterable[str]) -> list[str]:
    """Those of the lines that are commands to be typed, with something behind their name, and without what explains them."""
    found = [re.sub(r"^ *(sudo (-u underboard )?)?|\s*( {2}|\s#|&&|\|).*", "", line.rstrip()) for line in lines]
    return [line for line in found if re.match(r"underboard [a-z]+ [^=]", line)]


def in_document(file: Path) -> list[str]:
    """The commands in blocks of code, and alone between backquotes."""
    text = file.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    return typed([line for block in blocks for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", BLOCK.sub("", text)))


def in_help() -> list[str]:
    """The examples that the commands give."""
    return typed(line for command in COMMANDS for line in command.EXAMPLES.splitlines() if line.startswith("  "))


@pytest.mark.parametrize("line", sorted({*in_help(), *(line for file in TEACHING for line in in_document(file))}))
def test_every_command_in_a_text_can_be_typed(line: str) -> None:
    options, rest = parser().parse_known_args(shlex.split(line)[1:])
    assert options.run
    assert all("=" in word for word in rest)  # options of a game, behind others


def test_every_command_that_is_named_exists() -> None:
    commands = next(action.choices for action in parser()._actions if isinstance(action.choices, dict))
    named = set(re.findall(r"underboard ([a-z]+)\b(?! *=)", BUILD.read_text(encoding="utf-8")))
    assert named - {"underboard", "cd", "sudo"} <= set(commands)


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.name)
def test_every_file_that_is_linked_exists(file: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (file.parent / link).exists()] == []


def test_every_heading_that_is_linked_exists() -> None:
    text = BUILD.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.splitlines() if line.startswith("#")
    }
    assert [link for link in re.findall(r"\]\(#([^)]+)\)", text) if link not in headings] == []


NAMED = re.compile(r"`((?:engine|hardware|web|firmware|underboard)\.[A-Za-z_.]+)`")


@pytest.mark.parametrize(
    "file", [DOCS / "architecture.md", DOCS / "glossary.md", DOCS.parent / "CONTRIBUTING.md"], ids=lambda file: file.name
)
def test_every_module_class_and_function_that_is_named_exists(file: Path) -> None:
    lost = [name for name in sorted(set(NAMED.findall(file.read_text(encoding="utf-8")))) if not exists(name)]
    assert lost == []


def exists(name: str) -> bool:
    """Whether a dotted name leads to a module of ours, or to something in one."""
    module, *inside = name.removeprefix("underboard.").split(".")
    found: object = import_module(f"underboard.{module}")
    for part in inside:
        if not hasattr(found, part) and isinstance(found, ModuleType) and find_spec(f"{found.__name__}.{part}"):
            import_module(f"{found.__name__}.{part}")
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True
