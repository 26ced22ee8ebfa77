"""Table scripts: a game at the table as text. This module reads them; `engine.replay` plays them.

Every line becomes a `Command` with its arguments checked, so that a script that cannot be played is refused before
anything happens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from engine.durations import duration
from engine.errors import BadArgument
from engine.faults import Fault, read_fault
from engine.games import find_game
from engine.options import Options
from engine.table import Overlay, find_overlay, find_table
from engine.words import LANGUAGES

KEYS = ("left", "right", "ok", "back")
Oled = Literal["ssd1306", "sh1106"]
OLEDS: tuple[Oled, ...] = ("ssd1306", "sh1106")
Board = Literal["gpio", "pico"]
BOARDS: tuple[Board, ...] = ("gpio", "pico")
Dealer = Literal["engine", "reader"]
DEALERS: tuple[Dealer, ...] = ("engine", "reader")
Reader = Literal["none", "rdm6300", "id12la", "pn532"]
READERS: tuple[Reader, ...] = ("none", "rdm6300", "id12la", "pn532")
OPERATORS = ("==", "!=", "has", "hasnt")
HOLD_MS = 80
LIES_MS = 300
DWELL_MS = 150


class ScriptError(ValueError):
    """A script that cannot be read: the text names file, line and reason."""


@dataclass(frozen=True, slots=True)
class Command:
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


@dataclass(frozen=True, slots=True)
class TableLine:
    """`table GAME …`: what to play, on which simulated hardware."""

    game_id: str
    options: dict[str, str]
    seed: int | None
    language: str
    oled: Oled
    journal: str | None
    board: Board = "gpio"
    dealer: Dealer = "engine"
    reader: Reader = "none"


class LineReader:
    """Reads the lines of one script; spaces are checked against the overlay that its `table` line names."""

    def __init__(self) -> None:
        self._overlay: Overlay | None = None
        self._board: Board = "gpio"
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

    def read(self, number: int, text: str) -> Command:
        """One line that is not empty; raises BadArgument."""
        verb, *rest = text.split(None, 1)
        if verb not in self._readers:
            raise BadArgument(f"'{verb}' is no command: there are {', '.join(self._readers)}")
        if (self._overlay is None) != (verb == "table"):
            raise BadArgument("the first command is `table GAME`" if verb != "table" else "there is a table already")
        return Command(number, text, verb, self._readers[verb](rest[0] if rest else ""))

    def finish(self) -> None:
        """Raises BadArgument if something is left open."""
        if self._overlay is None:
            raise BadArgument("the script has no `table` line")
        if self._together:
            raise BadArgument("`together` without `end`")

    def _table(self, rest: str) -> TableLine:
        if not rest:
            raise BadArgument("table needs a game")
        game_id, *words = rest.split()
        find_table(game_id)
        line = table_line(game_id, words)
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
        if name not in KEYS:
            raise BadArgument(f"key '{name}': there are {', '.join(KEYS)}")
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


def table_line(game_id: str, words: Sequence[str]) -> TableLine:
    """The options of a `table` line; those of the game itself are checked when the game begins.

    Where the game has boards of its own, `board` can be given for the sensors and for the game.
    """
    options: dict[str, str] = {}
    game_board: dict[str, str] = {}
    has_boards = find_table(game_id).has_boards
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadArgument(f"'{word}' is not an option: options are written key=value")
        given = game_board if has_boards and key == "board" and value not in BOARDS else options
        if key in given:
            raise BadArgument(f"option '{key}' is given twice")
        given[key] = value
    board = cast(Board, allowed("board", options.pop("board", "gpio"), BOARDS))
    options |= game_board
    dealer = cast(Dealer, allowed("dealer", options.pop("dealer", "engine"), DEALERS))
    if dealer == "reader" and options.get("cards") == "hidden":
        raise BadArgument("dealer=reader: with cards=hidden no reader is needed")
    reader = cast(Reader, allowed("reader", options.pop("reader", "none" if dealer == "engine" else "rdm6300"), READERS))
    seed = options.pop("seed", None)
    if seed is not None and not re.fullmatch(r"-?[0-9]{1,400}", seed):
        raise BadArgument(f"seed={seed}: a whole number is needed")
    language = allowed("lang", options.pop("lang", "en"), LANGUAGES)
    oled = cast(Oled, allowed("oled", options.pop("oled", "ssd1306"), OLEDS))
    journal = options.pop("journal", None)
    return TableLine(game_id, options, None if seed is None else int(seed), language, oled, journal, board, dealer, reader)


def cards_of(line: TableLine) -> tuple[str, ...]:
    """The physical cards of the game. Raises BadArgument if there are none where the reader deals."""
    cards = tuple(find_game(line.game_id).deck(Options(line.options)))
    if line.dealer == "reader" and not cards:
        raise BadArgument(f"dealer=reader: {line.game_id} has no cards")
    return cards


def read_script(text: str, name: str) -> list[Command]:
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


def allowed(key: str, value: str, values: Sequence[str]) -> str:
    """`value`, if it is one of `values`."""
    if value not in values:
        raise BadArgument(f"{key}={value}: allowed are {', '.join(values)}")
    return value


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
