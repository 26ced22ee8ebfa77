"""The set-up of a game: which one, for whom, by which options. The board is checked before it starts.

While it is planned a game of that kind is on the table, so that everything can be seen of it; nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from engine.aside.languages import NAMES, speak
from engine.aside.panel import panel
from engine.dealing import new_deal
from engine.deeds import begin, open_table, seed_option
from engine.resume import new_setup
from engine.settings import CARDS, READER, Setting, answered, settled
from engine.table import BOARD_COLUMNS, BOARD_ROWS, TABLES, Choice, Line, find_table
from engine.tabletop import Aside, Step, Table
from engine.words import LANGUAGES, N_, Words

START, GAME, LANGUAGE = "start", "game", "language"


@dataclass(frozen=True, slots=True)
class Plan(Aside):
    """What is settled so far; `kept` is the game that goes on if no other is started.

    `asking` is the question whose values left and right run through, `last` the one before, `checking`: only the board is in the
    way of the start.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    asking: str | None = None
    last: str = START
    checking: bool = False
    kept: Table | None = None

    @property
    def before_game(self) -> bool:
        return True

    @property
    def checks_board(self) -> bool:
        """Whether tokens in the wrong place matter."""
        return self.checking

    def menu(self, table: Table) -> tuple[Sequence[Choice], int]:
        if self.checking:
            return (), 0
        questions = self.questions(table)
        if self.asking is not None:
            question = questions[self.asking]
            return [Choice(value) for value in question.values], question.values.index(question.first)
        names = (START, *questions)
        return [Choice(name) for name in names], names.index(self.last) if self.last in names else 0

    def questions(self, table: Table) -> dict[str, Setting]:
        """Every question, with the answer that counts now as its first."""
        settings = [offered(setting, table) for setting in table.setup.table.settings(self.answers)]
        answers = answered(settings, self.answers)
        return {
            GAME: Setting(GAME, N_("game"), GAMES, table.setup.game.id, wording=lambda game, _: find_table(game).name),
            **{each.option: replace(each, first=answers[each.option]) for each in settings},
            LANGUAGE: Setting(LANGUAGE, N_("language"), LANGUAGES, table.language, NAMES),
        }

    def lines(self, table: Table, words: Words) -> Sequence[Line]:
        title, questions = words("NEW GAME"), self.questions(table)
        if self.asking is not None:
            question = questions[self.asking]
            return panel(title, words(question.label), question.called(table.selected or question.first, words), words("OK: choose"))
        if table.selected in questions:
            question = questions[table.selected]
            return panel(title, words(question.label), question.called(question.first, words), words("OK: change"))
        if not fits(table):
            return panel(title, table.setup.table.name, words("too large"), words("the board is {size}", size=times(table.board_size)))
        settings = (each for name, each in questions.items() if name not in (GAME, LANGUAGE))
        summary = " ".join(each.called(each.first, words) for each in settings)
        return panel(title, table.setup.table.name, words("start"), summary)

    def take(self, table: Table, choice: Choice) -> Step:
        if choice.name == START and self.asking is None:
            if not fits(table):
                return table, []
            return replace(table, aside=replace(self, checking=True)), []
        if self.asking is None:
            return replace(table, aside=replace(self, asking=choice.name)), []
        plan = replace(self, asking=None, last=self.asking)
        if self.asking == LANGUAGE:
            spoken = speak(self.kept, choice.name)[1] if self.kept else []  # the game that there was speaks it, too, if it goes on
            return replace(table, aside=plan, language=choice.name), spoken
        if self.asking == GAME:
            return lay_out(table, choice.name, plan), []
        return lay_out(table, table.setup.game.id, replace(plan, answers={**self.answers, self.asking: choice.name})), []

    def leave(self, table: Table) -> Table:
        """One level back; from the first one to the game that there was."""
        if self.checking or self.asking is not None:
            return replace(table, aside=replace(self, checking=False, asking=None), wrong=False, wrong_since=None)
        return table if self.kept is None else with_senses(replace(self.kept, aside=None, language=table.language), table)

    def watch(self, table: Table) -> Step:
        """Starts as soon as the board is as it has to be, or cannot be seen."""
        no_board = table.devices.get("board", "ready") != "ready"
        if self.checking and (no_board or (table.settled and not table.board.different() and not table.ambiguous)):
            return start(table, self)
        return table, []


def offered(setting: Setting, table: Table) -> Setting:
    """A question with the answers that are possible here: without a card reader none deals, unless that was settled before."""
    if setting.option != CARDS or table.devices.get("reader") != "absent" or table.setup.dealer == READER:
        return setting
    return replace(setting, values=tuple(value for value in setting.values if value != READER))


def fits(table: Table) -> bool:
    """Whether the game as it is planned has room on the board."""
    return table.setup.overlay.fits(table.board_size)


def times(size: tuple[int, int]) -> str:
    """So many rows and columns."""
    return "{}×{}".format(*size)


GAMES = tuple(sorted(TABLES))


def plan_first(game_id: str, seed: int, language: str, board_size: tuple[int, int] = (BOARD_ROWS, BOARD_COLUMNS)) -> Table:
    """A table on which nothing has been played yet; the set-up begins with this game."""
    opened, _ = open_table(new_setup(game_id, {}, seed), language)
    return lay_out(replace(opened, aside=Plan(), board_size=board_size), game_id, Plan())


def plan_anew(table: Table) -> Table:
    """The set-up of another game, in the middle of one or after its end; what was settled for this one is meant at first."""
    kept = replace(table, aside=None)
    plan = Plan(kept=kept, answers=answers_of(table))
    return lay_out(table, table.setup.game.id, plan)


def answers_of(table: Table) -> dict[str, str]:
    """The answers that led to a table; those that are parts of a list count no more, cards are dealt anew."""
    reader = {CARDS: READER} if table.setup.dealer == READER else {}
    return {**table.setup.options, **reader}


def lay_out(table: Table, game_id: str, plan: Plan) -> Table:
    """A table with a game as it is planned, and all that is known of the board."""
    options, dealer = settled(answered(find_table(game_id).settings(plan.answers), plan.answers))
    games = plan.kept.games + 1 if plan.kept else 0
    seed = Random(f"{plan.kept.setup.seed if plan.kept else table.setup.seed}:{games}").getrandbits(31)
    opened, _ = open_table(new_setup(game_id, options, seed, dealer), table.language)
    results = plan.kept.all_results if plan.kept else ()
    return with_senses(replace(opened, deal=None, aside=plan, games=games, results=results), table)


def with_senses(table: Table, before: Table) -> Table:
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
        rearranging=True,
        wrong=False,
        wrong_since=None,
    )


def start(table: Table, plan: Plan) -> Step:
    """The planned game begins, or the deal of its cards."""
    setup = table.setup
    options = {**setup.options, **seed_option(setup.game, setup.seed)}
    deal = new_deal(setup, "first", options)
    if deal:
        planned = replace(table, aside=replace(plan, checking=False))
        return replace(table, aside=None, deal=replace(deal, planned=planned)), []
    return begin(replace(table, aside=None), "new", f"new_game {setup.game.id}", options)


def plan_again(table: Table, planned: Table) -> Table:
    """The set-up once more from which the deal on the table came."""
    return with_senses(replace(planned, language=table.language), table)
