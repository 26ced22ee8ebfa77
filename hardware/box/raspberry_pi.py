"""The Raspberry Pi as a box's drivers see it: a header, a bus and serial ports."""

from __future__ import annotations

from typing import Any

from underboard.hardware.gpio.errors import Backend
from underboard.hardware.gpio.open import open_pins
from underboard.hardware.panel.oled import Bus, i2c_bus
from underboard.hardware.system.serial_ports import SystemPorts


class Pi:
    """What lies below the drivers on a real table. Nothing is opened before it is asked for."""

    def __init__(self, backend: Backend = "auto", bus: int | str = 1) -> None:
        """*backend* leads to the pins, *bus* is the number or path of the display's I2C bus."""
        self.ports = SystemPorts()
        self._backend = backend
        self._bus = bus

    @property
    def i2c(self) -> Bus:
        """The bus of the display, opened anew each time. Raises OSError."""
        return i2c_bus(self._bus)

    def pin_factory(self) -> Any:
        """The pins of the header; whoever asks closes them. Raises GpioError."""
        return open_pins(self._backend)
