"""Seats on phones that ask for what they cannot have: one sentence in the table's language, nothing changed, and the page goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from selenium.webdriver.common.by import By

from tests.web.browserless import look

Start = Callable[..., Any]
DEAL = ("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3")
TAKEN = "This seat is open in another browser. Close it there, and it opens here."
SEND = """
    const [command, done] = arguments;
    import(new URL("connection.js", location.href)).then(({ send }) => send(command)).then(done);
"""


@pytest.fixture
def table(play: Start) -> Any:
    return play(*DEAL, "--host", "0.0.0.0")


@pytest.fixture
def links(table: Any) -> Mapping[str, str]:
    """The address of each seat, under the number that only this computer has."""
    found = look(table.port, table.url.split("/")[3])["links"]
    return {seat: local(link["url"], table.port) for seat, link in {**found["seats"], "watch": found["watch"]}.items()}


def local(url: str, port: int) -> str:
    return f"http://127.0.0.1:{port}/{url.split('/')[3]}/"


def says(page: Any) -> str:
    """All text of a page that is nothing but a sentence."""
    return str(page.driver.find_element(By.TAG_NAME, "body").text)


def opens(page: Any, link: str) -> None:
    """Shows a seat as soon as it is free."""

    def is_free() -> bool:
        page.driver.get(link)
        return says(page) != TAKEN

    page.wait(is_free, "the seat to be free")
    page.wait(lambda: page.screen, "a screen")


def what_happened(table: Any) -> Mapping[str, Any]:
    """What a command would have changed."""
    seen = look(table.port, "watch")
    return {name: seen[name] for name in ("ply", "to_move", "phase", "log", "screen")}


def key_of(links: Mapping[str, str], seat: str) -> str:
    return links[seat].split("/")[3]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This link leads nowhere: it is misspelt or out of date. Ask for yours at the table."),
        ("hu", "Ez a link nem vezet sehová: elírás van benne, vagy lejárt. Kérd el a tiédet az asztalnál."),
    ],
)
def test_a_wrong_link(play: Start, page: Any, language: str, sentence: str) -> None:
    table = play(*DEAL, f"lang={language}", "--host", "0.0.0.0")
    page.driver.get(f"http://127.0.0.1:{table.port}/abcdefghijkl/")
    assert says(page) == sentence
    page.open(local(table.url, table.port))


def test_a_seat_that_is_taken(page: Any, other_page: Any, links: Mapping[str, str]) -> None:
    other_page.open(links["red"])
    page.driver.get(links["red"])
    assert says(page) == TAKEN
    page.open(links["yellow"])
    other_page.card("red", "1")
    other_page.tells("RED starts the row with 1")
    other_page.driver.get("about:blank")
    opens(page, links["red"])
    page.tells("RED starts the row with 1")


def test_a_page_whose_seat_was_taken_meanwhile_says_so_and_comes_back(page: Any, other_page: Any, links: Mapping[str, str]) -> None:
    page.open(links["red"])
    page.driver.execute_script("dispatchEvent(new Event('pagehide'))")  # as when a phone puts a page away
    opens(other_page, links["red"])
    page.driver.execute_script("dispatchEvent(new Event('pageshow'))")
    page.wait(lambda: page.text("#lost") == TAKEN, "why the page is cut off")
    assert page.one("#lost").is_displayed()
    other_page.driver.get("about:blank")
    page.wait(lambda: not page.one("#lost").is_displayed(), "the seat to be free")
    page.card("red", "1")
    page.tells("RED starts the row with 1")


def test_a_command_of_a_seat_that_is_not_to_move(table: Any, page: Any, links: Mapping[str, str]) -> None:
    page.open(links["yellow"])
    before = what_happened(table)
    answer = page.driver.execute_async_script(SEND, {"do": "choose", "name": "play 1"})
    assert (answer["ok"], answer["value"]["label"]) == (False, "not_your_turn")
    assert what_happened(table) == before
    page.shows("RED")


def test_no_page_shows_a_code_to_others(page: Any, links: Mapping[str, str]) -> None:
    page.open(links["red"])
    assert key_of(links, "red") not in page.driver.title
    others = "return document.documentElement.outerHTML"
    assert key_of(links, "yellow") not in page.driver.execute_script(others)
    page.open(links["watch"])
    assert not any(key_of(links, seat) in page.driver.execute_script(others) for seat in ("red", "yellow"))
    assert page.driver.execute_script("return document.referrer") == ""
