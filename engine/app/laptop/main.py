"""`underboard play`: tables on this computer, with a page in the browser."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from underboard.engine.app.config import state_folder
from underboard.engine.app.laptop.host import TableHost, last_words
from underboard.engine.app.laptop.launch import LaunchedTable, LaunchRequest, launch, launch_kept
from underboard.engine.app.laptop.lobby import Lobby
from underboard.engine.app.laptop.page_channel import PageChannel
from underboard.engine.app.listen import PlayError, open_port
from underboard.engine.app.page_question import asked
from underboard.engine.app.simulation.box_options import SimulatedBoxOptions
from underboard.engine.app.table_options import TableOptions, allowed, cards_of, read_table_options
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.base.signals import ended_by_signals
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_table
from underboard.engine.gamekit.settings import PHONES
from underboard.engine.view.page_record import PageRecord
from underboard.engine.view.visibility import seen_by
from underboard.web.access import TABLE, AccessRules, keep_secret
from underboard.web.event_stream import EventStream
from underboard.web.host_names import LOOPBACK, is_host_name, is_loopback
from underboard.web.playback_stream import PlaybackStream
from underboard.web.server import HEADERS, PageSite, WebServer, build_app

SECRET = "play-links.key"
"""The file that the addresses of the table and the seats are made of; without it there are others."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What the command line asks for: a game at once, whichever is kept in `journal`, or the start page."""

    request: LaunchRequest | None
    box_options: SimulatedBoxOptions
    journal: Path | None
    language: str | None
    port: int
    browser: bool
    host: str = LOOPBACK
    names: Sequence[str] = ()


def read_options(
    words: Sequence[str], port: int, browser: bool = True, fresh: bool = False, host: str = LOOPBACK, names: Sequence[str] = ()
) -> PlayOptions:
    """`[GAME] [key=value …]` and the options. Raises BadArgument."""
    for name in names:
        if not is_host_name(name):
            raise BadArgument(f"--name {name}: a name of this computer is needed, as in --name game.example, without port")
    if words and "=" not in words[0]:
        find_game(words[0])
        find_table(words[0])
        line = read_table_options(words[0], words[1:])
        cards_of(line)
        request, box = launch_request(line, words, fresh, host), box_options(line, words)
        return PlayOptions(request, box, request.journal if line.journal else None, request.language, port, browser, host, names)
    given = Options.parse(words).as_dict()
    journal, language = given.pop("journal", None), given.pop("lang", None)
    if given or fresh:
        asked = " ".join([*(f"{key}={value}" for key, value in given.items()), *(["--new"] if fresh else [])])
        raise BadArgument(f"{asked}: name the game that this is for, as in underboard play hack_trick {asked}")
    if language is not None:
        allowed("lang", language, LANGUAGES)
    return PlayOptions(None, SimulatedBoxOptions(), Path(journal) if journal else None, language, port, browser, host, names)


def launch_request(line: TableOptions, words: Sequence[str], fresh: bool, host: str) -> LaunchRequest:
    """The game that is asked for. One that is kept is welcome if nothing was said about a new one."""
    journal = Path(line.journal) if line.journal else state_folder(os.environ) / f"play-{line.game_id}.sqlite3"
    new = fresh or bool(line.options) or line.seed is not None or line.dealer != "engine" or said("hands", words)
    language = line.language if said("lang", words) else None
    hands = line.hands if said("hands", words) or is_loopback(host) else PHONES
    return LaunchRequest(line.game_id, journal, line.options, line.dealer, hands, line.seed, language, new)


def box_options(line: TableOptions, words: Sequence[str]) -> SimulatedBoxOptions:
    """The box that is asked for; it has a card reader unless somebody says otherwise."""
    reader = None if line.reader == "none" else line.reader
    return SimulatedBoxOptions(line.oled, line.board, reader if said("reader", words) else "rdm6300")


def said(key: str, words: Sequence[str]) -> bool:
    """Whether an option is given."""
    return any(word.startswith(f"{key}=") for word in words)


def play(options: PlayOptions, playback: Sequence[str]) -> int:
    """Opens the page and whatever is asked for, until it is interrupted. Raises PlayError, BadArgument, JournalError."""
    with open_port(options.port, options.host) as listener:
        port = listener.getsockname()[1]
        access_rules = AccessRules(port, options.host, None if is_loopback(options.host) else secret(), names=options.names)
        channel = PageChannel(EventStream(seen_by, PageRecord(), asked), access_rules=access_rules)
        launched = launch_asked(options)
        serve(options, launched, channel, access_rules, listener, playback)
    return 0


def launch_asked(options: PlayOptions) -> LaunchedTable | None:
    """The table that is asked for; None for the start page."""
    if options.request:
        return launch(options.request)
    return launch_kept(options.journal, options.language, partial(print, file=sys.stderr)) if options.journal else None


def secret() -> bytes:
    """What the addresses of this user's tables are made of. Raises PlayError."""
    path = state_folder(os.environ) / SECRET
    try:
        return keep_secret(path)
    except OSError as error:
        raise PlayError(f"{path}: {error.strerror}: the addresses of the seats cannot be kept there") from None


def serve(
    options: PlayOptions,
    launched: LaunchedTable | None,
    channel: PageChannel,
    access_rules: AccessRules,
    listener: socket.socket,
    playback: Sequence[str],
) -> None:
    """Runs table host and page until a signal, or the end of the page's server, ends them."""
    failures: list[BaseException] = []

    def failed(error: BaseException) -> None:
        failures.append(error)
        channel.commands.put(None)

    def ready() -> None:
        server.start()
        welcome(options, launched, access_rules)

    table_host = TableHost(Lobby(state_folder(os.environ), options.journal, options.language or "en", access_rules.locked), channel, ready)
    playbacks = PlaybackStream(playback, lambda: None if access_rules.locked else table_host.look_back(), HEADERS)
    site = PageSite(channel.events, channel.reader, table_host.take, access_rules, table_host.ask, playbacks)
    server = WebServer(build_app(site, access_rules), listener, failed)
    with ended_by_signals(lambda: channel.commands.put(None)):
        try:
            table_host.run(launched, options.box_options)
        finally:
            channel.events.close()
            server.close()
    if failures:
        raise RuntimeError("the server of the page has ended") from failures[0]
    where = f"The table is closed. {last_words(table_host.journal, find_words('en'))}" if table_host.journal else "The page is closed."
    print(f"\n{where}", flush=True)


def welcome(options: PlayOptions, launched: LaunchedTable | None, access_rules: AccessRules) -> None:
    """Says where the page is, and shows it."""
    link = access_rules.link(TABLE)
    others = [f"also at {url}" for url in link.others]
    print("\n".join([*greeting(launched, link.url), *others, *([LOCKED] if access_rules.locked else []), "Ctrl-C closes it."]), flush=True)
    if options.browser:
        threading.Thread(target=webbrowser.open, args=(link.url,), name="browser", daemon=True).start()


LOCKED = "This address is the table's own: keep it to yourself. The page has one for each seat, and one for those who only watch."


def greeting(launched: LaunchedTable | None, url: str) -> list[str]:
    """What is open, and where."""
    if launched is None:
        return [f"Underboard at {url}", "Choose a game on the page."]
    for note in launched.journal.notes:
        print(note, file=sys.stderr)
    kept = "The game goes on that was kept in" if launched.resumed else "A new game begins, kept in"
    return [f"{launched.table.setup.game.id} at {url}", f"{kept} {launched.journal.path}"]
