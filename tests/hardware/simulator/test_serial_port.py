"""Simulated ports have the manners of real ones: names, hang-ups, buffers, raw bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import serial

from underboard.hardware.simulator.serial_port import FIFO_BYTES, SimulatedPort, SimulatedPorts
from underboard.hardware.system.serial_ports import ERRORS, Port, PortInfo

ALL_BYTES = bytes(range(256))


@pytest.fixture
def ports() -> Iterator[SimulatedPorts]:
    with SimulatedPorts() as made:
        yield made


@pytest.fixture
def device(ports: SimulatedPorts) -> SimulatedPort:
    made = SimulatedPort(ports, "ttyACM0", vid=0x2E8A, pid=5, serial_number="E66")
    made.plug()
    return made


def opened(ports: SimulatedPorts) -> Port:
    return ports.open(ports.list()[0].path, 115_200)


def test_only_what_is_plugged_in_is_listed(ports: SimulatedPorts, device: SimulatedPort) -> None:
    assert ports.list() == [PortInfo(str(ports.folder / "ttyACM0"), 0x2E8A, 5, "E66")]
    device.unplug()
    device.unplug()
    assert ports.list() == []
    assert not list(ports.folder.iterdir())


def test_every_byte_passes_both_ways(ports: SimulatedPorts, device: SimulatedPort) -> None:
    port = opened(ports)
    assert device.send(ALL_BYTES) == 256
    assert port.in_waiting == 256
    assert port.read(1000) == ALL_BYTES
    assert port.write(ALL_BYTES) == 256
    assert device.receive() == ALL_BYTES
    assert device.receive() == b""
    port.close()


def test_what_is_sent_is_there_at_once(ports: SimulatedPorts, device: SimulatedPort) -> None:
    port = opened(ports)
    for number in range(300):
        data = bytes((number % 256,)) * 50
        device.send(data)
        assert port.read(port.in_waiting) == data
        port.write(data)
        assert device.receive() == data
    port.close()


def test_a_host_that_does_not_read_fills_the_buffer(ports: SimulatedPorts) -> None:
    small = SimulatedPort(ports, "ttyUSB0", fifo_bytes=300)
    small.plug()
    port = opened(ports)
    assert [small.send(bytes(200)), small.send(bytes(200)), small.send(bytes(200))] == [200, 100, 0]
    assert small.room == 0
    assert len(port.read(1000)) == 300
    assert small.room == 300
    port.close()


def test_a_device_that_does_not_read_fills_the_buffer_too(ports: SimulatedPorts, device: SimulatedPort) -> None:
    port = opened(ports)
    port.write(bytes(FIFO_BYTES + 500))
    assert len(device.receive()) == FIFO_BYTES
    port.close()


def test_the_device_works_when_the_host_looks(ports: SimulatedPorts, device: SimulatedPort) -> None:
    def work() -> None:
        device.send(b"!")

    port = opened(ports)
    device.device = work
    assert port.in_waiting == 1
    assert port.read(10) == b"!!"
    port.close()


def test_pulling_the_plug_hangs_up(ports: SimulatedPorts, device: SimulatedPort) -> None:
    """https://github.com/pyserial/pyserial/issues/401: errors in every call, and pyserial believes to be open."""
    port = opened(ports)
    device.unplug()
    assert isinstance(port, serial.Serial)
    assert port.is_open
    for call in (lambda: port.in_waiting, lambda: port.read(1), lambda: port.write(b"x"), port.reset_input_buffer):
        with pytest.raises(ERRORS):
            call()
    port.close()


def test_a_new_plug_may_have_another_name_and_is_another_terminal(ports: SimulatedPorts, device: SimulatedPort) -> None:
    old = opened(ports)
    before = os.path.realpath(ports.list()[0].path)
    device.unplug()
    device.plug("ttyACM1")
    assert [os.path.basename(info.path) for info in ports.list()] == ["ttyACM1"]
    assert os.path.realpath(ports.list()[0].path) != before
    new = opened(ports)
    device.send(b"new")
    assert new.read(3) == b"new"
    with pytest.raises(ERRORS):
        old.read(1)
    old.close()
    new.close()


def test_without_a_plug_nothing_is_sent(ports: SimulatedPorts, device: SimulatedPort) -> None:
    device.unplug()
    assert (device.send(b"x"), device.receive(), device.room, device.received) == (0, b"", 0, 0)


def test_a_port_is_for_one_program(ports: SimulatedPorts, device: SimulatedPort) -> None:
    port = opened(ports)
    with pytest.raises(serial.SerialException, match="lock"):
        opened(ports)
    port.close()


def test_what_cannot_be_opened(ports: SimulatedPorts) -> None:
    with pytest.raises(serial.SerialException):
        ports.open(str(ports.folder / "ttyACM9"), 115_200)


def test_mistakes_are_named(ports: SimulatedPorts, device: SimulatedPort) -> None:
    with pytest.raises(ValueError, match="ttyACM0 is plugged in already"):
        device.plug()
    with pytest.raises(ValueError, match="another port is called ttyACM0"):
        SimulatedPort(ports, "ttyACM0").plug()


def test_nothing_is_left_over(device: SimulatedPort) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        device.unplug()
        device.plug()
    assert len(os.listdir("/proc/self/fd")) == before
