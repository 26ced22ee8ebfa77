"""The table of the benchmarks: rows with their goals, as text, as JSON, and beside the figures of an earlier run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

TOLERANCE = 0.25
"""So much of a steady ratio may be lost before it counts as a regression."""
GOAL = "the goal"
"""What a row without a rival is compared with."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measured thing. `ratio` says how many times better ours is than theirs, so more is always better."""

    key: str
    what: str
    unit: str
    ours: float
    rival: str
    theirs: float
    ratio: float
    needed: float = 1.0
    """The ratio that is the goal."""
    steady: float | None = None
    """What is compared between machines, more is better: the ratio, unless that depends on how fast the machine is."""

    @property
    def met(self) -> bool:
        """Whether the goal is reached."""
        return self.ratio >= self.needed

    @property
    def compared(self) -> float:
        """The figure for `regressions`."""
        return self.ratio if self.steady is None else self.steady


def limit(key: str, what: str, unit: str, ours: float, most: float, steady: float | None = None) -> Row:
    """A row whose goal is that ours is at most so much."""
    return Row(key, what, unit, ours, GOAL, most, most / ours if ours else float(most > 0), 1.0, steady)


def table(rows: Iterable[Row]) -> str:
    """All rows as one table with its columns in line."""
    head = ("what", "ours", "compared with", "theirs", "ratio", "needed", "")
    lines = [head, *(cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(aligned(line, widths)).rstrip() for line in lines)


def cells(row: Row) -> tuple[str, ...]:
    """A row as texts."""
    ours, theirs = (f"{number(value)} {row.unit}".rstrip() for value in (row.ours, row.theirs))
    return row.what, ours, row.rival, theirs, f"{row.ratio:.2f}", f"{row.needed:.2f}", "met" if row.met else "MISSED"


def aligned(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Words to the left, numbers to the right."""
    return [
        text.ljust(width) if column in (0, 2, 6) else text.rjust(width)
        for column, (text, width) in enumerate(zip(line, widths, strict=True))
    ]


def number(value: float) -> str:
    """Three figures are enough, of large numbers all before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def write(path: Path, rows: Iterable[Row], more: Mapping[str, Any]) -> None:
    """Everything as JSON, with `more` beside the rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [{**asdict(row), "met": row.met, "compared": row.compared} for row in rows]
    path.write_text(json.dumps({"rows": found, **more}, indent=1) + "\n", encoding="utf-8")


def write_reference(path: Path, rows: Iterable[Row]) -> None:
    """The figures that later runs are held against."""
    path.write_text(json.dumps({row.key: round(row.compared, 3) for row in rows}, indent=1) + "\n", encoding="utf-8")


def read_reference(path: Path) -> dict[str, float]:
    """What `write_reference` wrote."""
    return {str(key): float(value) for key, value in json.loads(path.read_text(encoding="utf-8")).items()}


def regressions(rows: Iterable[Row], reference: Mapping[str, float]) -> list[str]:
    """What has become worse by more than the tolerance, one sentence a row; also what the reference does not know or only it knows."""
    found = {row.key: row.compared for row in rows}
    worse = [
        f"{key}: {found[key]:.2f}, it was {before:.2f}"
        for key, before in reference.items()
        if key in found and found[key] < (1 - TOLERANCE) * before
    ]
    missing = [f"{key}: no longer measured" for key in reference if key not in found]
    return worse + missing + [f"{key}: not in the reference" for key in found if key not in reference]
