"""Which sensor of the matrix lies under which cell of the board.

The matrix may lie turned under the board, its wires may run from the right, its rows and
columns may have changed places (that is a turned mirror image), two wires may be crossed, a
switch may be dead. A game knows none of this: it names cells as players see them, row 1 on
top and column 1 on the left. The map is a pure relation between the two; the self-test finds
it, and a file keeps it:

    rows = 10                   # of the matrix, as it is wired
    columns = 10
    rotation = 90               # how far the matrix lies turned clockwise under the board
    mirrored = false            # true: before it is turned, its column 1 is the rightmost
    dead = ["r3c4"]             # cells of the board without a working sensor
    [moved]                     # cells of the board whose sensor is not where it should be
    r1c1 = "r1c2"               # = the sensor, counted as the matrix is wired
    r1c2 = "r1c1"
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Self

from underboard.errors import UnderboardError
from underboard.hardware.core.cells import Cell

ROTATIONS = (0, 90, 180, 270)
Sensor = Cell
"""Row and column of the matrix as it is wired, both from 1."""


class CellMapError(UnderboardError, ValueError):
    """A map that cannot be; the text lists every problem."""

    fault = "configuration"


@dataclass(frozen=True)
class CellMap:
    """The map of a matrix of *rows* x *columns*; CellMapError if it contradicts itself.

    *moved* gives the sensor of each cell that has another one than its place says, *dead* the
    cells without any.
    """

    rows: int
    columns: int
    rotation: int = 0
    mirrored: bool = False
    moved: Mapping[Cell, Sensor] = field(default_factory=dict)
    dead: frozenset[Cell] = frozenset()
    _cells: Mapping[Sensor, Cell] = field(init=False, repr=False, compare=False)
    _sensors: Mapping[Cell, Sensor] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work both directions out, and check that no sensor has two cells."""
        if problems := [*self._setting_problems()]:
            raise CellMapError("; ".join(problems))
        by_place = {self.place(sensor): sensor for sensor in product(range(1, self.rows + 1), range(1, self.columns + 1))}
        sensors = {cell: self.moved.get(cell, sensor) for cell, sensor in by_place.items() if cell not in self.dead}
        if problems := [*self._cell_problems(by_place, sensors)]:
            raise CellMapError("; ".join(problems))
        object.__setattr__(self, "_sensors", sensors)
        object.__setattr__(self, "_cells", {sensor: cell for cell, sensor in sensors.items()})

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the board as players see it."""
        return (self.columns, self.rows) if self.rotation % 180 else (self.rows, self.columns)

    @property
    def plain(self) -> bool:
        """Whether every cell is called like its sensor."""
        return not (self.rotation or self.mirrored or self.moved or self.dead)

    def place(self, sensor: Sensor) -> Cell:
        """The cell over *sensor* by its place alone, whatever may have been moved."""
        row, column = sensor
        if self.mirrored:
            column = self.columns + 1 - column
        match self.rotation:
            case 90:
                return column, self.rows + 1 - row
            case 180:
                return self.rows + 1 - row, self.columns + 1 - column
            case 270:
                return self.columns + 1 - column, row
            case _:
                return row, column

    def sensor(self, cell: Cell) -> Sensor | None:
        """The sensor under *cell*; None if it is dead or there is no such cell."""
        return self._sensors.get(cell)

    def cell(self, sensor: Sensor) -> Cell | None:
        """The cell over *sensor*; None if there is none."""
        return self._cells.get(sensor)

    def cells(self, sensors: frozenset[Sensor]) -> frozenset[Cell]:
        """The cells over *sensors*."""
        return sensors if self.plain else frozenset(cell for sensor in sensors if (cell := self._cells.get(sensor)))

    def sensors(self, cells: Iterable[Cell]) -> frozenset[Sensor]:
        """The sensors under *cells*."""
        return frozenset(sensor for cell in cells if (sensor := self._sensors.get(cell)))

    def _setting_problems(self) -> Iterator[str]:
        if self.rows < 1 or self.columns < 1:
            yield f"a matrix of {self.rows}x{self.columns} has no sensors"
        if self.rotation not in ROTATIONS:
            yield f"rotation {self.rotation}: it is one of {', '.join(map(str, ROTATIONS))}"

    def _cell_problems(self, places: Mapping[Cell, Sensor], sensors: Mapping[Cell, Sensor]) -> Iterator[str]:
        rows, columns = self.size
        for cell in sorted({*self.moved, *self.dead} - set(places)):
            yield f"there is no cell {name(cell)} on a board of {rows}x{columns}"
        for sensor in sorted(set(self.moved.values()) - set(places.values())):
            yield f"there is no sensor {name(sensor)} in a matrix of {self.rows}x{self.columns}"
        for cell in sorted(set(self.moved) & self.dead):
            yield f"cell {name(cell)} is both moved and dead"
        for sensor, count in sorted(Counter(sensors.values()).items()):
            if count > 1:
                yield f"sensor {name(sensor)} is under {' and '.join(name(cell) for cell in sensors if sensors[cell] == sensor)}"

    # ---- as a file ----------------------------------------------------------------

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read what :meth:`to_toml` writes; CellMapError for anything else, unknown keys too."""
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise CellMapError(str(error)) from None
        if problems := [*wrong_types(values)]:
            raise CellMapError("; ".join(problems))
        moved = {parsed(cell): parsed(sensor) for cell, sensor in values.pop("moved", {}).items()}
        return cls(**values | {"moved": moved, "dead": frozenset(map(parsed, values.get("dead", [])))})

    def to_toml(self) -> str:
        """The map as the text of a file."""
        dead = ", ".join(f'"{name(cell)}"' for cell in sorted(self.dead))
        lines = [
            f"rows = {self.rows}",
            f"columns = {self.columns}",
            f"rotation = {self.rotation}",
            f"mirrored = {str(self.mirrored).lower()}",
            f"dead = [{dead}]",
            *(["[moved]"] if self.moved else []),
            *(f'{name(cell)} = "{name(sensor)}"' for cell, sensor in sorted(self.moved.items())),
        ]
        return "".join(f"{line}\n" for line in lines)


def name(cell: Cell) -> str:
    """A cell or sensor as it is written: r3c2."""
    return f"r{cell[0]}c{cell[1]}"


def parsed(text: str) -> Cell:
    """The cell or sensor that :func:`name` has written; CellMapError for any other text."""
    match = re.fullmatch(r"r([1-9][0-9]?)c([1-9][0-9]?)", text, re.ASCII)
    if not match:
        raise CellMapError(f"'{text}' is no cell: write r3c2 for row 3, column 2")
    return int(match[1]), int(match[2])


def wrong_types(values: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the keys of a file and the kinds of their values."""
    kinds: Mapping[str, type] = {"rows": int, "columns": int, "rotation": int, "mirrored": bool, "dead": list, "moved": dict}
    yield from (f"{key} is missing" for key in ("rows", "columns") if key not in values)
    for key, value in values.items():
        if key not in kinds:
            yield f"unknown key {key}: there are {', '.join(kinds)}"
        elif type(value) is not kinds[key]:
            yield f"{key} = {value}: that is no {kinds[key].__name__}"
        elif not all(isinstance(item, str) for item in written_cells(value)):
            yield f'{key}: cells are written as text, like "r3c2"'


def written_cells(value: Any) -> Iterable[Any]:
    """What should be cells in the value of a key."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def read_cell_map(path: Path) -> CellMap:
    """The map in a file. Raises OSError, or CellMapError that names the file."""
    try:
        return CellMap.from_toml(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise CellMapError(f"{path}: this is no text in UTF-8") from None
    except ValueError as error:
        raise CellMapError(f"{path}: {error}") from None


def write_cell_map(path: Path, cell_map: CellMap, heading: str) -> None:
    """Put the map into a file, whole or not at all, with *heading* as its first comment. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(f"# {heading}\n{cell_map.to_toml()}")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
