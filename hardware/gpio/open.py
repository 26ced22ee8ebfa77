"""The lines of the Pi's own header, on every Pi with 40 pins (3, Zero 2, 4, 5) and every kernel.

Since Linux hands out lines by chip, the first thing to know is which chip is the header: on a
Pi 5 it is number 4 with older kernels and 0 with newer ones, and an adapter on USB may have
taken any number. So chips are told by their labels, never by their numbers.

Two libraries lead there, and gpiozero speaks to both. lgpio is the first choice; RPi.GPIO
(today's is rpi-lgpio) is for systems where lgpio is missing. There is no chain that tries one
thing after another: it would hide the first error, which is the one that matters. Every error
says what to do about it.

The libraries are imported when pins are opened and not before: lgpio needs a writable folder
as soon as it is imported, RPi.GPIO a Pi.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from underboard.hardware.gpio.errors import (
    JOIN_GROUP,
    NO_PI,
    Backend,
    BrokenGpiozero,
    FolderNotWritable,
    GpioError,
    LibraryMissing,
    NoChip,
    NoPermission,
)

DEV = Path("/dev")
HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""The chips behind the header of the Pi 3 and Zero 2, the Pi 4, the Pi 5."""
BROKEN_GPIOZERO = ("2.0.1.post1", "2.0.1.post2")
WORK_DIRECTORY = "LG_WD"
"""The environment variable that tells lgpio where to put its pipes; it changes into that folder."""


def open_pins(backend: Backend = "auto") -> Any:
    """The gpiozero pin factory of the header; close it when its devices are closed. Raises GpioError.

    "auto" takes lgpio, and RPi.GPIO only if lgpio is not installed.
    """
    check_gpiozero(version("gpiozero"))
    if backend == "rpigpio":
        return open_rpigpio()
    try:
        return open_lgpio()
    except LibraryMissing as missing:
        if backend == "lgpio":
            raise
        try:
            return open_rpigpio()
        except GpioError as second:
            raise LibraryMissing(f"{missing}. RPi.GPIO is no way out: {second}") from second


def check_gpiozero(release: str) -> None:
    """Raises BrokenGpiozero for a release that finds no pins on any Pi."""
    if release in BROKEN_GPIOZERO:
        raise BrokenGpiozero(f"gpiozero {release} is broken on every Pi: pip install --upgrade 'gpiozero>=2.0.1.post3'")


def open_lgpio() -> Any:
    """Pins through lgpio, on the chip that is the header. Raises GpioError."""
    numbers = chip_numbers()
    if not numbers:
        raise NoChip(f"there is no {DEV}/gpiochip*, so this is no Raspberry Pi, or its kernel is too old: {NO_PI}")
    chip = find_header(import_lgpio(), numbers)
    # Only now, since it imports lgpio itself, and without words of ours if it cannot.
    return import_module("underboard.hardware.gpio.lgpio_pins").open_header(chip)


def chip_numbers() -> list[int]:
    """The numbers of all chips there are, lowest first."""
    names = (re.fullmatch(r"gpiochip([0-9]+)", path.name) for path in DEV.iterdir())
    return sorted(int(name[1]) for name in names if name)


def import_lgpio() -> Any:
    """The library. Raises LibraryMissing or FolderNotWritable."""
    check_folder()
    try:
        library = import_module("lgpio")
    except FileNotFoundError as error:
        raise FolderNotWritable(not_writable(work_folder())) from error
    except ImportError as error:
        raise LibraryMissing(f"lgpio is not installed: {how_to_install()}") from error
    if not hasattr(library, "gpiochip_open"):
        raise LibraryMissing(f"the lgpio that is installed is an empty shell: {how_to_install()}")
    return library


def check_folder() -> None:
    """Raises FolderNotWritable if importing lgpio would fail; lgpio itself says nothing that helps."""
    folder = work_folder()
    if "lgpio" not in sys.modules and not os.access(folder, os.W_OK | os.X_OK):
        raise FolderNotWritable(not_writable(folder))


def work_folder() -> Path:
    """Where lgpio will put its pipes."""
    return Path(os.environ.get(WORK_DIRECTORY) or Path.cwd())


def not_writable(folder: Path) -> str:
    """What to say about a folder that lgpio cannot use."""
    said_by = f"the environment variable {WORK_DIRECTORY} says so" if os.environ.get(WORK_DIRECTORY) else "the working directory"
    return (
        f"lgpio has to write to {folder} ({said_by}), and cannot: start Underboard in a folder of yours,"
        f" or name one (export {WORK_DIRECTORY}=$XDG_RUNTIME_DIR)"
    )


def how_to_install() -> str:
    """How lgpio gets onto this system."""
    if sys.version_info >= (3, 13):
        return (
            "PyPI has none for this Python, Raspberry Pi OS has:"
            " sudo apt install python3-lgpio python3-rpi-lgpio, and make the environment with python3 -m venv --system-site-packages"
        )
    return "pip install 'lgpio>=0.2.2.0'"


def find_header(lgpio: Any, numbers: list[int]) -> int:
    """The number of the chip that is the header. Raises NoPermission if it is not among those that may be opened, or NoChip."""
    labels = dict(readable_labels(lgpio, numbers))
    for number, label in labels.items():
        if label in HEADER_LABELS:
            return number
    if closed := [number for number in numbers if number not in labels and not may_open(number)]:
        raise NoPermission(f"no permission for {DEV}/gpiochip{closed[0]}: {JOIN_GROUP}")
    found = ", ".join(f"{number} is {label}" for number, label in labels.items()) or "none can be opened"
    raise NoChip(f"no chip of this computer is the header of a Raspberry Pi ({found}): {NO_PI}")


def readable_labels(lgpio: Any, numbers: list[int]) -> Iterator[tuple[int, str]]:
    """Number and label of each chip that can be opened."""
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            continue  # not ours, or gone again: some chips are on USB
        try:
            yield number, lgpio.gpio_get_chip_info(handle)[3]
        finally:
            lgpio.gpiochip_close(handle)


def may_open(number: int) -> bool:
    """Whether this user may open a chip."""
    return os.access(DEV / f"gpiochip{number}", os.R_OK | os.W_OK)


def open_rpigpio() -> Any:
    """Pins through RPi.GPIO. Raises GpioError."""
    check_folder()
    try:
        return import_module("underboard.hardware.gpio.rpigpio_pins").open_header()
    except FileNotFoundError as error:
        raise FolderNotWritable(not_writable(work_folder())) from error
    except ImportError as error:
        raise LibraryMissing(f"RPi.GPIO is not installed: {how_to_install().replace('lgpio>=0.2.2.0', 'rpi-lgpio>=0.6')}") from error
    except Exception as error:  # RPi.GPIO's own, and lgpio's below it: both tell the same thing in many ways
        raise no_header(error) from error


def no_header(error: Exception) -> GpioError:
    """What an error of RPi.GPIO means, none of which says what to do."""
    closed = [number for number in chip_numbers() if not may_open(number)]
    if closed or "permission" in str(error).lower():
        return NoPermission(f"no permission for {DEV}/gpiochip{closed[0] if closed else '*'}: {JOIN_GROUP}")
    if "peripheral base address" in str(error):
        return NoChip("this RPi.GPIO does not know the Pi 5: pip uninstall RPi.GPIO, then pip install 'rpi-lgpio>=0.6'")
    return NoChip(f"RPi.GPIO finds no header of a Raspberry Pi ({error}): {NO_PI}")
