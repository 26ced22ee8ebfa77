"""How long games are: actions and turns of each game and option, for a random and for a simple greedy player.

`python -m tests.bench.lengths` plays 200 games a row and prints the tables of docs/game-lengths.md; `--write` writes them there.
A game that has not ended after MOST_ACTIONS is an error: then there is one that cannot end.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from tests.bench.greedy import greedy
from underboard.engine.gamekit.game import NOBODY, TABLE
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, title_of
from underboard.engine.gamekit.session import Session

GAMES = 200
MOST_ACTIONS = 200_000
PAGE = Path(__file__).parents[2] / "docs" / "game-lengths.md"
START, END = "<!-- measured -->\n", "<!-- end -->\n"

CONFIGURATIONS: Mapping[str, Sequence[str]] = {
    "hack_trick": ("", "calls=both"),
    "virus_wars": ("size=6", "size=7", "size=8", "size=9", "size=10", "", "size=10 edges=mirrored"),
    "sequence_numbers": (
        "",
        "sequences=2",
        "players=3",
        "players=4",
        "players=4 sequences=1",
        "players=6 sides=2",
        "players=6 sides=3",
        "players=6 sides=3 sequences=1",
        "board=house8",
    ),
    "spy": ("", "ts2=literal", "players=3", "players=4"),
    "makao": (
        "players=3",
        "",
        "players=5",
        "specials=any",
        "cancel=satisfy",
        "cancel=any",
        "sets=pairs",
        "specials=any sets=pairs cancel=any",
    ),
}
"""The options of each game, open cards: what is hidden changes nothing in how a game goes."""

Player = Callable[[Session[Any], Random], str]


class Length(NamedTuple):
    """One game: how many actions, how many turns (actions of one seat without another's between them), who won."""

    actions: int
    turns: int
    winner: str | None


class Endless(AssertionError):
    """A game that does not end."""


def at_random(session: Session[Any], random: Random) -> str:
    """Any legal action with equal chance."""
    return session.game.pick(session.state, random)


PLAYERS: Mapping[str, Player] = {"random": at_random, "greedy": greedy}


def play(game_id: str, options: str, player: Player, seed: int) -> Length:
    """One game to its end. Raises Endless."""
    game, random = find_game(game_id), Random(seed)
    deal = [f"seed={seed}"] if game.seeded else []
    session = Session.new(game, Options.parse([*options.split(), *deal]))
    turns, mover = 0, ""
    for actions in range(MOST_ACTIONS):
        to_move = game.to_move(session.state)
        if to_move == NOBODY:
            return Length(actions, turns, game.outcome(session.state).get("winner"))
        if to_move not in (mover, TABLE):
            turns, mover = turns + 1, to_move
        session = session.do(player(session, random))[0]
    raise Endless(f"{game_id} {options}: seed {seed} has not ended after {MOST_ACTIONS} actions")


def row(game_id: str, options: str, games: int) -> Iterator[str]:
    """The cells of one row."""
    yield f"`{options}`" if options else "as it is"
    for player in PLAYERS.values():
        lengths = [play(game_id, options, player, seed) for seed in range(games)]
        for counts in ([each.actions for each in lengths], [each.turns for each in lengths]):
            yield f"{median(counts):.0f} ({min(counts)}–{max(counts)})"
        yield first_share(game_id, options, [each.winner for each in lengths])


def first_share(game_id: str, options: str, winners: Sequence[str | None]) -> str:
    """How often whoever begins has won, in percent; the rest is the others' or nobody's."""
    game = find_game(game_id)
    session = Session.new(game, Options.parse([*options.split(), *(["seed=0"] if game.seeded else [])]))
    begins = first_side(game_id, game.seats(session.state))
    return f"{100 * winners.count(begins) / len(winners):.0f} %"


def first_side(game_id: str, seats: Sequence[str]) -> str:
    """What an outcome calls the winner if it is whoever begins."""
    return {"sequence_numbers": "blue"}.get(game_id, seats[0])


def tables(games: int) -> str:
    """All tables, as Markdown."""
    lines = []
    for game_id, all_options in CONFIGURATIONS.items():
        lines += ["", f"## {title_of(game_id)}", "", HEAD, RULE]
        for options in all_options:
            lines.append(f"| {' | '.join(row(game_id, options, games))} |")
            print(lines[-1], file=sys.stderr)
    return "\n".join(lines) + "\n\n"


HEAD = "| options | actions, random | turns, random | first wins | actions, greedy | turns, greedy | first wins |"
RULE = "| --- | --- | --- | --- | --- | --- | --- |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays and prints; answers the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lengths", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help=f"games a row ({GAMES})")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name}")
    options = parser.parse_args(arguments)
    found = tables(options.games)
    print(found)
    if options.write:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
        PAGE.write_text(head + START + found + END + rest.partition(END)[2], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
