"""The start page: which games there are, what has to be settled before each, and the games that were kept.

A form is made of what a game's table wants to know (`engine.gamekit.settings`), and looks at each answer as soon as it is
given: what is asked next, what the board looks like, and what cannot be played are known before the game begins.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from underboard.engine.app.laptop.launch import LaunchRequest, kept_in
from underboard.engine.app.simulation.box_options import SimulatedBoxOptions
from underboard.engine.app.table_options import DealerOption
from underboard.engine.base.errors import BadArgument, Plural
from underboard.engine.base.i18n import LANGUAGE_NAMES, LANGUAGES, find_words
from underboard.engine.gamekit.registry import find_declaration, find_presentation, find_table, game_ids, title_of
from underboard.engine.gamekit.settings import READER, Setting, answered, settled, with_hands
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.state import TableState
from underboard.engine.view.labels import labels
from underboard.engine.view.page_record import PageRecord
from underboard.engine.view.snapshot import board_of, status
from underboard.errors import UnderboardError
from underboard.hardware.core.parts import BOARD_KINDS, BoardKind

WIRING = "wiring"
"""What the form calls the board's backend: "board" is an option of some games."""


class Unplayable(UnderboardError, ValueError):
    """What a form asks for cannot be played; `field` is the answer to blame, "" if no single one is."""

    fault = "player"

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field


@dataclass(frozen=True, slots=True)
class Form:
    """A filled-in form: the questions, the answers, and what they come to. `problem` says why nothing can be played so."""

    game_id: str
    settings: Sequence[Setting]
    answers: Mapping[str, str]
    table: TableState | None
    problem: Unplayable | None


class Lobby:
    """The start page in one language, with the games kept in `folder`, or all in one journal; seats may have pages of their own."""

    def __init__(self, folder: Path, journal: Path | None = None, language: str = "en", seat_pages: bool = False) -> None:
        self._seat_pages = seat_pages
        self.language = language
        self._folder = folder
        self._journal = journal

    def record(self, problem: str = "") -> PageRecord:
        """Everything that is to be seen; `problem` is why the last table could not be opened."""
        words = find_words(self.language)
        public = {"place": "start", "language": self.language, "labels": labels(words)}
        own = {
            "languages": LANGUAGE_NAMES,
            "wirings": list(BOARD_KINDS),
            "games": [self.game(game_id) for game_id in game_ids()],
            "kept": [self._kept(path, table) for path, table in kept_in(self._journals())],
            "problem": problem,
        }
        return PageRecord(public, {}, own)

    def game(self, game_id: str) -> dict[str, Any]:
        """One game, as it is offered."""
        form = fill_in(game_id, {}, self._seat_pages)
        words = find_words(self.language)
        about = words(find_declaration(game_id).about)
        return {"id": game_id, "title": title_of(game_id), "about": about, "board": picture(form)}

    def sheet(self, game_id: str, answers: Mapping[str, str]) -> dict[str, Any]:
        """The form of a game as filled in so far: each question with its values, the board, and what is wrong. Raises BadArgument."""
        form = fill_in(game_id, answers, self._seat_pages)
        words = find_words(self.language)
        labels = [words(setting.label) for setting in form.settings]
        fields = [
            {
                "option": setting.option,
                "label": numbered(labels, number),
                "value": form.answers[setting.option],
                "values": [[value, setting.called(value, words)] for value in setting.values],
            }
            for number, setting in enumerate(form.settings)
        ]
        problem = {"field": form.problem.field, "text": str(form.problem)} if form.problem else None
        return {"game": game_id, "fields": fields, "board": picture(form), "problem": problem}

    def request(self, game_id: str, answers: Mapping[str, str]) -> tuple[LaunchRequest, SimulatedBoxOptions]:
        """What a form asks for. Raises BadArgument for a game that there is not, Unplayable for answers."""
        form = fill_in(game_id, answers, self._seat_pages)
        if form.problem:
            raise form.problem
        options, dealer, hands = settled(form.answers)
        wiring = answers.get(WIRING, BOARD_KINDS[0])
        if wiring not in BOARD_KINDS:
            raise Unplayable(f"allowed are {', '.join(BOARD_KINDS)}", WIRING)
        board: BoardKind = "pico" if wiring == "pico" else "gpio"
        by: DealerOption = "reader" if dealer == READER else "engine"
        return LaunchRequest(game_id, self._journal_of(game_id), options, by, hands, None, self.language), SimulatedBoxOptions(board=board)

    def speak(self, language: str) -> None:
        """From now on in this language. Raises Unplayable for one that there is not."""
        if language not in LANGUAGES:
            raise Unplayable(f"lang={language}: allowed are {', '.join(LANGUAGES)}", "language")
        self.language = language

    def kept_journal(self, name: str) -> Path:
        """The journal of a kept game. Raises Unplayable if it is not there."""
        for path in self._journals():
            if path.name == name:
                return path
        words = find_words(self.language)
        raise Unplayable(words("This game is not kept any more."))

    def _journals(self) -> list[Path]:
        return [self._journal] if self._journal else sorted(self._folder.glob("play-*.sqlite3"))

    def _journal_of(self, game_id: str) -> Path:
        return self._journal or self._folder / f"play-{game_id}.sqlite3"

    def _kept(self, path: Path, table: TableState) -> dict[str, Any]:
        """A kept game as it is offered: where it stands, and when it was last played, in seconds since 1970."""
        words = find_words(self.language)
        page = find_presentation(table.setup.game.id)
        try:
            when = int(path.stat().st_mtime)
        except OSError:
            when = 0
        return {
            "name": path.name,
            "game": table.setup.game.id,
            "title": table.setup.title,
            "status": status(table, page, words),
            "actions": words(Plural("{count} action", "{count} actions"), count=table.session.now.ply),
            "when": when,
        }


def fill_in(game_id: str, given: Mapping[str, str], seat_pages: bool) -> Form:
    """A form with answers; what was not answered, or cannot be answered so, is as at first. Raises BadArgument for no game."""
    game_table = find_table(game_id)
    answers = dict(given)
    for _ in range(2):  # which questions there are depends on answers, and what can be answered on the questions
        settings = with_hands(game_table.settings(answers), answers, seat_pages)
        answers = answered(settings, answers)
    options, dealer, hands = settled(answers)
    try:
        table, _ = open_table(new_setup(game_id, options, 0, dealer, hands))
    except BadArgument as error:
        return Form(game_id, settings, answers, None, Unplayable(str(error), field_of(error.option, answers)))
    return Form(game_id, settings, answers, table, None)


def field_of(option: str, fields: Collection[str]) -> str:
    """Which of the questions is about an option, "" if none is. Of the parts of a list it is the last."""
    if option in fields:
        return option
    parts = [field for field in fields if field.startswith(f"{option}.")]
    return parts[-1] if parts else ""


def numbered(labels: Sequence[str], number: int) -> str:
    """A label, with a number if others are called the same."""
    same = [place for place, label in enumerate(labels) if label == labels[number]]
    return f"{labels[number]} {same.index(number) + 1}" if len(same) > 1 else labels[number]


def picture(form: Form) -> dict[str, Any] | None:
    """The board of the game that a form comes to; None if it comes to none."""
    return None if form.table is None else board_of(form.table, find_presentation(form.table.setup.game.id))
