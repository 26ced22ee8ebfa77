"""Figures: whole, readable, and true to what the scanner does; the pictures of the documentation are these."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from tests.engine.printing.wiring.boxes import PICO_BOX, REFERENCE_BOX, every_box
from underboard.engine.base.drawing.pdf import POINTS, pdf
from underboard.engine.base.drawing.shapes import Bounds, Drawing
from underboard.engine.base.drawing.shapes import Path as Line
from underboard.engine.base.drawing.svg import svg
from underboard.engine.printing.paper import PAPERS
from underboard.engine.printing.wiring.connectors import PI, PICO
from underboard.engine.printing.wiring.matrix import matrix_figure
from underboard.engine.printing.wiring.pins import pins_figure
from underboard.engine.printing.wiring.sheets import FIGURES, long_sheet, names, pages
from underboard.engine.printing.wiring.wires import wires
from underboard.hardware.box.config import BoxConfig
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.netlist import Diodes, ReedMatrix

PICTURES = Path(__file__).parents[4] / "docs" / "pictures"


def shapes_named(drawing: Drawing, name: str) -> list[Line]:
    return [shape for shape in drawing.shapes if isinstance(shape, Line) and shape.name == name]


@every_box
def test_no_text_lies_over_another_or_the_edge(box: BoxConfig) -> None:
    for name in names(box):
        figure = FIGURES[name](box)
        paper = Bounds(-0.01, 0, figure.width + 0.01, figure.height)
        texts = figure.texts()
        assert [text.text for text in texts if not text.box.within(paper)] == [], name
        over = [(one.text, other.text) for n, one in enumerate(texts) for other in texts[n + 1 :] if one.box.meets(other.box, slack=0.1)]
        assert over == [], name


@every_box
def test_no_text_is_too_small_to_read(box: BoxConfig) -> None:
    for name in names(box):
        assert min(text.size for text in FIGURES[name](box).texts()) >= 1.4, name


@every_box
def test_every_used_pin_is_labelled_once(box: BoxConfig) -> None:
    for connector in (PI, PICO):
        figure = pins_figure(connector, wires(box))
        labels = Counter(text.name for text in figure.texts() if text.name)
        assert labels == Counter(f"{connector.prefix} pin {wire.pin}" for wire in wires(box) if wire.connector is connector)
        said = {text.name: text.text for text in figure.texts() if text.name}
        assert all(said[f"{connector.prefix} pin {wire.pin}"] == wire.label for wire in wires(box) if wire.connector is connector)


@every_box
def test_every_cell_has_a_switch_and_a_diode_that_points_to_its_row(box: BoxConfig) -> None:
    figure = matrix_figure(box)
    rows, columns = box.size
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            (diode,) = shapes_named(figure, f"diode r{row}c{column}")
            (ring,) = shapes_named(figure, f"ring r{row}c{column}")
            assert len(shapes_named(figure, f"reed r{row}c{column}")) == 1
            left, right, tip = diode.points
            assert left[1] == right[1] < tip[1], "the arrow points down, to the row below it"
            assert ring.box.top >= tip[1], "and the ring is behind its tip"


def test_the_arrow_is_the_way_that_the_scanner_needs() -> None:
    """A row is pulled low, the column is pulled up: with diodes the other way round nothing would be read."""
    seen = {}
    for diodes in (Diodes.FITTED, Diodes.REVERSED):
        switches = ReedMatrix(VirtualClock(), 2, 2, diodes=diodes)
        switches.stick((1, 2), "closed")
        switches.drive_only(1)
        seen[diodes] = switches.low_columns()
    assert seen == {Diodes.FITTED: 0b10, Diodes.REVERSED: 0}


@every_box
def test_figures_are_well_formed_and_fit_both_papers(box: BoxConfig) -> None:
    drawing = long_sheet(box, names(box))
    root = ElementTree.fromstring(svg(drawing))
    assert len(root) == len(drawing.shapes) + 2
    ids = [element.get("id") for element in root if element.get("id")]
    assert len(set(ids)) == len(ids) >= 3 * box.size[0] * box.size[1]
    sheets = pages(box, names(box))
    reader = PdfReader(BytesIO(pdf(sheets)))
    assert len(reader.pages) == len(names(box))
    for page, sheet in zip(reader.pages, sheets, strict=True):
        assert float(page.mediabox.width) == pytest.approx(PAPERS["a4"][0] * POINTS, abs=0.01)
        assert float(page.mediabox.height) == pytest.approx(PAPERS["letter"][1] * POINTS, abs=0.01)
        assert all(shape.box.within(Bounds(5, 5, sheet.width - 5, sheet.height - 5)) for shape in sheet.shapes)


def test_texts_can_be_read_in_the_pdf() -> None:
    text = PdfReader(BytesIO(pdf(pages(REFERENCE_BOX, ["header"])))).pages[0].extract_text()
    assert [said for said in ("row 1", "column 10", "key back", "display: SDA", "GPIO 27") if said not in text] == []


@pytest.mark.parametrize("name", FIGURES)
def test_the_pictures_of_the_documentation_are_these(name: str, request: pytest.FixtureRequest) -> None:
    drawn = svg(long_sheet(PICO_BOX if name == "pico" else REFERENCE_BOX, [name]))
    file = PICTURES / f"{name}.svg"
    if request.config.getoption("--update-golden"):
        file.write_text(drawn, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == drawn, "draw it anew: make golden"
