"""The set-up of a game: which one, for whom, by which options. The board is checked before it starts.

While it is planned a game of that kind is on the table, so that everything can be seen of it; nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from underboard.engine.base.i18n import LANGUAGE_NAMES, LANGUAGES, N_, Words
from underboard.engine.gamekit.overlay import BOARD_COLUMNS, BOARD_ROWS
from underboard.engine.gamekit.panel import Line, choosable
from underboard.engine.gamekit.registry import find_table, game_ids, title_of
from underboard.engine.gamekit.settings import CARDS, HANDS, READER, Setting, answered, settled, with_hands
from underboard.engine.gamekit.setup import new_setup, seed_option
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.actions import begin, open_table
from underboard.engine.referee.deal import new_deal
from underboard.engine.referee.menu.language import speak
from underboard.engine.referee.menu.layout import panel
from underboard.engine.referee.menu.summary import summary
from underboard.engine.referee.state import Step, TableMenu, TableState

START, GAME, LANGUAGE = "start", "game", "language"


@dataclass(frozen=True, slots=True)
class NewGameMenu(TableMenu):
    """The set-up as far as it is settled; `kept` is the game that goes on if no other is started.

    `asking` is the question whose values left and right run through, `last` the one before, `checking`: only the board is in the
    way of the start.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    asking: str | None = None
    last: str = START
    checking: bool = False
    kept: TableState | None = None

    @property
    def before_game(self) -> bool:
        return True

    @property
    def checks_board(self) -> bool:
        """Whether tokens in the wrong place matter."""
        return self.checking

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        if self.checking:
            return (), 0
        questions = self.questions(table)
        if self.asking is not None:
            question = questions[self.asking]
            return [Choice(value) for value in question.values], question.values.index(question.first)
        names = (START, *questions)
        return [Choice(name) for name in names], names.index(self.last) if self.last in names else 0

    def settings(self, table: TableState) -> Sequence[Setting]:
        """What the game asks, as it is meant at first."""
        own = table.setup.table.settings(self.answers)
        return [offered(setting, table) for setting in with_hands(own, self.answers, table.seat_pages)]

    def questions(self, table: TableState) -> dict[str, Setting]:
        """Every question, with the answer that counts now as its first."""
        settings = self.settings(table)
        answers = answered(settings, self.answers)
        return {
            GAME: Setting(GAME, N_("game"), GAMES, table.setup.game.id, wording=lambda game, _: title_of(game)),
            **{each.option: replace(each, first=answers[each.option]) for each in settings},
            LANGUAGE: Setting(LANGUAGE, N_("language"), LANGUAGES, table.language, LANGUAGE_NAMES),
        }

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        title, questions = words("NEW GAME"), self.questions(table)
        if self.asking is not None:
            question = questions[self.asking]
            return panel(title, words(question.label), question.called(table.selected or question.first, words), words("OK: choose"))
        if table.selected in questions:
            question = questions[table.selected]
            return panel(title, words(question.label), question.called(question.first, words), words("OK: change"))
        if not fits(table):
            return panel(title, table.setup.title, words("too large"), words("the board is {size}", size=times(table.board_size)))
        settings = self.settings(table)
        return [
            Line(table.setup.title, align="center", inverted=True),
            choosable(words("start"), "medium"),
            *(Line(text, align="center") for text in summary(settings, answered(settings, self.answers), words)),
        ]

    def take(self, table: TableState, choice: Choice) -> Step:
        if choice.name == START and self.asking is None:
            if not fits(table):
                return table, []
            return replace(table, open_menu=replace(self, checking=True)), []
        if self.asking is None:
            return replace(table, open_menu=replace(self, asking=choice.name)), []
        menu = replace(self, asking=None, last=self.asking)
        if self.asking == LANGUAGE:
            spoken = speak(self.kept, choice.name)[1] if self.kept else []  # the game that there was speaks it, too, if it goes on
            return replace(table, open_menu=menu, language=choice.name), spoken
        if self.asking == GAME:
            return lay_out(table, choice.name, menu), []
        return lay_out(table, table.setup.game.id, replace(menu, answers={**self.answers, self.asking: choice.name})), []

    def leave(self, table: TableState) -> TableState:
        """One level back; from the first one to the game that there was."""
        if self.checking or self.asking is not None:
            return replace(table, open_menu=replace(self, checking=False, asking=None), wrong=False, wrong_since=None)
        return table if self.kept is None else with_senses(replace(self.kept, open_menu=None, language=table.language), table)

    def watch(self, table: TableState) -> Step:
        """Starts as soon as the board is as it has to be, or cannot be seen."""
        no_board = table.devices.get("board", "ready") != "ready"
        if self.checking and (no_board or (table.settled and not table.board.different() and not table.ambiguous)):
            return start(table, self)
        return table, []


def offered(setting: Setting, table: TableState) -> Setting:
    """A question with the answers that are possible here: without a card reader none deals."""
    if setting.option != CARDS or table.devices.get("reader") != "absent" or table.setup.dealer == READER:
        return setting
    return replace(setting, values=tuple(value for value in setting.values if value != READER))


def fits(table: TableState) -> bool:
    """Whether the game as it is planned has room on the board."""
    return table.setup.overlay.fits(table.board_size)


def times(size: tuple[int, int]) -> str:
    """So many rows and columns."""
    return "{}×{}".format(*size)


GAMES = game_ids()


def set_up_first(game_id: str, seed: int, language: str, board_size: tuple[int, int] = (BOARD_ROWS, BOARD_COLUMNS)) -> TableState:
    """A table on which nothing has been played yet; the set-up begins with this game."""
    opened, _ = open_table(new_setup(game_id, {}, seed), language)
    return lay_out(replace(opened, open_menu=NewGameMenu(), board_size=board_size), game_id, NewGameMenu())


def set_up_another(table: TableState) -> TableState:
    """The set-up of another game, in the middle of one or after its end; what was settled for this one is meant at first."""
    kept = replace(table, open_menu=None)
    menu = NewGameMenu(kept=kept, answers=answers_of(table))
    return lay_out(table, table.setup.game.id, menu)


def answers_of(table: TableState) -> dict[str, str]:
    """The answers that led to a table; those that are parts of a list count no more, cards are dealt anew."""
    reader = {CARDS: READER} if table.setup.dealer == READER else {}
    return {**table.setup.options, **reader, HANDS: table.setup.hands}


def lay_out(table: TableState, game_id: str, menu: NewGameMenu) -> TableState:
    """A table with a game as it is planned, and all that is known of the board."""
    settings = with_hands(find_table(game_id).settings(menu.answers), menu.answers, table.seat_pages)
    options, dealer, hands = settled(answered(settings, menu.answers))
    games = menu.kept.games + 1 if menu.kept else 0
    seed = Random(f"{menu.kept.setup.seed if menu.kept else table.setup.seed}:{games}").getrandbits(31)
    opened, _ = open_table(new_setup(game_id, options, seed, dealer, hands), table.language)
    results = menu.kept.all_results if menu.kept else ()
    return with_senses(replace(opened, deal=None, open_menu=menu, games=games, results=results), table)


def with_senses(table: TableState, before: TableState) -> TableState:
    """`table` with what the sensors read and the devices are at another table: the one that it replaces."""
    overlay, earlier = table.setup.overlay, before.setup.overlay

    def carried(spaces: frozenset[str]) -> frozenset[str]:
        return overlay.names(map(earlier.cell, spaces))

    return replace(
        table,
        sensed=carried(before.sensed),
        settled=before.settled,
        arrivals=tuple(sorted(carried(before.sensed))),
        ambiguous=carried(before.ambiguous),
        faulty=carried(before.faulty),
        masked=table.masked | carried(before.masked),
        devices=before.devices,
        board_size=before.board_size,
        seat_pages=before.seat_pages,
        seat_codes=before.seat_codes,
        seats_taken=before.seats_taken,
        rearranging=True,
        wrong=False,
        wrong_since=None,
    )


def start(table: TableState, menu: NewGameMenu) -> Step:
    """The planned game begins, or the deal of its cards."""
    setup = table.setup
    options = {**setup.options, **seed_option(setup.game, setup.seed)}
    deal = new_deal(setup, "first", options)
    if deal:
        planned = replace(table, open_menu=replace(menu, checking=False))
        return replace(table, open_menu=None, deal=deal, planned=planned), []
    return begin(replace(table, open_menu=None), "new", f"new_game {setup.game.id}", options)


def set_up_again(table: TableState, planned: TableState) -> TableState:
    """The set-up once more from which the deal on the table came."""
    return with_senses(replace(planned, language=table.language), table)
