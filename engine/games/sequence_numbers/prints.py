"""Sequence Numbers on paper: the cards. What stands on the board the laptop's page says too."""

from __future__ import annotations

from engine.games.sequence_numbers.boards import MINUS, PLUS
from engine.games.sequence_numbers.captions import SIGN_TARGETS
from engine.printing.prints import INKS, Face, GamePrint
from engine.words import Words

SIGNS = {PLUS: "+", MINUS: "−"}


class SequenceNumbersPrint(GamePrint):
    """An equation without its answer; the two signs say what they are for."""

    def face(self, card: str, words: Words) -> Face:
        if card in SIGNS:
            return Face(SIGNS[card], SIGNS[card], (card, words(SIGN_TARGETS[card])), INKS["blue" if card == PLUS else "red"])
        equation = card.replace("-", "−")
        return Face(equation, equation)
