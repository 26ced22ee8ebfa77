"""What may keep a box from working on this computer, found without taking a line, a bus or a port away from a running table.

Each finding says how it is and, unless all is well, the command that mends it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from underboard.hardware.box.config import BoxConfig
from underboard.hardware.gpio.errors import GpioError
from underboard.hardware.gpio.open import BROKEN_GPIOZERO, HEADER_LABELS, check_folder
from underboard.hardware.panel.oled import Bus
from underboard.hardware.system.machine import Machine
from underboard.hardware.system.serial_ports import Ports, Wanted

Level = Literal["ok", "warning", "wrong", "unknown"]

NO_OPERATION = 0xE3
"""A command that a display takes and does nothing about."""
FAST_HZ = 400_000
BOOT_CONFIG = ("/boot/firmware/config.txt", "/boot/config.txt")
SWITCH_I2C_ON = "sudo raspi-config nonint do_i2c 0 && sudo reboot"
BOOTSEL = (0x2E8A, 0x0003)
"""A Pico that waits for a firmware file."""
RULES = ("/etc/udev/rules.d/60-underboard.rules", "/usr/lib/udev/rules.d/60-underboard.rules")
MODEM_MANAGER = ("/usr/sbin/ModemManager",)
BRLTTY = ("/usr/bin/brltty", "/usr/sbin/brltty", "/sbin/brltty")
"""Where programs are that take serial ports for modems and braille displays."""
TAKES_PORTS = "it may take the port of a Pico or of a card reader"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: how it is, and what to do about it if it is not well."""

    level: Level
    about: str
    text: str
    remedy: str = ""


def check_box(machine: Machine, box: BoxConfig, open_bus: Callable[[], Bus], ports: Ports) -> Iterator[Finding]:
    """Everything about the computer and the devices. *open_bus* opens the display's I2C bus and may raise OSError."""
    yield check_model(machine)
    yield from check_chips(machine)
    yield from check_groups(machine, box)
    yield from check_packages(machine)
    yield check_work_folder()
    yield from check_display(machine, box, open_bus)
    yield from check_ports(machine, box, ports)
    yield from check_thieves(machine)


def check_model(machine: Machine) -> Finding:
    """Which Pi it is."""
    if machine.model:
        return Finding("ok", "computer", machine.model)
    return Finding("unknown", "computer", "this is no Raspberry Pi: its lines, its bus and its groups were not looked at")


def check_chips(machine: Machine) -> Iterator[Finding]:
    """Whether the kernel has the header's lines, and for this user."""
    if not machine.model:
        return
    if not machine.chips:
        yield Finding("wrong", "lines", "there is no /dev/gpiochip*: the system is too old", "sudo apt full-upgrade && sudo reboot")
        return
    closed = []
    for chip in machine.chips:
        try:
            label = machine.label(chip)
        except OSError:
            closed.append(chip.name)
            continue
        if label in HEADER_LABELS:
            yield Finding("ok", "lines", f"the header is {chip.name}, {label}")
            return
    if closed:
        yield Finding("wrong", "lines", f"{', '.join(closed)}: no permission", "sudo adduser $USER gpio, then log in again")
    else:
        yield Finding("wrong", "lines", "no GPIO chip of this computer is a header", "sudo apt full-upgrade && sudo reboot")


def check_groups(machine: Machine, box: BoxConfig) -> Iterator[Finding]:
    """Whether this user belongs to the groups that devices belong to."""
    if not machine.model or machine.is_root:
        return
    needed = ("gpio", "dialout", "spi" if box.panel.spi else "i2c")
    if missing := [name for name in needed if name not in machine.groups]:
        remedy = " && ".join(f"sudo adduser $USER {name}" for name in missing) + ", then log in again"
        yield Finding("wrong", "groups", f"you are not in {', '.join(missing)}; the installed service has a user of its own", remedy)
    else:
        yield Finding("ok", "groups", ", ".join(needed))


def check_packages(machine: Machine) -> Iterator[Finding]:
    """The known traps of the libraries that lead to the lines."""
    packages = machine.packages
    gpiozero, lgpio = packages.get("gpiozero"), packages.get("lgpio")
    if gpiozero in BROKEN_GPIOZERO:
        yield Finding("wrong", "gpiozero", f"{gpiozero} is broken on every Pi", "pip install --upgrade 'gpiozero>=2.0.1.post3'")
    if lgpio is not None and lgpio.startswith("0.0."):
        yield Finding("wrong", "lgpio", f"{lgpio} is an empty shell", lgpio_remedy(machine))
    elif lgpio is None and machine.model:
        yield Finding("wrong", "lgpio", "it is not installed", lgpio_remedy(machine))
    elif lgpio is None:
        yield Finding("unknown", "lgpio", "it is not installed; only a Pi needs it")
    else:
        yield Finding("ok", "lgpio", lgpio)
    if "rpi.gpio" in packages and "rpi-lgpio" in packages:
        yield Finding(
            "wrong", "RPi.GPIO", "the old RPi.GPIO hides rpi-lgpio", "pip uninstall RPi.GPIO && pip install --force-reinstall rpi-lgpio"
        )


def lgpio_remedy(machine: Machine) -> str:
    """How lgpio gets onto this system."""
    if machine.python >= (3, 13):
        return "sudo apt install python3-lgpio python3-rpi-lgpio, and make .venv with --system-site-packages"
    return "pip install 'lgpio>=0.2.2.0'"


def check_work_folder() -> Finding:
    """lgpio makes its pipes in the working directory."""
    try:
        check_folder()
    except GpioError as error:
        return Finding("wrong", "folder", str(error), "cd && export LG_WD=$XDG_RUNTIME_DIR")
    return Finding("ok", "folder", "lgpio can make its pipes")


def check_display(machine: Machine, box: BoxConfig, open_bus: Callable[[], Bus]) -> Iterator[Finding]:
    """Whether the display's bus is there and quick, and whether the display answers."""
    if box.panel.spi:
        node = f"/dev/spidev{box.panel.spi.port}.{box.panel.spi.device}"
        there = machine.exists(node)
        yield Finding("ok", "display", node) if there else switched_off(machine, node, "sudo raspi-config nonint do_spi 0 && sudo reboot")
        return
    node = f"/dev/i2c-{box.i2c_bus}" if isinstance(box.i2c_bus, int) else box.i2c_bus
    if not machine.exists(node):
        yield switched_off(machine, node, SWITCH_I2C_ON)
        return
    if isinstance(box.i2c_bus, int):
        yield from check_speed(machine, box.i2c_bus)
    yield answers(open_bus, box.panel.address)


def switched_off(machine: Machine, node: str, remedy: str) -> Finding:
    """A bus that is not there: on a Pi it can be switched on."""
    if machine.model:
        return Finding("wrong", "display", f"there is no {node}", remedy)
    return Finding("unknown", "display", f"there is no {node} on this computer")


def check_speed(machine: Machine, bus: int) -> Iterator[Finding]:
    """A full picture takes 93 ms at 100 kHz, 23 ms at 400 kHz."""
    speed = machine.bus_speed(bus)
    if speed is None:
        yield Finding("unknown", "bus", f"i2c-{bus} does not say how fast it is")
    elif speed < FAST_HZ:
        file = next((name for name in BOOT_CONFIG if machine.exists(name)), BOOT_CONFIG[0])
        remedy = f"echo dtparam=i2c_arm=on,i2c_arm_baudrate={FAST_HZ} | sudo tee -a {file} && sudo reboot"
        yield Finding("warning", "bus", f"i2c-{bus} runs at {speed // 1000} kHz: pictures come late", remedy)
    else:
        yield Finding("ok", "bus", f"i2c-{bus} runs at {speed // 1000} kHz")


def answers(open_bus: Callable[[], Bus], address: int) -> Finding:
    """Whether a display answers at its address, or at the other one that modules have."""
    other = 0x3C ^ 0x3D ^ address
    try:
        bus = open_bus()
    except PermissionError:
        return Finding("wrong", "display", "no permission for its bus", "sudo adduser $USER i2c, then log in again")
    except OSError as error:
        return Finding("wrong", "display", f"its bus cannot be opened: {error}", SWITCH_I2C_ON)
    try:
        if takes(bus, address):
            return Finding("ok", "display", f"answers at {address:#04x}")
        if takes(bus, other):
            return Finding(
                "wrong", "display", f"answers at {other:#04x}, not at {address:#04x}", f"in the configuration: [display] address = {other}"
            )
    finally:
        bus.close()
    return Finding("wrong", "display", f"nobody answers at {address:#04x}: check VCC, GND, SDA (GPIO 2), SCL (GPIO 3)", "i2cdetect -y 1")


def takes(bus: Bus, address: int) -> bool:
    """Whether somebody takes a command that does nothing."""
    try:
        bus.write_i2c_block_data(address, 0x00, [NO_OPERATION])
    except OSError:
        return False
    return True


def check_ports(machine: Machine, box: BoxConfig, ports: Ports) -> Iterator[Finding]:
    """Whether the Pico is plugged in, if there is one, and the card reader, which not every table has."""
    if box.pico:
        found = check_port(box.pico_at, ports, "board")
        if found.level != "ok" and BOOTSEL in machine.usb_devices():
            found = Finding("wrong", "board", "the Pico waits for MicroPython: copy its .uf2 file to the drive RPI-RP2", "underboard flash")
        yield found
    reader = check_port(box.reader_at, ports, "reader")
    named = box.reader_at.path or box.reader_at.serial_number
    yield reader if reader.level == "ok" or named else Finding("ok", "reader", "none is plugged in; only a tagged deck needs one")


def check_port(wanted: Wanted, ports: Ports, about: str) -> Finding:
    """Whether a serial device is there, for this user."""
    try:
        found = wanted.find(ports)
    except OSError as error:
        return Finding("unknown", about, f"the serial ports cannot be listed: {error}")
    if found is None:
        return Finding("wrong", about, f"{wanted} is not plugged in", "lsusb")
    if not os.access(found.path, os.R_OK | os.W_OK):
        return Finding("wrong", about, f"{found.path}: no permission", "sudo adduser $USER dialout, then log in again")
    return Finding("ok", about, f"{wanted.what} is at {found.path}")


def check_thieves(machine: Machine) -> Iterator[Finding]:
    """Programs that take serial ports away; the rules that the installer brings keep one of them off ours."""
    if machine.exists(*MODEM_MANAGER):
        if machine.exists(*RULES):
            yield Finding("ok", "ModemManager", "is kept off our ports by 60-underboard.rules")
        else:
            yield Finding("warning", "ModemManager", TAKES_PORTS, "sudo systemctl disable --now ModemManager")
    if machine.exists(*BRLTTY):
        yield Finding("warning", "brltty", TAKES_PORTS, "sudo apt remove brltty")
