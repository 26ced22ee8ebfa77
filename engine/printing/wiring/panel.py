"""The figure of everything that is not the board: keys, buzzer, display and card reader, each terminal with its pin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from underboard.engine.base.drawing.shapes import BLACK, GREY, Circle, Drawing, Shape, TextShape, label, line, rectangle
from underboard.engine.printing.wiring.style import TINTS, WIDTH, heading, joint, paragraph, resistor, swatch, wire_line
from underboard.engine.printing.wiring.wires import Wire, on_header, wires
from underboard.hardware.box.config import BoxConfig

STEP = 7.5
DEVICE = 84.0
"""Width of a device's box."""
END = 128.0
HINT = 2.7


@dataclass(frozen=True)
class Terminal:
    """A terminal of a device: what is printed beside it, where its wire leads to, the wire's colour ("": no wire)."""

    name: str
    to: str
    colour: str = ""
    wire: Wire | None = None


@dataclass(frozen=True)
class Block:
    """A device with its terminals, and what one should know of it."""

    part: str
    title: str
    hint: str
    terminals: Sequence[Terminal]
    keys: bool = False
    divider: bool = False


def panel_figure(box: BoxConfig) -> Drawing:
    """All devices of the box, one below the other."""
    shapes: list[Shape] = [heading("Keys, buzzer, display, card reader")]
    y = 10.0
    for block in blocks(box):
        drawn, height = block_shapes(block, y)
        shapes += drawn
        y += height + 5
    return Drawing(WIDTH, y, "Keys, buzzer, display and card reader with the pins they are wired to", shapes)


def blocks(box: BoxConfig) -> Iterator[Block]:
    """The devices."""
    found = wires(box)

    def of(part: str) -> list[Terminal]:
        return [Terminal(terminal_name(wire), "", wire.colour, wire) for wire in found if wire.part == part]

    keys = sorted(of("keys"), key=lambda terminal: list(box.wiring.keys).index(terminal.name) if terminal.name in box.wiring.keys else 9)
    yield Block("keys", "Keys", "Four push buttons that close while pressed. No resistors: the Pi pulls the lines up.", keys, keys=True)
    if box.wiring.buzzer is not None:
        hint = "Active: it beeps on plain 3\u00a0V. It may draw 10\u00a0mA at most; for a louder one put a transistor between."
        yield Block("buzzer", "Buzzer", hint, of("buzzer"))
    yield display_block(box, of("display"))
    yield reader_block(box, of("reader"))


READER_ORDER = ("5 V", "to reader", "from reader", "ground")
"""So that the resistors lie between neighbours."""


def terminal_name(wire: Wire) -> str:
    """What is printed beside the terminal, mostly."""
    if wire.part == "keys":
        return wire.signal.removeprefix("key ") if wire.signal != "ground" else "other sides"
    if wire.part == "buzzer":
        return "+" if wire.signal == "+" else "−"
    return wire.to.split(" of the ")[0] if wire.part == "display" else wire.signal


def display_block(box: BoxConfig, terminals: Sequence[Terminal]) -> Block:
    """The display."""
    panel = box.panel
    how = "on SPI" if panel.spi else f"on I2C, {panel.address:#04x}"
    hint = "The order of the pins differs from module to module: go by what is printed beside them. 3.3\u00a0V, not 5\u00a0V."
    return Block("display", f"Display {panel.controller.upper()} {how}", hint, terminals)


def reader_block(box: BoxConfig, terminals: Sequence[Terminal]) -> Block:
    """The card reader, on the header or on a USB adapter."""
    if on_header(box):
        hint = (
            "RDM6300 and ID-12LA speak with 5\u00a0V: two resistors make 3.3\u00a0V of it."
            " A PN532 speaks with 3.3\u00a0V: leave the resistors out and set its switches to HSU (both 0)."
        )
        ordered = sorted(terminals, key=lambda terminal: READER_ORDER.index(terminal.name))
        return Block("reader", "Card reader on the serial port", hint, ordered, divider=True)
    hint = (
        "Needs no pin of the Pi; only for decks with tags. RDM6300, ID-12LA: set the adapter's jumper to 5\u00a0V."
        " PN532: 3.3\u00a0V and its switches to HSU (both 0)."
    )
    adapter = (
        Terminal("supply", "VCC of a USB serial adapter", "red"),
        Terminal("ground", "GND of the adapter", "black"),
        Terminal("TX", "RXD of the adapter", "green"),
        Terminal("RX (PN532 only)", "TXD of the adapter", "white"),
    )
    return Block("reader", "Card reader on a USB serial adapter", hint, adapter)


def block_shapes(block: Block, top: float) -> tuple[list[Shape], float]:
    """A device as a box, its terminals at the right, and a hint at the left; and how high that is."""
    hint = paragraph(4, top + 13, block.hint, HINT, DEVICE - 40)
    height = max(len(block.terminals) * STEP + 9, hint[-1].y - top + 4)
    shapes: list[Shape] = [
        rectangle(0, top, DEVICE, height, stroke=GREY, fill=TINTS[block.part], line_width=0.3),
        TextShape(4, top + 6, block.title, 3.4, bold=True),
        *hint,
    ]
    levels = [top + 9 + (place + 0.5) * STEP for place in range(len(block.terminals))]
    for terminal, y in zip(block.terminals, levels, strict=True):
        shapes += terminal_shapes(terminal, y)
    if block.keys:
        shapes += key_symbols(levels)
    if block.divider:
        shapes += divider(block.terminals, levels)
    return shapes, height


def terminal_shapes(terminal: Terminal, y: float) -> Iterator[Shape]:
    """A terminal with its wire and where that leads."""
    yield from wire_line(terminal.colour, (DEVICE, y), (END, y))
    yield Circle(DEVICE, y, 1.1, stroke=BLACK, fill="#ffffff")
    yield label(DEVICE - 3, y, terminal.name, 3.0, bold=True, anchor="end", room=30)
    wire = terminal.wire
    target = f"pin {wire.pin} · {wire.pin_name}" if wire else terminal.to
    yield swatch(END + 2, y, terminal.colour)
    yield label(END + 5, y, target, 3.2, bold=True, anchor="start", room=WIDTH - END - 5)


def key_symbols(levels: Sequence[float]) -> Iterator[Shape]:
    """A push button between each terminal and the common one, the last."""
    contact, common = DEVICE - 26, DEVICE - 34
    *keys, last = levels
    for y in keys:
        yield line((DEVICE - 15, y), (contact + 5, y), width=0.4)
        yield line((contact, y), (common, y), width=0.4)
        yield line((contact - 0.5, y - 2), (contact + 5.5, y - 2), width=0.5)
        yield line((contact + 2.5, y - 2), (contact + 2.5, y - 3.2), width=0.5)
        yield Circle(contact, y, 0.5, fill="#ffffff", width=0.2)
        yield Circle(contact + 5, y, 0.5, fill="#ffffff", width=0.2)
        yield joint(common, y, 0.5)
    yield line((common, keys[0]), (common, last), (DEVICE - 24, last), width=0.4)


def divider(terminals: Sequence[Terminal], levels: Sequence[float]) -> Iterator[Shape]:
    """1 kilohm in the wire from the reader, 2 kilohms from there to ground."""
    by_name = {terminal.name: y for terminal, y in zip(terminals, levels, strict=True)}
    signal, ground = by_name["from reader"], by_name["ground"]
    yield from resistor(DEVICE + 12, signal, "1 kΩ")
    x = DEVICE + 26
    yield line((x, signal), (x, ground), width=0.5)
    yield from resistor(x, (signal + ground) / 2, "2 kΩ", upright=True)
    yield joint(x, signal)
    yield joint(x, ground)
