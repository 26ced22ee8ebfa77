import time
from itertools import combinations, product

import pytest
from gpiozero import GPIOPinInUse, InputDevice

from hardware.cells import closed_cells
from hardware.clock import VirtualClock
from hardware.matrix import MatrixScanner
from hardware.simulator.box import SimulatedBox
from hardware.wiring import REFERENCE

CELLS = list(product(range(1, 11), repeat=2))


@pytest.fixture
def clock():
    return VirtualClock()


@pytest.fixture
def box(clock):
    return SimulatedBox(clock)


@pytest.fixture
def scanner(box):
    with MatrixScanner(box.pin_factory(), REFERENCE.rows, REFERENCE.columns) as scanner:
        yield scanner


def scan_with(cells, box, scanner, clock):
    for cell in cells:
        box.place(cell)
    clock.advance(5)
    found = closed_cells(scanner.scan())
    for cell in cells:
        box.lift(cell)
    clock.advance(5)
    return found


def test_each_cell_alone_reads_as_itself(box, scanner, clock):
    """https://github.com/TeXitoi/keyberon/issues/97: every key also gives the one below."""
    for cell in CELLS:
        assert scan_with([cell], box, scanner, clock) == {cell}


def test_each_pair_reads_as_itself(box, scanner, clock):
    for pair in combinations(CELLS, 2):
        assert scan_with(pair, box, scanner, clock) == set(pair)


def test_the_last_row_does_not_reach_round_to_the_first(box, scanner, clock):
    """https://github.com/qmk/qmk_firmware/pull/12945: the last row's keys ghosted in the first row."""
    box.place((10, 4))
    clock.advance(5)
    assert [scanner.scan()[0] for _ in range(3)] == [0, 0, 0]
    assert scanner.scan()[9] == 0b1000


def test_no_row_stays_driven_after_a_scan(box, scanner):
    scanner.scan()
    assert {pin.function for pin in scanner._rows} == {"input"}


def test_a_row_is_released_even_if_a_reading_fails(box, scanner, monkeypatch):
    def broken(column):
        raise OSError("gone")

    monkeypatch.setattr(box.matrix, "column_level", broken)
    with pytest.raises(OSError, match="gone"):
        scanner.scan()
    assert {pin.function for pin in scanner._rows} == {"input"}


def test_a_line_in_use_is_named_and_the_others_are_given_back(box):
    factory = box.pin_factory()
    with InputDevice(REFERENCE.columns[3], pin_factory=factory), pytest.raises(GPIOPinInUse, match=f"GPIO{REFERENCE.columns[3]}"):
        MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns)
    MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns).close()


def test_closing_twice_is_harmless(box):
    scanner = MatrixScanner(box.pin_factory(), REFERENCE.rows, REFERENCE.columns)
    scanner.close()
    scanner.close()


def test_a_scan_is_fast(scanner):
    """Far slower machines than ours must still scan ten virtual minutes in seconds."""

    def timed():
        start = time.perf_counter()
        scanner.scan()
        return time.perf_counter() - start

    assert min(timed() for _ in range(200)) < 150e-6
