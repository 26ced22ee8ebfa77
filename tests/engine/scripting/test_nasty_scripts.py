"""Scripts of all that can go wrong at once, over the real drivers: nothing falls over, and the table always comes right again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from underboard.engine.gamekit.overlay import Overlay
from underboard.engine.scripting.parser import read_script
from underboard.engine.scripting.runner import Failed, Runner

TABLES = (
    "table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5 seed=4",
    "table hack_trick seed=7 target=1 oled=sh1106",
    "table hack_trick cards=hidden out=1,2 lang=hu",
    "table hack_trick dealer=reader seed=1",
    "table virus_wars size=6 board=pico lang=hy",
    "table sequence_numbers board=house8 players=4 seed=2 lang=nl",
    "table sequence_numbers cards=hidden board=pico oled=sh1106",
    "table spy track=on players=3 seed=3 lang=hy oled=sh1106",
    "table spy track=on cards=hidden lang=nl",
    "table makao players=3 seed=4 lang=hu reader=id12la",
    "table makao players=5 cards=hidden up=h9,l8 lang=hy board=pico",
)
SENSORS = [f"@r{row}c{column}" for row in range(1, 11) for column in range(1, 11)]
"""Raw names, for the players may set up another game at any time."""
EVENTS = (
    "place {space}",
    "lift {token}",
    "slide {token} {space} {space} dwell={ms}ms",
    "key {key}",
    "key {key} hold=1s",
    "key left hold=1s",
    "choose {choice}",
    "choose {choice}",
    "choose {choice}",
    "place {target}",
    "place {target}",
    "do {action}",
    "do undo",
    "do next",
    "wait {ms}ms",
    "together",
    "fault cell {space} stuck=closed",
    "fault cell {token} stuck=open",
    "fault cell {space} chatter={ms}ms",
    "fault matrix diodes=off",
    "fault oled detach",
    "fault oled errno=121 times=2",
    "fault clock -400d",
    "power cut",
)


class Trouble:
    """A table where anything is done that comes to mind."""

    def __init__(self, folder: Path, table: str, seed: int) -> None:
        self.random = Random(seed)
        self.opening = f"{table} journal={folder / 'journal'}"
        self.runner = Runner(read_script(self.opening, "trouble")[0].arguments)
        self.lines = [self.opening]
        self.seen: Mapping[str, Any] = self.play("wait 0ms")

    def play(self, *lines: str) -> Mapping[str, Any]:
        """Plays lines; what hands cannot do now is left."""
        self.lines += lines
        for command in read_script("\n".join([self.opening, *lines]), "trouble")[1:]:
            try:
                self.runner.play(command)
            except Failed:
                continue
        return self.runner.last

    def event(self) -> Sequence[str]:
        """Something, with words that fit more often than not."""
        seen, random = self.seen, self.random
        sensors = self.sensors(self.overlay.spaces) or SENSORS
        tokens = self.tokens or SENSORS
        cells = self.sensors((seen["alert"] or {}).get("cells") or [])
        line = random.choice(EVENTS).format(
            space=random.choice(sensors),
            token=random.choice(tokens),
            target=random.choice([*cells, *self.targets(), random.choice(sensors)]),
            key=random.choice(("left", "right", "ok", "back")),
            choice=random.choice(seen["choices"] or ["nothing"]),
            action=random.choice([*seen["choices"], "infect 3", "hack", "end", "jump"]),
            ms=random.choice((0, 5, 30, 100, 300, 700)),
        )
        if line == "power cut":
            return [line, *self.event(), "power on"] if random.random() < 0.5 else [line, "power on"]
        if line == "together":
            return [line, *self.simple(), *self.simple(), "wait 20ms", *self.simple(), "end"]
        return [line]

    def simple(self) -> Iterator[str]:
        """One line that may stand inside `together`."""
        while len(lines := self.event()) != 1:
            pass
        yield lines[0]

    @property
    def overlay(self) -> Overlay:
        """The spaces of the game on the table."""
        program = self.runner.program
        return program.app.table.setup.overlay if program else self.runner._overlay

    def sensors(self, spaces: Iterable[str]) -> list[str]:
        """The sensors under spaces of the game on the table."""
        return sorted(f"@r{row}c{column}" for row, column in map(self.overlay.cell, spaces))

    @property
    def tokens(self) -> list[str]:
        """The sensors on which tokens stand."""
        return sorted(f"@r{row}c{column}" for row, column in self.runner._box.tokens)

    def targets(self) -> Sequence[str]:
        """Where the awaited token may go, or any that the game allows."""
        program = self.runner._program
        table = program.app.table if program else None
        if table is None or not table.playing:
            return []
        changes = [table.changes[table.awaited]] if table.awaited else table.changes.values()
        return self.sensors(space for change in changes for site in change.puts for space in table.sites[site])

    def make(self, events: int) -> None:
        for _ in range(events):
            self.seen = self.play(*self.event())
            assert self.seen["choices"] or self.seen["phase"] in (None, "set_up", "deal")  # no power, waits for the board, or for cards

    def mend(self) -> Mapping[str, Any]:
        """All faults are repaired and the tokens put where the table wants them."""
        self.play("power on", "fault matrix diodes=on", "fault matrix noise=0%", "fault oled errno=0 times=0", "fault oled attach")
        self.play(*(f"fault cell {sensor} ok" for sensor in SENSORS))
        self.play(*["key back"] * 5, "wait 7s")
        for _ in SENSORS:
            if move := self.repair_move():
                self.play(move)
        return self.play("key back", "wait 1s")

    def repair_move(self) -> str:
        """The next token to be moved; "" if all stand right. Looked up anew each time: the last one too many can be a legal action."""
        wanted, tokens = set(self.sensors(self.runner._app.table.layout.spaces)), set(self.tokens)
        moves = [f"lift {sensor}" for sensor in sorted(tokens - wanted)] + [f"place {sensor}" for sensor in sorted(wanted - tokens)]
        return next(iter(moves), "")


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(table=st.sampled_from(TABLES), seed=st.integers(0, 10**9))
def test_the_table_always_comes_right_again(tmp_path_factory: pytest.TempPathFactory, table: str, seed: int) -> None:
    trouble = Trouble(tmp_path_factory.mktemp("trouble"), table, seed)
    with trouble.runner:
        trouble.make(25)
        end = trouble.mend()
        assert end["alert"] is None, "\n".join([*trouble.lines, str(end)])
        assert end["choices"] or end["phase"] == "deal"
        app = trouble.runner._app
        assert not app.table.board.different()
        assert end["devices"]["board"] == end["devices"]["oled"] == "ready"
