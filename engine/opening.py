"""How a table is opened: the game that was kept, or a new one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from engine.deeds import open_table
from engine.errors import BadArgument
from engine.events import Effect
from engine.journal import JournalError, read_game
from engine.keeper import Keeper, open_keeper
from engine.resume import ResumeError, new_setup, resume
from engine.script import Board, Dealer
from engine.tabletop import Setup, Table
from hardware.card_frames import Kind
from hardware.oled import Controller


@dataclass(frozen=True, slots=True)
class Furniture:
    """The simulated box: its display, what the matrix is wired to, its card reader (None: there is none)."""

    oled: Controller = "ssd1306"
    board: Board = "gpio"
    reader: Kind | None = "rdm6300"


@dataclass(frozen=True, slots=True)
class Request:
    """Which game is wanted, kept in which journal. `fresh`: not the one that may be kept there. No `language`: the one it had."""

    game_id: str
    journal: Path
    options: Mapping[str, str] = field(default_factory=dict)
    dealer: Dealer = "engine"
    seed: int | None = None
    language: str | None = None
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Opening:
    """The table to begin with, and the keeper of its journal."""

    table: Table
    effects: Sequence[Effect]
    journal: Keeper
    resumed: bool


def open_game(request: Request) -> Opening:
    """The game in the journal if it can go on and nobody wants another, else a new one. Raises BadArgument, JournalError."""
    journal = open_keeper(request.journal)
    try:
        if not request.fresh and (table := kept_table(journal)) and table.setup.game.id == request.game_id:
            return going_on(table, journal, request.language)
        return Opening(*open_table(new_table(request), request.language or "en"), journal, resumed=False)
    except BaseException:
        journal.close()
        raise


def open_kept(path: Path, language: str | None, tell: Callable[[str], None]) -> Opening | None:
    """Whichever game is kept in a journal; None if none is that can go on: what has become of it is told. Raises JournalError."""
    journal = open_keeper(path)
    try:
        if table := kept_table(journal):
            return going_on(table, journal, language)
    except BaseException:
        journal.close()
        raise
    journal.close()
    for note in journal.notes:
        tell(note)
    return None


def new_table(request: Request) -> Setup:
    """The table that is asked for. Raises BadArgument."""
    seed = Random().getrandbits(31) if request.seed is None else request.seed
    return new_setup(request.game_id, request.options, seed, request.dealer)


def going_on(table: Table, journal: Keeper, language: str | None) -> Opening:
    """The table of a game that goes on."""
    return Opening(replace(table, language=language or table.language), (), journal, resumed=True)


def kept_table(journal: Keeper) -> Table | None:
    """The game in a journal if there is more to play; one that makes no game is moved aside. Raises JournalError."""
    if not journal.game:
        return None
    try:
        table = resume(journal.game)
    except ResumeError as error:
        journal.start_anew(str(error))
        return None
    return table if unfinished(table) else None


def unfinished(table: Table) -> bool:
    """Whether there is more to play: the game, or the match that it belongs to."""
    game = table.setup.game
    if not game.over(table.state):
        return True
    try:
        return game.match(table.state)["winner"] is None
    except BadArgument:
        return False


def kept_in(paths: Sequence[Path]) -> Iterator[tuple[Path, Table]]:
    """The games that can go on, without opening their journals; those that cannot be read are left out."""
    for path in paths:
        try:
            table = resume(entries) if (entries := read_game(path)) else None
        except (JournalError, ResumeError):
            continue
        if table and unfinished(table):
            yield path, table
