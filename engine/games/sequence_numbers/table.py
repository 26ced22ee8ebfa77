"""Sequence Numbers at the table: chips on the spaces, cards by the chip or by the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from underboard.engine.base.errors import BadArgument, Text
from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import BOARD_COLUMNS, BOARD_ROWS, Overlay, grid_overlay
from underboard.engine.gamekit.settings import CARD_MODE, SEAT_COUNT, Setting, answered, numbers
from underboard.engine.gamekit.table import Change, Choice, GameTable, Pile
from underboard.engine.games.sequence_numbers.boards import BOARD, SHIPPED, load
from underboard.engine.games.sequence_numbers.captions import SEAT_NAMES
from underboard.engine.games.sequence_numbers.deal import read_setup
from underboard.engine.games.sequence_numbers.menu import menu
from underboard.engine.games.sequence_numbers.overrides import SequenceNumbersOverrides
from underboard.engine.games.sequence_numbers.plays import by_answer, change_of, plays
from underboard.engine.games.sequence_numbers.reading import wrong_phase
from underboard.engine.games.sequence_numbers.rules import next_seat
from underboard.engine.games.sequence_numbers.screen import public_screen, screen
from underboard.engine.games.sequence_numbers.state import MOST_NEEDED, NEEDED, SEATS, SIDES_FOR, State


def sequences_setting(players: int, sides: int) -> Setting:
    """How many sequences win; two among three sides take long. [15]"""
    names = {str(MOST_NEEDED): N_("2, long")} if sides == max(map(max, SIDES_FOR.values())) else {}
    values = tuple(str(number) for number in range(1, MOST_NEEDED + 1))
    return Setting("sequences", N_("sequences"), values, str(NEEDED[players]), names)


class SequenceNumbersTable(GameTable):
    """Every space, and every corner, lies over one sensor: "c4" over row 4, column 3."""

    has_boards = True
    overrides = SequenceNumbersOverrides()
    screen = staticmethod(screen)
    public_screen = staticmethod(public_screen)

    def settings(self, answers: Mapping[str, str]) -> Sequence[Setting]:
        players = numbers("players", SEAT_COUNT, SIDES_FOR, 2)
        count = int(answered([players], answers)["players"])
        sides = SIDES_FOR[count]
        several = [numbers("sides", N_("sides"), sides, sides[0])] if len(sides) > 1 else []
        return [
            CARD_MODE,
            players,
            *several,
            sequences_setting(count, int(answered(several, answers).get("sides", sides[0]))),
            Setting("board", N_("board"), SHIPPED, BOARD),
            Setting("first", N_("begins"), SEATS[:count], SEATS[0], SEAT_NAMES.by_seat),
        ]

    def overlay(self, options: Mapping[str, str]) -> Overlay:
        """As large as the board. Raises BadArgument for one that has no place on the sensors."""
        name = options.get("board", BOARD)
        rows = load(name, 0).rows
        width, height = len(rows[0]), len(rows)
        if width > BOARD_COLUMNS or height > BOARD_ROWS:
            raise BadArgument(
                f"board={name}: {width} columns and {height} rows are too many for the table, which has {BOARD_COLUMNS} and {BOARD_ROWS}",
                option="board",
            )
        return grid_overlay(width, height)

    def changes(self, state: State) -> Mapping[Action, Change]:
        found = plays(state)
        return {action: change_of(action, found) for actions in found.values() for action in actions}

    def menu(self, state: State, answers: Sequence[str]) -> tuple[Sequence[Choice], int]:
        return menu(state, answers), 0

    def deal(self, state: State, choice: Choice, random: Random) -> Action:
        return f"{choice.name} {random.choice(state.stock)}"

    def early(self, state: State) -> Text | None:
        """That the mover still owes his draw, or a side its cards. [11, 13]"""
        if state.phase == "discard":
            return wrong_phase(state, "play").reason
        if state.phase != "draw":
            return None
        seats = {"seat": SEATS[state.mover], "next": SEATS[next_seat(state)]}
        return Text(N_("{seat} owes a draw: draw or “not yet”, then the chip counts. Lost once {next} draws."), seats)

    def piles(self, options: Mapping[str, str], state: State | None) -> Sequence[Pile]:
        setup = read_setup(Options(dict(options)))
        return () if setup.hidden else [Pile(seat, seat.upper(), setup.hand_size) for seat in setup.seats]

    def hands(self, state: State) -> Mapping[str, Sequence[str]]:
        return {
            seat: [] if state.setup.hidden else sorted(hand, key=by_answer)
            for seat, hand in zip(state.setup.seats, state.hands, strict=True)
        }
