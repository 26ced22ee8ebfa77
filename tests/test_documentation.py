"""The building instructions: lists and pictures are what the program says, and its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.cli import parser
from engine.plans.parts import parts_lines
from hardware.box_config import BoxConfig

DOCS = Path(__file__).parents[1] / "docs"
BUILD = DOCS / "build.md"
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


def test_every_command_that_is_named_exists() -> None:
    commands = next(action.choices for action in parser()._actions if isinstance(action.choices, dict))
    named = set(re.findall(r"underboard ([a-z]+)\b(?! *=)", BUILD.read_text(encoding="utf-8")))
    assert named - {"underboard", "cd", "sudo"} <= set(commands)


@pytest.mark.parametrize("file", [*DOCS.glob("*.md"), DOCS.parent / "README.md"], ids=lambda file: file.name)
def test_every_file_that_is_linked_exists(file: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (file.parent / link).exists()] == []


def test_every_heading_that_is_linked_exists() -> None:
    text = BUILD.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.splitlines() if line.startswith("#")
    }
    assert [link for link in re.findall(r"\]\(#([^)]+)\)", text) if link not in headings] == []
