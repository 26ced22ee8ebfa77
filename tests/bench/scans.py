"""Reading the board: the scan of this project beside what others do on the same simulated pins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import product
from types import ModuleType
from typing import Any

from gpiozero import DigitalInputDevice

from tests.bench.paired import in_turns, span_us
from tests.bench.rivals import pad4pi
from tests.bench.rows import Row
from underboard.hardware.board.matrix import MatrixScanner, PinLines
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.netlist import ReedMatrix
from underboard.hardware.simulator.pins import ColumnLine, NetFactory, RowLine

TOKENS = tuple((row, column) for row in range(1, 11) for column in range(1, 11) if (row + 2 * column) % 5 == 0)
"""A board in the middle of a game: a fifth of its cells carry a token."""
LAST = (10, 10)
ONE_A_LINE = tuple((row, 3 * row % 10 + 1) for row in range(1, 11))
"""As many tokens as keypads can tell: two on one line hide each other."""
TIMES, ROUNDS = 60, 5
SIZES = (4, 8, 12, 16)


@contextmanager
def box_with(*tokens: tuple[int, int]) -> Iterator[NetFactory]:
    """The pins of a box with these tokens, at rest."""
    clock = VirtualClock()
    with SimulatedBox(clock) as box:
        for cell in tokens:
            box.place(cell)
        clock.advance(1_000)
        yield box.pin_factory()


@contextmanager
def our_scan(*tokens: tuple[int, int], single: bool = False) -> Iterator[Callable[[], object]]:
    """This project's scan, with the pins `single` or the lines together as on lgpio."""
    with box_with(*tokens) as factory, MatrixScanner(factory, REFERENCE.rows, REFERENCE.columns) as scanner:
        if single:
            scanner._lines = PinLines([factory.pin(line) for line in REFERENCE.rows], [factory.pin(line) for line in REFERENCE.columns])
        yield scanner.scan


@contextmanager
def cell_by_cell(*tokens: tuple[int, int]) -> Iterator[Callable[[], object]]:
    """What a recipe with gpiozero does: a row low, the value of each column's DigitalInputDevice, the next row."""
    with box_with(*tokens) as factory, ExitStack() as opened:
        rows = [factory.pin(line) for line in REFERENCE.rows]
        columns = [opened.enter_context(DigitalInputDevice(line, pull_up=True, pin_factory=factory)) for line in REFERENCE.columns]

        def scan() -> list[list[int]]:
            found = []
            for row in rows:
                row.output_with_state(False)
                found.append([column.value for column in columns])
                row.function = "input"
            return found

        yield scan


@contextmanager
def keypad(*tokens: tuple[int, int]) -> Iterator[Callable[[], object]]:
    """pad4pi's own code: the name of the one key that is down, with the board as its keypad. Its rows are what is read."""
    with box_with(*tokens) as factory:
        yield keypad_of(factory, REFERENCE.columns).getKey


@contextmanager
def keypads(*tokens: tuple[int, int]) -> Iterator[Callable[[], object]]:
    """The same for a board on which several tokens stand: a keypad for each line that is read."""
    with box_with(*tokens) as factory:
        pads = [keypad_of(factory, [line]) for line in REFERENCE.columns]
        yield lambda: [pad.getKey() for pad in pads]


def keypad_of(factory: NetFactory, read: Sequence[int]) -> Any:
    """pad4pi's keypad with these lines as its rows, and all rows of the board as its columns."""
    names = [[(line, row) for row in REFERENCE.rows] for line in read]
    return pad4pi(rpi_gpio(factory)).KeypadFactory().create_keypad(names, list(read), list(REFERENCE.rows))


def rpi_gpio(factory: NetFactory) -> ModuleType:
    """As much of RPi.GPIO as pad4pi needs, on simulated pins."""
    pins: dict[int, Any] = {}
    gpio: Any = ModuleType("RPi.GPIO")
    gpio.BCM, gpio.IN, gpio.OUT, gpio.PUD_UP, gpio.FALLING, gpio.LOW, gpio.HIGH = 11, 1, 0, 22, 32, 0, 1

    def setup(line: int, direction: int, pull_up_down: int = 0) -> None:
        pins[line] = factory.pin(line)
        pins[line].function = "input" if direction == gpio.IN else "output"
        if pull_up_down:
            pins[line].pull = "up"

    def output(line: int, level: int) -> None:
        pins[line].state = bool(level)

    gpio.setmode = gpio.add_event_detect = lambda *_, **__: None
    gpio.setup, gpio.output, gpio.input = setup, output, lambda line: int(pins[line].state)
    return gpio  # type: ignore[no-any-return]


def compared(key: str, what: str, ours: Any, rival: str, theirs: Any, tokens: tuple[tuple[int, int], ...], needed: float) -> Row:
    """One scan against another, in turns."""
    with ours(*tokens) as mine, theirs(*tokens) as others:
        pair = in_turns({key: partial(span_us, mine, TIMES)}, partial(span_us, others, TIMES), ROUNDS)[key]
    return Row(key, what, "µs", pair.ours, rival, pair.theirs, 1 / pair.ratio, needed)


def rows() -> list[Row]:
    """The whole board, and a board with one token, which is all that a keypad can tell."""
    single = partial(our_scan, single=True)
    return [
        compared("scan/gpiozero", "scan of 10x10, 20 tokens", our_scan, "gpiozero, cell by cell", cell_by_cell, TOKENS, 3),
        compared("scan/gpiozero/single", "the same, pin by pin", single, "gpiozero, cell by cell", cell_by_cell, TOKENS, 1),
        compared("scan/pad4pi", "scan of 10x10, 10 tokens", our_scan, "pad4pi, a token a line", keypads, ONE_A_LINE, 3),
        compared("scan/pad4pi/key", "scan of 10x10, 1 token", our_scan, "pad4pi, this one key", keypad, (LAST,), 1),
    ]


def scan_of_size_us(size: int) -> float:
    """How long the scan of a square matrix of so many rows takes, a fifth of its cells closed."""
    clock = VirtualClock()
    matrix = ReedMatrix(clock, size, size)
    for row, column in product(range(1, size + 1), repeat=2):
        if (row + 2 * column) % 5 == 0:
            matrix.close((row, column))
    clock.advance(1_000)
    # A header has not lines enough for 16 x 16: the pins are numbered as on one that has.
    lines = NetFactory(
        clock, {n: RowLine(matrix, n) for n in range(1, size + 1)} | {100 + n: ColumnLine(matrix, n) for n in range(1, size + 1)}
    )
    together = lines.matrix_lines(range(1, size + 1), range(101, 101 + size))
    assert together
    scanner = object.__new__(MatrixScanner)
    scanner._count, scanner._lines = size, together
    return min(span_us(scanner.scan, TIMES) for _ in range(ROUNDS))
