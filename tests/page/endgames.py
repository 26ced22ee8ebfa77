"""Games of any kind shortly before their end, in a journal, with the choices that lead to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from engine.events import Did, Effect, Ordered
from engine.opening import Opening, Request, open_game
from engine.referee import step
from engine.resume import entry
from engine.session import Session
from engine.settings import settled
from engine.table import GameTable, find_table
from engine.tabletop import Table

LAST = 3
WALL = datetime(2024, 1, 1, tzinfo=UTC)


def keep_endgame(journal: Path, game_id: str, options: Mapping[str, str], seed: int) -> list[str]:
    """Keeps the random game of this seed without its last few actions; answers the choices that make these, as the keys have them."""
    request = Request(game_id, journal, settled(options)[0], seed=seed)
    actions = playout(request)
    choices = last_choices(request, actions)
    assert choices, f"the game of {game_id} with seed {seed} does not end in {LAST} simple choices"
    write(request, actions[:-LAST])
    return choices


def begun(request: Request) -> tuple[GameTable, Session[object]]:
    """The table and the game as they begin."""
    opened = open_game(Request(request.game_id, request.journal.with_name("scratch"), request.options, seed=request.seed))
    opened.journal.close()
    return find_table(request.game_id), opened.table.session


def playout(request: Request) -> Sequence[str]:
    """A random game to its end."""
    _, session = begun(request)
    ended, _ = session.playout(Random(request.seed))
    return ended.now.actions()


def last_choices(request: Request, actions: Sequence[str]) -> list[str]:
    """The choices for the last actions; [] if a key alone does not make one of them what it was, or nobody has won."""
    game_table, session = begun(request)
    names = []
    for number, action in enumerate(actions):
        if number >= len(actions) - LAST:
            menu, _ = game_table.menu(session.state, ())
            plain = [choice.name for choice in menu if choice.actions[:1] == (action,) and not (choice.dealt or choice.answer)]
            names += plain[:1]
        session, _ = session.do(action)
    return names if len(names) == LAST and session.outcome().get("winner") else []


def write(request: Request, actions: Sequence[str]) -> None:
    """Plays the actions as if the referee had been told them, and keeps them."""
    opening = open_game(request)
    table, effects = opening.table, list(opening.effects)
    keep(opening, table, effects)
    for action in actions:
        table, effects = step(table, Ordered(action), 0)
        keep(opening, table, effects)
    opening.journal.close()


def keep(opening: Opening, table: Table, effects: Sequence[Effect]) -> None:
    """Writes what has been done."""
    for effect in effects:
        if isinstance(effect, Did):
            opening.journal.append(entry(effect, table), WALL, 0)
