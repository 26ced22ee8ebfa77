"""The composition root in operation: on disk before it is seen, and how fast; over the real drivers, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.engine.alerts import the_alert
from underboard.engine.app.loop import TableLoop
from underboard.engine.base.i18n import find_words
from underboard.engine.journal.database import Journal, JournalError, read_match
from underboard.engine.referee.events import TimePassed
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.scripting.parser import read_script
from underboard.engine.scripting.runner import Runner

TABLE = "table hack_trick four=red out=0,5 red=0,1,2,4 yellow=1,3,5 seed=4"
SOON_MS = 60
"""From the contact of the right token to the first changed pixel."""
ALARM_MS = 1_000
"""From the contact of a wrong token to the alert on the panel."""


def note(log: list[str], name: Callable[..., str], act: Callable[..., Any]) -> Callable[..., Any]:
    """`act`, with its name noted before each call."""

    def noted(*arguments: Any) -> Any:
        log.append(name(*arguments))
        return act(*arguments)

    return noted


class Desk:
    """A table with its box, the clock in hand."""

    def __init__(self, folder: Path, table: str = TABLE) -> None:
        self.journal = folder / "journal"
        self.table_line = f"{table} journal={self.journal}"
        self.runner = Runner(read_script(self.table_line, "desk")[0].arguments)
        self.do()

    def do(self, *lines: str) -> None:
        for command in read_script("\n".join([self.table_line, *lines]), "desk")[1:]:
            self.runner.play(command)
        self.runner._settle()

    @property
    def app(self) -> TableLoop:
        return self.runner._app

    def pixels(self) -> bytes:
        return self.runner._box.i2c.pixels().tobytes()

    def when(self, happened: Callable[[], bool], within: int) -> int:
        """After how many milliseconds something has happened."""
        for ms in range(1, within + 1):
            self.runner._advance(1)
            if happened():
                return ms
        raise AssertionError(f"not within {within} ms")

    def put(self, space: str, phase: int) -> None:
        """A token makes contact at this phase of whatever is polled."""
        self.runner._advance(phase)
        self.runner._box.place(self.runner._overlay.cell(space))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    with desk.runner:
        yield desk


@pytest.fixture(params=range(12))
def chosen(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A card has been chosen, its token is awaited; the phase of the polls is another each time."""
    desk = Desk(tmp_path)
    with desk.runner:
        desk.do("choose start 1", "choose infect 3")
        desk.runner._advance(request.param * 2 + 1)
        yield desk


def test_the_right_token_is_seen_at_once(chosen: Desk) -> None:
    before, rows = chosen.pixels(), len(read_match(chosen.journal))
    chosen.put("4b", 0)
    took = chosen.when(lambda: chosen.pixels() != before, SOON_MS)
    assert took <= SOON_MS
    written = read_match(chosen.journal)
    assert [row.action for row in written[rows:]] == ["infect 3"]
    assert written[-1].standing == ["4b"]


def test_a_wrong_token_is_an_alert_within_a_second(chosen: Desk) -> None:
    before = chosen.pixels()
    chosen.put("9b", 0)
    assert chosen.when(lambda: find_alert(chosen.app.table) is not None, ALARM_MS) <= ALARM_MS
    assert chosen.pixels() != before
    assert find_alert(chosen.app.table) is not None
    assert the_alert(chosen.app.table).cells == ("9b", "4a", "4b", "4c")


@pytest.mark.parametrize("phase", range(0, 24, 3))
def test_a_key_is_answered_at_once(desk: Desk, phase: int) -> None:
    before = desk.pixels()
    desk.runner._advance(phase)
    desk.runner._box.press_key("right")
    desk.runner._advance(60)
    desk.runner._box.release_key("right")
    assert desk.when(lambda: desk.pixels() != before, 70) <= 70


def test_an_action_is_on_disk_before_the_panel_shows_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.do("choose start 1", "choose infect 3")
    happened: list[str] = []
    journal, devices = desk.app._journal, desk.app._devices
    noted = partial(note, happened)
    monkeypatch.setattr(journal, "append", noted(lambda entry, wall, now: f"write {entry.action}", journal.append))
    monkeypatch.setattr(devices.display, "show", noted(lambda image: "show", devices.display.show))
    monkeypatch.setattr(devices.sounder, "play", noted(lambda tone: f"play {tone}", devices.sounder.play))
    desk.do("place 4a", "choose end")
    assert happened == ["write infect 3", "play right", "show", "write end", "play right", "show"]


def test_what_cannot_be_written_is_shown_with_an_alert_until_it_is_written(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.do("choose start 1", "choose infect 3")
    shown: list[str] = []
    display = desk.app._devices.display
    monkeypatch.setattr(display, "show", note(shown, lambda image: desk.app.lines[-1].text, display.show))

    def full(self: Journal, entries: object) -> None:
        raise JournalError("the disk is full", "full")

    with monkeypatch.context() as disk:
        disk.setattr(Journal, "append_all", full)
        desk.do("place 4a", "choose end", "wait 1s")
        assert set(shown) == {"! NOT SAVED"}
        assert find_alert(desk.app.table) is not None
        assert the_alert(desk.app.table).code == "not_saved"
        assert the_alert(desk.app.table).text(find_words("en")).startswith("The disk is full: make room on it.")
    desk.do("wait 20s")
    assert find_alert(desk.app.table) is None
    assert shown[-1] != "! NOT SAVED"
    assert [row.action for row in read_match(desk.journal)][1:] == ["start 1", "infect 3", "end"]


def test_the_wall_clock_is_a_label_only(desk: Desk) -> None:
    desk.do("choose start 1", "fault clock -400d", "choose infect 3", "place 4a", "fault clock +800d", "choose end")
    assert [row.action for row in read_match(desk.journal)] == ["new_game hack_trick", "start 1", "infect 3", "end"]


def test_a_table_at_rest_draws_nothing_and_reads_the_board_slowly(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.runner._advance(2_000)
    shown = desk.app.lines
    polls: list[str] = []
    board = desk.app._devices.board
    monkeypatch.setattr(board, "poll", note(polls, lambda: "poll", board.poll))
    desk.runner._advance(1_000)
    assert desk.app.lines is shown
    assert len(polls) <= 60
    assert desk.app.quiet


def test_observers_are_told_after_each_event_what_was_done_once_it_is_in_the_journal(desk: Desk) -> None:
    seen: list[tuple[list[str], int]] = []
    desk.app._observers = [lambda table, done: seen.append(([did.action for did in done], len(read_match(desk.journal))))]
    before = len(read_match(desk.journal))
    desk.app.order("start 1")
    assert seen == [(["start 1"], before + 1)]
    desk.app.handle(TimePassed(), desk.runner._clock.now())
    assert seen[1:] == [([], before + 1)]


def test_tones(desk: Desk) -> None:
    """A click for a key, a long tone for what is done, two for what is wrong."""
    assert sounded(desk) == [60]  # the new game
    desk.do("key right", "wait 1s")
    assert sounded(desk)[1:] == [pytest.approx(15, abs=4)]
    desk.do("choose start 1", "wait 1s", "place 9a", "wait 1s")
    assert sounded(desk)[-3:] == [pytest.approx(60, abs=4), pytest.approx(250, abs=4), pytest.approx(250, abs=4)]


def sounded(desk: Desk) -> list[int]:
    """How long the buzzer has sounded, each time."""
    return [stop - start for (start, on), (stop, _) in pairwise(desk.runner._box.buzzer_log) if on]
