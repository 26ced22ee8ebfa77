"""The host's side of the Pico: a scanner of the matrix behind a USB port. It raises nothing; a Pico that is absent is a state.

    state      meaning                                              how it goes on
    absent     no Pico is plugged in                                looked for twice a second
    probing    it has been asked who it is, or has yet to say       ready, or fault
               how the board looks
    ready      its snapshots can be believed                        unplugged: absent; silence or garbage: fault
    fault      the port cannot be opened, or what answers is not    closed and tried again after 0.5, 1, 2, 2 … seconds,
               our firmware, or of another protocol, or nothing     so that `underboard flash` finds the port free
               that can be understood

A snapshot counts only if it belongs to the start of the firmware that said hello and to the settings it was given. A CRC of
16 bits lets one broken frame in 65,536 pass, so on a line that makes errors a snapshot must come twice to be believed, and
is asked for more often.

A program that was stopped for a while finds old news in the port's buffers: it throws them away and asks anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from underboard.firmware import frames
from underboard.firmware.frames import Decoder, Hello, Settings
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import Clock
from underboard.hardware.core.health import DeviceState
from underboard.hardware.core.wiring import Flaw, Use, WiringError, clashes
from underboard.hardware.system.serial_ports import Ports, SerialLink, Wanted

PICO = Wanted("the Pico", ((0x2E8A, 0x0005),))
"""The USB ids of a Pico that runs MicroPython."""

ASK_MS = 200
ASK_IN_DOUBT_MS = 100
NUDGE_MS = 600
"""MicroPython's prompt answers only to Enter: it is pressed after this time without a hello."""
ALIVE_MS = 500
SILENCE_MS = 1_600
"""Without a sound message for this long something is wrong."""
PATIENCE_MS = 1_600
"""So long may it take until the first snapshot is there."""
STALE_MS = 5_000
"""A snapshot comes every second; one that is older than this is not believed any more."""
DOUBT_MS = 5_000
"""How long a line is taken to be a bad one after an error."""
AWAY_MS = 1_500
"""Whoever has not polled for so long cannot know how old the bytes are that wait."""

FLASH = "underboard flash"
PROMPT = re.compile(rb">>> |MicroPython v|Traceback \(most recent call last\)|raw REPL; CTRL-B")

Masks = tuple[int, ...]


@dataclass(frozen=True)
class PicoWiring:
    """The GPIO numbers of the Pico for rows and columns, and of the chain of lights, None if there are none.

    WiringError, with all that is wrong, if it cannot be.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    lights: int | None = None

    def __post_init__(self) -> None:
        """Check the whole wiring at once."""
        if flaws := [*self._size_flaws(), *self._pin_flaws()]:
            raise WiringError(flaws)

    def uses(self) -> Iterator[tuple[Use, int]]:
        """Every use with its pin: ``("row 1", 0)``, ``("lights", 28)``."""
        yield from ((f"row {number}", pin) for number, pin in enumerate(self.rows, 1))
        yield from ((f"column {number}", pin) for number, pin in enumerate(self.columns, 1))
        if self.lights is not None:
            yield "lights", self.lights

    def _size_flaws(self) -> Iterator[Flaw]:
        for what, pins in (("row", self.rows), ("column", self.columns)):
            if not 1 <= len(pins) <= frames.MAX_LINES:
                yield Flaw((f"{what} 1",), f"a Pico takes 1 to {frames.MAX_LINES} {what}s, not {len(pins)}")

    def _pin_flaws(self) -> Iterator[Flaw]:
        for use, pin in self.uses():
            if pin not in frames.PINS:
                yield Flaw((use,), f"the Pico has no pin GPIO {pin}: there are 0 to 22 and 26 to 28")
        for uses, text in clashes(self.uses()):
            yield Flaw(uses, text.replace(" is wired", " of the Pico is wired"))


def pico_wiring(rows: int, columns: int) -> PicoWiring:
    """As in the building instructions: rows on GPIO 0 and up, columns on 13 and up, lights on 28 if that is free."""
    lights = 28 if columns < frames.MAX_LINES else None
    return PicoWiring(frames.DEFAULT.rows[:rows], frames.DEFAULT.columns[:columns], lights)


@dataclass
class PicoCounters:
    """Counters of the serial line. `pico_…` is what the Pico counted at its end since it started."""

    frames: int = 0
    errors: int = 0
    """Frames that came broken."""
    junk: int = 0
    """Runs of bytes outside of frames."""
    lost: int = 0
    """Messages that did not come, by their sequence numbers."""
    replugs: int = 0
    restarts: int = 0
    """Starts of the firmware on a port that stayed."""
    pico_errors: int = 0
    pico_junk: int = 0
    pico_dropped: int = 0
    """Messages that the Pico gave up, since nobody read them."""


class Conversation:
    """The protocol on one connection: bytes and times in, bytes out; it knows no port.

    ``masks`` is the newest matrix, None if there is none to be believed; ``trouble`` says what is wrong, "" while nothing is.
    """

    def __init__(self, settings: Settings, counters: PicoCounters, now: int, errors_at: int | None = None) -> None:
        """Nobody has said anything; *errors_at* is when the connection before this one had an error."""
        self.hello: Hello | None = None
        self.masks: Masks | None = None
        self.trouble = ""
        self.errors_at = errors_at
        self._settings = settings
        self._counters = counters
        self._decoder = Decoder()
        self._candidate: Masks | None = None
        self._sent = 0
        self._sequence: int | None = None
        self._nudged = False
        self._begun_at = self._heard_at = self._believed_at = self._ask_at = self._alive_at = now

    def hear(self, now: int, data: bytes) -> None:
        """Take in what came."""
        errors, junk = self._decoder.errors, self._decoder.junk
        messages = self._decoder.feed(data)
        self._counters.frames += len(messages)
        self._counters.errors += self._decoder.errors - errors
        self._counters.junk += self._decoder.junk - junk
        if (errors, junk) != (self._decoder.errors, self._decoder.junk):
            self.errors_at = now
        for kind, sequence, payload in messages:
            self._heard_at = now
            self._miss(sequence)
            self._take(now, kind, payload)
        self._look_for_trouble(now)

    def say(self, now: int) -> Iterator[bytes]:
        """What is to be sent now."""
        if now >= self._ask_at and (self.masks is None or self._in_doubt(now)):
            self._ask_at = now + (ASK_MS if self.masks is None else ASK_IN_DOUBT_MS)
            yield self.message(frames.ASK)
        if self.hello is None and not self._nudged and now - self._begun_at >= NUDGE_MS:
            self._nudged = True
            yield b"\r\n"
        if self.hello is not None and self.hello.settings != self._settings.id:
            self.hello.settings = self._settings.id  # until it says otherwise
            yield self.message(frames.SETTINGS, self._settings.pack())
        if now >= self._alive_at:
            self._alive_at = now + ALIVE_MS
            yield self.message(frames.ALIVE)

    def message(self, kind: int, payload: bytes = b"") -> bytes:
        """A message to the Pico, as bytes."""
        self._sent += 1
        return frames.encode(kind, self._sent, payload)

    def _miss(self, sequence: int) -> None:
        """Count the messages between the last one and this one."""
        if self._sequence is not None:
            gap = (sequence - self._sequence - 1) & 255
            self._counters.lost += gap if gap < 128 else 0  # else it has begun anew
        self._sequence = sequence

    def _take(self, now: int, kind: int, payload: bytes) -> None:
        if kind == frames.HELLO:
            self._meet(now, payload)
        elif kind == frames.SNAPSHOT and self.hello is not None:
            self._look_at(now, payload, self.hello)
        elif kind == frames.ALIVE and self.hello is not None:
            self._feel(now, payload, self.hello)

    def _meet(self, now: int, payload: bytes) -> None:
        hello = Hello.unpack(payload)
        if hello is None:
            return
        if hello.protocol != frames.PROTOCOL:
            self.trouble = _other_protocol(hello)
        elif self.hello is not None and hello.boot != self.hello.boot:
            self._start_again(now)
        else:
            self.hello = hello

    def _look_at(self, now: int, payload: bytes, hello: Hello) -> None:
        settings = self._settings
        masks = frames.unpack_snapshot(payload, hello.boot, settings.id, len(settings.rows), len(settings.columns))
        if masks is None:
            return
        if masks == self._candidate or not self._in_doubt(now):
            self.masks = masks
            self._believed_at = now
        self._candidate = masks

    def _feel(self, now: int, payload: bytes, hello: Hello) -> None:
        alive = frames.unpack_alive(payload)
        if alive is None:
            return
        boot, _, errors, junk, dropped = alive
        if boot != hello.boot:
            self._start_again(now)
        self._counters.pico_errors, self._counters.pico_junk, self._counters.pico_dropped = errors, junk, dropped

    def _start_again(self, now: int) -> None:
        """The firmware has started anew: it does not know yet who asks for what."""
        self._counters.restarts += 1
        self.hello = self.masks = self._candidate = None
        self._begun_at = self._ask_at = now

    def _in_doubt(self, now: int) -> bool:
        return self.errors_at is not None and now - self.errors_at < DOUBT_MS

    # ---- what goes wrong ----------------------------------------------------------

    def _look_for_trouble(self, now: int) -> None:
        prompt = self.hello is None and PROMPT.search(self._decoder.text)
        late = self.masks is None and now - self._begun_at >= PATIENCE_MS
        if not self.trouble and (prompt or late or now - self._heard_at >= SILENCE_MS):
            self.trouble = self._why_silent(now)
        elif self.masks is not None and now - self._believed_at >= STALE_MS:
            self.masks = None
            self._begun_at = now

    def _why_silent(self, now: int) -> str:
        if PROMPT.search(self._decoder.text):
            return f"the firmware is not running on the Pico{_last_words(self._decoder.text)}: flash it with `{FLASH}`"
        if self.errors_at is not None and now - self.errors_at < SILENCE_MS:
            return "the Pico cannot be understood: check its cable, and that no other program uses its port"
        if self.hello is not None and self.masks is None:
            return f"the Pico does not take the settings of the board: flash it with `{FLASH}`"
        return f"the Pico does not answer: unplug it and plug it in again, or flash it with `{FLASH}`"


class Pico:
    """A Pico with our firmware, as a :class:`underboard.hardware.board.reed_board.Scanner`. A context manager."""

    def __init__(self, ports: Ports, clock: Clock, wiring: PicoWiring, wanted: Wanted = PICO) -> None:
        """Nothing is opened before the first :meth:`scan`."""
        self.counters = PicoCounters()
        self._clock = clock
        self._link = SerialLink(ports, clock, wanted)
        self._settings = Settings(wiring.rows, wiring.columns, wiring.lights)
        self._complaint = ""
        self._connection = 0
        self._polled_at = clock.now()
        self._talk = Conversation(self._settings, self.counters, clock.now())

    @property
    def state(self) -> DeviceState:
        """Whether the board can be read."""
        if self._link.state != "ready":
            return self._link.state
        if self._talk.masks is not None:
            return "ready"
        return "fault" if self._complaint else "probing"

    @property
    def reason(self) -> str:
        """Why it cannot, in words; empty if it can."""
        if self._link.state != "ready":
            return self._link.reason
        if self._talk.masks is not None:
            return ""
        return self._complaint or "the Pico has been asked who it is"

    @property
    def hello(self) -> Hello | None:
        """What the firmware has said of itself."""
        return self._talk.hello

    def scan(self) -> Masks | None:
        """The newest matrix, one mask a row; None while there is none to be had."""
        now = self._clock.now()
        data = self._link.read()
        if self._link.connections != self._connection or now - self._polled_at > AWAY_MS:
            self._begin(now)
            data = b""
        self._polled_at = now
        if self._link.state == "ready":
            self._talk.hear(now, data)
        if self._link.state == "ready" and self._talk.trouble:
            self._complaint = self._talk.trouble
            self._link.drop(self._complaint)
        return self._answer(now)

    def _answer(self, now: int) -> Masks | None:
        if self._link.state != "ready":
            self._talk.masks = None
            self._complaint = "" if self._link.state == "absent" else self._complaint
            return None
        if self._talk.masks is not None:
            self._complaint = ""
            self._link.worked()
        for message in self._talk.say(now):
            self._link.write(message)
        return self._talk.masks

    def _begin(self, now: int) -> None:
        """Whoever is at the other end has to say hello first."""
        self._connection = self._link.connections
        self.counters.replugs = max(0, self._connection - 1)
        self._talk = Conversation(self._settings, self.counters, now, self._talk.errors_at)

    def light(self, sensors: Iterable[Cell], colour: tuple[int, int, int]) -> bool:
        """Light the lights of these sensors and no others in a colour (red, green, blue, 0 to 255); whether the Pico was told.

        After a replug all are dark.
        """
        if self._settings.lights is None:
            return False
        masks = [0] * len(self._settings.rows)
        for row, column in sensors:
            masks[row - 1] |= 1 << (column - 1)
        return self._link.write(self._talk.message(frames.LIGHTS, bytes(colour) + frames.pack_masks(masks)))

    def close(self) -> None:
        """Let the port go; closing twice does no harm."""
        self._link.close()
        self._talk.masks = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _other_protocol(hello: Hello) -> str:
    remedy = f"flash it anew with `{FLASH}`" if hello.protocol < frames.PROTOCOL else "update Underboard"
    return (
        f"the firmware {hello.version[0]}.{hello.version[1]} of the Pico speaks protocol {hello.protocol},"
        f" this program {frames.PROTOCOL}: {remedy}"
    )


def _last_words(text: bytes) -> str:
    """The error with which a program ended at the prompt, if it shows one."""
    errors = re.findall(rb"^(?!SyntaxError)(\w+(?:Error|Exception|Interrupt)\b[^\r\n]*)", text, re.MULTILINE)
    return f" ({errors[-1].decode('ascii', 'replace')})" if errors else ""
