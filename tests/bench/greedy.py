"""A simple greedy player of each game: looks one action ahead, never further, and at nothing that its seat cannot know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from underboard.engine.gamekit.session import Session
from underboard.engine.games.hack_trick.rules import VERBS
from underboard.engine.games.hack_trick.state import LINES_THROUGH, TOKEN
from underboard.engine.games.makao.moves import MOVES
from underboard.engine.games.makao.state import SATISFYING
from underboard.engine.games.sequence_numbers.boards import MINUS
from underboard.engine.games.sequence_numbers.state import State as Chips
from underboard.engine.games.sequence_numbers.state import side_at
from underboard.engine.games.spy.state import has, looked_at

SLIPS = 0.02
"""How often it does anything at all: SPY with ts2=literal does not end among players who never forget a lit bomb."""

Score = Callable[[Any, str], float]


def greedy(session: Session[Any], random: Random) -> str:
    """One of the actions that score most; which card comes of the stock is left to chance, and now and then so is all else."""
    state, game = session.state, session.game
    if random.random() < SLIPS:
        return game.pick(state, random)
    actions: Sequence[str] = game.legal(state)
    score = SCORES[game.id]
    scores = {action: score(state, action) for action in actions}
    most = max(scores.values())
    return random.choice([action for action in actions if scores[action] == most])


def hack_trick(state: Any, action: str) -> float:
    """A token where it helps most to a line or a stack and hits enemies; no call; a draw if nothing can be played."""
    verb = VERBS[action]
    if verb.name != "infect":
        return {"spy": 1.0, "end": 0.5, "start": 0.0, "draw": 0.0}.get(verb.name, -1.0)
    server = state.row[-1] + verb.value
    own, other = TOKEN[state.mover], TOKEN[1 - state.mover]
    there = state.servers[server]
    stacked = sum(token in own for token in there)
    lines = [sum(state.servers[each][:1] in own and state.servers[each] != "" for each in line) for line, *_ in LINES_THROUGH[server]]
    hits = sum(token in other for token in there)
    return float(100 * (max(lines) == 2 or stacked == 2) + 10 * hits + 3 * max(lines) + stacked + 2)


def virus_wars(state: Any, action: str) -> float:
    """An enemy virus rather than an empty cell, and then where most cells become accessible."""
    bit = state.board.index[action]
    absorbs = state.viruses[1 - state.mover] >> bit & 1
    opened = state.board.around[bit] & ~(state.reach | state.viruses[0] | state.viruses[1] | state.zombies[0] | state.zombies[1])
    return float(10 * absorbs + opened.bit_count())


def sequence_numbers(state: Chips, action: str) -> float:
    """The chip that adds most to one's own lines or stops most of another's; a dead card is exchanged at once."""
    verb, *rest = action.split()
    if verb != "play":
        return {"swap": 10_000.0, "draw": 2.0, "forget": -1.0, "late": -2.0, "pass": -3.0}.get(verb, 0.0)
    card, cell = rest
    layout = state.setup.layout
    space = layout.space[cell]
    side = state.setup.side(state.mover)
    windows = [window.spaces for window in layout.windows[space]]
    if card == MINUS:
        enemy = side_at(state, space)
        return sum(worth(spaces, state, enemy) for spaces in windows) * 0.9 if enemy is not None else 0.0
    own = sum(worth(spaces, state, side) for spaces in windows)
    stopped = max(sum(worth(spaces, state, other) for spaces in windows) for other in range(state.setup.sides) if other != side)
    return 1 + own + 0.8 * stopped


def worth(spaces: int, state: Chips, side: int) -> float:
    """What a line of five is worth to a side: more the fuller it is, nothing if another has a chip there."""
    for other, chips in enumerate(state.chips):
        if other != side and chips & spaces:
            return 0.0
    missing = spaces.bit_count() - (state.chips[side] & spaces).bit_count()
    return float(6 ** (5 - missing))


def spy(state: Any, action: str) -> float:
    """Spies whenever it may, where nothing is known yet, never on a lit bomb; else moves on, then ends the turn."""
    if action.startswith("spy"):
        victim = state.setup.seats.index(action.split()[1])
        base, place = state.bases[victim], looked_at(state)
        if has(base.lit, place):
            return -1.0
        return 1.0 if has(base.exposed, place) else 3.0
    return 2.0 if action.startswith("move") and not state.moved else 0.0


def makao(state: Any, action: str) -> float:
    """As many cards as can be laid, the ones asked for after that; a request for what is held most; else the draw."""
    move = MOVES[action]
    if move.verb != "play":
        return 0.0
    left = state.hands[state.mover] & ~move.cards
    asked = (SATISFYING[move.ask] & left).bit_count() / 10 if move.ask else 0.0
    return move.size + asked


SCORES: Mapping[str, Score] = {
    "hack_trick": hack_trick,
    "virus_wars": virus_wars,
    "sequence_numbers": sequence_numbers,
    "spy": spy,
    "makao": makao,
}
