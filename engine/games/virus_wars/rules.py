"""Virus Wars. Two colours grow over a board, five steps a turn; who has no step left to make has lost.

The numbers in brackets are those of docs/rules/virus_wars.md. A step is a cell: an empty one gets a virus of the mover,
an enemy virus becomes his zombie. Both need a neighbour that is, or is linked by own zombies to, an own virus.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from underboard.engine.base.bitset import nth
from underboard.engine.base.coordinates import parse_cell
from underboard.engine.base.errors import BadArgument, GameOver, IllegalAction
from underboard.engine.gamekit.game import NOBODY, Action, Announcement, Game, Record, Seat
from underboard.engine.gamekit.options import Options
from underboard.engine.games.virus_wars.board import Board, board_of
from underboard.engine.games.virus_wars.record import read, write
from underboard.engine.games.virus_wars.state import EDGES, GAME_ID, SEATS, STEPS, State, begin, first_edge, with_cell, without_cell

SIZE = 11
SMALLEST, LARGEST = 6, 20  # [2]


class VirusWars(Game[State]):
    """The rules of Virus Wars."""

    id = GAME_ID
    seeded = False

    def new(self, options: Options) -> State:
        """Options: size, or width and height; edges. [1, 2, 6]"""
        board = take_board(options)
        mirrored = options.choice("edges", EDGES, EDGES[0]) == "mirrored"
        return begin(board, mirrored, mover=0, step=1, viruses=(0, 0), zombies=(0, 0), opened=(False, False))

    def seats(self, state: State) -> tuple[Seat, ...]:
        return SEATS

    def phase(self, state: State) -> str:
        return "play" if state.targets else "over"

    def over(self, state: State) -> bool:
        return not state.targets

    def to_move(self, state: State) -> str:
        return SEATS[state.mover] if state.targets else NOBODY

    def legal(self, state: State) -> Sequence[Action]:
        return state.board.names(state.targets)

    def pick(self, state: State, random: Random) -> Action:
        board, targets = state.board, state.targets
        return board.name[nth(targets, int(random.random() * targets.bit_count()), board.halves)]

    def do(self, state: State, action: Action) -> tuple[State, list[Announcement]]:
        if not state.targets:
            raise GameOver("the game is over")
        bit = state.board.index.get(action)
        if bit is None:
            raise no_cell(state.board, action)
        if not state.targets >> bit & 1:
            raise no_target(state, action, bit)
        return take_step(state, action, bit)

    def record(self, state: State) -> Record:
        return write(state)

    def view(self, state: State, seat: Seat) -> Record:
        return write(state)

    def public_view(self, state: State) -> Record:
        return write(state)

    def position(self, record: Any) -> State:
        return read(record)

    def outcome(self, state: State) -> Record:
        if state.targets:
            return {"over": False}
        return {"over": True, "winner": SEATS[1 - state.mover], "reason": "stuck"}


def take_board(options: Options) -> Board:
    """Takes size, or width and height. [2]"""
    given = [key for key in ("size", "width", "height") if key in options]
    if given not in ([], ["size"], ["width", "height"]):
        raise BadArgument(f"{', '.join(given)}: give size alone, or both width and height", option=given[0])
    size = options.integer("size", SIZE, SMALLEST, LARGEST)
    width, height = (options.integer(key, size, SMALLEST, LARGEST) for key in ("width", "height"))
    return board_of(width, height)


# What a step does


def take_step(state: State, name: Action, bit: int) -> tuple[State, list[Announcement]]:
    """GENERATE or ABSORB on a target; after the fifth step the turn passes; who is stuck then has lost. [3, 7]"""
    board, mirrored, mover, step, viruses, zombies, opened, reach, _ = state
    cell = 1 << bit
    said: list[Announcement] = []
    if viruses[1 - mover] & cell:
        viruses, zombies = without_cell(viruses, 1 - mover, cell), with_cell(zombies, mover, cell)
        said.append({"say": "absorbed", "cell": name})
    else:
        viruses = with_cell(viruses, mover, cell)
    if not opened[mover]:
        opened = (True, opened[1]) if mover == 0 else (opened[0], True)
    if step == STEPS:
        after = begin(board, mirrored, 1 - mover, 1, viruses, zombies, opened)
        said.append({"say": "turn", "seat": SEATS[1 - mover]})
    else:
        reach = board.flood(reach, board.around[bit], zombies[mover])
        targets = reach & ~(viruses[mover] | zombies[0] | zombies[1])
        after = State(board, mirrored, mover, step + 1, viruses, zombies, opened, reach, targets)
    if not after.targets:
        said.append({"say": "win", "seat": SEATS[1 - after.mover], "reason": "stuck"})
    return after, said


# Why a step is refused


def no_cell(board: Board, action: Action) -> IllegalAction:
    """Why a text names no cell of this board."""
    last = board.name[board.bit(board.width - 1, board.height - 1)]
    if parse_cell(action) is None:
        return IllegalAction("'{action}' is no cell: a step is a cell from a1 to {last}", action=action, last=last)
    return IllegalAction("{cell} is not on this board: its cells are a1 to {last}", cell=action, last=last)


def no_target(state: State, name: Action, bit: int) -> IllegalAction:
    """Why the mover may not step on a cell. [4-6]"""
    mover, enemy = state.mover, 1 - state.mover
    cell = 1 << bit
    if state.viruses[mover] & cell:
        return IllegalAction("{cell} holds a virus of your own", cell=name)
    if state.zombies[mover] & cell:
        return IllegalAction("{cell} holds a zombie of your own: zombies stay for ever", cell=name)
    if state.zombies[enemy] & cell:
        if enemy == 0:
            return IllegalAction("{cell} holds a zombie of blue: zombies are never a target", cell=name)
        return IllegalAction("{cell} holds a zombie of red: zombies are never a target", cell=name)
    if not state.opened[mover]:
        return no_first_cell(state, name, bit)
    if state.board.around[bit] & state.zombies[mover]:
        return IllegalAction("{cell} touches only zombies of yours that no chain links to a virus of yours", cell=name)
    return IllegalAction("{cell} touches neither a virus of yours nor a zombie linked to one", cell=name)


def no_first_cell(state: State, name: Action, bit: int) -> IllegalAction:
    """Why the first virus may not go on a cell without a zombie. [6]"""
    edge = first_edge(state.board, state.mirrored, state.mover)
    if edge >> bit & 1:
        if state.mover == 1:
            return IllegalAction("{cell} holds a virus of blue: your first virus needs an empty cell", cell=name)
        return IllegalAction("{cell} holds a virus of red: your first virus needs an empty cell", cell=name)
    if edge == state.board.right:
        return IllegalAction("{cell} is not on the right edge: your first virus goes on an empty cell there", cell=name)
    return IllegalAction("{cell} is not on the left edge: your first virus goes on an empty cell there", cell=name)
