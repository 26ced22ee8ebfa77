"""All figures of a box, alone or together, on pages or on one long sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from underboard.engine.base.drawing.shapes import Drawing, Shape, move
from underboard.engine.printing.paper import PAPERS
from underboard.engine.printing.wiring.cell import cell_figure
from underboard.engine.printing.wiring.connectors import PI, PICO
from underboard.engine.printing.wiring.matrix import matrix_figure
from underboard.engine.printing.wiring.panel import panel_figure
from underboard.engine.printing.wiring.pins import pins_figure
from underboard.engine.printing.wiring.wires import wires
from underboard.hardware.box.config import BoxConfig

EDGE = 5.0
"""Around a figure that is a file of its own."""
GAP = 10.0

FIGURES: Mapping[str, Callable[[BoxConfig], Drawing]] = {
    "header": lambda box: pins_figure(PI, wires(box)),
    "pico": lambda box: pins_figure(PICO, wires(box)),
    "matrix": matrix_figure,
    "cell": lambda box: cell_figure(),
    "panel": panel_figure,
}
"""The figures by name, in the order in which they are of use."""


def names(box: BoxConfig) -> list[str]:
    """The figures that this box has."""
    return [name for name in FIGURES if name != "pico" or box.pico]


def long_sheet(box: BoxConfig, chosen: Sequence[str]) -> Drawing:
    """Some of the figures, one below the other."""
    figures = [FIGURES[name](box) for name in chosen]
    shapes: list[Shape] = []
    y = EDGE
    for figure in figures:
        shapes += move(figure.shapes, EDGE, y)
        y += figure.height + GAP
    width = max(figure.width for figure in figures) + 2 * EDGE
    return Drawing(width, y - GAP + EDGE, "; ".join(figure.title for figure in figures), shapes)


def pages(box: BoxConfig, chosen: Sequence[str]) -> list[Drawing]:
    """Some of the figures, each on a sheet that fits both A4 and Letter paper."""
    width, height = PAPERS["a4"][0], PAPERS["letter"][1]
    return [on_page(FIGURES[name](box), width, height) for name in chosen]


def on_page(figure: Drawing, width: float, height: float) -> Drawing:
    """A figure in the middle of the upper part of a sheet."""
    return Drawing(width, height, figure.title, move(figure.shapes, (width - figure.width) / 2, GAP))
