"""The menu's explanations: one a screen, whole in every language, and only where there are special cards."""

from __future__ import annotations

import pytest

from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.registry import find_table, game_ids
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import KeyPressed
from underboard.engine.referee.menu.explanations import ExplanationsMenu
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step
from underboard.hardware.panel.picture import problems

WITH_SPECIALS = [game for game in game_ids() if find_table(game).explanations]


def press(table: TableState, *names: str, held: bool = False) -> TableState:
    for name in names:
        table, _ = step(table, KeyPressed(name, held), 0)
    return table


def opened(game: str) -> TableState:
    """The menu of a table of this game, with the cursor on its last entry."""
    return press(press(open_table(new_setup(game, {}, 1))[0], "left", held=True), "left")


def test_the_menu_explains_the_special_cards_of_makao_only() -> None:
    assert WITH_SPECIALS == ["makao"]
    assert {game: opened(game).selected for game in game_ids()} == {**dict.fromkeys(game_ids(), "language"), "makao": "?"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", WITH_SPECIALS)
def test_each_explanation_is_whole_on_its_screen(game: str, language: str) -> None:
    words, table = find_words(language), press(opened(game), "ok")
    for title, text in table.setup.table.explanations.items():
        lines = screen(table, words)
        assert table.selected == title
        assert lines[0].text == f"‹{words(title)}›"
        assert " ".join(line.text for line in lines[1:]) == words(text)
        assert problems(lines) == []
        table = press(table, "right")


def test_ok_and_back_lead_to_the_game() -> None:
    table = press(opened("makao"), "ok")
    assert isinstance(table.open_menu, ExplanationsMenu)
    assert press(table, "ok").open_menu is None
    assert press(table, "back").open_menu is None
