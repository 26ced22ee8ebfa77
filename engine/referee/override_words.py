"""The words of a manual override ("token c 4 none") in the player's language."""

from __future__ import annotations

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.referee.state import TableState


def override_word(word: str, table: TableState, words: Words) -> str:
    """A word of a manual override as players say it; columns and numbers stay what they are."""
    if word in OVERRIDE_WORDS:
        return words(OVERRIDE_WORDS[word])
    presentation = find_presentation(table.setup.game.id)
    people = {*table.setup.game.seats(table.state), *(piece.seat for piece in presentation.pieces(table.state))}
    return presentation.called(table.state, word, words) if word in people else word


OVERRIDE_WORDS = {
    "turn": N_("turn"),
    "score": N_("score"),
    "step": N_("step"),
    "token": N_("token"),
    "spy": N_("spy"),
    "off": N_("take one off"),
    "normal": N_("normal"),
    "giant": N_("giant"),
    "virus": N_("virus"),
    "zombie": N_("zombie"),
    "none": N_("no token"),
    "L": N_("left"),
    "R": N_("right"),
}
