"""A page in headless Chromium, and what a player does and sees there."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from underboard.engine.referee.curtain import REST_MS

PATIENCE_S = 15
OPTIONS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-dev-shm-usage --window-size=1280,800"
)


class Page:
    """One browser that looks at a table."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        self.read_status = ""

    def open(self, url: str) -> None:
        """Shows a table and waits until all of it is there."""
        self.driver.get(url)
        self.wait(lambda: self.screen, "a screen")

    def wait(self, condition: Callable[[], Any], what: str) -> Any:
        """Waits until something is so; what is replaced while it is looked at is looked at again."""
        wait = WebDriverWait(self.driver, PATIENCE_S, poll_frequency=0.05, ignored_exceptions=[StaleElementReferenceException])
        try:
            return wait.until(lambda _: condition())
        except TimeoutException:
            pytest.fail(f"waited in vain for {what}; the screen is {self.screen}, the log {self.log[:5]}")

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """A real click, as soon as there is something to be clicked."""

        def clicked() -> bool:
            with suppress(IndexError):
                self.all(selector)[0].click()
                return True
            return False

        self.wait(clicked, selector)

    def space(self, name: str) -> None:
        """Clicks a space."""
        self.click(f'[data-space="{name}"]')

    def read(self) -> None:
        """Reads who is asked; if that has changed, keys have rested after as long as nobody reads faster."""
        if (status := self.text("#status")) != self.read_status:
            self.read_status = status
            time.sleep(REST_MS / 1000)

    def key(self, name: str) -> None:
        """Clicks a key."""
        self.read()
        self.click(f'[data-key="{name}"]')

    def card(self, seat: str, card: str) -> None:
        """Clicks a card of a hand that is shown, once it can be played."""
        selector = f'.hand[data-seat="{seat}"] [data-card="{card}"]:enabled'
        self.wait(lambda: self.all(selector), selector)
        self.read()
        self.click(selector)

    @property
    def faces(self) -> dict[str, list[str]]:
        """The cards of each seat as they lie on the page, "" for a back."""
        hands = {hand.get_attribute("data-seat"): hand.find_elements(By.CLASS_NAME, "card") for hand in self.all(".hand")}
        return {str(seat): [card.text for card in cards] for seat, cards in hands.items()}

    def text(self, selector: str) -> str:
        """The text there, shown or not."""
        return str(self.driver.execute_script("return document.querySelector(arguments[0]).textContent", selector))

    @property
    def screen(self) -> list[str]:
        """The lines on the display, as a screen reader has them."""
        return self.text("#screen-text").split("\n") if self.text("#screen-text") else []

    @property
    def log(self) -> list[str]:
        """What happened, newest first."""
        script = "return [...document.querySelectorAll('#log li')].map((item) => item.textContent)"
        return list(self.driver.execute_script(script))

    @property
    def tokens(self) -> dict[str, str]:
        """The tokens on the board as they are drawn."""
        script = "return [...document.querySelectorAll('[data-space]')].map((spot) => [spot.dataset.space, spot.dataset.token])"
        return {space: token for space, token in self.driver.execute_script(script) if token}

    def marked(self, mark: str) -> list[str]:
        """The spaces with a mark, sorted."""
        script = "return [...document.querySelectorAll(`[data-space].is-${arguments[0]}`)].map((spot) => spot.dataset.space)"
        return sorted(self.driver.execute_script(script, mark))

    def shows(self, text: str) -> None:
        """Waits until the display shows a text."""
        self.wait(lambda: any(text in line for line in self.screen), f"'{text}' on the display")

    def tells(self, text: str) -> None:
        """Waits until the log has a text."""
        self.wait(lambda: text in self.log, f"'{text}' in the log")


def start(folder: Path) -> webdriver.Chrome:
    """A browser that keeps its things in an empty folder."""
    paths = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in paths:
        pytest.fail("the page is tested in Chromium: sudo apt install chromium chromium-driver", pytrace=False)
    options = webdriver.ChromeOptions()
    options.binary_location = str(paths[0])
    for option in [*OPTIONS.split(), f"--user-data-dir={folder}"]:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "WARNING"})
    return webdriver.Chrome(options, webdriver.ChromeService(str(paths[1]), log_output=subprocess.DEVNULL))


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A browser for all tests; each looks at a table of its own in a tab of its own."""
    driver = start(tmp_path_factory.mktemp("browser"))
    yield driver
    driver.quit()


@pytest.fixture
def page(driver: webdriver.Chrome) -> Iterator[Page]:
    """A page in a fresh tab."""
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get_log("browser")  # type: ignore[no-untyped-call]  # what others have left there
    yield Page(driver)
    driver.close()
    driver.switch_to.window(first)


@pytest.fixture
def other_page(tmp_path: Path) -> Iterator[Page]:
    """A page in another browser."""
    driver = start(tmp_path / "browser")
    yield Page(driver)
    driver.quit()
