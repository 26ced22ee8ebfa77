"""The files for systemd and udev, as the programs that will read them see them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from underboard.hardware.board.pico import PICO
from underboard.hardware.cards.reader import USB_ADAPTERS
from underboard.hardware.gpio.open import WORK_DIRECTORY

FILES = Path(__file__).parents[2] / "systemd"
UNIT = FILES / "underboard.service"
PAGE = FILES / "underboard-page.conf"
MOST_EXPOSED = 1.5
"""Of 10, by systemd's own scale."""

needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not on this computer")


def settings(path: Path) -> dict[str, list[str]]:
    """All values of each key of a unit, in order."""
    found = defaultdict(list)
    for line in path.read_text().splitlines():
        if not line.startswith(("#", "[")) and "=" in line:
            key, value = line.split("=", 1)
            found[key].append(value)
    return found


def analyze(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)


def installed_at(folder: Path, *, page: bool = False) -> Path:
    """The unit with a program that there is on every computer, which `verify` wants to see; with the drop-in for the page."""
    unit = folder / UNIT.name
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text()))
    if page:
        drop_in = folder / f"{UNIT.name}.d"
        drop_in.mkdir()
        shutil.copy(PAGE, drop_in / "page.conf")
    return unit


def test_the_drop_in_opens_just_what_the_unit_closes() -> None:
    closed, opened = settings(UNIT), settings(PAGE)
    assert closed["PrivateNetwork"] == ["yes"]
    assert opened["PrivateNetwork"] == ["no"]
    assert opened["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6 AF_NETLINK"]
    assert closed["IPAddressDeny"] == ["any"]
    assert set(opened) == {"PrivateNetwork", "RestrictAddressFamilies", "IPAddressAllow"}


@needs_systemd
@pytest.mark.parametrize("page", [False, True])
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path: Path, page: bool) -> None:
    answer = analyze("verify", "--man=no", installed_at(tmp_path, page=page))
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


@needs_systemd
def test_a_mistake_in_the_unit_would_be_noticed(tmp_path: Path) -> None:
    unit = installed_at(tmp_path)
    unit.write_text(unit.read_text().replace("ProtectHome=yes", "ProtectHomes=yes"))
    assert "ProtectHomes" in analyze("verify", "--man=no", unit).stderr


@needs_systemd
def test_the_service_is_exposed_to_little(tmp_path: Path) -> None:
    answer = analyze("security", "--offline=yes", f"--threshold={round(MOST_EXPOSED * 10)}", "--no-pager", installed_at(tmp_path))
    exposure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", answer.stdout)
    assert exposure is not None
    assert float(exposure[1]) <= MOST_EXPOSED, answer.stdout
    assert answer.returncode == 0


def test_the_devices_of_a_table_stay_within_reach() -> None:
    unit = settings(UNIT)
    assert "PrivateDevices" not in unit
    assert "ProcSubset" not in unit
    allowed = {rule.split()[0] for rule in unit["DeviceAllow"]}
    assert allowed == {f"char-{kind}" for kind in ("gpiochip", "i2c", "spi", "ttyACM", "ttyUSB", "ttyAMA", "ttyS")}
    assert all(rule.endswith(" rw") for rule in unit["DeviceAllow"])


def test_the_user_belongs_to_the_groups_of_the_devices() -> None:
    groups = {"gpio", "i2c", "spi", "dialout"}
    assert set(settings(UNIT)["SupplementaryGroups"][0].split()) == groups
    lines = (FILES / "sysusers.conf").read_text().splitlines()
    assert {line.split()[1] for line in lines if line.startswith("g ")} == groups
    assert {tuple(line.split()[1:]) for line in lines if line.startswith("m ")} == {("underboard", group) for group in groups}


def test_drivers_of_ports_that_come_later_are_loaded_before() -> None:
    lines = (FILES / "modules-load.conf").read_text().splitlines()
    assert {line for line in lines if line and not line.startswith("#")} == {"i2c-dev", "cdc-acm", "usbserial"}


def test_the_service_cannot_change_its_own_settings() -> None:
    unit = settings(UNIT)
    assert unit["ProtectSystem"] == ["strict"]
    assert "ConfigurationDirectory" not in unit  # systemd lets a service write to that


def test_nothing_has_to_be_made_on_a_disk_that_may_not_be_written_to() -> None:
    unit = settings(UNIT)
    assert "PrivateTmp" not in unit  # makes folders in /tmp and /var/tmp
    assert {place.partition(":")[0] for place in unit["TemporaryFileSystem"][0].split()} == {"/tmp", "/var/tmp"}


def test_lgpio_gets_a_folder_that_it_can_write_to() -> None:
    unit = settings(UNIT)
    folder = f"%t/{unit['RuntimeDirectory'][0]}"
    assert unit["WorkingDirectory"] == [folder]
    assert f"{WORK_DIRECTORY}={folder}" in unit["Environment"]


def test_a_table_is_never_given_up_and_never_waits_for_a_network() -> None:
    unit = settings(UNIT)
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert unit["Restart"] == ["always"]
    assert float(unit["RestartSec"][0]) >= 1
    assert unit["Type"] == ["notify"]
    assert float(unit["WatchdogSec"][0]) > 0
    assert "network" not in " ".join(unit["After"] + unit["Wants"] + unit["Requires"])


def test_udev_knows_every_adapter_that_the_drivers_know() -> None:
    rules = (FILES / "60-underboard.rules").read_text()
    for kind, mark in (("ATTR", "ID_MM_DEVICE_IGNORE"), ("ATTRS", "ID_MM_PORT_IGNORE")):
        pattern = rf'{kind}{{idVendor}}=="(\w+)", {kind}{{idProduct}}=="([\w|]+)", ENV{{{mark}}}="1"'
        named = {(int(vendor, 16), int(product, 16)) for vendor, products in re.findall(pattern, rules) for product in products.split("|")}
        assert named == {*USB_ADAPTERS, *PICO.usb_ids}


def test_every_jump_of_the_udev_rules_has_its_label() -> None:
    rules = (FILES / "60-underboard.rules").read_text()
    assert set(re.findall(r'GOTO="(\w+)"', rules)) == set(re.findall(r'LABEL="(\w+)"', rules))


@pytest.mark.skipif(not shutil.which("systemd-sysusers"), reason="systemd-sysusers is not on this computer")
def test_the_user_can_be_made(tmp_path: Path) -> None:
    folder = tmp_path / "etc" / "sysusers.d"
    folder.mkdir(parents=True)
    shutil.copy(FILES / "sysusers.conf", folder / "underboard.conf")
    answer = subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", "--dry-run", "underboard.conf"], capture_output=True, text=True, timeout=60
    )
    assert answer.returncode == 0, answer.stderr
    assert "user 'underboard'" in answer.stderr
    assert "group 'gpio'" in answer.stderr
