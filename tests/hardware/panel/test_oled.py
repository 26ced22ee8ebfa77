"""The display driver: the real luma on the simulated bus, every fault of the reports, no waiting in real time."""

import atexit
import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest
import segno
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import CONTROLLERS, Controller
from underboard.hardware.panel.oled import OledDisplay, i2c_bus
from underboard.hardware.panel.oled_driver import changed_spans
from underboard.hardware.panel.picture import Align, TextSize, draw
from underboard.hardware.simulator.i2c import SimulatedI2C

both = pytest.mark.parametrize("controller", CONTROLLERS)


@dataclass(frozen=True)
class Text:
    text: str
    size: TextSize = "small"
    align: Align = "left"
    inverted: bool = False


def screen(number: int) -> Image.Image:
    """A screen of Hack Trick in which two characters depend on the number."""
    return draw(
        [
            Text("RED  0-1  score", inverted=True),
            Text(f"4+3 = {number}", "large", "center"),
            Text(f"→ server {number}", "medium", "center"),
            Text("ok: infect"),
        ]
    )


def same(one: Image.Image | None, other: Image.Image) -> bool:
    return one is not None and ImageChops.logical_xor(one, other).getbbox() is None


@dataclass
class Cable:
    """A bus to a simulated display, whose user may be watched and which may be cut after so many transfers."""

    display: SimulatedI2C
    cut_after: int | None = None
    before_transfer: Callable[[], None] = lambda: None
    threads: set[int] = field(default_factory=set)

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        self.threads.add(threading.get_ident())
        self.before_transfer()
        if self.cut_after is not None:
            self.cut_after -= 1
            if self.cut_after < 0:
                self.cut_after = None
                self.display.detach()
        self.display.write_i2c_block_data(i2c_addr, register, data)

    def close(self) -> None:
        self.display.close()


class Table:
    """A display on a cable, in virtual time."""

    def __init__(self, controller: Controller = "ssd1306", *, chip: Controller | None = None, power_delay_ms: int = 0) -> None:
        self.clock = VirtualClock()
        self.panel = SimulatedI2C(chip or controller, clock=self.clock, power_delay_ms=power_delay_ms)
        self.cable = Cable(self.panel)
        self.opened_at: list[int] = []
        self.controller: Controller = controller
        self.oled: OledDisplay

    def start(self) -> "Table":
        self.oled = OledDisplay(self.open_bus, self.controller, self.clock)
        self.oled.drain()
        return self

    def open_bus(self) -> Cable:
        self.opened_at.append(self.clock.now())
        return self.cable

    def show(self, picture: Image.Image) -> int:
        """Show it, wait for it, and say how many bytes it cost."""
        before = self.panel.bytes_written
        self.oled.show(picture)
        self.oled.drain()
        return self.panel.bytes_written - before

    def wait(self, ms: int, step: int = 50) -> None:
        for _ in range(0, ms, step):
            self.clock.advance(step)
            self.oled.poll()
            self.oled.drain()

    def sees(self, picture: Image.Image) -> bool:
        return same(self.panel.pixels(), picture)


def hanging(table: Table) -> threading.Event:
    """Let the bus hang in the middle of a picture, until the event is set."""
    gate, arrived = threading.Event(), threading.Event()

    def hang() -> None:
        arrived.set()
        assert gate.wait(5)

    table.cable.before_transfer = hang
    table.oled.show(screen(1))
    assert arrived.wait(5)
    return gate


@pytest.fixture
def tables() -> Iterator[Callable[..., Table]]:
    """Makes tables, not started yet, and closes what was started."""
    made: list[Table] = []

    def make(*args: Controller, **options: object) -> Table:
        made.append(Table(*args, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for table in made:
        if hasattr(table, "oled"):
            table.oled.close()


# Pictures arrive as they were drawn


@dataclass(frozen=True)
class Coded(Text):
    code: Sequence[str] = ()


@both
@pytest.mark.parametrize("url", ["http://10.0.0.7:8021/abcdefgh2345/", "http://255.255.255.255:65535/zyxwvuts7654/"])
def test_a_phone_reads_a_code_from_the_display(controller: Controller, url: str) -> None:
    """Read by a decoder that is not ours, from the pixels that the display shows, as large as on a photo."""
    rows = tuple("".join(map(str, row)) for row in segno.make(url, error="l", micro=False).matrix)
    table = Table(controller).start()
    with table.oled:
        table.show(draw([Coded("YELLOW", inverted=True, align="center", code=rows), Text("2/2"), Text("scan"), Text("OK: on")]))
        photo = table.panel.pixels().convert("L").resize((128 * 4, 64 * 4), Image.Resampling.NEAREST)
    assert [code.text for code in zxingcpp.read_barcodes(photo)] == [url]


@both
@given(content=st.lists(st.binary(min_size=1024, max_size=1024), min_size=1, max_size=4))
@settings(deadline=None)
def test_any_pictures_arrive(controller: Controller, content: list[bytes]) -> None:
    table = Table(controller).start()
    with table.oled:
        for pixels in content:
            picture = Image.frombytes("1", (128, 64), pixels)
            table.show(picture)
            assert table.sees(picture)
            assert same(table.oled.shown, picture)


small_changes = st.lists(
    st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(0, 20), st.integers(0, 20), st.booleans()), min_size=1, max_size=12
)


@both
@given(changes=small_changes)
@settings(deadline=None)
def test_small_changes_arrive_at_every_step(controller: Controller, changes: list[tuple[int, int, int, int, bool]]) -> None:
    table = Table(controller).start()
    picture = screen(7)
    with table.oled:
        for x, y, width, height, white in changes:
            ImageDraw.Draw(picture).rectangle((x, y, x + width, y + height), fill=int(white))
            table.show(picture)
            assert table.sees(picture)


@given(old=st.binary(min_size=1024, max_size=1024), edits=st.dictionaries(st.integers(0, 1023), st.integers(0, 255), max_size=40))
def test_spans_turn_the_old_memory_into_the_new(old: bytes, edits: dict[int, int]) -> None:
    new = bytearray(old)
    for place, value in edits.items():
        new[place] = value
    memory, sent = bytearray(old), 0
    for page, column, data in changed_spans(old, bytes(new)):
        memory[page * 128 + column : page * 128 + column + len(data)] = data
        assert column + len(data) <= 128
        sent += len(data)
    assert memory == new
    assert sent <= 8 * len(edits)


@both
def test_only_what_changed_is_sent(controller: Controller, tables: Callable[..., Table]) -> None:
    table = tables(controller).start()
    table.show(screen(7))
    everything = 1024 + 32 * 2 + 8 * 5
    two_digits = table.show(screen(8))
    assert two_digits * 4 <= everything
    assert two_digits < 100
    assert table.show(screen(8)) == 0


@both
def test_the_latest_picture_wins(controller: Controller, tables: Callable[..., Table]) -> None:
    """While the bus is busy with one picture, those that come in between are never sent."""
    table = tables(controller).start()
    gate = hanging(table)
    table.cable.before_transfer = lambda: None
    sent = table.panel.bytes_written
    for number in range(2, 10):
        table.oled.show(screen(number))
    assert table.oled.busy
    gate.set()
    table.oled.drain()
    assert not table.oled.busy
    assert table.sees(screen(9))
    assert table.panel.bytes_written - sent < 1000


def test_nothing_of_the_main_loop_waits_for_a_bus_that_hangs(tables: Callable[..., Table]) -> None:
    table = tables().start()
    gate = hanging(table)
    for _ in range(100):
        table.clock.advance(100)
        table.oled.show(screen(2))
        table.oled.poll()
    with pytest.raises(TimeoutError, match="still ready after 0 s"):
        table.oled.drain(timeout_s=0)
    gate.set()
    table.oled.drain()
    assert table.sees(screen(2))


def test_a_picture_may_be_changed_after_it_was_shown(tables: Callable[..., Table]) -> None:
    table = tables().start()
    picture = screen(1)
    table.show(picture)
    picture.paste(1, (0, 0, 128, 64))
    assert same(table.oled.shown, screen(1))
    table.panel.detach()
    table.wait(2_000)
    table.panel.attach()
    table.wait(5_000)
    assert table.sees(screen(1))


@pytest.mark.parametrize("picture", [Image.new("L", (128, 64)), Image.new("1", (128, 32))])
def test_other_kinds_of_pictures_are_refused(picture: Image.Image, tables: Callable[..., Table]) -> None:
    with pytest.raises(ValueError, match='mode "1" and 128x64'):
        tables().start().oled.show(picture)


# Setting up


@both
def test_nothing_but_pictures_is_ever_seen(controller: Controller, tables: Callable[..., Table]) -> None:
    """No noise of a chip that just woke, no half picture of the set-up: black, and then the picture."""
    table = tables(controller)
    seen: list[bytes] = []
    table.cable.before_transfer = lambda: seen.append(table.panel.pixels().tobytes())
    table.start()
    assert set(seen) == {bytes(1024)}


def test_all_132_columns_are_cleared(tables: Callable[..., Table]) -> None:
    """https://github.com/ThingPulse/esp8266-oled-ssd1306/issues/416: two columns of garbage."""
    table = tables("sh1106").start()
    assert table.panel.chip
    assert table.panel.chip.memory == [bytes(132)] * 8


def test_a_display_of_the_other_kind_shows_no_garbage(tables: Callable[..., Table]) -> None:
    """The same report: a module sold as SSD1306 is an SH1106. The picture is two columns off, no more."""
    table = tables("ssd1306", chip="sh1106").start()
    table.show(screen(7))
    expected = Image.new("1", (128, 64))
    expected.paste(screen(7).crop((2, 0, 128, 64)), (0, 0))
    assert table.sees(expected)


@both
def test_a_panel_without_power_at_start_is_set_up_again(controller: Controller, tables: Callable[..., Table]) -> None:
    """https://github.com/rm-hull/luma.oled/issues/259: blank when started at boot, fine by hand."""
    table = tables(controller, power_delay_ms=200).start()
    table.show(screen(3))
    assert table.panel.pixels().getbbox() is None
    table.wait(1_050)
    assert table.sees(screen(3))


@both
def test_a_loose_contact_heals_within_half_a_minute(controller: Controller, tables: Callable[..., Table]) -> None:
    table = tables(controller).start()
    table.wait(2_000)
    table.show(screen(3))
    table.panel.attach()  # everything forgotten, and no transfer failed
    table.wait(500)
    assert table.panel.pixels().getbbox() is None
    table.wait(30_000)
    assert table.sees(screen(3))
    assert table.oled.state == "ready"


@both
def test_setting_up_again_does_not_flicker(controller: Controller, tables: Callable[..., Table]) -> None:
    table = tables(controller).start()
    table.show(screen(3))
    seen: list[bytes] = []
    table.cable.before_transfer = lambda: seen.append(table.panel.pixels().tobytes())
    table.wait(100_000)
    assert len(seen) > 4 * 40
    assert set(seen) == {screen(3).tobytes()}


# A display that is not there


@both
def test_missing_at_start(controller: Controller, tables: Callable[..., Table]) -> None:
    """https://github.com/pikvm/pikvm/issues/876: the service fails. Here it waits, and shows what was wanted meanwhile."""
    table = tables(controller)
    table.panel.detach()
    table.start()
    assert table.oled.state == "absent"
    assert table.oled.reason == "display at 0x3c: [Errno 121] Remote I/O error"
    table.show(screen(1))
    table.show(screen(2))
    assert (table.oled.shown, table.oled.busy) == (None, False)
    table.wait(20_000)
    table.panel.attach()
    table.wait(5_000)
    assert (table.oled.state, table.oled.reason) == ("ready", "")
    assert table.sees(screen(2))
    assert same(table.oled.shown, screen(2))


def test_retries_come_after_one_two_and_five_seconds(tables: Callable[..., Table]) -> None:
    table = tables()
    table.panel.detach()
    table.start()
    table.wait(20_000)
    assert table.opened_at == [0, 1_000, 3_000, 8_000, 13_000, 18_000]
    table.panel.attach()
    table.wait(3_500)
    assert table.oled.state == "ready"
    table.panel.detach()
    before, now = len(table.opened_at), table.clock.now()
    table.show(screen(1))
    table.wait(2_000)
    assert table.opened_at[before:] == [now, now + 1_000]


@both
@pytest.mark.parametrize("transfers", [0, 1, 2, 3, 4, 10])
def test_unplugged_while_sending(controller: Controller, transfers: int, tables: Callable[..., Table]) -> None:
    table = tables(controller).start()
    table.cable.cut_after = transfers
    table.show(screen(1))
    assert (table.oled.state, table.oled.shown) == ("absent", None)
    table.show(screen(2))
    table.panel.attach()
    table.wait(1_000)
    assert table.oled.state == "ready"
    assert table.sees(screen(2))


@both
def test_unplugged_while_being_set_up(controller: Controller, tables: Callable[..., Table]) -> None:
    transfers = tables(controller).start().panel.transfers
    for cut in range(transfers):
        table = tables(controller)
        table.cable.cut_after = cut
        table.start()
        assert table.oled.state == "absent"
        table.show(screen(4))
        table.panel.attach()
        table.wait(1_000)
        assert table.sees(screen(4))


def test_unplugged_with_nothing_to_draw_is_noticed(tables: Callable[..., Table]) -> None:
    table = tables().start()
    table.wait(5_000)
    table.panel.detach()
    table.wait(500)
    assert table.oled.state == "absent"


@both
@pytest.mark.parametrize("error", [errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT, errno.EAGAIN])
@pytest.mark.parametrize("transfer", ["draw", "check", "refresh"])
def test_a_single_failure_heals_at_once(controller: Controller, error: int, transfer: str, tables: Callable[..., Table]) -> None:
    table = tables(controller).start()
    table.show(screen(1))
    table.clock.advance({"draw": 0, "check": 500, "refresh": 1_000}[transfer])
    table.panel.fail(error)
    if transfer == "draw":
        table.oled.show(screen(2))
    table.oled.poll()
    table.oled.drain()
    assert len(table.opened_at) >= 2
    assert (table.oled.state, table.oled.reason) == ("ready", "")
    assert table.sees(screen(2) if transfer == "draw" else screen(1))


def test_a_wedged_bus_is_left_in_peace(tables: Callable[..., Table]) -> None:
    """https://github.com/raspberrypi/linux/issues/6057: errno 110 for 30 s. Few attempts, and none from the main loop's thread."""
    table = tables().start()
    table.panel.fail(errno.ETIMEDOUT, times=1_000_000)
    table.show(screen(5))
    assert table.oled.state == "fault"
    assert table.oled.reason == "display at 0x3c: [Errno 110] Connection timed out"
    table.wait(30_000, step=5)
    assert len(table.opened_at) <= 10
    assert table.oled.state == "fault"
    table.panel.fail(0, times=0)
    table.wait(5_000)
    assert table.sees(screen(5))
    assert len(table.cable.threads) == 1
    assert threading.get_ident() not in table.cable.threads


def test_an_error_that_nobody_thought_of_is_a_fault_with_its_name(tables: Callable[..., Table]) -> None:
    table = tables().start()

    def surprise() -> None:
        raise RuntimeError("surprise")

    table.cable.before_transfer = surprise
    table.show(screen(1))
    assert table.oled.state == "fault"
    assert table.oled.reason == "display at 0x3c: RuntimeError('surprise')"
    table.cable.before_transfer = lambda: None
    table.wait(1_000)
    assert table.sees(screen(1))


def test_no_such_bus() -> None:
    oled = OledDisplay(lambda: i2c_bus(250), "ssd1306", VirtualClock())
    with oled:
        oled.drain()
        assert oled.state == "absent"
        assert "No such file or directory: '/dev/i2c-250'" in oled.reason


# Nothing grows


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


class LeakyBus:
    """Holds a real file descriptor, as smbus2 does, and never gets an answer."""

    def __init__(self) -> None:
        self.file = os.open(os.devnull, os.O_RDWR)

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def close(self) -> None:
        os.close(self.file)


@both
def test_a_thousand_failures_leave_nothing_behind(controller: Controller) -> None:
    clock = VirtualClock()
    opened: list[LeakyBus] = []

    def open_bus() -> LeakyBus:
        opened.append(LeakyBus())
        return opened[-1]

    with OledDisplay(open_bus, controller, clock) as oled:
        oled.drain()
        before = (open_files(), threading.active_count(), atexit._ncallbacks())
        for _ in range(1_000):
            clock.advance(5_000)
            oled.poll()
            oled.drain()
        assert len(opened) == 1_001
        assert (open_files(), threading.active_count(), atexit._ncallbacks()) == before


@both
def test_a_thousand_times_plugged_in_leave_nothing_behind(controller: Controller, tables: Callable[..., Table]) -> None:
    table = tables(controller).start()
    before = (open_files(), threading.active_count(), atexit._ncallbacks())
    for number in range(1_000):
        table.panel.fail(errno.EREMOTEIO)
        table.show(screen(number % 10))
        assert table.oled.state == "ready"
    assert (open_files(), threading.active_count(), atexit._ncallbacks()) == before


def test_a_bus_that_cannot_be_asked_is_closed() -> None:
    before = open_files()
    with pytest.raises(OSError):
        i2c_bus(os.devnull)
    assert open_files() == before


# The end


@both
def test_the_last_picture_stays(controller: Controller, tables: Callable[..., Table]) -> None:
    """https://github.com/rm-hull/luma.oled/issues/140: the picture vanishes at exit."""
    table = tables(controller).start()
    table.show(screen(1))
    table.oled.close(last=screen(2))
    assert table.sees(screen(2))
    assert same(table.oled.shown, screen(2))
    assert (table.oled.state, table.oled.reason) == ("absent", "closed")


@both
def test_without_a_last_picture_the_panel_is_off(controller: Controller, tables: Callable[..., Table]) -> None:
    table = tables(controller).start()
    table.show(screen(1))
    table.oled.close()
    assert table.panel.pixels().getbbox() is None
    assert table.panel.chip
    assert not table.panel.chip.on
    assert table.oled.shown is None


def test_closing_at_once_still_leaves_the_last_picture(tables: Callable[..., Table]) -> None:
    table = tables()
    OledDisplay(table.open_bus, "ssd1306", table.clock).close(last=screen(9))
    assert table.sees(screen(9))


@pytest.mark.parametrize("last", [None, screen(1)])
@pytest.mark.parametrize("known", [True, False])
def test_closing_on_a_dead_bus(last: Image.Image | None, known: bool, tables: Callable[..., Table]) -> None:
    table = tables().start()
    table.panel.detach()
    if known:
        table.show(screen(3))
        assert table.oled.state == "absent"
    table.oled.close(last)
    assert table.oled.shown is None


def test_closing_does_not_wait_for_ever_for_a_bus_that_hangs(tables: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underboard.hardware.panel.oled._CLOSE_S", 0.0)
    table = tables().start()
    gate = hanging(table)
    table.oled.close()
    gate.set()


def test_after_closing_nothing_happens(tables: Callable[..., Table]) -> None:
    table = tables().start()
    threads = threading.active_count()
    table.oled.close(last=screen(1))
    assert threading.active_count() == threads - 1
    sent = table.panel.bytes_written
    table.oled.close()
    table.oled.show(screen(2))
    table.wait(20_000)
    assert table.panel.bytes_written == sent
    assert table.sees(screen(1))


def test_neither_luma_nor_smbus_is_loaded_before_a_display_is_opened() -> None:
    code = "import sys, underboard.hardware.panel.oled; assert not {'luma', 'smbus2'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
