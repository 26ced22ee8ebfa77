"""A journal as a script: random matches, written down and played again, come to the same end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.database import Entry, read_match
from underboard.engine.journal.history import ResumeError, entry, resume
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, Did, Event, KeyPressed, Ordered
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step
from underboard.engine.scripting.export import script_of
from underboard.engine.scripting.runner import replay

DEAL = {"four": "red", "out": "0,5", "red": "0,1,2,4", "yellow": "1,3,5"}
HIDDEN = {"cards": "hidden", "out": "0,5"}


class Match:
    """Two players and a table; the journal's entries are kept."""

    def __init__(self, options: dict[str, str], seed: int, language: str = "en") -> None:
        self.random = Random(seed)
        self.tokens: frozenset[str] = frozenset()
        self.entries: list[Entry] = []
        self.table, effects = open_table(new_setup("hack_trick", options, seed, hands="open"), language)
        self.note(effects)
        self.read()

    def note(self, effects: Sequence[object]) -> None:
        self.entries += [entry(effect, self.table) for effect in effects if isinstance(effect, Did)]

    def happen(self, event: Event) -> None:
        self.table, effects = step(self.table, event, self.table.keys_rest_until)
        self.note(effects)

    def read(self) -> None:
        self.happen(BoardRead(self.tokens, True))

    def move(self, lifted: Sequence[str] = (), put: Sequence[str] = ()) -> None:
        self.tokens = self.tokens - set(lifted) | set(put)
        self.read()

    def choose(self, name: str) -> None:
        names = [choice.name for choice in self.table.choices]
        for key in ["right"] * ((names.index(name) - self.table.cursor) % len(names)) + ["ok"]:
            self.happen(KeyPressed(key))

    def play(self, moves: int) -> None:
        for _ in range(moves):
            if self.random.random() < 0.15:
                self.take_back()
            else:
                self.go_on()
            assert len(self.tokens) == len(self.table.layout.spaces)

    def take_back(self) -> None:
        self.happen(KeyPressed("back", held=True))
        while not self.board_is_right():
            self.move(sorted(self.tokens - self.table.layout.spaces)[:1] or (), ())
            self.move((), sorted(self.table.layout.spaces - self.tokens)[:1] or ())

    def board_is_right(self) -> bool:
        return not self.table.board.different()

    def go_on(self) -> None:
        names = [choice.name for choice in self.table.choices]
        self.choose(self.random.choice(names))
        if self.table.awaited:
            self.put_token()
        elif not self.table.state.row:  # the next game: the board is cleared
            for space in self.random.sample(sorted(self.tokens), len(self.tokens)):
                self.move([space])

    def put_token(self) -> None:
        """With the giant or not, on any space of the server, also that of a token which leaves, before or after it."""
        for _ in range(self.random.randrange(2)):
            self.happen(KeyPressed("right"))
        assert self.table.awaited
        site = self.table.changes[self.table.awaited].puts[0]
        enemies = self.table.to_lift
        free = sorted(self.table.sites[site] - self.tokens)
        if enemies and self.random.random() < 0.5:
            self.move([], [self.random.choice(free)])
            for space in enemies:
                self.move([space])
        else:
            for space in enemies:
                self.move([space])
            self.move([], [self.random.choice([*free, *enemies])])


def last_game(entries: Sequence[Entry]) -> Sequence[Entry]:
    return entries[max(number for number, row in enumerate(entries) if row.beginning) :]


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10**6),
    options=st.sampled_from([{}, DEAL, HIDDEN, {"four": "yellow", "target": "1"}, {**HIDDEN, "target": "2"}]),
    moves=st.integers(1, 60),
)
def test_a_match_written_down_is_played_to_the_same_end(
    tmp_path_factory: pytest.TempPathFactory, seed: int, options: dict[str, str], moves: int
) -> None:
    match = Match(options, seed)
    match.play(moves)
    again = play_again(match.entries, tmp_path_factory.mktemp("export"))
    assert again.state == match.table.state
    assert [space[0] for space in sorted(again.layout.spaces)] == [space[0] for space in sorted(match.table.layout.spaces)]


def play_again(entries: Sequence[Entry], folder: Path) -> TableState:
    """Plays the script of a journal; answers the table that its own journal leads to."""
    begun = max(number for number, row in enumerate(entries) if row.kind == "new")
    first, *rest = script_of(entries[begun:])
    script, journal = folder / "match.table", folder / "journal"
    script.write_text("\n".join([f"{first} journal={journal}", *rest]), encoding="utf-8")
    failures = [(report["command"], failure) for report, failure in replay(script) if failure]
    assert not failures, "\n".join([*script.read_text().split("\n"), str(failures)])
    return resume(last_game(read_match(journal)))


def test_a_script_is_what_hands_do(tmp_path: Path) -> None:
    match = Match(DEAL, 3, "hu")
    match.choose("start 1")
    match.choose("infect 3")
    match.happen(KeyPressed("right"))
    match.move([], ["4b"])
    match.happen(KeyPressed("back", held=True))
    match.move(["4b"])
    match.happen(Ordered("draw 4"))
    assert list(script_of(match.entries)) == [
        "table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5 seed=3 hands=open lang=hu",
        "choose start 1",
        "choose infect 3",
        "key right",
        "place 4b",
        "key back hold=1s",
        "lift 4b",
        "do draw 4",
        f"expect outcome == {json.dumps({'over': False})}",
        'expect phase == "main"',
        'expect to_move == "red"',
        "expect expected == []",
    ]


def test_entries_that_make_no_game_are_refused() -> None:
    with pytest.raises(ResumeError, match="make no game"):
        list(script_of([Entry("new", "new_game", [], {"setup": {}})]))
    match = Match(DEAL, 1)
    with pytest.raises(ResumeError, match="make no game"):
        list(script_of([*match.entries, Entry("do", "infect 9", [])]))
