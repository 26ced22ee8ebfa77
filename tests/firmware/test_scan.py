"""The firmware's scan of the matrix: https://github.com/TeXitoi/keyberon/issues/97, qmk/qmk_firmware/pull/12945, tmk issues/469."""

import pytest

from tests.firmware.conftest import Bench
from underboard.firmware.scan import Matrix
from underboard.hardware.core.cells import Cell, closed_cells
from underboard.hardware.simulator.netlist import Diodes

CELLS: list[Cell] = [(row, column) for row in range(1, 14) for column in range(1, 14)]


def scan(bench: Bench) -> frozenset[Cell]:
    bench.clock.advance(10)
    return closed_cells(bench.firmware._matrix.scan())


def test_every_cell_alone_reads_as_itself(bench: Bench) -> None:
    """https://github.com/TeXitoi/keyberon/issues/97: every key also gives the one below."""
    for cell in CELLS:
        bench.matrix.close(cell)
        assert scan(bench) == {cell}
        bench.matrix.open(cell)
    assert scan(bench) == frozenset()


def test_a_full_last_row_leaves_the_first_one_empty(bench: Bench) -> None:
    """https://github.com/qmk/qmk_firmware/pull/12945: ghosts of the last row in the first."""
    last = {(13, column) for column in range(1, 14)}
    for cell in last:
        bench.matrix.close(cell)
    assert scan(bench) == scan(bench) == last


def test_everything_closed(bench: Bench) -> None:
    for cell in CELLS:
        bench.matrix.close(cell)
    assert scan(bench) == set(CELLS)


@pytest.mark.parametrize("hole", [(1, 1), (2, 2), (1, 2)])
def test_three_corners_and_a_hole(hole: Cell) -> None:
    """https://github.com/tmk/tmk_keyboard/issues/469: with diodes a hole reads open, whatever its neighbours do."""
    bench = Bench(3, 3, holes=(hole,))
    corners = {(1, 1), (1, 2), (2, 1), (2, 2)} - {hole}
    for cell in corners:
        bench.matrix.close(cell)
    assert scan(bench) == corners


def test_without_diodes_the_ghost_is_read_as_on_the_pi(bench: Bench) -> None:
    """https://github.com/Nullkraft/Keypad/issues/7: it is for the host to notice."""
    bench.matrix.diodes = Diodes.MISSING
    for cell in [(1, 1), (1, 2), (2, 1)]:
        bench.matrix.close(cell)
    assert scan(bench) == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_rows_float_after_a_scan_and_columns_need_their_pull_up(bench: Bench) -> None:
    bench.firmware._matrix.scan()
    assert bench.matrix._drives == {}
    bench.firmware._matrix.release()
    assert scan(bench) == set(CELLS), "released columns have no pull-up and read low in this net-list"


def test_lines_settle_before_and_after_every_row(bench: Bench) -> None:
    waits: list[int] = []
    Matrix(bench.machine, (0, 1), (13,), waits.append).scan()
    assert len(waits) == 4
    assert min(waits) >= 20
