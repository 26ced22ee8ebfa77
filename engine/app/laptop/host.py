"""The table host: shows the start page and runs one table after the other, until the program ends.

Two threads come here. The server's asks and brings commands (`ask`, `take`); all else is done by the one that called `run`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from underboard.engine.app.laptop.launch import LaunchedTable, launch, launch_kept
from underboard.engine.app.laptop.live_table import LiveTable
from underboard.engine.app.laptop.lobby import Lobby, Unplayable
from underboard.engine.app.laptop.page_channel import PageChannel
from underboard.engine.app.simulation.box_options import SimulatedBoxOptions
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import Words, find_words
from underboard.engine.journal.database import JournalError
from underboard.engine.journal.writer import JournalWriter
from underboard.engine.view.game_log import GameLog
from underboard.hardware.core.clock import JumpingClock
from underboard.web.commands import BadCommand, GoOn, Open, Order, PageCommand, Refused, Speak, checked_options

FOR_THE_START_PAGE = (Open, GoOn, Speak)


class TableHost:
    """One page, and behind it the start page or a table."""

    def __init__(self, lobby: Lobby, channel: PageChannel, ready: Callable[[], None]) -> None:
        """`ready` is called once, as soon as there is something to be seen."""
        self._ready: Callable[[], None] | None = ready
        self._lobby = lobby
        self._channel = channel
        self.journal: JournalWriter | None = None  # of the last table that was closed
        self._live_table: LiveTable | None = None
        self._box_options = SimulatedBoxOptions()
        self._problems: list[str] = []

    # The server's thread

    def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """The form of a game as far as it is filled in. Raises BadCommand."""
        game, answers = question.get("game"), checked_options(question.get("answers"))
        if not isinstance(game, str) or question.keys() != {"game", "answers"}:
            raise BadCommand("a question has a 'game' and 'answers'")
        try:
            return self._lobby.sheet(game, answers)
        except BadArgument as error:
            raise Refused(str(error)) from None

    @property
    def journal_path(self) -> Path | None:
        """The file that keeps the game on the table; None at the start page."""
        live_table = self._live_table
        return live_table.journal_path if live_table else None

    def look_back(self) -> Path | None:
        """The file of the game on the table, for looking back at it; raises Refused while that would show a hand to others."""
        live_table = self._live_table
        if live_table and live_table.keeps_secret:
            words = find_words(live_table.language)
            raise Refused(words("The cards are secret: look back when the game is over."))
        return self.journal_path

    def take(self, order: Order) -> None:
        """Hands a command on, if it can be carried out here. Raises Refused."""
        command = order.command
        if isinstance(command, FOR_THE_START_PAGE) and self._live_table:
            words = find_words(self._lobby.language)
            raise Refused(words("A table is in use: leave it first."))
        try:
            match command:
                case Open(game, answers):
                    self._lobby.request(game, answers)
                case GoOn(name):
                    self._lobby.kept_journal(name)
                case Speak(language):
                    self._lobby.speak(language)
        except Unplayable as error:
            raise Refused(str(error), error.field) from None
        except BadArgument as error:
            raise Refused(str(error)) from None
        self._channel.commands.put(order)

    # The host's own thread

    def run(self, launched: LaunchedTable | None = None, box_options: SimulatedBoxOptions | None = None) -> None:
        """From the table that is open already, if one is, or from the start page, until None comes through the queue."""
        while launched is not None or (launched := self._wait_for_a_table()):
            if not self._play(launched, box_options or self._box_options):
                return
            launched = box_options = None

    def _wait_for_a_table(self) -> LaunchedTable | None:
        """Shows the start page until a game is chosen; None if the program is to end."""
        while True:
            self._channel.reader.expect()
            self._channel.events.publish(self._lobby.record(" ".join(self._problems)))
            self._say_ready()
            order = self._channel.next_order()
            if order is None:
                return None
            self._problems.clear()
            try:
                if launched := self._open(order.command):
                    return launched
            except (JournalError, BadArgument, Unplayable) as error:
                self._problems.append(str(error))

    def _say_ready(self) -> None:
        if self._ready:
            self._ready()
            self._ready = None

    def _open(self, command: PageCommand) -> LaunchedTable | None:
        """The table that is asked for; None for a command that asks for none. Raises JournalError, BadArgument, Unplayable."""
        match command:
            case Open(game, answers):
                request, self._box_options = self._lobby.request(game, answers)
                return launch(request)
            case GoOn(name):
                self._box_options = SimulatedBoxOptions()
                return launch_kept(self._lobby.kept_journal(name), None, self._problems.append)
        return None

    def _play(self, launched: LaunchedTable, box_options: SimulatedBoxOptions) -> bool:
        """Plays at a table; whether it was left for the start page."""
        live_table = LiveTable(
            launched.table, launched.effects, launched.journal, log_of(launched), JumpingClock(), self._channel, box_options
        )
        self._live_table = live_table
        try:
            live_table.step()
            self._say_ready()
            left = live_table.run()
            self._lobby.language = live_table.language
            return left
        finally:
            self._live_table = None
            live_table.close()
            self.journal = live_table.journal
            if self.journal.problem:
                self._problems.append(last_words(self.journal, find_words(self._lobby.language)))


def last_words(journal: JournalWriter, words: Words) -> str:
    """Where the game is when its table has been closed."""
    if journal.problem:
        return words("The game could not be kept in {path}.", path=journal.path)
    return words("The game is kept in {path}.", path=journal.path)


def log_of(launched: LaunchedTable) -> GameLog:
    """What happened so far, for a table that is opened."""
    game_log, words = GameLog(), find_words(launched.table.language)
    for note in launched.journal.notes:
        game_log.note(note)
    if launched.resumed:
        game_log.add_past(launched.table)
        game_log.note(words("the game goes on"))
    return game_log
