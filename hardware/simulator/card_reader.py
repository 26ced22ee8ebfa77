"""A card reader one can lay cards on, behind a simulated port: RDM6300, ID-12LA or PN532, in virtual time.

The RDM6300 and the ID-12LA talk by themselves, at 9600 baud. The PN532 talks at 115200 when it is asked, and only once it has
been woken: a chip that has just got its power, or that the program before has put to sleep, hears nothing but the wake-up
bytes. Whoever talks at the wrong speed gets mangled bytes, or no answer.
"""

from __future__ import annotations

from collections.abc import Callable

from underboard.hardware.cards.frames import ACK, FROM_CHIP, TELL_ONCE, TO_CHIP, ChipFrames, Counters, Tag, chip_frame, tag_frame
from underboard.hardware.cards.pn532 import IN_LIST_PASSIVE_TARGET, RF_CONFIGURATION, SAM_CONFIGURATION
from underboard.hardware.core.clock import Clock
from underboard.hardware.core.parts import ReaderKind
from underboard.hardware.simulator.serial_port import SimulatedPort, SimulatedPorts

FRAME_MS = 65
ANSWER_MS = 4
LOOK_MS = 25
"""How long a PN532 looks for a card."""
WAKE_UP = 0x55


class SimulatedReader:
    """A reader of some *kind*; it is not plugged in yet.

    ``hears`` is false while a PN532 has no power of its own; ``line`` is what the wire makes of the bytes sent to the computer.
    """

    def __init__(self, ports: SimulatedPorts, clock: Clock, kind: ReaderKind = "rdm6300", name: str = "ttyUSB0") -> None:
        self.kind: ReaderKind = kind
        self.hears = True
        self.line: Callable[[bytes], bytes] = bytes
        self._clock = clock
        self._port = SimulatedPort(ports, name, vid=0x0403, pid=0x6001, serial_number="A50285BI", description="FT232R USB UART")
        self._port.device = self._work
        self._tag: Tag = ""
        self._frame_at = 0
        self._awake = False
        self._commands = ChipFrames(Counters(), TO_CHIP)
        self._outbox: list[tuple[int, bytes]] = []

    # ---- hands --------------------------------------------------------------------

    @property
    def plugged(self) -> bool:
        """Whether it has power and a computer."""
        return self._port.plugged

    def plug(self, name: str | None = None) -> None:
        """Plug it in, under another *name* if one is given; ValueError if it is plugged in."""
        self._port.plug(name)
        self._awake = False
        self._frame_at = self._clock.now()
        self._outbox.clear()

    def unplug(self) -> None:
        """Pull its plug; pulling it twice does no harm."""
        self._port.unplug()

    @property
    def tag(self) -> Tag:
        """The card that lies on it; "" if there is none."""
        return self._tag

    def lay(self, tag: Tag) -> None:
        """Lay a card on it; ValueError if one lies there."""
        if self._tag:
            raise ValueError("a card lies on the reader already")
        self._tag, self._frame_at = tag, self._clock.now()

    def take_away(self) -> None:
        """Take the card away; without one nothing happens."""
        self._work()
        self._tag = ""

    # ---- faults -------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Noise: these bytes reach the computer now. ValueError if the reader is not plugged in."""
        if not self.plugged:
            raise ValueError("the reader is not plugged in")
        self._port.send(data)

    def power_down(self) -> None:
        """What a program may do to a PN532 before it ends: from now on it is deaf."""
        self._awake = False

    # ---- the device ---------------------------------------------------------------

    def _work(self) -> None:
        """Do what is due by now."""
        if self.kind == "pn532":
            self._obey(self._port.receive())
        else:
            self._port.receive()
            self._tell(self.kind)
        due = [data for at, data in self._outbox if at <= self._clock.now()]
        del self._outbox[: len(due)]
        for data in due:
            self._port.send(self.line(data))

    def _tell(self, kind: ReaderKind) -> None:
        """Frames of the card that lies there: a stream, or a single one."""
        while self._tag and self._frame_at <= self._clock.now():
            frame = tag_frame(self._tag, kind)
            self._outbox.append((self._frame_at, frame if self._port.baudrate == 9_600 else mangled(frame)))
            self._frame_at += 1 << 62 if kind in TELL_ONCE else FRAME_MS

    def _obey(self, data: bytes) -> None:
        """A PN532 hears commands, if it is awake and they come at its speed."""
        if self._port.baudrate != 115_200 or not self.hears:
            return
        if not self._awake and data[:1] == bytes([WAKE_UP]):
            self._awake = True
            self._commands.forget()
        for command in self._commands.feed(data) if self._awake else ():
            if command:
                self._answer(command)

    def _answer(self, command: bytes) -> None:
        """Acknowledge at once, answer when it is done."""
        uid = bytes.fromhex(self._tag)
        takes: dict[int, tuple[int, Callable[[], bytes]]] = {
            SAM_CONFIGURATION: (ANSWER_MS, lambda: b""),
            RF_CONFIGURATION: (ANSWER_MS, lambda: b""),
            IN_LIST_PASSIVE_TARGET: (LOOK_MS, lambda: found(uid)),
        }
        if command[0] in takes:
            ms, answer = takes[command[0]]
            content = bytes([command[0] + 1]) + answer()
            now = self._clock.now()
            self._outbox += [(now, ACK), (now + ms, chip_frame(content, FROM_CHIP))]


def found(uid: bytes) -> bytes:
    """The part of an answer that says which card is there: a MIFARE Classic, an NTAG, or none."""
    return bytes([1, 1, 0x00, 0x44 if len(uid) > 4 else 0x04, 0x00 if len(uid) > 4 else 0x08, len(uid)]) + uid if uid else b"\x00"


def mangled(data: bytes) -> bytes:
    """What arrives at twelve times the speed: other bytes, and more of them."""
    return b"".join(bytes([0xE0, byte ^ 0xF8, 0x00]) for byte in data)
