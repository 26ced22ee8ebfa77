"""The firmware's own files under a real MicroPython, the unix port, over a pseudo-terminal with pyserial."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
import serial

from underboard import firmware
from underboard.firmware import frames
from underboard.firmware.frames import Decoder
from underboard.hardware.board.pico import Pico, pico_wiring
from underboard.hardware.core.clock import RealClock
from underboard.hardware.system.serial_ports import OPTIONS, Port, PortInfo

PROJECT = Path(firmware.__file__).parents[1]
MICROPYTHON = shutil.which("micropython", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}") or ""
START_S = 20
"""A busy computer may need that long to start a process; it is over as soon as it has."""

pytestmark = pytest.mark.skipif(not MICROPYTHON, reason="there is a MicroPython on PyPI for x86-64 only")


# ---- the wire format ------------------------------------------------------------------

DIALOGUE = """
import sys
sys.path.insert(0, sys.argv[1])
from firmware.frames import Decoder, Settings, encode, pack_masks, unpack_masks
decoder = Decoder()
for line in sys.stdin:
    what, data = line.split()
    data = bytes.fromhex(data)
    if what == "encode":
        print(encode(data[0], data[1], data[2:]).hex())
    else:
        print(repr([(kind, sequence, payload.hex()) for kind, sequence, payload in decoder.feed(data)]))
print(decoder.frames, decoder.errors, decoder.junk, decoder.text.hex())
print(Settings((0, 1), (13, 28), 22, 9).id, pack_masks((1, 0x1fff)).hex(), unpack_masks(bytes(range(4))))
"""


def test_both_pythons_agree_on_every_frame() -> None:
    random = Random(3)
    messages = [random.randbytes(2 + random.randrange(65)) for _ in range(200)]
    encoded = [frames.encode(message[0], message[1], message[2:]) for message in messages]
    stream = [wire + random.randbytes(random.choice((0, 0, 1, 9))) for wire in encoded]
    stream += [wire[: random.randrange(1, len(wire) + 1)] for wire in encoded]
    stream += [bytes(byte ^ (random.random() < 0.02) for byte in wire) for wire in encoded]
    lines = [f"encode {message.hex()}" for message in messages] + [f"decode {piece.hex()}" for piece in stream]
    command = [MICROPYTHON, "-c", DIALOGUE, str(PROJECT)]
    answer = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()
    assert answer[:200] == [wire.hex() for wire in encoded]
    decoder = Decoder()
    ours = [repr([(kind, sequence, payload.hex()) for kind, sequence, payload in decoder.feed(piece)]) for piece in stream]
    assert answer[200:-2] == ours
    assert answer[-2] == f"{decoder.frames} {decoder.errors} {decoder.junk} {decoder.text.hex()}"
    assert answer[-1] == f"{frames.Settings((0, 1), (13, 28), 22, 9).id} 00011fff {frames.unpack_masks(bytes(range(4)))}"


# ---- the whole firmware ---------------------------------------------------------------


class Unix:
    """MicroPython with the firmware at one end of a pseudo-terminal; the other is a port for the host."""

    def __init__(self, folder: Path) -> None:
        self._matrix = folder / "matrix"
        self.show(())
        ours, theirs = pty.openpty()
        tty.setraw(theirs)
        self._theirs = theirs
        self.info = PortInfo(os.ttyname(theirs), 0x2E8A, 5, "e6614103e73c2b2e")
        script = Path(__file__).with_name("unix_chip.py")
        self.process = subprocess.Popen(
            [MICROPYTHON, str(script), str(PROJECT), str(self._matrix)], stdin=ours, stdout=ours, stderr=ours, cwd=folder
        )
        os.close(ours)

    def show(self, masks: tuple[int, ...] | str) -> None:
        """Close these contacts, one mask a row; the text "crash" ends the firmware."""
        new = self._matrix.with_suffix(".new")
        new.write_text(masks if isinstance(masks, str) else " ".join(map(str, masks)), encoding="ascii")
        new.replace(self._matrix)

    def list(self) -> list[PortInfo]:
        return [self.info]

    def open(self, path: str, baudrate: int) -> Port:
        port: Port = serial.Serial(path, baudrate, **OPTIONS)
        return port

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._theirs)


@pytest.fixture
def unix(tmp_path: Path) -> Iterator[Unix]:
    made = Unix(tmp_path)
    yield made
    made.close()


@pytest.fixture
def pico(unix: Unix) -> Iterator[Pico]:
    with Pico(unix, RealClock(), pico_wiring(10, 10)) as made:
        assert scan_until(made, lambda masks: masks is not None), made.reason
        yield made


def scan_until(pico: Pico, holds: Callable[[tuple[int, ...] | None], bool], seconds: float = START_S) -> bool:
    """Scan as the program does until something holds for the masks; whether it did within the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds(pico.scan()):
            return True
        time.sleep(0.004)
    return False


def test_it_says_hello_and_shows_the_board(unix: Unix, pico: Pico) -> None:
    assert pico.hello is not None
    assert pico.hello.board.hex() == "e6614103e73c2b2e"
    assert (pico.hello.rows, pico.hello.columns) == (10, 10)
    for masks in [(1,) + (0,) * 9, (0,) * 9 + (512,), tuple(1 << row for row in range(10)), (1023,) * 10, (0,) * 10]:
        unix.show(masks)
        assert scan_until(pico, lambda shown, masks=masks: shown == masks)  # type: ignore[misc]
    assert pico.counters.errors == pico.counters.junk == 0


def test_junk_is_ignored_on_its_way_to_the_pico(unix: Unix, pico: Pico) -> None:
    """https://github.com/rusefi/rusefi/issues/4359 and https://github.com/micropython/micropython/issues/6846."""
    assert pico._link.write(b"AT\r\nAT+GCAP\r" + bytes((3, 3, 4, 1)) + frames.encode(frames.LIGHTS, 3, bytes((3,) * 63))[:20])
    assert scan_until(pico, lambda _: pico.counters.pico_junk == 1 and pico.counters.pico_errors == 1)
    unix.show((3,) + (0,) * 9)
    assert scan_until(pico, lambda shown: shown == (3,) + (0,) * 9)
    assert unix.process.poll() is None


def test_a_host_that_does_not_read_is_no_reason_to_stop(unix: Unix, pico: Pico) -> None:
    """https://github.com/micropython/micropython/issues/9634: alive, but not reading, while the board changes a lot."""
    link = pico._link
    for number in range(100):
        unix.show((number,) + (0,) * 9)
        assert link.write(frames.encode(frames.ALIVE, number))
        time.sleep(0.005)
    unix.show((7,) + (0,) * 9)
    assert scan_until(pico, lambda shown: shown == (7,) + (0,) * 9)


def test_a_crash_is_told(unix: Unix, pico: Pico) -> None:
    unix.show("crash")
    assert scan_until(pico, lambda _: pico.state in ("fault", "absent"))
    assert unix.process.wait(START_S) == 1


def test_stop(unix: Unix, pico: Pico) -> None:
    assert pico._link.write(frames.encode(frames.STOP, 1))
    assert unix.process.wait(START_S) == 7
