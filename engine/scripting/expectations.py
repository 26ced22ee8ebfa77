"""What a script expects of the last report: the value at a path, and whether it is as it should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from underboard.engine.scripting.parser import Expectation

MISSING = object()
"""What is found where there is nothing."""


def look_up(value: Any, path: str) -> Any:
    """The value at a dotted path, MISSING if there is none."""
    for name in path.split("."):
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, Sequence) and not isinstance(value, str) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return MISSING
    return value


def holds(found: Any, expectation: Expectation) -> bool:
    """Whether a comparison holds; a value that is text may be given with or without quotes."""
    wanted = (expectation.value, expectation.text)
    if expectation.operator in ("==", "!="):
        return (found in wanted and not confused(found, wanted)) == (expectation.operator == "==")
    return contains(found, wanted, expectation.path) == (expectation.operator == "has")


def confused(found: Any, wanted: tuple[Any, str]) -> bool:
    """Whether Python's 1 == True is all that makes two values equal."""
    return isinstance(found, bool) != isinstance(wanted[0], bool) and found not in wanted[1:]


def contains(found: Any, wanted: tuple[Any, str], path: str) -> bool:
    """Whether a list or a text has the value; a line of the screen has it if it stands anywhere in it."""
    if isinstance(found, str):
        return str(wanted[0]) in found
    if path == "screen":
        return any(str(wanted[0]) in line for line in found)
    return isinstance(found, list | dict) and any(value in found for value in wanted)
