"""The driver of the small display: pictures in. It raises nothing; a display that is absent is a state.

`show` only says what is wanted. A thread of its own brings it to the panel, because a full picture takes 93 ms on a slow
bus, and sends what changed. A display that is missing, or goes away in mid-game, is a state with a reason, and is used
again when it is back:

    state      meaning                                     how it goes on
    probing    it is being set up                          ready, absent or fault
    ready      it answers                                  a failed transfer: probing, at once; so one failure heals itself
    absent     nobody answers at its address, or no bus    probing, from `poll` after 1, 2, 5, 5 … seconds
    fault      the bus itself fails, or the driver does    the same

A module that lost its supply for a moment answers but is dark and has forgotten everything. Twice a second it is asked whether
it is there and on; not every module tells the truth about that, so those that do not are set up again every half minute. All
are set up again once after a second, in case their panel had no power yet, and all of it without a flicker.

Nobody looks at a table for hours: `underboard.hardware.panel.burn_in` says how the picture is shown then, and `wake` ends it.

Time comes from the clock that is passed in. With a virtual one, `poll` and `drain` after each step make everything repeatable.
"""

from __future__ import annotations

import contextlib
import errno
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, Self

from PIL import Image

from underboard.hardware.core.clock import Clock
from underboard.hardware.core.health import DeviceState
from underboard.hardware.core.parts import Controller
from underboard.hardware.panel.burn_in import PLAIN, Care, Look
from underboard.hardware.panel.picture import HEIGHT, WIDTH
from underboard.hardware.panel.spi import SpiBus, SpiWiring, spi_bus

if TYPE_CHECKING:
    from underboard.hardware.panel.oled_driver import PagedDriver


_RETRY_MS = (1_000, 2_000, 5_000)  # after the first, second and every later failure in a row
_CHECK_MS = 500
# A refresh is a whole frame: more of them would outweigh all that is saved. The longest is for controllers that tell if they need one.
_FIRST_REFRESH_MS, _REFRESH_MS, _SELDOM_MS = 1_000, 30_000, 300_000
_STUCK_MS = 20_000
"""No bus takes so long for one task, with all its time-outs: the thread hangs in it."""
_CLOSE_S = 2.0  # real seconds that closing waits for a bus that hangs
_NOBODY = {errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ENODEV, errno.ENOENT}

_Task = Literal["open", "draw", "check", "refresh"]


class Bus(Protocol):
    """What the driver needs of an I2C bus: the part of `smbus2.SMBus` that luma uses."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        """Send a control byte and up to 32 bytes. Raises OSError."""

    def close(self) -> None:
        """Let the bus go."""


def i2c_bus(port: int | str = 1) -> Bus:
    """Open an I2C bus of the Pi by its number or path. Raises OSError."""
    from smbus2 import SMBus

    bus = SMBus()
    try:
        bus.open(port)
    except OSError:
        bus.close()  # it may have got the file, and failed only when it asked what the bus can do
        raise
    return bus


@dataclass(frozen=True)
class Panel:
    """Which display it is and how it is connected.

    *offset* is the memory column at the panel's left edge, for SH1106 modules that are wired otherwise than most (None: 2 for the
    SH1106, 0 for the SSD1306); `underboard.hardware.panel.setup_picture` shows what is right. *spi* is set for a display on the SPI bus.
    """

    controller: Controller = "ssd1306"
    offset: int | None = None
    address: int = 0x3C
    spi: SpiWiring | None = None
    care: Care = field(default_factory=Care)

    def __post_init__(self) -> None:
        """ValueError for an offset that this controller has no memory for."""
        most = {"ssd1306": 0, "sh1106": 4}[self.controller]
        if self.offset is not None and not 0 <= self.offset <= most:
            raise ValueError(f"offset {self.offset}: the {self.controller} takes {f'0 to {most}' if most else '0 only'}")

    @property
    def first_column(self) -> int:
        """The memory column at the panel's left edge."""
        return {"ssd1306": 0, "sh1106": 2}[self.controller] if self.offset is None else self.offset

    @property
    def where(self) -> str:
        """How to call it when it does not answer."""
        return f"display on SPI {self.spi.port}.{self.spi.device}" if self.spi else f"display at {self.address:#04x}"


@dataclass(frozen=True)
class _Frame:
    image: Image.Image
    pages: bytes
    look: Look = PLAIN

    def same_as(self, other: _Frame | None) -> bool:
        """Whether nothing would have to be sent."""
        return other is not None and self.pages == other.pages and self.look.light == other.look.light


def _frame(image: Image.Image, look: Look = PLAIN) -> _Frame:
    if image.mode != "1" or image.size != (WIDTH, HEIGHT):
        raise ValueError(f'the display takes pictures of mode "1" and {WIDTH}x{HEIGHT} pixels, not {image}')
    # Lying on its side and with the bits reversed, a row of the image is a column of the panel from the top down: a byte for each page.
    columns = look.moved(image).transpose(Image.Transpose.TRANSPOSE).tobytes("raw", "1;R")
    return _Frame(image.copy(), b"".join(columns[page :: HEIGHT // 8] for page in range(HEIGHT // 8)), look)


class OledDisplay:
    """A display on a bus that may not be there. All methods but `drain` and `close` return at once; `close` it, or use it in `with`.

    `open_bus` is called for each attempt and may raise OSError; the bus it returns is closed before the next. A display on
    SPI opens its own.
    """

    def __init__(self, open_bus: Callable[[], Bus], panel: Controller | Panel, clock: Clock) -> None:
        self._panel = panel if isinstance(panel, Panel) else Panel(panel)
        self._open_bus: Callable[[], Bus | SpiBus] = partial(spi_bus, self._panel.spi) if self._panel.spi else open_bus
        self._clock = clock
        # The thread's alone:
        self._bus: Bus | SpiBus | None = None
        self._driver: PagedDriver | None = None
        # Guarded by the condition:
        self._changed = threading.Condition()
        self._state: DeviceState = "probing"
        self._reason = "not tried yet"
        self._wanted = _frame(Image.new("1", (WIDTH, HEIGHT)))
        self._awake_at = clock.now()
        self._shown: _Frame | None = None
        self._order: Literal["check", "refresh"] | None = None
        self._working = False
        self._working_since = 0
        self._status_is_true = False
        self._closing = False
        self._last: _Frame | None = None
        self._counters = {"pictures": 0, "openings": 0, "failures": 0}
        self._failures = 0
        self._retry_at = self._check_at = self._refresh_at = 0
        self._thread = threading.Thread(target=self._work, name="oled", daemon=True)
        self._thread.start()

    @property
    def state(self) -> DeviceState:
        """Whether there is a display to be seen."""
        return self._state

    @property
    def reason(self) -> str:
        """Why it is not ready, in words; empty if it is."""
        return self._reason

    @property
    def counters(self) -> dict[str, int]:
        """Pictures brought to the panel, times it was set up from nothing, failures of any kind."""
        with self._changed:
            return dict(self._counters)

    @property
    def shown(self) -> Image.Image | None:
        """The last picture that really went out and is still there; None if there is none."""
        shown = self._shown
        return shown.image.copy() if shown else None

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is not on the panel yet, and is being worked on."""
        with self._changed:
            return self._working or self._task() is not None

    @property
    def alive(self) -> bool:
        """Whether the thread still works: it has not ended, nor does it hang in a bus."""
        with self._changed:
            hangs = self._working and self._clock.now() - self._working_since >= _STUCK_MS
        return self._thread.is_alive() and not hangs

    def show(self, image: Image.Image) -> None:
        """Bring this picture (mode "1", 128x64) to the panel as soon as it can be; a newer one takes its place. It wakes the display.

        Raises ValueError for another kind of picture.
        """
        frame = _frame(image)
        with self._changed:
            self._awake_at = self._clock.now()
            self._wanted = frame
            self._changed.notify_all()

    def wake(self) -> None:
        """Something has happened: show the picture in full light, if it was not."""
        self._awake_at = self._clock.now()
        self._take_care(self._awake_at)

    def _take_care(self, now: int) -> None:
        """Show the picture as is right for a table at which nothing has happened for so long."""
        look = self._panel.care.look(now - self._awake_at)
        if look != self._wanted.look:
            with self._changed:
                self._wanted = _frame(self._wanted.image, look)
                self._changed.notify_all()

    def poll(self) -> None:
        """Let time have its effect: retries, checks, what is done against burn-in. Call it often."""
        now = self._clock.now()
        self._take_care(now)
        with self._changed:
            if self._state in ("absent", "fault") and now >= self._retry_at:
                self._state = "probing"
            elif self._state == "ready" and now >= self._refresh_at:
                self._order, self._refresh_at = "refresh", now + (_SELDOM_MS if self._status_is_true else _REFRESH_MS)
            elif self._state == "ready" and now >= self._check_at:
                self._order, self._check_at = self._order or "check", now + _CHECK_MS
            else:
                return  # without waking the thread: this is the scan loop
            self._changed.notify_all()

    def drain(self, timeout_s: float = 5) -> None:
        """Wait, in real time, until all that was asked for is on the panel or the display is given up for now.

        Raises TimeoutError if neither happens, as with a bus that hangs.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not self._working and self._task() is None, timeout_s):
                raise TimeoutError(f"the display is still {self._state} after {timeout_s} s")

    def close(self, last: Image.Image | None = None) -> None:
        """Leave this picture on the panel, or switch it off, and end the thread. Safe without a display and when repeated."""
        frame = _frame(last) if last else None
        with self._changed:
            if not self._closing:
                self._closing, self._last = True, frame
            self._changed.notify_all()
        self._thread.join(_CLOSE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _task(self) -> _Task | None:
        """What there is to do now. Call it with the condition held."""
        if self._closing:
            return None
        if self._state == "probing":
            return "open"
        if self._state != "ready":
            return None
        if self._order is None and not self._wanted.same_as(self._shown):
            return "draw"
        return self._order

    def _work(self) -> None:
        """The thread: one task after the other, whatever becomes of them."""
        while task := self._next_task():
            try:
                self._do(*task)
            except Exception as error:  # luma has errors of its own kind, and no error of a display may end the game
                self._release()
                self._failed(error)
            else:
                self._done(*task)
        # The farewell is a courtesy; without a display nobody misses it.
        with contextlib.suppress(Exception):
            self._say_goodbye()
        self._release()
        with self._changed:
            self._state, self._reason = "absent", "closed"

    def _next_task(self) -> tuple[_Task, _Frame] | None:
        """Wait for something to do, and the picture wanted then; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._task() is not None)
            task = self._task()
            if task is None:
                return None
            self._order = None
            self._working, self._working_since = True, self._clock.now()
            return task, self._wanted

    def _do(self, task: _Task, frame: _Frame) -> None:
        if task in ("open", "refresh"):
            self._set_up(frame, awake=task == "refresh")
        elif self._driver is not None:
            self._driver.check() if task == "check" else self._driver.draw(frame.pages, frame.look.light)

    def _set_up(self, frame: _Frame, *, awake: bool) -> None:
        from underboard.hardware.panel import oled_driver  # here, since it loads luma

        self._release()
        self._bus = self._open_bus()
        driver = {"ssd1306": oled_driver.SSD1306, "sh1106": oled_driver.SH1106}[self._panel.controller]
        line = oled_driver.line_to(self._bus, self._panel.address)
        self._driver = driver(line, frame.pages, light=frame.look.light, awake=awake, first_column=self._panel.first_column)

    def _release(self) -> None:
        """Close the bus, which luma would leave open after a failure."""
        bus, self._bus, self._driver = self._bus, None, None
        if bus is not None:
            with contextlib.suppress(OSError):
                bus.close()

    def _done(self, task: _Task, frame: _Frame) -> None:
        now = self._clock.now()
        with self._changed:
            self._working = False
            self._check_at = now + _CHECK_MS
            self._status_is_true = self._driver is not None and self._driver.status_is_true
            self._counters["pictures"] += task in ("open", "draw")
            if task == "open":
                self._counters["openings"] += 1
                self._state, self._reason, self._failures = "ready", "", 0
                self._refresh_at = now + _FIRST_REFRESH_MS
            if task != "check":
                self._shown = frame
            self._changed.notify_all()

    def _failed(self, error: Exception) -> None:
        cause = _os_error(error)
        now = self._clock.now()
        with self._changed:
            self._counters["failures"] += 1
            self._working = False
            self._shown = None
            self._reason = f"{self._panel.where}: {cause or repr(error)}"
            if self._state == "ready":
                self._state = "probing"
            else:
                self._state = "absent" if cause and cause.errno in _NOBODY else "fault"
                self._retry_at = now + _RETRY_MS[min(self._failures, len(_RETRY_MS) - 1)]
                self._failures += 1
            self._changed.notify_all()

    def _say_goodbye(self) -> None:
        with self._changed:
            state, last, self._shown = self._state, self._last, None
        if state == "probing" and last:  # opened and closed at once: the picture is still owed
            self._set_up(last, awake=False)
        elif state == "ready" and self._driver is not None:
            self._driver.draw(last.pages, "full") if last else self._driver.hide()
        else:
            last = None
        with self._changed:
            self._shown = last


def _os_error(error: BaseException | None) -> OSError | None:
    """The error of the bus: luma puts some of them into an exception of its own kind."""
    while error is not None and not isinstance(error, OSError):
        error = error.__context__
    return error
