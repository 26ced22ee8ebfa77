"""From the start page in headless Chromium: a game is chosen or gone on with, played to its end, left; phones have links of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from tests.web import browserless
from tests.web.page.short_games import Turn, keep_game, short_game
from underboard.engine.gamekit.registry import game_ids

Start = Callable[..., Any]
STATE = "underboard"
"""The folder of kept games in the state folder."""
MOST_TABS = 200
"""More controls than a table has."""


def look(table: Any) -> dict[str, Any]:
    """What is to be seen of a table now, as its page is told."""
    return browserless.look(table.port)


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


class Player:
    """Whoever sits at the table and uses the page: how a key is pressed and a space touched is what differs."""

    def __init__(self, page: Any, table: Any) -> None:
        self.page = page
        self.table = table

    def press(self, key: str) -> None:
        """A short press."""
        self.page.key(key)

    def touch(self, space: str) -> None:
        """Puts a token there, or takes it off."""
        self.page.space(space)

    def take(self, turn: Turn) -> None:
        """Makes a choice with the keys, and does with the tokens what it asks for."""
        seen = self.until(lambda seen: seen["curtain"] or turn.choice in seen["choices"], "a turn")
        self.page.wait(lambda: self.page.text("#status") == seen["status"], "the page to say so")
        if seen["curtain"]:
            self.press("ok")
        seen = self.until(lambda seen: turn.choice in seen["choices"] and seen["alert"] is None, f"the choice {turn.choice}")
        before = last_action(seen)
        self.choose(seen, turn.choice)
        seen = self.until(lambda seen: last_action(seen) > before or seen["targets"] or seen["lift"], f"an answer to {turn.choice}")
        while last_action(seen) == before:
            wanted = seen["lift"][:1] or [space for space in seen["targets"] if space in turn.spaces]
            self.touch(wanted[0])
            seen = self.until(partial(goes_on, before, wanted[0], bool(seen["lift"])), f"{wanted[0]} to be felt")

    def choose(self, seen: Mapping[str, Any], name: str) -> None:
        """Makes a choice that is offered."""
        self.select(seen, name)
        self.press("ok")

    def select(self, seen: Mapping[str, Any], name: str) -> None:
        """The shorter way round to a choice."""
        here, there = (seen["choices"].index(each) for each in (seen["selected"], name))
        steps = (there - here) % len(seen["choices"])
        back = len(seen["choices"]) - steps
        for _ in range(min(steps, back)):
            self.press("right" if steps <= back else "left")
        self.until(lambda seen: seen["selected"] == name, f"the keys to reach {name}")

    def until(self, holds: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        """What is to be seen once it is as wanted, and the page shows it: a click before that would answer what is asked no more."""
        seen = until(self.page, self.table, holds, what)
        self.page.wait(lambda: self.page.screen == look(self.table)["screen"], "the page to show it")
        return seen


class Typist(Player):
    """Uses the keyboard alone."""

    def press(self, key: str) -> None:
        names = {"left": Keys.ARROW_LEFT, "right": Keys.ARROW_RIGHT, "ok": Keys.ENTER}
        if key == "ok":
            self.go_to('[data-key="ok"]')
        self.page.read()
        self.send(names[key])

    def touch(self, space: str) -> None:
        self.go_to(f'[data-space="{space}"]')
        self.send(Keys.SPACE)

    def go_to(self, selector: str) -> None:
        """Tab after Tab until it has the focus."""
        wanted = "return document.activeElement.matches(arguments[0])"
        for _ in range(MOST_TABS):
            if self.page.driver.execute_script(wanted, selector):
                return
            self.send(Keys.TAB)
        pytest.fail(f"the Tab key does not reach {selector}")

    def send(self, key: str) -> None:
        ActionChains(self.page.driver, duration=0).send_keys(key).perform()


def goes_on(before: int, space: str, lifted: bool, seen: dict[str, Any]) -> bool:
    """Whether the action is done, or what was touched is felt and something else is asked for."""
    felt = space not in seen["lift"] if lifted else space in seen["sensed"]
    return last_action(seen) > before or (felt and bool(seen["lift"] or seen["targets"]))


SHORT = {
    "hack_trick": ({"target": "1"}, 4, 0),
    "makao": ({"players": "3"}, 35, 10),
    "sequence_numbers": ({"board": "house8"}, 17, 18),
    "spy": ({"players": "2"}, 1, 6),
    "virus_wars": ({"size": "6"}, 1, 1597),
}
"""A short game of each kind: its options, its seed and its luck."""


def keep(folder: Path, game: str) -> tuple[str, Sequence[Turn]]:
    """The name under which a short game waits for its first move, and its turns."""
    (folder / STATE).mkdir()
    options, seed, luck = SHORT[game]
    keep_game(folder / STATE / f"play-{game}.sqlite3", game, options, seed)
    return f"play-{game}.sqlite3", short_game(game, options, seed, luck)


def is_won(page: Any, table: Any) -> None:
    """Waits for the end of the game, and until the page says who has won it."""
    seen = until(page, table, lambda seen: seen["outcome"]["over"], "the end of the game")
    assert seen["outcome"]["winner"]
    page.wait(lambda: page.one("#status").text == seen["status"], "the winner")
    assert page.driver.get_log("browser") == []


@pytest.mark.parametrize("game", sorted(SHORT))
def test_a_whole_game_by_mouse(game: str, tmp_path: Path, play: Start, page: Any) -> None:
    name, turns = keep(tmp_path, game)
    table = play(journal=None)
    page.driver.get(table.url)
    page.click(f'[data-kept="{name}"]')
    page.wait(lambda: page.screen, "the table")
    player = Player(page, table)
    for turn in turns:
        player.take(turn)
    is_won(page, table)


def test_a_whole_game_by_the_keyboard_alone(tmp_path: Path, play: Start, page: Any) -> None:
    name, turns = keep(tmp_path, "hack_trick")
    table = play(journal=None)
    page.driver.get(table.url)
    page.wait(lambda: page.all("[data-kept]"), "the game that is kept")
    typist = Typist(page, table)
    typist.go_to(f'[data-kept="{name}"]')
    typist.send(Keys.ENTER)
    page.wait(lambda: page.screen, "the table")
    for turn in turns:
        typist.take(turn)
    is_won(page, table)


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
    mover = seen["to_move"]
    assert page.faces == {"red": [""] * 4, "yellow": [""] * 3}
    page.click(".curtain")
    page.wait(lambda: page.faces[mover] == look(table)["hands"][mover] != [""] * 4, "the hand of whoever begins")


def test_phones_have_links_of_their_own_and_others_only_watch(play: Start, page: Any, other_page: Any) -> None:
    table = play("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "--host", "0.0.0.0")
    assert "keep it to yourself" in table.greeting
    page.open(table.url)
    assert page.faces == {"red": [""] * 4, "yellow": [""] * 3}
    assert page.screen[-1] == "see RED's phone"
    page.click('[data-link="yellow"] summary')
    assert page.one('[data-link="yellow"] .code').is_displayed()
    links = {
        one.get_attribute("data-link"): one.find_element(By.CSS_SELECTOR, "a").get_attribute("href") for one in page.all("[data-link]")
    }
    other_page.open(links["yellow"])
    assert other_page.faces == {"yellow": ["1", "3", "3"], "red": [""] * 4}
    assert all(key.get_property("disabled") for key in other_page.all("[data-key]"))
    other_page.click(".cover")
    assert other_page.faces == {"yellow": [""] * 3, "red": [""] * 4}
    other_page.click(".cover")
    other_page.open(links["red"])
    assert other_page.faces == {"red": ["0", "1", "2", "5"], "yellow": [""] * 3}
    other_page.card("red", "0")
    page.tells("RED starts the row with 0")
    other_page.open(links["watch"])
    assert not other_page.one("#keys").is_displayed()
    assert other_page.faces == {"red": [""] * 3, "yellow": [""] * 3}
    assert other_page.one('[data-space="4a"]').get_property("disabled")
    assert not other_page.one("#leave").is_displayed()
    page.click("#leave")
    other_page.wait(lambda: other_page.one("#waiting").is_displayed(), "the news that the table is being set")


def test_on_a_laptop_the_table_can_be_set_without_scrolling(play: Start, page: Any, tmp_path: Path) -> None:
    (tmp_path / STATE).mkdir()
    for game in game_ids():
        keep_game(tmp_path / STATE / f"play-{game}.sqlite3", game, {}, 1)
    page.driver.get(play(journal=None).url)
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    page.wait(lambda: len(page.all("[data-kept]")) == len(game_ids()) and page.all('[name="four"]'), "the games and the form")
    script = "return document.querySelector('.begin').getBoundingClientRect().bottom <= innerHeight && scrollY === 0"
    assert page.driver.execute_script(script)


def test_a_game_of_cards_says_nothing_of_spaces(play: Start, page: Any) -> None:
    page.open(play("makao").url)
    assert page.one('[data-text="help_back"]').is_displayed()
    assert not page.one('[data-text="help_tokens"]').is_displayed()
    panel, help_text = page.one("#panel").rect, page.one("#help").rect
    assert help_text["y"] - panel["y"] - panel["height"] < 30
