"""Sequence Numbers on the page: a chip a side beside the board, and what happened in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement, Seat
from underboard.engine.gamekit.overlay import Site
from underboard.engine.gamekit.presentation import Piece, Presentation
from underboard.engine.games.sequence_numbers.boards import MINUS
from underboard.engine.games.sequence_numbers.captions import SEAT_NAMES, SIDE_NAMES, card_and_cell, card_text, player
from underboard.engine.games.sequence_numbers.layout import Cards
from underboard.engine.games.sequence_numbers.plays import by_answer
from underboard.engine.games.sequence_numbers.screen import score
from underboard.engine.games.sequence_numbers.state import SEATS, SIDES, State


class SequenceNumbersPresentation(Presentation):
    """One kind of chip a side; there are as many as anybody wants."""

    def pieces(self, state: State) -> Sequence[Piece]:
        return [Piece(side, side) for side in state.setup.side_names]

    def standing(self, state: State) -> Mapping[Site, Sequence[str]]:
        names = state.setup.layout.names
        return {cell: [side] for side, chips in zip(SIDES, state.chips, strict=False) for cell in names(chips)}

    def printed(self, state: State) -> Mapping[Site, str]:
        layout = state.setup.layout
        return {**dict.fromkeys(layout.corners, "★"), **{layout.name[space]: card[1:] for space, card in layout.hidden_card.items()}}

    def side(self, state: State, seat: Seat) -> str:
        return SIDES[state.setup.side(SEATS.index(seat))] if seat in SEATS else seat

    def facts(self, state: State, words: Words) -> Sequence[str]:
        laid = [f"{player(state, seat, words)}: {laid_text(pile, words)}" for seat, pile in enumerate(state.discards) if pile]
        return [words("sequences {score}", score=score(state)), *laid, words("stock {count}", count=len(state.stock))]

    def sorted_hand(self, hand: Sequence[str]) -> Sequence[str]:
        return sorted(hand, key=by_answer)

    def called(self, state: State, name: str, words: Words) -> str:
        if name in SEATS:
            return player(state, SEATS.index(name), words)
        return SIDE_NAMES.of(name, words) if name in SIDES else super().called(state, name, words)

    def help(self, words: Words) -> str:
        return words("Put a chip on the number that a card comes to, then draw with OK. PLUS, MINUS and all else with ◀ ▶ OK.")

    def action_text(self, before: State, action: Action, words: Words) -> str:
        verb, *rest = action.split()
        seat = player(before, before.mover, words)
        if verb == "play":
            card, cell = card_and_cell(before, rest)
            text = N_("{seat} takes the chip off {cell} with MINUS") if card == MINUS else N_("{seat} plays {card}: chip on {cell}")
            return words(text, seat=seat, card=card_text(card), cell=cell)
        if verb == "late" and before.owes is not None:
            seat = player(before, before.owes, words)
        if verb == "talk":
            return words("{side} has talked: each member discards a card", side=SIDE_NAMES.of(rest[0], words))
        return words(ACTIONS[verb], seat=seat, card=card_text(rest[0]) if rest else "")

    def announcement_text(self, said: Announcement, after: State, words: Words) -> str:
        return ANNOUNCED[said["say"]](said, words)


def laid_text(pile: Cards, words: Words) -> str:
    """How many cards a player has discarded, and the last of them. [7]"""
    return words("laid {count}, on top {card}", count=len(pile), card=card_text(pile[-1]))


ACTIONS = {
    "swap": N_("{seat} exchanges the dead card {card}"),
    "draw": N_("{seat} draws a card"),
    "forget": N_("{seat} does not draw yet"),
    "late": N_("{seat} draws late"),
    "pass": N_("{seat} passes"),
    "discard": N_("{seat} discards {card}"),
}


def sequence_text(said: Announcement, words: Words) -> str:
    """Five in a line. [14]"""
    return words("sequence of {side}: {cells}", side=SIDE_NAMES.of(said["side"], words), cells=" ".join(said["cells"]))


def reshuffle_text(said: Announcement, words: Words) -> str:
    """The discards become the stock. [12]"""
    return words("all discards are shuffled into a new stock")


def lost_draw_text(said: Announcement, words: Words) -> str:
    """A draw that came too late. [11]"""
    return words("{seat} lost the draw", seat=SEAT_NAMES.of(said["seat"], words))


def win_text(said: Announcement, words: Words) -> str:
    """The needed sequences are there. [18]"""
    return words("{seat} wins", seat=SIDE_NAMES.of(said["side"], words))


def stuck_text(said: Announcement, words: Words) -> str:
    """A whole round of passes. [19]"""
    return words("nobody can play: nobody wins")


ANNOUNCED: Mapping[str, Callable[[Announcement, Words], str]] = {
    "sequence": sequence_text,
    "reshuffle": reshuffle_text,
    "lost_draw": lost_draw_text,
    "win": win_text,
    "stuck": stuck_text,
}
