"""The panel in headless Chromium: a finger on the keys, keys of the keyboard that are held, and the sound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput


@pytest.fixture
def table(play: Callable[..., Any], page: Any) -> Any:
    """A page where red has begun with 0."""
    page.open(play("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "target=1", "hands=open").url)
    page.key("ok")
    page.tells("RED starts the row with 0")
    return page


def test_a_finger_that_stays_on_back_takes_back(table: Any) -> None:
    page = table
    page.read()
    pointer: Any = PointerInput  # neither of the two is annotated
    finger: Any = ActionBuilder(page.driver, mouse=pointer("touch", "touch"))
    finger.pointer_action.move_to(page.one('[data-key="back"]')).pointer_down().pause(1.4).pointer_up()
    finger.perform()
    page.tells("the last action is taken back")
    page.wait(lambda: not page.all("[data-key].is-down"), "the key to be up")


def test_a_key_of_the_keyboard_that_is_held_takes_back(table: Any) -> None:
    page = table
    page.read()
    ActionChains(page.driver).key_down(Keys.BACKSPACE).pause(1.4).key_up(Keys.BACKSPACE).perform()
    page.tells("the last action is taken back")


def test_the_buzzer_is_heard_once_somebody_wants_to(table: Any) -> None:
    page = table
    page.driver.execute_script("""
        window.heard = [];
        const real = window.GainNode;
        window.GainNode = class extends real {
          constructor(...all) {
            super(...all);
            const gain = Object.getOwnPropertyDescriptor(AudioParam.prototype, "value");
            Object.defineProperty(this.gain, "value", { set: (value) => { window.heard.push(value); gain.set.call(this.gain, value); } });
          }
        };
    """)
    page.click("#sound")
    assert page.one("#sound").get_attribute("aria-pressed") == "true"
    page.key("ok")
    page.wait(lambda: page.driver.execute_script("return window.heard.some((gain) => gain > 0) && window.heard.at(-1) === 0"), "a tone")
    page.click("#sound")
    assert page.one("#sound").get_attribute("aria-pressed") == "false"
