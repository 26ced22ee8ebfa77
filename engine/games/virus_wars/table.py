"""Virus Wars at the table: a token for every virus and every zombie, one sensor under every cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import BOARD_COLUMNS, BOARD_ROWS, Overlay, grid_overlay
from underboard.engine.gamekit.settings import Setting
from underboard.engine.gamekit.table import NEW_GAME, Change, Choice, GameTable, single
from underboard.engine.games.virus_wars.board import Board, Cells
from underboard.engine.games.virus_wars.overrides import VirusWarsOverrides
from underboard.engine.games.virus_wars.rules import SMALLEST, VirusWars, take_board
from underboard.engine.games.virus_wars.screen import screen
from underboard.engine.games.virus_wars.state import EDGES, State

SIZE_KEYS = ("size", "width", "height")


SIZES = tuple(str(size) for size in range(SMALLEST, BOARD_ROWS + 1))
ADVISED = 9
"""Smaller boards are decided within a few turns. [2]"""


class VirusWarsTable(GameTable):
    """GENERATE is a token on an empty cell; ABSORB exchanges an enemy virus for a zombie, which no sensor can see."""

    rules = VirusWars()
    overrides = VirusWarsOverrides()
    screen = staticmethod(screen)

    def options(self, given: Mapping[str, str]) -> Mapping[str, str]:
        """As large as the sensors allow, unless a smaller board is asked for. [2]"""
        options = dict(given) if any(key in given for key in SIZE_KEYS) else {**given, "size": str(BOARD_ROWS)}
        board = take_board(Options(options))
        if board.width > BOARD_COLUMNS or board.height > BOARD_ROWS:
            asked = [key for key in SIZE_KEYS if key in options]
            given_size = " ".join(f"{key}={options[key]}" for key in asked)
            raise BadArgument(
                f"{given_size}: this table has {BOARD_COLUMNS}x{BOARD_ROWS} sensors, a larger board does not fit on it", option=asked[0]
            )
        return options

    def settings(self, answers: Mapping[str, str]) -> Sequence[Setting]:
        return [
            Setting("size", N_("size"), SIZES, str(BOARD_ROWS), wording=size_text),
            Setting("edges", N_("edges"), EDGES, EDGES[0], {"seed": N_("as printed"), "mirrored": N_("mirrored")}),
        ]

    def overlay(self, options: Mapping[str, str]) -> Overlay:
        board = take_board(Options(dict(options)))
        return grid_overlay(board.width, board.height)

    def changes(self, state: State) -> Mapping[Action, Change]:
        return {cell: step_on(state, cell) for cell in in_reading_order(state.board, state.targets)}

    def menu(self, state: State, answers: Sequence[str]) -> tuple[Sequence[Choice], int]:
        if not state.targets:
            return [NEW_GAME], 0
        return [single(cell) for cell in in_reading_order(state.board, state.targets)], 0


def size_text(size: str, words: Words) -> str:
    """A size, and whether it is a good one. [2]"""
    return words("{size}, advised", size=size) if int(size) >= ADVISED else size


def step_on(state: State, cell: Action) -> Change:
    """What a step on an accessible cell does to the tokens. [3]"""
    absorbed = state.viruses[1 - state.mover] >> state.board.index[cell] & 1
    return Change(clears=(cell,), puts=(cell,), lift_first=True) if absorbed else Change(puts=(cell,))


def in_reading_order(board: Board, cells: Cells) -> Iterator[Action]:
    """The names of cells row by row, as an eye finds them."""
    return (board.name[bit] for bit in sorted(board.name) if cells >> bit & 1)
