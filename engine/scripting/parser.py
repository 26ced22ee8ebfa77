"""Table scripts: a game at the table as text. This module reads them; `underboard.engine.scripting.runner` plays them.

Every line becomes a `Command` with its arguments checked, so that a script that cannot be played is refused before
anything happens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from underboard.engine.app.simulation.faults import Fault, read_fault
from underboard.engine.app.table_options import TableOptions, allowed, cards_of, read_table_options
from underboard.engine.base.durations import duration
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.overlay import Overlay
from underboard.engine.gamekit.registry import find_overlay, find_table
from underboard.errors import UnderboardError
from underboard.hardware.core.parts import BoardKind
from underboard.hardware.core.wiring import KEY_NAMES

OPERATORS = ("==", "!=", "has", "hasnt")
HOLD_MS = 80
LIES_MS = 300
DWELL_MS = 150


class ScriptError(UnderboardError, ValueError):
    """A script that cannot be read: the text names file, line and reason."""

    fault = "player"


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line: its number, its text without the comment, the verb and what the verb takes."""

    number: int
    text: str
    verb: str
    arguments: Any = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """`expect KEY OP VALUE`; `value` is the JSON value if the text is JSON, else the text itself."""

    path: str
    operator: str
    value: Any
    text: str


class LineReader:
    """Reads the lines of one script; spaces are checked against the overlay that its `table` line names."""

    def __init__(self) -> None:
        self._overlay: Overlay | None = None
        self._board: BoardKind = "gpio"
        self._cards: tuple[str, ...] = ()
        self._together = False
        self._readers: dict[str, Callable[[str], Any]] = {
            "table": self._table,
            "place": self._space,
            "lift": self._space,
            "slide": self._slide,
            "key": self._key,
            "choose": lambda rest: " ".join(needed("the name of a choice")(rest).split()),
            "scan": self._scan,
            "wait": duration,
            "together": self._begin_together,
            "end": self._end_together,
            "do": needed("an action"),
            "fault": self._fault,
            "power": one_of("power", ("cut", "on")),
            "expect": expectation,
            "snap": needed("a file name"),
        }

    def read(self, number: int, text: str) -> ScriptLine:
        """One line that is not empty; raises BadArgument."""
        verb, *rest = text.split(None, 1)
        if verb not in self._readers:
            raise BadArgument(f"'{verb}' is no command: there are {', '.join(self._readers)}")
        if (self._overlay is None) != (verb == "table"):
            raise BadArgument("the first command is `table GAME`" if verb != "table" else "there is a table already")
        return ScriptLine(number, text, verb, self._readers[verb](rest[0] if rest else ""))

    def finish(self) -> None:
        """Raises BadArgument if something is left open."""
        if self._overlay is None:
            raise BadArgument("the script has no `table` line")
        if self._together:
            raise BadArgument("`together` without `end`")

    def _table(self, rest: str) -> TableOptions:
        if not rest:
            raise BadArgument("table needs a game")
        game_id, *words = rest.split()
        find_table(game_id)
        line = read_table_options(game_id, words)
        self._overlay = find_overlay(game_id, line.options)
        self._board = line.board
        self._cards = cards_of(line)
        return line

    def _space(self, rest: str) -> str:
        if len(rest.split()) != 1:
            raise BadArgument("one space is needed, like 7a")
        if self._overlay is not None:
            self._overlay.cell(rest)
        return rest

    def _slide(self, rest: str) -> tuple[list[str], int]:
        words = rest.split()
        dwell = DWELL_MS
        if words and words[-1].startswith("dwell="):
            dwell = duration(words.pop().removeprefix("dwell="))
        if len(words) < 2:
            raise BadArgument("slide needs two spaces or more")
        return [self._space(word) for word in words], dwell

    def _key(self, rest: str) -> tuple[str, int]:
        name, *words = rest.split() or [""]
        if name not in KEY_NAMES:
            raise BadArgument(f"key '{name}': there are {', '.join(KEY_NAMES)}")
        if words and (len(words) > 1 or not words[0].startswith("hold=")):
            raise BadArgument("after the key only hold=TIME is allowed, like hold=800ms")
        return name, duration(words[0].removeprefix("hold=")) if words else HOLD_MS

    def _scan(self, rest: str) -> tuple[str, int]:
        card, ms = " ".join(rest.split()), LIES_MS
        if match := re.fullmatch(r"(?:(.*) )?for=(\S+)", card):
            card, ms = match[1] or "", duration(match[2])
        if not re.fullmatch("@([0-9A-F]{8}|[0-9A-F]{10}|[0-9A-F]{14}|[0-9A-F]{20})", card) and card not in self._cards:
            there_are = ", ".join(dict.fromkeys(self._cards)) or "none in this game"
            raise BadArgument(f"scan '{card}': there is no such card; cards are {there_are}, and strange ones like @04006A3F1C")
        return card, ms

    def _begin_together(self, rest: str) -> None:
        nothing_more("together", rest)
        if self._together:
            raise BadArgument("`together` inside `together`")
        self._together = True

    def _end_together(self, rest: str) -> None:
        nothing_more("end", rest)
        if not self._together:
            raise BadArgument("`end` without `together`")
        self._together = False

    def _fault(self, rest: str) -> Fault:
        assert self._overlay is not None
        return read_fault(rest, self._overlay, cable=self._board != "gpio")


def read_script(text: str, name: str) -> list[ScriptLine]:
    """The commands of a script; `name` is what errors call it. Raises ScriptError for the first line that cannot be read."""
    reader, commands, number = LineReader(), [], 0
    try:
        for number, line in enumerate(text.split("\n"), 1):
            command = without_comment(line)
            if command:
                commands.append(reader.read(number, command))
        reader.finish()
    except BadArgument as error:
        raise ScriptError(f"{name}, line {number}: {error}") from None
    return commands


def without_comment(line: str) -> str:
    """The line up to its comment; a `#` inside quotes begins none."""
    text = re.match(r"""(?:"(?:[^"\\]|\\.)*"|[^#"]|"(?!.*"))*""", line)
    return (text[0] if text else line).strip()


def needed(what: str) -> Callable[[str], str]:
    """A reader for free text that must not be empty."""

    def read(rest: str) -> str:
        if not rest:
            raise BadArgument(f"{what} is needed")
        return rest

    return read


def one_of(what: str, words: Sequence[str]) -> Callable[[str], str]:
    """A reader for one of a few words."""
    return lambda rest: allowed(what, rest, words)


def nothing_more(verb: str, rest: str) -> None:
    """Raises BadArgument if there is anything behind a verb that takes nothing."""
    if rest:
        raise BadArgument(f"{verb} takes nothing: '{rest}'")


def expectation(rest: str) -> Expectation:
    """`KEY OP VALUE`."""
    words = rest.split(None, 2)
    if len(words) < 3:
        raise BadArgument("expect needs a key, one of == != has hasnt, and a value")
    path, operator, text = words
    if operator not in OPERATORS:
        raise BadArgument(f"'{operator}' is no comparison: there are {', '.join(OPERATORS)}")
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    return Expectation(path, operator, value, text)
