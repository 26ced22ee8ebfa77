"""A simulated Pico behind a simulated USB port: it runs the firmware's own files.

Below the firmware lies the net-list of the box, above it the port; time is the clock's. It works whenever the host looks at
the port, or :meth:`SimulatedPico.work` is called. Instead of the firmware MicroPython's prompt may be there, or silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal

from underboard.firmware.main import Firmware
from underboard.hardware.core.clock import Clock
from underboard.hardware.simulator.pins import Node, Unconnected
from underboard.hardware.simulator.serial_port import SimulatedPort, SimulatedPorts

CDC_BYTES = 256 + 64
"""What MicroPython holds for a host that does not read."""
PicoProgram = Literal["firmware", "prompt", "silence"]


class SimulatedPin:
    """A pin as MicroPython has it, soldered to a node of the box."""

    def __init__(self, node: Node, mode: int, pull: int | None, value: int | None) -> None:
        """As `machine.Pin` is called."""
        self._node = node
        self._level = 0
        self.init(mode, pull, value)

    def init(self, mode: int, pull: int | None = None, value: int | None = None) -> None:
        """Set it up anew."""
        self._mode = mode
        self._pulled_up = pull == SimulatedPins.PULL_UP
        self._level = self._level if value is None else value
        self._drive()

    def value(self, level: int | None = None) -> int | None:
        """Read the pin, or set its output."""
        if level is None:
            return int(self._node.level(self._pulled_up))
        self._level = level
        self._drive()
        return None

    def _drive(self) -> None:
        """An open drain pulls low or lets go, and never drives high."""
        floating = self._mode == SimulatedPins.IN or (self._mode == SimulatedPins.OPEN_DRAIN and self._level)
        self._node.drive(None if floating else bool(self._level))


class SimulatedPins:
    """`machine.Pin`: call it for a pin."""

    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP = 1

    def __init__(self, nodes: Mapping[int, Node]) -> None:
        """*nodes* by GPIO number; other pins lead nowhere."""
        self._nodes = nodes

    def __call__(self, number: int, mode: int, pull: int | None = None, *, value: int | None = None) -> SimulatedPin:
        """The pin of this GPIO number."""
        return SimulatedPin(self._nodes.get(number, Unconnected()), mode, pull, value)


class SimulatedWatchdog:
    """`machine.WDT`: remembers how long it was left alone at most."""

    def __init__(self, clock: Clock, timeout: int) -> None:
        """*timeout* in ms."""
        self.timeout = timeout
        self.longest = 0
        self._clock = clock
        self._fed_at = clock.now()

    def feed(self) -> None:
        """All is well."""
        now = self._clock.now()
        self.longest = max(self.longest, now - self._fed_at)
        self._fed_at = now


class SimulatedMachine:
    """A stand-in for MicroPython's module `machine`, as far as the firmware uses it."""

    def __init__(self, clock: Clock, nodes: Mapping[int, Node], board: bytes) -> None:
        """*board* is the chip's own number."""
        self.Pin = SimulatedPins(nodes)
        self.lights = b""
        """The bytes that the chain of lights shows: green, red, blue, for each."""
        self.watchdog: SimulatedWatchdog | None = None
        self._clock = clock
        self._board = board

    def WDT(self, timeout: int) -> SimulatedWatchdog:
        """Start the watchdog."""
        self.watchdog = SimulatedWatchdog(self._clock, timeout)
        return self.watchdog

    def unique_id(self) -> bytes:
        """The chip's own number."""
        return self._board

    def bitstream(self, pin: SimulatedPin, encoding: int, timing: tuple[int, int, int, int], data: bytes) -> None:
        """Send bits to the lights."""
        self.lights = bytes(data)


class SimulatedChip:
    """All that the firmware needs; the port's two ends are the host's and this."""

    def __init__(self, clock: Clock, machine: SimulatedMachine, port: SimulatedPort, random: Random, stop: Callable[[], None]) -> None:
        self.machine = machine
        self.ticks_ms = clock.now
        self.random = random.randbytes
        self.stop = stop
        self.line: Callable[[bytes], bytes] = bytes
        self._port = port

    def sleep_us(self, us: int) -> None:
        """Lines settle at once here."""

    def read(self) -> bytes:
        """What the host has sent, up to some bytes."""
        return self.line(self._port.receive())

    def write(self, data: bytes) -> int:
        """Send as much as there is room for."""
        accepted = data[: self._port.room]
        self._port.send(self.line(accepted))
        return len(accepted)


class SimulatedPico:
    """A Pico whose pins lead to *nodes*; it is not plugged in yet."""

    def __init__(
        self,
        ports: SimulatedPorts,
        clock: Clock,
        nodes: Mapping[int, Node],
        *,
        serial_number: str = "e6614103e73c2b2e",
        name: str = "ttyACM0",
        seed: int = 0,
    ) -> None:
        """*serial_number*: 16 hex digits; *name*: of its port; *seed* picks its boot ids."""
        self.program: PicoProgram = "firmware"
        """What is installed on it: takes effect at the next start."""
        self.line: Callable[[bytes], bytes] = bytes
        """What the wire makes of bytes, both ways."""
        self.machine = SimulatedMachine(clock, nodes, bytes.fromhex(serial_number))
        self._clock = clock
        self._nodes = nodes
        self._random = Random(seed)
        self._port = SimulatedPort(
            ports, name, vid=0x2E8A, pid=0x0005, serial_number=serial_number, description="Board in FS mode", fifo_bytes=CDC_BYTES
        )
        self._port.device = self.work
        self._running: PicoProgram = "silence"
        self._firmware: Firmware | None = None

    @property
    def plugged(self) -> bool:
        """Whether it has power."""
        return self._port.plugged

    @property
    def running(self) -> PicoProgram:
        """What runs on it."""
        return self._running

    def plug(self, name: str | None = None) -> None:
        """Plug it in, under another *name* if one is given: it starts. ValueError if it is plugged in."""
        self._port.plug(name)
        self.start(self.program)

    def unplug(self) -> None:
        """Pull the plug; pulling it twice does no harm."""
        self._port.unplug()
        self._firmware = None
        for node in self._nodes.values():
            node.drive(None)

    def start(self, program: PicoProgram) -> None:
        """Start this program anew on a chip that keeps its port, as after a crash."""
        self._running = program
        self._firmware = None
        if program == "firmware":
            chip = SimulatedChip(self._clock, self.machine, self._port, self._random, self._stop)
            chip.line = lambda data: self.line(data)
            self._firmware = Firmware(chip)

    def work(self) -> None:
        """Do what there is to do by now."""
        if self._firmware is not None:
            self._firmware.step()
        elif self._running == "prompt":
            self._prompt()
        else:
            self._port.receive()

    def send(self, data: bytes) -> None:
        """Bytes that no firmware meant to send reach the host."""
        self._port.send(data)

    def _stop(self) -> None:
        """The firmware has ended itself: the chip starts anew, which the host sees as a replug."""
        self.unplug()
        self._port.plug()
        self.start("prompt")

    def _prompt(self) -> None:
        """MicroPython's prompt: it echoes, and Enter brings an error and a new prompt."""
        for byte in self._port.receive():
            if byte == 13:
                self._port.send(
                    b'\r\nTraceback (most recent call last):\r\n  File "<stdin>", line 1\r\nSyntaxError: invalid syntax\r\n>>> '
                )
            elif byte >= 32:
                self._port.send(bytes((byte,)))
