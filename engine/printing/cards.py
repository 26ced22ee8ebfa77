"""Cards to be printed, cut out and tagged: several on a sheet, with marks to cut along.

A circle as large as a usual tag stands in the lower half, where nothing else does: the tag goes behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from underboard.engine.base.drawing.shapes import GREY, PALE, Circle, Drawing, Shape, label, line, move, rectangle
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.prints import FIGURE, SMALL_FIGURE, Face
from underboard.engine.gamekit.registry import find_game, find_print, title_of
from underboard.engine.printing.paper import Paper, foot

CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
"""The size that sleeves are sold for."""
TAG = 25.0
"""Diameter of the sticker tags that are sold most."""
EDGE, FOOT_EDGE = 8.0, 17.0
MARK, MARK_GAP = 4.0, 1.0
CORNER_SIZE, MAIN_SIZE, LINE_SIZE = 7.0, 21.0, 3.8


@dataclass(frozen=True, slots=True)
class Grid:
    """How many cards lie on a sheet, and where the first begins."""

    paper: Paper
    columns: int
    rows: int

    @property
    def left(self) -> float:
        """Where the cards begin."""
        return (self.paper.width - self.columns * CARD_WIDTH) / 2

    @property
    def top(self) -> float:
        """Where the cards begin; they stand higher than the middle, since there is a foot."""
        return (self.paper.height - FOOT_EDGE + EDGE - self.rows * CARD_HEIGHT) / 2


def faces_of(game_id: str, options: Options, words: Words) -> list[tuple[Face, bool]]:
    """All cards, copies one by one, and whether each needs a tag. Raises BadArgument for a game without cards."""
    cards = find_game(game_id).deck(options)
    options.finish()
    if not cards:
        raise BadArgument(f"{game_id} has no cards; `underboard print {game_id}` prints what lies on the board")
    prints = find_print(game_id)
    return [(prints.face(card, words), True) for card in cards] + [(prints.face(card, words), False) for card in prints.untagged()]


def sheets(game_id: str, options: Options, paper: Paper, words: Words) -> list[Drawing]:
    """The sheets of a deck. Raises BadArgument."""
    faces = faces_of(game_id, options, words)
    grid = max((grid_on(way) for way in (paper, paper.turned)), key=lambda found: found.columns * found.rows)
    each = grid.columns * grid.rows
    parts = [faces[first : first + each] for first in range(0, len(faces), each)]
    title = title_of(game_id)
    numbered = [words("{title} · cards, sheet {number} of {count}", title=title, number=n + 1, count=len(parts)) for n in range(len(parts))]
    return [sheet(part, grid, name, words) for part, name in zip(parts, numbered, strict=True)]


def grid_on(paper: Paper) -> Grid:
    """As many cards as find room on a sheet lying this way."""
    return Grid(paper, int((paper.width - 2 * EDGE) // CARD_WIDTH), int((paper.height - EDGE - FOOT_EDGE) // CARD_HEIGHT))


def sheet(faces: Sequence[tuple[Face, bool]], grid: Grid, title: str, words: Words) -> Drawing:
    """One sheet."""
    shapes: list[Shape] = []
    for place, (face, tagged) in enumerate(faces):
        row, column = divmod(place, grid.columns)
        shapes += move(card(face, tagged, words), grid.left + column * CARD_WIDTH, grid.top + row * CARD_HEIGHT)
    return Drawing(grid.paper.width, grid.paper.height, title, [*shapes, *cutting_marks(grid), *foot(grid.paper, title, words)])


def card(face: Face, tagged: bool, words: Words) -> list[Shape]:
    """One card with its top left corner at (0, 0)."""
    middle, tag_y = CARD_WIDTH / 2, CARD_HEIGHT - 9.0 - TAG / 2
    shapes: list[Shape] = [rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, stroke=PALE, line_width=0.1, name="card")]
    room = 0.46 * CARD_WIDTH
    shapes.append(label(5, 7.5, face.corner, CORNER_SIZE, bold=True, colour=face.ink, anchor="start", room=room))
    shapes.append(label(CARD_WIDTH - 5, CARD_HEIGHT - 7.5, face.corner, CORNER_SIZE, bold=True, colour=face.ink, anchor="end", room=12))
    shapes += move(face.small_figure, 5, 12.5)
    shapes += move(face.turned_figure, 5, CARD_HEIGHT - 5 - SMALL_FIGURE)
    if face.figure:
        shapes += move(face.figure, middle - FIGURE / 2, 27 - FIGURE / 2)
    else:
        shapes.append(label(middle, 27, face.main, MAIN_SIZE, bold=True, colour=face.ink, room=CARD_WIDTH - 12))
    for number, text in enumerate(face.lines):
        shapes.append(label(middle, 42 + number * LINE_SIZE * 1.35, text, LINE_SIZE, colour=face.ink, room=CARD_WIDTH - 10))
    if tagged:
        shapes.append(Circle(middle, tag_y, TAG / 2, stroke=PALE, width=0.2, name="tag"))
        shapes.append(label(middle, tag_y, words("tag behind"), 2.6, colour=GREY, room=TAG - 4))
    return shapes


def cutting_marks(grid: Grid) -> list[Shape]:
    """Short lines outside of the cards, where the cuts go."""
    right, bottom = grid.left + grid.columns * CARD_WIDTH, grid.top + grid.rows * CARD_HEIGHT
    marks: list[Shape] = []
    for column in range(grid.columns + 1):
        x = grid.left + column * CARD_WIDTH
        marks.append(line((x, grid.top - MARK_GAP), (x, grid.top - MARK_GAP - MARK), width=0.15))
        marks.append(line((x, bottom + MARK_GAP), (x, bottom + MARK_GAP + MARK), width=0.15))
    for row in range(grid.rows + 1):
        y = grid.top + row * CARD_HEIGHT
        marks.append(line((grid.left - MARK_GAP, y), (grid.left - MARK_GAP - MARK, y), width=0.15))
        marks.append(line((right + MARK_GAP, y), (right + MARK_GAP + MARK, y), width=0.15))
    return marks
