"""What has to be bought for a box: how many of each, and what for."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from underboard.engine.printing.wiring.wires import on_header, wires
from underboard.hardware.box.config import BoxConfig

WIDTH = 100
INDENT = 11


@dataclass(frozen=True)
class Part:
    """So many of something, exactly or, with *optional*, only if one wants what it is for."""

    count: str
    name: str
    use: str
    optional: bool = False


def parts(box: BoxConfig) -> Iterator[Part]:
    """Everything, in the order in which it is put together."""
    rows, columns = box.size
    cells = rows * columns
    yield Part(str(cells), "reed switches, normally open, glass 10 to 14 mm", "one under every space; take some more, glass breaks")
    yield Part(str(cells), "diodes 1N4148", "one at every reed switch; without them several tokens look like one more")
    yield Part("per token", "disc magnet, about 10 x 3 mm", f"at the bottom of the token; {cells} tokens fill the board")
    yield Part(f"{rows} + {columns}", "wires as long as the board, and a ribbon cable", "rows and columns, and from there to the pins")
    yield from computer(box)
    yield Part("4", "push buttons, normally open", "the keys: left, right, ok, back")
    if box.wiring.buzzer is not None:
        yield Part("1", "active buzzer for 3 V, 10 mA at most", "its tones")
    bus = "SPI, 7 pins" if box.panel.spi else "I2C, 4 pins"
    yield Part("1", f"OLED display {box.panel.controller.upper()}, 128x64, {bus}", "what the referee says")
    on_pi = sum(1 for wire in wires(box) if wire.connector.prefix == "GPIO")
    yield Part(str(on_pi), "jumper wires with a socket", "the ends at the Pi's header")
    yield from for_cards(box)


def computer(box: BoxConfig) -> Iterator[Part]:
    """What reads the board."""
    yield Part("1", "Raspberry Pi with 40 pins (3, 4, 5 or Zero 2 W)", "runs the program")
    yield Part("1", "power supply for it, and a microSD card of 8 GB or more", "the system, and the games that are kept")
    if box.pico:
        yield Part("1", "Raspberry Pi Pico with pins, and a USB cable with data lines", "reads the board")
        if box.pico.lights is not None:
            rows, columns = box.size
            yield Part(str(rows * columns), "WS2812 lights in a chain", "a light under every space", optional=True)


def for_cards(box: BoxConfig) -> Iterator[Part]:
    """What a deck with tags needs."""
    yield Part("1", "card reader RDM6300, ID-12LA (125 kHz) or PN532 (13.56 MHz)", "tells cards by their tags", optional=True)
    if on_header(box):
        yield Part("1 + 1", "resistors 1 and 2 kilohm", "make 3.3 V of the 5 V that an RDM6300 speaks with", optional=True)
    else:
        yield Part("1", "USB serial adapter (FT232, CH340 or CP2102)", "connects the reader", optional=True)
    yield Part("per card", "sticker tag of the reader's frequency, 25 mm", "behind the card", optional=True)


def parts_lines(box: BoxConfig) -> Iterator[str]:
    """The list as text."""
    found = list(parts(box))
    rows, columns = box.size
    yield f"Parts of a table with {rows} rows and {columns} columns{' on a Pico' if box.pico else ''}."
    for optional, title in ((False, ""), (True, "Only if you want it:")):
        yield ""
        if title:
            yield title
        for part in found:
            if part.optional == optional:
                text = f"{part.name}: {part.use}"
                yield from textwrap.wrap(text, WIDTH, initial_indent=part.count.ljust(INDENT), subsequent_indent=" " * INDENT)
    yield ""
    yield "And: a plywood board 3 to 4 mm thick, a box around it, a soldering iron, solder, tape, glue."
