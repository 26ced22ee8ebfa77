"""Errors of games: their text, and the option that is to blame."""

from __future__ import annotations

import pytest

from underboard.engine.base.errors import BadArgument, IllegalAction
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table


def test_an_error_carries_its_text_for_translation() -> None:
    error = IllegalAction("{card} may not follow {last}", card=3, last=3)
    assert (str(error), error.reason.template, error.code) == ("3 may not follow 3", "{card} may not follow {last}", "illegal_action")


@pytest.mark.parametrize(("values", "option"), [({"size": "0"}, "size"), ({"size": "many"}, "size"), ({}, "")])
def test_an_option_that_cannot_be_is_named(values: dict[str, str], option: str) -> None:
    with pytest.raises(BadArgument) as refused:
        Options(values).integer("size", 5, 3, 10) if values else Options({"colour": "red"}).finish()
    assert refused.value.option == option


@pytest.mark.parametrize(
    ("game", "options", "option"),
    [
        ("hack_trick", {"target": "0"}, "target"),
        ("hack_trick", {"cards": "hidden"}, "out"),
        ("hack_trick", {"red": "1,2,3,4"}, "out"),
        ("hack_trick", {"out": "0,5", "red": "0,1,2,9", "yellow": "1,3,5"}, "red"),
        ("makao", {"players": "9"}, "players"),
        ("makao", {"cards": "hidden", "up": "zz"}, "up"),
        ("sequence_numbers", {"players": "5"}, "players"),
        ("sequence_numbers", {"board": "none.toml"}, "board"),
        ("spy", {"players": "2", "first": "blue"}, "first"),
        ("virus_wars", {"size": "9", "width": "4"}, "size"),
        ("virus_wars", {"size": "20"}, "size"),
        ("virus_wars", {"width": "12", "height": "8"}, "width"),
        ("spy", {"red.spy": "9R"}, "red.spy"),
        ("spy", {"players": "2", "yellow.spy": "0R"}, "yellow.spy"),
    ],
)
def test_games_name_the_option_that_is_to_blame(game: str, options: dict[str, str], option: str) -> None:
    with pytest.raises(BadArgument) as refused:
        open_table(new_setup(game, options, 0))
    assert refused.value.option == option, str(refused.value)
