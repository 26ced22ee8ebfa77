"""Installing the firmware: on a simulated Pico, with a copier that only writes down what it is given."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from underboard.firmware import frames
from underboard.firmware.frames import Hello
from underboard.hardware.board.pico import PICO
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.maintenance import flash
from underboard.hardware.maintenance.flash import FlashError, install, mpremote, need_mpremote, stop
from underboard.hardware.simulator.pico import SimulatedPico
from underboard.hardware.simulator.serial_port import SimulatedPorts
from underboard.hardware.system.serial_ports import Wanted


class Workshop:
    """A computer with a Pico on its cable, and a copier."""

    def __init__(self, ports: SimulatedPorts) -> None:
        self.ports = ports
        self.clock = VirtualClock()
        self.chip = SimulatedPico(ports, self.clock, {})
        self.copied: dict[str, str] = {}
        self.said: list[str] = []

    def copy(self, port: str, files: Sequence[tuple[Path, str]]) -> None:
        """The chip must be at its prompt and the port free; then the firmware starts."""
        assert self.chip.running == "prompt"
        self.ports.open(port, 115_200).close()
        self.copied = {target: source.read_text(encoding="utf-8") for source, target in files}
        self.chip.unplug()
        self.chip.plug("ttyACM1")

    def install(self, wanted: Wanted = PICO) -> Hello:
        return install(self.ports, self.clock, self.copy, self.said.append, wanted)


@pytest.fixture
def workshop() -> Iterator[Workshop]:
    with SimulatedPorts() as ports:
        yield Workshop(ports)


def test_a_new_pico(workshop: Workshop) -> None:
    workshop.chip.plug()
    workshop.chip.start("prompt")
    hello = workshop.install()
    assert hello.board.hex() == "e6614103e73c2b2e"
    assert set(workshop.copied) == {"firmware/__init__.py", "firmware/frames.py", "firmware/scan.py", "firmware/main.py", "main.py"}
    assert workshop.copied["main.py"] == "from firmware.main import run\n\nrun()\n"
    assert workshop.copied["firmware/frames.py"] == Path(frames.__file__).read_text(encoding="utf-8")
    assert "copying" in workshop.said[0]


def test_a_firmware_that_runs_is_ended_first(workshop: Workshop) -> None:
    workshop.chip.plug()
    assert workshop.install().protocol == frames.PROTOCOL
    assert "ending the firmware 1.0" in workshop.said[0]


def test_a_firmware_of_another_protocol_is_ended_too(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = Hello.pack
    monkeypatch.setattr(Hello, "pack", lambda hello: bytes((9, 3, 4)) + pack(hello)[3:])
    workshop.chip.plug()
    stop(workshop.ports, workshop.clock, workshop.said.append)
    assert "ending the firmware 3.4" in workshop.said[0]
    assert workshop.chip.running == "prompt"


def test_stop_leaves_a_prompt_alone(workshop: Workshop) -> None:
    workshop.chip.plug()
    workshop.chip.start("prompt")
    assert stop(workshop.ports, workshop.clock, workshop.said.append).path.endswith("ttyACM0")
    assert workshop.said == []


def test_no_pico(workshop: Workshop) -> None:
    with pytest.raises(FlashError, match=r"the Pico \(2e8a:0005\) is not plugged in; .*BOOTSEL"):
        workshop.install()


def test_several_picos(workshop: Workshop) -> None:
    other = SimulatedPico(workshop.ports, workshop.clock, {}, serial_number="0011223344556677", name="ttyACM5")
    for chip in (workshop.chip, other):
        chip.plug()
    with pytest.raises(FlashError, match=r"several Picos.*e6614103e73c2b2e at .*, 0011223344556677 at "):
        workshop.install()
    assert workshop.install(Wanted("the Pico", PICO.usb_ids, "e6614103e73c2b2e")).board.hex() == "e6614103e73c2b2e"


def test_a_port_in_use(workshop: Workshop) -> None:
    workshop.chip.plug()
    port = workshop.ports.open(workshop.ports.list()[0].path, 115_200)
    with pytest.raises(FlashError, match=r"another program uses the port.*systemctl stop underboard"):
        workshop.install()
    port.close()


def test_a_firmware_that_does_not_end(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimulatedPico, "_stop", lambda chip: None)
    workshop.chip.plug()
    with pytest.raises(FlashError, match="does not end"):
        workshop.install()


def test_a_pico_that_does_not_come_back(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimulatedPico, "_stop", lambda chip: chip.unplug())
    workshop.chip.plug()
    with pytest.raises(FlashError, match="did not come back"):
        workshop.install()


def test_a_firmware_that_does_not_answer_afterwards(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.chip.plug()
    workshop.chip.program = "silence"
    with pytest.raises(FlashError, match="was copied, but does not answer"):
        workshop.install()


# ---- mpremote -------------------------------------------------------------------------


def run_with(monkeypatch: pytest.MonkeyPatch, answer: subprocess.CompletedProcess[str] | Exception) -> list[list[str]]:
    """Replace the process; what it was started with."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(flash, "find_spec", lambda name: object())
    monkeypatch.setattr(subprocess, "run", run)
    return commands


def test_what_mpremote_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = run_with(monkeypatch, subprocess.CompletedProcess([], 0, "", ""))
    mpremote("/dev/ttyACM0", [(Path("a.py"), "firmware/a.py"), (Path("m.py"), "main.py")])
    (command,) = commands
    words = " ".join(command[1:])
    assert words.startswith("-P -m mpremote connect /dev/ttyACM0 exec import os")
    assert words.endswith("+ fs cp a.py :firmware/a.py + fs cp m.py :main.py + reset")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            subprocess.CompletedProcess([], 1, "", "Traceback\nmpremote: could not enter raw repl\n"),
            "failed: mpremote: could not enter raw repl",
        ),
        (subprocess.CompletedProcess([], 3, "", ""), "exit status 3"),
        (subprocess.TimeoutExpired("mpremote", 1), "does not come to an end"),
    ],
)
def test_an_mpremote_that_fails(monkeypatch: pytest.MonkeyPatch, answer: subprocess.CompletedProcess[str] | Exception, said: str) -> None:
    run_with(monkeypatch, answer)
    with pytest.raises(FlashError, match=said):
        mpremote("/dev/ttyACM0", [])


def test_without_mpremote_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flash, "find_spec", lambda name: None)
    with pytest.raises(FlashError, match="-m pip install mpremote"):
        need_mpremote()
    with pytest.raises(FlashError, match="mpremote is missing"):
        mpremote("/dev/ttyACM0", [])
