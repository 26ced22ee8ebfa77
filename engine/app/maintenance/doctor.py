"""`underboard doctor`: all that can be looked at from here: the program, configuration, files, texts, and the box below."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote

from underboard.engine.app.config import CONFIG_FILE, STATE_FOLDER, Config, ConfigError, HiddenMap, load_config, table_folder
from underboard.engine.app.last_screens import farewell
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.journal.database import JournalError, NewerJournalError, read_match
from underboard.hardware.maintenance.doctor import Finding, check_box
from underboard.hardware.panel.oled import i2c_bus
from underboard.hardware.panel.picture import draw
from underboard.hardware.system.machine import Machine
from underboard.hardware.system.serial_ports import SystemPorts
from underboard.version import find_version

LITTLE_BYTES, LEAST_BYTES = 100_000_000, 5_000_000
"""Free space below which the disk is said to be filling up, and to be full; an evening takes less than a million."""
EARLIEST_YEAR = 2026
"""No clock that is right says an earlier one."""


def examine(file: Path | None, machine: Machine) -> Iterator[Finding]:
    """All findings, each as soon as it is known."""
    yield Finding("ok", "program", f"Underboard {find_version()}")
    try:
        config = load_config(file)
        yield Finding(
            "ok", "configuration", f"{config.file}" if config.file.exists() else f"there is no {config.file}: the reference table"
        )
    except ConfigError as error:
        for line in str(error).splitlines():
            yield Finding(
                "wrong", "configuration", line, f"mend it; `underboard config --check --config {file or CONFIG_FILE}` looks again"
            )
        config = Config(folder=table_folder(os.environ))
    yield from check_box(machine, config.box, lambda: i2c_bus(config.box.i2c_bus), SystemPorts())
    yield from check_files(config)
    yield from check_texts()
    yield check_clock(datetime.now(UTC), machine)


def check_files(config: Config) -> Iterator[Finding]:
    """The cell map, the journal, and the disk that they are on."""
    try:
        found = config.read_cell_map()
        yield Finding(
            "ok", "cell map", f"{config.cell_map}" if found else "none: each sensor lies where it should; `underboard selftest` looks"
        )
    except HiddenMap as error:
        yield Finding("unknown", "cell map", str(error))
    except ConfigError as error:
        yield Finding("wrong", "cell map", str(error), "underboard selftest")
    yield check_journal(config.journal)
    yield check_disk(config.journal)


def check_journal(path: Path) -> Finding:
    """Whether the games can be read and kept."""
    folder = existing(path.parent)
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("warning", "journal", f"you may not write to {folder}", own_folder(path.parent))
    if not path.exists():
        return Finding("ok", "journal", f"{path} is made with the first game")
    try:
        count = len(read_match(path))
    except NewerJournalError as error:
        return Finding("wrong", "journal", str(error), f"update Underboard; to begin another journal instead: mv {path} {path}.newer")
    except JournalError as error:
        return Finding(
            "wrong", "journal", str(error), f"nothing: at its start the table moves it aside; to do it yourself: mv {path} {path}.old"
        )
    return Finding("ok", "journal", f"{path}, {count} entries in the last match")


def own_folder(folder: Path) -> str:
    """How to be allowed to write to the folder of the journal; nothing above it is touched."""
    if folder == STATE_FOLDER:
        return "sudo -u underboard underboard doctor: it belongs to the installed service"
    return f"sudo mkdir -p {quote(str(folder))} && sudo chown -R $USER {quote(str(folder))}"


def check_disk(path: Path) -> Finding:
    """Whether there is room for more."""
    free = shutil.disk_usage(existing(path.parent)).free
    text = f"{free / 1e6:,.0f} MB free for {path}"
    if free >= LITTLE_BYTES:
        return Finding("ok", "disk", text)
    return Finding("wrong" if free < LEAST_BYTES else "warning", "disk", text, "sudo apt clean && sudo journalctl --vacuum-size=50M")


def existing(folder: Path) -> Path:
    """The nearest folder above that is there."""
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


def check_texts() -> Iterator[Finding]:
    """Whether the texts of all languages are there, and fonts to draw them with."""
    for language in LANGUAGES:
        try:
            draw(farewell(find_words(language)))
        except (BadArgument, OSError, ValueError) as error:
            yield Finding("wrong", "texts", f"{language}: {error}", "pip install --force-reinstall underboard, or make play in its folder")
            return
    yield Finding("ok", "texts", f"fonts and languages: {', '.join(LANGUAGES)}")


def check_clock(now: datetime, machine: Machine) -> Finding:
    """The time of day is a label on what is kept, no more; but a wrong one confuses people."""
    day = f"{now:%Y-%m-%d %H:%M} UTC"
    if now.year < EARLIEST_YEAR:
        return Finding("warning", "clock", f"it says {day}", "sudo timedatectl set-ntp true, or sudo date -s 'YYYY-MM-DD HH:MM'")
    if machine.model and not machine.exists("/run/systemd/timesync/synchronized"):
        return Finding("ok", "clock", f"{day}; not from the network, so it may be off: games do not mind")
    return Finding("ok", "clock", day)
