"""Every wire of a box: from which pin, where to, and in which colour.

Supplies and ground have several pins. Each part gets pins of its own near its lines, so that no two wires share a pin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from underboard.engine.printing.wiring.connectors import PI, PICO, Connector
from underboard.hardware.box.config import HEADER_PORTS, SERIAL_LINES, BoxConfig
from underboard.hardware.core.wiring import I2C_LINES
from underboard.hardware.panel.spi import SpiWiring

WireGroup = Literal["rows", "columns", "lights", "keys", "buzzer", "display", "reader"]

RAINBOW = ("brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white", "black")
"""The colours of a ribbon cable in their order, which are those of the numbers on resistors too."""
USUAL_BUS = (1, "/dev/i2c-1")


@dataclass(frozen=True)
class Wire:
    """One wire: its pin, the part it belongs to, what it carries, where its other end goes and the colour we suggest."""

    connector: Connector
    pin: int
    part: WireGroup
    signal: str
    to: str
    colour: str

    @property
    def label(self) -> str:
        """What the wire is called among all others: "row 1", "display: SDA"."""
        return self.signal if self.part in ("rows", "columns") or self.signal.startswith("key ") else f"{self.part}: {self.signal}"

    @property
    def pin_name(self) -> str:
        """What the pin is called: "GPIO 4"."""
        return self.connector.name(self.pin)


def wires(box: BoxConfig) -> list[Wire]:
    """All wires: those of the Pi by their pins, then those of the Pico."""
    found = [*matrix(box), *key_wires(box), *buzzer(box), *display(box), *reader(box)]
    return sorted(found, key=lambda wire: (wire.connector is PICO, wire.pin))


def rainbow(number: int) -> str:
    """The colour of the n-th wire, from 1; behind the tenth they begin again."""
    return RAINBOW[(number - 1) % len(RAINBOW)]


def matrix(box: BoxConfig) -> Iterator[Wire]:
    """Rows and columns on whatever reads them, and the lights of a Pico."""
    lines, connector = (box.pico, PICO) if box.pico else (box.wiring, PI)
    for number, line in enumerate(lines.rows, 1):
        to = f"row {number}: the ringed ends of its diodes"
        yield Wire(connector, connector.pin_of(line), "rows", f"row {number}", to, rainbow(number))
    for number, line in enumerate(lines.columns, 1):
        to = f"column {number}: its reed switches"
        yield Wire(connector, connector.pin_of(line), "columns", f"column {number}", to, rainbow(number))
    if box.pico and box.pico.lights is not None:
        pin = PICO.pin_of(box.pico.lights)
        yield Wire(PICO, pin, "lights", "data", "DIN of the first light; leave it open without lights", "green")
        yield Wire(PICO, 40, "lights", "5 V", "5V of the lights", "red")
        yield Wire(PICO, 38, "lights", "ground", "GND of the lights", "black")


def key_wires(box: BoxConfig) -> Iterator[Wire]:
    """The four keys, and the ground that is common to them."""
    for number, (name, line) in enumerate(box.wiring.keys.items(), 1):
        yield Wire(PI, PI.pin_of(line), "keys", f"key {name}", f"key {name}, one side", rainbow(number))
    yield Wire(PI, 39, "keys", "ground", "all four keys, the other side", "black")


def buzzer(box: BoxConfig) -> Iterator[Wire]:
    """The buzzer, if there is one."""
    if box.wiring.buzzer is not None:
        yield Wire(PI, PI.pin_of(box.wiring.buzzer), "buzzer", "+", "buzzer, +", "red")
        yield Wire(PI, 30, "buzzer", "ground", "buzzer, −", "black")


def display(box: BoxConfig) -> Iterator[Wire]:
    """The display on I2C or SPI; on an I2C bus of somebody's own only its supply is known."""
    if box.panel.spi:
        yield from spi_display(box.panel.spi)
        return
    yield Wire(PI, 1, "display", "3.3 V", "VCC of the display", "red")
    yield Wire(PI, 9, "display", "ground", "GND of the display", "black")
    if box.i2c_bus in USUAL_BUS:
        sda, scl = I2C_LINES
        yield Wire(PI, PI.pin_of(sda), "display", "SDA", "SDA of the display", "blue")
        yield Wire(PI, PI.pin_of(scl), "display", "SCL", "SCL of the display (also SCK)", "yellow")


SPI_ENDS = {
    "SPI data": ("SDA of the display (also MOSI, DIN, D1)", "blue"),
    "SPI clock": ("SCL of the display (also SCK, CLK, D0)", "yellow"),
    "SPI select": ("CS of the display", "orange"),
    "SPI data/command": ("DC of the display", "green"),
    "SPI reset": ("RES of the display (also RST)", "white"),
}
"""Where each line of a display on SPI goes: the names differ from module to module."""


def spi_display(spi: SpiWiring) -> Iterator[Wire]:
    """A display on SPI."""
    yield Wire(PI, 17, "display", "3.3 V", "VCC of the display", "red")
    yield Wire(PI, 25, "display", "ground", "GND of the display", "black")
    for use, line in spi.uses():
        to, colour = SPI_ENDS[use]
        yield Wire(PI, PI.pin_of(line), "display", use, to, colour)


def reader(box: BoxConfig) -> Iterator[Wire]:
    """A card reader on the header; one on a USB adapter needs no pin."""
    if on_header(box):
        send, receive = SERIAL_LINES.values()
        yield Wire(PI, 2, "reader", "5 V", "5V of the reader", "red")
        yield Wire(PI, 6, "reader", "ground", "GND of the reader", "black")
        yield Wire(
            PI, PI.pin_of(receive), "reader", "from reader", "TX of the reader; of an RDM6300 or ID-12LA through the divider", "green"
        )
        yield Wire(PI, PI.pin_of(send), "reader", "to reader", "RX of a PN532; of an RDM6300 or ID-12LA nowhere", "white")


def on_header(box: BoxConfig) -> bool:
    """Whether the card reader is wired to the header."""
    return box.reader_at.path in HEADER_PORTS


def notes(box: BoxConfig) -> Iterator[str]:
    """What a list of wires does not say."""
    yield "No line of the Pi bears more than 3.3 V: never connect 5 V to a GPIO."
    yield "Current runs through each cell from its column to its row: the ring on every diode (its cathode) is on the row's side."
    if taken := list(to_be_off(box)):
        yield f"Leave these off (sudo raspi-config, Interface Options), their lines are taken: {', '.join(taken)}."
    if on_header(box):
        yield "The reader needs the serial port: sudo raspi-config, Interface Options, Serial Port; no login shell, but the hardware on."
    if box.wiring.buzzer in (0, 1):
        yield "The Pi talks on GPIO 0 and 1 when it starts: the buzzer may tick once. Fit no add-on board (HAT)."
    if not box.panel.spi and box.i2c_bus not in USUAL_BUS:
        yield f"The display is on bus {box.i2c_bus}: its SDA and SCL are on the lines that this bus has been given."
    if box.pico:
        yield "The Pico gets its power and talks through its USB cable to the Pi."


INTERFACES = {"SPI": range(7, 12), "the serial port": range(14, 16), "1-Wire": range(4, 5), "I2S sound": range(18, 22)}
"""What can be switched on for a Pi, and the lines that it takes."""


def to_be_off(box: BoxConfig) -> Iterator[str]:
    """What takes lines that are used otherwise."""
    used = {line for _, line in box.wiring.uses()}
    return (name for name, lines in INTERFACES.items() if used.intersection(lines))
