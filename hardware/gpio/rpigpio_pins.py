"""gpiozero's pins on RPi.GPIO, for systems without lgpio. Errors help, lines move one by one.

Importing this module imports RPi.GPIO; `underboard.hardware.gpio.open` does it when pins are opened, not before.
"""

from __future__ import annotations

from typing import Any

from gpiozero.pins.rpigpio import RPiGPIOFactory

from underboard.hardware.gpio.errors import GpioError, LineBusy, give_up


class HeaderFactory(RPiGPIOFactory):  # type: ignore[misc]  # gpiozero is not annotated
    """The pins of the header."""

    def pin(self, name: int) -> Any:
        """gpiozero's pin; LineBusy if somebody else has the line."""
        try:
            return super().pin(name)
        except RuntimeError as error:
            give_up(self, name)
            raise LineBusy(name) if "busy" in str(error).lower() else GpioError(f"GPIO {name}: {error}") from error


def open_header() -> HeaderFactory:
    """The header; RuntimeError or another error of RPi.GPIO if there is none or it is not ours."""
    return HeaderFactory()
