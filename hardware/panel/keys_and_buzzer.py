"""The panel: four keys and a buzzer.

Keys are polled and debounced like the sensors. They are plain inputs, not gpiozero Buttons:
a Button starts a thread and an edge callback, and we want neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

from gpiozero import InputDevice, OutputDevice

from underboard.hardware.core.clock import Clock
from underboard.hardware.core.debounce import ContactChange, Debouncer

KEY_POLL_MS = 4
"""How often keys want to be read while one moves."""
IDLE_POLL_MS = 5
"""And while none does: each waking up costs more than the reading. A longer one could not tell a second from 0.99 s any more."""
HOLD_MS = 1000
HOLD_SLACK_MS = 8
"""How much too short a press of a second may look: its first closed reading comes a poll and most of the bounce (2 ms) late, its
last one is a millisecond old. One of 0.99 s looks no longer than that with the bounce at its end."""
LAST_STRETCH_MS = 50
"""So long before the second is over every millisecond counts."""


@dataclass(frozen=True)
class KeyEvent:
    """A key was pressed briefly (reported on release) or held for a second (reported while down)."""

    name: str
    kind: Literal["press", "hold"]
    since: int
    """When it went down, in the clock's milliseconds."""


class Keys:
    """Keys between a line and ground, by name; poll them as often as they want it.

    Each press gives exactly one event. A key that is down at the first poll gives nothing until
    it has been released: it may be stuck, or a leftover of whatever started the program.
    A context manager; gpiozero's errors name a pin that is taken or does not exist.
    """

    def __init__(self, factory: Any, pins: Mapping[str, int], clock: Clock) -> None:
        """*pins* are BCM numbers by key name."""
        self._clock = clock
        self._names = list(pins)
        self._debouncer = Debouncer(1, len(self._names))
        self._started: int | None = None
        self._down: dict[str, int] = {}
        with ExitStack() as opened:
            self._pins = [opened.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory)).pin for pin in pins.values()]
            self._opened = opened.pop_all()

    def poll(self) -> list[KeyEvent]:
        """Read all keys once; what happened since the last poll, in order."""
        now = self._clock.now()
        if self._started is None:
            self._started = now
        closed = sum([1 << bit for bit, pin in enumerate(self._pins) if not pin.state])
        presses = [event for change in self._debouncer.update(now, (closed,)) for event in self._turn(change)]
        return presses + self._holds(now, closed) if self._down else presses

    def next_poll_ms(self) -> int:
        """How long to wait before the next poll: least while a press may become a hold, most while no key moves."""
        now = self._clock.now()
        if self._down and any(now - since >= HOLD_MS - LAST_STRETCH_MS for since in self._down.values()):
            return 1
        return KEY_POLL_MS if self._debouncer.restless(now) else IDLE_POLL_MS

    def _turn(self, change: ContactChange) -> list[KeyEvent]:
        """A key went down or up; down keys that may still become an event are kept with their time."""
        name = self._names[change.cell[1] - 1]
        if change.closed:
            if change.at != self._started:
                self._down[name] = change.at
            return []
        since = self._down.pop(name, None)
        return [] if since is None else [KeyEvent(name, "press", since)]

    def _holds(self, now: int, closed: int) -> list[KeyEvent]:
        """Keys that reach their second; the raw reading counts, as a released key stays debounced for a while."""
        held = [
            name for name, since in self._down.items() if closed >> self._names.index(name) & 1 and now - since >= HOLD_MS - HOLD_SLACK_MS
        ]
        return [KeyEvent(name, "hold", self._down.pop(name)) for name in held]

    def close(self) -> None:
        """Give the lines back; closing twice does no harm."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


TONES: Mapping[str, tuple[int, ...]] = {
    "click": (15,),
    "right": (60,),
    "wrong": (250, 100, 250),
    "fuse": (100, 80, 100, 80, 100, 80, 500),
    "win": (80, 60, 80, 60, 80, 60, 400),
}
"""Milliseconds on, off, on … of each tone."""


SILENT_POLL_MS = 1_000


class Buzzer:
    """An active buzzer on *pin* (BCM number), or silence if it is None.

    A context manager; never sleeps: :meth:`poll` moves the tone on.
    """

    def __init__(self, factory: Any, pin: int | None, clock: Clock) -> None:
        """Silent at first; gpiozero's errors name a pin that is taken or does not exist."""
        self._clock = clock
        self._device = None if pin is None else OutputDevice(pin, pin_factory=factory)
        self._left: list[int] = []
        self._next = 0

    def play(self, tone: str) -> None:
        """Start *tone*, in place of one that is still sounding; ValueError if there is no such tone."""
        if tone not in TONES:
            raise ValueError(f"no tone {tone!r}; there are {', '.join(TONES)}")
        self._left = list(TONES[tone])
        self._next = self._clock.now() + self._left[0]
        self._sound()

    def poll(self) -> None:
        """Carry the tone on to the present."""
        now = self._clock.now()
        while self._left and now >= self._next:
            del self._left[0]
            self._next += self._left[0] if self._left else 0
            self._sound()

    def next_poll_ms(self) -> int:
        """How long to wait before the next poll: until the tone goes on, or as long as one likes while all is silent."""
        return max(0, self._next - self._clock.now()) if self._left else SILENT_POLL_MS

    def _sound(self) -> None:
        """On with an odd number of steps left, as every tone starts and ends with one that sounds."""
        if self._device is not None:
            self._device.value = len(self._left) % 2

    def close(self) -> None:
        """Fall silent and give the line back; closing twice does no harm."""
        if self._device is not None:
            self._device.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
