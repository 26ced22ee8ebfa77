"""The self-test of a new board, a walk from cell to cell: prompts and findings out, sensors and answers in.

A token is asked for on one cell after the other, and the sensor that closes is the one under
it. Whatever has been wired otherwise than it should be shows in what has been seen by the end;
`underboard.hardware.maintenance.wiring_findings` reads that and puts it into words. Nothing here knows a device or a
clock: :meth:`SelfTest.see` gets the closed sensors and the time, :meth:`SelfTest.press` what
the person answers.

    stage    asks for                          goes on
    clear    an empty board                    once it is empty; OK: what still reads closed is stuck
    put      a token on one cell               once a sensor closes; skip: the cell is dead
    lift     that token                        once all is open; OK: what still reads closed sticks
    three    three tokens of a rectangle       once they stand; is there a fourth, diodes are missing
    over     nothing

Back repeats the cell before, stop ends the walk at any time with what is known by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Literal

from underboard.hardware.board.cell_map import Sensor, name
from underboard.hardware.core.cells import Cell

Stage = Literal["clear", "put", "lift", "three", "over"]
Answer = Literal["ok", "skip", "back", "stop"]

SETTLE_MS = 200
"""Sensors have to stand still for this long: a token on its way passes over others."""
PATIENCE_MS = 8_000
"""After this long without progress the prompt says what may be wrong."""
HOPELESS = 3
"""So many dead cells in a row at the beginning are no coincidence."""

ALL_DEAD = "all cells dead or mirrored: check the diodes' direction (the ring towards the row) and whether rows and columns are exchanged"


@dataclass(frozen=True)
class Prompt:
    """What the person is to do now."""

    stage: Stage
    cells: tuple[Cell, ...]
    text: str
    hint: str
    done: int
    total: int


@dataclass
class Seen:
    """What the walk has seen so far. Cells are as the players count, sensors as they are wired."""

    rows: int
    columns: int
    matrix: tuple[int, int]
    answers: dict[Cell, frozenset[Sensor]] = field(default_factory=dict)
    """The sensors that closed under a token on the cell; one if all is well, none if the cell was skipped."""
    stuck: frozenset[Sensor] = frozenset()
    """Closed on the empty board."""
    sticking: frozenset[Sensor] = frozenset()
    """Closed by a token and still closed without it."""
    chattering: frozenset[Sensor] = frozenset()
    diodes: bool | None = None
    """Whether three tokens of a rectangle read as three; None if that was not tried."""
    whole: bool = False
    """Whether every cell has had its turn."""

    @property
    def dead(self) -> frozenset[Cell]:
        """Cells under which nothing closed."""
        return frozenset(cell for cell, sensors in self.answers.items() if not sensors)

    @property
    def answered(self) -> Mapping[Cell, frozenset[Sensor]]:
        """Cells under which something closed."""
        return {cell: sensors for cell, sensors in self.answers.items() if sensors}


class SelfTest:
    """The walk over a board of *rows* x *columns* cells; a *quick* one asks for three corners only.

    *matrix* is the size of the matrix as it is wired, if it is another one.
    """

    def __init__(self, rows: int, columns: int, *, matrix: tuple[int, int] | None = None, quick: bool = False) -> None:
        """Nothing has been seen."""
        self.seen = Seen(rows, columns, matrix or (rows, columns))
        self._walk = corners(rows, columns) if quick else [*product(range(1, rows + 1), range(1, columns + 1))]
        self._quick = quick
        self._at = 0
        self._stage: Stage = "clear"
        self._three: tuple[Cell, ...] = ()
        self._known: frozenset[Sensor] = frozenset()
        self._here: frozenset[Sensor] = frozenset()
        self._since: int | None = None
        self._asked_at: int | None = None
        self._hint = ""

    @property
    def over(self) -> bool:
        """Whether there is nothing left to ask."""
        return self._stage == "over"

    @property
    def prompt(self) -> Prompt:
        """What to ask for now, with what may be wrong if nothing happens."""
        cells: tuple[Cell, ...] = self._three if self._stage == "three" else (self._cell,) if self._stage in ("put", "lift") else ()
        return Prompt(self._stage, cells, self._text(cells), self._hint, self._at, len(self._walk))

    def see(self, now: int, closed: frozenset[Sensor], chattering: frozenset[Sensor] = frozenset()) -> None:
        """The sensors that read closed at *now* (ms), and those that flicker, of which nothing can be told."""
        self.seen.chattering |= chattering
        here = closed - self.seen.stuck - self.seen.sticking - chattering
        if here != self._here or self._since is None:
            self._here, self._since = here, now
        if self._asked_at is None:
            self._asked_at = now
        if now - self._since >= SETTLE_MS:
            self._look()
        if self._asked_at is not None and now - self._asked_at >= PATIENCE_MS and not self._hint:
            self._hint = self._advice()

    def press(self, answer: Answer) -> None:
        """What the person says."""
        if answer == "stop":
            self._stage = "over"
        elif answer == "back":
            self._go_back()
        elif self._stage == "clear" and answer == "ok":
            self.seen.stuck = self._here
            self._ask("put")
        elif self._stage == "lift":
            self.seen.sticking |= self._here
            self._next()
        elif self._stage == "put" and answer == "skip":
            self.seen.answers[self._cell] = frozenset()
            self._next()
        elif self._stage == "three" and answer == "skip":
            self._ask("over")

    # ---- what the sensors say -----------------------------------------------------

    def _look(self) -> None:
        """The sensors stand still: is it what was asked for?"""
        match self._stage:
            case "clear" if not self._here:
                self._ask("put")
            case "put" if self._here:
                self._take()
            case "lift" if not self._here:
                self._next()
            case "three" if self._known <= self._here:
                self.seen.diodes = self._here == self._known
                self._ask("over")

    def _take(self) -> None:
        """A token has been put down; on a sensor that is another cell's it may be in the wrong place."""
        owners = [cell for cell, sensors in self.seen.answers.items() if self._here == sensors and cell != self._cell]
        if owners:
            self._hint = (
                f"that is the sensor of {spoken(owners[0])}, seen before: lift the token and put it on {spoken(self._cell)};"
                " if it stood there, skip this cell"
            )
            return
        self.seen.answers[self._cell] = self._here
        self._ask("lift")

    # ---- where the walk is --------------------------------------------------------

    @property
    def _cell(self) -> Cell:
        return self._walk[self._at]

    def _ask(self, stage: Stage) -> None:
        self._stage, self._hint, self._asked_at = stage, "", None

    def _next(self) -> None:
        self._at += 1
        if self._at < len(self._walk):
            self._ask("put")
            return
        self.seen.whole = True
        self._three, self._known = ((), frozenset()) if self._quick else self._rectangle()
        self._ask("three" if self._three else "over")

    def _go_back(self) -> None:
        if self._stage == "put" or self._at == len(self._walk):
            self._at = max(0, self._at - 1)
        if self._stage != "clear":
            self.seen.whole = False
            self.seen.answers.pop(self._cell, None)
            self._ask("put")

    def _rectangle(self) -> tuple[tuple[Cell, ...], frozenset[Sensor]]:
        """Cells whose sensors are three corners of a rectangle of which the fourth works too; none if there are no such cells."""
        cells = {next(iter(sensors)): cell for cell, sensors in self.seen.answers.items() if len(sensors) == 1}
        rows = sorted({row for row, _ in cells})
        columns = sorted({column for _, column in cells})
        for (top, bottom), (left, right) in product(combinations(rows, 2), combinations(columns, 2)):
            corners = [(top, left), (top, right), (bottom, left), (bottom, right)]
            if all(corner in cells for corner in corners):
                return tuple(cells[corner] for corner in corners[:3]), frozenset(corners[:3])
        return (), frozenset()

    # ---- words --------------------------------------------------------------------

    def _text(self, cells: tuple[Cell, ...]) -> str:
        match self._stage:
            case "clear":
                return "Take all tokens off the board."
            case "put":
                return f"Put one token on {self._where(self._cell)}."
            case "lift":
                return "Lift it."
            case "three":
                return f"Put tokens on {', '.join(map(spoken, cells))}, one after the other."
            case _:
                return "That is all."

    def _where(self, cell: Cell) -> str:
        rows, columns = self.seen.rows, self.seen.columns
        vertical = {1: "top", rows: "bottom"}.get(cell[0])
        side = {1: "left", columns: "right"}.get(cell[1])
        return f"{spoken(cell)} ({vertical} {side})" if vertical and side else spoken(cell)

    def _advice(self) -> str:
        """What may be wrong when nothing has happened for a while."""
        closed = ", ".join(map(name, sorted(self._here)))
        match self._stage:
            case "clear":
                return f"sensor {closed} reads closed: if no token is there it is stuck, go on with OK"
            case "lift":
                return f"sensor {closed} still reads closed: if the token is off it sticks, go on with OK"
            case "three":
                return "one of these tokens is not seen: press it closer to the middle, or skip this"
            case _ if len(self.seen.dead) >= HOPELESS and not self.seen.answered:
                return ALL_DEAD
            case _:
                return "nothing is seen: turn the token over, try one that works elsewhere, or skip this cell"


def corners(rows: int, columns: int) -> list[Cell]:
    """Three corners tell how a board lies, a fourth would only agree."""
    return [*dict.fromkeys([(1, 1), (1, columns), (rows, 1)])]


def spoken(cell: Cell) -> str:
    """A cell as one says it."""
    return f"row {cell[0]}, column {cell[1]}"


def progress(prompt: Prompt) -> str:
    """How far the walk has come, as "7 of 100"."""
    return f"{min(prompt.done + 1, prompt.total)} of {prompt.total}"


def steps(prompt: Prompt) -> Iterator[str]:
    """The prompt as lines of text: what to do, and what may be wrong."""
    yield f"{progress(prompt)}: {prompt.text}" if prompt.stage in ("put", "lift") else prompt.text
    if prompt.hint:
        yield f"  {prompt.hint}"
