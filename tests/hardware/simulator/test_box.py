from collections.abc import Callable

import pytest

from underboard.hardware.board.matrix import MatrixScanner
from underboard.hardware.core.cells import Cell, closed_cells
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.simulator.box import SimulatedBox


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def box(clock: VirtualClock) -> SimulatedBox:
    return SimulatedBox(clock)


def scan(box: SimulatedBox, clock: VirtualClock) -> frozenset[Cell]:
    clock.advance(10)
    with MatrixScanner(box.pin_factory(), REFERENCE.rows, REFERENCE.columns) as scanner:
        return closed_cells(scanner.scan())


def test_tokens_stand_where_they_were_put(box: SimulatedBox, clock: VirtualClock) -> None:
    box.place((2, 3))
    box.place((9, 10))
    box.lift((2, 3))
    assert box.tokens == {(9, 10)} == scan(box, clock)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda box: box.place((1, 1)), "a token already stands on row 1, column 1"),
        (lambda box: box.lift((2, 3)), "no token stands on row 2, column 3"),
        (lambda box: box.place((11, 1)), "no switch at row 11, column 1"),
        (lambda box: box.place((5, 5)), "no switch at row 5, column 5"),
        (lambda box: box.chatter((0, 1), 10), "no switch at row 0, column 1"),
        (lambda box: box.press_key("up"), "no key 'up'; there are left, right, ok, back"),
        (lambda box: box.release_key(""), "no key ''"),
    ],
)
def test_what_cannot_be_done_is_named_and_changes_nothing(clock: VirtualClock, act: Callable[[SimulatedBox], None], said: str) -> None:
    box = SimulatedBox(clock, holes=[(5, 5)])
    box.place((1, 1))
    with pytest.raises(ValueError) as error:
        act(box)
    assert said in str(error.value)
    assert box.tokens == {(1, 1)}


def test_faults_reach_the_matrix(box: SimulatedBox, clock: VirtualClock) -> None:
    box.stick((4, 4), "closed")
    assert scan(box, clock) == {(4, 4)}
    box.stick((4, 4), None)
    box.diodes(False)
    for cell in [(1, 1), (1, 2), (2, 1)]:
        box.place(cell)
    assert (2, 2) in scan(box, clock)
    box.diodes(True)
    assert (2, 2) not in scan(box, clock)


def test_the_box_outlives_the_program(box: SimulatedBox, clock: VirtualClock) -> None:
    box.place((1, 1))
    scanner = MatrixScanner(box.pin_factory(), REFERENCE.rows, REFERENCE.columns)
    box.power_off()
    box.place((2, 2))
    assert scan(box, clock) == {(1, 1), (2, 2)}
    assert set(scanner.scan()) == {0}
    scanner.close()


def test_a_dead_program_does_not_disturb_the_next(box: SimulatedBox, clock: VirtualClock) -> None:
    """Its devices may be closed, by garbage collection, while the next program is scanning."""
    dead = MatrixScanner(box.pin_factory(), REFERENCE.rows, REFERENCE.columns)
    box.place((1, 1))
    clock.advance(10)
    live = box.pin_factory()
    row, column = live.pin(REFERENCE.rows[0]), live.pin(REFERENCE.columns[0])
    column.input_with_pull("up")
    row.output_with_state(False)
    dead.close()
    assert not column.state
    live.close()


def test_a_power_cut_silences_the_buzzer(box: SimulatedBox, clock: VirtualClock) -> None:
    factory = box.pin_factory()
    factory.pin(REFERENCE.buzzer).output_with_state(True)
    clock.advance(30)
    box.power_off()
    assert box.buzzer_log == [(0, True), (30, False)]


def test_the_display_is_part_of_the_box(clock: VirtualClock) -> None:
    assert SimulatedBox(clock, oled="sh1106").i2c.controller == "sh1106"
