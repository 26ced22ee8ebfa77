"""Wires: one for every line that the program uses, each on a pin of its own, and the same in the list."""

from __future__ import annotations

from collections import Counter

import pytest
from gpiozero.pins.pi import PiBoardInfo
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.printing.wiring.boxes import BOXES, PICO_BOX, REFERENCE_BOX, every_box
from underboard.engine.printing.wiring.connectors import GROUND, PI, PICO, Connector
from underboard.engine.printing.wiring.listing import wiring_lines
from underboard.engine.printing.wiring.parts import parts, parts_lines
from underboard.engine.printing.wiring.wires import notes, wires
from underboard.firmware import frames
from underboard.hardware.box.config import BoxConfig
from underboard.hardware.core.wiring import KEY_NAMES, Wiring


@pytest.mark.parametrize(
    ("connector", "lines", "grounds"), [(PI, range(28), 8), (PICO, frames.PINS, 8)], ids=lambda value: getattr(value, "title", "")
)
def test_connectors_have_every_line_once(connector: Connector, lines: range, grounds: int) -> None:
    assert len(connector.names) == 40
    assert sorted([*connector.left, *connector.right]) == list(range(1, 41))
    assert sorted(name for name in connector.names if name.startswith(f"{connector.prefix} ")) == sorted(
        f"{connector.prefix} {line}" for line in lines
    )
    assert Counter(connector.names)[GROUND] == grounds


@pytest.mark.parametrize(("line", "pin"), [(2, 3), (4, 7), (14, 8), (1, 28), (27, 13), (21, 40)])
def test_pins_of_the_header(line: int, pin: int) -> None:
    assert PI.pin_of(line) == pin


@pytest.mark.parametrize(("line", "pin"), [(0, 1), (2, 4), (13, 17), (15, 20), (16, 21), (22, 29), (26, 31), (28, 34)])
def test_pins_of_the_pico(line: int, pin: int) -> None:
    assert PICO.pin_of(line) == pin


@every_box
def test_no_two_wires_share_a_pin(box: BoxConfig) -> None:
    shared = Counter((wire.connector.title, wire.pin) for wire in wires(box))
    assert max(shared.values()) == 1


@every_box
def test_every_line_that_is_used_has_its_wire(box: BoxConfig) -> None:
    on_pi = {wire.pin_name for wire in wires(box) if wire.connector is PI}
    assert on_pi >= {f"GPIO {line}" for _, line in box.uses()}
    assert not box.pico or {wire.pin_name for wire in wires(box) if wire.connector is PICO} >= {f"GP {line}" for _, line in box.pico.uses()}


@every_box
def test_supplies_and_grounds_are_what_they_are_called(box: BoxConfig) -> None:
    for wire in wires(box):
        if wire.signal == "ground":
            assert wire.pin_name == GROUND
        if wire.signal in ("3.3 V", "5 V"):
            assert wire.signal in wire.pin_name


@every_box
def test_the_list_has_every_wire_once(box: BoxConfig) -> None:
    lines = list(wiring_lines(box))
    for wire in wires(box):
        assert (
            len([line for line in lines if line.lstrip().startswith(f"{wire.pin} ") and f"{wire.pin_name} " in line and wire.to in line])
            == 1
        )
    assert max(map(len, lines)) <= 120
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("reference", "SPI, the serial port, 1-Wire, I2S sound"),
        ("reference", "may tick once"),
        ("bus 3", "bus 3"),
        ("pico", "USB cable"),
        ("reader on the header", "no login shell"),
    ],
)
def test_what_a_list_of_wires_does_not_say(name: str, said: str) -> None:
    assert any(said in note for note in notes(BOXES[name]))


def test_nobody_is_told_to_switch_off_what_is_needed() -> None:
    assert not any("SPI" in note for note in notes(BOXES["spi"]))
    assert not any("are taken" in note for note in notes(BOXES["reader on the header"]))


@every_box
def test_there_is_a_switch_and_a_diode_for_every_cell(box: BoxConfig) -> None:
    rows, columns = box.size
    counts = {part.name.split(",")[0]: part.count for part in parts(box)}
    assert counts["reed switches"] == counts["diodes 1N4148"] == str(rows * columns)
    assert all(part.name in " ".join(" ".join(parts_lines(box)).split()) for part in parts(box))


@pytest.mark.parametrize(
    ("name", "part", "there"),
    [
        ("reference", "buzzer", True),
        ("4x4", "buzzer", False),
        ("reference", "Pico", False),
        ("pico", "Pico", True),
        ("spi", "SPI", True),
        ("reader on the header", "resistors", True),
        ("reader on the header", "adapter", False),
        ("reference", "adapter", True),
    ],
)
def test_parts_follow_the_configuration(name: str, part: str, there: bool) -> None:
    assert any(part in found.name for found in parts(BOXES[name])) == there


def test_a_plug_for_every_wire_at_the_pi() -> None:
    for box in (REFERENCE_BOX, PICO_BOX):
        count = next(part.count for part in parts(box) if part.name.startswith("jumper"))
        assert count == str(len([wire for wire in wires(box) if wire.connector is PI]))


def test_the_header_is_what_gpiozero_knows_of_it() -> None:
    known = PiBoardInfo.from_revision(0xA02082).headers["J8"].pins
    same = {"3V3": "3.3 V", "5V": "5 V", "GND": GROUND}
    assert {pin: same.get(known[pin].name, known[pin].name.replace("GPIO", "GPIO ")) for pin in known} == dict(enumerate(PI.names, 1))


@given(st.permutations(range(4, 28)), st.integers(1, 19), st.sampled_from([None, 0, 1]))
def test_any_wiring_gives_every_wire_a_pin_of_its_own(lines: list[int], rows: int, buzzer: int | None) -> None:
    columns = 20 - rows
    keys = dict(zip(KEY_NAMES, lines[20:], strict=True))
    box = BoxConfig(wiring=Wiring(tuple(lines[:rows]), tuple(lines[rows : rows + columns]), keys, buzzer))
    found = wires(box)
    assert len({wire.pin for wire in found}) == len(found) == len(list(box.uses())) + 4 + 1 + (buzzer is not None)
