"""Makes this Raspberry Pi a table, or an ordinary Pi again: `sudo make install`, `sudo make uninstall`, `sudo make purge`.

Everything may be repeated: installing again is how the program is updated. The games (/var/lib/underboard) and the settings of
the table (/etc/underboard/table.toml) are never overwritten, and only `purge` removes them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from systemd.boot_config import CANDIDATES, with_fast_i2c, without_block
from systemd.program import CURRENT, check_python, install_program, remove_old_program, remove_program
from systemd.target import CommandFailed, InstallError, Target

SOURCE = Path(__file__).parents[1]
UNIT = "underboard.service"
CONFIG = "/etc/underboard/table.toml"
DATA = ("/etc/underboard", "/var/lib/underboard")
USER = "underboard"
FILES = {
    UNIT: f"/etc/systemd/system/{UNIT}",
    "60-underboard.rules": "/etc/udev/rules.d/60-underboard.rules",
    "sysusers.conf": "/etc/sysusers.d/underboard.conf",
    "tmpfiles.conf": "/etc/tmpfiles.d/underboard.conf",
    "modules-load.conf": "/etc/modules-load.d/underboard.conf",
}
"""The files beside this one, and where they go."""


def install(target: Target, wheels: Path | None = None) -> bool:
    """Install or update; whether the service runs now, or will after the next boot. Raises InstallError."""
    install_program(target, SOURCE, wheels)
    for name, place in FILES.items():
        target.write(place, (SOURCE / "systemd" / name).read_text(encoding="utf-8"))
    write_config(target)
    reboot = enable_i2c(target)
    started = start(target)
    remove_old_program(target)
    if reboot:
        target.say("I2C at 400 kHz begins with the next start of the Pi: sudo reboot")
    return started


def write_config(target: Target) -> None:
    """The settings of the table with their explanations, unless there are some."""
    path = target.path(CONFIG)
    if path.exists():
        target.say(f"kept {path}")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    target.run([str(target.path(f"{CURRENT}/bin/underboard")), "config", "--output", str(path)])


def enable_i2c(target: Target) -> bool:
    """Switch the display's bus on in the Pi's config.txt; whether that was news to it."""
    for place in CANDIDATES:
        path = target.path(place)
        if path.is_file():
            return target.write(place, with_fast_i2c(path.read_text(encoding="utf-8")))
    target.say(f"no {CANDIDATES[0]}: this is no Raspberry Pi, its I2C is left as it is")
    return False


def start(target: Target) -> bool:
    """Make the user, tell udev, and start the service; whether it runs, or will when this system is booted."""
    if not target.live:
        target.run(["systemctl", f"--root={target.root}", "enable", UNIT])
        return True
    target.run(["systemd-sysusers", "underboard.conf"])
    target.run(["systemd-tmpfiles", "--create", "underboard.conf"])
    target.run(["systemctl", "enable", UNIT])
    if not target.path("/run/systemd/system").is_dir():
        target.say("systemd does not run here: the service starts when this system is booted")
        return True
    target.run(["systemctl", "daemon-reload"])
    load_drivers(target)
    target.run(["udevadm", "control", "--reload"])
    target.run(["udevadm", "trigger", "--settle", *(f"--subsystem-match={name}" for name in ("gpio", "i2c-dev", "spidev", "tty", "usb"))])
    try:
        target.run(["systemctl", "restart", UNIT])
    except CommandFailed:
        target.say(
            "Underboard is installed, but did not start. `underboard doctor` says what is wrong, `journalctl -u underboard` what it said."
        )
        return False
    target.say("Underboard runs, and starts with the Pi. `sudo underboard status` says how it is; its settings are in " + CONFIG)
    return True


def load_drivers(target: Target) -> None:
    """The drivers of the ports, now; a kernel that lacks one of them is no reason to stop."""
    try:
        target.run(["systemctl", "restart", "systemd-modules-load.service"])
    except CommandFailed:
        target.say("not every driver of serial ports could be loaded (systemctl status systemd-modules-load says which)")


def uninstall(target: Target) -> None:
    """Stop the service and remove the program; games and settings stay. Raises InstallError."""
    remove(target)
    kept = [target.path(place) for place in DATA if target.path(place).exists()]
    for path in kept:
        target.say(f"kept {path}")
    if kept:
        target.say("What was kept goes away with: sudo make purge")


def purge(target: Target) -> None:
    """Remove the games, the settings and the user, too. Raises InstallError."""
    remove(target)
    for place in DATA:
        if target.path(place).exists():
            shutil.rmtree(target.path(place))
            target.say(f"removed {target.path(place)}")
    if target.live and has_user():
        target.run(["userdel", USER])


def remove(target: Target) -> None:
    """Stop the service; remove the program and all that :func:`install` wrote but the settings."""
    if target.path(FILES[UNIT]).exists():
        stop(target)
    for place in FILES.values():
        target.remove(place)
    remove_program(target)
    disable_i2c(target)
    if target.live and target.path("/run/systemd/system").is_dir():
        target.run(["systemctl", "daemon-reload"])
        target.run(["udevadm", "control", "--reload"])


def stop(target: Target) -> None:
    """End the service and what starts it; if systemd refuses, the rest is removed all the same."""
    try:
        target.run(["systemctl", "disable", "--now", UNIT] if target.live else ["systemctl", f"--root={target.root}", "disable", UNIT])
    except CommandFailed as error:
        target.say(f"{error}; going on")


def disable_i2c(target: Target) -> None:
    """Take back what :func:`enable_i2c` wrote."""
    for place in CANDIDATES:
        path = target.path(place)
        if path.is_file() and target.write(place, without_block(path.read_text(encoding="utf-8"))):
            target.say("I2C ends with the next start of the Pi")


def has_user() -> bool:
    """Whether the service's user exists."""
    import pwd

    return any(entry.pw_name == USER for entry in pwd.getpwall())


def main(words: Sequence[str] | None = None) -> int:
    """The command line; 0, 1 if the service did not start, 2 if it could not be done."""
    parser = argparse.ArgumentParser(
        prog="python3 -m systemd.install", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("act", choices=("install", "uninstall", "purge"))
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="FOLDER", help="lay everything out in FOLDER and start nothing")
    parser.add_argument(
        "--wheels", type=Path, metavar="FOLDER", help="take all Python packages from FOLDER (see `make wheels`), none from the network"
    )
    options = parser.parse_args(words)
    target = Target(options.root.resolve())
    try:
        check_rights(target)
        if options.act == "install":
            check_python()
            check_wheels(options.wheels)
            return 0 if install(target, options.wheels and options.wheels.resolve()) else 1
        (uninstall if options.act == "uninstall" else purge)(target)
    except (InstallError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def check_rights(target: Target) -> None:
    """Raises InstallError if this is not root, or no Linux with systemd."""
    if target.live and os.geteuid() != 0:
        raise InstallError("this changes the system, so it needs root: sudo make install")
    if shutil.which("systemctl") is None:
        raise InstallError("there is no systemd on this computer: `make play` opens a table without it")


def check_wheels(folder: Path | None) -> None:
    """Raises InstallError for a folder that has not got this program in it."""
    if folder is not None and not any(folder.glob("underboard-*.whl")):
        raise InstallError(
            f"{folder}: there is no underboard-….whl in this folder: `make wheels` makes build/wheels, with all that is needed"
        )


if __name__ == "__main__":
    sys.exit(main())
