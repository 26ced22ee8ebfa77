"""Sequence Numbers on paper: the cards. The texts on the board are those of the presentation."""

from __future__ import annotations

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.prints import INKS, Face, GamePrint
from underboard.engine.games.sequence_numbers.boards import MINUS, PLUS
from underboard.engine.games.sequence_numbers.captions import SIGN_TARGETS

SIGNS = {PLUS: "+", MINUS: "−"}


class SequenceNumbersPrint(GamePrint):
    """An equation without its answer; the two signs say what they are for."""

    def face(self, card: str, words: Words) -> Face:
        if card in SIGNS:
            return Face(SIGNS[card], SIGNS[card], (card, words(SIGN_TARGETS[card])), INKS["blue" if card == PLUS else "red"])
        equation = card.replace("-", "−")
        return Face(equation, equation)
