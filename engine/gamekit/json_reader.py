"""Reading a state back from JSON: the shape is checked value by value, every error names the place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.settings import CARDS, HIDDEN, OPEN

T = TypeVar("T")

NO_DEFAULTS: Mapping[str, Any] = {}


class JsonReader:
    """A JSON object with exactly the given keys, read with the type each value must have.

    `path` is what error texts call the object ("supply.red"). `defaults` are further keys that may be left out, with the value that
    they have then. Everything raises BadArgument.
    """

    def __init__(self, record: Any, keys: Iterable[str], path: str = "", defaults: Mapping[str, Any] = NO_DEFAULTS) -> None:
        self._path = path
        if not isinstance(record, dict):
            raise BadArgument(f"{path or 'the position'}: a JSON object is needed")
        wanted = list(keys)
        problems = [f"{self._name(key)} is missing" for key in wanted if key not in record]
        problems += [f"{self._name(str(key))} is unknown" for key in record if key not in wanted and key not in defaults]
        if problems:
            raise BadArgument("; ".join(problems))
        self._record: dict[str, Any] = {**defaults, **record}

    def _name(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def refuse(self, key: str, why: str) -> BadArgument:
        """An error about the value at `key`, to be raised."""
        return BadArgument(f"{self._name(key)}: {why}")

    def value(self, key: str) -> Any:
        """The value as it stands, of any type."""
        return self._record[key]

    def choice(self, key: str, allowed: Sequence[str]) -> str:
        """One of the words in `allowed`."""
        value = self._record[key]
        if not isinstance(value, str) or value not in allowed:
            raise self.refuse(key, f"allowed are {', '.join(allowed)}")
        return value

    def optional(self, key: str, allowed: Sequence[str]) -> str | None:
        """One of the words in `allowed`, or null."""
        return None if self._record[key] is None else self.choice(key, allowed)

    def integer(self, key: str, low: int = 0, high: int | None = None) -> int:
        """A whole number from `low` to `high`."""
        value = self._record[key]
        if not is_integer(value) or value < low or (high is not None and value > high):
            raise self.refuse(key, f"a whole number {f'from {low} to {high}' if high is not None else f'{low} or more'} is needed")
        return int(value)

    def boolean(self, key: str) -> bool:
        """true or false."""
        value = self._record[key]
        if not isinstance(value, bool):
            raise self.refuse(key, "true or false is needed")
        return value

    def text(self, key: str) -> str:
        """Any text."""
        value = as_text(self._record[key])
        if value is None:
            raise self.refuse(key, "a text is needed")
        return value

    def hidden(self) -> bool:
        """Whether `cards` says that they are hidden."""
        return self.choice(CARDS, (OPEN, HIDDEN)) == HIDDEN

    def items(self, key: str, read: Callable[[Any], T | None], what: str) -> list[T]:
        """A list whose every element `read` understands (it answers None where it does not); `what` names an element."""
        value = self._record[key]
        if not isinstance(value, list):
            raise self.refuse(key, f"a list of {what} is needed")
        done: list[T] = []
        for element in value:
            known = read(element)
            if known is None:
                raise self.refuse(key, f"{quoted(element)} is no {what}")
            done.append(known)
        return done

    def inside(self, key: str, keys: Iterable[str]) -> JsonReader:
        """The object at `key`, which must have exactly `keys`."""
        return JsonReader(self._record[key], keys, self._name(key))


def is_integer(value: Any) -> bool:
    """Whether a JSON value is a whole number (true and false are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def as_text(value: Any) -> str | None:
    """A JSON value if it is a text; None for any other, as `JsonReader.items` wants it."""
    return value if isinstance(value, str) else None


def quoted(value: Any) -> str:
    """A JSON value in an error text; lists and objects are only named, they may be nested deeper than Python can write."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return repr(value)


def raise_problems(problems: Sequence[str]) -> None:
    """Raises BadArgument with all problems in one sentence, if there are any."""
    if problems:
        raise BadArgument("; ".join(problems))
