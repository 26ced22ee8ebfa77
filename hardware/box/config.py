"""The builder's half of the configuration: what is in the box, and which line leads where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from underboard.hardware.board.pico import PICO, PicoWiring, pico_wiring
from underboard.hardware.cards.reader import READER
from underboard.hardware.core.parts import BOARD_KINDS, CONTROLLERS, BoardKind
from underboard.hardware.core.toml_settings import (
    FILE_NAME,
    NUMBERS,
    TEXT,
    Found,
    Problem,
    TomlSetting,
    ValueKind,
    Values,
    is_whole,
    whole,
    whole_or,
    word,
)
from underboard.hardware.core.wiring import KEY_NAMES, LAST_LINE, REFERENCE, Flaw, Use, Wiring, WiringError, clashes, uses_of
from underboard.hardware.gpio.errors import Backend
from underboard.hardware.panel.burn_in import Care
from underboard.hardware.panel.oled import Panel
from underboard.hardware.panel.spi import SpiWiring
from underboard.hardware.system.serial_ports import Wanted

LINE = whole(0, LAST_LINE)
SERIAL_LINES = {"serial console TX": 14, "serial console RX": 15}
"""The header's UART, for a card reader without a USB adapter."""
HEADER_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
MINUTE_MS = 60_000
ADDRESSES = (0x3C, 0x3D)
"""The two that display modules can be soldered to."""

I2C_BUS = ValueKind(
    lambda value: (is_whole(value) and 0 <= value <= 99) or (isinstance(value, str) and value.startswith("/dev/")),
    'the number of a bus, or its path like "/dev/i2c-1",',
)
ADDRESS = ValueKind(lambda value: is_whole(value) and value in ADDRESSES, "60 (0x3C) or 61 (0x3D)")

_PICO = pico_wiring(len(REFERENCE.rows), len(REFERENCE.columns))
_PANEL, _SPI = Panel(), SpiWiring()

SETTINGS = (
    TomlSetting("board.wired_to", "gpio", word(*BOARD_KINDS), '"gpio": the header of this Pi; "pico": a Pico on a USB cable'),
    TomlSetting("board.rows", list(REFERENCE.rows), NUMBERS, "GPIO of each row from the top, on this Pi's header"),
    TomlSetting("board.columns", list(REFERENCE.columns), NUMBERS, "GPIO of each column from the left, on this Pi's header"),
    TomlSetting(
        "board.library", "auto", word("auto", "lgpio", "rpigpio"), "what opens the header; auto: lgpio, RPi.GPIO where that is missing"
    ),
    TomlSetting(
        "board.cell_map",
        "cells.toml",
        FILE_NAME,
        "what `underboard selftest` has found; without the file each sensor is where it should be",
    ),
    TomlSetting("pico.rows", list(_PICO.rows), NUMBERS, "GPIO of each row from the top, on a Pico"),
    TomlSetting("pico.columns", list(_PICO.columns), NUMBERS, "GPIO of each column from the left, on a Pico"),
    TomlSetting("pico.lights", _PICO.lights, whole_or("none", 0, 28), 'GPIO of a chain of lights under the cells, or "none"'),
    TomlSetting("pico.port", "", TEXT, 'like "/dev/ttyACM0"; empty: it is found by its USB ids'),
    TomlSetting("pico.serial_number", "", TEXT, "which Pico, if several are plugged in"),
    *(
        TomlSetting(f"keys.{name}", line, LINE, f"GPIO of the key {name}; its other side is ground")
        for name, line in REFERENCE.keys.items()
    ),
    TomlSetting("buzzer.line", REFERENCE.buzzer, whole_or("none", 0, LAST_LINE), 'GPIO of an active buzzer, or "none"'),
    TomlSetting("display.controller", _PANEL.controller, word(*CONTROLLERS), "most 0.96 inch displays: ssd1306; most 1.3 inch: sh1106"),
    TomlSetting(
        "display.offset", "auto", whole_or("auto", 0, 4), "first memory column; `underboard selftest --display` shows what is right"
    ),
    TomlSetting("display.connected_by", "i2c", word("i2c", "spi"), "i2c has four pins: GND, VCC, SCL, SDA; spi has six or seven"),
    TomlSetting("display.bus", 1, I2C_BUS, "the I2C bus, a number or a path"),
    TomlSetting("display.address", _PANEL.address, ADDRESS, "on the I2C bus: 60 is 0x3C, 61 is 0x3D"),
    TomlSetting("display.dim_minutes", _PANEL.care.dim_ms // MINUTE_MS, whole(1, 1440), "without a move until the display is dimmed"),
    TomlSetting("display.dark_minutes", _PANEL.care.dark_ms // MINUTE_MS, whole(1, 1440), "and until it goes dark"),
    TomlSetting("display.spi.port", _SPI.port, whole(0, 1), "for a display on SPI: /dev/spidev0.0 is port 0, device 0"),
    TomlSetting("display.spi.device", _SPI.device, whole(0, 2), "and so its line CE0, CE1 or CE2"),
    TomlSetting("display.spi.dc", _SPI.dc, LINE, "GPIO of data/command"),
    TomlSetting("display.spi.reset", _SPI.reset, LINE, "GPIO of reset"),
    TomlSetting("display.spi.speed", _SPI.speed, whole(100_000, 50_000_000), "in Hz"),
    TomlSetting("reader.port", "", TEXT, 'of the card reader, like "/dev/serial0"; empty: a USB adapter is found by its ids'),
    TomlSetting("reader.serial_number", "", TEXT, "of its USB adapter, if several are plugged in"),
)


@dataclass(frozen=True)
class BoxConfig:
    """What is in the box. The defaults are the reference table.

    ``wiring`` is the header's, without a matrix if that is wired to a Pico, and ``pico`` is that Pico's.
    """

    wiring: Wiring = REFERENCE
    pico: PicoWiring | None = None
    pico_at: Wanted = PICO
    panel: Panel = _PANEL
    library: Backend = "auto"
    i2c_bus: int | str = 1
    reader_at: Wanted = READER
    cell_map: str = "cells.toml"
    """The file with the map, from the folder of the table's files on."""

    @property
    def board(self) -> BoardKind:
        """What the matrix is wired to."""
        return "pico" if self.pico else "gpio"

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the matrix."""
        matrix = self.pico or self.wiring
        return len(matrix.rows), len(matrix.columns)

    def on(self, board: BoardKind) -> BoxConfig:
        """The same box with its matrix wired there, as in the building instructions if it is not configured so."""
        if board == self.board:
            return self
        if board == "pico":
            return replace(self, pico=_PICO, wiring=replace(self.wiring, rows=(), columns=()))
        return replace(self, pico=None, wiring=replace(self.wiring, rows=REFERENCE.rows, columns=REFERENCE.columns))

    def uses(self) -> Iterator[tuple[Use, int]]:
        """Every use of the Pi's header with its line, the display's and the card reader's included."""
        yield from self.wiring.uses()
        yield from uses_beside(self.panel, self.reader_at)


def box_of(found: Found) -> tuple[BoxConfig, list[Problem]]:
    """The box that the settings describe, and what is wrong with them together; what is wrong is left at its default."""
    values = found.values
    problems = list(idle(found))
    wiring, pico, panel = REFERENCE, None, _PANEL
    try:
        pico = pico_of(values)
    except WiringError as error:
        problems += (Problem(key_of(flaw, "pico"), flaw.text) for flaw in error.flaws)
    try:
        wiring = wiring_of(values)
    except WiringError as error:
        problems += (Problem(key_of(flaw, "board"), flaw.text) for flaw in error.flaws)
    try:
        panel = panel_of(values)
    except ValueError as error:
        problems.append(Problem("display.offset", str(error)))
    if values["display.dark_minutes"] < values["display.dim_minutes"]:
        problems.append(Problem("display.dark_minutes", "it goes dark after it has been dimmed, so this is no less than dim_minutes"))
    box = BoxConfig(
        wiring,
        pico,
        replace(PICO, path=values["pico.port"] or None, serial_number=values["pico.serial_number"] or None),
        panel,
        values["board.library"],
        values["display.bus"],
        replace(READER, path=values["reader.port"] or None, serial_number=values["reader.serial_number"] or None),
        values["board.cell_map"],
    )
    beside = dict(uses_beside(box.panel, box.reader_at))
    flaws = clashes([*uses_of(*header_of(values)), *beside.items()])
    problems += (
        Problem(key_of(flaw, "board"), flaw.text + remedy(flaw, on_pico=pico is not None))
        for flaw in flaws
        if beside.keys() & set(flaw.uses)
    )
    return box, problems


def uses_beside(panel: Panel, reader_at: Wanted) -> Iterator[tuple[Use, int]]:
    """The lines of the header that the display and the card reader need."""
    if panel.spi:
        yield from panel.spi.uses()
    if reader_at.path in HEADER_PORTS:
        yield from SERIAL_LINES.items()


def wiring_of(values: Values) -> Wiring:
    """The wiring of the header. Raises WiringError."""
    return Wiring(*header_of(values))


def header_of(values: Values) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, int], int | None]:
    """Rows, columns, keys and buzzer on the header, whether or not they can be."""
    on_header = values["board.wired_to"] == "gpio"
    return (
        tuple(values["board.rows"]) if on_header else (),
        tuple(values["board.columns"]) if on_header else (),
        {name: values[f"keys.{name}"] for name in KEY_NAMES},
        number(values["buzzer.line"]),
    )


def pico_of(values: Values) -> PicoWiring | None:
    """The wiring of the Pico, if there is one. Raises WiringError."""
    if values["board.wired_to"] != "pico":
        return None
    return PicoWiring(tuple(values["pico.rows"]), tuple(values["pico.columns"]), number(values["pico.lights"]))


def panel_of(values: Values) -> Panel:
    """The display. Raises ValueError for an offset that it cannot have."""
    spi = SpiWiring(**{name: values[f"display.spi.{name}"] for name in ("port", "device", "dc", "reset", "speed")})
    return Panel(
        values["display.controller"],
        number(values["display.offset"]),
        values["display.address"],
        spi if values["display.connected_by"] == "spi" else None,
        Care(values["display.dim_minutes"] * MINUTE_MS, values["display.dark_minutes"] * MINUTE_MS),
    )


def number(value: int | str) -> int | None:
    """A number, or None for the word in its place."""
    return value if isinstance(value, int) else None


IDLE = {
    "pico": ("board.wired_to", "pico"),
    "display.spi": ("display.connected_by", "spi"),
}
"""Tables that count only if another setting says so."""
INSTEAD = {
    "board.rows": ("board.wired_to", "gpio", "pico.rows"),
    "board.columns": ("board.wired_to", "gpio", "pico.columns"),
}


def idle(found: Found) -> Iterator[Problem]:
    """Settings that were changed and count for nothing: whoever wrote them meant something else."""
    usual = {setting.key: setting.default for setting in SETTINGS}
    for key in sorted(found.given & usual.keys()):
        decider, needed = IDLE.get(key.rpartition(".")[0], INSTEAD.get(key, ("", ""))[:2])
        if decider and found.values[decider] != needed and found.values[key] != usual[key]:
            other = f"; write {INSTEAD[key][2]}" if key in INSTEAD else f'; set {decider} = "{needed}" or leave this out'
            yield Problem(key, f'it counts for nothing while {decider} is "{found.values[decider]}"{other}')


SPI_KEYS: Mapping[Use, str] = {
    "SPI data/command": "display.spi.dc",
    "SPI reset": "display.spi.reset",
    "SPI select": "display.spi.device",
    "SPI data": "display.connected_by",
    "SPI clock": "display.connected_by",
    **dict.fromkeys(SERIAL_LINES, "reader.port"),
}


def key_of(flaw: Flaw, matrix: str) -> str:
    """The setting to blame for a flaw: the last of the uses that it is about."""
    use = flaw.uses[-1]
    what, _, name = use.partition(" ")
    keys: dict[str, str] = {"row": f"{matrix}.rows", "column": f"{matrix}.columns", "key": f"keys.{name}", "buzzer": "buzzer.line"}
    return keys.get(what) or SPI_KEYS.get(use, f"{matrix}.{use}")


def remedy(flaw: Flaw, on_pico: bool) -> str:
    """How a display or a reader gets along with the rest of the header."""
    use = flaw.uses[-1]
    if use in SERIAL_LINES:
        return "; a reader on a USB adapter needs no line of the header"
    if not use.startswith("SPI"):
        return ""
    return "; choose a free GPIO" + ("" if on_pico else ", and if there is none wire the board to a Pico")
