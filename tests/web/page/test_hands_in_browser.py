"""Whose hand is seen where, in headless Chromium: whole games on five pages at once, and on one screen that is passed on."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By

from tests.web import browserless
from tests.web.page.conftest import Page
from tests.web.page.eyes import Truth, pixels_of, texts_of, truth_of
from tests.web.page.short_games import Turn, keep_game, short_game
from tests.web.page.test_start_in_browser import Player
from underboard.engine.gamekit.game import Seat

Start = Callable[..., Any]

GAMES: Mapping[str, tuple[Mapping[str, str], int, int]] = {
    "hack_trick": ({"target": "1"}, 4, 0),
    "makao": ({"players": "3"}, 35, 10),
    "sequence_numbers": ({"board": "house8"}, 17, 18),
    "spy": ({"players": "2"}, 1, 6),
}
"""A short game of each kind with cards: its options, its seed and its luck."""
SHORTEST = ("hack_trick", "spy")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The shortest games, or with --every-game all."""
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", sorted(GAMES) if metafunc.config.getoption("--every-game") else SHORTEST)


def keep(journal: Path, game: str, hands: str) -> Sequence[Turn]:
    """A short game waits for its first move in a journal; its turns."""
    options, seed, luck = GAMES[game]
    keep_game(journal, game, {**options, "hands": hands}, seed)
    return short_game(game, options, seed, luck)


@dataclass(frozen=True, slots=True)
class Eye:
    """One page in a window of its own; `seat` is whose page it is, None for those of everybody; `browser` is what its cookie is."""

    page: Page
    window: str
    port: int
    key: str
    seat: Seat | None
    browser: str

    def look(self) -> dict[str, Any]:
        """What the page is told now."""
        return browserless.look(self.port, self.key, self.browser)

    def open(self) -> Page:
        """The page, in front."""
        self.page.driver.switch_to.window(self.window)
        return self.page


class SeatPlayer(Player):
    """Plays on the page of a seat: clicks its card if the choice is one, else its keys."""

    def __init__(self, eye: Eye, before_token: Callable[[], None]) -> None:
        """`before_token` is called when a token is asked for."""
        super().__init__(eye.open(), None)
        self.eye = eye
        self.before_token = before_token

    def until(self, holds: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        seen: dict[str, Any] = {}

        def reached() -> bool:
            seen.update(self.eye.look())
            return bool(holds(seen))

        self.page.wait(reached, what)
        return seen

    def touch(self, space: str) -> None:
        self.before_token()
        self.eye.open().space(space)

    def choose(self, seen: Mapping[str, Any], name: str) -> None:
        cards = [card for card, choice in seen["playable"].items() if choice == name]
        if cards:
            self.page.click(f'.hand.is-own [data-card="{cards[0]}"]:enabled')
        else:
            super().choose(seen, name)


@contextmanager
def five_pages(page: Page, table: Any) -> Iterator[list[Eye]]:
    """The pages of the table, of two seats or three, of a spectator, and what is at the address without a key."""
    page.open(table.url)
    links = {str(one.get_attribute("data-link")): one.find_element(By.TAG_NAME, "a") for one in page.all("[data-link]")}
    urls = {name: str(link.get_attribute("href")) for name, link in links.items()}
    root = f"http://127.0.0.1:{table.port}/"
    addresses = [(table.url, None), *((url, None if name == "watch" else name) for name, url in urls.items()), (root, None)]
    first = page.driver.current_window_handle
    eyes: list[Eye] = []
    try:
        for url, seat in addresses:
            page.driver.switch_to.new_window("window")
            page.open(url)
            key = page.driver.current_url.split("/", 3)[3].strip("/")
            cookie = page.driver.get_cookie("browser") or {}
            eyes.append(Eye(page, page.driver.current_window_handle, table.port, key, seat, cookie.get("value", "")))
        yield eyes
    finally:
        for eye in eyes:
            eye.open().driver.close()
        page.driver.switch_to.window(first)


def shows_what_is_told(eye: Eye) -> Page:
    """The page of an eye, once it shows the present state."""
    page = eye.open()

    def is_there() -> bool:
        told = eye.look()
        shown = page.text("#status"), page.screen, page.log
        return shown == (told["status"], told["screen"], [entry["text"] for entry in reversed(told["log"])])

    page.wait(is_there, "the present state")
    return page


def check(eyes: Sequence[Eye], truth: Truth) -> None:
    """Every text on every page is one that its eye may read; all who are not to move see the same panel."""
    state, game = truth.table.state, truth.table.setup.game
    panels = set()
    for eye in eyes:
        page = shows_what_is_told(eye)
        check_texts(page, truth, eye.seat)
        if eye.seat is None or game.over(state) or eye.seat != game.to_move(state):
            panels.add(pixels_of(page.driver))
            assert not any("‹" in line for line in page.screen)
            assert not page.all("#hands button.card")
        if eye.seat is not None:
            assert {key.get_property("disabled") for key in page.all("[data-key]")} == {eye.seat != game.to_move(state)}
    assert len(panels) == 1


def check_texts(page: Page, truth: Truth, seat: Seat | None) -> None:
    """What is on a page against what a seat may know, or everybody."""
    assert faces(page) == truth.fans(seat)
    texts = texts_of(page.driver)
    assert truth.named(texts.shown) <= truth.may_be_named(seat)
    assert truth.named(texts.told) <= truth.may_be_named(seat)
    assert truth.named(texts.log) <= truth.played()


def faces(page: Page) -> Mapping[Seat, Counter[str]]:
    """The cards of each hand on the page, "" for a back."""
    script = """return [...document.querySelectorAll(".hand")].map((hand) =>
        [hand.dataset.hand, [...hand.querySelectorAll(".card")].map((card) => card.textContent)])"""
    return {str(seat): Counter(cards) for seat, cards in page.driver.execute_script(script)}


def test_a_whole_game_on_five_pages_each_of_which_knows_only_what_its_eye_may(game: str, tmp_path: Path, play: Start, page: Page) -> None:
    journal = tmp_path / "journal.sqlite3"
    turns = keep(journal, game, "phones")
    table = play(game, "--host", "0.0.0.0")
    with five_pages(page, table) as eyes:

        def check_all() -> None:
            check(eyes, truth_of(journal))

        players = {eye.seat: SeatPlayer(eye, check_all) for eye in eyes if eye.seat}
        check_all()
        for turn in turns:
            now = truth_of(journal).table
            player = players[now.setup.game.to_move(now.state)]
            player.eye.open()
            player.take(turn)
            check_all()
        assert truth_of(journal).table.over
        for player in players.values():
            refuses_what_comes_after_the_end(player.eye)
        assert page.driver.get_log("browser") == []  # type: ignore[no-untyped-call]


def refuses_what_comes_after_the_end(eye: Eye) -> None:
    """What a seat sends when the game has ended is refused with a sentence and changes nothing."""
    with browserless.Follower(eye.port, eye.key, browser=eye.browser) as follower:
        before = follower.until(lambda _: True)["ply"]
        for command in ({"do": "key", "key": "ok", "down": True}, {"do": "choose", "name": "new game"}, {"do": "leave"}):
            status, answer = follower.do(command)
            assert (status, json.loads(answer)["text"]) == (409, "The game is over: nothing was done.")
    assert eye.look()["ply"] == before
    assert not eye.open().one("#lost").is_displayed()


PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
OF_THE_TABLE = ("#leave", "#faults-open", "#look-back", "#links", "#watch-link", "#switch-on", ".curtain")
"""What only the table's own page has."""
TOO_WIDE = """
    const isOut = ({ left, right }) => right > left && (left < 0 || right > innerWidth);
    const elements = [...document.querySelectorAll("header *, #hands *, #facts *, #keys *, #log *")];
    return elements.filter((element) => isOut(element.getBoundingClientRect())).map((element) => element.outerHTML);
"""


@pytest.mark.parametrize("language", ["hu", "hy"])
def test_the_pages_of_seats_and_of_a_spectator_fit_a_phone_and_have_no_keys_of_the_table(
    game: str, language: str, play: Start, page: Page
) -> None:
    table = play(game, "--lang", language, "--host", "0.0.0.0")
    with five_pages(page, table) as eyes:
        for eye in eyes[1:]:
            eye.open().driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
            shows_what_is_told(eye)
            assert page.driver.execute_script("return document.documentElement.scrollWidth") <= PHONE["width"]
            assert page.driver.execute_script(TOO_WIDE) == []
            assert not [selector for selector in OF_THE_TABLE for element in page.all(selector) if element.is_displayed()]
            assert page.one("#keys").is_displayed() == (eye.seat is not None)


def lit(display: str) -> str:
    """The pixels of a panel as the page is told them, a digit a pixel."""
    return "".join(f"{byte:08b}" for byte in base64.b64decode(display))


class OneScreenPlayer(Player):
    """Plays for all on the page of the table: looks behind the curtain before each choice."""

    def choose(self, seen: Mapping[str, Any], name: str) -> None:
        cards = [card for card, choice in seen["playable"].items() if choice == name]
        if cards:
            self.page.click(f'[data-hand="{seen["to_move"]}"] [data-card="{cards[0]}"]:enabled')
        else:
            super().choose(seen, name)

    def look_behind_the_curtain(self, truth: Truth) -> None:
        """Checks that nobody's hand is to be seen before the press, and no other than that of the seat to move after it."""
        check_texts(self.page, truth, None)
        if not self.page.all(".curtain"):
            return
        assert not any("‹" in line for line in self.page.screen)
        self.page.wait(lambda: pixels_of(self.page.driver) == lit(browserless.look(self.table.port)["display"]), "the covered panel")
        seat = truth.table.setup.game.to_move(truth.table.state)
        self.page.read()
        self.page.click(".curtain")
        self.page.wait(lambda: not self.page.all(".curtain"), "the hand behind the curtain")
        check_texts(self.page, truth, seat)


def test_a_whole_game_on_one_screen_on_which_nothing_of_a_hand_stays(game: str, tmp_path: Path, play: Start, page: Page) -> None:
    journal = tmp_path / "journal.sqlite3"
    turns = keep(journal, game, "panel")
    table = play(game)
    page.open(table.url)
    player = OneScreenPlayer(page, table)
    for turn in turns:
        player.look_behind_the_curtain(truth_of(journal))
        player.take(turn)
        page.wait(lambda: page.all(".curtain") or browserless.look(table.port)["curtain"] is None, "a covered hand")
    check_texts(page, truth_of(journal), None)
    assert truth_of(journal).table.over
    assert page.driver.get_log("browser") == []  # type: ignore[no-untyped-call]
