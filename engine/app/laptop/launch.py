"""How a table is opened: the game that was kept, or a new one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from underboard.engine.app.table_options import DealerOption
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.settings import PANEL
from underboard.engine.gamekit.setup import TableSetup, new_setup
from underboard.engine.journal.database import JournalError, read_game
from underboard.engine.journal.history import ResumeError, resume
from underboard.engine.journal.writer import JournalWriter, open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import Effect
from underboard.engine.referee.state import TableState


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """Which game is wanted, kept in which journal. `fresh`: not the one that may be kept there. No `language`: the one it had."""

    game_id: str
    journal: Path
    options: Mapping[str, str] = field(default_factory=dict)
    dealer: DealerOption = "engine"
    hands: str = PANEL
    seed: int | None = None
    language: str | None = None
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class LaunchedTable:
    """The table to begin with, and the writer of its journal."""

    table: TableState
    effects: Sequence[Effect]
    journal: JournalWriter
    resumed: bool


def launch(request: LaunchRequest) -> LaunchedTable:
    """The game in the journal if it can go on and nobody wants another, else a new one. Raises BadArgument, JournalError."""
    journal = open_writer(request.journal)
    try:
        if not request.fresh and (table := kept_table(journal)) and table.setup.game.id == request.game_id:
            return going_on(table, journal, request.language)
        return LaunchedTable(*open_table(new_table(request), request.language or "en"), journal, resumed=False)
    except BaseException:
        journal.close()
        raise


def launch_kept(path: Path, language: str | None, tell: Callable[[str], None]) -> LaunchedTable | None:
    """Whichever game is kept in a journal; None if none is that can go on: what has become of it is told. Raises JournalError."""
    journal = open_writer(path)
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


def new_table(request: LaunchRequest) -> TableSetup:
    """The table that is asked for. Raises BadArgument."""
    seed = Random().getrandbits(31) if request.seed is None else request.seed
    return new_setup(request.game_id, request.options, seed, request.dealer, request.hands)


def going_on(table: TableState, journal: JournalWriter, language: str | None) -> LaunchedTable:
    """The table of a game that goes on."""
    return LaunchedTable(replace(table, language=language or table.language), (), journal, resumed=True)


def kept_table(journal: JournalWriter) -> TableState | None:
    """The game in a journal if there is more to play; one that makes no game is moved aside. Raises JournalError."""
    if not journal.game:
        return None
    try:
        table = resume(journal.game)
    except ResumeError as error:
        journal.start_anew(str(error))
        return None
    return table if unfinished(table) else None


def unfinished(table: TableState) -> bool:
    """Whether there is more to play: the game, or the match that it belongs to."""
    game = table.setup.game
    if not game.over(table.state):
        return True
    try:
        return game.match(table.state)["winner"] is None
    except BadArgument:
        return False


def kept_in(paths: Sequence[Path]) -> Iterator[tuple[Path, TableState]]:
    """The games that can go on, without opening their journals; those that cannot be read are left out."""
    for path in paths:
        try:
            table = resume(entries) if (entries := read_game(path)) else None
        except (JournalError, ResumeError):
            continue
        if table and unfinished(table):
            yield path, table
