"""Settings: every answer that can be given leads to a table that can be opened."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.engine.base.i18n import find_words
from underboard.engine.gamekit.registry import find_table, game_ids
from underboard.engine.gamekit.settings import CARD_MODE, Setting, answered, numbers, settled, with_hands
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table


@pytest.mark.parametrize("game_id", game_ids())
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whatever_is_answered_a_table_can_be_opened(game_id: str, data: st.DataObject) -> None:
    table = find_table(game_id)
    given: dict[str, str] = {}
    for setting in iter(
        lambda: next((each for each in with_hands(table.settings(given), given, True) if each.option not in given), None), None
    ):
        given[setting.option] = data.draw(st.sampled_from(setting.values), setting.option)
    options, dealer, hands = settled(answered(with_hands(table.settings(given), given, True), given))
    opened, _ = open_table(new_setup(game_id, options, 1, dealer, hands))
    assert (opened.deal is not None) == (dealer == "reader")
    assert opened.setup.options.items() >= options.items()


@pytest.mark.parametrize("game_id", game_ids())
def test_what_is_meant_at_first_is_among_the_values(game_id: str) -> None:
    for setting in find_table(game_id).settings({}):
        assert setting.first in setting.values
        assert set(setting.names) >= set(setting.values) or not setting.names


def test_an_answer_of_another_game_counts_if_it_is_possible_here() -> None:
    players = numbers("players", "players", (2, 3), 2)
    assert answered([players], {"players": "3"}) == {"players": "3"}
    assert answered([players], {"players": "6", "size": "9"}) == {"players": "2"}


@pytest.mark.parametrize(
    ("answers", "options", "dealer", "hands"),
    [
        ({"cards": "open"}, {"cards": "open"}, "engine", "panel"),
        ({"cards": "reader"}, {"cards": "open"}, "reader", "panel"),
        ({"cards": "hidden", "out.1": "0", "out.2": "5"}, {"cards": "hidden", "out": "0,5"}, "engine", "panel"),
        ({"cards": "open", "hands": "phones"}, {"cards": "open"}, "engine", "phones"),
        ({"size": "7"}, {"size": "7"}, "engine", "panel"),
    ],
)
def test_answers_become_options(answers: dict[str, str], options: dict[str, str], dealer: str, hands: str) -> None:
    assert settled(answers) == (options, dealer, hands)


def test_values_are_called_as_players_call_them() -> None:
    words = find_words("en")
    assert CARD_MODE.called("hidden", words) == "own deck"
    assert Setting("board", "board", ("house8",), "house8").called("house8", words) == "house8"
