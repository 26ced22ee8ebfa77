"""The board behind a Pico: the host's side over pyserial, against the firmware in virtual time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.firmware import frames
from underboard.firmware.frames import Hello, Settings
from underboard.hardware.board.pico import PICO, Conversation, Pico, PicoCounters, PicoWiring, pico_wiring
from underboard.hardware.board.reed_board import Reading, ReedBoard
from underboard.hardware.core.cells import Cell, closed_cells
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE, WiringError
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.system.serial_ports import Wanted


class PicoTable:
    """A box with a Pico, and the host's driver polled as the program polls it."""

    def __init__(self, *, seed: int = 0, wanted: Wanted = PICO) -> None:
        self.clock = VirtualClock()
        self.box = SimulatedBox(self.clock, board="pico", seed=seed)
        assert self.box.pico is not None
        self.chip = self.box.pico
        self.box.pin_factory()
        size = len(REFERENCE.rows), len(REFERENCE.columns)
        self.pico = Pico(self.box.ports, self.clock, pico_wiring(*size), wanted)
        self.board = ReedBoard(self.pico, self.clock, rows=size[0], columns=size[1])
        self.states: list[str] = []

    def run(self, ms: int) -> list[Reading]:
        """Poll for *ms* milliseconds at the pace the board asks for; the states on the way are in `states`."""
        end = self.clock.now() + ms
        readings = []
        self.states = []
        while self.clock.now() < end:
            readings.append(self.board.poll())
            if self.states[-1:] != [self.board.state]:
                self.states.append(self.board.state)
            self.clock.advance(min(self.board.next_poll_ms(), end - self.clock.now()))
        return readings

    def state(self) -> str:
        return self.board.state

    def within(self, state: str, ms: int) -> bool:
        """Whether this state is reached within *ms* milliseconds."""
        for _ in range(0, ms, 20):
            if self.state() == state:
                return True
            self.run(20)
        return self.state() == state

    def close(self) -> None:
        self.pico.close()
        self.box.close()


@pytest.fixture
def new() -> Iterator[PicoTable]:
    """A table that has just been switched on."""
    made = PicoTable()
    yield made
    made.close()


@pytest.fixture
def table(new: PicoTable) -> PicoTable:
    """A table that is ready."""
    new.run(1_000)
    assert new.state() == "ready"
    return new


# ---- at its best --------------------------------------------------------------------


def test_it_is_ready_soon_after_power_on(new: PicoTable) -> None:
    new.run(100)
    assert new.states == ["probing", "ready"]
    assert new.pico.hello is not None
    assert new.pico.hello.board.hex() == "e6614103e73c2b2e"


def test_the_first_readings_are_awaited(new: PicoTable) -> None:
    """https://github.com/missionpinball/mpf/issues/1142: the first state read after start is not settled."""
    new.box.place((3, 3))
    readings = new.run(600)
    assert readings[-1].settled
    assert {(reading.occupied, reading.settled) for reading in readings} == {(frozenset(), False), (frozenset({(3, 3)}), True)}


def test_every_cell_gives_one_place_and_one_lift(table: PicoTable) -> None:
    for cell in [(row, column) for row in range(1, 11) for column in range(1, 11)]:
        for act, closed in ((table.box.place, True), (table.box.lift, False)):
            act(cell)
            assert [(change.cell, change.closed) for reading in table.run(120) for change in reading.changes] == [(cell, closed)]
    assert table.pico.counters.errors == table.pico.counters.lost == 0


@pytest.mark.parametrize("phase", range(0, 20, 3))
def test_a_token_is_seen_within_60_ms(table: PicoTable, phase: int) -> None:
    table.run(20 + phase)
    table.box.place((4, 7))
    assert any(reading.occupied for reading in table.run(60))


def test_lights(table: PicoTable) -> None:
    assert table.pico.light([(1, 2), (10, 10)], (1, 2, 3))
    table.run(20)
    lights = table.chip.machine.lights
    assert [cell for cell in range(100) if lights[3 * cell : 3 * cell + 3] == b"\x02\x01\x03"] == [1, 99]
    assert sum(lights) == 12


def test_a_quiet_hour_costs_little(table: PicoTable) -> None:
    before = table.pico.counters.frames
    table.run(60_000)
    assert 170 <= table.pico.counters.frames - before <= 190
    assert table.pico.counters.junk == 0


# ---- unplugged ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ttyACM0", "ttyACM1", "ttyUSB3"])
def test_a_replug_heals_within_3_s_under_any_name(table: PicoTable, name: str) -> None:
    """https://github.com/Klipper3d/klipper/issues/299: replugged it is ttyACM1; same logical state."""
    table.box.place((5, 5))
    table.run(500)
    table.box.unplug_board()
    away = table.run(2_000)
    assert table.states == ["absent"]
    assert "2e8a:0005" in table.board.reason
    assert {(reading.occupied, reading.settled, reading.changes) for reading in away} == {(frozenset({(5, 5)}), False, ())}
    table.box.replug_board(name)
    back = table.run(3_000)
    assert table.state() == "ready"
    assert not any(reading.changes for reading in back)
    assert {reading.occupied for reading in back} == {frozenset({(5, 5)})}
    assert back[-1].settled
    assert table.pico.counters.replugs == 1


def test_it_heals_again_and_again(table: PicoTable) -> None:
    """https://github.com/missionpinball/mpf/pull/1905: a serial port lost at run time is never re-established."""
    for number in range(10):
        table.run(3_000)
        table.box.unplug_board()
        assert table.within("absent", 100)
        table.run(1_000)
        table.box.replug_board(f"ttyACM{number % 3}")
        assert table.within("ready", 3_000)
    assert table.pico.counters.replugs == 10


def test_what_happened_while_it_was_away_is_told_once_it_has_settled(table: PicoTable) -> None:
    """https://github.com/lichess-org/lila/issues/7912: unplugged in mid-turn, resumed with a check of what differs."""
    table.box.place((1, 1))
    table.run(500)
    table.box.unplug_board()
    table.run(100)
    table.box.lift((1, 1))
    table.box.place((2, 2))
    table.run(1_000)
    table.box.replug_board()
    changed = [reading for reading in table.run(3_000) if reading.changes]
    assert len(changed) == 1
    assert changed[0].settled
    assert [(change.cell, change.closed) for change in changed[0].changes] == [((1, 1), False), ((2, 2), True)]


def test_ghosts_need_no_history_after_a_replug(table: PicoTable) -> None:
    """Four tokens of a rectangle that are all there when the board comes back are believed, as at a start."""
    for cell in [(1, 1), (1, 2), (2, 1), (2, 2)]:
        table.box.place(cell)
        table.run(500)
    table.box.unplug_board()
    table.run(1_000)
    table.box.replug_board()
    assert not any(reading.ambiguous for reading in table.run(3_000))


def test_ghosts_without_diodes_are_found_as_on_the_pi(table: PicoTable) -> None:
    """https://github.com/Nullkraft/Keypad/issues/7: three corners close, the fourth is not counted."""
    table.box.diodes(False)
    for cell in [(1, 1), (1, 2), (2, 1)]:
        table.box.place(cell)
        reading = table.run(500)[-1]
    assert reading.ambiguous == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert (2, 2) not in reading.occupied


def test_a_thief_of_ports_is_named(table: PicoTable) -> None:
    """https://github.com/arduino/arduino-ide/issues/1788: the port vanishes 0.5 s after plug, three times."""
    table.run(3_000)
    table.box.unplug_board()
    for _ in range(3):
        table.run(600)
        table.box.replug_board()
        table.run(1_000)
        table.box.unplug_board()
        table.run(100)
    assert table.state() == "absent"
    assert "brltty" in table.board.reason
    table.box.replug_board()
    assert table.within("ready", 6_000)
    table.run(3_000)
    assert table.board.reason == ""


def test_another_pico_is_not_ours() -> None:
    table = PicoTable(wanted=Wanted("the Pico", PICO.usb_ids, "0123456789abcdef"))
    table.run(2_000)
    assert table.state() == "absent"
    assert "serial number 0123456789abcdef" in table.board.reason
    table.close()


# ---- what answers is not our firmware ---------------------------------------------------


def test_a_prompt_is_recognised(new: PicoTable) -> None:
    new.chip.start("prompt")
    assert new.within("fault", 2_000)
    new.run(3_000)
    assert new.states == ["fault"]
    assert new.board.reason == "the firmware is not running on the Pico: flash it with `underboard flash`"


def test_a_firmware_that_crashes_to_the_prompt(table: PicoTable) -> None:
    table.chip.start("prompt")
    table.chip.send(b'Traceback (most recent call last):\r\n  File "main.py"\r\nMemoryError: memory allocation failed\r\n>>> ')
    assert table.within("fault", 2_000)
    assert "not running on the Pico (MemoryError: memory allocation failed): flash it" in table.board.reason
    table.chip.start("firmware")
    assert table.within("ready", 3_000)


@pytest.mark.parametrize(("protocol", "remedy"), [(0, "underboard flash"), (9, "update Underboard")])
def test_another_protocol_says_what_to_do(new: PicoTable, monkeypatch: pytest.MonkeyPatch, protocol: int, remedy: str) -> None:
    pack = Hello.pack
    monkeypatch.setattr(Hello, "pack", lambda hello: bytes((protocol, 3, 4)) + pack(hello)[3:])
    assert new.within("fault", 2_000)
    new.run(3_000)
    assert new.states == ["fault"]
    assert f"firmware 3.4 of the Pico speaks protocol {protocol}, this program {frames.PROTOCOL}" in new.board.reason
    assert remedy in new.board.reason
    monkeypatch.undo()
    assert new.within("ready", 3_000)
    assert new.board.reason == ""


def test_the_port_is_free_for_others_while_the_firmware_is_missing(new: PicoTable) -> None:
    """`underboard flash` needs it."""
    new.chip.start("prompt")
    assert new.within("fault", 2_000)
    new.run(3_000)
    free = 0
    for _ in range(100):
        new.run(20)
        free += new.pico._link._port is None
    assert free > 50


def test_a_silent_pico(table: PicoTable) -> None:
    table.chip.start("silence")
    assert table.within("fault", 2_000)
    assert table.board.reason.startswith("the Pico does not answer: unplug it")
    table.chip.start("firmware")
    assert table.within("ready", 3_000)


def test_a_firmware_that_starts_anew_is_noticed(table: PicoTable) -> None:
    """After a watchdog's bite it scans 13 x 13 with other settings: none of that may be taken for our cells."""
    table.box.place((1, 1))
    table.run(1_000)
    table.chip.start("firmware")
    readings = table.run(3_000)
    assert table.states[-1] == "ready"
    assert {reading.occupied for reading in readings} == {frozenset({(1, 1)})}
    assert table.pico.counters.restarts == 1


def test_settings_that_are_refused(new: PicoTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "unpack", staticmethod(lambda payload: None))
    assert new.within("fault", 2_000)
    assert "does not take the settings" in new.board.reason


# ---- a bad line -------------------------------------------------------------------------


def test_modem_commands_are_ignored_at_both_ends(table: PicoTable) -> None:
    """https://github.com/rusefi/rusefi/issues/4359: AT commands at both ends are ignored and counted."""
    table.chip.send(b"AT\r\nAT+GCAP\r")
    assert table.pico._link.write(b"AT\r\nAT+GCAP\r")
    table.run(1_000)
    assert table.states == ["ready"]
    assert (table.pico.counters.junk, table.pico.counters.pico_junk) == (1, 1)
    assert table.pico.counters.errors == 0


def noise(share: float, seed: int, *, bits: bool = False) -> Callable[[bytes], bytes]:
    """A line that flips one bit of that share of bytes, or that share of all bits."""
    random = Random(seed)

    def flip(byte: int) -> int:
        if bits:
            return byte ^ sum(1 << bit for bit in range(8) if random.random() < share)
        return byte ^ (1 << random.randrange(8) if random.random() < share else 0)

    return lambda data: bytes(map(flip, data))


def play(table: PicoTable, seed: int, moves: int) -> None:
    """Put tokens down and lift them; no reading may ever hold a cell that neither was nor is occupied."""
    random = Random(seed)
    seen: set[Cell] = set()
    for _ in range(moves):
        cell = random.randrange(1, 11), random.randrange(1, 11)
        seen |= {cell}
        (table.box.lift if cell in table.box.tokens else table.box.place)(cell)
        for reading in table.run(random.randrange(100, 2_000)):
            assert reading.occupied <= seen


@pytest.mark.parametrize("seed", range(3))
def test_5_percent_of_bytes_hit_by_noise(table: PicoTable, seed: int) -> None:
    """https://github.com/Klipper3d/klipper/issues/1919: errors rise; no wrong cell is ever accepted, the link stays up."""
    table.chip.line = noise(0.05, seed)
    ready = total = 0
    random = Random(seed)
    allowed: set[Cell] = set()
    for _ in range(40):
        cell = random.randrange(1, 11), random.randrange(1, 11)
        allowed.add(cell)
        (table.box.lift if cell in table.box.tokens else table.box.place)(cell)
        for reading in table.run(3_000):
            assert reading.occupied <= allowed
            ready += table.state() == "ready"
            total += 1
    assert ready / total > 0.95
    assert table.pico.counters.errors > 100
    table.chip.line = bytes
    assert table.run(10_000)[-1].occupied == table.box.tokens


@pytest.mark.parametrize("seed", range(3))
def test_5_percent_of_bits_wrong(table: PicoTable, seed: int) -> None:
    """https://github.com/Klipper3d/klipper/issues/1919: hardly a frame gets through; no wrong cell, and it comes back."""
    table.chip.line = noise(0.05, seed, bits=True)
    play(table, seed, 40)
    table.chip.line = bytes
    assert table.within("ready", 3_000)
    assert table.run(10_000)[-1].occupied == table.box.tokens


def test_nothing_but_errors_is_a_fault_within_2_s(table: PicoTable) -> None:
    """https://github.com/Klipper3d/klipper/issues/1919: 100 % errors."""
    table.chip.line = noise(1.0, 1)
    assert table.within("fault", 2_000)
    assert "cannot be understood: check its cable" in table.board.reason
    table.run(5_000)
    assert table.states == ["fault"]
    table.chip.line = bytes
    assert table.within("ready", 3_000)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["up", "down"]), st.binary(max_size=80)), max_size=12), st.integers(0, 1000))
def test_random_bytes_at_both_ends(pieces: list[tuple[str, bytes]], seed: int) -> None:
    """Whatever else is on the wire: no wrong cell, and the link comes back."""
    table = PicoTable(seed=seed)
    table.box.place((7, 3))
    table.run(1_000)
    for way, piece in pieces:
        table.chip.send(piece) if way == "up" else table.pico._link.write(piece)
        assert all(reading.occupied == {(7, 3)} for reading in table.run(50))
    assert table.within("ready", 3_000)
    assert table.run(1_000)[-1].occupied == {(7, 3)}
    table.close()


@settings(max_examples=25)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=30))
def test_cut_frames(cuts: list[int]) -> None:
    """Frames that lose bytes at their end, in both directions."""
    table = PicoTable()
    table.box.place((7, 3))
    table.run(1_000)
    left = list(cuts)
    table.chip.line = lambda data: data[: len(data) - left.pop()] if left else data
    assert all(reading.occupied == {(7, 3)} for reading in table.run(4_000))
    table.chip.line = bytes
    assert table.within("ready", 3_000)
    table.close()


# ---- a host that does not behave ----------------------------------------------------------


def test_a_host_that_was_stopped_does_not_believe_old_news(table: PicoTable) -> None:
    """https://github.com/micropython/micropython/issues/9634: silent for 60 s, then it reads: the newest snapshot."""
    table.box.place((1, 1))
    table.run(500)
    for number in range(60_000 // 20):
        table.chip.work()
        table.clock.advance(20)
        if number == 100:
            table.box.lift((1, 1))
    assert table.chip.machine.watchdog is not None
    assert table.chip.machine.watchdog.longest <= 20
    assert table.pico.scan() is None
    assert table.within("ready", 500)
    newest = table.pico.scan()
    assert newest is not None
    assert closed_cells(newest) == frozenset()


def test_closing(table: PicoTable) -> None:
    with table.pico:
        pass
    table.pico.close()
    table.run(3_000)
    assert (table.state(), table.board.reason) == ("absent", "closed")


# ---- without a port -----------------------------------------------------------------------


def test_a_conversation_knows_no_port() -> None:
    """https://github.com/micropython/micropython/issues/6846: nothing that the host sends holds a 3."""
    settings_ = Settings(frames.PINS[:3], frames.PINS[13:16])
    talk = Conversation(settings_, PicoCounters(), 0)
    assert [message[:1] for message in talk.say(0)] == [b"~", b"~"]
    talk.hear(5, frames.encode(frames.HELLO, 1, Hello(77, 1, 13, 13, b"").pack()))
    told = b"".join(talk.say(250))
    assert not set(told) & {1, 2, 3, 4, 5}
    assert frames.SETTINGS in [kind for kind, _, _ in frames.Decoder().feed(told)]
    talk.hear(260, frames.encode(frames.SNAPSHOT, 2, frames.pack_snapshot(77, 1, [1, 1, 1])))
    assert talk.masks is None, "that was of other settings"
    talk.hear(270, frames.encode(frames.SNAPSHOT, 3, frames.pack_snapshot(77, settings_.id, [1, 2, 4])))
    assert talk.masks == (1, 2, 4)


def test_lost_messages_are_counted() -> None:
    counters = PicoCounters()
    talk = Conversation(frames.DEFAULT, counters, 0)
    for sequence in (250, 251, 254, 0, 1, 200):
        talk.hear(1, frames.encode(frames.ALIVE, sequence))
    assert counters.lost == 2 + 1


@pytest.mark.parametrize(
    ("wiring", "said"),
    [
        (((), (1,)), "1 to 13 rows, not 0"),
        (((1,), tuple(range(14))), "1 to 13 columns, not 14"),
        (((1, 1), (2,)), "GPIO 1 of the Pico is wired to row 1 and row 2"),
        (((23,), (2,)), "no pin GPIO 23"),
        (((1,), (2,), 2), "GPIO 2 of the Pico is wired to column 1 and lights"),
    ],
)
def test_a_wiring_that_cannot_be(wiring: tuple[tuple[int, ...], ...], said: str) -> None:
    with pytest.raises(WiringError, match=re.escape(said)):
        PicoWiring(*wiring)  # type: ignore[arg-type]


def test_the_wiring_of_the_building_instructions() -> None:
    assert pico_wiring(10, 10) == PicoWiring(tuple(range(10)), tuple(range(13, 23)), 28)
    assert pico_wiring(13, 13).lights is None
