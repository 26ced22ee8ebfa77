"""The doctor on computers that do not exist: folders that look like a Pi's root, with something wrong each time."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from underboard.hardware.box.config import SETTINGS as BOX
from underboard.hardware.box.config import BoxConfig, box_of
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.toml_settings import read
from underboard.hardware.maintenance.doctor import Finding, check_box
from underboard.hardware.panel.oled import Bus
from underboard.hardware.simulator.i2c import SimulatedI2C
from underboard.hardware.system.machine import Machine
from underboard.hardware.system.serial_ports import Port, PortInfo

PACKAGES = {"gpiozero": "2.0.1.post3", "lgpio": "0.2.2.0", "rpi-lgpio": "0.6"}
PI_4 = "Raspberry Pi 4 Model B Rev 1.4"


class Plugged:
    """Serial ports that are plugged in."""

    def __init__(self, *found: PortInfo) -> None:
        self.found = found

    def list(self) -> Sequence[PortInfo]:
        return self.found

    def open(self, path: str, baudrate: int) -> Port:
        raise AssertionError("the doctor opens no port")


class Pi:
    """A Pi on which all is well, until something is made worse."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.box = BoxConfig()
        self.ports = Plugged()
        self.i2c: Any = SimulatedI2C(clock=VirtualClock())
        self.machine = Machine(
            root,
            label=lambda path: "pinctrl-bcm2711",
            groups=frozenset({"gpio", "i2c", "dialout"}),
            is_root=False,
            packages=PACKAGES,
            python=(3, 11),
        )
        self.put("/proc/device-tree/model", PI_4.encode() + b"\0")
        self.put("/dev/gpiochip0")
        self.put("/dev/i2c-1")
        self.put("/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency", (400_000).to_bytes(4, "big"))

    def put(self, name: str, content: bytes = b"") -> Path:
        path = self.machine.path(name) if hasattr(self, "machine") else self.root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def drop(self, name: str) -> None:
        self.machine.path(name).unlink()

    def change(self, **facts: Any) -> None:
        self.machine = replace(self.machine, **facts)

    def configure(self, text: str) -> None:
        self.box, problems = box_of(read(text, BOX))
        assert not problems

    def open_bus(self) -> Bus:
        if isinstance(self.i2c, OSError):
            raise self.i2c
        bus: Bus = self.i2c
        return bus

    def findings(self) -> list[Finding]:
        return list(check_box(self.machine, self.box, self.open_bus, self.ports))

    def troubles(self) -> list[tuple[str, str]]:
        return [(found.level, found.about) for found in self.findings() if found.level != "ok"]

    def about(self, what: str) -> Finding:
        (found,) = [found for found in self.findings() if found.about == what]
        return found


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def closed(path: Path) -> str:
    raise PermissionError(errno.EACCES, "Permission denied")


def test_a_pi_on_which_all_is_well(pi: Pi) -> None:
    assert pi.troubles() == []
    assert pi.about("computer").text == PI_4
    assert pi.about("lines").text == "the header is gpiochip0, pinctrl-bcm2711"
    assert pi.about("bus").text == "i2c-1 runs at 400 kHz"
    assert pi.about("display").text == "answers at 0x3c"


def test_a_pi_5_has_its_header_on_another_chip(pi: Pi) -> None:
    pi.put("/dev/gpiochip4")
    pi.change(label=lambda path: "pinctrl-rp1" if path.name == "gpiochip4" else "gpio-brcmstb@107d508500")
    assert pi.about("lines").text == "the header is gpiochip4, pinctrl-rp1"


def test_a_laptop_says_what_was_not_looked_at(pi: Pi) -> None:
    for name in ("/proc/device-tree/model", "/dev/gpiochip0", "/dev/i2c-1"):
        pi.drop(name)
    pi.change(groups=frozenset(), packages={"gpiozero": "2.0.1.post3"})
    assert pi.troubles() == [("unknown", "computer"), ("unknown", "lgpio"), ("unknown", "display")]
    assert not any(found.remedy for found in pi.findings())


FAULTS: list[tuple[str, Callable[[Pi], Any], str, str, str]] = [
    ("no chip", lambda pi: pi.drop("/dev/gpiochip0"), "lines", "there is no /dev/gpiochip*", "full-upgrade"),
    ("a closed chip", lambda pi: pi.change(label=closed), "lines", "gpiochip0: no permission", "adduser $USER gpio"),
    (
        "another chip",
        lambda pi: pi.change(label=lambda path: "ftdi-cbus"),
        "lines",
        "no GPIO chip of this computer is a header",
        "full-upgrade",
    ),
    (
        "no groups",
        lambda pi: pi.change(groups=frozenset({"i2c"})),
        "groups",
        "you are not in gpio, dialout",
        "adduser $USER gpio && sudo adduser $USER dialout",
    ),
    (
        "a broken gpiozero",
        lambda pi: pi.change(packages={**PACKAGES, "gpiozero": "2.0.1.post1"}),
        "gpiozero",
        "broken on every Pi",
        "post3",
    ),
    (
        "an empty lgpio",
        lambda pi: pi.change(packages={**PACKAGES, "lgpio": "0.0.0.2"}),
        "lgpio",
        "0.0.0.2 is an empty shell",
        "pip install 'lgpio",
    ),
    (
        "no lgpio on 3.13",
        lambda pi: pi.change(packages={"gpiozero": "2.0.1.post3"}, python=(3, 13)),
        "lgpio",
        "not installed",
        "apt install python3-lgpio",
    ),
    (
        "two RPi.GPIO",
        lambda pi: pi.change(packages={**PACKAGES, "rpi.gpio": "0.7.1"}),
        "RPi.GPIO",
        "hides rpi-lgpio",
        "pip uninstall RPi.GPIO",
    ),
    ("no bus", lambda pi: pi.drop("/dev/i2c-1"), "display", "there is no /dev/i2c-1", "do_i2c 0"),
    ("no display", lambda pi: pi.i2c.detach(), "display", "nobody answers at 0x3c", "i2cdetect"),
    ("another address", lambda pi: pi.configure("display.address = 61"), "display", "answers at 0x3c, not at 0x3d", "address = 60"),
    ("a closed bus", lambda pi: setattr(pi, "i2c", PermissionError()), "display", "no permission", "adduser $USER i2c"),
    ("a dead bus", lambda pi: setattr(pi, "i2c", OSError(errno.ENODEV, "No such device")), "display", "cannot be opened", "do_i2c 0"),
    ("no Pico", lambda pi: pi.configure("board.wired_to = 'pico'"), "board", "the Pico (2e8a:0005) is not plugged in", "lsusb"),
    ("no reader", lambda pi: pi.configure("reader.port = '/dev/ttyNO'"), "reader", "/dev/ttyNO) is not plugged in", "lsusb"),
    (
        "no SPI",
        lambda pi: pi.configure("board.wired_to = 'pico'\ndisplay.connected_by = 'spi'\n[keys]\nleft = 4\nright = 5"),
        "display",
        "there is no /dev/spidev0.0",
        "do_spi 0",
    ),
]


@pytest.mark.parametrize(("spoil", "about", "text", "remedy"), [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS])
def test_what_is_wrong_comes_with_its_remedy(pi: Pi, spoil: Callable[[Pi], Any], about: str, text: str, remedy: str) -> None:
    spoil(pi)
    found = pi.about(about)
    assert found.level == "wrong"
    assert text in found.text
    assert remedy in found.remedy


def test_a_slow_bus(pi: Pi) -> None:
    pi.put("/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency", (100_000).to_bytes(4, "big"))
    pi.put("/boot/firmware/config.txt")
    found = pi.about("bus")
    assert (found.level, found.text) == ("warning", "i2c-1 runs at 100 kHz: pictures come late")
    assert found.remedy == "echo dtparam=i2c_arm=on,i2c_arm_baudrate=400000 | sudo tee -a /boot/firmware/config.txt && sudo reboot"


def test_a_bus_that_does_not_say_how_fast_it_is(pi: Pi) -> None:
    pi.drop("/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")
    assert pi.about("bus").level == "unknown"


@pytest.mark.parametrize(("program", "about"), [("/usr/sbin/ModemManager", "ModemManager"), ("/usr/bin/brltty", "brltty")])
def test_programs_that_take_ports(pi: Pi, program: str, about: str) -> None:
    pi.put(program)
    assert pi.about(about).level == "warning"
    pi.put("/etc/udev/rules.d/60-underboard.rules")
    assert pi.about(about).level == ("ok" if about == "ModemManager" else "warning")


def test_a_pico_that_is_plugged_in(pi: Pi, tmp_path: Path) -> None:
    pi.configure("board.wired_to = 'pico'")
    node = pi.put("/dev/ttyACM0")
    pi.ports = Plugged(PortInfo(str(node), 0x2E8A, 0x0005))
    assert pi.about("board") == Finding("ok", "board", f"the Pico is at {node}")
    if os.geteuid() != 0:
        node.chmod(0)
        assert "adduser $USER dialout" in pi.about("board").remedy


def test_a_pico_without_micropython(pi: Pi) -> None:
    pi.configure("board.wired_to = 'pico'")
    pi.put("/sys/bus/usb/devices/1-1/idVendor", b"2e8a\n")
    pi.put("/sys/bus/usb/devices/1-1/idProduct", b"0003\n")
    assert "waits for MicroPython" in pi.about("board").text


def test_root_needs_no_groups(pi: Pi) -> None:
    pi.change(groups=frozenset(), is_root=True)
    assert pi.troubles() == []
