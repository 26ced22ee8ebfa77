"""Random games without a table, as `playout` of the rules protocol plays them: every action is checked and announced in full."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from tests.bench.paired import in_turns, rate
from tests.bench.rivals import Uno
from tests.bench.rows import Row
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game
from underboard.engine.gamekit.session import Session

OPEN = dict.fromkeys(("hack_trick", "makao", "sequence_numbers", "spy", "virus_wars"), "")
HIDDEN = {
    "hack_trick": "cards=hidden out=0,5",
    "makao": "cards=hidden up=h8",
    "sequence_numbers": "cards=hidden",
    "spy": "cards=hidden",
}
"""Virus Wars has no cards."""
SECONDS = 0.1
ROUNDS = 5
UNO = "RLCard's UNO"


def playout(session: Session[Any], random: Random) -> int:
    """One game from the beginning to the end; answers its actions."""
    return session.playout(random)[1]


def rows() -> list[Row]:
    """Actions a second of each game."""
    games = {("open", game): words for game, words in OPEN.items()} | {("hidden", game): words for game, words in HIDDEN.items()}
    work = {
        f"playout/{game}/{cards}": partial(playout, Session.new(find_game(game), Options.parse(words.split())), Random(1))
        for (cards, game), words in games.items()
    }
    with Uno(SECONDS) as uno:
        pairs = in_turns({key: partial(rate, play, SECONDS) for key, play in work.items()}, uno.steps_a_second, ROUNDS)
    return [
        Row(key, f"playout of {key.split('/')[1]}, {key.split('/')[2]}", "actions/s", pair.ours, UNO, pair.theirs, pair.ratio, needed(key))
        for key, pair in pairs.items()
    ]


def needed(key: str) -> float:
    """As fast with open cards, half as fast with hidden ones."""
    return 0.5 if key.endswith("hidden") else 1.0
