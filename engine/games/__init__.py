"""The games that can be refereed. A further game is one more folder here and one more line in the registry."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from engine.errors import BadArgument
from engine.game import Game

REGISTRY = {
    "hack_trick": "engine.games.hack_trick.rules:HackTrick",
    "makao": "engine.games.makao.rules:Makao",
    "sequence_numbers": "engine.games.sequence_numbers.rules:SequenceNumbers",
    "spy": "engine.games.spy.rules:Spy",
    "virus_wars": "engine.games.virus_wars.rules:VirusWars",
}
"""Game id to `module:class`; a module is imported when its game is first asked for."""


def game_ids() -> list[str]:
    """All game ids, sorted."""
    return sorted(REGISTRY)


def find_game(game_id: str) -> Game[Any]:
    """The rules of a game. Raises BadArgument that lists the known games."""
    if game_id not in REGISTRY:
        raise BadArgument(f"unknown game '{game_id}': known are {', '.join(game_ids())}")
    module, _, name = REGISTRY[game_id].partition(":")
    game: Game[Any] = getattr(import_module(module), name)()
    return game
