from collections.abc import Iterator

import pytest
from gpiozero import (
    Button,
    DigitalInputDevice,
    DigitalOutputDevice,
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidFunction,
    PinInvalidPin,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)
from gpiozero import Buzzer as GpiozeroBuzzer

from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.netlist import Contact, ReedMatrix
from underboard.hardware.simulator.pins import BuzzerLine, ColumnLine, KeyLine, NetFactory, Node, RowLine

ROW, COLUMN, KEY, BUZZER, FREE = 4, 14, 24, 1, 20


class Bench:
    """One of each node on a bare factory."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.matrix = ReedMatrix(self.clock, 1, 1)
        self.key = Contact(self.clock)
        self.buzzer = BuzzerLine(self.clock)
        nodes = {ROW: RowLine(self.matrix, 1), COLUMN: ColumnLine(self.matrix, 1), KEY: KeyLine(self.key), BUZZER: self.buzzer}
        self.factory = NetFactory(self.clock, nodes)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    with bench.factory:
        yield bench


def test_gpiozero_devices_read_a_matrix(bench: Bench) -> None:
    bench.matrix.close((1, 1))
    bench.clock.advance(10)
    with (
        DigitalOutputDevice(ROW, active_high=False, pin_factory=bench.factory) as row,
        DigitalInputDevice(COLUMN, pull_up=True, pin_factory=bench.factory) as column,
    ):
        assert not column.value
        row.on()
        assert column.value
        row.off()
        assert not column.value


def test_a_gpiozero_button_reads_a_key(bench: Bench) -> None:
    with Button(KEY, pull_up=True, pin_factory=bench.factory) as button:
        assert not button.is_pressed
        bench.key.close()
        bench.clock.advance(10)
        assert button.is_pressed


def test_a_gpiozero_buzzer_is_heard(bench: Bench) -> None:
    with GpiozeroBuzzer(BUZZER, pin_factory=bench.factory) as buzzer:
        bench.clock.advance(5)
        buzzer.on()
        bench.clock.advance(7)
        buzzer.off()
        assert bench.buzzer.log == [(5, True), (12, False)]


@pytest.mark.parametrize("number", [COLUMN, KEY])
def test_a_forgotten_pull_up_reads_low(bench: Bench, number: int) -> None:
    with DigitalInputDevice(number, pull_up=None, active_state=True, pin_factory=bench.factory) as device:
        assert not device.value


def test_an_unconnected_pin_follows_its_pull_up_and_takes_any_level(bench: Bench) -> None:
    with DigitalInputDevice(FREE, pull_up=True, pin_factory=bench.factory) as device:
        assert not device.value
    with DigitalOutputDevice(FREE, initial_value=True, pin_factory=bench.factory) as device:
        assert device.value


def test_a_row_that_listens_floats(bench: Bench) -> None:
    bench.matrix.close((1, 1))
    bench.clock.advance(10)
    row, column = bench.factory.pin(ROW), bench.factory.pin(COLUMN)
    column.input_with_pull("up")
    row.output_with_state(False)
    assert not column.state
    row.function = "input"
    assert column.state


def test_closing_a_device_lets_its_line_go(bench: Bench) -> None:
    DigitalOutputDevice(BUZZER, initial_value=True, pin_factory=bench.factory).close()
    assert [on for _, on in bench.buzzer.log] == [True, False]


def test_pins_refuse_what_a_pi_refuses(bench: Bench) -> None:
    pin = bench.factory.pin(FREE)
    with pytest.raises(PinSetInput, match=f"GPIO{FREE}"):
        pin.state = True
    with pytest.raises(PinInvalidFunction, match="alternate"):
        pin.function = "alternate"
    with pytest.raises(PinInvalidPull, match="sideways"):
        pin.pull = "sideways"
    with pytest.raises(PinPWMUnsupported):
        pin.frequency = 100
    pin.function = "output"
    with pytest.raises(PinFixedPull):
        pin.pull = "up"
    with pytest.raises(PinFixedPull):
        bench.factory.pin(2).pull = "down"
    with pytest.raises(PinInvalidPin):
        bench.factory.pin(40)


def test_a_line_belongs_to_one_device(bench: Bench) -> None:
    with Button(KEY, pin_factory=bench.factory), pytest.raises(GPIOPinInUse):
        Button(KEY, pin_factory=bench.factory)


def test_after_a_cut_nothing_reaches_the_box(bench: Bench) -> None:
    buzzer = DigitalOutputDevice(BUZZER, initial_value=True, pin_factory=bench.factory)
    bench.factory.cut()
    assert [on for _, on in bench.buzzer.log] == [True, False]
    buzzer.off()
    buzzer.on()
    buzzer.close()
    assert len(bench.buzzer.log) == 2


def test_ticks_are_seconds_of_our_clock(bench: Bench) -> None:
    before = bench.factory.ticks()
    bench.clock.advance(1500)
    assert bench.factory.ticks_diff(bench.factory.ticks(), before) == 1.5


@pytest.fixture
def wide() -> tuple[VirtualClock, ReedMatrix, dict[int, Node]]:
    """A matrix of 2x3 on lines 4, 5 and 14, 15, 16."""
    clock = VirtualClock()
    matrix = ReedMatrix(clock, 2, 3)
    nodes: dict[int, Node] = {4: RowLine(matrix, 1), 5: RowLine(matrix, 2)}
    nodes |= {13 + column: ColumnLine(matrix, column) for column in (1, 2, 3)}
    return clock, matrix, nodes


def test_lines_that_move_together_read_the_matrix(wide: tuple[VirtualClock, ReedMatrix, dict[int, Node]]) -> None:
    clock, matrix, nodes = wide
    factory = NetFactory(clock, nodes)
    lines = factory.matrix_lines((5, 4), (14, 15, 16))
    assert lines
    matrix.close((2, 3))
    clock.advance(10)
    lines.select(0)
    assert lines.low() == 0b100
    lines.select(1)
    assert lines.low() == 0
    lines.select(0)
    factory.cut()
    assert lines.low() == 0
    lines.select(0)
    lines.close()
    assert not matrix._drives


@pytest.mark.parametrize(
    ("rows", "columns"), [((4, 5), (15, 14, 16)), ((4, 5), (14, 15)), ((4, 20), (14, 15, 16)), ((20, 21), (22, 23, 24))]
)
def test_lines_soldered_otherwise_do_not_move_together(
    wide: tuple[VirtualClock, ReedMatrix, dict[int, Node]], rows: tuple[int, ...], columns: tuple[int, ...]
) -> None:
    clock, _, nodes = wide
    assert NetFactory(clock, nodes).matrix_lines(rows, columns) is None
