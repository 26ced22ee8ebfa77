"""Virus Wars: the state as JSON, and back with every problem found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from underboard.engine.base.coordinates import COLUMNS
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.game import NOBODY, Record
from underboard.engine.gamekit.json_reader import JsonReader, raise_problems
from underboard.engine.games.virus_wars.board import Board, Cells, board_of
from underboard.engine.games.virus_wars.state import EDGES, EMPTY, GAME_ID, SEATS, STEPS, VIRUS, ZOMBIE, State, begin

LETTERS = (EMPTY, *VIRUS, *ZOMBIE)
LARGEST = COLUMNS
"""Cells of larger boards have no names. [2]"""


def write(state: State) -> Record:
    """The state as JSON."""
    board = state.board
    return {
        "game": GAME_ID,
        "phase": "play" if state.targets else "over",
        "to_move": SEATS[state.mover] if state.targets else NOBODY,
        "step": state.step,
        "width": board.width,
        "height": board.height,
        "rows": [write_row(state, row) for row in range(board.height)],
        "opened": dict(zip(SEATS, state.opened, strict=True)),
        "edges": EDGES[state.mirrored],
    }


def write_row(state: State, row: int) -> str:
    """One row of the board, a letter a cell."""
    pieces = dict(zip(VIRUS + ZOMBIE, (*state.viruses, *state.zombies), strict=True))
    bits = [state.board.bit(column, row) for column in range(state.board.width)]
    return "".join(next((letter for letter, cells in pieces.items() if cells >> bit & 1), EMPTY) for bit in bits)


def read_opened(reader: JsonReader) -> tuple[bool, bool]:
    """Which seats have placed their first virus."""
    opened = reader.inside("opened", SEATS)
    return opened.boolean(SEATS[0]), opened.boolean(SEATS[1])


FIELDS: dict[str, Callable[[JsonReader], Any]] = {
    "game": lambda reader: reader.choice("game", [GAME_ID]),
    "phase": lambda reader: reader.choice("phase", ["play"]),
    "to_move": lambda reader: reader.choice("to_move", SEATS),
    "step": lambda reader: reader.integer("step", 1, STEPS),
    "width": lambda reader: reader.integer("width", 1, LARGEST),
    "height": lambda reader: reader.integer("height", 1, LARGEST),
    "rows": lambda reader: reader.items("rows", lambda row: row if isinstance(row, str) else None, "row of letters"),
    "opened": read_opened,
    "edges": lambda reader: reader.choice("edges", EDGES),
}
"""How each value is read by itself."""


def read(record: Any) -> State:
    """The state that a record describes; raises BadArgument that lists every problem."""
    values = read_fields(JsonReader(record, FIELDS))
    rows, opened, mover = values["rows"], values["opened"], SEATS.index(values["to_move"])
    raise_problems([*row_problems(rows, values["width"], values["height"]), *turn_problems(rows, opened, mover, values["step"])])
    board = board_of(values["width"], values["height"])
    blue, red, blue_zombies, red_zombies = (read_pieces(board, rows, letter) for letter in VIRUS + ZOMBIE)
    return begin(
        board=board,
        mirrored=values["edges"] == "mirrored",
        mover=mover,
        step=values["step"],
        viruses=(blue, red),
        zombies=(blue_zombies, red_zombies),
        opened=opened,
    )


def read_fields(reader: JsonReader) -> dict[str, Any]:
    """All values, each of the right type and within its bounds."""
    values, problems = {}, []
    for key, read_field in FIELDS.items():
        try:
            values[key] = read_field(reader)
        except BadArgument as error:
            problems.append(str(error))
    raise_problems(problems)
    return values


def read_pieces(board: Board, rows: list[str], piece: str) -> Cells:
    """The cells that hold one kind of piece."""
    return sum(1 << board.bit(column, y) for y, row in enumerate(rows) for column, letter in enumerate(row) if letter == piece)


def row_problems(rows: list[str], width: int, height: int) -> list[str]:
    """What is wrong with the number of rows, their lengths and letters."""
    problems = [] if len(rows) == height else [f"rows: there are {len(rows)}, not {height} as height says"]
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            problems.append(f"rows: row {number} has {len(row)} cells, not {width} as width says")
        strange = [letter for letter in dict.fromkeys(row) if letter not in LETTERS]
        problems += [f"rows: {letter!r} in row {number} is no piece, pieces are {' '.join(LETTERS)}" for letter in strange]
    return problems


def turn_problems(rows: list[str], opened: tuple[bool, bool], mover: int, step: int) -> list[str]:
    """What is wrong with first viruses. [6]"""
    letters = set().union(*rows)
    problems = [
        f"opened.{seat}: there are pieces of {seat}, so the first virus has been placed"
        for seat, has_opened, virus, zombie in zip(SEATS, opened, VIRUS, ZOMBIE, strict=True)
        if not has_opened and letters & {virus, zombie}
    ]
    if not opened[mover] and step != 1:
        problems.append(f"step: {SEATS[mover]} has not opened, so the step due is 1")
    return problems
