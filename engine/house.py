"""The house in which tables are set: the start page, and one table after the other, until the program ends.

Two threads come here. The server's asks and brings commands (`ask`, `take`); all else is done by the one that called `run`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.errors import BadArgument
from engine.hatch import Hatch
from engine.journal import JournalError
from engine.keeper import Keeper
from engine.laptop import Laptop
from engine.lobby import Lobby, Unplayable
from engine.opening import Furniture, Opening, open_game, open_kept
from engine.story import Story
from engine.words import Words, find_words
from hardware.clock import JumpingClock
from hardware.simulator.commands import BadCommand, Command, GoOn, Open, Speak, checked_options
from hardware.simulator.web import Refused

FOR_THE_START_PAGE = (Open, GoOn, Speak)


class House:
    """One page, and behind it the start page or a table."""

    def __init__(self, lobby: Lobby, hatch: Hatch, ready: Callable[[], None]) -> None:
        """`ready` is called once, as soon as there is something to be seen."""
        self._ready: Callable[[], None] | None = ready
        self._lobby = lobby
        self._hatch = hatch
        self.journal: Keeper | None = None  # of the last table that was closed
        self._laptop: Laptop | None = None
        self._furniture = Furniture()
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
        laptop = self._laptop
        return laptop.journal_path if laptop else None

    def take(self, command: Command) -> None:
        """Hands a command on, if it can be carried out here. Raises Refused."""
        if isinstance(command, FOR_THE_START_PAGE) and self._laptop:
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
        self._hatch.commands.put(command)

    # The house's own thread

    def run(self, opening: Opening | None = None, furniture: Furniture | None = None) -> None:
        """From the table that is open already, if one is, or from the start page, until None comes through the queue."""
        while opening is not None or (opening := self._wait_for_a_table()):
            if not self._play(opening, furniture or self._furniture):
                return
            opening = furniture = None

    def _wait_for_a_table(self) -> Opening | None:
        """Shows the start page until a game is chosen; None if the program is to end."""
        while True:
            self._hatch.reader.expect()
            self._hatch.feed.publish(self._lobby.snapshot(" ".join(self._problems)))
            self._say_ready()
            command = self._hatch.commands.get()
            if command is None:
                return None
            self._problems.clear()
            try:
                if opening := self._open(command):
                    return opening
            except (JournalError, BadArgument, Unplayable) as error:
                self._problems.append(str(error))

    def _say_ready(self) -> None:
        if self._ready:
            self._ready()
            self._ready = None

    def _open(self, command: Command) -> Opening | None:
        """The table that is asked for; None for a command that asks for none. Raises JournalError, BadArgument, Unplayable."""
        match command:
            case Open(game, answers):
                request, self._furniture = self._lobby.request(game, answers)
                return open_game(request)
            case GoOn(name):
                self._furniture = Furniture()
                return open_kept(self._lobby.kept_journal(name), None, self._problems.append)
        return None

    def _play(self, opening: Opening, furniture: Furniture) -> bool:
        """Plays at a table; whether it was left for the start page."""
        laptop = Laptop(opening.table, opening.effects, opening.journal, story_of(opening), JumpingClock(), self._hatch, furniture)
        self._laptop = laptop
        try:
            laptop.step()
            self._say_ready()
            left = laptop.run()
            self._lobby.language = laptop.language
            return left
        finally:
            self._laptop = None
            laptop.close()
            self.journal = laptop.journal
            if self.journal.problem:
                self._problems.append(last_words(self.journal, find_words(self._lobby.language)))


def last_words(journal: Keeper, words: Words) -> str:
    """Where the game is when its table has been closed."""
    if journal.problem:
        return words("The game could not be kept in {path}.", path=journal.path)
    return words("The game is kept in {path}.", path=journal.path)


def story_of(opening: Opening) -> Story:
    """What happened so far, for a table that is opened."""
    story, words = Story(), find_words(opening.table.language)
    for note in opening.journal.notes:
        story.note(note)
    if opening.resumed:
        story.tell_past(opening.table)
        story.note(words("the game goes on"))
    return story
