"""From the start page in headless Chromium: a game is chosen or gone on with, played to its end, left; phones have links of their own."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from engine.opening import Request
from engine.table import TABLES
from tests.page.endgames import keep_endgame, write

Start = Callable[..., Any]
STATE = "underboard"
"""The folder of kept games in the state folder."""
REST_S = 0.8
"""What a player takes to look up: the board has come to rest by then."""


def look(table: Any) -> dict[str, Any]:
    """What is to be seen of a table now, as its page is told."""
    connection = http.client.HTTPConnection("127.0.0.1", table.port, timeout=10)
    connection.request("GET", "/events")
    with connection.getresponse() as answer:
        line = next(line for line in answer if line.startswith(b"data: "))
    connection.close()
    return dict(json.loads(line.removeprefix(b"data: ")))


def until(page: Any, table: Any, holds: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
    """What is to be seen once it is as wanted."""
    seen: dict[str, Any] = {}

    def reached() -> bool:
        seen.update(look(table))
        return bool(holds(seen))

    page.wait(reached, what)
    return seen


@pytest.fixture
def start(play: Start, page: Any) -> Any:
    """The start page, and the program behind it."""
    table = play(journal=None)
    page.driver.get(table.url)
    page.wait(lambda: page.all("#start .game"), "games to choose from")
    return table


def choose(page: Any, game: str, **answers: str) -> None:
    """Fills the form in."""
    page.click(f'[data-game="{game}"]')
    for name, value in answers.items():
        page.wait(partial(answer, page, name, value), f"{name}={value}")
        time.sleep(REST_S)  # the form is asked for again


def answer(page: Any, name: str, value: str) -> bool:
    """Chooses from a list, if it is there."""
    fields = page.all(f'[name="{name}"]')
    if fields:
        Select(fields[0]).select_by_value(value)
    return bool(fields)


def leave(page: Any) -> None:
    """Goes back to the start page."""
    page.click("#leave")
    page.wait(lambda: page.one("#start").is_displayed() and page.all('[data-part="fields"] select'), "the start page")


def last_action(seen: dict[str, Any]) -> int:
    """The number of the last action in the log."""
    return max((each["number"] for each in seen["log"] if each["kind"] == "do"), default=0)


def by_mouse(page: Any, table: Any, name: str) -> None:
    """Makes a choice with the keys, and does with the tokens what it asks for; all of it by clicks."""
    time.sleep(REST_S)
    seen = until(page, table, lambda seen: name in seen["choices"] and seen["alert"] is None, f"the choice {name}")
    before = last_action(seen)
    here, there = (seen["choices"].index(each) for each in (seen["selected"], name))
    for place in range(here, there, 1 if there > here else -1):
        page.key("right" if there > here else "left")
        reached(page, table, seen["choices"][place + (1 if there > here else -1)])
    page.key("ok")
    seen = until(page, table, lambda seen: last_action(seen) > before or seen["targets"] or seen["lift"], "the table to answer")
    while last_action(seen) == before:
        asked = seen["lift"], seen["targets"]
        page.space((asked[0] or asked[1])[0])
        time.sleep(REST_S)
        seen = answered(page, table, before, asked)


def reached(page: Any, table: Any, name: str) -> None:
    until(page, table, lambda seen: seen["selected"] == name, f"the key to reach {name}")


def answered(page: Any, table: Any, before: int, asked: object) -> dict[str, Any]:
    """What is to be seen once the action is done, or another token is asked for."""

    def goes_on(seen: dict[str, Any]) -> bool:
        return last_action(seen) > before or ((seen["lift"], seen["targets"]) not in (asked, ([], [])))

    return until(page, table, goes_on, "the token to be felt")


@pytest.mark.parametrize(
    ("game", "options", "seed"),
    [("hack_trick", {}, 4), ("sequence_numbers", {}, 84), ("virus_wars", {"size": "6"}, 1), ("spy", {}, 1), ("makao", {}, 38)],
)
def test_a_kept_game_is_played_to_its_end_by_mouse(
    game: str, options: dict[str, str], seed: int, tmp_path: Path, play: Start, page: Any
) -> None:
    (tmp_path / STATE).mkdir()
    choices = keep_endgame(tmp_path / STATE / f"play-{game}.sqlite3", game, options, seed)
    table = play(journal=None)
    page.driver.get(table.url)
    page.click(f'[data-kept="play-{game}.sqlite3"]')
    page.wait(lambda: page.screen, "the table")
    for space in until(page, table, lambda seen: seen["sensed"] == seen["expected"], "the tokens of the game")["expected"]:
        assert space in page.tokens
    for name in choices:
        by_mouse(page, table, name)
    seen = until(page, table, lambda seen: seen["outcome"]["over"], "the end of the game")
    page.wait(lambda: page.one("#status").text == seen["status"], "the winner")
    assert page.driver.get_log("browser") == []


def test_a_game_is_chosen_played_left_and_gone_on_with(start: Any, page: Any) -> None:
    choose(page, "hack_trick", cards="hidden", four="yellow")
    page.wait(lambda: page.all('[name="out.2"]'), "the cards that lie face up")
    choose(page, "hack_trick", **{"out.1": "5"})
    page.click(".begin")
    page.shows("YELLOW")
    assert not page.all("#hands .card")
    page.key("ok")
    page.wait(lambda: len(page.log) == 2, "the first card")
    first = page.log[0]
    leave(page)
    page.click("[data-kept]")
    page.wait(lambda: "the game goes on" in page.log, "the game that was kept")
    assert first in page.log
    leave(page)
    choose(page, "virus_wars", size="7", wiring="pico")
    page.click(".begin")
    page.wait(lambda: len(page.all(".tile")) == 49, "a small board")
    assert look(start)["faults"]["board"] is True


def test_the_form_says_what_cannot_be_played_at_the_field(start: Any, page: Any) -> None:
    choose(page, "sequence_numbers", players="4")
    page.wait(lambda: page.all('[name="first"] option[value="p4"]'), "four who can begin")
    choose(page, "hack_trick", cards="hidden")
    page.wait(lambda: page.all('[name="out.2"]'), "the cards that lie face up")
    page.driver.execute_script("document.querySelector('[name=\"four\"]').add(new Option('blue', 'blue', true, true))")
    page.click(".begin")  # an answer that there is not counts as the first one
    page.shows("RED")


def test_the_start_page_is_used_by_the_keyboard_alone(start: Any, page: Any) -> None:
    page.driver.execute_script("document.querySelector('[data-game][aria-checked=\"true\"]').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    chosen = page.one('[data-game][aria-checked="true"]')
    assert chosen == page.driver.switch_to.active_element
    assert chosen.get_attribute("data-game") == "makao"
    page.wait(lambda: page.text('[data-part="title"]') == "Makaó", "its form")
    page.one(".begin").send_keys(Keys.ENTER)
    page.wait(lambda: page.screen, "its table")
    assert not page.one("#place").is_displayed()
    choices = look(start)
    page.one("body").send_keys(Keys.ARROW_RIGHT, Keys.ENTER)
    until(page, start, lambda seen: seen["selected"] != choices["selected"] or seen["log"] != choices["log"], "a key to be felt")


def test_the_start_page_speaks_other_languages(start: Any, page: Any) -> None:
    Select(page.one('[data-part="language"]')).select_by_value("hu")
    page.wait(lambda: page.text(".begin") == "Asztalhoz!", "Hungarian")
    page.click(".begin")
    page.wait(lambda: page.screen, "the table")
    assert page.driver.execute_script("return document.documentElement.lang") == "hu"


def test_cards_are_laid_on_the_reader(play: Start, page: Any) -> None:
    table = play("hack_trick", "dealer=reader")
    page.open(table.url)
    page.shows("LAY ON THE READER")
    for _ in range(8):
        page.click('.reading [data-lay=""]')
    until(page, table, lambda seen: len(seen["hands"]["yellow"]) >= 1, "the first hands")
    page.click("#reader summary")
    assert len(page.all('[data-part="faces"] .card')) == 6
    page.click('.reading [data-lay=""]')
    seen = until(page, table, lambda seen: not seen["dealing"], "the whole deal")
    assert {seat: len(hand) for seat, hand in seen["hands"].items()} == {"red": 4, "yellow": 3}
    page.click('[data-show="red"]')
    assert [card.text for card in page.all("#hands [data-card]")] == seen["hands"]["red"]


def test_phones_have_links_of_their_own_and_others_only_watch(play: Start, page: Any, other_page: Any) -> None:
    table = play("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "--host", "0.0.0.0")
    assert "keep it to yourself" in table.greeting
    page.open(table.url)
    assert not page.all("#hands .hand")
    page.click('[data-link="yellow"] summary')
    assert page.one('[data-link="yellow"] .code').is_displayed()
    links = {
        one.get_attribute("data-link"): one.find_element(By.CSS_SELECTOR, "a").get_attribute("href") for one in page.all("[data-link]")
    }
    other_page.open(links["yellow"])
    assert [one.get_attribute("data-seat") for one in other_page.all(".hand")] == ["yellow"]
    other_page.click('[data-show="yellow"]')
    assert [card.text for card in other_page.all("[data-card]")] == ["1", "3", "3"]
    other_page.key("ok")
    page.tells("RED starts the row with 0")
    other_page.open(links["watch"])
    assert not other_page.one("#keys").is_displayed()
    assert not other_page.one("#hands").is_displayed()
    assert other_page.one('[data-space="4a"]').get_property("disabled")
    assert not other_page.one("#leave").is_displayed()
    page.click("#leave")
    other_page.wait(lambda: other_page.one("#waiting").is_displayed(), "the news that the table is being set")


def test_on_a_laptop_the_table_can_be_set_without_scrolling(play: Start, page: Any, tmp_path: Path) -> None:
    (tmp_path / STATE).mkdir()
    for game in TABLES:
        write(Request(game, tmp_path / STATE / f"play-{game}.sqlite3"), [])
    page.driver.get(play(journal=None).url)
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    page.wait(lambda: len(page.all("[data-kept]")) == len(TABLES) and page.all('[name="four"]'), "the games and the form")
    script = "return document.querySelector('.begin').getBoundingClientRect().bottom <= innerHeight && scrollY === 0"
    assert page.driver.execute_script(script)


def test_a_game_of_cards_says_nothing_of_spaces(play: Start, page: Any) -> None:
    page.open(play("makao").url)
    assert page.one('[data-text="help_back"]').is_displayed()
    assert not page.one('[data-text="help_tokens"]').is_displayed()
    panel, help_text = page.one("#panel").rect, page.one("#help").rect
    assert help_text["y"] - panel["y"] - panel["height"] < 30
