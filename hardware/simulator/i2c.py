"""A display on a simulated I2C bus: takes the real driver's bytes and shows what a person in front of the panel would see.

`SimulatedI2C` stands where `smbus2.SMBus` stands for luma, in both ways luma uses it (blocks of 32 bytes, or long messages).
`Chip` is the controller: it decodes control bytes, commands and data as the data sheets of the SSD1306 and the SH1106 say,
into the display memory, and never looks at what the driver meant. Scrolling, zoom, blinking and read-modify-write are
accepted and have no effect; nothing here uses them.
"""

from __future__ import annotations

import errno
import os
import random
import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from PIL import Image, ImageChops

from underboard.hardware.core.clock import Clock
from underboard.hardware.core.parts import Controller

WIDTH, HEIGHT, PAGES = 128, 64, 8  # pixels of the panel; a page is eight rows
_LOG_LENGTH = 10_000  # transfers remembered


@dataclass(frozen=True)
class _Model:
    """In what the two controllers differ."""

    columns: int  # of the display memory
    first_column: int  # the one wired to the panel's left edge, on most modules
    arguments: dict[int, int]  # commands that take more bytes: how many


_MODELS: dict[Controller, _Model] = {
    "ssd1306": _Model(
        columns=128,
        first_column=0,
        arguments={0x20: 1, 0x21: 2, 0x22: 2, 0x23: 1, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1}
        | {0xA3: 2, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD6: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1},
    ),
    # Pages only; 0x20-0x22 and 0x8D mean nothing here, so what follows them is a command of its own.
    "sh1106": _Model(
        columns=132,
        first_column=2,
        arguments={0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1},
    ),
}


@dataclass
class DisplayChip:
    """The controller and its panel from power-up on; `memory[page][column]` is eight pixels, the lowest bit on top."""

    controller: Controller
    memory: list[bytearray]
    on: bool = False
    pump: bool = False  # the supply of the panel itself
    contrast: int = 0x7F
    inverted: bool = False
    all_lit: bool = False
    mirrored: bool = True  # left and right: true until the segment remap command, as modules are wired
    upside_down: bool = True  # true until the scan direction is reversed
    start_line: int = 0
    offset: int = 0
    rows: int = HEIGHT
    mode: int = 2  # 0 horizontal, 1 vertical, 2 page addressing
    page: int = 0
    column: int = 0
    column_range: tuple[int, int] = (0, WIDTH - 1)
    page_range: tuple[int, int] = (0, PAGES - 1)
    first_column: int = 0  # of the memory, the one wired to the panel's left edge
    _command: list[int] = field(default_factory=list)  # bytes of a command that is not complete yet

    @classmethod
    def powered_up(cls, controller: Controller, noise: random.Random, first_column: int | None = None) -> DisplayChip:
        """A chip as it wakes: off, nothing set, anything in its memory. The SH1106 has its pump on by default."""
        model = _MODELS[controller]
        memory = [bytearray(noise.randbytes(model.columns)) for _ in range(PAGES)]
        first = model.first_column if first_column is None else first_column
        return cls(controller, memory, pump=controller == "sh1106", first_column=first)

    def receive(self, message: bytes) -> None:
        """Take what follows the address in one transfer: control bytes with commands or data."""
        rest = message
        while rest:
            control, rest = rest[0], rest[1:]
            # With the top bit set the control byte speaks for one byte, without it for all that follow.
            part, rest = (rest[:1], rest[1:]) if control & 0x80 else (rest, b"")
            take = self._data if control & 0x40 else self._command_byte
            for byte in part:
                take(byte)

    def pixels(self) -> Image.Image:
        """What is lit on the panel, mode "1"."""
        panel = Image.new("1", (WIDTH, HEIGHT))
        if not (self.on and self.pump):
            return panel
        rows = self._picture().crop((0, 0, WIDTH, self.rows))
        panel.paste(1 if self.all_lit else ImageChops.invert(rows) if self.inverted else rows, (0, 0, *rows.size))
        return panel.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if self.upside_down else panel

    def _picture(self) -> Image.Image:
        """The memory in the order in which rows and columns are wired to the panel."""
        model = _MODELS[self.controller]
        columns = b"".join(map(bytes, zip(*self.memory, strict=True)))
        # Read column by column the memory is the picture lying on its side.
        picture = Image.frombytes("1", (HEIGHT, model.columns), columns, "raw", "1;R").transpose(Image.Transpose.TRANSPOSE)
        if self.mirrored:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        picture = ImageChops.offset(picture, 0, -(self.start_line + self.offset))
        return picture.crop((self.first_column, 0, self.first_column + WIDTH, HEIGHT))

    def _data(self, byte: int) -> None:
        if self.column < _MODELS[self.controller].columns:
            self.memory[self.page][self.column] = byte
        self._advance()

    def _advance(self) -> None:
        """Move on to where the next data byte goes."""
        if self.controller == "sh1106":
            self.column = min(self.column + 1, _MODELS["sh1106"].columns)  # stops behind the last column
        elif self.mode == 2:
            self.column = (self.column + 1) % WIDTH
        elif self.mode == 0:
            self.column, carried = _next(self.column, self.column_range)
            if carried:
                self.page, _ = _next(self.page, self.page_range)
        else:
            self.page, carried = _next(self.page, self.page_range)
            if carried:
                self.column, _ = _next(self.column, self.column_range)

    def _command_byte(self, byte: int) -> None:
        self._command.append(byte)
        code, *arguments = self._command
        if len(arguments) == _MODELS[self.controller].arguments.get(code, 0):
            self._command = []
            self._execute(code, arguments)

    def _execute(self, code: int, arguments: list[int]) -> None:
        match code, arguments:
            case _, [] if code <= 0x0F:
                self.column = self.column & 0xF0 | code
            case _, [] if code <= 0x1F:
                self.column = (self.column & 0x0F | code << 4) & 0xFF
                if self.controller == "ssd1306":
                    self.column %= WIDTH
            case 0x20, [mode]:
                self.mode = mode & 3
            case 0x21, [first, last]:
                self.column_range = (first & 0x7F, last & 0x7F)
                self.column = first & 0x7F
            case 0x22, [first, last]:
                self.page_range = (first & 7, last & 7)
                self.page = first & 7
            case _, [] if 0x40 <= code <= 0x7F:
                self.start_line = code & 0x3F
            case _, [] if 0xB0 <= code <= 0xB7:
                self.page = code & 7
            case _:
                self._configure(code, arguments)

    def _configure(self, code: int, arguments: list[int]) -> None:
        match code, arguments:
            case 0x81, [contrast]:
                self.contrast = contrast
            case 0x8D, [pump]:
                self.pump = bool(pump & 4)
            case 0xAD, [converter]:
                self.pump = bool(converter & 1)
            case ((0xA0 | 0xA1), []):
                self.mirrored = code == 0xA0
            case ((0xA4 | 0xA5), []):
                self.all_lit = code == 0xA5
            case ((0xA6 | 0xA7), []):
                self.inverted = code == 0xA7
            case 0xA8, [last_row]:
                self.rows = (last_row & 0x3F) + 1
            case ((0xAE | 0xAF), []):
                self.on = code == 0xAF
            case _, [] if 0xC0 <= code <= 0xCF:
                self.upside_down = code < 0xC8
            case 0xD3, [offset]:
                self.offset = offset & 0x3F
            case _:
                pass  # timing, voltages, scrolling, no-operation: nothing that is seen here


def _next(position: int, limits: tuple[int, int]) -> tuple[int, bool]:
    """The position after this one within limits, and whether it began anew."""
    first, last = limits
    return (first, True) if position == last else (position + 1, False)


class SimulatedI2C:
    """An I2C bus with one display at `address`, and the ways in which both can fail.

    Transfers may come from another thread than faults and `pixels`. `transfers` counts those that were acknowledged,
    `bytes_written` their bytes with the address byte of each, status bytes too; `chip` is the controller, None while it is unplugged.

    `power_delay_ms`: for so long after it is plugged in the chip acknowledges everything and forgets it, like one whose
    reset line is still held. `first_column`: for modules whose panel is wired to other columns of the memory.
    """

    def __init__(
        self,
        controller: Controller = "ssd1306",
        *,
        clock: Clock,
        address: int = 0x3C,
        power_delay_ms: int = 0,
        first_column: int | None = None,
    ) -> None:
        self.controller = controller
        self.bytes_written = 0
        self.transfers = 0
        self.log: deque[tuple[int, int]] = deque(maxlen=_LOG_LENGTH)  # (virtual ms, bytes) of each acknowledged transfer
        self.chip: DisplayChip | None = None
        self._clock = clock
        self._address = address
        self._noise = random.Random(0)
        self._lock = threading.Lock()
        self._error = 0
        self._failures_left = 0
        self._awake_at = 0
        self._first_column = first_column
        self.attach(power_delay_ms)

    def detach(self) -> None:
        """Unplug the display: nobody answers at its address."""
        with self._lock:
            self.chip = None

    def attach(self, power_delay_ms: int = 0) -> None:
        """Plug in a display that has lost everything."""
        with self._lock:
            self.chip = DisplayChip.powered_up(self.controller, self._noise, self._first_column)
            self._awake_at = self._clock.now() + power_delay_ms

    def fail(self, error: int, times: int = 1) -> None:
        """Let the next `times` transfers end with this errno and reach nobody; 0 ends an earlier order."""
        with self._lock:
            self._error, self._failures_left = error, times

    @property
    def failing(self) -> bool:
        """Whether the next transfer will fail because it was told to."""
        return self._failures_left > 0

    def pixels(self) -> Image.Image:
        """What a person sees, mode "1": black while the display is off, not set up or unplugged."""
        with self._lock:
            return self.chip.pixels() if self.chip else Image.new("1", (WIDTH, HEIGHT))

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """One control byte and one byte, as smbus2 has it. Raises OSError."""
        self.write_i2c_block_data(i2c_addr, register, [value])

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Iterable[int]) -> None:
        """One control byte and up to 32 bytes, as smbus2 has it. Raises OSError, ValueError if there are more."""
        block = bytes(data)
        if len(block) > 32:
            raise ValueError(f"{len(block)} bytes in a block, 32 are allowed")
        self._transfer(i2c_addr, bytes([register]) + block)

    def read_byte(self, i2c_addr: int) -> int:
        """The status byte, as smbus2 has it: bit 6 is set while the display is off. Raises OSError."""
        with self._lock:
            chip = self._addressed(i2c_addr)
            self._count(2)
            return 0 if chip.on else 0x40

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Write `smbus2.i2c_msg`s of any length. Raises OSError."""
        for message in i2c_msgs:
            self._transfer(message.addr, bytes(message))

    def close(self) -> None:
        """The driver lets the bus go; it may open it again."""

    def _transfer(self, address: int, message: bytes) -> None:
        with self._lock:
            chip = self._addressed(address)
            self._count(1 + len(message))
            if self._clock.now() >= self._awake_at:
                chip.receive(message)

    def _addressed(self, address: int) -> DisplayChip:
        """The chip at this address, if the transfer does not fail."""
        if self._failures_left:
            self._failures_left -= 1
            raise OSError(self._error, os.strerror(self._error))
        if self.chip is None or address != self._address:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))  # nobody acknowledged
        return self.chip

    def _count(self, length: int) -> None:
        self.transfers += 1
        self.bytes_written += length
        self.log.append((self._clock.now(), length))
