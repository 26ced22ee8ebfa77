"""SPY: what a referee may set by hand."""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.gamekit.game import Record
from underboard.engine.gamekit.table import Change, Overrides
from underboard.engine.games.spy.state import State, is_over, stances


class SpyOverrides(Overrides):
    """Whose turn it is, and the spies; a spy's place is its gap and the side that it looks to."""

    def names(self, state: State) -> Sequence[str]:
        if is_over(state):
            return ()
        seats = state.setup.seats
        turns = (
            []
            if state.to_arrange
            else [f"turn {seat}" for number, seat in enumerate(seats) if number != state.turn and number not in state.out]
        )
        known = stances(state.setup.arrangements.size)
        return [*turns, *(f"spy {seat} {stance[:-1]} {stance[-1]}" for seat in seats for stance in known)]

    def apply(self, record: Record, name: str) -> tuple[Record, Change]:
        match name.split():
            case ["turn", seat]:
                return {**record, "phase": "turn", "to_move": seat, "moved": False, "spied": False, "seeker": None}, Change()
            case [_, seat, gap, side]:
                before = record["spies"][seat][:-1]
                change = Change(clears=(f"{seat}{before}",), puts=(f"{seat}{gap}",)) if gap != before else Change()
                return {**record, "spies": {**record["spies"], seat: f"{gap}{side}"}}, change
        raise ValueError(name)
