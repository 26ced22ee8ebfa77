"""The fault panel and the layers in headless Chromium: what breaks is said on the page, and repaired it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Keys

DEAL = ("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "target=1", "board=pico", "hands=open")


@pytest.fixture
def faulty(play: Callable[..., Any], page: Any) -> Any:
    """A page with an open fault panel: red has started, yellow is to put a token on 4."""
    page.open(play(*DEAL).url)
    page.key("right")
    page.key("ok")
    page.shows("play 3")
    page.key("ok")
    page.shows("1+3 = 4")
    page.click("#faults-open")
    return page


def alert(page: Any) -> str:
    """The message, "" if there is none."""
    return str(page.text("#alert-text")) if page.one("#alert").is_displayed() else ""


def says(page: Any, text: str) -> None:
    page.wait(lambda: text in alert(page), f"'{text}' in the message")


def is_well(page: Any) -> None:
    page.wait(lambda: alert(page) == "", "the message to go away")


def repair(page: Any) -> None:
    page.click("[data-repair]")
    is_well(page)


def switch(page: Any, name: str) -> None:
    page.click(f'[data-switch="{name}"]')


def tool(page: Any, name: str) -> None:
    page.click(f'[data-tool="{name}"]')


def test_every_fault_is_said_and_repaired(faulty: Any) -> None:
    page = faulty
    tool(page, "closed")
    page.space("7b")
    says(page, "The token on 7b is in the wrong place")
    assert page.tokens == {}
    tool(page, "ok")
    page.space("7b")
    is_well(page)
    switch(page, "unplug_board")
    says(page, "The board does not answer")
    page.wait(lambda: page.all("#faults-open.is-broken"), "the sign that something is broken")
    repair(page)
    assert not page.all("#faults-open.is-broken")
    for name in ("unplug_oled", "bus"):
        switch(page, name)
        says(page, "display does not answer")
        page.wait(lambda: page.screen == [], "a dark panel")
        repair(page)
        page.shows("1+3 = 4")
    tool(page, "chatter")
    page.space("9a")
    says(page, "9a")
    repair(page)
    for name in ("noise", "jump"):
        switch(page, name)
    tool(page, "play")
    page.space("4b")
    page.tells("YELLOW plays 3: 1+3 = 4")
    repair(page)
    tool(page, "open")
    page.space("4b")
    says(page, "A token is missing on 4b")
    repair(page)
    assert page.driver.get_log("browser") == []


def test_ghosts_are_not_believed(faulty: Any) -> None:
    page = faulty
    switch(page, "diodes")
    page.click('[data-layer="read"]')
    page.space("4b")
    page.shows("end turn")
    for space in ("@r1c1", "@r9c10"):
        page.space(space)
    page.wait(lambda: page.all('[data-space="@r1c10"] .layer.is-read'), "a ghost on the fourth corner")
    says(page, "The sensors cannot tell what stands on")
    for space in ("@r1c1", "@r9c10"):
        page.space(space)
    is_well(page)
    assert page.all('[data-switch="diodes"]:checked')


def test_the_power_comes_back_to_the_same_game(faulty: Any) -> None:
    page = faulty
    page.space("4b")
    page.shows("end turn")
    switch(page, "cut")
    says(page, "The power is off.")
    page.wait(lambda: page.screen == [], "a dark panel")
    page.space("4b")
    page.space("9a")
    page.click("#switch-on")
    says(page, "9a")
    page.space("9a")
    says(page, "missing on 4b")  # only then is the next click an answer to what is asked
    page.space("4b")
    is_well(page)
    page.shows("end turn")
    assert "the power is on again: the game goes on" in page.log


def test_the_layers_tell_sensors_and_game_apart(faulty: Any) -> None:
    page = faulty
    for layer in ("read", "expected", "difference"):
        page.click(f'[data-layer="{layer}"]')
    page.space("4b")
    page.wait(lambda: page.all('[data-space="4b"] .layer.is-read') and page.all('[data-space="4b"] .layer.is-expected'), "both signs")
    assert not page.all('[data-space="4b"] .layer.is-difference')
    tool(page, "open")
    page.space("4b")
    page.wait(lambda: page.all('[data-space="4b"] .layer.is-difference[data-sign="−"]'), "the difference")
    assert "Difference: −4b" in page.text("#layer-text")
    assert page.all('[data-space="4b"][data-broken="open"]')
    page.driver.refresh()
    page.wait(lambda: page.all('[data-space="4b"] .layer.is-difference'), "the same after a reload")


def test_the_fault_panel_is_used_by_the_keyboard_alone(faulty: Any) -> None:
    page = faulty
    page.driver.execute_script("document.querySelector('[data-tool=play]').focus()")
    ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT).perform()
    page.wait(lambda: page.one('[data-tool="closed"]').is_selected(), "the next tool")
    page.driver.execute_script("document.querySelector('[data-space=\"9a\"]').focus()")
    ActionChains(page.driver).send_keys(Keys.SPACE).perform()
    says(page, "9a")
    page.click("[data-close]")
    page.space("4b")
    page.wait(lambda: page.tokens == {"4b": "yellow"}, "a token: with the panel closed a click plays")


def test_the_fault_panel_fits(faulty: Any) -> None:
    page = faulty
    for width in (390, 1280):
        page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 800}
        )
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
    names = page.driver.execute_script("return [...document.querySelectorAll('#fault-panel label')].map((one) => one.textContent.trim())")
    assert len(names) == 13
    assert all(names)


def test_what_cannot_be_unplugged_says_why(play: Callable[..., Any], page: Any) -> None:
    page.open(play("hack_trick").url)
    page.click("#faults-open")
    assert not page.one('[data-switch="unplug_board"]').is_enabled()
    assert page.one('[data-text="no_board_hint"]').is_displayed()
    assert not page.one('[data-text="unplug_board_hint"]').is_displayed()
    assert page.one('[data-switch="unplug_reader"]').is_enabled()
    assert not page.one('[data-text="no_reader_hint"]').is_displayed()
