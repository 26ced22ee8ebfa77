"""Sequence Numbers played by hands at the table: what the journal has, written down and played again, comes to the same end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from underboard.engine.games.sequence_numbers.state import State
from underboard.engine.journal.database import read_match
from underboard.engine.journal.history import resume
from underboard.engine.scripting.export import script_of
from underboard.engine.scripting.parser import LineReader
from underboard.engine.scripting.runner import Runner, replay

OPTIONS = ["", "players=3 board=house8", "players=4", "players=6 sides=3 board=house8", "cards=hidden", "players=4 cards=hidden"]


class Hands:
    """Players at a table who press keys, put chips down and lift them, and now and then take something back."""

    def __init__(self, options: str, journal: Path, seed: int) -> None:
        self.random = Random(seed)
        self.reader = LineReader()
        self.number = 0
        table = self.read(f"table sequence_numbers {options} seed={seed} journal={journal}")
        self.runner = Runner(table.arguments)
        self.told: dict[str, Any] = self.runner.play(table)

    def read(self, text: str) -> Any:
        self.number += 1
        return self.reader.read(self.number, text)

    def do(self, text: str) -> None:
        self.told = self.runner.play(self.read(text))

    def turn(self) -> None:
        """One thing that somebody does."""
        if self.random.random() < 0.1:
            self.do("key back hold=1s")
            self.tidy()
        elif self.random.random() < 0.02:
            self.do("power cut")
            self.do("power on")
        else:
            self.choose(self.random.choice(self.told["choices"]))

    def choose(self, name: str) -> None:
        self.do(f"choose {name}")
        if self.told["alert"]:  # a new game begins, or there is no chip to undo
            self.tidy()
        elif name.startswith("play") and not self.told["did"]:
            self.move_chip(self.random.choice(self.told["choices"]))
        elif not self.told["did"]:  # a group of cards
            self.choose(self.random.choice(self.told["choices"]))

    def move_chip(self, action: str) -> None:
        """The chip of a play that was chosen, or that nobody has announced."""
        announced = self.random.random() < 0.7
        if not announced:
            self.do("key back")
        cell = action.split()[-1]
        self.do(f"{'lift' if 'MINUS' in action else 'place'} {cell}")
        if not self.told["did"]:
            assert not announced
            self.do(f"choose {action}")
        assert self.told["did"][0].split()[-1] == cell

    def tidy(self) -> None:
        """The chips go where they belong."""
        for cell in sorted(set(self.told["sensed"]) - set(self.told["expected"])):
            self.do(f"lift {cell}")
        for cell in sorted(set(self.told["expected"]) - set(self.told["sensed"])):
            self.do(f"place {cell}")
        if self.told["alert"]:
            self.do("key right")  # this was the beginning of the game
        assert self.told["alert"] is None


@pytest.fixture
def hands(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hands]:
    """The options are the parameter."""
    options, seed = request.param
    playing = Hands(options, tmp_path / "first.journal", seed)
    with playing.runner:
        yield playing


def state_in(journal: Path) -> State:
    state: State = resume(read_match(journal)).state
    return state


def play_again(folder: Path) -> State:
    """Plays the script of the first journal; answers the state in the second."""
    first, *rest = script_of(read_match(folder / "first.journal"))
    script = folder / "match.table"
    script.write_text("\n".join([f"{first} journal={folder / 'second.journal'}", *rest]), encoding="utf-8")
    failures = [(report["line"], report["command"], failure) for report, failure in replay(script) if failure]
    assert not failures, "\n".join([str(failures), *rest])
    return state_in(folder / "second.journal")


def games(seeds: Sequence[int]) -> list[tuple[str, int]]:
    return [(options, seed) for options in OPTIONS for seed in seeds]


@pytest.mark.parametrize("hands", games([1, 2, 3]), indirect=True, ids=str)
def test_a_game_written_down_is_played_to_the_same_end(hands: Hands, tmp_path: Path) -> None:
    for _ in range(70):
        hands.turn()
    state = state_in(tmp_path / "first.journal")
    assert hands.told["expected"] == sorted(cell for chips in state.chips for cell in state.setup.layout.names(chips))
    assert play_again(tmp_path) == state


@pytest.mark.parametrize("hands", [("board=house8", 5), ("board=house8 cards=hidden", 6)], indirect=True, ids=str)
def test_a_whole_game_by_hands_alone(hands: Hands, tmp_path: Path) -> None:
    while hands.told["phase"] != "over":
        hands.choose(hands.told["choices"][0] if hands.told["phase"] == "draw" else hands.random.choice(hands.told["choices"]))
    assert hands.told["outcome"]["over"]
    assert play_again(tmp_path) == state_in(tmp_path / "first.journal")
