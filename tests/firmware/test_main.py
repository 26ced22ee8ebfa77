"""The firmware as its host sees it, byte by byte, in virtual time."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.firmware.conftest import BOARD, Bench, Message, snapshots
from underboard.firmware import frames
from underboard.firmware.frames import Settings
from underboard.firmware.main import GAP_MS, TICKS, WATCHDOG_MS, since

EMPTY = (0,) * 13


def kinds(messages: list[Message]) -> list[int]:
    return [kind for kind, _, _ in messages]


def test_it_says_nothing_unless_somebody_is_there(bench: Bench) -> None:
    assert bench.run(2_000, alive=False) == []


def test_it_says_who_it_is(bench: Bench) -> None:
    hello = bench.hello()
    assert (hello.protocol, hello.rows, hello.columns, hello.board) == (frames.PROTOCOL, 13, 13, BOARD)
    assert hello.settings == frames.DEFAULT.id


def test_every_start_has_a_number_of_its_own(bench: Bench) -> None:
    boot = bench.hello().boot
    assert bench.hello().boot == boot
    bench.start()
    assert bench.hello().boot != boot


def test_the_asked_get_a_snapshot_at_once(bench: Bench) -> None:
    bench.matrix.close((3, 5))
    bench.clock.advance(50)
    bench.run(50)
    bench.send(frames.ASK)
    assert snapshots(bench.run(GAP_MS + 1))[-1][2] == 1 << 4


def test_a_change_is_told_within_some_milliseconds_and_again(bench: Bench) -> None:
    bench.run(3_000)
    bench.matrix.close((1, 1))
    bench.clock.advance(10)
    assert snapshots(bench.run(10))[-1] == (1, *EMPTY[1:])
    assert len(snapshots(bench.run(390))) == 3
    assert len(snapshots(bench.run(10_000))) in (10, 11)


def test_a_quiet_board_is_told_once_a_second_and_a_heartbeat_twice(bench: Bench) -> None:
    bench.run(3_000)
    messages = kinds(bench.run(10_000))
    assert messages.count(frames.SNAPSHOT) == 10
    assert messages.count(frames.ALIVE) == 20


def test_chatter_does_not_flood(bench: Bench) -> None:
    bench.run(1_000)
    bench.matrix.chatter((2, 2), 1_000)
    assert 100 < len(snapshots(bench.run(1_000))) <= 1_000 // GAP_MS + 1


def test_a_heartbeat_tells_what_went_wrong(bench: Bench) -> None:
    bench.run(2_000)
    bench.send_raw(b"AT\r\n")
    bench.send_raw(frames.encode(frames.ASK, 1)[:-1])
    bench.send(frames.SETTINGS, b"nonsense")
    alive = frames.unpack_alive([payload for kind, _, payload in bench.run(1_000) if kind == frames.ALIVE][-1])
    assert alive is not None
    assert alive[1:] == (2, 2, 1, 0)


# ---- settings -----------------------------------------------------------------------


def test_settings_take_effect_and_are_confirmed(bench: Bench) -> None:
    wanted = Settings(frames.PINS[2:5], frames.PINS[13:15])
    bench.run(10)
    bench.send(frames.SETTINGS, wanted.pack())
    bench.matrix.close((3, 2))
    bench.clock.advance(5)
    messages = bench.run(20)
    hello = frames.Hello.unpack(next(payload for kind, _, payload in messages if kind == frames.HELLO))
    assert hello is not None
    assert (hello.settings, hello.rows, hello.columns) == (wanted.id, 3, 2)
    assert snapshots(messages)[-1] == (2, 0, 0)


def test_settings_that_cannot_be_are_answered_with_those_in_force(bench: Bench) -> None:
    bench.send(frames.SETTINGS, Settings((0,), (0,)).pack())
    hello = frames.Hello.unpack(next(payload for kind, _, payload in bench.run(5) if kind == frames.HELLO))
    assert hello is not None
    assert hello.settings == frames.DEFAULT.id


def test_lines_that_are_no_longer_used_float(bench: Bench) -> None:
    bench.send(frames.SETTINGS, Settings((12,), (13,)).pack())
    bench.run(5)
    bench.matrix.close((1, 1))
    bench.clock.advance(5)
    assert snapshots(bench.run(100))[-1] == (0,)


# ---- lights -------------------------------------------------------------------------


def with_lights() -> Bench:
    bench = Bench(2, 3)
    bench.send(frames.SETTINGS, Settings(frames.PINS[:2], frames.PINS[13:16], 28).pack())
    bench.run(5)
    return bench


def light(bench: Bench, colour: tuple[int, int, int], masks: tuple[int, ...]) -> list[tuple[int, ...]]:
    bench.send(frames.LIGHTS, bytes(colour) + frames.pack_masks(masks))
    bench.run(5)
    return [tuple(bench.machine.lights[at : at + 3]) for at in range(0, len(bench.machine.lights), 3)]


def test_lights_are_lit_cell_by_cell() -> None:
    bench = with_lights()
    assert light(bench, (10, 20, 30), (1, 4)) == [(20, 10, 30), (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (20, 10, 30)]
    assert light(bench, (0, 0, 0), (0, 0)) == [(0, 0, 0)] * 6


def test_lights_do_not_draw_more_than_the_cable_gives() -> None:
    bench = Bench()
    bench.send(frames.SETTINGS, Settings(frames.PINS[:12], frames.PINS[13:25], 28).pack())
    bench.run(5)
    lights = light(bench, (255, 255, 255), (0xFFF,) * 12)
    assert len(lights) == 144
    assert 4_000 < sum(map(sum, lights)) <= 5_100


def test_without_a_chain_lights_are_ignored(bench: Bench) -> None:
    bench.send(frames.LIGHTS, bytes((1, 2, 3)) + frames.pack_masks((1,)))
    bench.run(5)
    assert bench.machine.lights == b""


@pytest.mark.parametrize("payload", [b"", b"\x01", b"\x01\x02\x03\x04", bytes(3) + b"\xff\xff" * 30])
def test_odd_lights_do_no_harm(payload: bytes) -> None:
    bench = with_lights()
    bench.send(frames.LIGHTS, payload)
    bench.run(5)
    assert bench.hello().rows == 2


# ---- a host that does not behave ------------------------------------------------------


def test_a_host_that_does_not_read_never_stops_the_scan(bench: Bench) -> None:
    """https://github.com/micropython/micropython/issues/9634: the firmware stops some seconds after the host closed the port."""
    bench.room = 320
    bench.run(60_000, alive=False, step=10)
    bench.run(60_000, step=10)
    assert bench.machine.watchdog is not None
    assert bench.machine.watchdog.longest <= 10
    bench.matrix.close((4, 4))
    bench.run(2_000, step=10)
    bench.room = 1 << 30
    bench.send(frames.ASK)
    assert snapshots(bench.run(10))[-1][3] == 8


def test_old_news_is_dropped_and_counted(bench: Bench) -> None:
    bench.run(1_000)
    bench.room = 20
    bench.matrix.close((4, 4))
    bench.run(3_000)
    bench.room = 1 << 30
    messages = bench.run(1_000)
    assert bench.decoder.errors <= 1
    assert snapshots(messages)[0][3] == 8
    dropped = frames.unpack_alive([payload for kind, _, payload in messages if kind == frames.ALIVE][-1])
    assert dropped is not None
    assert dropped[4] >= 1


def test_a_host_that_falls_silent_gets_nothing_and_the_newest_when_it_is_back(bench: Bench) -> None:
    bench.run(1_000)
    bench.run(4_000, alive=False)
    assert bench.run(60_000, alive=False, step=10) == []
    bench.matrix.close((1, 1))
    bench.run(100, alive=False)
    bench.send(frames.ALIVE)
    assert {shown[0] for shown in snapshots(bench.run(100, alive=False))} == {1}


def test_modem_commands_are_ignored(bench: Bench) -> None:
    """https://github.com/rusefi/rusefi/issues/4359: ModemManager sends AT commands seconds after connect."""
    bench.send_raw(b"AT\r\nAT+GCAP\r")
    assert bench.hello().rows == 13
    assert bench.firmware._decoder.junk == 1


def test_control_characters_do_not_end_it(bench: Bench) -> None:
    """https://github.com/micropython/micropython/issues/6846, on the way to the Pico."""
    bench.send_raw(bytes((1, 2, 3, 4, 5, 3, 3)))
    assert bench.hello().rows == 13
    assert not bench.stopped


def test_the_way_back_to_the_prompt(bench: Bench) -> None:
    bench.send(frames.STOP)
    bench.run(5)
    assert bench.stopped


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=60), max_size=20))
def test_whatever_comes_it_lives_and_answers(pieces: list[bytes]) -> None:
    bench = Bench(3, 3)
    for piece in pieces:
        bench.send_raw(piece)
        bench.run(2)
    assert bench.hello().board == BOARD


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 255).filter(lambda kind: kind != frames.STOP), st.binary(max_size=64)), max_size=10))
def test_whatever_it_is_told_it_lives_and_answers(messages: list[tuple[int, bytes]]) -> None:
    bench = Bench(3, 3)
    for kind, payload in messages:
        bench.send(kind, payload)
        bench.run(2)
    assert bench.hello().board == BOARD


# ---- time ---------------------------------------------------------------------------


def test_the_watchdog_is_fed(bench: Bench) -> None:
    bench.run(1_000)
    assert bench.machine.watchdog is not None
    assert bench.machine.watchdog.timeout == WATCHDOG_MS
    assert bench.machine.watchdog.longest <= 1


def test_a_chip_without_watchdog_does_too(bench: Bench) -> None:
    bench.machine = SimpleNamespace(Pin=bench.machine.Pin, unique_id=bench.machine.unique_id, bitstream=bench.machine.bitstream)
    bench.start()
    assert bench.hello().rows == 13


@pytest.mark.parametrize(("now", "then", "ms"), [(5, 3, 2), (2, TICKS - 1, 4), (TICKS + 5, 3, 1)])
def test_time_runs_on_when_the_counter_begins_anew(now: int, then: int, ms: int) -> None:
    assert since(now, then) == ms
