"""Settings in a TOML file: one list says of each its key, its default, what it may be and what it is for.

From that list a file is checked as a whole, so that one look shows all that is wrong with it, and an example is written
that says the same as an empty file.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

Values = Mapping[str, Any]
"""A value for each dotted key."""

BESIDE = 32
"""From this column on stands the comment beside a value; it goes above one that reaches further."""
LONGEST_LIST = 28
"""No connector has more lines, and nobody reads more complaints about them."""
WIDTH = 110
"""Characters of a line of the example; a comment that does not fit beside its value goes above it."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: with which key, and what would be right."""

    key: str
    text: str

    def __str__(self) -> str:
        return f"{self.key}: {self.text}" if self.key else self.text


@dataclass(frozen=True)
class ValueKind:
    """The kind of a value: *accepts* tests one, *needed* says in words what is accepted."""

    accepts: Callable[[Any], bool]
    needed: str


@dataclass(frozen=True)
class TomlSetting:
    """One key, dotted as ``board.rows``; *comment* says what it is for.

    An *open* one is a TOML table whose own keys are free; its default is an empty one, and *example* is a line for it.
    """

    key: str
    default: Any
    kind: ValueKind
    comment: str
    example: str = ""

    @property
    def open(self) -> bool:
        """Whether it is a table with keys of its own."""
        return isinstance(self.default, dict)


@dataclass(frozen=True)
class Found:
    """The contents of a file: a value for each key, the keys that were given, and all that is wrong."""

    values: Values
    given: frozenset[str] = frozenset()
    problems: Sequence[Problem] = field(default_factory=list)


# ---- kinds ----------------------------------------------------------------------------


def is_whole(value: Any) -> bool:
    """Whether it is a whole number; Python takes true and false for numbers, TOML does not."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole(low: int, high: int) -> ValueKind:
    """A whole number from *low* to *high*."""
    return ValueKind(lambda value: is_whole(value) and low <= value <= high, f"a whole number from {low} to {high}")


def word(*allowed: str) -> ValueKind:
    """One of these words."""
    return ValueKind(lambda value: isinstance(value, str) and value in allowed, f"one of {', '.join(map(quoted, allowed))}")


def whole_or(name: str, low: int, high: int) -> ValueKind:
    """A whole number, or the word *name*."""
    return ValueKind(
        lambda value: value == name or (is_whole(value) and low <= value <= high), f'a whole number from {low} to {high}, or "{name}"'
    )


def quoted(text: str) -> str:
    """As TOML writes it."""
    return f'"{text}"'


YES_NO = ValueKind(lambda value: isinstance(value, bool), "true or false")
TEXT = ValueKind(lambda value: isinstance(value, str) and value.isprintable(), "a text in quotes, all of whose characters can be seen,")
FILE_NAME = ValueKind(
    lambda value: isinstance(value, str) and value.isprintable() and Path(value).name != "", "the name of a file in quotes"
)
NUMBERS = ValueKind(
    lambda value: isinstance(value, list) and len(value) <= LONGEST_LIST and all(map(is_whole, value)),
    f"a list of at most {LONGEST_LIST} whole numbers, like [4, 5, 6],",
)
OPTIONS = ValueKind(
    lambda value: isinstance(value, dict) and all(isinstance(entry, str) or is_whole(entry) for entry in value.values()),
    'names with a text or a whole number, like target = 1 or out = "0,5"',
)


# ---- reading --------------------------------------------------------------------------


def read(text: str, settings: Sequence[TomlSetting]) -> Found:
    """What a file says. Every value is right or has a problem and is replaced by its default."""
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return Found(defaults(settings), problems=[Problem("", f"this is no TOML: {error}")])
    by_key = {setting.key: setting for setting in settings}
    values, problems = dict(defaults(settings)), []
    found = dict(flattened(content, by_key))
    for key, value in found.items():
        if key not in by_key:
            problems.append(Problem(key, unknown(key, value, by_key)))
        elif by_key[key].kind.accepts(value):
            values[key] = value
        else:
            problems.append(Problem(key, f"{by_key[key].kind.needed} is needed, not {shown(value)}"))
    return Found(values, frozenset(found), problems)


def defaults(settings: Sequence[TomlSetting]) -> Values:
    """What an empty file says."""
    return {setting.key: setting.default for setting in settings}


def flattened(content: Mapping[str, Any], known: Mapping[str, TomlSetting], above: str = "") -> Iterator[tuple[str, Any]]:
    """All keys of a file, dotted. A table is gone into if some setting lies in it."""
    for name, value in content.items():
        key = f"{above}{name}"
        within = any(other.startswith(f"{key}.") for other in known)
        if isinstance(value, dict) and within and key not in known:
            yield from flattened(value, known, f"{key}.")
        else:
            yield key, value


def unknown(key: str, value: Any, known: Mapping[str, TomlSetting]) -> str:
    """What to say about a key that is not in the list."""
    if any(other.startswith(f"{key}.") for other in known):
        return f"this is a table of settings, written [{key}] on a line of its own, not {shown(value)}"
    near = get_close_matches(key, known, 1, 0.6) or [other for other in known if other.rsplit(".", 1)[-1] == key.rsplit(".", 1)[-1]]
    what = "table" if isinstance(value, dict) else "setting"
    return f"there is no such {what}: " + (f"did you mean {near[0]}?" if near else "`underboard config` shows all there are")


def shown(value: Any) -> str:
    """A value in a message as TOML has it, cut if it is long."""
    text = in_toml(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def in_toml(value: Any) -> str:
    """Any value, with names for characters that cannot be seen; times and dates as they are."""
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(in_toml, value))}]"
        case dict():
            return f"{{ {', '.join(f'{name} = {in_toml(entry)}' for name, entry in value.items())} }}"
        case _:
            return str(value)


# ---- writing --------------------------------------------------------------------------


def example(settings: Sequence[TomlSetting], heading: str) -> str:
    """A file with every key, its default and what it is for; what it says is what an empty file says."""
    lines = [f"# {line}".rstrip() for line in heading.splitlines()]
    table = ""
    for setting in settings:
        above, _, name = setting.key.rpartition(".")
        if setting.open:
            lines += ["", f"[{setting.key}]", f"# {setting.comment}", f"# {setting.example}"]
            table = setting.key
            continue
        if above != table:
            lines += ["", f"[{above}]"]
            table = above
        lines += entry(name, setting)
    return "\n".join([*lines, ""])


def entry(name: str, setting: TomlSetting) -> list[str]:
    """The line of one key, with its comment beside or above it."""
    line = f"{name} = {toml(setting.default)}"
    beside = f"{line:<{BESIDE}}# {setting.comment}"
    return [beside] if len(line) < BESIDE and len(beside) <= WIDTH else [f"# {setting.comment}", line]


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return quoted(value) if isinstance(value, str) else str(value)
