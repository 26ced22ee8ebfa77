"""Which line of the Pi's header leads where.

The header has GPIO 2 to 27 for us. 2 and 3 are the display's I2C bus, with pull-ups soldered
to the Pi; 4 to 27 are just the 24 lines that ten rows, ten columns and four keys need. SPI,
the serial console, 1-Wire and I2S sit on some of these and must stay switched off. 0 and 1
are a last resort: at power-up the Pi itself talks on them to find an add-on board's memory.
They work afterwards if no such board is fitted, and only for a part that neither disturbs
that nor minds it, like the reference table's buzzer, which may tick once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from underboard.errors import UnderboardError

KEY_NAMES = ("left", "right", "ok", "back")
"""The keys of the panel, from left to right."""

I2C_LINES = (2, 3)
IDENTITY_LINES = (0, 1)
LAST_LINE = 27

Use = str
"""What a line is for, as `Wiring.uses` calls it."""


class Flaw(NamedTuple):
    """Something wrong with a wiring: the uses it is about, and what it is in words."""

    uses: tuple[Use, ...]
    text: str


class WiringError(UnderboardError, ValueError):
    """The wiring cannot be built; the text lists every flaw with its lines, one after another, and so does *flaws*."""

    fault = "configuration"

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        self.flaws = tuple(flaws)
        super().__init__("; ".join(flaw.text for flaw in self.flaws))


@dataclass(frozen=True)
class Wiring:
    """The lines (BCM numbers) of rows, columns, the four keys by name, and the buzzer or None.

    Rows and columns are empty if the matrix is not on this header. WiringError if it cannot be.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    keys: Mapping[str, int]
    buzzer: int | None

    def __post_init__(self) -> None:
        """Check the whole wiring at once, so that one look shows all that is wrong."""
        if flaws := [*self._shape_flaws(), *self._line_flaws(), *clashes(self.uses())]:
            raise WiringError(flaws)

    def uses(self) -> Iterator[tuple[Use, int]]:
        """Every use with its line: ``("row 1", 4)``, ``("key ok", 26)``."""
        return uses_of(self.rows, self.columns, self.keys, self.buzzer)

    def _shape_flaws(self) -> Iterator[Flaw]:
        if bool(self.rows) != bool(self.columns):
            yield Flaw(("column 1" if self.rows else "row 1",), "a matrix needs both rows and columns")
        if set(self.keys) != set(KEY_NAMES):
            yield Flaw(("key ok",), f"the keys are {', '.join(KEY_NAMES)}, not {', '.join(self.keys) or 'none'}")

    def _line_flaws(self) -> Iterator[Flaw]:
        for use, line in self.uses():
            if not 0 <= line <= LAST_LINE:
                yield Flaw((use,), f"{use} on GPIO {line}: the header has GPIO 0 to {LAST_LINE}")
            elif line in I2C_LINES:
                yield Flaw((use,), f"{use} on GPIO {line}: that is the display's I2C bus")
            elif line in IDENTITY_LINES and use != "buzzer":
                yield Flaw((use,), f"{use} on GPIO {line}: the Pi itself talks on it when it starts; only a buzzer bears that")


def uses_of(rows: Iterable[int], columns: Iterable[int], keys: Mapping[str, int], buzzer: int | None) -> Iterator[tuple[Use, int]]:
    """The uses of a wiring, whether or not it can be."""
    yield from ((f"row {number}", line) for number, line in enumerate(rows, 1))
    yield from ((f"column {number}", line) for number, line in enumerate(columns, 1))
    yield from ((f"key {name}", line) for name, line in keys.items())
    if buzzer is not None:
        yield "buzzer", buzzer


def clashes(uses: Iterable[tuple[Use, int]]) -> Iterator[Flaw]:
    """The lines that are used more than once."""
    users = defaultdict(list)
    for use, line in uses:
        users[line].append(use)
    for line, found in users.items():
        if len(found) > 1:
            yield Flaw(tuple(found), f"GPIO {line} is wired to {' and '.join(found)}")


REFERENCE = Wiring(
    rows=tuple(range(4, 14)),
    columns=tuple(range(14, 24)),
    keys=dict(zip(KEY_NAMES, range(24, 28), strict=True)),
    buzzer=1,
)
"""The table of the building instructions: 10x10 sensors, four keys, a buzzer; every line is taken."""
