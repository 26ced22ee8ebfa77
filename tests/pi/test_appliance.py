"""A Raspberry Pi becomes a table, and a short game of Hack Trick is played on it: `make test-pi`, `make test-pi64`.

The tests are the evening's events in their order, on one machine: systemd, the kernel's lines, its I2C bus, and its USB are real.
The display has to show what the simulator's does, which is told the same events; of what matters most the words are looked at too.
"""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.pi.table import CONFIG, PROJECT, Table
from tests.pi.virtual_pi import VirtualPi, wait_for

UNIT = "underboard.service"
IMPATIENT = f"/etc/systemd/system/{UNIT}.d/impatient.conf"
"""As `systemctl edit` makes it: the tests do not want to wait so long until a hanging program is noticed."""
INSTALL_S = 600
START_S = 120
BUZZER = 1
GAMES = "/var/lib/underboard"

pytestmark = pytest.mark.timeout(900)


HOLD_PORT = """
import os, pathlib, time
os.open("/dev/ttyACM0", os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
pathlib.Path("/run/held").touch()
time.sleep(1e6)
"""


def status(pi: VirtualPi) -> dict[str, Any]:
    """What the service says of itself."""
    told: dict[str, Any] = json.loads(pi.run("underboard", "status", "--json", check=False))
    return told


def property_of_unit(pi: VirtualPi, name: str) -> str:
    return pi.run("systemctl", "show", UNIT, "--property", name, "--value").strip()


def wait_until_active(pi: VirtualPi) -> None:
    wait_for(lambda: property_of_unit(pi, "ActiveState") == "active", "the service", START_S)


def restart(pi: VirtualPi) -> None:
    pi.run("systemctl", "restart", UNIT, timeout=START_S)


def actions(pi: VirtualPi) -> list[str]:
    """What has been done, as the journal has it."""
    script = pi.run("underboard", "export", f"{GAMES}/gpio.sqlite3").splitlines()
    return [line for line in script if not line.startswith("expect")]


def alert_code(pi: VirtualPi) -> str | None:
    """What the table says is wrong."""
    alert = status(pi)["alert"]
    return alert["code"] if alert else None


def make_disk_read_only(pi: VirtualPi) -> None:
    """As the kernel does when a card begins to die."""
    pi.shell("echo u >/proc/sysrq-trigger")
    wait_for(lambda: pi.status("touch", f"{GAMES}/x") != 0, "the disk to refuse")


# ---- a Pi becomes a table -------------------------------------------------------------


def test_a_pi_with_a_header_of_the_kernel(pi: VirtualPi) -> None:
    assert pi.run("dpkg", "--print-architecture").strip() == pi.architecture
    assert pi.run("cat", "/proc/device-tree/model").startswith("Raspberry Pi 4 Model B")
    assert "gpiochip0" in pi.run("grep", "pinctrl-bcm2711", "/sys/kernel/debug/gpio")


def test_the_installer_makes_it_a_table(pi: VirtualPi, table: Table) -> None:
    pi.write(CONFIG, table.config)
    pi.write(IMPATIENT, "[Service]\nWatchdogSec=10\nTimeoutAbortSec=3\n")
    said = pi.shell(f"cd {PROJECT} && make install WHEELS=/project/wheels", timeout=INSTALL_S)
    assert "sudo reboot" in said
    assert f"kept {CONFIG}" in said
    assert "i2c_arm_baudrate=400000" in pi.run("cat", "/boot/firmware/config.txt")
    assert property_of_unit(pi, "ActiveState") == "active"
    assert property_of_unit(pi, "StatusText").startswith("hack_trick: red to move (start); board ready, oled ready")


def test_the_service_has_the_devices_and_little_else(pi: VirtualPi) -> None:
    assert pi.run("id", "-nG", "underboard").split() == ["underboard", "dialout", "gpio", "i2c", "spi"]
    wait_until_active(pi)
    process = property_of_unit(pi, "MainPID")
    facts = dict(line.split(":\t", 1) for line in pi.run("cat", f"/proc/{process}/status").splitlines() if ":\t" in line)
    assert facts["CapBnd"] == "0" * 16
    assert facts["NoNewPrivs"] == "1"
    assert facts["Seccomp"] == "2"
    interfaces = [line.split(":")[0].strip() for line in pi.run("cat", f"/proc/{process}/net/dev").splitlines()[2:]]
    assert interfaces == ["lo"]
    assert pi.status("nsenter", "--target", process, "--mount", "touch", "/etc/underboard/x") != 0


# ---- the game -------------------------------------------------------------------------


def test_the_display_shows_the_first_question(table: Table) -> None:
    table.look()


def test_keys_choose_a_card(table: Table) -> None:
    table.choose("start 1")
    table.choose("infect 3")
    assert any("1+3 = 4" in line for line in table.said["screen"])


def test_a_token_in_the_wrong_place_is_refused(pi: VirtualPi, table: Table) -> None:
    before = pi.lines()[BUZZER][2]
    table.place("7a")
    assert table.said["alert"]["code"] == "wrong_place"
    assert alert_code(pi) == "wrong_place"
    wait_for(lambda: pi.lines()[BUZZER][2] >= before + 2, "two tones of the buzzer")
    table.lift("7a")
    assert table.said["alert"] is None


def test_a_token_in_the_right_place_is_a_move(pi: VirtualPi, table: Table) -> None:
    table.place("4a")
    assert table.said["did"] == ["infect 3"]
    told = status(pi)
    assert (told["alert"], told["phase"]) == (None, table.said["phase"])


def test_a_display_that_comes_back_shows_the_game(pi: VirtualPi, table: Table) -> None:
    pi.plug_display(False)
    wait_for(lambda: "oled absent" in property_of_unit(pi, "StatusText"), "the display to be missed")
    pi.plug_display(True)
    wait_for(lambda: "oled ready" in property_of_unit(pi, "StatusText"), "the display to be found")
    table.look()


def test_a_program_that_hangs_is_started_again_and_goes_on(pi: VirtualPi, table: Table) -> None:
    before = property_of_unit(pi, "MainPID")
    pi.run("systemctl", "kill", "--signal=STOP", UNIT)
    wait_for(lambda: property_of_unit(pi, "NRestarts") == "1", "the watchdog", START_S)
    wait_until_active(pi)
    assert property_of_unit(pi, "MainPID") != before
    assert "watchdog timeout" in pi.run("journalctl", "--unit", UNIT, "--no-pager").lower()
    table.look()


# ---- the disk and the power -----------------------------------------------------------


def test_on_a_disk_that_may_not_be_written_to_the_game_goes_on(pi: VirtualPi, table: Table) -> None:
    table.choose("end")
    before = actions(pi)
    make_disk_read_only(pi)
    restart(pi)
    wait_for(lambda: alert_code(pi) == "not_saved", "the alert")
    table.look(but_last_line=True)
    table.choose("infect 0", but_last_line=True)
    assert "3+0 = 3" in table.said["screen"]
    table.place("3a", but_last_line=True)
    assert table.said["did"] == ["infect 0"]
    pi.run("mount", "-o", "remount,rw", "/")
    wait_for(lambda: alert_code(pi) is None, "the journal to catch up")
    table.look()
    assert len(actions(pi)) > len(before)


def test_a_power_cut_in_the_middle_of_a_move_loses_nothing_that_was_shown(pi: VirtualPi, table: Table) -> None:
    table.choose("end")
    table.choose("infect 5")
    assert "0+5 = 5" in table.said["screen"]
    before = actions(pi)
    table.move(place="5a")
    time.sleep(0.3)  # the contact has settled by now, and the move is on its way to the disk, or there
    shown = table.shows()
    pi.power_cut()
    pi.power_on()
    table.put_tokens_back()
    wait_until_active(pi)
    kept = actions(pi)
    assert kept[: len(before)] == before
    assert len(kept) > len(before) or not shown


# ---- a board on a Pico ----------------------------------------------------------------


def test_a_pico_that_is_plugged_in_late_is_used(pi: VirtualPi, pico_table: Table) -> None:
    pi.write(CONFIG, pico_table.config)
    restart(pi)
    pico_table.fault("board unplug")
    assert pico_table.said["alert"]["code"] == "board_absent"
    pico_table.look()
    pico_table.show_matrix()
    pi.run("/opt/virtual-pi/pico.sh", "plug", PROJECT)
    pico_table.fault("board replug")
    pico_table.look()
    wait_for(lambda: alert_code(pi) is None, "the board to be ready")


def test_a_move_on_a_pico(pico_table: Table) -> None:
    pico_table.choose("start 1")
    pico_table.choose("infect 3")
    pico_table.place("4a")
    assert pico_table.said["did"] == ["infect 3"]


def test_a_pico_that_comes_back_under_another_name(pi: VirtualPi, pico_table: Table) -> None:
    # Somebody else has the old name open, so the kernel cannot give it away again.
    pi.run("systemd-run", "--unit=somebody-else", "python3", "-c", HOLD_PORT)
    wait_for(lambda: pi.status("test", "-e", "/run/held") == 0, "somebody else to open the port")
    pi.run("/opt/virtual-pi/pico.sh", "unplug")
    pico_table.fault("board unplug")
    pico_table.look()
    pi.run("/opt/virtual-pi/pico.sh", "plug", PROJECT)
    assert pi.shell("ls /dev/ttyACM*").split() == ["/dev/ttyACM1"]
    pico_table.fault("board replug port=ttyACM1")
    pico_table.look()
    pico_table.choose("end")
    pi.run("systemctl", "stop", "somebody-else")


# ---- the end --------------------------------------------------------------------------


def test_uninstalling_keeps_the_games(pi: VirtualPi) -> None:
    said = pi.shell(f"cd {PROJECT} && make uninstall", timeout=INSTALL_S)
    assert "kept /var/lib/underboard" in said
    assert pi.status("test", "-s", f"{GAMES}/gpio.sqlite3") == 0
    assert pi.status("test", "-e", "/opt/underboard") != 0
    assert pi.status("systemctl", "cat", UNIT) != 0
    assert "i2c_arm" not in pi.run("cat", "/boot/firmware/config.txt")
