"""The simulated box: matrix, keys, buzzer and display, and what people can do to them.

It outlives the program. A power cut takes the pins away, the tokens stay where they stand,
and the next start finds them there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import TracebackType
from typing import Self

from underboard.hardware.board.pico import PicoWiring, pico_wiring
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import Clock
from underboard.hardware.core.parts import BoardKind, Controller, ReaderKind
from underboard.hardware.core.wiring import REFERENCE, Wiring
from underboard.hardware.simulator.card_reader import SimulatedReader
from underboard.hardware.simulator.i2c import SimulatedI2C
from underboard.hardware.simulator.netlist import Contact, Diodes, ReedMatrix, Stuck
from underboard.hardware.simulator.pico import SimulatedPico
from underboard.hardware.simulator.pins import BuzzerLine, ColumnLine, KeyLine, NetFactory, Node, RowLine
from underboard.hardware.simulator.serial_port import SimulatedPorts


class SimulatedBox:
    """A box built after *wiring* with a display of type *oled*; *holes* are cells without a switch.

    The matrix is wired to the Pi's own header (*board* "gpio") or to a Pico on a USB cable ("pico").

    With *reader* a card reader of that kind comes with it.

    ``matrix``, ``i2c``, ``ports``, ``pico`` and ``reader`` are its parts, for tests that want to look inside. ValueError names
    a cell or a key that does not exist or is not as the call needs it. A context manager.
    """

    def __init__(
        self,
        clock: Clock,
        wiring: Wiring = REFERENCE,
        oled: Controller = "ssd1306",
        *,
        holes: Iterable[Cell] = (),
        seed: int = 0,
        board: BoardKind = "gpio",
        reader: ReaderKind | None = None,
        pico: PicoWiring | None = None,
    ) -> None:
        """An empty, healthy, unpowered box; *seed* picks its bounce and noise.

        *pico* says how the matrix is wired to the Pico; without it *wiring* says how many rows and columns there are.
        """
        matrix = (pico or wiring) if board == "pico" else wiring
        self.matrix = ReedMatrix(clock, len(matrix.rows), len(matrix.columns), holes=holes, seed=seed)
        self.i2c = SimulatedI2C(oled, clock=clock)
        self._clock = clock
        self._keys = {name: Contact(clock, seed + number) for number, name in enumerate(wiring.keys)}
        self._buzzer = BuzzerLine(clock)
        self.ports = SimulatedPorts()
        self.pico = self._wire_pico(pico or pico_wiring(self.matrix.rows, self.matrix.columns), seed) if board == "pico" else None
        self._cable = True
        self.reader = SimulatedReader(self.ports, clock, reader) if reader else None
        self._reader_cable = True
        self._nodes = self._solder(replace(wiring, rows=(), columns=()) if self.pico else wiring)
        self._tokens: set[Cell] = set()
        self._computer = NetFactory(clock, {})

    def _solder(self, wiring: Wiring) -> dict[int, Node]:
        nodes: dict[int, Node] = {line: RowLine(self.matrix, row) for row, line in enumerate(wiring.rows, 1)}
        nodes |= {line: ColumnLine(self.matrix, column) for column, line in enumerate(wiring.columns, 1)}
        nodes |= {line: KeyLine(self._keys[name]) for name, line in wiring.keys.items()}
        if wiring.buzzer is not None:
            nodes[wiring.buzzer] = self._buzzer
        return nodes

    def _wire_pico(self, wiring: PicoWiring, seed: int) -> SimulatedPico:
        nodes: dict[int, Node] = {pin: RowLine(self.matrix, row) for row, pin in enumerate(wiring.rows, 1)}
        nodes |= {pin: ColumnLine(self.matrix, column) for column, pin in enumerate(wiring.columns, 1)}
        return SimulatedPico(self.ports, self._clock, nodes, seed=seed)

    # ---- power --------------------------------------------------------------------

    def pin_factory(self) -> NetFactory:
        """Power on: fresh pins on the same box. Pins of an earlier start are dead from here on."""
        self.power_off()
        self._computer = NetFactory(self._clock, self._nodes)
        if self.pico and self._cable:
            self.pico.plug()
        if self.reader and self._reader_cable:
            self.reader.plug()
        return self._computer

    def power_off(self) -> None:
        """Power cut: all lines float at once, the buzzer falls silent, tokens and keys stay as they are."""
        self._computer.cut()
        if self.pico:
            self.pico.unplug()
        if self.reader:
            self.reader.unplug()

    def close(self) -> None:
        """Take the box apart; doing it twice does no harm."""
        self.power_off()
        self.ports.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # ---- hands --------------------------------------------------------------------

    @property
    def tokens(self) -> frozenset[Cell]:
        """The cells that carry a token."""
        return frozenset(self._tokens)

    def place(self, cell: Cell) -> None:
        """Put a token on *cell*; ValueError if one stands there."""
        if cell in self._tokens:
            raise ValueError(f"a token already stands on row {cell[0]}, column {cell[1]}")
        self.matrix.close(cell)
        self._tokens.add(cell)

    def lift(self, cell: Cell) -> None:
        """Take the token off *cell*; ValueError if there is none."""
        if cell not in self._tokens:
            raise ValueError(f"no token stands on row {cell[0]}, column {cell[1]}")
        self.matrix.open(cell)
        self._tokens.remove(cell)

    def press_key(self, name: str) -> None:
        """Push the key *name* down; pushing a key that is down changes nothing."""
        self._key(name).close()

    def release_key(self, name: str) -> None:
        """Let go of the key *name*; letting go of a key that is up changes nothing."""
        self._key(name).open()

    def _key(self, name: str) -> Contact:
        if name not in self._keys:
            raise ValueError(f"no key {name!r}; there are {', '.join(self._keys)}")
        return self._keys[name]

    @property
    def buzzing(self) -> bool:
        """Whether the buzzer sounds now."""
        return self._buzzer.sounding

    @property
    def buzzer_log(self) -> list[tuple[int, bool]]:
        """When the buzzer started (True) and stopped (False) to sound, in ms."""
        return list(self._buzzer.log)

    # ---- cables -------------------------------------------------------------------

    @property
    def board_answers(self) -> bool:
        """Whether the matrix can be reached."""
        return self.pico is None or (self.pico.plugged and self.pico.running == "firmware")

    @property
    def board_plugged(self) -> bool | None:
        """Whether the cable of the Pico is in its socket; None if the board has none."""
        return self._cable if self.pico else None

    @property
    def reader_plugged(self) -> bool | None:
        """Whether the plug of the card reader is in its socket; None if there is no card reader."""
        return self._reader_cable if self.reader else None

    def unplug_board(self) -> None:
        """Pull the cable of the Pico; ValueError if there is none to pull."""
        pico = self._pico()
        if not self._cable:
            raise ValueError("the cable of the board is out already")
        self._cable = False
        pico.unplug()

    def replug_board(self, port: str | None = None) -> None:
        """Plug the Pico in again, under another name of its *port* if one is given; ValueError if it is plugged in."""
        pico = self._pico()
        if self._cable:
            raise ValueError("the cable of the board is in already")
        self._cable = True
        pico.plug(port)

    @property
    def reader_answers(self) -> bool:
        """Whether there is a card reader and its plug is in."""
        return self.reader is not None and self.reader.plugged

    def unplug_reader(self) -> None:
        """Pull the plug of the card reader; ValueError if there is none to pull."""
        reader = self.card_reader()
        if not self._reader_cable:
            raise ValueError("the plug of the card reader is out already")
        self._reader_cable = False
        reader.unplug()

    def replug_reader(self, port: str | None = None) -> None:
        """Plug the card reader in again, under another name of its *port* if one is given; ValueError if it is plugged in."""
        reader = self.card_reader()
        if self._reader_cable:
            raise ValueError("the plug of the card reader is in already")
        self._reader_cable = True
        reader.plug(port)

    def card_reader(self) -> SimulatedReader:
        """The card reader; ValueError if there is none."""
        if self.reader is None:
            raise ValueError("there is no card reader on this table")
        return self.reader

    def _pico(self) -> SimulatedPico:
        if self.pico is None:
            raise ValueError("the board is wired to the Pi itself: there is no cable to pull")
        return self.pico

    # ---- faults -------------------------------------------------------------------

    def stick(self, cell: Cell, stuck: Stuck | None) -> None:
        """Weld the switch of *cell* closed or open, or repair it (None)."""
        self.matrix.stick(cell, stuck)

    def chatter(self, cell: Cell, ms: int) -> None:
        """Let the switch of *cell* flicker for the next *ms* milliseconds."""
        self.matrix.chatter(cell, ms)

    def diodes(self, fitted: bool) -> None:
        """Solder all diodes in, or bridge them."""
        self.matrix.diodes = Diodes.FITTED if fitted else Diodes.MISSING

    def noise(self, rate: float) -> None:
        """Let the share *rate* of all column readings come out wrong (0 to below 1)."""
        self.matrix.noise = rate
