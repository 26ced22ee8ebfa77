"""The protocol of a PN532 on its serial line (HSU): the chip answers only when asked, and sleeps until woken.

    asleep       wake-up bytes and SAMConfiguration     answered: configured
    configured   how often to look for a card, once     answered: polling
    polling      InListPassiveTarget, again and again   a card, or none

After power-up, or a power-down by whoever had it before, the chip is deaf: the first byte only wakes it and is lost. So
the way out of every silence is to wake it and set it up anew. Time is handed in, in ms; bytes come in and go out.
"""

from __future__ import annotations

from underboard.hardware.cards.frames import ChipFrames, Counters, Tag, chip_frame, target_tag

SAM_CONFIGURATION, RF_CONFIGURATION, IN_LIST_PASSIVE_TARGET = 0x14, 0x32, 0x4A
WAKE_UP = b"\x55\x55" + bytes(14)
"""Enough to be heard while the chip's clock starts."""
NORMAL_MODE = bytes([SAM_CONFIGURATION, 0x01, 0x14, 0x01])
LOOK_ONCE = bytes([RF_CONFIGURATION, 0x05, 0xFF, 0x01, 0x01])
"""Without it the chip waits for a card for ever, and nobody can tell that from a dead one."""
ONE_TYPE_A = bytes([IN_LIST_PASSIVE_TARGET, 0x01, 0x00])

ANSWER_MS = 150
"""A card is found, or not, within some 30 ms."""
POLL_MS = 60


class Pn532:
    """One chip. Send what `due` says and give what comes to `feed`; both are quick."""

    def __init__(self, counters: Counters) -> None:
        self.silences = 0
        """How often in a row it has not answered."""
        self._counters = counters
        self._frames = ChipFrames(counters)
        self._command = NORMAL_MODE
        self._sent_at: int | None = None
        self._next_at = 0

    @property
    def awake(self) -> bool:
        """Whether it has answered since it was last woken."""
        return self._command != NORMAL_MODE

    def due(self, now: int) -> bytes:
        """What has to be sent now, mostly nothing."""
        if self._sent_at is not None and now - self._sent_at >= ANSWER_MS:
            self._give_up()
        if self._sent_at is not None or now < self._next_at:
            return b""
        self._sent_at = now
        frame = chip_frame(self._command)
        return frame if self.awake else WAKE_UP + frame

    def feed(self, data: bytes, now: int) -> list[Tag]:
        """The tags that these bytes tell of."""
        answers = [content for content in self._frames.feed(data) if content]
        return [tag for answer in answers if (tag := self._take(answer, now))]

    def _take(self, answer: bytes, now: int) -> Tag:
        """An answer to the command that was sent; others come too late to be of use."""
        if self._sent_at is None or answer[0] != self._command[0] + 1:
            return ""
        self._sent_at, self.silences = None, 0
        if self._command == ONE_TYPE_A:
            self._next_at = now + POLL_MS
            return target_tag(answer, self._counters)
        self._command = LOOK_ONCE if self._command == NORMAL_MODE else ONE_TYPE_A
        return ""

    def _give_up(self) -> None:
        """No answer: whatever the reason, begin anew."""
        self._frames.forget()
        self._command, self._sent_at = NORMAL_MODE, None
        self.silences += 1
