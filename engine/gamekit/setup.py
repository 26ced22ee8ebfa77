"""How a table is set for one game: rules, table, overlay and options together, and the session that begins from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from underboard.engine.gamekit.game import Game
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import Overlay
from underboard.engine.gamekit.registry import find_game, find_overlay, find_table, title_of
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.settings import PANEL
from underboard.engine.gamekit.table import GameTable


@dataclass(frozen=True, slots=True)
class TableSetup:
    """How the table was set: the game, its options as given (without `seed`), the seed of all dealing.

    `dealer` is "engine", or "reader" if cards are drawn from a deck on the table and shown to the card reader.
    `hands` is where a player sees a hand that the engine knows: on the player's own page ("phones"), behind a curtain on the
    panel ("panel"), or wherever anybody looks ("open").
    """

    game: Game[Any]
    table: GameTable
    overlay: Overlay
    options: Mapping[str, str]
    seed: int
    dealer: str = "engine"
    hands: str = PANEL

    @property
    def title(self) -> str:
        """What the game is called."""
        return title_of(self.game.id)


def new_session(setup: TableSetup, options: Mapping[str, str]) -> Session[Any]:
    """A new game with these options, without those that are the table's own; raises what a deal can raise."""
    return Session.new(setup.game, Options({key: value for key, value in options.items() if key not in setup.table.own_options}))


def seed_option(game: Game[Any], seed: int) -> dict[str, str]:
    """The seed as an option, for a game that takes one."""
    return {"seed": str(seed)} if game.seeded else {}


def new_setup(game_id: str, options: Mapping[str, str], seed: int, dealer: str = "engine", hands: str = PANEL) -> TableSetup:
    """A table to be set for a game. Raises BadArgument for a game that has none, and for options that it cannot be set for."""
    table = find_table(game_id)
    return TableSetup(find_game(game_id), table, find_overlay(game_id, options), table.options(options), seed, dealer, hands)
