"""The driver of card readers: which tagged card lies there. It raises nothing; a reader that is absent is a state.

What kind of reader it is nobody has to say. A PN532 answers when it is asked, at 115200 baud; the others speak at 9600 when
a card comes, and are silent before:

    state      meaning                                          how it goes on
    absent     no reader is plugged in                          looked for twice a second
    probing    it is asked whether it is a PN532                it answers, or not: ready
    ready      a card can be laid down                          unplugged: absent; a PN532 that falls silent: probing, fault
    fault      the port cannot be used, or a PN532 is deaf      woken and set up again and again

Until something was heard at 9600 baud the question is put again every few seconds: a PN532 may have got its power later.

A card is there when its frame has come twice in a row, since noise makes a valid frame now and then, and it is gone when
nothing was heard of it for a while. An ID-12LA tells of a card only once: a tag that is known counts at once then, for
noise does not hit upon one of a few dozen among a million millions, and a new one has to be laid down twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import ClassVar, Self

from underboard.hardware.cards.frames import TELL_ONCE, Counters, Heard, Tag, TagFrames
from underboard.hardware.cards.pn532 import Pn532
from underboard.hardware.core.clock import Clock
from underboard.hardware.core.health import DeviceState
from underboard.hardware.core.parts import ReaderKind
from underboard.hardware.system.serial_ports import Ports, SerialLink, Wanted

POLL_MS = 20
USB_ADAPTERS = ((0x0403, 0x6001), (0x0403, 0x6015), (0x1A86, 0x7523), (0x1A86, 0x55D4), (0x10C4, 0xEA60), (0x067B, 0x2303))
"""FT232R, FT231X, CH340, CH9102, CP210x, PL2303: what readers are sold with."""
READER = Wanted("the card reader", USB_ADAPTERS)

SLOW, FAST = 9_600, 115_200
ASKS = 2
"""How often a PN532 is asked before the reader is taken for one that only speaks."""
ASK_AGAIN_MS = 5_000
DEAF = 3
"""Silences of a PN532 in a row that are a fault."""
GONE_MS = 400
"""Frames come every 65 ms, and one or two may be lost."""
ONCE_GONE_MS = 2_000
"""How long a card is taken to lie on a reader that tells only of its coming."""
AGAIN_MS = 10_000
"""Within this a new card has to be laid on such a reader for the second time."""


@dataclass(frozen=True)
class CardSeen:
    """A card has been laid on the reader."""

    tag: Tag
    kind: ClassVar[str] = "seen"


@dataclass(frozen=True)
class CardGone:
    """The card has been taken away."""

    tag: Tag
    kind: ClassVar[str] = "gone"


CardEvent = CardSeen | CardGone


class Presence:
    """Which card lies there, from frames in the course of time."""

    def __init__(self, known: Callable[[Tag], bool]) -> None:
        """*known* tells the tags of the deck."""
        self.tag: Tag = ""
        self.phantoms = 0
        """Tags that were heard only once."""
        self._known = known
        self._heard_at = 0
        self._gone_ms = GONE_MS
        self._doubted: Heard | None = None
        self._doubted_at = 0

    @property
    def doubted(self) -> Tag:
        """The tag that has to be heard once more; "" if there is none."""
        return self._doubted.tag if self._doubted else ""

    def hear(self, heard: Heard, now: int) -> list[CardEvent]:
        """A frame has come."""
        if heard.tag == self.tag and now - self._heard_at <= GONE_MS:
            self._doubt(None, now)
            self._heard_at = now
            return []
        if not self._believable(heard, now):
            self._doubt(heard, now)
            return []
        self._doubted = None
        gone = self.leave()
        self.tag, self._heard_at = heard.tag, now
        self._gone_ms = ONCE_GONE_MS if heard.kind in TELL_ONCE else GONE_MS
        return [*gone, CardSeen(heard.tag)]

    def pass_time(self, now: int) -> list[CardEvent]:
        """Nothing has come."""
        if self._doubted and now - self._doubted_at > patience(self._doubted.kind):
            self._doubt(None, now)
        return self.leave() if now - self._heard_at > self._gone_ms else []

    def leave(self) -> list[CardEvent]:
        """Whatever lay there lies there no more."""
        tag, self.tag = self.tag, ""
        return [CardGone(tag)] if tag else []

    def _believable(self, heard: Heard, now: int) -> bool:
        if heard.kind in TELL_ONCE and self._known(heard.tag):
            return True
        return heard == self._doubted and now - self._doubted_at <= patience(heard.kind)

    def _doubt(self, heard: Heard | None, now: int) -> None:
        """This frame needs a second one; what was doubted before has not got one."""
        self.phantoms += self._doubted is not None
        self._doubted, self._doubted_at = heard, now


def patience(kind: ReaderKind) -> int:
    """How long the second frame of a tag may take to come."""
    return AGAIN_MS if kind in TELL_ONCE else GONE_MS


class CardReader:
    """A reader that may not be there, of whatever kind; `poll` it every ``POLL_MS``, `close` it, or use it in `with`."""

    def __init__(self, ports: Ports, clock: Clock, wanted: Wanted = READER, known: Callable[[Tag], bool] = lambda tag: False) -> None:
        """*known* tells the tags of the deck."""
        self.kind: ReaderKind | None = None
        """What kind of reader it is, once it has spoken."""
        self._clock = clock
        self._link = SerialLink(ports, clock, wanted, FAST)
        self._counters = Counters()
        self._presence = Presence(known)
        self._connections = 0
        self._begin()

    def _begin(self) -> None:
        """A port has been opened, perhaps with another reader behind it."""
        self.kind = None
        self._frames = TagFrames(self._counters)
        self._listened = False
        self._speak_to_chip()

    @property
    def state(self) -> DeviceState:
        """Whether cards can be laid down."""
        if self._link.state != "ready":
            return self._link.state
        if self._chip is None or self._listened:
            return "ready"
        if self._chip.silences >= DEAF:
            return "fault"
        return "ready" if self.kind == "pn532" else "probing"

    @property
    def reason(self) -> str:
        """Why it is not ready, in words; empty if it is."""
        if self._link.state != "ready" or self.state == "ready":
            return self._link.reason
        if self.state == "fault":
            return "the PN532 does not answer: check its wires, and that its switches say HSU"
        return "it is asked what kind of reader it is"

    @property
    def tag(self) -> Tag:
        """The card that lies there; "" if there is none."""
        return self._presence.tag

    @property
    def doubted(self) -> Tag:
        """A tag that was heard once and has to be heard again."""
        return self._presence.doubted

    @property
    def counters(self) -> dict[str, int]:
        """Frames and what was wrong with some, tags that were heard only once, lost connections."""
        return {**asdict(self._counters), "phantoms": self._presence.phantoms, "replugs": self._link.losses}

    def poll(self) -> list[CardEvent]:
        """What has happened since the last poll; never waits."""
        now = self._clock.now()
        data = self._link.read()
        if self._link.state != "ready":
            return self._presence.leave()
        if self._link.connections != self._connections:
            self._connections = self._link.connections
            self._begin()
        events = [event for heard in self._hear(data, now) for event in self._presence.hear(heard, now)]
        self._ask(now)
        return events + self._presence.pass_time(now)

    def close(self) -> None:
        """Let the port go; closing twice does no harm."""
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _hear(self, data: bytes, now: int) -> list[Heard]:
        """The tags in what the reader has sent."""
        if self._chip is None:
            heard = self._frames.feed(data)
        else:
            heard = [Heard(tag, "pn532") for tag in self._chip.feed(data, now)]
            if self._chip.awake:
                self.kind, self._listened = "pn532", False
        if heard:
            self.kind = heard[-1].kind
            self._link.worked()
        return heard

    def _ask(self, now: int) -> None:
        """A PN532 is asked for cards, and one that does not answer may be none."""
        if self._chip is None:
            if self.kind is None and now - self._asked_at >= ASK_AGAIN_MS:
                self._speak_to_chip()
            return
        question = self._chip.due(now)
        if self.kind != "pn532" and self._chip.silences >= (1 if self._listened else ASKS):
            self._listen()
        elif question:
            self._link.write(question)

    def _speak_to_chip(self) -> None:
        self._chip: Pn532 | None = Pn532(self._counters)
        self._asked_at = self._clock.now()
        self._link.set_speed(FAST)

    def _listen(self) -> None:
        self._chip, self._listened = None, True
        self._link.set_speed(SLOW)
