"""The lobby and the table host: forms of the start page, and what it lets come of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.view.pages import page_stream
from underboard.engine.app.laptop import lobby as lobby_module
from underboard.engine.app.laptop.host import TableHost
from underboard.engine.app.laptop.launch import LaunchRequest, launch
from underboard.engine.app.laptop.lobby import Lobby, Unplayable, field_of, fill_in, numbered
from underboard.engine.app.laptop.page_channel import PageChannel
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.gamekit.registry import game_ids
from underboard.engine.view.visibility import seen_by
from underboard.web.commands import BadCommand, GoOn, Leave, Open, Order, PageCommand, Refused, Speak


@pytest.fixture
def lobby(tmp_path: Path) -> Lobby:
    return Lobby(tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_is_offered_with_its_board_and_a_sentence(lobby: Lobby, language: str) -> None:
    lobby.speak(language)
    seen = seen_by("table", lobby.record())
    assert [game["id"] for game in seen["games"]] == list(game_ids())
    assert all(game["title"] and game["about"] and game["board"]["rows"] == 10 for game in seen["games"])
    json.dumps(seen)


@pytest.mark.parametrize("game", game_ids())
def test_a_form_that_nobody_has_touched_makes_a_table(game: str, lobby: Lobby) -> None:
    fields = lobby.sheet(game, {})["fields"]
    request, box_options = lobby.request(game, {field["option"]: field["value"] for field in fields})
    assert (request.game_id, request.fresh, box_options.board) == (game, True, "gpio")
    launch(request).journal.close()


def test_questions_depend_on_answers(lobby: Lobby) -> None:
    def options(answers: dict[str, str]) -> list[str]:
        return [field["option"] for field in lobby.sheet("hack_trick", answers)["fields"]]

    assert "out.1" not in options({})
    assert options({"cards": "hidden"})[-2:] == ["out.1", "out.2"]
    labels = [field["label"] for field in lobby.sheet("hack_trick", {"cards": "hidden"})["fields"]]
    assert labels[-2:] == ["face up 1", "face up 2"]


def test_answers_become_a_request(lobby: Lobby, tmp_path: Path) -> None:
    request, box_options = lobby.request("hack_trick", {"cards": "reader", "four": "yellow", "wiring": "pico"})
    assert (request.dealer, request.options["four"], box_options.board) == ("reader", "yellow", "pico")
    assert request.journal == tmp_path / "play-hack_trick.sqlite3"


def test_a_wiring_that_there_is_not_is_refused_at_its_field(lobby: Lobby) -> None:
    with pytest.raises(Unplayable) as refused:
        lobby.request("spy", {"wiring": "wireless"})
    assert refused.value.field == "wiring"


@pytest.mark.parametrize(
    ("option", "field"),
    [("out", "out.2"), ("target", "target"), ("red", "red"), ("red.spy", "red.spy"), ("tar", ""), ("yellow", ""), ("", "")],
)
def test_a_problem_is_shown_at_the_question_it_is_about(option: str, field: str) -> None:
    assert field_of(option, ["out.1", "out.2", "target", "red", "red.spy"]) == field


def test_the_error_of_a_game_says_which_question_it_is_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its text begins with."""

    def refuse(*_: object) -> None:
        raise BadArgument("target is not what this is about", option="out")

    monkeypatch.setattr(lobby_module, "open_table", refuse)
    problem = fill_in("hack_trick", {"cards": "hidden"}, False).problem
    assert problem is not None
    assert (str(problem), problem.field) == ("target is not what this is about", "out.2")


def test_equal_labels_are_numbered() -> None:
    assert [numbered(["a", "b", "a"], number) for number in range(3)] == ["a 1", "b", "a 2"]


class Guest:
    """Someone at the page of a table host that runs in a thread."""

    def __init__(self, folder: Path) -> None:
        self.channel = PageChannel(page_stream())
        self._ready = threading.Event()
        self.table_host = TableHost(Lobby(folder), self.channel, self._ready.set)
        self._thread = threading.Thread(target=self.table_host.run)
        self._thread.start()
        assert self._ready.wait(10)

    def sees(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What is to be seen once it is so."""
        for _ in range(1_000):
            seen = dict(self.channel.events.seen("table"))
            if holds(seen):
                return seen
            self._ready.clear()
            self._ready.wait(0.01)
        raise AssertionError(f"waited in vain: {seen}")

    def orders(self, command: PageCommand) -> None:
        """Sends a command that is asked for; Refused if the table host has something against it."""
        self.table_host.take(Order(command, lambda: True))

    def close(self) -> None:
        self.channel.commands.put(None)
        self._thread.join(10)
        assert not self._thread.is_alive()


def test_one_table_after_the_other(tmp_path: Path) -> None:
    guest = Guest(tmp_path)
    try:
        assert guest.sees(lambda seen: seen["place"] == "start")["kept"] == []
        assert guest.table_host.journal_path is None
        guest.orders(Speak("hu"))
        guest.sees(lambda seen: seen["language"] == "hu")
        guest.orders(Open("spy", {"players": "3"}))
        seen = guest.sees(lambda seen: seen["place"] == "table")
        assert (seen["game"], len(seen["seats"]), seen["language"]) == ("spy", 3, "hu")
        with pytest.raises(Refused, match="előbb hagyd el az asztalt"):
            guest.orders(Open("spy", {}))
        assert guest.table_host.journal_path == tmp_path / "play-spy.sqlite3"
        guest.orders(Leave())
        kept = guest.sees(lambda seen: seen["place"] == "start")["kept"]
        assert [(each["name"], each["title"], each["actions"]) for each in kept] == [("play-spy.sqlite3", "SPY", "0 lépés")]
        guest.orders(GoOn("play-spy.sqlite3"))
        assert len(guest.sees(lambda seen: seen["place"] == "table")["seats"]) == 3
    finally:
        guest.close()
    assert guest.table_host.journal is not None


def test_a_journal_that_another_table_uses_is_said_on_the_start_page(tmp_path: Path) -> None:
    other = launch(LaunchRequest("spy", tmp_path / "play-spy.sqlite3"))
    guest = Guest(tmp_path)
    try:
        guest.orders(Open("spy", {}))
        assert "another table is using this journal" in guest.sees(lambda seen: bool(seen["problem"]))["problem"]
    finally:
        guest.close()
        other.journal.close()


def test_what_is_no_question_and_no_game_is_refused(tmp_path: Path) -> None:
    table_host = TableHost(Lobby(tmp_path), PageChannel(page_stream()), lambda: None)
    assert table_host.ask({"game": "spy", "answers": {}})["game"] == "spy"
    for question in ({}, {"game": "spy"}, {"game": 1, "answers": {}}, {"game": "chess", "answers": {}}, {"game": "spy", "answers": []}):
        with pytest.raises(BadCommand):
            table_host.ask(question)
    for command in (Open("chess", {}), GoOn("../../etc/passwd"), Speak("xx")):
        with pytest.raises(Refused):
            table_host.take(Order(command, lambda: True))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_is_answered_can_be_played(data: st.DataObject) -> None:
    form = fill_in(data.draw(st.sampled_from(game_ids())), {}, True)
    for _ in range(data.draw(st.integers(0, 8))):
        setting = data.draw(st.sampled_from(form.settings))
        form = fill_in(form.game_id, {**form.answers, setting.option: data.draw(st.sampled_from(setting.values))}, True)
        assert form.problem is None
