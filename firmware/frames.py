"""The wire format between the Pico and its host: the same file on CPython and MicroPython.

A message is packed as

    length   1 byte, of the payload
    sequence 1 byte, counts the sender's messages
    kind     1 byte
    payload  0 to 64 bytes
    CRC      2 bytes, CRC-16/CCITT of all of the above, high byte first

and goes over the wire behind a START byte. START, ESCAPE and the control characters 1 to 5 never stand for themselves:
they are sent as ESCAPE and the byte with one bit flipped. So a START always begins a frame, which is how a reader finds
back after garbage, and no frame holds 3, the Ctrl-C that would interrupt MicroPython, nor one of the other keys that
change the mode of its prompt.

Numbers of more than one byte are sent high byte first. A matrix is sent as one 16-bit mask a row, bit 0 for column 1.
"""

import struct

PROTOCOL = 1
"""Two ends that do not agree on this number do not understand each other."""
VERSION = (1, 0)
"""Of the firmware: told to people, of no other account."""

START = 0x7E
ESCAPE = 0x7D
FLIP = 0x20
SPECIAL = frozenset((START, ESCAPE, 1, 2, 3, 4, 5))
MAX_PAYLOAD = 64
OVERHEAD = 5
TEXT_BYTES = 400

# To the Pico
ASK = 0x3F  # "?": who are you?
SETTINGS = 0x53  # "S"
LIGHTS = 0x4C  # "L"
STOP = 0x52  # "R": back to the REPL
# From the Pico
HELLO = 0x48  # "H"
SNAPSHOT = 0x42  # "B": the board
# Both ways
ALIVE = 0x41  # "A"

MAX_LINES = 13
PINS = tuple(range(23)) + (26, 27, 28)
"""The GPIO numbers that the Pico's edge offers; the others belong to its own power supply and LED."""
NO_PIN = 255

_CRC_OF_NIBBLE = tuple(0x1021 * nibble for nibble in range(16))


def crc16(data: "bytes | bytearray") -> int:
    """CRC-16/CCITT (polynomial 0x1021, start 0xFFFF)."""
    table = _CRC_OF_NIBBLE  # a local name is quicker
    crc = 0xFFFF
    for byte in data:
        crc = (crc << 4 & 0xFFFF) ^ table[crc >> 12 ^ byte >> 4]
        crc = (crc << 4 & 0xFFFF) ^ table[crc >> 12 ^ byte & 15]
    return crc


def encode(kind: int, sequence: int, payload: bytes = b"") -> bytes:
    """A message as it goes over the wire; of *sequence* the low byte counts. ValueError if the payload is too long."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("a payload has at most 64 bytes")
    content = bytes((len(payload), sequence & 255, kind)) + payload
    content += struct.pack(">H", crc16(content))
    wire = bytearray((START,))
    for byte in content:
        if byte in SPECIAL:
            wire.append(ESCAPE)
            byte ^= FLIP
        wire.append(byte)
    return bytes(wire)


class Decoder:
    """Finds the messages in a stream of bytes that may hold anything else too.

    It counts ``frames``, ``errors`` (frames that are broken) and ``junk`` (runs of bytes outside of frames, like the AT
    commands of a modem manager), and keeps the last such bytes in ``text``, for whoever wants to know what they were.
    """

    def __init__(self) -> None:
        """At the beginning of a stream, or in its middle."""
        self.frames = 0
        self.errors = 0
        self.junk = 0
        self.text = b""
        self._content = bytearray()
        self._inside = False
        self._escaped = False
        self._in_junk = False

    def feed(self, data: bytes) -> "list[tuple[int, int, bytes]]":
        """The messages that end in *data*, as (kind, sequence, payload)."""
        messages = []
        for byte in data:
            if byte == START:
                self._begin()
            elif not self._inside:
                self._outside(byte)
            elif self._unescape(byte):
                message = self._end()
                if message:
                    messages.append(message)
        return messages

    def _begin(self) -> None:
        """A frame begins, whatever there was before."""
        if self._inside:
            self._break()
        self._inside = True
        self._escaped = False
        self._in_junk = False
        self._content = bytearray()

    def _outside(self, byte: int) -> None:
        if not self._in_junk:
            self._in_junk = True
            self.junk += 1
        self.text = (self.text + bytes((byte,)))[-TEXT_BYTES:]

    def _unescape(self, byte: int) -> bool:
        """Takes in a byte of a frame; whether the content has grown by it."""
        if byte == ESCAPE and not self._escaped:
            self._escaped = True
            return False
        if self._escaped:
            byte ^= FLIP
        if self._escaped != (byte in SPECIAL):
            self._break()
            return False
        self._escaped = False
        self._content.append(byte)
        return True

    def _end(self) -> "tuple[int, int, bytes] | None":
        """The message, if the content is whole."""
        content = self._content
        if content[0] > MAX_PAYLOAD:
            self._break()
            return None
        if len(content) < content[0] + OVERHEAD:
            return None
        if crc16(content[:-2]) != content[-2] << 8 | content[-1]:
            self._break()
            return None
        self._inside = False
        self.frames += 1
        return content[2], content[1], bytes(content[3:-2])

    def _break(self) -> None:
        """The frame is broken. What is left of it is not junk of its own, but may be text that only looked like a frame."""
        self._inside = False
        self._in_junk = True
        self.errors += 1
        self.text = (self.text + bytes(self._content))[-TEXT_BYTES:]


class Hello:
    """The Pico says who it is."""

    def __init__(self, boot: int, settings: int, rows: int, columns: int, board: bytes) -> None:
        """*boot*: a random number of this start; *settings*: see :attr:`Settings.id`; *board*: the chip's unique id."""
        self.protocol = PROTOCOL
        self.version = VERSION
        self.boot = boot
        self.settings = settings
        self.rows = rows
        self.columns = columns
        self.board = board

    def pack(self) -> bytes:
        """As payload. The protocol and the version stay first in every protocol to come."""
        head = (self.protocol, self.version[0], self.version[1], self.boot, self.settings, self.rows, self.columns)
        return struct.pack(">BBBIHBB", *head) + self.board

    @staticmethod
    def unpack(payload: bytes) -> "Hello | None":
        """From a payload; of another protocol only that and the version are read. None if it cannot be one."""
        if len(payload) < 3:
            return None
        hello = Hello(0, 0, 0, 0, b"")
        hello.protocol = payload[0]
        hello.version = (payload[1], payload[2])
        if hello.protocol == PROTOCOL:
            if len(payload) < 11:
                return None
            hello.boot, hello.settings, hello.rows, hello.columns = struct.unpack(">IHBB", payload[3:11])
            hello.board = payload[11:]
        return hello


class Settings:
    """What the host decides: the pins of rows and columns, of the lights if there are any, and how often to scan."""

    def __init__(self, rows: "tuple[int, ...]", columns: "tuple[int, ...]", lights: "int | None" = None, period: int = 4) -> None:
        """GPIO numbers; *period* in ms."""
        self.rows = rows
        self.columns = columns
        self.lights = lights
        self.period = period

    @property
    def id(self) -> int:
        """Tells settings apart: snapshots say with it which they belong to."""
        return crc16(self.pack())

    def pack(self) -> bytes:
        """As payload."""
        lights = NO_PIN if self.lights is None else self.lights
        return bytes((self.period, lights, len(self.rows), len(self.columns)) + self.rows + self.columns)

    @staticmethod
    def unpack(payload: bytes) -> "Settings | None":
        """From a payload; None if they are not usable."""
        if len(payload) < 4 or len(payload) != 4 + payload[2] + payload[3]:
            return None
        rows, columns = payload[4 : 4 + payload[2]], payload[4 + payload[2] :]
        settings = Settings(tuple(rows), tuple(columns), None if payload[1] == NO_PIN else payload[1], payload[0])
        return settings if settings.usable() else None

    def usable(self) -> bool:
        """Whether there are 1 to 13 rows and columns, a period, and a pin of its own for each."""
        used = self.rows + self.columns + (() if self.lights is None else (self.lights,))
        sizes = 1 <= len(self.rows) <= MAX_LINES and 1 <= len(self.columns) <= MAX_LINES
        return sizes and 1 <= self.period <= 255 and len(set(used)) == len(used) and all(pin in PINS for pin in used)


DEFAULT = Settings(PINS[:13], PINS[13:])
"""13 x 13 on all pins: rows on GPIO 0 to 12, columns on 13 to 22 and 26 to 28."""


def pack_masks(masks: "list[int] | tuple[int, ...]") -> bytes:
    """A matrix as bytes."""
    return b"".join([struct.pack(">H", mask) for mask in masks])


def unpack_masks(data: bytes) -> "tuple[int, ...]":
    """A matrix from bytes, of which there must be an even number."""
    return struct.unpack(f">{len(data) // 2}H", data)


def pack_snapshot(boot: int, settings: int, masks: "list[int] | tuple[int, ...]") -> bytes:
    """The whole matrix as payload, with the start and the settings it belongs to."""
    return struct.pack(">IH", boot, settings) + pack_masks(masks)


def unpack_snapshot(payload: bytes, boot: int, settings: int, rows: int, columns: int) -> "tuple[int, ...] | None":
    """The masks, if the payload is a snapshot of this start, these settings and this size; else None."""
    if len(payload) != 6 + 2 * rows or struct.unpack(">IH", payload[:6]) != (boot, settings):
        return None
    masks = unpack_masks(payload[6:])
    return None if any(mask >> columns for mask in masks) else masks


def pack_alive(boot: int, uptime: int, errors: int, junk: int, dropped: int) -> bytes:
    """The Pico's heartbeat as payload: its start, how long it runs (s), and what it has counted so far."""
    return struct.pack(">IIHHH", boot, uptime, errors & 0xFFFF, junk & 0xFFFF, dropped & 0xFFFF)


def unpack_alive(payload: bytes) -> "tuple[int, int, int, int, int] | None":
    """What :func:`pack_alive` was given; None if it cannot be one."""
    if len(payload) != 14:
        return None
    boot, uptime, errors, junk, dropped = struct.unpack(">IIHHH", payload)
    return boot, uptime, errors, junk, dropped
