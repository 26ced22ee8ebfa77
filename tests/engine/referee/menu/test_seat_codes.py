"""The codes of the seats' pages: when they are shown, how one goes through them, and that nobody else gets them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, KeyPressed, SeatPages
from underboard.engine.referee.menu.seat_codes import SeatCodesMenu
from underboard.engine.referee.screen import public_screen, screen
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step
from underboard.hardware.panel.picture import problems

NOW = 10_000
SEATS = ("p1", "p2", "p3")
CODES = dict.fromkeys(SEATS, ("10" * 14 + "1",) * 29)
NOBODY: frozenset[str] = frozenset()


def opened(hands: str = "phones", language: str = "en", **options: str) -> TableState:
    table, _ = open_table(new_setup("makao", {"players": "3", **options}, 1, hands=hands), language)
    return after(table, BoardRead(frozenset(), True))


def after(table: TableState, *events: SeatPages | KeyPressed | BoardRead) -> TableState:
    for event in events:
        table, _ = step(table, event, NOW)
    return table


def pages(*taken: str) -> SeatPages:
    return SeatPages(CODES, frozenset(taken))


def texts(table: TableState) -> Sequence[str]:
    return [line.text for line in screen(table, find_words(table.language))]


def test_a_table_that_learns_of_pages_shows_the_code_of_each_seat_in_turn() -> None:
    table = after(opened(), pages())
    assert (texts(table), screen(table, find_words("en"))[0].code) == (["P1", "1/3", "scan", "OK: on"], CODES["p1"])
    table = after(table, pages("p1"))
    assert texts(table) == ["P2", "2/3", "scan", "OK: on"]
    table = after(table, pages("p1", "p2"), pages("p1", "p2", "p3"))
    assert table.open_menu is None
    assert texts(table)[-1] == "see P1's phone"


def test_ok_goes_on_to_the_next_that_nobody_has_taken_and_then_to_the_game() -> None:
    table = after(opened(), pages("p2"))
    assert texts(table)[0] == "P1"
    table = after(table, KeyPressed("ok"))
    assert texts(table)[0] == "P3"
    assert after(table, KeyPressed("ok")).open_menu is None


def test_left_and_right_run_through_all_and_back_goes_to_the_game() -> None:
    table = after(opened(), pages("p2"), KeyPressed("right"))
    assert texts(table) == ["P2", "2/3", "taken", "OK: on"]
    assert after(table, KeyPressed("back")).open_menu is None


def test_a_seat_that_is_lost_is_shown_again_from_the_menu_alone() -> None:
    table = after(opened(), pages(), pages(*SEATS), pages("p1", "p3"))
    assert table.open_menu is None
    table = after(table, KeyPressed("left", held=True))
    names = [choice.name for choice in table.choices]
    table = after(table, *[KeyPressed("right")] * names.index("phones"), KeyPressed("ok"))
    assert texts(table)[0] == "P2"


@pytest.mark.parametrize(("hands", "options"), [("panel", {}), ("open", {}), ("phones", {"cards": "hidden", "up": "h10"})])
def test_where_no_hand_is_on_a_phone_no_code_is_shown(hands: str, options: dict[str, str]) -> None:
    table = after(opened(hands, **options), pages())
    assert table.open_menu is None
    assert "phones" not in [choice.name for choice in after(table, KeyPressed("left", held=True)).choices]


def test_without_pages_the_hand_is_at_the_panel_again() -> None:
    table = after(opened(), pages(), SeatPages({}, NOBODY))
    assert table.open_menu is None
    assert texts(table)[-1] == "only you look: OK"


def test_a_new_game_shows_the_codes_that_nobody_has_taken() -> None:
    table = after(opened(), pages(*SEATS), pages("p1"))
    table = after(table, KeyPressed("left", held=True))
    names = [choice.name for choice in table.choices]
    table = after(table, *[KeyPressed("right")] * names.index("new game"), KeyPressed("ok"), KeyPressed("ok"))
    assert isinstance(table.open_menu, SeatCodesMenu)
    assert texts(table)[0] == "P2"


def test_a_code_is_for_whoever_stands_at_the_box() -> None:
    table = after(opened(), pages())
    assert not any(line.code for line in public_screen(table, find_words("en")))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("taken", [(), ("p1",)])
def test_it_fits_beside_the_code(language: str, taken: tuple[str, ...]) -> None:
    table = after(opened(language=language), pages(*taken))
    assert problems(screen(table, find_words(language))) == []
