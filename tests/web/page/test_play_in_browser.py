"""A table played in headless Chromium by real clicks, keys and drags."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

from tests.web.browserless import look

Start = Callable[..., Any]
DEAL = ("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "target=1", "hands=open")
"""Yellow can win by 4-5-6 in three turns, without a draw."""


@pytest.fixture
def table(play: Start, page: Any) -> Any:
    """A table with that deal, shown in the browser."""
    table = play(*DEAL)
    page.open(table.url)
    return table


def start_and_infect(page: Any) -> None:
    """Red starts with 1, yellow plays 3 and puts a token on server 4."""
    page.key("right")
    page.shows("play 1")
    page.key("ok")
    page.shows("last 1")
    page.shows("play 3")
    page.key("ok")
    page.shows("1+3 = 4")
    page.space("4b")
    page.shows("end turn")


def test_a_whole_game_by_clicks(table: Any, page: Any) -> None:
    start_and_infect(page)
    page.key("ok")
    page.card("red", "2")
    page.shows("3+2 = 5")
    page.space("5a")
    page.shows("end turn")
    page.key("ok")
    page.card("yellow", "3")
    page.shows("take off 5a")
    assert page.marked("lift") == ["5a"]
    page.space("5a")
    page.wait(lambda: not page.marked("lift"), "5a to be empty")
    page.space("5b")
    page.tells("1 token knocked out from server 5")
    page.shows("end turn")
    page.key("ok")
    page.card("red", "5")
    page.shows("3+5 = 8")
    page.key("right")
    page.shows("giant on server 8")
    page.wait(lambda: page.all('[data-piece="red giant"][aria-checked="true"]'), "the giant in the hand")
    page.space("8a")
    page.shows("end turn")
    page.key("ok")
    page.card("yellow", "1")
    page.shows("5+1 = 6")
    page.space("6c")
    page.shows("YELLOW wins")
    page.shows("line 4-5-6")
    assert page.one("#status").text == "YELLOW wins"
    assert page.tokens == {"4b": "yellow", "5b": "yellow", "6c": "yellow", "8a": "red giant"}
    assert [tile.get_attribute("data-site") for tile in page.all(".tile.is-winning")] == ["4", "5", "6"]
    assert page.log[0] == "YELLOW wins: line 4-5-6, 1 point"
    assert page.driver.get_log("browser") == []


def test_tokens_too_many_are_taken_off_at_once(table: Any, page: Any) -> None:
    start_and_infect(page)
    page.wait(lambda: page.tokens == {"4b": "yellow"}, "a token on the board")
    keyboard = ActionChains(page.driver)
    keyboard.key_down(Keys.ESCAPE).perform()
    page.tells("the last action is taken back")
    keyboard.key_up(Keys.ESCAPE).perform()
    page.wait(lambda: page.one("#lift-all").is_displayed(), "the offer to take tokens off")
    page.click("#lift-all")
    page.wait(lambda: page.tokens == {} and not page.one("#alert").is_displayed(), "an empty board")


def test_one_action_by_the_keyboard(table: Any, page: Any) -> None:
    keyboard = ActionChains(page.driver)
    keyboard.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT).perform()
    page.shows("play 1")
    keyboard.send_keys(Keys.ENTER).perform()
    page.tells("RED starts the row with 1")
    page.shows("play 3")
    page.read()
    keyboard.send_keys(Keys.ENTER).perform()
    page.shows("1+3 = 4")
    keyboard.send_keys(Keys.BACKSPACE).perform()
    page.shows("play 3")


def test_enter_stays_ok_after_a_click(table: Any, page: Any) -> None:
    page.key("right")
    page.shows("play 1")
    page.click("#devices summary")
    page.click("#status")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.tells("RED starts the row with 1")


def test_a_space_is_used_by_the_keyboard_alone(table: Any, page: Any) -> None:
    page.driver.execute_script("document.querySelector('[data-space=\"4b\"]').focus()")
    ActionChains(page.driver).send_keys(Keys.SPACE).perform()
    page.wait(lambda: page.tokens == {"4b": "red"}, "a token on 4b")


def test_a_wrong_place_is_an_alert_that_goes_away(table: Any, page: Any) -> None:
    page.card("red", "1")
    page.shows("last 1")
    page.card("yellow", "3")
    page.shows("1+3 = 4")
    assert page.marked("target") == ["4a", "4b", "4c"]
    page.space("7b")
    page.wait(lambda: page.one("#alert").is_displayed(), "an alert")
    assert page.text("#alert-text") == "The token on 7b is in the wrong place: it may go to 4."
    assert page.marked("wrong") == ["7b"]
    assert page.marked("target") == ["4a", "4b", "4c"]
    page.shows("WRONG PLACE")
    page.space("7b")
    page.wait(lambda: not page.one("#alert").is_displayed(), "the alert to go away")
    assert page.marked("wrong") == []
    page.shows("1+3 = 4")


def test_a_long_press_of_back_takes_back(table: Any, page: Any) -> None:
    page.key("ok")
    page.tells("RED starts the row with 0")
    page.read()
    mouse = ActionChains(page.driver)
    mouse.click_and_hold(page.one('[data-key="back"]')).perform()
    page.tells("the last action is taken back")
    mouse.release().perform()
    page.wait(lambda: not page.all("[data-key].is-down"), "the key to be up")
    page.shows("RED")
    assert page.one("#status").text == "RED to move"


def test_a_key_that_is_held_repeats_nothing(table: Any, page: Any) -> None:
    down = {"type": "keyDown", "key": "ArrowRight", "code": "ArrowRight", "windowsVirtualKeyCode": 39}
    page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", down)
    for _ in range(5):
        page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {**down, "autoRepeat": True})
    page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {**down, "type": "keyUp"})
    page.key("ok")
    page.tells("RED starts the row with 1")


def test_tokens_are_dragged(table: Any, page: Any) -> None:
    page.card("red", "1")
    page.card("yellow", "3")
    page.shows("1+3 = 4")
    drag(page, '[data-piece="yellow"]', '[data-space="7b"]')
    page.wait(lambda: page.tokens == {"7b": "yellow"}, "a token on 7b")
    drag(page, '[data-space="7b"]', '[data-space="4c"]')
    page.wait(lambda: page.tokens == {"4c": "yellow"}, "the token on 4c")
    page.tells("YELLOW plays 3: 1+3 = 4")
    drag(page, '[data-space="4c"]', "#tray")
    page.wait(lambda: page.tokens == {}, "an empty board")
    page.shows("TOKEN MISSING")
    page.space("4c")
    page.wait(lambda: page.tokens == {"4c": "yellow"}, "the token to be back as it was")


def drag(page: Any, source: str, target: str, kind: str = "mouse") -> None:
    """From the middle of one element to the middle of another, with the mouse or a finger."""
    pointer: Any = PointerInput  # neither of the two is annotated
    action: Any = ActionBuilder(page.driver, mouse=pointer(kind, kind))
    action.pointer_action.move_to(page.one(source)).pointer_down().move_to(page.one(target)).pointer_up()
    action.perform()


def test_tokens_are_dragged_by_a_finger(table: Any, page: Any) -> None:
    drag(page, '[data-piece="red giant"]', '[data-space="5a"]', "touch")
    page.wait(lambda: page.tokens == {"5a": "red giant"}, "a giant on 5a")


def test_a_reload_shows_the_same(table: Any, page: Any) -> None:
    start_and_infect(page)
    before = everything(page)
    page.driver.refresh()
    page.wait(lambda: everything(page) == before, "the same as before")


def test_the_page_says_how_the_devices_are(table: Any, page: Any) -> None:
    page.click("#devices summary")
    page.wait(lambda: "Board: ready" in page.text("#health") and "Display: ready" in page.text("#health"), "both devices")


def everything(page: Any) -> tuple[Any, ...]:
    """All that a player sees."""
    pixels = page.driver.execute_script("return document.getElementById('display').toDataURL()")
    return page.screen, page.log, page.tokens, page.text("#status"), page.text("#hands"), page.text("#tray"), pixels


def test_two_browsers_see_the_same(table: Any, page: Any, other_page: Any) -> None:
    other = other_page
    other.open(table.url)
    start_and_infect(other)
    page.wait(lambda: page.tokens == {"4b": "yellow"}, "what the other did")
    page.wait(lambda: everything(page) == everything(other), "the same on both")
    page.key("ok")
    other.shows("RED")


def test_after_a_restart_the_page_and_the_game_go_on(table: Any, page: Any, play: Start) -> None:
    start_and_infect(page)
    table.stop()
    page.wait(lambda: page.one("#lost").is_displayed(), "the news that the table is gone")
    page.driver.execute_script("document.querySelector('[data-space=\"9a\"]').click()")  # comes to nothing
    assert "The game goes on" in play(port=table.port).greeting
    page.wait(lambda: not page.one("#lost").is_displayed(), "the table to be back")
    page.wait(lambda: page.log[0] == "the game goes on", "the game_log so far")
    assert page.tokens == {"4b": "yellow"}
    page.shows("end turn")
    page.key("ok")
    page.shows("RED")


def test_the_display_is_drawn_pixel_for_pixel(table: Any, page: Any) -> None:
    wanted = base64.b64decode(look(table.port)["display"])
    script = """
        const canvas = document.getElementById("display");
        const scale = canvas.width / 128;
        const context = canvas.getContext("2d");
        const lit = (row, column) => context.getImageData(column * scale + 1, row * scale + 1, 1, 1).data[2] > 128;
        return [Number.isInteger(scale), Array.from({ length: 64 * 128 }, (_, i) => lit(i >> 7, i & 127) ? 1 : 0).join("")];
    """
    whole, pixels = page.driver.execute_script(script)
    assert whole
    assert pixels == "".join(f"{byte:08b}" for byte in wanted)
    assert "1" in pixels


def test_one_screen_for_all_has_a_curtain(play: Start, page: Any) -> None:
    page.open(play(*DEAL[:-1]).url)
    covered = {"red": [""] * 4, "yellow": [""] * 3}
    assert page.faces == covered
    assert page.screen[-1] == "only you look: OK"
    assert page.text(".curtain") == "Hand the screen to RED: nobody else looks, then OK"
    page.click(".curtain")
    page.wait(lambda: page.faces == {**covered, "red": ["0", "1", "2", "5"]}, "RED's hand alone")
    page.card("red", "1")
    page.wait(lambda: page.faces == {"red": [""] * 3, "yellow": [""] * 3}, "nobody's hand")
    assert page.text(".curtain") == "Hand the screen to YELLOW: nobody else looks, then OK"
    page.read()
    page.key("ok")
    page.wait(lambda: page.faces == {"red": [""] * 3, "yellow": ["1", "3", "3"]}, "YELLOW's hand alone")
    page.key("back")
    page.wait(lambda: page.faces == {"red": [""] * 3, "yellow": [""] * 3}, "nobody's hand again")


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_every_control_has_a_name(table: Any, page: Any, width: int) -> None:
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": width < 800}
    )
    assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
    controls = "[...document.querySelectorAll('button, canvas, ol, section')]"
    names = page.driver.execute_script(f"return {controls}.map((one) => one.getAttribute('aria-label') || one.textContent.trim())")
    assert len(names) > 100
    assert all(names)
