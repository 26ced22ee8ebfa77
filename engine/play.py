"""`underboard play`: a table on this computer, with a page in the browser."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from engine.config import state_folder
from engine.deeds import open_table
from engine.errors import BadArgument
from engine.events import Effect
from engine.film import FILM_MAKER
from engine.games import find_game
from engine.hatch import Commands, Hatch
from engine.keeper import Keeper, open_keeper
from engine.laptop import Furniture, Laptop
from engine.resume import ResumeError, new_setup, resume
from engine.script import TableLine, table_line
from engine.story import Story
from engine.table import find_table
from engine.tabletop import Table
from engine.views import seen_by
from engine.words import find_words
from hardware.clock import JumpingClock
from hardware.simulator.doors import LOOPBACK, Doors
from hardware.simulator.feed import Feed
from hardware.simulator.films import Films
from hardware.simulator.web import HEADERS, Site, WebServer, build_app, listen

DEFAULT_GAME = "hack_trick"
PORTS_TRIED = 100


class PlayError(RuntimeError):
    """The table cannot be opened; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for."""

    line: TableLine
    language: str | None
    port: int
    browser: bool
    fresh: bool

    @property
    def journal(self) -> Path:
        """The file that keeps the game."""
        return Path(self.line.journal) if self.line.journal else state_folder(os.environ) / f"play-{self.line.game_id}.sqlite3"

    @property
    def goes_on(self) -> bool:
        """Whether a game in the journal is welcome: nothing was said about a new one."""
        return not (self.fresh or self.line.options or self.line.seed is not None)


@dataclass(frozen=True, slots=True)
class Opening:
    """The table to begin with, and the keeper of its journal."""

    table: Table
    effects: Sequence[Effect]
    journal: Keeper
    resumed: bool


def read_wish(words: Sequence[str], port: int, browser: bool = True, fresh: bool = False) -> Wish:
    """`[GAME] [key=value …]` and the options. Raises BadArgument."""
    named = bool(words) and "=" not in words[0]
    game_id = words[0] if named else DEFAULT_GAME
    find_game(game_id)
    find_table(game_id)
    options = words[1:] if named else words
    line = table_line(game_id, options)
    if line.dealer == "reader" or line.reader != "none":
        raise BadArgument("dealer=reader: this table has no card reader; `underboard replay` has one")
    language = line.language if any(word.startswith("lang=") for word in options) else None
    return Wish(line, language, port, browser, fresh)


def play(wish: Wish) -> int:
    """Opens the table and runs it until it is interrupted. Raises PlayError, BadArgument, JournalError."""
    listener = open_port(wish.port)
    with listener:
        hatch = Hatch(Feed(seen_by), doors=Doors(listener.getsockname()[1]))
        opening = open_game(wish)
        try:
            laptop = seat_players(wish, opening, hatch)
            try:
                return serve(wish, opening, laptop, hatch, listener)
            finally:
                laptop.close()
        finally:
            opening.journal.close()


def open_port(port: int) -> Any:
    """A socket that takes connections. Raises PlayError that names a free port."""
    try:
        return listen(port)
    except OSError as error:
        raise PlayError(f"port {port} cannot be used ({error.strerror}): try --port {free_port(port)}") from None


def free_port(taken: int) -> int:
    """The next port that is free, 0 (any) if there is none nearby."""
    for port in range(max(taken + 1, 1024), min(max(taken, 1024) + PORTS_TRIED, 65536)):
        try:
            listen(port).close()
        except OSError:
            continue
        return port
    return 0


def open_game(wish: Wish) -> Opening:
    """The game in the journal if it can go on and nobody wants another, else a new one. Raises BadArgument, JournalError."""
    journal = open_keeper(wish.journal)
    try:
        if wish.goes_on and (kept := journal.game):
            try:
                table = resume(kept)
                if table.setup.game.id == wish.line.game_id and unfinished(table):
                    return Opening(replace(table, language=wish.language or table.language), (), journal, resumed=True)
            except ResumeError as error:
                journal.start_anew(str(error))
        seed = Random().getrandbits(31) if wish.line.seed is None else wish.line.seed
        table, effects = open_table(new_setup(wish.line.game_id, wish.line.options, seed), wish.language or "en")
    except BaseException:
        journal.close()
        raise
    return Opening(table, effects, journal, resumed=False)


def unfinished(table: Table) -> bool:
    """Whether there is more to play: the game, or the match that it belongs to."""
    game = table.setup.game
    if not game.over(table.state):
        return True
    try:
        return game.match(table.state)["winner"] is None
    except BadArgument:
        return False


def seat_players(wish: Wish, opening: Opening, hatch: Hatch) -> Laptop:
    """The table with its story so far."""
    story = Story()
    for note in opening.journal.notes:
        story.note(note)
    if opening.resumed:
        story.tell_past(opening.table)
        words = find_words(opening.table.language)
        story.note(words("the game goes on"))
    furniture = Furniture(wish.line.oled, wish.line.board)
    return Laptop(opening.table, opening.effects, opening.journal, story, JumpingClock(), hatch, furniture)


def serve(wish: Wish, opening: Opening, laptop: Laptop, hatch: Hatch, listener: Any) -> int:
    """Runs table and page until a signal, or the end of the page's server, ends them."""
    port = listener.getsockname()[1]
    failures: list[BaseException] = []

    def failed(error: BaseException) -> None:
        failures.append(error)
        hatch.commands.put(None)

    doors = hatch.doors or Doors(port)
    with ended_by_signals(hatch.commands):
        laptop.step()
        films = Films(FILM_MAKER, lambda: None if doors.locked else laptop.journal_path, HEADERS)
        site = Site(hatch.feed, hatch.reader, hatch.commands.put, doors, films=films)
        server = WebServer(build_app(site, doors), listener, failed)
        try:
            welcome(wish, opening, f"http://{LOOPBACK}:{port}/")
            laptop.run()
        finally:
            hatch.feed.close()
            server.close()
    if failures:
        raise RuntimeError("the server of the page has ended") from failures[0]
    laptop.journal.close()
    print(f"\nThe table is closed. {last_words(laptop.journal)}", flush=True)
    return 0


def last_words(journal: Keeper) -> str:
    """Where the game is when the table is closed."""
    return f"The game could not be kept in {journal.path}." if journal.problem else f"The game is kept in {journal.path}."


def welcome(wish: Wish, opening: Opening, url: str) -> None:
    """Says where the table is, and shows it."""
    for note in opening.journal.notes:
        print(note, file=sys.stderr)
    kept = "The game goes on that was kept in" if opening.resumed else "A new game begins, kept in"
    print(f"{wish.line.game_id} at {url}\n{kept} {opening.journal.path}\nCtrl-C closes the table.", flush=True)
    if wish.browser:
        threading.Thread(target=webbrowser.open, args=(url,), name="browser", daemon=True).start()


@contextmanager
def ended_by_signals(commands: Commands) -> Iterator[None]:
    """Inside, Ctrl-C and SIGTERM end the table; the queue may be written to from a signal handler."""

    def end(number: int, frame: FrameType | None) -> None:
        commands.put(None)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
