"""A picture that is larger than a sheet, over several sheets that are glued together.

Each sheet shows a strip of its right and lower neighbours again. Cut a sheet along its left and upper edge, and glue it on the
strip of the one before, so that the lines meet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from underboard.engine.base.drawing.shapes import BLACK, GREY, PALE, WHITE, Bounds, Clipped, Drawing, Shape, line, move, rectangle
from underboard.engine.base.i18n import Words
from underboard.engine.printing.paper import Paper, foot

OVERLAP = 10.0
MARK = 5.0
"""Length of a cutting mark."""
MARK_GAP = 1.0
MAP_CELL = 3.0


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be printed, with its top left corner at (0, 0)."""

    title: str
    width: float
    height: float
    shapes: Sequence[Shape]
    cell: float
    """What is better not cut in two: width and height of a cell, from the top left corner on."""


@dataclass(frozen=True, slots=True)
class Tile:
    """What one sheet shows: its row and column from 0, and its part of the picture."""

    row: int
    column: int
    part: Bounds


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a picture is spread over sheets."""

    paper: Paper
    rows: int
    columns: int
    tiles: Sequence[Tile]


def spread(picture: Picture, paper: Paper) -> Tiling:
    """The fewest sheets, upright or lying."""
    return min((tiling(picture, way) for way in (paper, paper.turned)), key=lambda found: len(found.tiles))


def tiling(picture: Picture, paper: Paper) -> Tiling:
    """The sheets that lie this way."""
    left, top, right, bottom = paper.room
    across, down = spans(picture.width, right - left, picture.cell), spans(picture.height, bottom - top, picture.cell)
    tiles = [
        Tile(row, column, Bounds(begin, above, end, below))
        for row, (above, below) in enumerate(down)
        for column, (begin, end) in enumerate(across)
    ]
    return Tiling(paper, len(down), len(across), tiles)


def spans(length: float, room: float, cell: float) -> list[tuple[float, float]]:
    """Beginning and end of each part of a length; neighbours share the overlap.

    As few parts as can be, about equally long, and cut between two cells if that takes no part more.
    """
    count = max(1, math.ceil((length - OVERLAP) / (room - OVERLAP) - 1e-9))
    step = (length - OVERLAP) / count
    whole = cell * math.ceil(length / count / cell - 1e-9)
    if whole + OVERLAP <= room and (count - 1) * whole < length:
        step = whole
    return [(number * step, min(length, number * step + step + OVERLAP)) for number in range(count)]


def pages(picture: Picture, paper: Paper, words: Words) -> list[Drawing]:
    """The sheets in reading order."""
    found = spread(picture, paper)
    return [sheet(picture, found, number, words) for number in range(len(found.tiles))]


def whole(picture: Picture) -> Drawing:
    """The picture in one piece, with nothing around it."""
    return Drawing(picture.width, picture.height, picture.title, picture.shapes)


def sheet(picture: Picture, found: Tiling, number: int, words: Words) -> Drawing:
    """One of them."""
    tile, paper = found.tiles[number], found.paper
    dx, dy = paper.room.left - tile.part.left, paper.room.top - tile.part.top
    part = Bounds(tile.part.left + dx, tile.part.top + dy, tile.part.right + dx, tile.part.bottom + dy)
    title = picture.title
    if len(found.tiles) > 1:
        place = words("sheet {number} of {count}: row {row}, column {column}", **place_of(found, number))
        title = " · ".join([title, place, words("cut at the left and above, glue on the hatched strip")])
    shapes = [
        Clipped(part, move(picture.shapes, dx, dy)),
        *glue_strips(found, tile, part),
        *cutting_marks(part),
        *foot(paper, title, words, kept=(found.columns + 1) * MAP_CELL),
        *sheet_map(found, tile),
    ]
    return Drawing(paper.width, paper.height, title, shapes)


def place_of(found: Tiling, number: int) -> dict[str, int]:
    """Where a sheet belongs, counted from 1."""
    tile = found.tiles[number]
    return {"number": number + 1, "count": len(found.tiles), "row": tile.row + 1, "column": tile.column + 1}


def glue_strips(found: Tiling, tile: Tile, part: Bounds) -> list[Shape]:
    """Hatched strips at the right and below, on which the next sheets are glued."""
    strips: list[Shape] = []
    if tile.column + 1 < found.columns:
        strips += hatched(Bounds(part.right - OVERLAP, part.top, part.right, part.bottom))
    if tile.row + 1 < found.rows:
        strips += hatched(Bounds(part.left, part.bottom - OVERLAP, part.right, part.bottom))
    return strips


def hatched(strip: Bounds) -> Iterator[Shape]:
    """Slanting lines all along a strip."""
    left, top, right, bottom = strip
    upright = bottom - top > right - left
    for number in range(int(max(bottom - top, right - left) / OVERLAP)):
        at = number * OVERLAP
        x, y = (left, top + at) if upright else (left + at, top)
        yield line((x, y + OVERLAP), (x + OVERLAP, y), colour=PALE, width=0.3)


def cutting_marks(part: Bounds) -> list[Shape]:
    """Two short lines outside of each corner."""
    marks: list[Shape] = []
    for x, outward in ((part.left, -1), (part.right, 1)):
        for y, downward in ((part.top, -1), (part.bottom, 1)):
            marks.append(line((x, y + downward * MARK_GAP), (x, y + downward * (MARK_GAP + MARK)), width=0.15))
            marks.append(line((x + outward * MARK_GAP, y), (x + outward * (MARK_GAP + MARK), y), width=0.15))
    return marks


def sheet_map(found: Tiling, tile: Tile) -> list[Shape]:
    """All sheets in small, this one filled; nothing if it is the only one."""
    if len(found.tiles) == 1:
        return []
    left = found.paper.room.right - found.columns * MAP_CELL
    top = found.paper.height - 5.0 - found.rows * MAP_CELL
    return [
        rectangle(
            left + other.column * MAP_CELL,
            top + other.row * MAP_CELL,
            MAP_CELL,
            MAP_CELL,
            stroke=BLACK,
            fill=GREY if other == tile else WHITE,
            line_width=0.15,
        )
        for other in found.tiles
    ]


def frame(width: float, height: float) -> Shape:
    """The edge of the board, along which the finished sheet is cut."""
    return rectangle(0, 0, width, height, stroke=BLACK, fill=None, line_width=0.3, name="edge")


def cross(x: float, y: float) -> list[Shape]:
    """Marks the centre of a sensor, for laying the sheet on the board."""
    return [line((x - 1.5, y), (x + 1.5, y), colour=PALE, width=0.2), line((x, y - 1.5), (x, y + 1.5), colour=PALE, width=0.2)]
