"""The summary of a set-up: what fits, never a cut word for what nobody has changed."""

from __future__ import annotations

import pytest

from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.panel import WIDTHS
from underboard.engine.gamekit.registry import find_table, game_ids
from underboard.engine.gamekit.settings import answered, numbers
from underboard.engine.referee.menu.summary import summary

ENGLISH = find_words("en")


@pytest.mark.parametrize(
    ("game", "given", "lines"),
    [
        ("spy", {}, ["players 2"]),
        ("spy", {"cards": "hidden", "players": "3"}, ["cards own deck,", "players 3"]),
        ("virus_wars", {}, ["size 10, advised,", "edges as printed"]),
    ],
)
def test_the_settings_that_fit(game: str, given: dict[str, str], lines: list[str]) -> None:
    settings = find_table(game).settings(given)
    assert summary(settings, answered(settings, given), ENGLISH) == lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", game_ids())
def test_nothing_is_cut_in_a_set_up_as_at_first(game: str, language: str) -> None:
    settings = find_table(game).settings({})
    lines = summary(settings, answered(settings, {}), find_words(language))
    assert len(lines) <= 2
    assert all(len(line) <= WIDTHS["small"] and "…" not in line for line in lines)


def test_what_is_changed_is_cut_only_where_it_has_no_room() -> None:
    settings = [numbers(f"o{number}", "a long question", range(9), 0) for number in range(3)]
    assert summary(settings, {"o0": "0", "o1": "1", "o2": "0"}, ENGLISH) == ["a long question 1"]
    assert summary(settings, {"o0": "1", "o1": "1", "o2": "1"}, ENGLISH) == ["a long question 1, a", "long question 1, a…"]
