from collections.abc import Callable, Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.netlist import CLOSING_BOUNCE_MS, OPENING_BOUNCE_MS, Contact, Diodes, ReedMatrix

A, B, C, D = (1, 1), (1, 2), (2, 1), (2, 2)


def read(matrix: ReedMatrix) -> set[Cell]:
    """Scan row by row without any pins: the cells that read closed."""
    found: set[Cell] = set()
    for row in range(1, matrix.rows + 1):
        matrix.drive_row(row, False)
        found |= {(row, column) for column in range(1, matrix.columns + 1) if not matrix.column_level(column)}
        matrix.drive_row(row, None)
    return found


def matrix_with(
    cells: Iterable[Cell], rows: int = 4, columns: int = 4, *, diodes: Diodes = Diodes.FITTED, holes: Iterable[Cell] = (), seed: int = 0
) -> ReedMatrix:
    clock = VirtualClock()
    matrix = ReedMatrix(clock, rows, columns, diodes=diodes, holes=holes, seed=seed)
    for cell in cells:
        matrix.close(cell)
    clock.advance(10)
    return matrix


def watch(clock: VirtualClock, look: Callable[[], bool], ms: int) -> list[bool]:
    """What *look* sees at every millisecond of the next *ms*."""
    trace = []
    for _ in range(ms):
        trace.append(look())
        clock.advance(1)
    return trace


# ---- contacts -----------------------------------------------------------------------


@pytest.mark.parametrize(("move", "bounce", "rest"), [("close", CLOSING_BOUNCE_MS, True), ("open", OPENING_BOUNCE_MS, False)])
def test_a_contact_bounces_and_then_rests(move: str, bounce: int, rest: bool) -> None:
    seen: set[tuple[bool, ...]] = set()
    for seed in range(50):
        clock = VirtualClock()
        contact = Contact(clock, seed)
        if move == "open":
            contact.close()
        clock.advance(100)
        getattr(contact, move)()
        trace = watch(clock, contact.closed, 20)
        seen.add(tuple(trace[:bounce]))
        assert set(trace[bounce:]) == {rest}
    assert len(seen) == 2**bounce


def test_looking_does_not_change_the_bounce() -> None:
    clock = VirtualClock()
    contact = Contact(clock, 3)
    contact.chatter(until=100)
    for _ in range(100):
        assert len({contact.closed() for _ in range(3)}) == 1
        clock.advance(1)


def test_pushing_a_closed_contact_does_not_bounce_it() -> None:
    clock = VirtualClock()
    contact = Contact(clock)
    contact.close()
    clock.advance(10)
    contact.close()
    assert contact.steady_from <= clock.now()


def test_stuck_wins_over_everything() -> None:
    clock = VirtualClock()
    contact = Contact(clock)
    contact.stuck = "closed"
    contact.chatter(until=100)
    assert contact.closed()
    contact.stuck = "open"
    contact.close()
    assert not contact.closed()
    contact.stuck = None
    clock.advance(100)
    assert contact.closed()


# ---- the solver ---------------------------------------------------------------------


@given(st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4))))
def test_with_diodes_every_pattern_reads_as_it_is(cells: set[Cell]) -> None:
    assert read(matrix_with(cells)) == cells


@given(st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4))))
def test_without_diodes_connected_lines_fill_up(cells: set[Cell]) -> None:
    """Against the textbook: with every group of connected lines all its crossings read closed."""
    groups: list[set[tuple[str, int]]] = []
    for row, column in cells:
        lines = {("row", row), ("column", column)}
        touching = [group for group in groups if group & lines]
        groups = [group for group in groups if not group & lines] + [lines.union(*touching)]
    expected = {
        (row, column)
        for row, column in product(range(1, 5), repeat=2)
        if any({("row", row), ("column", column)} <= group for group in groups)
    }
    assert read(matrix_with(cells, diodes=Diodes.MISSING)) == expected


def test_three_corners_make_a_ghost_without_diodes_only() -> None:
    assert read(matrix_with([A, B, C])) == {A, B, C}
    assert read(matrix_with([A, B, C], diodes=Diodes.MISSING)) == {A, B, C, D}


def test_a_row_driven_high_passes_no_ghost_on() -> None:
    matrix = matrix_with([A, B, C], diodes=Diodes.MISSING)
    matrix.drive_row(1, True)
    matrix.drive_row(2, False)
    assert (matrix.column_level(1), matrix.column_level(2)) == (False, True)


def test_reversed_diodes_make_all_cells_dead() -> None:
    """https://github.com/adafruit/circuitpython/issues/6401: diode direction other than assumed."""
    assert read(matrix_with([A, B, C, D], diodes=Diodes.REVERSED)) == set()


def test_nothing_is_low_while_no_row_is_driven() -> None:
    matrix = matrix_with([A, B, C, D])
    assert all(matrix.column_level(column) for column in range(1, 5))


def test_a_hole_has_no_switch_but_can_be_a_ghost() -> None:
    matrix = matrix_with([A, B, C], holes=[D], diodes=Diodes.MISSING)
    assert read(matrix) == {A, B, C, D}
    with pytest.raises(ValueError, match="no switch at row 2, column 2"):
        matrix.close(D)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 16), (16, 1), (16, 16)])
def test_sizes_at_the_limits(rows: int, columns: int) -> None:
    assert read(matrix_with([(rows, columns)], rows, columns)) == {(rows, columns)}


@pytest.mark.parametrize(("rows", "columns"), [(0, 1), (1, 0), (17, 1), (1, 17)])
def test_sizes_beyond_the_limits_are_named(rows: int, columns: int) -> None:
    with pytest.raises(ValueError, match=f"not {rows}x{columns}"):
        ReedMatrix(VirtualClock(), rows, columns)


# ---- faults -------------------------------------------------------------------------


def test_faults_of_a_cell_are_seen_and_repaired() -> None:
    matrix = matrix_with([A])
    matrix.stick(A, "open")
    matrix.stick(B, "closed")
    assert read(matrix) == {B}
    matrix.stick(A, None)
    matrix.stick(B, None)
    assert read(matrix) == {A}


def test_chatter_flickers_and_ends() -> None:
    clock = VirtualClock()
    matrix = ReedMatrix(clock, 1, 1)
    matrix.chatter(A, 100)
    matrix.drive_row(1, False)
    levels = watch(clock, lambda: matrix.column_level(1), 200)
    assert set(levels[:100]) == {True, False}
    assert set(levels[100:]) == {True}


def test_noise_has_its_rate_and_can_be_repeated() -> None:
    def wrong_readings() -> int:
        matrix = matrix_with([], seed=5)
        matrix.noise = 0.01
        return sum(not matrix.column_level(1) for _ in range(100_000))

    assert 850 < wrong_readings() < 1150
    assert wrong_readings() == wrong_readings()


def test_noise_ends() -> None:
    matrix = matrix_with([])
    matrix.noise = 0.5
    matrix.noise = 0
    assert all(matrix.column_level(1) for _ in range(100))


@pytest.mark.parametrize("rate", [-0.1, 1, 2])
def test_impossible_noise_is_named(rate: float) -> None:
    with pytest.raises(ValueError, match=f"not {rate}"):
        matrix_with([]).noise = rate
