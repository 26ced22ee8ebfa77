"""Cell names, both ways."""

from __future__ import annotations

import pytest

from underboard.engine.base.coordinates import COLUMNS, cell_name, parse_cell


@pytest.mark.parametrize(("name", "cell"), [("a1", (0, 0)), ("i9", (8, 8)), ("k5", (10, 4)), ("z26", (25, 25)), ("a99", (0, 98))])
def test_names(name: str, cell: tuple[int, int]) -> None:
    assert parse_cell(name) == cell
    assert cell_name(*cell) == name


def test_every_cell_of_the_largest_board_comes_back() -> None:
    cells = [(column, row) for column in range(COLUMNS) for row in range(26)]
    assert [parse_cell(cell_name(column, row)) for column, row in cells] == cells


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "5",
        "A1",
        "a0",
        "a01",
        "a-1",
        "a+1",
        "a1 ",
        " a1",
        "a1\n",
        "aa1",
        "a1a",
        "1a",
        "a100",
        "a1.0",
        "ä1",
        "a١",
        "a１",
        "ａ1",
        "a²",
    ],
)
def test_other_spellings_are_no_cells(text: str) -> None:
    assert parse_cell(text) is None
