"""Decodes the frames of card readers: bytes in, tags out; nothing here knows a port or a clock.

    RDM6300   STX, 10 hex digits, 2 of checksum, ETX              again and again, every 65 ms, while a card lies there
    ID-12LA   STX, 10 hex digits, 2 of checksum, CR, LF, ETX      once when a card comes
    PN532     00 00 FF, length, its complement, data, checksum    only when asked

The first two need no telling which it is, their ends differ. The checksum is the XOR of all five bytes: whoever leaves
one out refuses good cards, and all zeros pass it. No tag is all zeros. A decoder never gives up: what is no frame is
skipped from its first byte on, so a cut frame costs nothing but itself.

A tag is its bytes in hex digits. PN532 tags have 4, 7 or 10 bytes, the others 5, so readers cannot be mixed up either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from underboard.hardware.core.parts import ReaderKind

Tag = str

STX = 0x02
DIGITS = 12
ENDS: dict[ReaderKind, bytes] = {"rdm6300": b"\x03", "id12la": b"\r\n\x03"}
TELL_ONCE: frozenset[ReaderKind] = frozenset({"id12la"})
"""Readers that speak only when a card comes; all others say again and again that it lies there, and so when it is gone."""
HEX = frozenset(b"0123456789ABCDEFabcdef")

START = b"\x00\xff"
ACK = b"\x00\x00\xff\x00\xff\x00"
TO_CHIP, FROM_CHIP = 0xD4, 0xD5
LONGEST = 64
"""Bytes of the longest answer: a tag with all that a card may tell of itself. A length beyond it is a garbled one."""
UID_LENGTHS = (4, 7, 10)


class Heard(NamedTuple):
    """A tag that a reader has reported."""

    tag: Tag
    kind: ReaderKind


@dataclass
class Counters:
    """How many frames were good and bad; `junk` counts bytes that belonged to no frame."""

    frames: int = 0
    bad: int = 0
    zero: int = 0
    junk: int = 0


class TagFrames:
    """Decodes RDM6300 and ID-12LA."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Heard]:
        """What the frames say that end in *data*."""
        self._buffer += data
        heard = []
        while self._skip_junk():
            kind = self._kind()
            if kind is None:
                break
            if kind and (tag := self._tag()):
                heard.append(Heard(tag, kind))
            del self._buffer[: DIGITS + 1 + len(ENDS[kind]) if kind else 1]
        return heard

    def _skip_junk(self) -> bool:
        """Drop what stands before the first STX; whether there is one."""
        start = self._buffer.find(STX)
        junk = len(self._buffer) if start < 0 else start
        self._counters.junk += junk
        del self._buffer[:junk]
        return start >= 0

    def _kind(self) -> ReaderKind | Literal[""] | None:
        """Whose frame the buffer begins with; "" if it is none, None if that cannot be said yet."""
        digits, end = self._buffer[1 : DIGITS + 1], bytes(self._buffer[DIGITS + 1 :])
        if HEX.issuperset(digits):
            for kind, wanted in ENDS.items():
                if end.startswith(wanted):
                    return kind
            if len(digits) < DIGITS or any(wanted.startswith(end) for wanted in ENDS.values()):
                return None
        self._counters.bad += 1
        return ""

    def _tag(self) -> Tag:
        """The tag in a frame of the right shape; "" if it cannot be believed."""
        *data, checksum = bytes.fromhex(self._buffer[1 : DIGITS + 1].decode())
        if xor(data) != checksum:
            self._counters.bad += 1
            return ""
        return counted(bytes(data), self._counters)


def xor(data: list[int] | bytes) -> int:
    """All bytes combined."""
    result = 0
    for byte in data:
        result ^= byte
    return result


def counted(data: bytes, counters: Counters) -> Tag:
    """The tag of these bytes, which go into the counters; "" for all zeros."""
    if not any(data):
        counters.zero += 1
        return ""
    counters.frames += 1
    return data.hex().upper()


def tag_frame(tag: Tag, kind: ReaderKind) -> bytes:
    """What an RDM6300 or ID-12LA sends for a tag of ten digits."""
    data = bytes.fromhex(tag)
    return b"\x02" + f"{data.hex()}{xor(data):02x}".upper().encode() + ENDS[kind]


class ChipFrames:
    """Decodes the frames of a PN532, in either direction: *sender* is the byte its data begin with."""

    def __init__(self, counters: Counters, sender: int = FROM_CHIP) -> None:
        self._counters = counters
        self._sender = sender
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The contents of the frames that end in *data*, without the sender's byte; b"" is an acknowledgement."""
        self._buffer += data
        found = []
        while self._skip_junk():
            content = self._content()
            if content is None:
                break
            if isinstance(content, bytes):
                found.append(content)
        return found

    def forget(self) -> None:
        """Drop the beginning of a frame whose end did not come in time."""
        self._counters.junk += len(self._buffer)
        self._buffer.clear()

    def _skip_junk(self) -> bool:
        """Drop what stands before the first start code; whether there is one."""
        start = self._buffer.find(START)
        if start < 0:
            start = len(self._buffer) - self._buffer.endswith(START[:1])
        # Frames have zeros around them, and waking the chip makes more.
        self._counters.junk += sum(byte != 0 for byte in self._buffer[:start])
        del self._buffer[:start]
        return len(self._buffer) > len(START)

    def _content(self) -> bytes | Literal["bad"] | None:
        """Takes a frame from the buffer; None if its end is still to come."""
        length, *rest = self._buffer[2:]
        if not rest:
            return None
        if (length, rest[0]) == (0x00, 0xFF):
            del self._buffer[:4]
            return b""
        if (length + rest[0]) % 256 or not 2 <= length <= LONGEST:
            return self._refuse()
        if len(rest) < length + 2:
            return None
        data, checksum = bytes(rest[1 : length + 1]), rest[length + 1]
        if data[0] != self._sender or (sum(data) + checksum) % 256:
            return self._refuse()
        del self._buffer[: length + 5]
        return data[1:]

    def _refuse(self) -> Literal["bad"]:
        self._counters.bad += 1
        del self._buffer[: len(START)]
        return "bad"


def chip_frame(content: bytes, sender: int = TO_CHIP) -> bytes:
    """A frame for a PN532, or with the other *sender* from one."""
    data = bytes([sender]) + content
    return b"\x00\x00\xff" + bytes([len(data), -len(data) % 256]) + data + bytes([-sum(data) % 256, 0])


def target_tag(content: bytes, counters: Counters) -> Tag:
    """The tag in the answer to InListPassiveTarget; "" if there is no card or none to be believed.

    It is 4B, the number of cards, then the first one: its number, two bytes and one of its kind, length and UID.
    """
    if content[1:2] != b"\x01":
        return ""
    length = content[6] if len(content) > 6 else 0
    uid = content[7 : 7 + length]
    if length not in UID_LENGTHS or len(uid) < length:
        counters.bad += 1
        return ""
    return counted(uid, counters)
