"""Golden playthroughs: one recorded random game for each game and mode, replayed and compared line by line.

A file of tests/engine/games/golden reads like a game record: the position it starts from; each action with its number, who
played it and how many actions there were to choose from; what was announced; the table now and then; the outcome.
The test replays the actions that stand there. `pytest --update-golden` plays and writes all games anew.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import GameError
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, game_ids
from underboard.engine.gamekit.session import Session

GOLDEN = Path(__file__).parent / "golden"
RECORDED = {
    "hack_trick-open": ("seed=19 target=2", 251),
    "hack_trick-hidden": ("cards=hidden out=0,5 four=yellow", 32),
    "makao-open": ("players=3 seed=7", 83),
    "makao-hidden": ("cards=hidden up=l9,l8", 190),
    "sequence_numbers-open": ("board=house8 seed=3", 206),
    "sequence_numbers-hidden": ("board=house8 cards=hidden players=4", 10),
    "spy-open": ("players=3 seed=7 red.spy=4L", 26),
    "spy-hidden": ("cards=hidden players=3 first=blue", 296),
    "virus_wars-seed": ("width=8 height=6", 3),
    "virus_wars-mirrored": ("width=6 height=7 edges=mirrored", 3),
}
"""Options of the game and the seed that chooses its actions, by game and mode."""

PLIES_BETWEEN_TABLES = 10
FIXED = ("game", "cards", "phase", "to_move", "players", "first", "board", "width", "height", "edges")
"""What the table below the actions leaves out: it never changes, or the lines beside it say it."""


def transcript(title: str, position: str, actions: Sequence[str]) -> list[str]:
    """The lines of a game that begins at `position` (JSON) and goes on with these actions; ends early at one that is refused."""
    record = json.loads(position)
    session = Session.at(find_game(record["game"]), record)
    lines = [title, f"position {position}", *table(session)]
    for number, action in enumerate(actions, 1):
        game, state = session.game, session.state
        choices = len(game.legal(state))
        try:
            session, said = session.do(action)
        except GameError as error:
            return [*lines, f"{number:4} {game.to_move(state):7} {action:24} refused: {error}"]
        lines.append(f"{number:4} {game.to_move(state):7} {action:24} of {choices}")
        lines += [f"{'':13}{announcement(entry)}" for entry in said]
        if number % PLIES_BETWEEN_TABLES == 0 or number == len(actions):
            lines += table(session)
    return [*lines, f"outcome {compact(session.outcome())}"]


def announcement(entry: Any) -> str:
    """An announcement in words: "sum: of red, value 9"."""
    rest = ", ".join(f"{key} {words(value)}" for key, value in entry.items() if key != "say")
    return f"{entry['say']}: {rest}" if rest else str(entry["say"])


def table(session: Session[Any]) -> Iterator[str]:
    """Everything that lies on the table, a line each; of the stock only how much."""
    record = session.game.record(session.state)
    yield f"     -- {session.game.to_move(session.state)} to move, phase {session.game.phase(session.state)}"
    for key, value in record.items():
        if key == "rows":
            yield from (f"        {' '.join(row)}" for row in value)
        elif key == "chips":
            yield from (f"        {row}" for row in board(value, 8))
        elif key not in FIXED:
            shown = f"{len(value)} cards" if key == "stock" and isinstance(value, list) else words(value)
            yield f"        {key:10} {shown}".rstrip()


def board(chips: dict[str, str], size: int) -> Iterator[str]:
    """The chips on a square board, by the first letters of their sides."""
    for row in range(1, size + 1):
        yield " ".join(chips.get(f"{column}{row}", ".")[0] for column in "abcdefghijklmnopqrstuvwxyz"[:size])


def words(value: Any) -> str:
    """A JSON value as a person writes it."""
    if isinstance(value, dict) and set(value) == {"normal", "giant"}:
        return f"{value['normal']}+{value['giant']}"
    if isinstance(value, dict):
        return " | ".join(f"{key} {words(part)}" for key, part in value.items()) or "none"
    if isinstance(value, list):
        return " ".join(words(part) for part in value) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def play(name: str) -> list[str]:
    """A new recording."""
    game_id, (options, seed) = name.partition("-")[0], RECORDED[name]
    beginning = Session.new(find_game(game_id), Options.parse(options.split()))
    actions = beginning.playout(Random(seed))[0].now.actions()
    position = compact(beginning.game.record(beginning.state))
    return transcript(f"# {game_id} {options}: a random game", position, actions)


@pytest.mark.parametrize("name", RECORDED)
def test_golden_playthrough(name: str, request: pytest.FixtureRequest) -> None:
    file = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        file.write_text("\n".join(play(name)) + "\n", encoding="utf-8")
    recorded = file.read_text(encoding="utf-8").splitlines()
    actions = [found[1].rstrip() for line in recorded if (found := re.match(r" *[0-9]+ \w+ +(.*) of [0-9]+$", line))]
    replayed = transcript(recorded[0], recorded[1].partition(" ")[2], actions)
    different = "\n".join(difflib.unified_diff(recorded, replayed, "recorded", "replayed", n=4, lineterm=""))
    if different:
        pytest.fail(f"{name} is played differently now:\n{different}", pytrace=False)


def test_every_game_is_recorded_and_nothing_is_recorded_in_vain() -> None:
    assert {name.partition("-")[0] for name in RECORDED} == set(game_ids())
    assert {file.stem for file in GOLDEN.iterdir() if file.stem.partition("-")[0] in game_ids()} == set(RECORDED)
