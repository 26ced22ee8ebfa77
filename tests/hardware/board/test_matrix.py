import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

import pytest
from gpiozero import GPIOPinInUse, InputDevice

from underboard.hardware.board.matrix import MatrixScanner, PinLines
from underboard.hardware.core.cells import ALL, Cell, closed_cells
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.netlist import Diodes
from underboard.hardware.simulator.pins import NetLines

CELLS = list(product(range(1, 11), range(1, 11)))


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def box(clock: VirtualClock) -> Iterator[SimulatedBox]:
    with SimulatedBox(clock) as box:
        yield box


@pytest.fixture
def scanner(box: SimulatedBox) -> Iterator[MatrixScanner]:
    with MatrixScanner(box.pin_factory(), REFERENCE.rows, REFERENCE.columns) as scanner:
        yield scanner


def scan_with(cells: Iterable[Cell], box: SimulatedBox, scanner: MatrixScanner, clock: VirtualClock) -> frozenset[Cell]:
    for cell in cells:
        box.place(cell)
    clock.advance(5)
    found = closed_cells(scanner.scan())
    for cell in cells:
        box.lift(cell)
    clock.advance(5)
    return found


def test_each_cell_alone_reads_as_itself(box: SimulatedBox, scanner: MatrixScanner, clock: VirtualClock) -> None:
    """https://github.com/TeXitoi/keyberon/issues/97: every key also gives the one below."""
    for cell in CELLS:
        assert scan_with([cell], box, scanner, clock) == {cell}


def test_each_pair_reads_as_itself(box: SimulatedBox, scanner: MatrixScanner, clock: VirtualClock) -> None:
    for pair in combinations(CELLS, 2):
        assert scan_with(pair, box, scanner, clock) == set(pair)


def test_the_last_row_does_not_reach_round_to_the_first(box: SimulatedBox, scanner: MatrixScanner, clock: VirtualClock) -> None:
    """https://github.com/qmk/qmk_firmware/pull/12945: the last row's keys ghosted in the first row."""
    box.place((10, 4))
    clock.advance(5)
    assert [scanner.scan()[0] for _ in range(3)] == [0, 0, 0]
    assert scanner.scan()[9] == 0b1000


@pytest.fixture(params=["together", "pin by pin"])
def either(request: pytest.FixtureRequest, box: SimulatedBox, monkeypatch: pytest.MonkeyPatch) -> Iterator[MatrixScanner]:
    """A scanner that moves its lines together, and one that knows single pins only."""
    factory = box.pin_factory()
    if request.param == "pin by pin":
        monkeypatch.setattr(factory, "matrix_lines", None)
    with MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        assert isinstance(scanner._lines, NetLines if request.param == "together" else PinLines)
        yield scanner


def test_both_ways_read_the_same(box: SimulatedBox, either: MatrixScanner, clock: VirtualClock) -> None:
    for diodes in Diodes:
        box.matrix.diodes = diodes
        for pair in [((1, 1), (1, 2)), ((1, 1), (2, 1)), ((10, 10), (1, 10)), ((5, 5), (6, 6))]:
            expected = set() if diodes is Diodes.REVERSED else set(pair)
            assert scan_with(pair, box, either, clock) == expected


def test_no_row_stays_driven_after_a_scan(box: SimulatedBox, either: MatrixScanner) -> None:
    box.place((10, 10))
    either.scan()
    assert not box.matrix._drives


def test_a_row_is_released_even_if_a_reading_fails(box: SimulatedBox, either: MatrixScanner, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(box.matrix, "_solved", broken)
    with pytest.raises(OSError, match="gone"):
        either.scan()
    assert not box.matrix._drives


class LongCable:
    """Lines whose columns stay low for some readings after the row that pulled them down has let go."""

    def __init__(self, closed: Sequence[int], readings: int) -> None:
        self.closed, self.readings = closed, readings
        self.row: int | None = None
        self.left = self.charged = 0

    def select(self, row: int | None) -> None:
        self.row = row

    def low(self, among: int = ALL) -> int:
        pulled = 0 if self.row is None else self.closed[self.row]
        self.left = self.readings if pulled else max(0, self.left - 1)
        self.charged = pulled or (self.charged if self.left else 0)
        return (pulled | self.charged) & among

    def close(self) -> None:
        pass


@pytest.mark.parametrize("readings", [0, 1, 5, 15])
def test_a_row_waits_for_the_columns_of_the_one_before(box: SimulatedBox, monkeypatch: pytest.MonkeyPatch, readings: int) -> None:
    """https://github.com/TeXitoi/keyberon/issues/97 by its cause: the lines of a long cable rise too late."""
    closed = (0b11, 0, 0b10, 0, *[0] * 6)
    factory = box.pin_factory()
    monkeypatch.setattr(factory, "matrix_lines", lambda rows, columns: LongCable(closed, readings))
    with MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        assert scanner.scan() == closed


def test_a_column_that_never_rises_does_not_stop_the_scan(box: SimulatedBox, monkeypatch: pytest.MonkeyPatch) -> None:
    factory = box.pin_factory()
    monkeypatch.setattr(factory, "matrix_lines", lambda rows, columns: LongCable((1,) * 10, 1000))
    with MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        assert scanner.scan() == (1,) * 10


def test_a_line_in_use_is_named_and_the_others_are_given_back(box: SimulatedBox) -> None:
    factory = box.pin_factory()
    with InputDevice(REFERENCE.columns[3], pin_factory=factory), pytest.raises(GPIOPinInUse, match=f"GPIO{REFERENCE.columns[3]}"):
        MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns)
    MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns).close()


def test_closing_twice_is_harmless(box: SimulatedBox) -> None:
    scanner = MatrixScanner(box.pin_factory(), REFERENCE.rows, REFERENCE.columns)
    scanner.close()
    scanner.close()


def scan_time(scanner: MatrixScanner) -> float:
    """Seconds of the quickest of many scans."""

    def timed() -> float:
        start = time.perf_counter()
        scanner.scan()
        return time.perf_counter() - start

    return min(timed() for _ in range(200))


def test_a_scan_is_fast(scanner: MatrixScanner) -> None:
    """Far slower machines than ours must still scan ten virtual minutes in seconds."""
    assert scan_time(scanner) < 150e-6


def test_lines_that_move_together_are_three_times_as_fast(box: SimulatedBox, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    factory = box.pin_factory()
    with MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        together = scan_time(scanner)
    monkeypatch.setattr(factory, "matrix_lines", None)
    with MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        assert scan_time(scanner) >= 3 * together
