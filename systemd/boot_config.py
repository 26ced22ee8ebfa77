"""I2C at 400 kHz in the Pi's config.txt, where the display is: a picture takes 23 ms then instead of 93.

The file is one of settings in sections: ``[pi4]`` begins what only a Pi 4 reads, ``[all]`` what every Pi reads. The last of
several values counts. What is missing is appended in a block of ours with a mark at its head. A block that is there already is
left alone, whatever somebody has made of it: a long cable may want a slower bus.
"""

from __future__ import annotations

from collections.abc import Iterator

CANDIDATES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Where the file is since Raspberry Pi OS 12, and where it was before."""
BAUD = 400_000
MARK = "# Underboard: the display's bus, I2C at 400 kHz"
BLOCK = f"[all]\n{MARK}\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate={BAUD}\n"

_NAMES = {"i2c": "i2c_arm", "i2c_arm": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate", "i2c_arm_baudrate": "i2c_arm_baudrate"}
_ON = ("on", "true", "yes", "1", "okay")


def with_fast_i2c(text: str) -> str:
    """The file with I2C on and at least 400 kHz fast; the same text if it is, or if our block is there."""
    if MARK in text or is_fast(text):
        return text
    return text + ("" if text.endswith("\n") or not text else "\n") + BLOCK


def without_block(text: str) -> str:
    """The file without the block that :func:`with_fast_i2c` appends; the same text if it was changed since."""
    return text.replace(BLOCK, "")


def is_fast(text: str) -> bool:
    """Whether every Pi that reads this file has I2C on at 400 kHz or more."""
    settings = dict(_bus_settings(text))
    baud = settings.get("i2c_arm_baudrate", "")
    return settings.get("i2c_arm") in _ON and baud.isdecimal() and int(baud) >= BAUD


def _bus_settings(text: str) -> Iterator[tuple[str, str]]:
    """The settings of the bus that count for every Pi, by their full names."""
    section = "all"
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip().lower()
        elif section == "all" and line.startswith("dtparam="):
            for setting in line.removeprefix("dtparam=").split(","):
                name, _, value = setting.partition("=")
                if name.strip() in _NAMES:
                    yield _NAMES[name.strip()], value.strip().lower() or "on"
