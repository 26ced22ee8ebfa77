"""Sequence Numbers: board files. This is the one place of the game that reads files. [6]

A board file is TOML with exactly `name`, `rows` (one string a row, its cells apart by blanks) and `deck` (every copy
of every card). `load` answers a checked board or refuses with every problem, each naming its cell or card.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from underboard.engine.base.coordinates import COLUMNS, cell_name
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.json_reader import JsonReader, as_text, raise_problems

SHIPPED = ("house8", "house10")
BOARD = "house10"
"""What one plays on unless something else is said."""
FREE = "FR"
PLUS, MINUS = "PLUS", "MINUS"
COPIES = 2
"""Every number stands on so many spaces. [5]"""

NUMBER = re.compile(r"0|[1-9][0-9]{0,99}")
EQUATION = re.compile(rf"({NUMBER.pattern})([+-])({NUMBER.pattern})")


class Board(NamedTuple):
    """A grid of texts, FREE or a number in plain decimals, and the deck that belongs to it, sorted."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]


def load(text: str, dealt: int) -> Board:
    """The board that the option `board` names, for a game that deals so many cards. Raises BadArgument."""
    label = f"board {text!r}"
    try:
        board = shipped(text) if text in SHIPPED else read(Path(text), label)
    except BadArgument as error:
        error.option = "board"
        raise
    if len(board.deck) <= dealt:
        raise BadArgument(f"{label}: {len(board.deck)} cards are too few, the hands alone take {dealt}", option="board")
    return board


@cache
def shipped(name: str) -> Board:
    """One of the boards that come with the game."""
    return read(Path(__file__).with_name("boards") / f"{name}.toml", f"board {name!r}")


def read(path: Path, label: str) -> Board:
    """The board in a file; raises BadArgument that begins with `label` and lists every problem."""
    record = JsonReader(parse(path, label), ("name", "rows", "deck"), label)
    name = record.text("name")
    rows = tuple(tuple(row.split()) for row in record.items("rows", as_text, "text"))
    deck = tuple(sorted(record.items("deck", as_text, "text")))
    raise_problems([f"{label}: {problem}" for problem in [*grid_problems(rows), *deck_problems(rows, deck)]])
    return Board(name, rows, deck)


def parse(path: Path, label: str) -> dict[str, Any]:
    """The TOML of a file. Only plain files are opened: reading a device or a pipe might never end."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.is_file() else None
    except OSError as error:
        raise BadArgument(f"{label}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadArgument(f"{label}: this is no text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise BadArgument(f"{label}: this is no TOML: {error}") from None
    if document is None:
        raise BadArgument(f"{label}: there is no such file, and the shipped boards are {', '.join(SHIPPED)}")
    return document


def answer(card: str) -> int | None:
    """What an equation card comes to; None for any other text."""
    match = EQUATION.fullmatch(card)
    if match is None:
        return None
    left, right = int(match[1]), int(match[3])
    return left + right if match[2] == "+" else left - right


def grid_problems(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """What is wrong with the grid: first its shape, then its cells, then how often each number stands on it. [4, 5]"""
    width = len(rows[0]) if rows else 0
    if len(rows) < 2 or not 2 <= width <= COLUMNS:
        return [f"rows: {len(rows)} rows of {width} cells, a board has 2 rows or more and 2 to {COLUMNS} columns"]
    ragged = [f"row {number} has {len(row)} cells, row 1 has {width}" for number, row in enumerate(rows, 1) if len(row) != width]
    if ragged:
        return ragged
    cells = {cell_name(x, y): text for y, row in enumerate(rows) for x, text in enumerate(row)}
    corners = [cell_name(x, y) for y in (0, len(rows) - 1) for x in (0, width - 1)]
    problems = [problem for cell, text in cells.items() if (problem := cell_problem(cell, text, cell in corners))]
    places: dict[str, list[str]] = {}
    for cell, text in cells.items():
        if NUMBER.fullmatch(text):
            places.setdefault(text, []).append(cell)
    return problems + [
        f"number {number} stands on {len(found)} cells ({', '.join(found)}), not on {COPIES}"
        for number, found in places.items()
        if len(found) != COPIES
    ]


def cell_problem(cell: str, text: str, corner: bool) -> str:
    """What is wrong with one cell, "" if nothing is."""
    if corner:
        return "" if text == FREE else f"{cell} is a corner: {FREE} stands there, not {text!r}"
    if text == FREE:
        return f"{cell} is no corner: {FREE} stands in the corners only"
    return "" if NUMBER.fullmatch(text) else f"{cell}: {text!r} is no number"


def deck_problems(rows: tuple[tuple[str, ...], ...], deck: tuple[str, ...]) -> list[str]:
    """What is wrong with the cards, one sentence a card: unknown ones and answers that are on no cell."""
    numbers = {text for row in rows for text in row}
    problems = []
    for card in sorted(set(deck) - {PLUS, MINUS}):
        value = answer(card)
        if value is None:
            problems.append(f"card {card!r} is neither {PLUS} nor {MINUS} nor an equation A+B or A-B")
        elif str(value) not in numbers:
            problems.append(f"card {card}: its answer {value} stands on no cell")
    return problems
