"""Short games of any kind from the first move to a win, as whoever sits at the table makes them.

A game is random, but always the same for its seed (the cards) and its luck (the moves). Such pairs are found by
`python -m tests.web.page.short_games GAME [key=value …]`, which tries them for a minute and says the shortest.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

from underboard.engine.app.laptop.launch import LaunchRequest, launch
from underboard.engine.base.errors import GameError
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.settings import settled
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.gamekit.table import Choice
from underboard.engine.journal.history import entry
from underboard.engine.referee.actions import dealt, open_table, perform
from underboard.engine.referee.events import Did
from underboard.engine.referee.state import TableState

LONGEST = 40
"""Turns; a browser takes about a second for each."""
LUCKS = 20
"""How often one deal is tried."""
MINUTE_S = 60
WALL = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Turn:
    """One choice as the keys have it, and the spaces that carry a token after it."""

    choice: str
    spaces: frozenset[Space]


def keep_game(journal: Path, game_id: str, options: Mapping[str, str], seed: int) -> None:
    """Keeps a game at its first move."""
    answers = settled(options)
    launched = launch(LaunchRequest(game_id, journal, answers.options, hands=answers.hands, seed=seed))
    for effect in launched.effects:
        if isinstance(effect, Did):
            launched.journal.append(entry(effect, launched.table), WALL, 0)
    launched.journal.close()


def short_game(game_id: str, options: Mapping[str, str], seed: int, luck: int) -> Sequence[Turn]:
    """All turns of the game of this seed and this luck. AssertionError if nobody wins it."""
    turns = played(open_table(new_setup(game_id, settled(options)[0], seed))[0], Random(luck), LONGEST)
    assert turns, f"nobody wins this game: python -m tests.web.page.short_games {game_id} finds one"
    return turns


def played(table: TableState, luck: Random, longest: int) -> Sequence[Turn]:
    """Random turns that keys and tokens alone decide; [] if they come to no win within `longest`."""
    turns: list[Turn] = []
    while not table.setup.game.over(table.state) and len(turns) < longest:
        choices = table.setup.table.menu(table.state, ())[0]
        plain = [choice for choice in choices if choice.actions and not choice.answer]
        if not plain:
            return []
        choice = luck.choice(plain)
        try:
            table, _ = perform(table, action_of(table, choice, luck))
        except GameError:
            return []
        turns.append(Turn(choice.name, table.layout.spaces))
    return turns if table.setup.game.outcome(table.state).get("winner") else []


def action_of(table: TableState, choice: Choice, luck: Random) -> Action:
    """What a choice comes to: what is dealt, or one of those that tokens tell from all before it."""
    if choice.dealt:
        return dealt(table, choice)
    by_tokens: dict[object, Action] = {}
    for action in choice.actions:
        change = table.changes.get(action)
        by_tokens.setdefault((change.puts, change.clears) if change else None, action)
    return luck.choice(list(by_tokens.values()))


def search(game_id: str, options: Mapping[str, str]) -> None:
    """Says ever shorter games."""
    end, longest = time.monotonic() + MINUTE_S, LONGEST
    for luck in count():
        seed = luck // LUCKS + 1
        if luck % LUCKS == 0:
            table, _ = open_table(new_setup(game_id, settled(options)[0], seed))
        if turns := played(table, Random(luck), longest):
            longest = len(turns) - 1
            print(f"seed {seed}, luck {luck}: {len(turns)} turns", flush=True)
        if time.monotonic() > end:
            return


if __name__ == "__main__":
    search(sys.argv[1], dict(word.split("=", 1) for word in sys.argv[2:]))
