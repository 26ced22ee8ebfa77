"""The builder's half of the configuration: what is in the box, with all that cannot be."""

from __future__ import annotations

import pytest

from underboard.hardware.board.pico import PicoWiring
from underboard.hardware.box.config import SETTINGS, BoxConfig, box_of
from underboard.hardware.core.toml_settings import read
from underboard.hardware.core.wiring import KEY_NAMES, REFERENCE
from underboard.hardware.panel.burn_in import Care
from underboard.hardware.panel.oled import Panel
from underboard.hardware.panel.spi import SpiWiring

ON_PICO = "board.wired_to = 'pico'\n"
SPI = "display.connected_by = 'spi'\n"
KEYS_ASIDE = "[keys]\nleft = 4\nright = 5\nok = 6\nback = 12\n"


def box(text: str) -> BoxConfig:
    """The box of a file in which nothing is wrong."""
    found = read(text, SETTINGS)
    described, problems = box_of(found)
    assert [*found.problems, *problems] == []
    return described


def problems(text: str) -> list[str]:
    found = read(text, SETTINGS)
    assert not found.problems
    return [str(problem) for problem in box_of(found)[1]]


def test_an_empty_file_is_the_reference_table() -> None:
    described = box("")
    assert described == BoxConfig()
    assert (described.wiring, described.board, described.size) == (REFERENCE, "gpio", (10, 10))
    assert list(described.uses()) == list(REFERENCE.uses())


def test_a_board_on_the_header() -> None:
    described = box(
        "[board]\nrows = [8, 9]\ncolumns = [17]\nlibrary = 'lgpio'\ncell_map = 'a.toml'\n[buzzer]\nline = 'none'\n[keys]\nok = 4\n"
    )
    assert (described.wiring.rows, described.wiring.columns, described.wiring.buzzer) == ((8, 9), (17,), None)
    assert described.wiring.keys["ok"] == 4
    assert (described.size, described.library, described.cell_map) == ((2, 1), "lgpio", "a.toml")


def test_a_board_on_a_pico() -> None:
    described = box(ON_PICO + "[pico]\nrows = [3, 4]\nlights = 'none'\nserial_number = 'e66'\nport = '/dev/ttyACM3'")
    assert described.pico == PicoWiring((3, 4), tuple(range(13, 23)))
    assert (described.board, described.size) == ("pico", (2, 10))
    assert (described.wiring.rows, described.wiring.columns) == ((), ())
    assert (described.pico_at.serial_number, described.pico_at.path) == ("e66", "/dev/ttyACM3")


def test_displays() -> None:
    described = box("[display]\ncontroller = 'sh1106'\noffset = 0\naddress = 0x3D\nbus = '/dev/i2c-3'\ndim_minutes = 1\ndark_minutes = 2")
    assert described.panel == Panel("sh1106", 0, 0x3D, None, Care(60_000, 120_000))
    assert described.i2c_bus == "/dev/i2c-3"


def test_a_display_on_spi() -> None:
    described = box(ON_PICO + SPI + KEYS_ASIDE + "[display.spi]\ndevice = 1\nspeed = 1_000_000")
    assert described.panel.spi == SpiWiring(device=1, speed=1_000_000)
    assert ("SPI select", 7) in described.uses()


def test_the_card_reader() -> None:
    described = box(ON_PICO + "[reader]\nport = '/dev/serial0'\nserial_number = 'A5'")
    assert (described.reader_at.path, described.reader_at.serial_number) == ("/dev/serial0", "A5")
    assert ("serial console TX", 14) in described.uses()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("board.rows = [2]", "board.rows: row 1 on GPIO 2: that is the display's I2C bus"),
        ("board.rows = [28]", "board.rows: row 1 on GPIO 28: the header has GPIO 0 to 27"),
        ("board.columns = [0]", "board.columns: column 1 on GPIO 0: the Pi itself talks on it when it starts; only a buzzer bears that"),
        ("board.columns = [4]", "board.columns: GPIO 4 is wired to row 1 and column 1"),
        ("board.rows = []", "board.rows: a matrix needs both rows and columns"),
        ("keys.back = 4", "keys.back: GPIO 4 is wired to row 1 and key back"),
        ("buzzer.line = 23", "buzzer.line: GPIO 23 is wired to column 10 and buzzer"),
        (ON_PICO + "pico.rows = [23]", "pico.rows: the Pico has no pin GPIO 23: there are 0 to 22 and 26 to 28"),
        (ON_PICO + "pico.rows = []", "pico.rows: a Pico takes 1 to 13 rows, not 0"),
        (ON_PICO + "pico.columns = [0]", "pico.columns: GPIO 0 of the Pico is wired to row 1 and column 1"),
        (ON_PICO + "pico.columns = [28]", "pico.lights: GPIO 28 of the Pico is wired to column 1 and lights"),
        ("display.offset = 2", "display.offset: offset 2: the ssd1306 takes 0 only"),
        ("display.dark_minutes = 4", "display.dark_minutes: it goes dark after it has been dimmed, so this is no less than dim_minutes"),
        (
            "pico.lights = 3",
            'pico.lights: it counts for nothing while board.wired_to is "gpio"; set board.wired_to = "pico" or leave this out',
        ),
        (ON_PICO + "board.rows = [4]", 'board.rows: it counts for nothing while board.wired_to is "pico"; write pico.rows'),
        (
            "display.spi.dc = 4",
            'display.spi.dc: it counts for nothing while display.connected_by is "i2c"; set display.connected_by = "spi" or leave this out',
        ),
        (
            ON_PICO + SPI + "display.spi.reset = 5",
            "display.spi.dc: GPIO 24 is wired to key left and SPI data/command; choose a free GPIO",
        ),
        (
            SPI + "keys.left = 12\nboard.rows = [4]\nboard.columns = [5]",
            "display.spi.reset: GPIO 25 is wired to key right and SPI reset;"
            " choose a free GPIO, and if there is none wire the board to a Pico",
        ),
        (
            "reader.port = '/dev/serial0'\nboard.columns = [14]",
            "reader.port: GPIO 14 is wired to column 1 and serial console TX; a reader on a USB adapter needs no line of the header",
        ),
    ],
)
def test_what_cannot_be_is_said_with_the_setting_to_blame(text: str, said: str) -> None:
    assert problems(text) == [said]


def test_everything_that_cannot_be_is_said_at_once() -> None:
    told = problems(SPI + "[board]\nrows = [2, 40]\ncolumns = [17]\n[buzzer]\nline = 17")
    assert [line.partition(": ")[0] for line in told] == [
        "board.rows",
        "board.rows",
        "buzzer.line",
        "display.spi.dc",
        "display.spi.reset",
    ]


def test_what_is_written_as_it_is_by_default_does_no_harm() -> None:
    assert problems("pico.lights = 28\ndisplay.spi.dc = 24") == []


def test_every_key_of_the_panel_can_be_set() -> None:
    assert {f"keys.{name}" for name in KEY_NAMES} <= {setting.key for setting in SETTINGS}
