"""A table and its journal: a game goes on from its entries as if the program had never been away; undo and redo agree."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.database import Entry
from underboard.engine.journal.history import ResumeError, entry, lasting, resume
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, Did, KeyPressed, Ordered
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step

OPTIONS = [{}, {"four": "yellow", "target": "1"}, {"cards": "hidden", "out": "0,5"}]

seeds = st.integers(0, 10**6)
picks = st.lists(st.integers(0, 10**6), max_size=60)


class Game:
    """A table where actions are ordered, and its journal."""

    def __init__(self, options: dict[str, str], seed: int) -> None:
        self.entries: list[Entry] = []
        self.table, effects = open_table(new_setup("hack_trick", options, seed), "nl")
        self.note(effects)

    def note(self, effects: Sequence[object]) -> None:
        self.entries += [entry(effect, self.table) for effect in effects if isinstance(effect, Did)]

    def order(self, action: str) -> None:
        self.table, effects = step(self.table, Ordered(action), 0)
        self.note(effects)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.table, effects = step(self.table, KeyPressed(key), self.table.keys_rest_until)
            self.note(effects)

    def play(self, pick: int) -> str:
        """One of the actions that are possible, `next` after the game; answers it."""
        legal = list(self.table.setup.game.legal(self.table.state)) or ["next seed=7" if not self.table.state.hidden else "next out=1,2"]
        action = legal[pick % len(legal)]
        self.order(action)
        return action

    def last_game(self) -> list[Entry]:
        return self.entries[max(number for number, row in enumerate(self.entries) if row.beginning) :]


def same(one: TableState, other: TableState) -> bool:
    """The same game with the same past; tokens by server."""
    return (
        one.state == other.state
        and one.session.now.actions() == other.session.now.actions()
        and layouts(one) == layouts(other)
        and (one.games, one.setup.options, one.setup.seed) == (other.games, other.setup.options, other.setup.seed)
    )


def layouts(table: TableState) -> list[list[str]]:
    """Where tokens stood after each action, the present first."""
    found, layout = [], table.layout
    while True:
        found.append(sorted(space[0] for space in layout.spaces))
        if layout.before is None:
            return found
        layout = layout.before


@pytest.mark.parametrize(
    ("kinds", "left"),
    [
        ("do1 do2", "do1 do2"),
        ("do1 do2 undo", "do1"),
        ("do1 do2 undo undo do3", "do3"),
        ("undo do1", "undo do1"),
        ("do1 correct2 undo", "do1"),
        ("do1 table2 undo", "do1 table2 undo"),
        ("do1 undo table2 do3 undo", "table2"),
    ],
)
def test_what_was_taken_back_is_not_done_again(kinds: str, left: str) -> None:
    rows = [Entry(word.rstrip("123"), word, []) for word in kinds.split()]
    assert [row.action for row in lasting(rows)] == left.split()


@given(seed=seeds, options=st.sampled_from(OPTIONS), actions=picks)
def test_a_game_goes_on_as_if_nothing_had_happened(seed: int, options: dict[str, str], actions: list[int]) -> None:
    game = Game(options, seed)
    for pick in actions:
        if pick % 7:
            game.play(pick)
        else:
            game.order("undo")
    table = resume(game.last_game())
    assert table.language == "nl"
    assert same(table, game.table)
    assert table.restarted


@given(seed=seeds, actions=picks)
def test_the_same_cards_come_after_a_power_cut(seed: int, actions: list[int]) -> None:
    game = Game({}, seed)
    for pick in actions:
        game.play(pick)
    away = Game({}, seed)
    away.table = resume(game.last_game())
    for table in (game, away):
        table.table, _ = step(table.table, BoardRead(table.table.layout.spaces, True), 0)
        for _ in range(30):
            names = [choice.name for choice in table.table.choices]
            table.press(*["right"] * ((names.index("draw") if "draw" in names else 0) - table.table.cursor), "ok")
    assert away.table.state == game.table.state


@given(seed=seeds, options=st.sampled_from(OPTIONS), actions=picks, back=st.integers(1, 60))
def test_what_was_taken_back_and_done_again_is_the_same(seed: int, options: dict[str, str], actions: list[int], back: int) -> None:
    """Play n, undo k, redo; no further than the beginning of the game.

    https://github.com/DGTCentaurMods/DGTCentaurMods/pull/176: a takeback needs the board states that were before.
    """
    game = Game(options, seed)
    for pick in actions:
        game.play(pick)
    before = game.table
    done = before.session.now.actions()
    for _ in range(back):
        game.order("undo")
    assert game.table.session.now.actions() == done[: max(0, len(done) - back)]
    assert len(layouts(game.table)) == len(game.table.session.now.actions()) + 1
    for action in done[len(game.table.session.now.actions()) :]:
        game.order(action)
    assert same(game.table, before)
    assert same(resume(game.last_game()), before)


def test_undo_to_the_start() -> None:
    game = Game({"four": "red", "out": "0,5", "red": "0,1,2,4", "yellow": "1,3,5"}, 1)
    beginning = game.table
    for action in ("start 1", "infect 3", "hack", "infect 4", "end"):
        game.order(action)
    for _ in range(5):
        game.order("undo")
    assert same(game.table, beginning)
    game.order("undo")
    assert game.table.notice is not None
    assert len([row for row in game.entries if row.kind == "undo"]) == 5


GOOD = {"setup": {"game": "hack_trick", "options": {}, "seed": 1, "language": "en"}, "options": {"seed": "1"}, "record": {}, "games": 0}


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [Entry("do", "infect 3", [])],
        [Entry("new", "new_game", [], {})],
        [Entry("new", "new_game", [], {**GOOD, "setup": {**GOOD["setup"], "game": "chess"}})],  # type: ignore[dict-item]
        [Entry("new", "new_game", [], {**GOOD, "setup": {"game": "hack_trick"}})],
        [Entry("new", "new_game", [], {**GOOD, "setup": "hack_trick"})],
        [Entry("new", "new_game", [], {**GOOD, "options": {"four": "blue"}})],
        [Entry("new", "new_game", [], {**GOOD, "options": ["seed"]})],
        [Entry("next", "next", [], {**GOOD, "record": {"game": "hack_trick"}})],
        [Entry("new", "new_game", [], GOOD), Entry("do", "infect 3", [])],
        [Entry("new", "new_game", [], GOOD), Entry("undo", "undo", [])],
        [Entry("new", "new_game", [], GOOD), Entry("do", None, [])],  # type: ignore[arg-type]
        [Entry("new", "new_game", [], GOOD), Entry("do", "start 1", 7)],  # type: ignore[arg-type]
    ],
)
def test_entries_that_make_no_game_are_refused(entries: list[Entry]) -> None:
    with pytest.raises(ResumeError, match="make no game"):
        resume(entries)
