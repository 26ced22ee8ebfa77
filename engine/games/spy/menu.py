"""SPY: what the keys run through, in an order that needs few presses.

The list is a ring: moves with a flip after them, moves without, spies, the end of the turn. A long OK on a move adds the
flip after it, so these stand in the far part. The cursor begins at the moves, where a turn of MOVE, SPY and end takes six
presses at most.
"""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.table import NEW_GAME, Choice, single
from underboard.engine.games.spy.arranging import MOST_CARDS
from underboard.engine.games.spy.rules import Spy
from underboard.engine.games.spy.state import SEATS, State

ANSWERS = ("target", "safe", "secret", "bomb", "lit")
"""As often as they come."""


def menu(rules: Spy, state: State, answers: Sequence[str] = ()) -> tuple[Sequence[Choice], int]:
    """The choices of this phase after these answers, and where the cursor begins."""
    legal = rules.legal(state)
    if state.to_arrange:
        return arranging_menu(legal, answers), 0
    if not legal:
        return [NEW_GAME], 0
    if state.asked is not None:
        return [single(f"answer {word}") for word in ANSWERS if f"answer {word}" in legal], 0
    return turn_menu(legal)


def arranging_menu(legal: Sequence[Action], answers: Sequence[str]) -> Sequence[Choice]:
    """As it is; or where the spy is to stand; or a card, and then the one that it changes places with. [3]"""
    stands = tuple(action for action in legal if action.startswith("stand"))
    swaps = [action for action in legal if action.startswith("swap")]
    by_card = {f"card {card}": tuple(swap for swap in swaps if card in swap.split()) for card in map(str, range(MOST_CARDS))}
    if answers:
        return [single(action) for action in (stands if answers[-1] == "stand" else by_card[answers[-1]])]
    cards = [Choice(card, among, answer=True) for card, among in by_card.items() if among]
    return [single("ready"), Choice("stand", stands, answer=True), *cards]


def turn_menu(legal: Sequence[Action]) -> tuple[Sequence[Choice], int]:
    """A turn. [5-7]"""
    moves = sorted((action for action in legal if action.startswith("move") and not action.endswith("f")), reverse=True)
    spies = [single(f"spy {seat}") for seat in SEATS if f"spy {seat}" in legal]
    flipped = [single(f"{move}f") for move in moves]
    plain = [Choice(move, (move, f"{move}f")) for move in moves]
    return [*flipped, *plain, *spies, single("end")], first(len(moves), len(spies))


def first(moves: int, spies: int) -> int:
    """Where the cursor begins: at the move before the spies, unless the way to the others would be too long."""
    if not moves:
        return max(0, spies - 1) // 2
    way = 3 if spies == 1 else 2
    return 2 * moves - 1 - max(0, moves - 1 - way)
