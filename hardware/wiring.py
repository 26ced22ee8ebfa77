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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

KEY_NAMES = ("left", "right", "ok", "back")
I2C_LINES = (2, 3)
LAST_LINE = 27


class WiringError(ValueError):
    """The wiring cannot be built; the text lists every problem with its lines, one after another."""


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
        problems = [*self._shape_problems(), *self._line_problems(), *self._clashes()]
        if problems:
            raise WiringError("; ".join(problems))

    def uses(self) -> Iterator[tuple[str, int]]:
        """Every use with its line: ``("row 1", 4)``, ``("key ok", 26)``."""
        yield from ((f"row {number}", line) for number, line in enumerate(self.rows, 1))
        yield from ((f"column {number}", line) for number, line in enumerate(self.columns, 1))
        yield from ((f"key {name}", line) for name, line in self.keys.items())
        if self.buzzer is not None:
            yield "buzzer", self.buzzer

    def _shape_problems(self) -> Iterator[str]:
        if bool(self.rows) != bool(self.columns):
            yield "a matrix needs both rows and columns"
        if set(self.keys) != set(KEY_NAMES):
            yield f"the keys are {', '.join(KEY_NAMES)}, not {', '.join(self.keys) or 'none'}"

    def _line_problems(self) -> Iterator[str]:
        for use, line in self.uses():
            if not 0 <= line <= LAST_LINE:
                yield f"{use} on GPIO {line}: the header has GPIO 0 to {LAST_LINE}"
            elif line in I2C_LINES:
                yield f"{use} on GPIO {line}: that is the display's I2C bus"

    def _clashes(self) -> Iterator[str]:
        users = defaultdict(list)
        for use, line in self.uses():
            users[line].append(use)
        for line, uses in users.items():
            if len(uses) > 1:
                yield f"GPIO {line} is wired to {' and '.join(uses)}"


REFERENCE = Wiring(
    rows=tuple(range(4, 14)),
    columns=tuple(range(14, 24)),
    keys=dict(zip(KEY_NAMES, range(24, 28), strict=True)),
    buzzer=1,
)
"""The table of the building instructions: 10x10 sensors, four keys, a buzzer; every line is taken."""
