"""Sets of cells as bits, on boards of every shape."""

from __future__ import annotations

import pytest

from underboard.engine.base.bitset import nth
from underboard.engine.base.coordinates import parse_cell
from underboard.engine.games.virus_wars.board import Board, board_of

SHAPES = [(1, 1), (1, 26), (2, 3), (26, 1), (6, 20), (11, 11), (26, 26)]


@pytest.fixture(params=SHAPES, ids=str)
def board(request: pytest.FixtureRequest) -> Board:
    width, height = request.param
    return board_of(width, height)


def test_every_cell_has_a_name_and_a_bit(board: Board) -> None:
    assert len(board.name) == board.width * board.height == board.cells.bit_count()
    for bit, name in board.name.items():
        column, row = parse_cell(name) or (-1, -1)
        assert board.bit(column, row) == board.index[name] == bit
    assert board.names(board.cells) == sorted(board.index)


def test_edges(board: Board) -> None:
    assert set(board.names(board.left)) == {f"a{row}" for row in range(1, board.height + 1)}
    assert set(board.names(board.right)) == {f"{chr(96 + board.width)}{row}" for row in range(1, board.height + 1)}


def test_neighbours(board: Board) -> None:
    for bit, name in board.name.items():
        x, y = parse_cell(name) or (-1, -1)
        near = {board.bit(a, b) for a in range(board.width) for b in range(board.height) if abs(a - x) <= 1 and abs(b - y) <= 1}
        assert board.around[bit] == board.spread(1 << bit) == sum(1 << other for other in near)


def test_spread_of_several_cells_is_that_of_each(board: Board) -> None:
    cells = sum(1 << bit for bit in list(board.name)[::7])
    each = [board.around[bit] for bit in board.name if cells >> bit & 1]
    assert board.names(board.spread(cells)) == sorted({name for around in each for name in board.names(around)})


def test_nth_counts_in_the_order_of_bits(board: Board) -> None:
    assert [nth(board.cells, count, board.halves) for count in range(len(board.name))] == sorted(board.name)


def test_flood_follows_a_chain_to_its_end() -> None:
    board = board_of(9, 2)
    links = sum(1 << board.index[name] for name in "b1 c2 d1 g1".split())
    assert board.names(board.flood(0, board.around[board.index["a1"]], links)) == "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2".split()


def test_boards_are_equal_by_size() -> None:
    assert board_of(7, 9) == board_of(7, 9) != board_of(9, 7)
    assert len({board_of(7, 9), board_of(7, 9), board_of(9, 7)}) == 2
