"""Turned, mirrored and crossed boards: whatever lies under it, a game sees the same cells."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.hardware.board.cell_map import ROTATIONS, CellMap, CellMapError, read_cell_map, write_cell_map
from underboard.hardware.board.matrix import MatrixScanner
from underboard.hardware.board.reed_board import ReedBoard
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE, Wiring
from underboard.hardware.simulator.box import SimulatedBox

ROWS, COLUMNS = 4, 3
ORIENTATIONS = list(product(ROTATIONS, (False, True)))


@pytest.mark.parametrize(
    ("rotation", "mirrored", "picture"),
    [
        (0, False, "123 456"),
        (90, False, "41 52 63"),
        (180, False, "654 321"),
        (270, False, "36 25 14"),
        (0, True, "321 654"),
        (90, True, "63 52 41"),
        (180, True, "456 123"),
        (270, True, "14 25 36"),
    ],
)
def test_how_a_matrix_of_two_rows_lies_under_the_board(rotation: int, mirrored: bool, picture: str) -> None:
    cell_map = CellMap(2, 3, rotation, mirrored)
    rows = picture.split()
    assert cell_map.size == (len(rows), len(rows[0]))
    for row, line in enumerate(rows, 1):
        for column, number in enumerate(line, 1):
            sensor = divmod(int(number) - 1, 3)
            assert cell_map.sensor((row, column)) == (sensor[0] + 1, sensor[1] + 1)


cells = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def maps(draw: st.DrawFn) -> CellMap:
    """Any map of a small matrix."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    plain = CellMap(rows, columns, draw(st.sampled_from(ROTATIONS)), draw(st.booleans()))
    board = [*product(range(1, plain.size[0] + 1), range(1, plain.size[1] + 1))]
    crossed = draw(st.lists(st.sampled_from(board), unique=True))
    order = draw(st.permutations(crossed))
    moved = {cell: sensor for cell, other in zip(crossed, order, strict=True) if (sensor := plain.sensor(other)) and cell != other}
    dead = draw(st.sets(st.sampled_from(board))) - set(moved)
    return CellMap(rows, columns, plain.rotation, plain.mirrored, moved, frozenset(dead))


@given(maps())
def test_the_map_goes_both_ways(cell_map: CellMap) -> None:
    rows, columns = cell_map.size
    board = [*product(range(1, rows + 1), range(1, columns + 1))]
    for cell in board:
        sensor = cell_map.sensor(cell)
        assert (sensor is None) == (cell in cell_map.dead)
        if sensor:
            assert cell_map.cell(sensor) == cell
    sensors = cell_map.sensors(board)
    assert len(sensors) == len(board) - len(cell_map.dead)
    assert cell_map.cells(sensors) == set(board) - cell_map.dead


@given(maps())
def test_a_map_survives_its_file(cell_map: CellMap) -> None:
    assert CellMap.from_toml(cell_map.to_toml()) == cell_map


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "cells.toml"
    for cell_map in (CellMap(10, 10), CellMap(2, 2, 180, True, {(1, 1): (2, 2), (1, 2): (2, 1), (2, 1): (1, 1)}, frozenset({(2, 2)}))):
        write_cell_map(path, cell_map, "found by a test")
        assert read_cell_map(path) == cell_map
        assert path.read_text().startswith("# found by a test\n")
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "rows is missing; columns is missing"),
        ("rows = 2\ncolumns = 2\nturned = 90", "unknown key turned: there are rows, columns, rotation, mirrored, dead, moved"),
        ("rows = 2\ncolumns = true", "columns = True: that is no int"),
        ("rows = 0\ncolumns = 2", "a matrix of 0x2 has no sensors"),
        ("rows = 2\ncolumns = 2\nrotation = 45", "rotation 45: it is one of 0, 90, 180, 270"),
        ("rows = 2\ncolumns = 2\ndead = [3]", 'dead: cells are written as text, like "r3c2"'),
        ("rows = 2\ncolumns = 2\ndead = ['c3r2']", "'c3r2' is no cell: write r3c2 for row 3, column 2"),
        ("rows = 2\ncolumns = 3\nrotation = 90\ndead = ['r2c3']", "there is no cell r2c3 on a board of 3x2"),
        ("rows = 2\ncolumns = 2\n[moved]\nr1c1 = 'r3c1'", "there is no sensor r3c1 in a matrix of 2x2"),
        ("rows = 2\ncolumns = 2\n[moved]\nr1c1 = 'r2c2'", "sensor r2c2 is under r1c1 and r2c2"),
        (
            "rows = 2\ncolumns = 2\ndead = ['r1c1', 'r5c5']\n[moved]\nr1c1 = 'r9c9'",
            "there is no cell r5c5 on a board of 2x2; there is no sensor r9c9 in a matrix of 2x2; cell r1c1 is both moved and dead",
        ),
        ("rows = ", "Invalid value"),
    ],
)
def test_a_file_that_cannot_be_says_everything_that_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "cells.toml"
    path.write_text(text)
    with pytest.raises(CellMapError) as caught:
        read_cell_map(path)
    assert str(caught.value).startswith(f"{path}: {said}")


# The board


class Turned:
    """A board whose matrix lies as a map says: hands put tokens on cells, the sensors below them close."""

    def __init__(self, opened: ExitStack, cell_map: CellMap) -> None:
        wiring = Wiring(REFERENCE.rows[: cell_map.rows], REFERENCE.columns[: cell_map.columns], REFERENCE.keys, REFERENCE.buzzer)
        self.map = cell_map
        self.clock = VirtualClock()
        self.box = opened.enter_context(SimulatedBox(self.clock, wiring))
        scanner = opened.enter_context(MatrixScanner(self.box.pin_factory(), wiring.rows, wiring.columns))
        self.board = ReedBoard(scanner, self.clock, rows=cell_map.rows, columns=cell_map.columns, cell_map=cell_map)

    def turn(self, cell: Cell) -> None:
        """Put a token on the cell, or take it off."""
        sensor = self.map.sensor(cell)
        assert sensor
        (self.box.lift if sensor in self.box.tokens else self.box.place)(sensor)

    def seen(self, ms: int = 600) -> list[object]:
        """Everything that readings say while the board comes to rest."""
        seen: list[object] = []
        end = self.clock.now() + ms
        while self.clock.now() < end:
            reading = self.board.poll()
            seen += [(change.cell, change.closed) for change in reading.changes]
            self.clock.advance(self.board.next_poll_ms())
        return [*seen, reading.occupied, reading.ambiguous, reading.faulty, reading.settled]


Turn = Callable[[CellMap], Turned]
PLAN = st.lists(st.tuples(st.integers(1, ROWS), st.integers(1, COLUMNS)), min_size=1, max_size=5)


def lying(rotation: int, mirrored: bool) -> CellMap:
    """A map of a matrix that gives a board of ROWS x COLUMNS."""
    return CellMap(COLUMNS, ROWS, rotation, mirrored) if rotation % 180 else CellMap(ROWS, COLUMNS, rotation, mirrored)


@given(PLAN)
def test_each_orientation_gives_the_same_logical_state(plan: list[Cell]) -> None:
    """https://github.com/jromang/picochess/issues/229: set-up via the menu takes the orientation wrong."""
    with ExitStack() as opened:
        boards = [Turned(opened, lying(*orientation)) for orientation in ORIENTATIONS]
        for cell in plan:
            for board in boards:
                board.turn(cell)
            first, *others = [board.seen() for board in boards]
            assert all(other == first for other in others)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_ghosts_and_chatter_are_named_by_their_cells(orientation: tuple[int, bool]) -> None:
    with ExitStack() as opened:
        board = Turned(opened, lying(*orientation))
        board.seen()
        board.box.diodes(False)
        for cell in [(1, 1), (1, 2), (2, 1)]:
            board.turn(cell)
            board.seen()
        assert board.board.poll().ambiguous == {(1, 1), (1, 2), (2, 1), (2, 2)}
        sensor = board.map.sensor((4, 3))
        assert sensor
        board.box.chatter(sensor, 2000)
        board.seen(1000)
        assert board.board.poll().faulty == {(4, 3)}
        board.board.mask([(4, 3)])
        assert board.board.poll().faulty == frozenset()


def test_crossed_and_dead_cells() -> None:
    cell_map = CellMap(3, 3, moved={(1, 1): (2, 2), (2, 2): (1, 1)}, dead=frozenset({(3, 3)}))
    with ExitStack() as opened:
        board = Turned(opened, cell_map)
        board.box.place((2, 2))
        board.box.place((3, 3))
        assert board.seen() == [((1, 1), True), {(1, 1)}, set(), {(3, 3)}, True]


def test_the_map_of_another_matrix_is_refused() -> None:
    """https://github.com/TimoKropp/OPENCHESSBOARD_WiFi/issues/11: a start in words instead of a board that rejects all moves."""
    with ExitStack() as opened:
        board = Turned(opened, CellMap(3, 3))
        with pytest.raises(CellMapError, match="the cell map is for 3x3 sensors, this matrix has 4x3: run underboard selftest"):
            ReedBoard(board.board._scanner, board.clock, rows=4, columns=3, cell_map=board.map)
