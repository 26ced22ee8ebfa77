"""The registry of games: one declaration a game, from which everything else of it is found.

A game is a folder in `underboard.engine.games`. Its `__init__` declares it with `GAME = GameDeclaration(...)`, which names
the classes of its rules, table, presentation and prints. They are imported when they are first asked for, so that
`underboard --help` loads no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.game import Game
from underboard.engine.gamekit.overlay import Overlay, read_overlay
from underboard.engine.gamekit.presentation import PlainPresentation, Presentation
from underboard.engine.gamekit.prints import GamePrint, PlainPrint
from underboard.engine.gamekit.table import GameTable

GAMES = "underboard.engine.games"
"""The package whose folders are the games."""


@dataclass(frozen=True, slots=True)
class GameDeclaration:
    """What a game is called and where its parts are, each as `module:class` inside the game's folder.

    `title` is the name in every language; `about` is one sentence for those who choose a game, to be translated. A game
    without a `presentation` or `prints` gets plain ones.
    """

    title: str
    about: str
    rules: str
    table: str
    presentation: str = ""
    prints: str = ""


@cache
def game_ids() -> tuple[str, ...]:
    """The ids of all games, sorted; an id is the name of the game's folder."""
    folders = import_module(GAMES).__path__
    return tuple(sorted(module.name for module in iter_modules(folders) if module.ispkg))


@cache
def find_declaration(game_id: str) -> GameDeclaration:
    """What a game declares of itself. Raises BadArgument that lists the known games."""
    if game_id not in game_ids():
        raise BadArgument(f"unknown game '{game_id}': known are {', '.join(game_ids())}")
    declaration: GameDeclaration = import_module(f"{GAMES}.{game_id}").GAME
    return declaration


def find_part(game_id: str, where: str) -> Any:
    """An instance of the class at `module:class` in the game's folder."""
    module, _, name = where.partition(":")
    return getattr(import_module(f"{GAMES}.{game_id}.{module}"), name)()


@cache
def find_game(game_id: str) -> Game[Any]:
    """The rules of a game. Raises BadArgument that lists the known games."""
    game: Game[Any] = find_part(game_id, find_declaration(game_id).rules)
    return game


@cache
def find_table(game_id: str) -> GameTable:
    """The table of a game. Raises BadArgument that lists the known games."""
    table: GameTable = find_part(game_id, find_declaration(game_id).table)
    return table


@cache
def find_presentation(game_id: str) -> Presentation:
    """How a game is shown on the page. Raises BadArgument that lists the known games."""
    where = find_declaration(game_id).presentation
    found: Presentation = find_part(game_id, where) if where else PlainPresentation(find_game(game_id))
    return found


@cache
def find_print(game_id: str) -> GamePrint:
    """What is printed for a game. Raises BadArgument that lists the known games."""
    where = find_declaration(game_id).prints
    found: GamePrint = find_part(game_id, where) if where else PlainPrint()
    return found


def title_of(game_id: str) -> str:
    """What a game is called. Raises BadArgument that lists the known games."""
    return find_declaration(game_id).title


def find_overlay(game_id: str, options: Mapping[str, str]) -> Overlay:
    """The overlay of a game with these options. Raises BadArgument for options that cannot be played."""
    table = find_table(game_id)
    return table.overlay(table.options(options)) or read_overlay(game_id)
