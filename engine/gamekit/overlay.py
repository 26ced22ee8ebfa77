"""Which place of a game lies over which sensor.

A *space* is one sensor that a player can name ("7a", "c4"); a *site* is a place of the game ("7", "c4") with one space or
several, on which any of them will do. An *overlay* says which sensor of the matrix lies under which space.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources

from underboard.engine.base.coordinates import cell_name
from underboard.engine.base.errors import BadArgument

Space = str
Site = str
Spaces = frozenset[Space]
NO_SPACES: Spaces = frozenset()

Cell = tuple[int, int]
"""Row and column of the sensor matrix, both from 1."""

BOARD_ROWS = BOARD_COLUMNS = 10
"""Sensors of the reference board."""


@dataclass(frozen=True)
class Overlay:
    """Which sensor of the matrix lies under which space. Sensors without a space are named like "@r3c2"."""

    rows: int
    columns: int
    spaces: Mapping[Space, Cell]
    _names: dict[Cell, Space] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", {cell: space for space, cell in self.spaces.items()})

    def name(self, cell: Cell) -> Space:
        """The space over a sensor."""
        return self._names.get(cell) or f"@r{cell[0]}c{cell[1]}"

    def names(self, cells: Iterable[Cell]) -> frozenset[Space]:
        """The spaces over sensors."""
        return frozenset(map(self.name, cells))

    @cached_property
    def all_names(self) -> Mapping[Space, Cell]:
        """Every name that a sensor has, those under a space also by their raw name."""
        raw = {f"@r{row}c{column}": (row, column) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1)}
        return {**raw, **self.spaces}

    @cached_property
    def extent(self) -> tuple[int, int]:
        """How many rows and columns of sensors the spaces need."""
        cells = self.spaces.values()
        return max((row for row, _ in cells), default=0), max((column for _, column in cells), default=0)

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether every space lies over a sensor of a board with so many rows and columns."""
        return self.extent[0] <= size[0] and self.extent[1] <= size[1]

    def cell(self, space: Space) -> Cell:
        """The sensor of a space; raises BadArgument for a name that no sensor has."""
        cell = self.all_names.get(space)
        if cell is None:
            spaces = f"spaces are {', '.join(sorted(self.spaces))}" if self.spaces else "nothing stands on the board in this game"
            raise BadArgument(f"there is no space '{space}': {spaces}, sensors @r1c1 to @r{self.rows}c{self.columns}")
        return cell


@cache
def grid_overlay(width: int, height: int) -> Overlay:
    """Cells from a1 on in the corner of the reference board: "c4" lies over row 4, column 3."""
    spaces = {cell_name(x, y): (y + 1, x + 1) for y in range(height) for x in range(width)}
    return Overlay(BOARD_ROWS, BOARD_COLUMNS, spaces)


@cache
def read_overlay(game_id: str) -> Overlay:
    """The overlay of a game on the reference board, from its `overlay.toml`: rows of names, `.` where no space lies."""
    text = resources.files(f"underboard.engine.games.{game_id}").joinpath("overlay.toml").read_text(encoding="utf-8")
    rows = [row.split() for row in tomllib.loads(text)["rows"]]
    spaces = {name: (r, c) for r, row in enumerate(rows, 1) for c, name in enumerate(row, 1) if name != "."}
    return Overlay(len(rows), len(rows[0]), spaces)


def by_site(spaces: Iterable[Space], site: Callable[[Space], Site]) -> dict[Site, Spaces]:
    """The spaces grouped by their site."""
    groups: dict[Site, set[Space]] = {}
    for space in spaces:
        groups.setdefault(site(space), set()).add(space)
    return {name: frozenset(group) for name, group in groups.items()}
