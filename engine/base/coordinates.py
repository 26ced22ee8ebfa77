"""Names of a board's cells: column letter from the left, no letter skipped, then row number from the top.

`a1` is the top left corner. In code columns and rows count from 0.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

COLUMNS = len(ascii_lowercase)
"""More columns have no names."""

CELL = re.compile(r"([a-z])([1-9][0-9]?)")


def cell_name(column: int, row: int) -> str:
    """The name of a cell: `cell_name(10, 4)` is "k5"."""
    return f"{ascii_lowercase[column]}{row + 1}"


def parse_cell(text: str) -> tuple[int, int] | None:
    """Column and row of a cell's name; None for what is no name in its one spelling ("K5", "k05", "k", "kk5")."""
    match = CELL.fullmatch(text)
    return (ascii_lowercase.index(match[1]), int(match[2]) - 1) if match else None
