"""The wires as a table of text, for whoever solders with a sheet beside the iron."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from underboard.engine.printing.wiring.connectors import PI, PICO, Connector
from underboard.engine.printing.wiring.wires import Wire, notes, wires
from underboard.hardware.box.config import BoxConfig

HEADS = ("pin", "line", "signal", "goes to", "colour")
WIDTH = 100


def wiring_lines(box: BoxConfig) -> Iterator[str]:
    """All wires of each connector, and what else is to be known."""
    rows, columns = box.size
    where = "a Pico" if box.pico else "the Pi's header"
    yield f"Wiring of a board of {rows} rows and {columns} columns on {where}."
    found = wires(box)
    for connector in (PI, PICO):
        own = [wire for wire in found if wire.connector is connector]
        if own:
            yield from ("", *table(connector, own))
    yield ""
    for note in notes(box):
        yield from textwrap.wrap(note, WIDTH, initial_indent="- ", subsequent_indent="  ")


def table(connector: Connector, own: Sequence[Wire]) -> Iterator[str]:
    """The wires of one connector."""
    cells = [HEADS, *((str(wire.pin), wire.pin_name, wire.signal, wire.to, wire.colour) for wire in own)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(HEADS))]
    yield f"On {connector.title}:"
    for pin, *rest in cells:
        padded = (text.ljust(width) for text, width in zip(rest, widths[1:], strict=True))
        yield "  ".join([pin.rjust(widths[0]), *padded]).rstrip()
