"""The figure of a connector: all its pins in their places, each that is used with its wire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from underboard.engine.base.drawing.shapes import BLACK, GREY, WHITE, Anchor, Circle, Drawing, Shape, label, rectangle
from underboard.engine.printing.wiring.connectors import GROUND, Connector
from underboard.engine.printing.wiring.style import TINTS, WIDTH, heading, swatch, wire_line
from underboard.engine.printing.wiring.wires import Wire

STEP = 7.0
TOP = 20.0
MIDDLE = WIDTH / 2
PAD, BODY = 4.5, 26.0
"""From the middle to a pad, and to the edge of the board."""
TAG_AT, TAG_WIDTH, TAG_HEIGHT = 34.0, 56.0, 5.4
ANCHORS: Mapping[int, tuple[Anchor, Anchor]] = {-1: ("end", "start"), 1: ("start", "end")}
"""How a text begins that runs away from the middle, and one that runs towards it, on the left (-1) and the right (1)."""


def pins_figure(connector: Connector, found: Sequence[Wire]) -> Drawing:
    """The connector with those of the wires that lead to it."""
    by_pin = {wire.pin: wire for wire in found if wire.connector is connector}
    bottom = TOP + len(connector.left) * STEP
    shapes: list[Shape] = [
        heading(f"The pins of {connector.title}"),
        rectangle(MIDDLE - BODY, TOP - 8, 2 * BODY, bottom - TOP + 14, stroke=GREY, fill="#f4f7f4"),
        label(MIDDLE, TOP - 4.5, connector.top, 2.6, colour=GREY, room=2 * BODY - 4),
        label(MIDDLE, bottom + 3, connector.bottom, 2.6, colour=GREY),
    ]
    for side, pins in ((-1, connector.left), (1, connector.right)):
        for place, pin in enumerate(pins):
            shapes += pin_shapes(connector, pin, by_pin.get(pin), side, TOP + (place + 0.5) * STEP)
    return Drawing(WIDTH, bottom + 8, f"The pins of {connector.title}, and which wire goes where", shapes)


def pin_shapes(connector: Connector, pin: int, wire: Wire | None, side: int, y: float) -> Iterator[Shape]:
    """One pin on the left (-1) or right (1) side."""
    outward, _ = ANCHORS[side]
    name = connector.name(pin)
    fill = BLACK if name == GROUND else "#c0392b" if "V" in name else "#4a6b4a"
    pad = MIDDLE + side * PAD
    yield rectangle(pad - 2, y - 2, 4, 4, stroke=None, fill=fill) if pin == 1 else Circle(pad, y, 2.0, stroke=None, fill=fill)
    yield label(pad, y, str(pin), 2.3, bold=True, colour=WHITE)
    yield label(pad + side * 3.5, y, name, 2.6, colour=BLACK if wire else GREY, anchor=outward, room=BODY - PAD - 4.5)
    if wire is not None:
        yield from wire_shapes(wire, side, y)


def wire_shapes(wire: Wire, side: int, y: float) -> Iterator[Shape]:
    """The wire from the edge of the board to a tag with its name."""
    near, far = MIDDLE + side * TAG_AT, MIDDLE + side * (TAG_AT + TAG_WIDTH)
    yield from wire_line(wire.colour, (MIDDLE + side * (BODY + 0.5), y), (near, y))
    tint = TINTS[wire.part]
    yield rectangle(min(near, far), y - TAG_HEIGHT / 2, TAG_WIDTH, TAG_HEIGHT, stroke=GREY, fill=tint, line_width=0.15)
    yield swatch(near + side * 3, y, wire.colour)
    outward, inward = ANCHORS[side]
    yield label(near + side * 6, y, wire.label, 3.2, bold=True, anchor=outward, room=28, name=f"{wire.connector.prefix} pin {wire.pin}")
    yield label(far - side * 2, y, f"{wire.colour} wire", 2.4, colour=GREY, anchor=inward)
