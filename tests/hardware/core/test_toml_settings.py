"""A settings file is read whole, and its example says what an empty file says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.hardware.core.toml_settings import NUMBERS, OPTIONS, TEXT, TomlSetting, defaults, example, read, whole, whole_or, word

SETTINGS = (
    TomlSetting("lamp.colour", "red", word("red", "green"), "of the lamp"),
    TomlSetting("lamp.lines", [1, 2], NUMBERS, "where it is wired to"),
    TomlSetting("lamp.name", "", TEXT, "a long comment " * 9),
    TomlSetting("lamp.more", {}, OPTIONS, "whatever else", "bright = 1"),
    TomlSetting("bell.line", "none", whole_or("none", 0, 27), "of the bell"),
    TomlSetting("bell.times", 3, whole(1, 9), "how often it rings"),
)


def problems(text: str) -> list[str]:
    return [str(problem) for problem in read(text, SETTINGS).problems]


def test_an_empty_file_says_the_defaults() -> None:
    found = read("", SETTINGS)
    assert found.values == defaults(SETTINGS)
    assert (found.given, list(found.problems)) == (frozenset(), [])


def test_the_example_says_what_an_empty_file_says() -> None:
    text = example(SETTINGS, "The lamp.\n\nAnd the bell.")
    found = read(text, SETTINGS)
    assert text.startswith("# The lamp.\n#\n# And the bell.\n\n[lamp]\n")
    assert (found.values, list(found.problems)) == (defaults(SETTINGS), [])
    assert all(setting.comment.strip() in text for setting in SETTINGS)
    assert max(map(len, text.splitlines())) <= 160


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("lamp.colour = 'green'", "lamp.colour", "green"),
        ("[lamp]\nlines = []", "lamp.lines", []),
        ("[lamp.more]\nbright = 1\nx = 'y'", "lamp.more", {"bright": 1, "x": "y"}),
        ("[bell]\nline = 5", "bell.line", 5),
        ("[bell]\nline = 'none'", "bell.line", "none"),
    ],
)
def test_what_is_given_counts(text: str, key: str, value: Any) -> None:
    found = read(text, SETTINGS)
    assert found.values == {**defaults(SETTINGS), key: value}
    assert found.given == {key}
    assert not found.problems


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lamp.colour = 'blue'", 'lamp.colour: one of "red", "green" is needed, not "blue"'),
        ("lamp.colour = 1", 'lamp.colour: one of "red", "green" is needed, not 1'),
        ("lamp.lines = [1, true]", "lamp.lines: a list of at most 28 whole numbers, like [4, 5, 6], is needed, not [1, true]"),
        ("bell.times = true", "bell.times: a whole number from 1 to 9 is needed, not true"),
        ("bell.times = 10", "bell.times: a whole number from 1 to 9 is needed, not 10"),
        ("bell.line = 'no'", 'bell.line: a whole number from 0 to 27, or "none" is needed, not "no"'),
        (
            f"lamp.lines = {[*range(29)]}",
            "lamp.lines: a list of at most 28 whole numbers, like [4, 5, 6], is needed, "
            "not [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16…",
        ),
        ('lamp.colour = "\\u0007"', 'lamp.colour: one of "red", "green" is needed, not "\\u0007"'),
        ("lamp.colour = 2026-11-30", 'lamp.colour: one of "red", "green" is needed, not 2026-11-30'),
        ("lamp.color = 'red'", "lamp.color: there is no such setting: did you mean lamp.colour?"),
        ("times = 4", "times: there is no such setting: did you mean bell.times?"),
        ("zzz = 4", "zzz: there is no such setting: `underboard config` shows all there are"),
        ("[door]\nx = 1", "door: there is no such table: `underboard config` shows all there are"),
        ("lamp = 4", "lamp: this is a table of settings, written [lamp] on a line of its own, not 4"),
        ("lamp.more = 4", 'lamp.more: names with a text or a whole number, like target = 1 or out = "0,5" is needed, not 4'),
        ("lamp.more.x = [1]", 'lamp.more: names with a text or a whole number, like target = 1 or out = "0,5" is needed, not { x = [1] }'),
        ("lamp.colour.x = 1", 'lamp.colour: one of "red", "green" is needed, not { x = 1 }'),
        ("[lamp", "this is no TOML: Expected ']' at the end of a table declaration (at end of document)"),
    ],
)
def test_what_is_wrong_is_said_with_its_key_and_what_would_be_right(text: str, said: str) -> None:
    assert problems(text) == [said]


def test_all_problems_are_found_at_once_and_what_is_wrong_is_left_at_its_default() -> None:
    found = read("[bell]\nline = 99\ntimes = 4\nbeat = 1\n[lamp]\ncolour = 'blue'", SETTINGS)
    assert [problem.key for problem in found.problems] == ["bell.line", "bell.beat", "lamp.colour"]
    assert found.values == {**defaults(SETTINGS), "bell.times": 4}


@given(st.text())
def test_any_text_has_values_or_problems(text: str) -> None:
    found = read(text, SETTINGS)
    assert found.values.keys() == defaults(SETTINGS).keys()
