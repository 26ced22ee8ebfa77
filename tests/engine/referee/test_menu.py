"""The desk: its menu is always a way out and back, the set-up asks what the games ask, its screens fit in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.engine.base.i18n import LANGUAGE_NAMES, LANGUAGES, find_words
from underboard.engine.gamekit.registry import game_ids, title_of
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.history import entry, resume
from underboard.engine.referee.actions import open_table, override_names
from underboard.engine.referee.events import BoardRead, CardLaid, DevicesChanged, Did, KeyPressed, TimePassed
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.menu.language import LanguageMenu
from underboard.engine.referee.menu.main import MainMenu
from underboard.engine.referee.menu.manual_override import OverrideMenu
from underboard.engine.referee.menu.new_game import GAMES, NewGameMenu, set_up_first
from underboard.engine.referee.menu.scores import ScoresMenu
from underboard.engine.referee.override_words import OVERRIDE_WORDS, override_word
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import GameResult, TableState
from underboard.engine.referee.step import step
from underboard.hardware.panel.picture import problems

KEYS = st.builds(KeyPressed, st.sampled_from(("left", "right", "ok", "back")), st.booleans())
CELLS = st.tuples(st.integers(1, 10), st.integers(1, 10))
HAPPENING = st.one_of(
    KEYS,
    KEYS,
    KEYS,
    st.tuples(st.frozensets(CELLS, max_size=4), st.booleans()),
    st.builds(DevicesChanged, st.sampled_from(({"board": "absent"}, {"board": "ready", "reader": "absent"}))),
    st.just(TimePassed()),
)
"""A key, cells with a token and whether the board has come to rest, a cable, time."""


def press(table: TableState, *names: str, held: bool = False) -> TableState:
    """The table after keys pressed briefly, or held."""
    for name in names:
        table, _ = step(table, KeyPressed(name, held), table.keys_rest_until)
    return table


def choose(table: TableState, *names: str) -> tuple[TableState, list[Did]]:
    """The table after choices, and what was done for good."""
    done: list[Did] = []
    for name in names:
        at = [choice.name for choice in table.choices].index(name)
        table = press(table, *["right"] * ((at - table.cursor) % len(table.choices)))
        table, effects = step(table, KeyPressed("ok"), table.keys_rest_until)
        done += [effect for effect in effects if isinstance(effect, Did)]
    return table, done


def seen_empty(table: TableState) -> TableState:
    """The table once its board has been read: nothing stands on it."""
    return step(table, BoardRead(frozenset(), True), 0)[0]


@pytest.mark.parametrize("game_id", game_ids())
@settings(max_examples=40, deadline=None)
@given(happening=st.lists(HAPPENING, max_size=60), seed=st.integers(0, 99))
def test_whatever_happens_a_long_left_leads_to_a_menu_that_can_be_left(game_id: str, happening: list[Any], seed: int) -> None:
    table = seen_empty(open_table(new_setup(game_id, {}, seed, hands="open"))[0])
    for number, event in enumerate(happening):
        if isinstance(event, tuple):
            cells, settled = event
            event = BoardRead(table.setup.overlay.names(cells), settled)
        table, _ = step(table, event, number * 300)
        for language in LANGUAGES:
            assert problems(screen(table, find_words(language))) == []
    while table.open_menu and not isinstance(table.open_menu, MainMenu):
        before = table
        table = press(table, "back")
        assert table != before
    if table.open_menu is None:
        table = press(table, "left", held=True)
    assert isinstance(table.open_menu, MainMenu)
    assert press(table, "back").open_menu is None


def test_the_first_screen_of_an_evening_offers_every_game() -> None:
    table = seen_empty(set_up_first("hack_trick", 1, "hu"))
    assert [choice.name for choice in table.choices][:2] == ["start", "game"]
    table, done = choose(table, "game")
    assert [choice.name for choice in table.choices] == list(game_ids())
    assert done == []
    assert press(table, "back", "back", "back").choices  # there is no game to go back to


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_can_be_set_up_from_the_first_screen(game_id: str) -> None:
    table = seen_empty(set_up_first("virus_wars", 1, "nl"))
    table, done = choose(table, "game", game_id, "start")
    assert [did.action for did in done] == [f"new_game {game_id}"]
    assert table.playing
    assert table.language == "nl"
    assert table.setup.game.id == game_id


def test_the_start_waits_for_a_board_that_is_there() -> None:
    table, _ = step(set_up_first("virus_wars", 1, "en"), BoardRead(frozenset(), False), 0)
    table, done = choose(table, "start")
    assert done == []  # the board has not come to rest yet
    table, effects = step(table, BoardRead(frozenset(), True), 0)
    assert any(isinstance(effect, Did) for effect in effects)


def test_the_questions_depend_on_the_answers() -> None:
    table = seen_empty(set_up_first("sequence_numbers", 1, "en"))
    assert "sides" not in [choice.name for choice in table.choices]
    table, _ = choose(table, "players", "6")
    assert "sides" in [choice.name for choice in table.choices]
    assert table.selected == "players"
    table, _ = choose(table, "players", "3")
    assert "sides" not in [choice.name for choice in table.choices]
    table, _ = choose(table, "cards", "hidden", "game", "hack_trick")
    assert {"out.1", "out.2"} <= {choice.name for choice in table.choices}


def test_another_game_counts_on_from_the_one_before() -> None:
    first = seen_empty(replace(open_table(new_setup("virus_wars", {}, 1, hands="open"))[0], results=(GameResult("spy", "red"),)))
    table, done = choose(press(first, "left", held=True), "new game", "start")
    assert [did.kind for did in done] == ["new"]
    assert table.games == first.games + 1
    assert table.results == first.results
    assert table.setup.seed != first.setup.seed


def test_a_language_chosen_in_a_set_up_is_kept_for_the_game_that_goes_on() -> None:
    table, effects = open_table(new_setup("virus_wars", {}, 1, hands="open"))
    entries = [entry(effect, table) for effect in effects if isinstance(effect, Did)]
    table, done = choose(press(seen_empty(table), "left", held=True), "new game", "language", "nl")
    entries += [entry(did, table) for did in done]
    table = press(table, "back")
    assert (table.open_menu, table.language) == (None, "nl")
    assert resume(entries).language == "nl"


def test_a_deal_by_the_reader_comes_after_the_set_up() -> None:
    table = seen_empty(set_up_first("hack_trick", 1, "en"))
    table, done = choose(table, "cards", "reader", "start")
    assert table.deal
    assert done == []
    assert isinstance(press(table, "left", held=True).open_menu, MainMenu)


def test_back_before_the_first_card_leads_from_a_deal_to_its_set_up_and_to_the_game_before() -> None:
    before = replace(open_table(new_setup("virus_wars", {}, 1, hands="open"))[0], results=(GameResult("spy", "red"),))
    table = press(seen_empty(before), "left", held=True)
    table, _ = choose(table, "new game", "game", "makao", "cards", "reader", "start")
    assert screen(table, find_words("en"))[-1].text == "BACK: something else"
    table, _ = step(table, CardLaid("h8", "1"), 0)
    assert screen(table, find_words("en"))[-1].text == "BACK: one card less"
    table = press(table, "back")
    assert table.deal
    scores, _ = choose(press(table, "left", held=True), "scores")
    assert [choice.name for choice in scores.choices] == ["spy"]  # they cannot go before it is settled which game comes next
    table = press(table, "back")
    assert (table.deal, table.selected) == (None, "start")
    again, _ = choose(table, "start")
    assert again.deal
    table = press(table, "back")
    assert (table.open_menu, table.setup.game.id, table.results) == (None, "virus_wars", before.results)


def test_a_deal_with_nothing_before_it_tells_the_way_to_the_menu() -> None:
    table, _ = open_table(new_setup("hack_trick", {}, 1, "reader", hands="open"))
    assert screen(table, find_words("en"))[-1].text == "Hold LEFT: menu"
    assert press(table, "back").deal


def test_an_alert_takes_the_last_line_of_the_menu() -> None:
    table = press(seen_empty(open_table(new_setup("virus_wars", {}, 1, hands="open"))[0]), "left", held=True)
    table, _ = step(table, BoardRead(frozenset({"a1"}), True), 1000)
    table, _ = step(table, TimePassed(), 3000)
    assert find_alert(table)
    assert [line.text for line in screen(table, find_words("en"))] == ["TABLE", "Virus Wars", "‹go on›", "! WRONG PLACE a1"]
    table = press(table, "back")
    assert screen(table, find_words("en"))[0].text == "WRONG PLACE"


@pytest.mark.parametrize(("reader", "offered"), [("ready", True), ("probing", True), ("absent", False)])
def test_a_tagged_deck_is_offered_where_there_is_a_reader(reader: str, offered: bool) -> None:
    table, _ = step(seen_empty(set_up_first("hack_trick", 1, "en")), DevicesChanged({"board": "ready", "reader": reader}), 0)
    table, _ = choose(table, "cards")
    assert ("reader" in [choice.name for choice in table.choices]) == offered


def test_a_reader_that_goes_away_changes_no_answer() -> None:
    table, _ = choose(seen_empty(set_up_first("hack_trick", 1, "en")), "cards", "reader")
    table, _ = step(table, DevicesChanged({"board": "ready", "reader": "absent"}), 0)
    table = press(table, "ok")
    assert table.selected == "reader"


def won(*results: GameResult) -> TableState:
    """A table in an evening with these results."""
    return replace(open_table(new_setup("spy", {}, 1, hands="open"))[0], results=results)


def test_a_game_too_large_for_the_board_does_not_begin() -> None:
    table = seen_empty(set_up_first("hack_trick", 1, "en", (8, 8)))
    assert [line.text for line in screen(table, find_words("en"))][2:] == ["‹too large›", "the board is 8×8"]
    assert choose(table, "start") == (table, [])
    table, _ = choose(table, "game", "virus_wars", "size", "8", "start")
    assert screen(table, find_words("en"))[2].text != "‹too large›"
    assert step(table, TimePassed(), 5_000)[0].open_menu is None


def screens() -> Iterator[TableState]:
    """Tables with everything that the desk can show."""
    table = open_table(new_setup("hack_trick", {}, 1, hands="open"))[0]
    for game in (table, open_table(new_setup("makao", {}, 1, hands="open"))[0]):
        at = replace(game, open_menu=MainMenu())
        names = tuple(choice.name for choice in at.choices)
        yield from (replace(at, names=names, cursor=cursor) for cursor in range(len(names)))
    for game_id in GAMES:
        menu = NewGameMenu()
        planned = set_up_first(game_id, 1, "en")
        for number in range(len(planned.choices)):
            at = press(planned, *["right"] * number)
            yield at
            asking = press(at, "ok")
            for _ in asking.choices:
                yield asking
                asking = press(asking, "right")
        yield replace(planned, open_menu=replace(menu, checking=True))
        yield set_up_first(game_id, 1, "en", (3, 13))
        opened = open_table(new_setup(game_id, {}, 1, hands="open"))[0]
        for name in override_names(opened):
            for length in range(len(name.split())):
                words = OverrideMenu(tuple(name.split()[:length]))
                names = tuple(words.next_words(opened))
                yield replace(opened, open_menu=words, names=names, cursor=names.index(name.split()[length]))
    for number in range(len(LANGUAGE_NAMES)):
        yield replace(table, open_menu=LanguageMenu(), names=tuple(LANGUAGES), cursor=number)
    seats = [GameResult(game, seat) for game in GAMES for seat in ("yellow", "red", "blue", "green", "p5", None) for _ in range(12)]
    for tallied in (won(), won(*seats)):
        for number in range(len(ScoresMenu().menu(tallied)[0])):
            yield replace(tallied, open_menu=ScoresMenu(), cursor=number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_fits(language: str) -> None:
    words = find_words(language)
    found = {tuple(screen(table, words)) for table in screens()}
    assert len(found) > 80
    assert [problem for lines in found for problem in problems(lines)] == []


def test_an_override_names_its_cell_as_one_word() -> None:
    table = press(seen_empty(open_table(new_setup("virus_wars", {}, 1, hands="open"))[0]), "left", held=True)
    table, _ = choose(table, "correct", "token", "c", "4", "red")
    assert [line.text for line in screen(table, find_words("en"))][1:3] == ["token c4 RED", "‹virus›"]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_words_of_overrides_are_translated(language: str) -> None:
    words = find_words(language)
    games = [open_table(new_setup(game_id, {}, 1, hands="open"))[0] for game_id in GAMES]
    used = {word for table in games for name in override_names(table) for word in name.split() if word.islower() and len(word) > 2}
    seats = {seat for table in games for seat in table.setup.game.seats(table.state)} | {"blue", "green", "red"}
    assert used - seats <= OVERRIDE_WORDS.keys()
    assert all(words(text) for text in OVERRIDE_WORDS.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_of_an_override_are_those_of_the_board(language: str) -> None:
    table = open_table(new_setup("virus_wars", {}, 1, hands="open"))[0]
    shown = [override_word(column, table, find_words(language)) for column in OverrideMenu(("token",)).next_words(table)]
    assert shown == list("abcdefghij")


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_and_sides_of_an_override_are_called_as_in_the_game(language: str) -> None:
    words = find_words(language)
    table = open_table(new_setup("sequence_numbers", {}, 1, hands="open"))[0]
    turn, space = (OverrideMenu(path).next_words(table)[0] for path in (("turn",), ("token", "a", "2")))
    assert [override_word(word, table, words) for word in (turn, space)] == [f"{words('GREEN')} {words('p2')}", words("BLUE")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_keep_their_names_in_every_language(language: str) -> None:
    asking, _ = choose(seen_empty(set_up_first("spy", 1, language)), "game")
    assert "‹SPY›" in [line.text for line in screen(asking, find_words(language))]


def test_every_game_has_a_name() -> None:
    assert all(title_of(game_id) for game_id in game_ids())
