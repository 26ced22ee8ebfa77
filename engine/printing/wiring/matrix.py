"""The figure of the matrix: every cell with its reed switch and its diode, between a column and a row.

The scanner pulls one row low and reads the columns, which are pulled up. So current runs from the column through the closed
switch and the diode into the row: the diode's arrow points to the row, and the ring on it is on the row's side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from underboard.engine.base.drawing.shapes import BLACK, GREY, WHITE, Circle, Drawing, Shape, TextShape, label, line, polygon
from underboard.engine.printing.wiring.style import WIDTH, heading, joint, paragraph, wire_line
from underboard.engine.printing.wiring.wires import Wire, matrix
from underboard.hardware.box.config import BoxConfig

CELL = 15.5
LEFT, TOP = 27.0, 42.0
MOST_WIDE, MOST_HIGH = WIDTH - LEFT - 2, 215.0
RULES = (
    "A dot is a joint; lines that cross without a dot do not touch. The arrow of each diode points to its row:"
    " the ring on the diode is at the row's end. The plan shows the board from above."
    " You solder it from below, where column 1 is at the right."
)


def matrix_figure(box: BoxConfig) -> Drawing:
    """All cells, as large as the paper allows."""
    rows, columns = box.size
    scale = min(1.0, MOST_WIDE / (columns * CELL), MOST_HIGH / (rows * CELL))
    cell = CELL * scale
    found = list(matrix(box))
    shapes: list[Shape] = [heading(f"The matrix: {rows} rows, {columns} columns"), *paragraph(0, 11, RULES, 2.8, WIDTH)]
    shapes += row_lines([wire for wire in found if wire.part == "rows"], columns, cell)
    shapes += column_lines([wire for wire in found if wire.part == "columns"], rows, cell)
    for row in range(rows):
        for column in range(columns):
            shapes += cell_shapes(LEFT + column * cell, TOP + row * cell, scale, f"r{row + 1}c{column + 1}")
    title = f"A matrix of {rows} rows and {columns} columns with a reed switch and a diode in each cell"
    return Drawing(WIDTH, TOP + rows * cell + 4, title, shapes)


def row_lines(rows: Sequence[Wire], columns: int, cell: float) -> Iterator[Shape]:
    """A line for each row, with its name and pin at the left."""
    for number, wire in enumerate(rows):
        y = TOP + (number + 0.9) * cell
        yield from wire_line(wire.colour, (LEFT - 4, y), (LEFT + columns * cell - 0.25 * cell, y))
        size = min(3.0, cell / 4)
        yield label(LEFT - 5, y - size * 0.6, wire.signal, size, bold=True, anchor="end")
        yield label(LEFT - 5, y + size * 0.6, f"pin {wire.pin} · {wire.pin_name}", size * 0.75, colour=GREY, anchor="end", room=LEFT - 6)


def column_lines(columns: Sequence[Wire], rows: int, cell: float) -> Iterator[Shape]:
    """A line for each column, with its name and pin above."""
    for number, wire in enumerate(columns):
        x = LEFT + (number + 0.18) * cell
        yield from wire_line(wire.colour, (x, TOP - 1), (x, TOP + (rows - 1) * cell + 0.25 * cell))
        size = min(3.0, cell / 4)
        yield TextShape(x + size * 0.1, TOP - 2, wire.signal, size, bold=True, upright=True)
        yield TextShape(x + size * 1.2, TOP - 2, f"pin {wire.pin} · {wire.pin_name}", size * 0.75, colour=GREY, upright=True)


def cell_shapes(left: float, top: float, scale: float, name: str) -> Iterator[Shape]:
    """One cell: a joint on the column, the switch, the diode down to a joint on the row."""

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * scale * CELL, top + y * scale * CELL

    thin = 0.3 * scale
    yield joint(*at(0.18, 0.25), 0.6 * scale)
    yield line(at(0.18, 0.25), at(0.34, 0.25), width=thin)
    yield line(at(0.34, 0.25), at(0.58, 0.12), width=0.45 * scale, name=f"reed {name}")
    yield Circle(*at(0.34, 0.25), 0.3 * scale, stroke=BLACK, fill=WHITE, width=0.15 * scale)
    yield Circle(*at(0.6, 0.25), 0.3 * scale, stroke=BLACK, fill=WHITE, width=0.15 * scale)
    yield line(at(0.62, 0.25), at(0.75, 0.25), at(0.75, 0.9), width=thin)
    yield polygon(at(0.66, 0.46), at(0.84, 0.46), at(0.75, 0.66), stroke=BLACK, fill=BLACK, width=0.1, name=f"diode {name}")
    yield line(at(0.66, 0.67), at(0.84, 0.67), width=0.5 * scale, name=f"ring {name}")
    yield joint(*at(0.75, 0.9), 0.6 * scale)
