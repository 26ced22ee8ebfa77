"""What happened in sentences, as far as no game has to say it itself."""

from __future__ import annotations

from typing import Any

from underboard.engine.base.i18n import Words, find_words
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.presentation import PlainPresentation, Presentation
from underboard.engine.gamekit.registry import find_game

ENGLISH = find_words("en")


class SmallPresentation(Presentation):
    """Says no more than it has to."""

    def action_text(self, before: Any, action: Action, words: Words) -> str:
        return f"{before}: {action}"


def test_the_action_comes_first_then_what_was_announced() -> None:
    said: list[Announcement] = [{"say": "sum", "value": 3}, {"say": "win", "seat": "red"}]
    assert SmallPresentation().describe("red", None, "end", said, ENGLISH) == ["red: end", "RED wins"]


def test_a_plain_presentation_spells_the_action() -> None:
    game = find_game("hack_trick")
    state = game.new(Options({"seed": "1"}))
    action = game.legal(state)[0]
    said: list[Announcement] = [{"say": "win", "seat": "red"}]
    assert PlainPresentation(game).describe(state, state, action, said, ENGLISH) == [f"RED: {action}"]
