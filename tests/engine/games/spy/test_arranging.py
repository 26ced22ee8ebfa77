"""Bases are arranged before the first turn: rule 3."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, IllegalAction
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_presentation, find_table
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.screen import mover_screen, public_screen
from underboard.hardware.panel.picture import problems

GIVEN = "setup=arrange green=S2,B1,T1,S1,B1,T2,B2 red=S1,S2,T1,T2,B1,B1,B2"
GAME = find_game("spy")


def new(options: str = GIVEN) -> Session[Any]:
    return Session.new(GAME, Options.parse(options.split()))


def after(session: Session[Any], *actions: str) -> Session[Any]:
    for action in actions:
        session, said = session.do(action)
        assert said == []
    return session


def test_each_seat_arranges_from_the_first_player_on() -> None:
    session = new("setup=arrange players=3 first=red seed=1")
    movers = []
    while GAME.phase(session.state) == "arrange":
        movers.append(GAME.to_move(session.state))
        session = after(session, "ready")
    assert movers == ["red", "blue", "green"]
    assert (GAME.phase(session.state), GAME.to_move(session.state)) == ("turn", "red")


def test_without_it_the_game_begins_at_once() -> None:
    assert GAME.phase(new("seed=1").state) == "turn"
    assert GAME.phase(new("setup=dealt seed=1").state) == "turn"


def test_cards_change_places_and_the_spy_stands_anywhere() -> None:
    session = after(new(), "swap 0 6", "stand 3L", "swap 1 2", "stand 6R")
    record = GAME.record(session.state)
    assert record["bases"]["green"] == ["B2", "T1", "B1", "S1", "B1", "T2", "S2"]
    assert record["spies"] == {"green": "6R", "red": "0R"}
    session = after(session, "ready", "stand 1R")
    assert GAME.record(session.state)["spies"] == {"green": "6R", "red": "1R"}


def test_what_may_be_done() -> None:
    session = new()
    legal = GAME.legal(session.state)
    assert "stand 0R" not in legal
    assert "stand 0L" in legal
    assert "swap 1 4" not in legal  # both B1
    assert len(legal) == 1 + 13 + 20
    for action in legal:
        session.do(action)


def test_real_cards_are_arranged_by_hand() -> None:
    session = new("setup=arrange cards=hidden players=3")
    assert set(GAME.legal(session.state)) == {"ready", *(f"stand {gap}{side}" for gap in range(6) for side in "LR")} - {"stand 0R"}


@pytest.mark.parametrize(
    ("options", "action", "reason"),
    [
        (GIVEN, "move 1", "first the bases are arranged: stand, swap, ready"),
        (GIVEN, "end", "first the bases are arranged: stand, swap, ready"),
        (GIVEN, "stand 0R", "your spy stands so already"),
        (GIVEN, "swap 1 4", "both cards are B1"),
        (GIVEN, "swap 4 1", "'swap 4 1' is no action: two cards change places, which count from 0, the lower first, as in swap 0 3"),
        (GIVEN, "stand 7R", "'stand 7R' is no action: a spy stands in a gap and looks right or left, as in stand 3R"),
        ("setup=arrange players=3 seed=1", "stand 6R", "there are 6 gaps, from 0 on"),
        ("setup=arrange players=3 seed=1", "swap 0 6", "there are 6 cards, from 0 on"),
        ("setup=arrange cards=hidden", "swap 0 1", "real cards are arranged by hand"),
        ("seed=1", "ready", "the bases are arranged"),
        ("seed=1", "stand 3R", "the bases are arranged"),
    ],
)
def test_what_is_refused(options: str, action: str, reason: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        new(options).do(action)
    assert str(refused.value) == reason


def test_others_see_the_spy_and_nothing_of_the_order() -> None:
    one, other = new(), after(new(), "swap 0 6", "swap 2 3")
    assert GAME.view(one.state, "red") == GAME.view(other.state, "red")
    assert GAME.public_view(one.state) == GAME.public_view(other.state)
    assert GAME.view(one.state, "green") != GAME.view(other.state, "green")


def test_a_position_in_the_middle_of_it_goes_on() -> None:
    session = after(new("setup=arrange players=4 first=blue seed=1"), "ready", "stand 2L")
    record = GAME.record(session.state)
    assert (record["phase"], record["to_move"]) == ("arrange", "yellow")
    again = Session.at(GAME, record)
    assert again.state == session.state
    movers = []
    while GAME.phase(again.state) == "arrange":
        movers.append(GAME.to_move(again.state))
        again = after(again, "ready")
    assert movers == ["yellow", "green", "red"]


def test_a_position_in_which_something_has_happened_is_refused() -> None:
    record = {**GAME.record(new().state), "moved": True}
    with pytest.raises(BadArgument, match="bases are arranged before the first turn, when nothing has happened yet"):
        GAME.position(record)


def test_a_table_that_is_set_up_asks() -> None:
    setting = next(setting for setting in find_table("spy").settings({}) if setting.option == "setup")
    assert (setting.values, setting.first) == (("arrange", "dealt"), "arrange")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [{"setup": "arrange"}, {"setup": "arrange", "cards": "hidden", "players": "4"}])
def test_the_panel_shows_the_base_as_it_would_be(language: str, options: dict[str, str]) -> None:
    words = find_words(language)
    table, _ = open_table(new_setup("spy", {**options, "seed": "1"} if "cards" not in options else options, 1, hands="open"), language)
    seen = set()
    for answers in ((), ("stand",), *([("card 0",), ("card 6",)] if "cards" not in options else [])):
        at = replace(table, answers=answers)
        for cursor in range(len(at.choices)):
            lines = mover_screen(replace(at, cursor=cursor, names=tuple(choice.name for choice in at.choices)), words)
            assert problems(lines) == []
            seen.add(lines[1].text)
        assert problems(public_screen(at, words)) == []
    assert len(seen) > 5


@pytest.mark.parametrize(
    ("action", "text"), [("swap 0 1", "GREEN arranges the cards"), ("stand 3R", "GREEN places the spy"), ("ready", "GREEN is ready")]
)
def test_the_log_tells_nothing_of_the_order(action: str, text: str) -> None:
    session = new()
    done, said = session.do(action)
    assert list(find_presentation("spy").describe(session.state, done.state, action, said, find_words("en"))) == [text]
