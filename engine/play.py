"""`underboard play`: tables on this computer, with a page in the browser."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.config import state_folder
from engine.errors import BadArgument
from engine.film import FILM_MAKER
from engine.games import find_game
from engine.hatch import Hatch
from engine.house import House, last_words
from engine.lobby import Lobby
from engine.opening import Furniture, Opening, Request, open_game, open_kept
from engine.options import Options
from engine.script import TableLine, allowed, cards_of, table_line
from engine.signals import ended_by_signals
from engine.table import find_table
from engine.views import seen_by
from engine.words import LANGUAGES, find_words
from hardware.simulator.doors import LOOPBACK, TABLE, Doors, is_loopback, keep_secret
from hardware.simulator.feed import Feed
from hardware.simulator.films import Films
from hardware.simulator.web import HEADERS, Site, WebServer, build_app, listen

PORTS_TRIED = 100
SECRET = "play-links.key"
"""The file that the addresses of the table and the seats are made of; without it there are others."""


class PlayError(RuntimeError):
    """The table cannot be opened; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for: a game at once, whichever is kept in `journal`, or the start page."""

    request: Request | None
    furniture: Furniture
    journal: Path | None
    language: str | None
    port: int
    browser: bool
    host: str = LOOPBACK


def read_wish(words: Sequence[str], port: int, browser: bool = True, fresh: bool = False, host: str = LOOPBACK) -> Wish:
    """`[GAME] [key=value …]` and the options. Raises BadArgument."""
    if words and "=" not in words[0]:
        find_game(words[0])
        find_table(words[0])
        line = table_line(words[0], words[1:])
        cards_of(line)
        request, furniture = request_of(line, words, fresh), furniture_of(line, words)
        return Wish(request, furniture, request.journal if line.journal else None, request.language, port, browser, host)
    given = Options.parse(words).as_dict()
    journal, language = given.pop("journal", None), given.pop("lang", None)
    if given or fresh:
        asked = " ".join([*(f"{key}={value}" for key, value in given.items()), *(["--new"] if fresh else [])])
        raise BadArgument(f"{asked}: name the game that this is for, as in underboard play hack_trick {asked}")
    if language is not None:
        allowed("lang", language, LANGUAGES)
    return Wish(None, Furniture(), Path(journal) if journal else None, language, port, browser, host)


def request_of(line: TableLine, words: Sequence[str], fresh: bool) -> Request:
    """The game that is asked for. One that is kept is welcome if nothing was said about a new one."""
    journal = Path(line.journal) if line.journal else state_folder(os.environ) / f"play-{line.game_id}.sqlite3"
    new = fresh or bool(line.options) or line.seed is not None or line.dealer != "engine"
    language = line.language if said("lang", words) else None
    return Request(line.game_id, journal, line.options, line.dealer, line.seed, language, new)


def furniture_of(line: TableLine, words: Sequence[str]) -> Furniture:
    """The box that is asked for; it has a card reader unless somebody says otherwise."""
    reader = None if line.reader == "none" else line.reader
    return Furniture(line.oled, line.board, reader if said("reader", words) else "rdm6300")


def said(key: str, words: Sequence[str]) -> bool:
    """Whether an option is given."""
    return any(word.startswith(f"{key}=") for word in words)


def play(wish: Wish) -> int:
    """Opens the page and whatever is asked for, until it is interrupted. Raises PlayError, BadArgument, JournalError."""
    with open_port(wish.port, wish.host) as listener:
        port = listener.getsockname()[1]
        doors = Doors(port, wish.host, None if is_loopback(wish.host) else secret())
        hatch = Hatch(Feed(seen_by), doors=doors)
        opening = open_wish(wish)
        serve(wish, opening, hatch, doors, listener)
    return 0


def open_wish(wish: Wish) -> Opening | None:
    """The table that is asked for; None for the start page."""
    if wish.request:
        return open_game(wish.request)
    return open_kept(wish.journal, wish.language, partial(print, file=sys.stderr)) if wish.journal else None


def secret() -> bytes:
    """What the addresses of this user's tables are made of. Raises PlayError."""
    path = state_folder(os.environ) / SECRET
    try:
        return keep_secret(path)
    except OSError as error:
        raise PlayError(f"{path}: {error.strerror}: the addresses of the seats cannot be kept there") from None


def open_port(port: int, host: str = LOOPBACK) -> socket.socket:
    """A socket that takes connections. Raises PlayError that names a free port, or says that the address is none of ours."""
    try:
        return listen(port, host)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise PlayError(f"--host {host}: this computer has no such address ({error.strerror}); 0.0.0.0 means all it has") from None
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


def serve(wish: Wish, opening: Opening | None, hatch: Hatch, doors: Doors, listener: socket.socket) -> None:
    """Runs house and page until a signal, or the end of the page's server, ends them."""
    failures: list[BaseException] = []

    def failed(error: BaseException) -> None:
        failures.append(error)
        hatch.commands.put(None)

    def ready() -> None:
        server.start()
        welcome(wish, opening, doors)

    house = House(Lobby(state_folder(os.environ), wish.journal, wish.language or "en"), hatch, ready)
    films = Films(FILM_MAKER, lambda: None if doors.locked else house.journal_path, HEADERS)
    site = Site(hatch.feed, hatch.reader, house.take, doors, house.ask, films)
    server = WebServer(build_app(site, doors), listener, failed)
    with ended_by_signals(lambda: hatch.commands.put(None)):
        try:
            house.run(opening, wish.furniture)
        finally:
            hatch.feed.close()
            server.close()
    if failures:
        raise RuntimeError("the server of the page has ended") from failures[0]
    where = f"The table is closed. {last_words(house.journal, find_words('en'))}" if house.journal else "The page is closed."
    print(f"\n{where}", flush=True)


def welcome(wish: Wish, opening: Opening | None, doors: Doors) -> None:
    """Says where the page is, and shows it."""
    url = doors.link(TABLE).url
    print("\n".join([*greeting(opening, url), *([LOCKED] if doors.locked else []), "Ctrl-C closes it."]), flush=True)
    if wish.browser:
        threading.Thread(target=webbrowser.open, args=(url,), name="browser", daemon=True).start()


LOCKED = "This address is the table's own: keep it to yourself. The page has one for each seat, and one for those who only watch."


def greeting(opening: Opening | None, url: str) -> list[str]:
    """What is open, and where."""
    if opening is None:
        return [f"Underboard at {url}", "Choose a game on the page."]
    for note in opening.journal.notes:
        print(note, file=sys.stderr)
    kept = "The game goes on that was kept in" if opening.resumed else "A new game begins, kept in"
    return [f"{opening.table.setup.game.id} at {url}", f"{kept} {opening.journal.path}"]
