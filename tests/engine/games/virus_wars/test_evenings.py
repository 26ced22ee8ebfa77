"""Virus Wars played by hands at the table: what the journal has, written down and played again, comes to the same end."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from underboard.engine.journal.database import read_match
from underboard.engine.journal.history import resume
from underboard.engine.scripting.export import script_of
from underboard.engine.scripting.parser import LineReader
from underboard.engine.scripting.runner import Runner, replay


class Hands:
    """Two players who put viruses down, exchange them for zombies, nudge, take back and trip over the cable."""

    def __init__(self, options: str, journal: Path, seed: int) -> None:
        self.random = Random(seed)
        self.reader = LineReader()
        self.number = 0
        table = self.read(f"table virus_wars {options} journal={journal}")
        self.runner = Runner(table.arguments)
        self.told: dict[str, Any] = self.runner.play(table)

    def read(self, text: str) -> Any:
        self.number += 1
        return self.reader.read(self.number, text)

    def do(self, *lines: str) -> list[str]:
        """What these lines bring about."""
        did = []
        for text in lines:
            self.told = self.runner.play(self.read(text))
            did += self.told["did"]
        return did

    def turn(self) -> None:
        """One thing that somebody does; the step of a hand is the step of the game."""
        chance = self.random.random()
        if chance < 0.05:
            self.do("key back hold=1s")
            self.tidy()
        elif chance < 0.08:
            self.do("power cut", "power on")
        elif chance < 0.12:
            assert not self.nudge(self.random.choice(self.told["sensed"] or ["a1"]))
        else:
            self.step(self.random.choice(self.told["choices"]))

    def step(self, cell: str) -> None:
        announced = self.random.random() < 0.2
        lines = [f"choose {cell}"] if announced else []
        if cell in self.told["sensed"]:
            lines += [f"lift {cell}", f"place {cell}", *([] if announced else ["key ok"])]
        else:
            lines.append(f"place {cell}")
        assert self.do(*lines) == [cell]
        assert self.told["alert"] is None

    def nudge(self, space: str) -> list[str]:
        """A token is lifted and put back, at once or later; what the table asks then is answered with no."""
        if space not in self.told["sensed"]:
            return []
        quick = ["together", f"lift {space}", "wait 100ms", f"place {space}", "end"]
        did = self.do(*(quick if self.random.random() < 0.5 else [f"lift {space}", "wait 2s", f"place {space}"]))
        if "nothing" in self.told["choices"]:
            did += self.do("key back")
        assert self.told["alert"] is None
        return did

    def tidy(self) -> None:
        """The tokens go where they belong; zombies of steps taken back become viruses again."""
        swapped = [cell for line in self.told["screen"] if line.startswith("virus back:") for cell in line.split()[2:]]
        for space in sorted(set(self.told["sensed"]) - set(self.told["expected"])):
            self.do(f"lift {space}")
        for space in sorted(set(self.told["expected"]) - set(self.told["sensed"])):
            self.do(f"place {space}")
        for space in swapped:
            assert self.do(f"lift {space}", f"place {space}") == []
        if self.told["alert"]:
            self.do("key right")  # this was the beginning of the game
        assert self.told["alert"] is None


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def played(options: str, journal: Path, seed: int, most: int = 10_000) -> Generator[Hands]:
    """Hands that play to the end of the game, or make this many turns; first before the first turn."""
    hands = Hands(options, journal, seed)
    with hands.runner:
        yield hands
        for _ in range(most):
            if hands.told["outcome"]["over"]:
                break
            hands.turn()
            yield hands


def play_again(journal: Path, tmp_path: Path) -> tuple[list[str], Any, Any]:
    """What failed when the journal was played as a script, and the states of both at the end."""
    first = resume(read_match(journal))
    again = tmp_path / "again.sqlite3"
    lines = list(script_of(read_match(journal)))
    script = tmp_path / "again.table"
    script.write_text("\n".join([f"{lines[0]} journal={again}", *lines[1:]]), encoding="utf-8")
    failures = [f"{report['command']}: {failure}" for report, failure in replay(script) if failure is not None]
    return failures, first, resume(read_match(again))


@pytest.mark.parametrize(("options", "seed"), [("size=6 edges=mirrored", 2), ("width=6 height=7 lang=hu", 3)])
def test_a_game_written_down_is_played_to_the_same_end(options: str, seed: int, journal: Path, tmp_path: Path) -> None:
    *_, last = played(options, journal, seed)
    assert last.told["outcome"]["over"]
    failures, first, again = play_again(journal, tmp_path)
    assert failures == []
    assert first.state == again.state
    assert first.session.now.actions() == again.session.now.actions()
    assert first.layout.spaces == again.layout.spaces


def test_on_the_large_board(journal: Path, tmp_path: Path) -> None:
    *_, last = played("", journal, 5, most=40)
    assert len(last.told["expected"]) > 20
    failures, first, again = play_again(journal, tmp_path)
    assert failures == []
    assert first.state == again.state


@pytest.mark.parametrize("seed", range(2))
def test_everything_can_be_taken_back(seed: int, journal: Path) -> None:
    evening = played("size=6", journal, seed, most=15)
    hands = next(evening)
    for _ in zip(range(15), evening, strict=False):
        pass
    while hands.do("key back hold=1s"):
        hands.tidy()
    assert hands.told["alert"]["code"] == "illegal"  # this is the beginning of the game
    assert hands.told["sensed"] == hands.told["expected"] == []
    assert hands.told["to_move"] == "blue"
    evening.close()
