"""The whole way on an emulated RP2040 with the real MicroPython: flashed by mpremote, started, scanned, stopped.

`make test-pico` builds the image and runs this. The emulator is slower than a chip, so the host's clock runs slower, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from underboard.firmware import frames
from underboard.hardware.board.pico import Pico, pico_wiring
from underboard.hardware.core.clock import RealClock
from underboard.hardware.maintenance.flash import install, mpremote, stop
from underboard.hardware.system.serial_ports import SystemPorts, Wanted

IMAGE = os.environ.get("UNDERBOARD_PICO_IMAGE", "")
SLOWER = 10
START_S = 60

pytestmark = pytest.mark.timeout(900)


class SlowClock(RealClock):
    """A clock as slow as the emulator."""

    def now(self) -> int:
        return super().now() // SLOWER

    def sleep(self, ms: int) -> None:
        super().sleep(ms * SLOWER)


class Emulated:
    """An emulated Pico and what its matrix shows."""

    def __init__(self, folder: Path) -> None:
        self._matrix = folder / "matrix"
        self.show(())
        script = Path(__file__).with_name("emulated_pico.py")
        self.process = subprocess.Popen([sys.executable, str(script), IMAGE, str(self._matrix)], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.wanted = Wanted("the Pico", path=self.process.stdout.readline().strip())

    def show(self, masks: tuple[int, ...]) -> None:
        """Close these contacts, one mask a row."""
        new = self._matrix.with_suffix(".new")
        new.write_text(" ".join(map(str, masks)), encoding="ascii")
        new.replace(self._matrix)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulated]:
    """A Pico with the firmware that has just been installed."""
    made = Emulated(tmp_path_factory.mktemp("pico"))
    try:
        hello = install(SystemPorts(), SlowClock(), mpremote, print, made.wanted)
        assert hello.protocol == frames.PROTOCOL
        yield made
    finally:
        made.close()


@pytest.fixture
def pico(emulated: Emulated) -> Iterator[Pico]:
    with Pico(SystemPorts(), SlowClock(), pico_wiring(10, 10), emulated.wanted) as made:
        assert scan_until(made, lambda masks: masks is not None), made.reason
        yield made


def scan_until(pico: Pico, holds: Callable[[tuple[int, ...] | None], bool]) -> bool:
    """Scan until something holds for the masks; whether it did in time."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if holds(pico.scan()):
            return True
        time.sleep(0.02)
    return False


def test_it_shows_the_board(emulated: Emulated, pico: Pico) -> None:
    for masks in [(1,) + (0,) * 9, (0,) * 9 + (512,), tuple(1 << row for row in range(10)), (1023,) * 10, (0,) * 10]:
        emulated.show(masks)
        assert scan_until(pico, lambda shown, masks=masks: shown == masks)  # type: ignore[misc]
    assert pico.counters.errors == pico.counters.lost == 0


def test_junk_and_control_characters_do_not_end_it(emulated: Emulated, pico: Pico) -> None:
    """https://github.com/micropython/micropython/issues/6846 and https://github.com/rusefi/rusefi/issues/4359."""
    assert pico._link.write(b"AT\r\nAT+GCAP\r" + bytes((3, 3, 4, 1, 5)))
    assert scan_until(pico, lambda _: pico.counters.pico_junk > 0)
    emulated.show((5,) + (0,) * 9)
    assert scan_until(pico, lambda shown: shown == (5,) + (0,) * 9)


def test_a_host_that_does_not_read(emulated: Emulated, pico: Pico) -> None:
    """https://github.com/micropython/micropython/issues/9634: the newest, and it never stopped: the watchdog did not bite."""
    for number in range(20):
        emulated.show((number + 1,) + (0,) * 9)
        time.sleep(0.3)
    assert scan_until(pico, lambda shown: shown == (20,) + (0,) * 9)
    assert pico.counters.restarts == 0


def test_the_way_to_the_prompt_and_back(emulated: Emulated) -> None:
    stop(SystemPorts(), SlowClock(), print, emulated.wanted)
    connect = [sys.executable, "-m", "mpremote", "connect", str(emulated.wanted.path)]
    names = subprocess.run([*connect, "exec", "import os; print(os.listdir())"], capture_output=True, text=True, check=True, timeout=300)
    assert names.stdout.strip() == "['firmware', 'main.py']"
    subprocess.run([*connect, "reset"], check=True, timeout=300)
    with Pico(SystemPorts(), SlowClock(), pico_wiring(10, 10), emulated.wanted) as again:
        assert scan_until(again, lambda masks: masks is not None), again.reason
