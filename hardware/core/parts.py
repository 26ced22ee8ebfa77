"""The parts that a box can be built with, by the names that configuration, command line and table scripts give them."""

from __future__ import annotations

from typing import Literal, get_args

Controller = Literal["ssd1306", "sh1106"]
"""The chip of the display."""

CONTROLLERS: tuple[Controller, ...] = get_args(Controller)

ReaderKind = Literal["rdm6300", "id12la", "pn532"]
"""A card reader."""

READER_KINDS: tuple[ReaderKind, ...] = get_args(ReaderKind)

BoardKind = Literal["gpio", "pico"]
"""What the matrix of sensors is wired to: the Pi's own header, or a Pico on a USB cable."""

BOARD_KINDS: tuple[BoardKind, ...] = get_args(BoardKind)
