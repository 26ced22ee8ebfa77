"""The curtain: who sees a hand and when, and which keys count; in milliseconds of the caller."""

from __future__ import annotations

from dataclasses import replace

import pytest

from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.panel import WIDTHS
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.curtain import REST_MS
from underboard.engine.referee.events import BoardRead, Chosen, Did, Effect, Event, KeyPressed, Ordered, TimePassed, Tone
from underboard.engine.referee.screen import public_screen, screen
from underboard.engine.referee.state import LOOK_MS, TableState
from underboard.engine.referee.step import step

ENGLISH = find_words("en")
MAKAO = {"players": "3", "p1": "h7,hO,l8,b8,a8", "p2": "h8,lA,bA,aK,h9", "p3": "l7,lK,hK,b9,bO", "up": "h10"}
HACK_TRICK = {"out": "0,5", "red": "0,1,2,5", "yellow": "1,3,3", "four": "red"}
LATER = 10 * REST_MS
OK = KeyPressed("ok")


def opened(game: str = "makao", hands: str = "panel", **options: str) -> TableState:
    given = {**(MAKAO if game == "makao" else HACK_TRICK), **options}
    table = replace(open_table(new_setup(game, given, 1, hands=hands))[0], seat_pages=hands == "phones")
    return after(table, BoardRead(frozenset(), True), now=0)


def after(table: TableState, *events: Event, now: int = LATER) -> TableState:
    for event in events:
        table, _ = step(table, event, now)
    return table


def lines(table: TableState) -> list[str]:
    return [line.text for line in screen(table, ENGLISH)]


def test_a_hand_is_behind_a_curtain_that_says_whose_it_is() -> None:
    table = opened()
    assert table.covered
    assert lines(table) == ["P1   P2:5 P3:5", "hearts X", "stock 16", "only you look: OK"]


@pytest.mark.parametrize(
    "key", [KeyPressed("left"), KeyPressed("right"), KeyPressed("back"), KeyPressed("right", held=True), KeyPressed("ok", held=True)]
)
def test_before_the_curtain_nothing_runs_through_the_hand_and_all_keys_sound_alike(key: KeyPressed) -> None:
    table = opened()
    covered, effects = step(table, key, LATER)
    assert (covered.covered, covered.cursor, covered.answers, lines(covered)) == (True, table.cursor, (), lines(table))
    assert effects == [Tone("click")]


def test_ok_opens_it_and_back_closes_it() -> None:
    table = after(opened(), OK)
    assert lines(table)[2] == "‹hearts VII›"
    assert not table.covered
    assert after(table, KeyPressed("back")).covered


def test_back_goes_one_answer_back_before_it_closes() -> None:
    table = after(opened(), OK, KeyPressed("right"))
    assert table.selected == "card hO"
    asking = after(table, OK)
    assert asking.answers == ("card hO",)
    assert not after(asking, KeyPressed("back")).covered


def test_an_action_closes_it() -> None:
    table = after(opened(), OK, OK)
    assert table.setup.game.to_move(table.state) == "p2"
    assert table.covered


def test_a_few_seconds_without_a_key_close_it() -> None:
    table = after(opened(), OK)
    assert table.covers_at == LATER + LOOK_MS
    moved = after(table, KeyPressed("right"), now=LATER + LOOK_MS - 1)
    assert not after(moved, TimePassed(), now=LATER + 2 * LOOK_MS - 2).covered
    assert after(moved, TimePassed(), now=LATER + 2 * LOOK_MS - 1).covered


def test_what_was_looked_for_is_forgotten_with_it_but_not_an_awaited_token() -> None:
    asking = after(opened(), OK, KeyPressed("right"), OK)
    assert after(asking, TimePassed(), now=LATER + LOOK_MS).answers == ()
    chosen = after(after(opened("hack_trick"), Ordered("start 1")), OK, OK, now=2 * LATER)
    assert chosen.awaited == "infect 3"
    covered = after(chosen, TimePassed(), now=2 * LATER + LOOK_MS)
    assert (covered.covered, covered.awaited) == (True, "infect 3")


@pytest.mark.parametrize(("hands", "options"), [("open", {}), ("panel", {"cards": "hidden"})])
def test_where_all_may_look_or_nothing_is_known_there_is_none(hands: str, options: dict[str, str]) -> None:
    given = {"players": "3", "up": "h10"} if options else MAKAO
    table = open_table(new_setup("makao", {**given, **options}, 1, hands=hands))[0]
    assert not table.keeps_secret


def test_a_game_without_hands_has_none() -> None:
    assert not open_table(new_setup("virus_wars", {}, 1))[0].keeps_secret


def test_with_phones_the_panel_says_on_whose_the_hand_is_and_never_shows_it() -> None:
    table = opened(hands="phones")
    assert lines(after(table, OK))[-1] == "see P1's phone"
    assert after(table, OK).covered


def test_without_pages_phones_are_the_panel() -> None:
    table = replace(opened(hands="phones"), seat_pages=False)
    assert lines(after(table, OK))[2] == "‹hearts VII›"


def test_the_public_panel_is_the_same_while_the_mover_looks() -> None:
    table = opened()
    before = public_screen(table, ENGLISH)
    table = after(table, OK, KeyPressed("right"))
    assert public_screen(table, ENGLISH) == before != screen(table, ENGLISH)


# Keys of those who cannot have seen what is asked


def red_starts(now: int) -> tuple[TableState, list[Effect]]:
    """RED has begun with a choice of his page at `now`; YELLOW is to move."""
    table = opened("hack_trick", hands="open")
    return step(table, Chosen("start 1", "red"), now)


def test_two_presses_of_ok_are_no_two_turns() -> None:
    """210 ms apart, on the box."""
    table = opened(hands="open", p1="h8,lO,l9,b10,aU", p2="h9,lA,bA,aK,lU")
    table, done = step(table, OK, LATER)
    assert [effect.action for effect in done if isinstance(effect, Did)] == ["play h8"]
    again, effects = step(table, OK, LATER + 210)
    assert (again, effects) == (table, [])
    assert step(table, OK, LATER + REST_MS)[1] != []


@pytest.mark.parametrize("name", ["ok", "left", "right", "back"])
@pytest.mark.parametrize("held", [False, True])
def test_keys_that_went_down_before_are_dropped_without_a_sound(name: str, held: bool) -> None:
    table, _ = red_starts(LATER)
    long_after = LATER + 5 * REST_MS
    assert step(table, KeyPressed(name, held, since=LATER - 1), long_after) == (table, [])
    assert step(table, KeyPressed(name, held, since=LATER + REST_MS), long_after)[1] != []


def test_the_next_step_of_the_same_player_needs_no_rest() -> None:
    table = after(opened(hands="open"), KeyPressed("right"))
    table = after(table, OK, now=LATER + 1)
    assert table.answers == ("card hO",)
    assert after(table, KeyPressed("right"), now=LATER + 2).cursor == 1


def test_a_choice_on_a_page_rests_as_well() -> None:
    table, _ = red_starts(LATER)
    assert step(table, Chosen("infect 3", "yellow"), LATER + REST_MS - 1) == (table, [])
    assert step(table, Chosen("infect 3", "yellow"), LATER + REST_MS)[0].awaited == "infect 3"


# Seats


def test_a_seat_that_is_not_to_move_does_nothing() -> None:
    table, _ = red_starts(LATER)
    for event in (Chosen("infect 3", "red"), Chosen("draw", "red")):
        refused, effects = step(table, event, 2 * LATER)
        assert (refused.state, refused.chosen, effects) == (table.state, (), [])
    for name in ("left", "right", "ok", "back"):
        for held in (False, True):
            same, _ = step(table, KeyPressed(name, held, seat="red"), 2 * LATER)
            assert (same.state, same.cursor, same.open_menu) == (table.state, table.cursor, None)


def test_a_seat_has_neither_menu_nor_take_back() -> None:
    table, _ = red_starts(LATER)
    assert step(table, KeyPressed("left", held=True, seat="yellow"), 2 * LATER)[0].open_menu is None
    assert step(table, KeyPressed("back", held=True, seat="yellow"), 2 * LATER)[0].state == table.state


def test_a_token_taken_up_may_mean_a_take_back_and_right_looks_all_the_same() -> None:
    table = after(opened("hack_trick"), Ordered("start 1"), Ordered("infect 3"))
    table = after(table, BoardRead(frozenset({"4a"}), True), now=2 * LATER)
    table = after(table, Ordered("end"), now=2 * LATER)
    lifted = after(table, BoardRead(frozenset(), True), now=3 * LATER)
    assert lines(lifted)[-1] == "back: OK, look: ▶"
    assert not after(lifted, KeyPressed("right"), now=4 * LATER).covered
    back, effects = step(lifted, OK, 4 * LATER)
    assert [effect.action for effect in effects if isinstance(effect, Did)] == ["undo", "undo"]
    assert back.setup.game.to_move(back.state) == "yellow"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_curtain_says_fits(language: str) -> None:
    words = find_words(language)
    for hands in ("panel", "phones"):
        for game in ("makao", "hack_trick"):
            table = opened(game, hands)
            assert all(len(line.text) <= WIDTHS[line.size] for line in screen(table, words))
    for text in ("take back: OK", "back: OK, look: ▶", "what was it? OK", "card on the reader"):
        assert len(words(text)) <= WIDTHS["small"]
