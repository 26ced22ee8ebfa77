"""Boxes of all kinds, for the tests of the plans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from underboard.hardware.board.pico import PicoWiring, pico_wiring
from underboard.hardware.box.config import BoxConfig
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.panel.oled import Panel
from underboard.hardware.panel.spi import SpiWiring

ALONE = replace(REFERENCE, rows=(), columns=())
"""The header when a Pico reads the matrix."""
REFERENCE_BOX = BoxConfig()
PICO_BOX = BoxConfig(wiring=ALONE, pico=pico_wiring(10, 10))

BOXES: Mapping[str, BoxConfig] = {
    "reference": REFERENCE_BOX,
    "pico": PICO_BOX,
    "largest pico": replace(PICO_BOX, pico=pico_wiring(13, 13)),
    "one cell": replace(PICO_BOX, pico=PicoWiring((0,), (28,))),
    "4x4": BoxConfig(wiring=replace(REFERENCE, rows=(4, 5, 6, 7), columns=(16, 17, 18, 19), buzzer=None)),
    "wide": BoxConfig(wiring=replace(REFERENCE, rows=(4,), columns=tuple(range(5, 24)))),
    "high": BoxConfig(wiring=replace(REFERENCE, rows=tuple(range(5, 24)), columns=(4,))),
    "spi": replace(PICO_BOX, panel=Panel("sh1106", spi=SpiWiring(dc=5, reset=6))),
    "reader on the header": replace(PICO_BOX, reader_at=replace(PICO_BOX.reader_at, path="/dev/serial0")),
    "bus 3": replace(REFERENCE_BOX, i2c_bus=3),
}

every_box = pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
