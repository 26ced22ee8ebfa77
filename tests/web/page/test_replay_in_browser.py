"""Looking back in headless Chromium: forwards, backwards, at speed, by mouse and keyboard; files opened and saved."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Keys

SCRIPT = """# An evening
table hack_trick out=0,5 red=0,1,2,5 yellow=1,3,3 target=1
choose start 1
choose infect 3
place 7b
wait 5s
lift 7b
place 4b
choose end
"""


@pytest.fixture
def replay(tmp_path: Path, page: Any) -> Iterator[Callable[..., Any]]:
    """Opens the page of a script: `replay(text)`, or of none; answers the page once all of it has been read."""
    processes: list[subprocess.Popen[str]] = []

    def begin(text: str = "") -> Any:
        path = tmp_path / "evening.table"
        path.write_text(text, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "underboard",
            "replay",
            "--page",
            *([str(path)] if text else []),
            "--no-browser",
            "--port",
            "0",
        ]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8"))
        assert processes[-1].stdout is not None
        found = re.search(r"http\S+", processes[-1].stdout.readline())
        assert found
        page.driver.get(found[0])
        if text:
            is_read(page)
        return page

    yield begin
    for process in processes:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)


def is_read(page: Any) -> None:
    page.wait(lambda: page.all("#control:not([hidden])") and page.all("#progress[hidden]"), "the whole playback")


def now(page: Any) -> str:
    """The line of the script that is shown."""
    return str(page.text("#lines [aria-current]"))


def step(page: Any, name: str) -> None:
    page.click(f'[data-step="{name}"]')


def offer(page: Any, path: Path) -> None:
    """Chooses a file in the file picker."""
    page.one("#file").send_keys(str(path))


def test_forwards_and_backwards(replay: Callable[..., Any]) -> None:
    page = replay(SCRIPT)
    assert now(page) == "2table hack_trick out=0,5 red=0,1,2,5 yellow=1,3,3 target=1"
    step(page, "on")
    step(page, "on")
    assert "1+3 = 4" in page.screen
    assert page.marked("target") == ["4a", "4b", "4c"]
    before = page.driver.execute_script("return document.getElementById('display').toDataURL()")
    step(page, "on")
    step(page, "on")
    assert page.tokens == {"7b": "yellow"}
    assert page.one("#alert").text == "The token on 7b is in the wrong place: it may go to 4."
    step(page, "back")
    step(page, "back")
    assert page.tokens == {}
    assert not page.one("#alert").is_displayed()
    assert page.driver.execute_script("return document.getElementById('display').toDataURL()") == before
    step(page, "last")
    assert now(page) == "9choose end"
    assert page.log[:2] == ["YELLOW ends the turn", "YELLOW plays 3: 1+3 = 4"]
    page.space("9a")  # nothing can be moved here
    assert page.tokens == {"4b": "yellow"}
    assert page.driver.get_log("browser") == []


def test_by_keys_slider_and_list(replay: Callable[..., Any]) -> None:
    page = replay(SCRIPT)
    keyboard = ActionChains(page.driver)
    keyboard.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT).perform()
    assert now(page) == "4choose infect 3"
    keyboard.send_keys(Keys.END).perform()
    assert now(page) == "9choose end"
    page.click('[data-moment="4"]')
    assert now(page) == "6wait 5s"
    set_slider = "const slider = document.getElementById('moment'); slider.value = 1; slider.dispatchEvent(new Event('input'))"
    page.driver.execute_script(set_slider)
    assert now(page) == "3choose start 1"


def test_at_speed(replay: Callable[..., Any]) -> None:
    page = replay(SCRIPT)
    page.driver.execute_script("document.getElementById('speed').value = '16'")
    page.click("#run")
    page.wait(lambda: now(page) == "9choose end", "the end")
    page.wait(lambda: page.one("#run").get_attribute("aria-pressed") == "false", "the pause at the end")


DROP = """
    const data = new DataTransfer();
    data.items.add(new File([arguments[0]], "dropped.table"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
"""


def test_a_file_is_dropped_on_the_page(replay: Callable[..., Any]) -> None:
    page = replay()
    page.driver.execute_script(DROP, SCRIPT)
    is_read(page)
    assert page.driver.title == "Underboard · dropped.table"


def test_it_fits_and_every_control_has_a_name(replay: Callable[..., Any]) -> None:
    page = replay(SCRIPT)
    for width in (390, 1280):
        page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 800}
        )
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
    controls = "[...document.querySelectorAll('button, input:not([type=checkbox]), select, progress, canvas, ol, section')]"
    name = "one.getAttribute('aria-label') || one.closest('label')?.textContent.trim() || one.textContent.trim()"
    names = page.driver.execute_script(f"return {controls}.map((one) => {name})")
    assert len(names) > 100
    assert all(names)


def test_a_file_is_opened_and_what_is_wrong_with_it_is_said(replay: Callable[..., Any], tmp_path: Path) -> None:
    page = replay()
    page.wait(lambda: page.one("#welcome").is_displayed(), "the invitation")
    bad = tmp_path / "bad.table"
    bad.write_text("table hack_trick\nplace 99\n", encoding="utf-8")
    offer(page, bad)
    page.wait(lambda: page.text("#error").startswith("bad.table, line 2: there is no space '99'"), "file, line and reason")
    good = tmp_path / "good.table"
    good.write_text(SCRIPT + "expect to_move == yellow\n", encoding="utf-8")
    offer(page, good)
    is_read(page)
    assert not page.one("#error").is_displayed()
    assert page.driver.title == "Underboard · good.table"
    page.click("#lines li.is-failed button")
    assert page.text("#failure") == 'good.table, line 10: to_move == yellow: it is "red"'


def test_what_is_saved_is_the_same_again(replay: Callable[..., Any], tmp_path: Path) -> None:
    page = replay(SCRIPT)
    folder = tmp_path / "saved"
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    page.click("#save")
    saved = folder / "evening.table"
    until = time.monotonic() + 10
    while not (saved.exists() and saved.read_text()) and time.monotonic() < until:  # the browser makes the file before it fills it
        time.sleep(0.02)
    assert saved.read_text() == SCRIPT
    offer(page, saved)
    is_read(page)
    step(page, "last")
    assert now(page) == "9choose end"


def test_hands_that_are_secret_are_not_looked_back_at(play: Callable[..., Any], page: Any) -> None:
    table = play("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "target=1")
    page.open(table.url)
    assert not page.one("#look-back").is_displayed()
    page.driver.get(f"{table.url}replay.html?table")
    page.wait(lambda: page.text("#error") == "The cards are secret: look back when the game is over.", "why there is nothing")


def test_a_running_table_is_looked_back_at_and_goes_on(play: Callable[..., Any], page: Any) -> None:
    page.open(play("hack_trick", "out=0,5", "red=0,1,2,5", "yellow=1,3,3", "target=1", "hands=open").url)
    page.key("right")
    page.key("ok")
    page.shows("play 3")
    page.key("ok")
    page.shows("1+3 = 4")
    page.space("4b")
    page.tells("YELLOW plays 3: 1+3 = 4")
    page.click("#look-back")
    is_read(page)
    assert page.tokens == {}
    step(page, "last")
    assert page.tokens == {"4b": "yellow"}
    assert page.log[0] == "YELLOW plays 3: 1+3 = 4"
    assert not page.all("#lines .is-failed")
    page.click("#home")
    page.shows("end turn")
    page.key("ok")
    page.shows("RED")
