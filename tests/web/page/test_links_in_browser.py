"""A page whose link to the table is bad: silent, slow, repeating; that sleeps; that has many beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.browserless import Follower, look
from tests.web.proxy import Proxy

Start = Callable[..., Any]
DEAL = ("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "target=1", "hands=open")
HOURS_MS = 3 * 3600 * 1000


@pytest.fixture
def table(play: Start) -> Any:
    return play(*DEAL)


@pytest.fixture
def proxy(table: Any) -> Iterator[Proxy]:
    with Proxy(table.port) as proxy:
        yield proxy


def let_pass(page: Any, ms: int) -> None:
    """Time goes by for the page, as while a computer sleeps: its clock says so and its timers do not."""
    page.driver.execute_script("const now = Date.now; const ms = arguments[0]; Date.now = () => now() + ms", ms)


def is_lost(page: Any) -> bool:
    return bool(page.one("#lost").is_displayed())


def red_plays(table: Any, card: str = "1") -> None:
    """RED starts the row at another page; then it is YELLOW's turn."""
    with Follower(table.port) as other:
        other.until(lambda seen: f"start {card}" in seen["choices"])
        assert other.do({"do": "choose", "name": f"start {card}"})[0] == 204
        other.until(lambda seen: seen["to_move"] == "yellow")


def stays_with_yellow(table: Any) -> None:
    """Nobody has played for YELLOW."""
    seen = look(table.port)
    assert (seen["to_move"], seen["phase"], seen["targets"]) == ("yellow", "main", [])


def test_a_silent_link_is_said_and_a_click_that_hung_plays_nobodys_card(table: Any, page: Any, proxy: Proxy) -> None:
    page.open(proxy.url)
    proxy.hold("everything")
    page.key("ok")
    red_plays(table)
    let_pass(page, 6_000)
    page.wait(lambda: is_lost(page), "the news that the link is silent")
    assert page.text("#lost") == "The table does not answer. The page goes on by itself when it does."
    assert page.driver.execute_script("return [...document.querySelectorAll('header, main')].every((part) => part.inert)")
    assert page.driver.execute_script("return getComputedStyle(document.querySelector('main')).filter") == "grayscale(1)"
    page.driver.execute_script("document.querySelector('[data-key=ok]').click()")  # comes to nothing
    proxy.hold("nothing")
    page.wait(lambda: not is_lost(page), "the link to be back")
    page.wait(lambda: b" 409 " in proxy.answers, "an answer to the click that hung")
    page.shows("YELLOW")
    assert proxy.answers.count(b" 409 ") == 1
    assert "RED starts the row with 1" in page.log
    stays_with_yellow(table)
    page.key("right")
    page.shows("draw")


def test_a_click_that_comes_too_late_is_refused_with_a_sentence_and_the_page_goes_on(table: Any, page: Any, proxy: Proxy) -> None:
    page.open(proxy.url)
    proxy.hold("commands")
    page.key("ok")
    red_plays(table)
    page.shows("YELLOW")
    proxy.hold("nothing")
    page.wait(lambda: page.one("#refused").is_displayed(), "why nothing was done")
    assert page.text("#refused") == "Too late: the table has gone on. Nothing was done."
    stays_with_yellow(table)
    page.key("right")
    page.shows("draw")


def test_what_is_sent_three_times_is_done_once(page: Any, proxy: Proxy) -> None:
    page.open(proxy.url)
    proxy.repeats = 2
    page.key("right")
    page.shows("play 1")
    page.wait(lambda: proxy.repeated == 4, "a key, down and up, twice more each")
    page.key("ok")
    page.tells("RED starts the row with 1")
    page.wait(lambda: proxy.repeated == 8, "the next key twice more")
    assert [entry for entry in page.log if "starts" in entry] == ["RED starts the row with 1"]
    page.shows("YELLOW")


def test_after_hours_of_sleep_the_page_shows_what_is_now(table: Any, page: Any, proxy: Proxy) -> None:
    page.open(proxy.url)
    proxy.hold("everything")
    red_plays(table)
    let_pass(page, HOURS_MS)
    page.wait(lambda: is_lost(page), "the page to know how old it is")
    proxy.hold("nothing")
    page.wait(lambda: not is_lost(page), "the link to be back")
    page.shows("YELLOW")


def test_a_page_that_was_frozen_for_hours_comes_back_with_the_present_state(table: Any, page: Any, proxy: Proxy) -> None:
    page.open(proxy.url)
    freezing = """
        document.addEventListener("freeze", () => (document.body.dataset.slept = "yes"));
        const now = Date.now;
        document.addEventListener("resume", () => (Date.now = () => now() + arguments[0]));
    """
    page.driver.execute_script(freezing, HOURS_MS)
    page.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
    proxy.hold("everything")
    red_plays(table)
    page.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
    assert page.driver.execute_script("return document.body.dataset.slept") == "yes"
    page.wait(lambda: is_lost(page), "the page to know how old it is")
    proxy.hold("nothing")
    page.wait(lambda: not is_lost(page), "the link to be back")
    page.shows("YELLOW")
    page.key("right")
    page.shows("draw")


def test_a_tab_in_the_background_is_up_to_date_as_soon_as_it_is_looked_at(table: Any, page: Any) -> None:
    page.open(table.url)
    tab = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    red_plays(table)
    page.driver.close()
    page.driver.switch_to.window(tab)
    page.shows("YELLOW")
    assert not is_lost(page)


def test_what_was_delayed_arrives_in_order(table: Any, page: Any, proxy: Proxy) -> None:
    page.open(proxy.url)
    proxy.hold("commands")
    for key in ("right", "right", "left"):
        page.key(key)
    proxy.hold("nothing")
    page.wait(lambda: proxy.answers.count(b" 204 ") == 6, "the answers to three keys, down and up")
    page.shows("play 1")
    assert not is_lost(page)


def test_thirty_tabs_of_one_browser(table: Any, page: Any) -> None:
    tabs = [page.driver.current_window_handle]
    page.open(table.url)
    while len(tabs) < 30:
        page.driver.switch_to.new_window("tab")
        tabs.append(page.driver.current_window_handle)
        page.open(table.url)
    page.key("ok")
    for tab in tabs:
        page.driver.switch_to.window(tab)
        page.shows("YELLOW")
        assert not is_lost(page)
    for tab in tabs[1:]:
        page.driver.switch_to.window(tab)
        page.driver.close()
    page.driver.switch_to.window(tabs[0])
