"""Options of a game as `key=value` words: each is taken once, what nobody takes is an error that names it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TypeVar

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.settings import CARDS, HIDDEN, OPEN, cards_word

C = TypeVar("C")


class Options:
    """The options of one command.

    A game takes what it knows (`choice`, `integer`, `cards`, …) and calls `finish`; `known` then holds all names asked for.
    """

    def __init__(self, values: dict[str, str] | None = None) -> None:
        self._values = dict(values or {})
        self._known: list[str] = []

    @classmethod
    def parse(cls, words: Iterable[str]) -> Options:
        """From words `key=value`. Raises BadArgument for a word of another shape or a repeated key."""
        values: dict[str, str] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not key or not equals:
                raise BadArgument(f"'{word}' is not an option: options are written key=value")
            if key in values:
                raise BadArgument(f"option '{key}' is given twice")
            values[key] = value
        return cls(values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def as_dict(self) -> dict[str, str]:
        """What has been given and not been taken yet."""
        return dict(self._values)

    def text(self, key: str) -> str | None:
        """Takes the text of an option, None if it is not given."""
        self._known.append(key)
        return self._values.pop(key, None)

    def choice(self, key: str, allowed: Sequence[str], default: str) -> str:
        """Takes one of the words in `allowed`."""
        value = self.text(key)
        if value is None:
            return default
        if value not in allowed:
            raise BadArgument(f"{key}={value}: allowed are {', '.join(allowed)}", option=key)
        return value

    def integer(self, key: str, default: int, low: int, high: int | None = None) -> int:
        """Takes a whole number from `low` to `high`."""
        value = self.text(key)
        if value is None:
            return default
        span = f"from {low} to {high}" if high is not None else f"{low} or more"
        if not re.fullmatch(r"[0-9]{1,9}", value) or int(value) < low or (high is not None and int(value) > high):
            raise BadArgument(f"{key}={value}: a whole number {span} is needed", option=key)
        return int(value)

    def words(self, key: str) -> tuple[str, ...] | None:
        """Takes a list of words with commas between; () for an empty one, None if it is not given."""
        value = self.text(key)
        if value is None:
            return None
        return tuple(value.split(",")) if value else ()

    def cards(self, key: str, known: Mapping[str, C], such_as: str) -> tuple[C, ...] | None:
        """Takes a list of cards, `known` by their names; None if it is not given. `such_as` tells in errors what names there are."""
        words = self.words(key)
        if words is None:
            return None
        for word in words:
            if word not in known:
                raise BadArgument(f"{key}: '{word}' is no card, cards are {such_as}", option=key)
        return tuple(known[word] for word in words)

    def hidden(self, default: bool = False) -> bool:
        """Takes `cards`: whether players have a deck of their own that nobody tells the engine about."""
        return self.choice(CARDS, (OPEN, HIDDEN), cards_word(default)) == HIDDEN

    def random(self) -> Random:
        """Takes `seed` (a whole number): the generator it starts, or one that nobody can repeat."""
        value = self.text("seed")
        if value is None:
            return Random()
        if not re.fullmatch(r"-?[0-9]{1,400}", value):
            raise BadArgument(f"seed={value}: a whole number is needed", option="seed")
        return Random(int(value))

    def finish(self) -> None:
        """Raises BadArgument if anything is left that nobody took."""
        if self._values:
            names = ", ".join(f"'{key}'" for key in self._values)
            allowed = ", ".join(sorted(set(self._known))) or "none"
            raise BadArgument(f"unknown option {names}: allowed are {allowed}")
