"""The two rows of pins that wires are put on: the Pi's header and the edges of a Pico, with the names of all forty pins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GROUND = "ground"


@dataclass(frozen=True)
class Connector:
    """Forty pins. *prefix* and number name those that are lines: "GPIO 4"; others are supplies, "ground" or what a board has else."""

    title: str
    prefix: str
    names: Sequence[str]
    """The name of each pin, from pin 1."""
    left: Sequence[int]
    """The pins of the left side from the top, as the picture shows the board."""
    right: Sequence[int]
    top: str
    """What is above the first pins, so that nobody holds the board upside down."""
    bottom: str

    def name(self, pin: int) -> str:
        """What a pin is."""
        return self.names[pin - 1]

    def pin_of(self, line: int) -> int:
        """The pin of a line. ValueError if it has none."""
        return self.names.index(f"{self.prefix} {line}") + 1


def named(prefix: str, pins: str) -> tuple[str, ...]:
    """Names from a short list: a number is a line, G is ground, all else stands for itself with _ as a blank."""
    words = {"G": GROUND}
    return tuple(f"{prefix} {pin}" if pin.isdecimal() else words.get(pin, pin.replace("_", " ")) for pin in pins.split())


PI = Connector(
    "the Pi's header",
    "GPIO",
    named("GPIO", "3.3_V 5_V 2 5_V 3 G 4 14 G 15 17 18 27 G 22 23 3.3_V 24 10 G 9 25 11 8 G 7 0 1 5 G 6 12 13 G 19 16 26 20 G 21"),
    left=range(1, 41, 2),
    right=range(2, 41, 2),
    top="corner of the Pi, beside the SD card",
    bottom="towards USB and network",
)
"""The 40-pin header of every Pi from the B+ on, seen from above with the USB ports below."""

PICO = Connector(
    "the Pico",
    "GP",
    named(
        "GP",
        "0 1 G 2 3 4 5 G 6 7 8 9 G 10 11 12 13 G 14 15 16 17 G 18 19 20 21 G 22 RUN 26 27 G 28 ADC_VREF 3.3_V 3V3_EN G VSYS VBUS_(5_V)",
    ),
    left=range(1, 21),
    right=range(40, 20, -1),
    top="USB socket",
    bottom="",
)
"""A Raspberry Pi Pico, seen from the side with the USB socket, which is above."""
