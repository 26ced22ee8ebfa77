"""Displays on the SPI bus of a Pi.

The bus itself is spidev's, the lines for data/command and reset are RPi.GPIO's (today's is rpi-lgpio): that is what luma
takes. Both are imported when a display is opened and not before. A box whose matrix is wired to the header has no line left
for SPI; one whose board hangs on a Pico has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from underboard.errors import UnderboardError
from underboard.hardware.core.wiring import Flaw, Wiring, clashes

CLOCK_LINES = {0: {"data": 10, "clock": 11}, 1: {"data": 20, "clock": 21}}
SELECT_LINES = {0: (8, 7), 1: (18, 17, 16)}


@dataclass(frozen=True)
class SpiWiring:
    """The bus (*port* and *device*, as in /dev/spidev0.0), the lines of data/command and reset, and the speed in Hz."""

    port: int = 0
    device: int = 0
    dc: int = 24
    reset: int = 25
    speed: int = 8_000_000

    def uses(self) -> Iterator[tuple[str, int]]:
        """Every use with its line: ``("SPI clock", 11)``."""
        yield from ((f"SPI {what}", line) for what, line in CLOCK_LINES.get(self.port, {}).items())
        selects = SELECT_LINES.get(self.port, ())
        if self.device < len(selects):
            yield "SPI select", selects[self.device]
        yield "SPI data/command", self.dc
        yield "SPI reset", self.reset

    def clashes(self, wiring: Wiring) -> list[Flaw]:
        """What *wiring* uses the same lines for; empty if nothing."""
        return list(clashes([*wiring.uses(), *self.uses()]))


class SpiError(UnderboardError, OSError):
    """SPI cannot be used; the text says why and what to do."""

    fault = "device"


class SpiBus:
    """An opened bus: luma's serial line to a display on it."""

    def __init__(self, line: Any) -> None:
        """*line* has luma's ``command``, ``data`` and ``cleanup``."""
        self.line = line

    def close(self) -> None:
        """Let the bus and the lines go. What a library has to say against it is of no use to anybody."""
        with suppress(Exception):
            self.line.cleanup()


def spi_bus(wiring: SpiWiring, spidev: Any = None, gpio: Any = None) -> SpiBus:
    """Open the bus. Raises SpiError, or what spidev raises. *spidev* and *gpio* take the places of the libraries in tests."""
    from luma.core.error import DeviceNotFoundError, UnsupportedPlatform
    from luma.core.interface.serial import spi

    try:
        return SpiBus(
            spi(
                spi=spidev,
                gpio=gpio,
                port=wiring.port,
                device=wiring.device,
                bus_speed_hz=wiring.speed,
                gpio_DC=wiring.dc,
                gpio_RST=wiring.reset,
            )
        )
    except ImportError as error:
        package = "python3-spidev" if error.name == "spidev" else "python3-rpi-lgpio"
        raise SpiError(f"{error.name} is not installed: sudo apt install {package}") from error
    except DeviceNotFoundError as error:
        raise SpiError(
            f"there is no /dev/spidev{wiring.port}.{wiring.device}: switch SPI on (sudo raspi-config, Interface Options) and restart"
        ) from error
    except (UnsupportedPlatform, RuntimeError) as error:
        raise SpiError(f"RPi.GPIO cannot be used: {error}") from error
