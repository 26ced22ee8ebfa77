"""Connections that come and go, on simulated ports and the real pyserial."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.serial_port import SimulatedPort, SimulatedPorts
from underboard.hardware.system.serial_ports import SEARCH_MS, PortInfo, SerialLink, SystemPorts, Wanted, explain

IDS = (0x2E8A, 5)


class Line:
    """A device, its sockets, and the link that looks for it."""

    def __init__(self, ports: SimulatedPorts, wanted: Wanted) -> None:
        self.clock = VirtualClock()
        self.ports = ports
        self.device = SimulatedPort(ports, "ttyUSB0", vid=IDS[0], pid=IDS[1], serial_number="A1")
        self.link = SerialLink(ports, self.clock, wanted)

    def state(self) -> str:
        return self.link.state

    def run(self, ms: int) -> bytes:
        """What comes in this time; the state is in `link`."""
        data = b""
        for _ in range(0, ms, 20):
            data += self.link.read()
            self.clock.advance(20)
        return data


@pytest.fixture
def line() -> Iterator[Line]:
    with SimulatedPorts() as ports:
        made = Line(ports, Wanted("the thing", (IDS,)))
        yield made
        made.link.close()


@pytest.fixture
def open_line(line: Line) -> Line:
    line.device.plug()
    line.run(3_000)
    assert line.state() == "ready"
    return line


def test_without_a_device(line: Line) -> None:
    assert line.run(2_000) == b""
    assert (line.link.state, line.link.reason) == ("absent", "the thing (2e8a:0005) is not plugged in")
    assert not line.link.write(b"x")


def test_a_device_is_found_within_half_a_second(line: Line) -> None:
    line.run(2_000)
    line.device.plug()
    line.run(SEARCH_MS + 20)
    assert (line.link.state, line.link.reason) == ("ready", "")
    assert line.link.info == line.device.info


def test_bytes_pass(open_line: Line) -> None:
    open_line.device.send(b"in")
    assert open_line.link.read() == b"in"
    assert open_line.link.read() == b""
    assert open_line.link.write(b"out")
    assert open_line.device.receive() == b"out"


@pytest.mark.parametrize("name", ["ttyUSB0", "ttyUSB1", "ttyACM7"])
def test_a_replug_heals_under_any_name(open_line: Line, name: str) -> None:
    """https://github.com/Klipper3d/klipper/issues/299: the device is back as ttyUSB1, the host keeps looking for 0."""
    open_line.device.unplug()
    open_line.run(100)
    assert open_line.state() == "absent"
    open_line.device.plug(name)
    open_line.run(3_000)
    assert open_line.state() == "ready"
    open_line.device.send(b"again")
    assert open_line.link.read() == b"again"
    assert (open_line.link.connections, open_line.link.losses) == (2, 1)


@pytest.mark.parametrize(
    "error", [OSError(errno.EIO, "gone"), serial.SerialException("gone"), termios.error(5, "gone"), TypeError("no fd")]
)
@pytest.mark.parametrize("call", ["in_waiting", "read", "write", "fileno", "baudrate"])
def test_whatever_a_call_raises_the_port_is_closed_at_once(
    open_line: Line, monkeypatch: pytest.MonkeyPatch, call: str, error: Exception
) -> None:
    """https://github.com/pyserial/pyserial/issues/401 and 417: OSError or termios.error, depending on the call."""

    def fail(*_: object) -> None:
        raise error

    port = open_line.link._port
    assert isinstance(port, serial.Serial)
    open_line.device.send(b"x")
    monkeypatch.setattr(type(port), call, property(fail, fail) if call in ("in_waiting", "baudrate") else fail)
    open_line.link.set_speed(9_600) if call == "baudrate" else (open_line.link.read(), open_line.link.write(b"x"))
    assert open_line.state() == "absent"
    assert "the thing (2e8a:0005) was lost: " in open_line.link.reason
    assert not port.is_open
    monkeypatch.undo()
    open_line.run(3_000)
    assert open_line.state() == "ready"


@pytest.mark.parametrize("call", ["reset_output_buffer", "close"])
def test_errors_while_closing_are_of_no_account(open_line: Line, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """https://github.com/pyserial/pyserial/issues/417: termios.error from flushing a port that is gone."""
    port = open_line.link._port
    close = serial.Serial.close

    def fail(self: serial.Serial) -> None:
        close(self)
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr(type(port), call, fail)
    open_line.link.drop("enough")
    assert (open_line.link.state, open_line.link.reason) == ("fault", "enough")


def test_a_port_that_is_taken_away_again_and_again_is_left_alone_for_a_while(line: Line) -> None:
    """https://github.com/arduino/arduino-ide/issues/1788: brltty takes the port 0.5 s after it is plugged in."""
    for number in range(3):
        line.device.plug()
        line.run(600)
        line.run(500)
        assert line.link.connections == number + 1
        line.device.unplug()
        line.run(100)
    assert line.state() == "absent"
    assert "brltty" in line.link.reason
    line.device.plug()
    line.run(3_000)
    assert line.link.connections == 3
    assert "brltty" in line.link.reason
    line.run(3_000)
    assert line.state() == "ready"
    line.run(5_000)
    line.device.unplug()
    line.run(1_000)
    assert "brltty" not in line.link.reason
    line.device.plug()
    line.run(3_000)
    assert line.state() == "ready"


def test_pauses_grow_while_a_device_cannot_be_used(open_line: Line) -> None:
    connections: list[int] = []
    for _ in range(4):
        open_line.link.drop("it says nothing")
        assert open_line.state() == "fault"
        before = open_line.clock.now()
        while open_line.state() != "ready":
            open_line.run(20)
        connections.append(open_line.clock.now() - before)
    assert connections == [520, 1_020, 2_020, 2_020]
    open_line.link.worked()
    open_line.link.drop("it says nothing")
    open_line.run(600)
    assert open_line.state() == "ready"


def test_a_device_that_does_not_read_does_not_block(open_line: Line) -> None:
    """pyserial would turn in circles until there is room."""
    for _ in range(3_000):
        open_line.link.write(bytes(100))
    assert not open_line.link.write(bytes(100))
    assert open_line.state() == "ready"


def test_a_closed_link_stays_closed(open_line: Line) -> None:
    open_line.link.close()
    open_line.link.close()
    open_line.run(10_000)
    assert (open_line.link.state, open_line.link.reason) == ("absent", "closed")


def test_descriptors_do_not_leak(line: Line) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(40):
        line.device.plug()
        line.run(20_000)
        assert line.state() == "ready"
        line.device.unplug()
        line.run(100)
    assert len(os.listdir("/proc/self/fd")) == before


# ---- which device -------------------------------------------------------------------


class Listed:
    """Ports of which only the list is asked."""

    def __init__(self, *infos: PortInfo) -> None:
        self.infos = infos

    def list(self) -> tuple[PortInfo, ...]:
        return self.infos

    def open(self, path: str, baudrate: int) -> serial.Serial:
        raise AssertionError("nobody should")


def test_the_first_of_several_by_name() -> None:
    ports = Listed(PortInfo("/dev/ttyACM10", *IDS), PortInfo("/dev/ttyACM9", *IDS), PortInfo("/dev/ttyACM0", 1, 2), PortInfo("/dev/ttyS0"))
    found = Wanted("x", (IDS,)).find(ports)
    assert found is not None
    assert found.path == "/dev/ttyACM9"


def test_a_serial_number_decides() -> None:
    ports = Listed(PortInfo("/dev/ttyACM0", *IDS, "A"), PortInfo("/dev/ttyACM1", *IDS, "B"))
    found = Wanted("x", (IDS,), "B").find(ports)
    assert found is not None
    assert found.path == "/dev/ttyACM1"
    assert Wanted("x", (IDS,), "C").find(ports) is None


def test_a_path_needs_no_ids(tmp_path: Path) -> None:
    wanted = Wanted("x", path=str(tmp_path / "serial0"))
    assert wanted.find(Listed()) is None
    (tmp_path / "serial0").touch()
    assert wanted.find(Listed()) == PortInfo(str(tmp_path / "serial0"))


def test_how_a_device_is_called() -> None:
    assert str(Wanted("the Pico", (IDS,), "E66")) == "the Pico (2e8a:0005, serial number E66)"
    assert str(Wanted("the reader", path="/dev/serial0")) == "the reader (/dev/serial0)"


class Broken:
    """Ports that cannot be listed or opened."""

    def __init__(self, error: Exception, *, listed: bool = True) -> None:
        self.error = error
        self.listed = listed
        self.plugged = True

    def list(self) -> list[PortInfo]:
        if not self.listed:
            raise self.error
        return [PortInfo("/dev/ttyACM0", *IDS)] if self.plugged else []

    def open(self, path: str, baudrate: int) -> serial.Serial:
        raise self.error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "sudo adduser $USER dialout"),
        (serial.SerialException(errno.EACCES, "could not open port"), "sudo adduser $USER dialout"),
        (serial.SerialException(errno.EBUSY, "could not open port"), "another program uses the port"),
        (serial.SerialException("Could not exclusively lock port"), "another program uses the port"),
        (termios.error(errno.EIO, "Input/output error"), "Input/output error"),
        (OSError(), "OSError"),
    ],
)
def test_a_port_that_cannot_be_opened_says_why_and_what_to_do(error: Exception, said: str) -> None:
    """https://github.com/systemd/systemd/issues/21151: EACCES on ttyACM0 is a missing group."""
    clock = VirtualClock()
    link = SerialLink(Broken(error), clock, Wanted("x", (IDS,)))
    for _ in range(100):
        assert link.read() == b""
        assert link.state == "fault"
        assert said in link.reason
        clock.advance(20)
    assert said in explain(error)


def test_a_port_that_has_just_appeared_is_not_given_away_yet() -> None:
    """Its node is root's alone until udev has seen it."""
    clock, ports = VirtualClock(), Broken(PermissionError(errno.EACCES, "Permission denied"))
    ports.plugged = False
    link = SerialLink(ports, clock, Wanted("x", (IDS,)))
    link.read()
    ports.plugged = True
    states = []
    for _ in range(4):
        clock.advance(SEARCH_MS)
        link.read()
        states.append(link.state)
    assert states == ["absent", "fault", "fault", "fault"]


def test_ports_that_cannot_be_listed() -> None:
    link = SerialLink(Broken(OSError("no sysfs"), listed=False), VirtualClock(), Wanted("x", (IDS,)))
    assert link.read() == b""
    assert (link.state, link.reason) == ("fault", "no sysfs")


def test_the_ports_of_this_computer(line: Line) -> None:
    """They can be listed, whichever there are, and a path can be opened."""
    assert all(isinstance(info.path, str) for info in SystemPorts().list())
    line.device.plug()
    port = SystemPorts().open(line.device.info.path, 115_200)
    line.device.send(b"real")
    assert port.read(10) == b"real"
    port.close()
