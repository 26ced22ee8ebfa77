"""A table's configuration: the game to begin with, the files here, the box below in `underboard.hardware.box.config`.

Every setting has a default, so an empty file, or none, is the reference table. A file is checked whole before anything is
opened: `read_config` says all that is wrong with it at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from underboard.engine.base.errors import GameError
from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.gamekit.registry import game_ids
from underboard.engine.gamekit.settings import HAND_MODES, PANEL, PHONES
from underboard.engine.gamekit.setup import TableSetup, new_setup
from underboard.engine.referee.actions import open_table
from underboard.errors import UnderboardError
from underboard.hardware.board.cell_map import CellMap, CellMapError, read_cell_map
from underboard.hardware.box.config import SETTINGS as BOX_SETTINGS
from underboard.hardware.box.config import BoxConfig, box_of
from underboard.hardware.core.toml_settings import (
    FILE_NAME,
    OPTIONS,
    TEXT,
    YES_NO,
    Found,
    Problem,
    TomlSetting,
    ValueKind,
    example,
    read,
    whole,
    word,
)
from underboard.web.host_names import is_host_name, is_loopback

CONFIG_FILE = Path("/etc/underboard/table.toml")
STATE_FOLDER = Path("/var/lib/underboard")
"""Where an installed table keeps its files."""
CELL_MAP = "cells.toml"
NEW_MAP = "`underboard selftest` writes a new one; without the file each sensor is where it should be"
AS_SERVICE = "add sudo, or sudo -u underboard for all that the installed service sees"

HEADING = """\
The table: which game, and what is in the box. Every line shows its default; leave out what you do not need.
`underboard config --check` says whether it can be used, `underboard doctor` looks at the devices.
A file name without a / at its beginning lies in /var/lib/underboard, where no table is installed in ~/.local/state/underboard."""

HOST_NAMES = ValueKind(
    lambda value: isinstance(value, list) and all(isinstance(name, str) and is_host_name(name) for name in value),
    'a list of names of this computer without port, like ["game.example"],',
)
SETTINGS = (
    TomlSetting(
        "game.begin",
        "",
        word(*game_ids(), ""),
        f'{", ".join(game_ids())}, or "": chosen at the table; a game that is kept goes on',
    ),
    TomlSetting("game.language", "en", word(*LANGUAGES), "en, hu, nl or hy, when a game begins; the table's own menu changes it"),
    TomlSetting("game.dealer", "engine", word("engine", "reader"), '"reader": a tagged deck, each drawn card is laid on the reader'),
    TomlSetting(
        "game.hands",
        "",
        word(*HAND_MODES, ""),
        'where hands are looked at: panel (behind a curtain), phones (a page a seat), open (by all); "": phones if page.seats, else panel',
    ),
    TomlSetting("game.deck", "", TEXT, "the deck that `underboard cards learn` has learnt; empty: cards-GAME.toml"),
    TomlSetting("game.journal", "journal.sqlite3", FILE_NAME, "where the games are kept"),
    TomlSetting("game.options", {}, OPTIONS, "as in new_game of the rules protocol, for the game above", "target = 1"),
    TomlSetting(
        "page.enabled", False, YES_NO, "true: a page to watch the table on a second screen; it shows no hands and takes no commands"
    ),
    TomlSetting(
        "page.seats", False, YES_NO, "true: each seat has a page of its own with its hand; the panel shows their codes when a game begins"
    ),
    TomlSetting("page.host", "127.0.0.1", TEXT, 'who may ask for it: this computer alone; "0.0.0.0": everybody in its network'),
    TomlSetting("page.port", 8021, whole(1024, 65535), "the page is at http://ADDRESS-OF-THIS-COMPUTER:PORT/"),
    TomlSetting("page.names", [], HOST_NAMES, "further names by which it may be asked for; those in the home network are known"),
    *BOX_SETTINGS,
)


class ConfigError(UnderboardError, ValueError):
    """A configuration that cannot be used; the text lists every problem with file and key, a line each."""

    fault = "configuration"


class HiddenMap(ConfigError):
    """A cell map that whoever asks may not read; the table itself may."""


@dataclass(frozen=True)
class PageConfig:
    """The pages that the table serves: for those who only watch, and for seats."""

    enabled: bool = False
    seats: bool = False
    host: str = "127.0.0.1"
    port: int = 8021
    names: Sequence[str] = ()


@dataclass(frozen=True)
class Config:
    """What a table is set up for. The defaults are those of an empty file."""

    file: Path = CONFIG_FILE
    folder: Path = STATE_FOLDER
    """Where the files lie whose names do not begin at the root."""
    game_id: str = ""
    """The game to begin with; "" if it is chosen at the table."""
    options: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"
    dealer: str = "engine"
    hands: str = PANEL
    deck_file: str = ""
    journal_file: str = "journal.sqlite3"
    box: BoxConfig = field(default_factory=BoxConfig)
    page: PageConfig = field(default_factory=PageConfig)

    @property
    def journal(self) -> Path:
        """The file that keeps the games."""
        return self.folder / self.journal_file

    @property
    def seat_secret(self) -> Path:
        """The file of what the seats' addresses are made of, so that a phone keeps its seat."""
        return self.folder / "seats.key"

    @property
    def cell_map(self) -> Path:
        """The file that the self-test writes."""
        return self.folder / self.box.cell_map

    def deck(self, game_id: str) -> Path:
        """The file that tells the cards of a game from their tags."""
        return self.folder / (self.deck_file or f"cards-{game_id}.toml")

    @property
    def board_size(self) -> tuple[int, int]:
        """Rows and columns of the board as players see it. Raises ConfigError as `read_cell_map` does."""
        cell_map = self.read_cell_map()
        return cell_map.size if cell_map else self.box.size

    def setup(self, seed: int | None = None) -> TableSetup:
        """The table to be set for a new game. Raises BadArgument."""
        return new_setup(self.game_id, self.options, Random().getrandbits(31) if seed is None else seed, self.dealer, self.hands)

    def read_cell_map(self) -> CellMap | None:
        """Which sensor lies under which cell; None without a file. Raises ConfigError for one that cannot be used with this box."""
        try:
            found = read_cell_map(self.cell_map)
        except FileNotFoundError:
            if self.box.cell_map == CELL_MAP:
                return None
            raise ConfigError(f"{self.file}: board.cell_map: there is no file {self.cell_map}: `underboard selftest` writes it") from None
        except PermissionError:
            raise HiddenMap(f"{self.cell_map}: no permission to read it: {AS_SERVICE}") from None
        except (OSError, CellMapError) as error:
            reason = getattr(error, "strerror", None) or str(error).removeprefix(f"{self.cell_map}: ")
            raise ConfigError(f"{self.cell_map}: {reason}: {NEW_MAP}") from None
        if (found.rows, found.columns) != self.box.size:
            sensors, matrix = f"{found.rows} x {found.columns}", "{} x {}".format(*self.box.size)
            raise ConfigError(f"{self.cell_map}: this is the map of {sensors} sensors, the board has {matrix}: {NEW_MAP}")
        return found


def state_folder(environment: Mapping[str, str]) -> Path:
    """Where a user's programs keep what they want to remember, by the XDG rules."""
    given = environment.get("XDG_STATE_HOME", "")
    return (Path(given) if os.path.isabs(given) else Path.home() / ".local" / "state") / "underboard"


def table_folder(environment: Mapping[str, str], installed: Path = STATE_FOLDER) -> Path:
    """Where the table keeps its files: what the service manager says, the folder of an installed table, else the user's own."""
    given = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    if given:
        return Path(given)
    return installed if installed.is_dir() else state_folder(environment)


def load_config(file: Path | None, environment: Mapping[str, str] | None = None) -> Config:
    """The configuration in a file; without a name that in CONFIG_FILE, or the defaults if there is none. Raises ConfigError."""
    folder = table_folder(os.environ if environment is None else environment)
    path = CONFIG_FILE if file is None else file
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if file is None:
            return Config(path, folder)
        raise ConfigError(f"{path}: there is no such file: underboard config -o {path} writes one") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: this is no text in UTF-8") from None
    except PermissionError:
        raise ConfigError(f"{path}: no permission to read it: {AS_SERVICE}") from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    return read_config(text, path, folder)


def read_config(text: str, file: Path = CONFIG_FILE, folder: Path = STATE_FOLDER) -> Config:
    """The configuration in a text. Raises ConfigError with every problem in it."""
    found = read(text, SETTINGS)
    box, problems = box_of(found)
    config = config_of(found, box, file, folder)
    problems = [*found.problems, *problems]
    problems += game_problems(config, {problem.key for problem in problems})
    if problems:
        raise ConfigError("\n".join(f"{file}: {problem}" for problem in problems))
    return config


def config_of(found: Found, box: BoxConfig, file: Path, folder: Path) -> Config:
    """What the settings say, taken together."""
    values: Mapping[str, Any] = found.values
    return Config(
        file,
        folder,
        values["game.begin"],
        {key: str(value) for key, value in values["game.options"].items()},
        values["game.language"],
        values["game.dealer"],
        values["game.hands"] or (PHONES if values["page.seats"] else PANEL),
        values["game.deck"],
        values["game.journal"],
        box,
        PageConfig(
            values["page.enabled"] or values["page.seats"],
            values["page.seats"],
            values["page.host"],
            values["page.port"],
            tuple(values["page.names"]),
        ),
    )


def game_problems(config: Config, wrong: set[str]) -> Iterator[Problem]:
    """What the game that is to begin has against its options and the board; nothing while that itself is wrong."""
    if not config.page.host:
        yield Problem("page.host", 'an address is needed: "127.0.0.1" for this computer alone, "0.0.0.0" for its network')
    if config.page.seats and is_loopback(config.page.host):
        yield Problem("page.host", 'page.seats is for phones, which do not reach this address: "0.0.0.0" lets the home network in')
    if wrong & {"game.begin", "game.options", "game.dealer"}:
        return
    if not config.game_id:
        if config.dealer == "reader":
            yield Problem("game.dealer", "it counts for nothing while game.begin is empty: the cards are chosen at the table, too")
        if config.options:
            yield Problem("game.options", "they count for nothing while game.begin is empty: name the game that they are for")
        return
    try:
        setup = config.setup(0)
        open_table(setup)
    except GameError as error:
        yield Problem("game.options", str(error))
        return
    if not any(key.startswith(("board.", "pico.")) for key in wrong):
        yield from size_problems(config, setup)


def size_problems(config: Config, setup: TableSetup) -> Iterator[Problem]:
    """Whether all spaces of the game lie over sensors."""
    (rows, columns), most = config.box.size, setup.overlay.extent
    if not setup.overlay.fits(config.box.size):
        matrix = "pico" if config.box.pico else "board"
        what = "rows" if most[0] > rows else "columns"
        yield Problem(
            f"{matrix}.{what}", f"{config.game_id} needs {most[0]} rows and {most[1]} columns, the board has {rows} and {columns}"
        )


def example_text() -> str:
    """A file with every setting; what it says is what an empty file says."""
    return example(SETTINGS, HEADING)
