"""gpiozero pins whose other end is the simulated box.

The pins behave towards gpiozero as those of a Pi 3B, with its header, its fixed pull-ups and
its errors, so the drivers above are the very ones that run on a Pi. A pin is soldered to a
*node*: a row or a column of the reed matrix, a key, the buzzer, or nothing. There are no
edge callbacks: the project reads pins and never waits for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from gpiozero import PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.pi import PiFactory, PiPin

from underboard.hardware.core.cells import ALL
from underboard.hardware.core.clock import Clock
from underboard.hardware.simulator.netlist import Contact, ReedMatrix

PI_3B = 0xA02082


class Node(Protocol):
    """The end of a wire inside the box."""

    def drive(self, level: bool | None) -> None:
        """A pin drives the wire high or low, or lets go (None)."""
        ...

    def level(self, pulled_up: bool) -> bool:
        """What a pin that listens reads, with its pull-up on or off."""
        ...


class Unconnected:
    """A wire that ends nowhere."""

    def drive(self, level: bool | None) -> None:
        """Nothing notices."""

    def level(self, pulled_up: bool) -> bool:
        """Whatever the pull-up makes of it."""
        return pulled_up


class RowLine(Unconnected):
    """A row line of the matrix."""

    def __init__(self, matrix: ReedMatrix, row: int) -> None:
        """The line of *row*, from 1."""
        self.matrix = matrix
        self.number = row

    def drive(self, level: bool | None) -> None:
        """The row pulls columns down while it is low."""
        self.matrix.drive_row(self.number, level)


class ColumnLine(Unconnected):
    """A column line of the matrix."""

    def __init__(self, matrix: ReedMatrix, column: int) -> None:
        """The line of *column*, from 1."""
        self.matrix = matrix
        self.number = column

    def level(self, pulled_up: bool) -> bool:
        """The solved level; low at all times without a pull-up, so that a driver that forgot it fails."""
        return pulled_up and self.matrix.column_level(self.number)


class NetLines:
    """All lines of a matrix, moved and read together, as the kernel of a Pi can do it."""

    def __init__(self, matrix: ReedMatrix, rows: Sequence[int]) -> None:
        """The whole *matrix*, its *rows* in the order of the lines."""
        self._matrix: ReedMatrix | None = matrix
        self._rows = rows

    def select(self, row: int | None) -> None:
        """Pull this line low and let all others float."""
        if self._matrix is not None:
            self._matrix.drive_only(None if row is None else self._rows[row])

    def low(self, among: int = ALL) -> int:
        """Those columns that read low; none after the power was cut, when inputs see their pull-ups only."""
        return self._matrix.low_columns() & among if self._matrix is not None else 0

    def close(self) -> None:
        """All rows float."""
        self.select(None)

    def cut(self) -> None:
        """Tear the wires off."""
        self._matrix = None


class KeyLine(Unconnected):
    """A key between its line and ground."""

    def __init__(self, contact: Contact) -> None:
        """The line of the key *contact*."""
        self._contact = contact

    def level(self, pulled_up: bool) -> bool:
        """Low while the key is down, and without a pull-up."""
        return pulled_up and not self._contact.closed()


class BuzzerLine(Unconnected):
    """An active buzzer that sounds while its line is high and remembers when it did."""

    def __init__(self, clock: Clock) -> None:
        """A silent buzzer with an empty log."""
        self.log: list[tuple[int, bool]] = []
        self.sounding = False
        self._clock = clock

    def drive(self, level: bool | None) -> None:
        """Sound or fall silent."""
        if self.sounding != bool(level):
            self.sounding = bool(level)
            self.log.append((self._clock.now(), self.sounding))


class NetPin(PiPin):  # type: ignore[misc]  # gpiozero is not annotated
    """A GPIO pin soldered to a node of the box; gpiozero's errors for wrong use, no PWM, no edges."""

    def __init__(self, factory: NetFactory, info: Any) -> None:
        """Made by :meth:`NetFactory.pin` only."""
        super().__init__(factory, info)
        self._node = factory.node(self._number)
        self._output = False
        self._high = False
        self._pull: str = info.pull or "floating"

    def close(self) -> None:
        """Let go of the wire."""
        self._set_function("input")

    def cut(self) -> None:
        """Tear the wire off: whatever the program does to this pin no longer reaches the box."""
        self._node = Unconnected()

    def _get_function(self) -> str:
        return "output" if self._output else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"{self!r} can be input or output, not {value}")
        self._output = value == "output"
        self._node.drive(self._high if self._output else None)

    def output_with_state(self, state: bool) -> None:
        """Become an output that starts at *state*, without a blip of the old level."""
        self._high = bool(state)
        self._set_function("output")

    def _get_state(self) -> bool:
        return self._high if self._output else self._node.level(self._pull == "up")

    def _set_state(self, value: bool) -> None:
        if not self._output:
            raise PinSetInput(f"cannot set state of input {self!r}")
        self._high = bool(value)
        self._node.drive(self._high)

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        if value not in ("up", "down", "floating"):
            raise PinInvalidPull(f"{self!r} can be pulled up, down or floating, not {value}")
        if self._output or self.info.pull not in ("", value):
            raise PinFixedPull(f"cannot pull {self!r} {value}")
        self._pull = value

    def _get_edges(self) -> str:
        return "none"

    def _set_edges(self, value: str) -> None:
        """Accepted, for gpiozero's buttons ask for edges; none ever come."""

    def _enable_event_detect(self) -> None:
        pass

    def _disable_event_detect(self) -> None:
        pass


class NetFactory(PiFactory):  # type: ignore[misc]  # gpiozero is not annotated
    """The pins of one power-on of the simulated computer; hand it to devices as ``pin_factory=``."""

    def __init__(self, clock: Clock, nodes: Mapping[int, Node]) -> None:
        """*nodes* says by BCM number what each wire leads to; other pins are unconnected."""
        super().__init__()
        self.pin_class = NetPin
        self._clock = clock
        self._nodes = dict(nodes)
        self._lines: list[NetLines] = []

    def node(self, number: int) -> Node:
        """The node on BCM *number*."""
        return self._nodes.get(number, Unconnected())

    def matrix_lines(self, rows: Sequence[int], columns: Sequence[int]) -> NetLines | None:
        """The lines of a whole matrix together; None if they are soldered in another way than in one matrix and in order."""
        row_nodes = [self.node(line) for line in rows]
        column_nodes = [self.node(line) for line in columns]
        matrices = {getattr(node, "matrix", None) for node in (*row_nodes, *column_nodes)}
        in_order = [getattr(node, "number", None) for node in column_nodes] == list(range(1, len(columns) + 1))
        matrix = matrices.pop()
        if matrices or matrix is None or not in_order or len(columns) != matrix.columns:
            return None
        lines = NetLines(matrix, [node.number for node in row_nodes if isinstance(node, RowLine)])
        self._lines.append(lines)
        return lines

    def cut(self) -> None:
        """The power is gone: every wire floats and no pin of this factory reaches the box again.

        Objects of the dead program may linger and be closed late; they must not disturb
        the pins of the next one.
        """
        for node in self._nodes.values():
            node.drive(None)
        for part in (*self.pins.values(), *self._lines):
            part.cut()
        self._nodes.clear()

    def ticks(self) -> float:
        """Seconds of the injected clock."""
        return self._clock.now() / 1000

    def ticks_diff(self, later: float, earlier: float) -> float:
        """Seconds between two :meth:`ticks`."""
        return later - earlier

    def _get_revision(self) -> int:
        return PI_3B
