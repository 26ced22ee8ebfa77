"""The simulated Pico: its pins, its programs, and the same results as with the Pi's own pins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.firmware import frames
from underboard.hardware.box.drivers import open_box
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.debounce import ContactChange
from underboard.hardware.core.parts import BoardKind
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.pico import SimulatedPico, SimulatedPins
from underboard.hardware.simulator.pins import Unconnected
from underboard.hardware.simulator.serial_port import SimulatedPorts
from underboard.hardware.system.serial_ports import Port


class Wire(Unconnected):
    """A wire that remembers how it is driven."""

    driven: bool | None = None

    def drive(self, level: bool | None) -> None:
        self.driven = level


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def pins(wire: Wire) -> SimulatedPins:
    return SimulatedPins({5: wire})


def test_an_open_drain_pulls_low_or_lets_go(pins: SimulatedPins, wire: Wire) -> None:
    pin = pins(5, pins.OPEN_DRAIN, value=1)
    assert wire.driven is None
    pin.value(0)
    assert wire.driven is False
    pin.value(1)
    assert wire.driven is None


def test_an_output_drives_both_ways_and_an_input_not_at_all(pins: SimulatedPins, wire: Wire) -> None:
    pin = pins(5, pins.OUT, value=0)
    assert wire.driven is False
    pin.value(1)
    assert wire.driven is True
    pin.init(pins.IN, None)
    assert wire.driven is None


def test_an_input_reads_its_wire(pins: SimulatedPins) -> None:
    assert pins(5, pins.IN, pins.PULL_UP).value() == 1
    assert pins(5, pins.IN).value() == 0
    assert pins(6, pins.IN, pins.PULL_UP).value() == 1


# ---- the device -----------------------------------------------------------------------


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def ports() -> Iterator[SimulatedPorts]:
    with SimulatedPorts() as made:
        yield made


@pytest.fixture
def chip(ports: SimulatedPorts, clock: VirtualClock, wire: Wire) -> SimulatedPico:
    made = SimulatedPico(ports, clock, {frames.PINS[0]: wire})
    made.plug()
    return made


def ask(ports: SimulatedPorts, clock: VirtualClock, sent: bytes) -> bytes:
    """What the device answers to these bytes within 30 ms."""
    port: Port = ports.open(ports.list()[0].path, 115_200)
    port.write(sent)
    answer = b""
    for _ in range(10):
        clock.advance(3)
        answer += port.read(4_000)
    port.close()
    return answer


def test_it_is_a_pico(ports: SimulatedPorts, chip: SimulatedPico) -> None:
    (info,) = ports.list()
    assert (info.vid, info.pid, info.serial_number) == (0x2E8A, 5, "e6614103e73c2b2e")


def test_without_power_its_pins_float(chip: SimulatedPico, wire: Wire) -> None:
    wire.drive(False)
    chip.unplug()
    assert wire.driven is None
    chip.work()


def test_the_firmware_answers(ports: SimulatedPorts, clock: VirtualClock, chip: SimulatedPico) -> None:
    kinds = [kind for kind, _, _ in frames.Decoder().feed(ask(ports, clock, frames.encode(frames.ASK, 1)))]
    assert kinds[:2] == [frames.HELLO, frames.SNAPSHOT]


def test_stop_leads_to_the_prompt_and_the_next_start_to_the_firmware(
    ports: SimulatedPorts, clock: VirtualClock, chip: SimulatedPico
) -> None:
    port = ports.open(ports.list()[0].path, 115_200)
    port.write(frames.encode(frames.STOP, 1))
    with pytest.raises(OSError):
        _ = port.in_waiting
    port.close()
    assert str(chip.running) == "prompt"
    assert ask(ports, clock, b"1\r\n").endswith(b"\r\n>>> ")
    chip.unplug()
    chip.plug()
    assert chip.running == "firmware"


def test_a_prompt_echoes(ports: SimulatedPorts, clock: VirtualClock, chip: SimulatedPico) -> None:
    chip.start("prompt")
    assert ask(ports, clock, b"a\x03b") == b"ab"


def test_silence(ports: SimulatedPorts, clock: VirtualClock, chip: SimulatedPico) -> None:
    chip.start("silence")
    assert ask(ports, clock, b"\r\n" + frames.encode(frames.ASK, 1)) == b""


# ---- the box --------------------------------------------------------------------------


def test_cables() -> None:
    with SimulatedBox(VirtualClock(), board="pico") as box:
        box.pin_factory()
        assert box.board_answers
        with pytest.raises(ValueError, match="in already"):
            box.replug_board()
        box.unplug_board()
        assert not box.board_answers
        with pytest.raises(ValueError, match="out already"):
            box.unplug_board()
        box.power_off()
        box.pin_factory()
        assert not box.board_answers, "the cable is still out"
        box.replug_board("ttyACM5")
        assert box.board_answers
        box.power_off()
        assert not box.board_answers


def test_a_board_on_the_header_has_no_cable() -> None:
    with SimulatedBox(VirtualClock()) as box:
        assert box.board_answers
        for act in (box.unplug_board, box.replug_board):
            with pytest.raises(ValueError, match="no cable"):
                act()


Hand = tuple[int, int]
"""Milliseconds to wait, and which of four cells to touch."""


def changes(board: BoardKind, hands: list[Hand], seed: int) -> list[tuple[Cell, bool]]:
    """What a board makes of tokens that come and go, bouncing, in order."""
    clock = VirtualClock()
    with SimulatedBox(clock, board=board, seed=seed) as box:
        driver = open_box(box, clock, board=board)
        found: list[ContactChange] = []

        def run(ms: int) -> None:
            end = clock.now() + ms
            while clock.now() < end:
                found.extend(driver.board.poll().changes)
                clock.advance(min(4, end - clock.now()))

        run(1_000)
        for wait, which in hands:
            cell = (1 + which // 2, 1 + 3 * (which % 2))
            (box.lift if cell in box.tokens else box.place)(cell)
            run(wait)
        run(1_000)
        driver.close()
        return [(change.cell, change.closed) for change in found]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(60, 400), st.integers(0, 3)), max_size=12), st.integers(0, 99))
def test_the_same_trains_give_the_same_through_both_backends(hands: list[Hand], seed: int) -> None:
    """https://github.com/gpiozero/gpiozero/issues/1090: phantom events of one backend only."""
    through_pico = changes("pico", hands, seed)
    assert through_pico == changes("gpio", hands, seed)
    for cell in {cell for cell, _ in through_pico}:
        states = [closed for changed, closed in through_pico if changed == cell]
        assert states == [number % 2 == 0 for number in range(len(states))]
