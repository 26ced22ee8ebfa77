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


class PlayedTable:
    """A table with its box, the clock in hand."""

    def __init__(self, folder: Path, table: str = TABLE) -> None:
        self.journal = folder / "journal"
        self.table_line = f"{table} journal={self.journal}"
        self.runner = Runner(read_script(self.table_line, "script")[0].arguments)
        self.do()

    def do(self, *lines: str) -> None:
        for command in read_script("\n".join([self.table_line, *lines]), "script")[1:]:
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
def played(tmp_path: Path) -> Iterator[PlayedTable]:
    played = PlayedTable(tmp_path)
    with played.runner:
        yield played


@pytest.fixture(params=range(12))
def chosen(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[PlayedTable]:
    """A card has been chosen, its token is awaited; the phase of the polls is another each time."""
    played = PlayedTable(tmp_path)
    with played.runner:
        played.do("choose start 1", "choose infect 3")
        played.runner._advance(request.param * 2 + 1)
        yield played


def test_the_right_token_is_seen_at_once(chosen: PlayedTable) -> None:
    before, rows = chosen.pixels(), len(read_match(chosen.journal))
    chosen.put("4b", 0)
    took = chosen.when(lambda: chosen.pixels() != before, SOON_MS)
    assert took <= SOON_MS
    written = read_match(chosen.journal)
    assert [row.action for row in written[rows:]] == ["infect 3"]
    assert written[-1].standing == ["4b"]


def test_a_wrong_token_is_an_alert_within_a_second(chosen: PlayedTable) -> None:
    before = chosen.pixels()
    chosen.put("9b", 0)
    assert chosen.when(lambda: find_alert(chosen.app.table) is not None, ALARM_MS) <= ALARM_MS
    assert chosen.pixels() != before
    assert find_alert(chosen.app.table) is not None
    assert the_alert(chosen.app.table).cells == ("9b", "4a", "4b", "4c")


@pytest.mark.parametrize("phase", range(0, 24, 3))
def test_a_key_is_answered_at_once(played: PlayedTable, phase: int) -> None:
    before = played.pixels()
    played.runner._advance(phase)
    played.runner._box.press_key("ok")
    played.runner._advance(60)
    played.runner._box.release_key("ok")
    assert played.when(lambda: played.pixels() != before, 70) <= 70


def test_an_action_is_on_disk_before_the_panel_shows_it(played: PlayedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    played.do("choose start 1", "choose infect 3")
    happened: list[str] = []
    journal, devices = played.app._journal, played.app._devices
    noted = partial(note, happened)
    monkeypatch.setattr(journal, "append", noted(lambda entry, wall, now: f"write {entry.action}", journal.append))
    monkeypatch.setattr(devices.display, "show", noted(lambda image: "show", devices.display.show))
    monkeypatch.setattr(devices.sounder, "play", noted(lambda tone: f"play {tone}", devices.sounder.play))
    played.do("place 4a", "choose end")
    looked = ["play click", "show"]
    assert happened == ["write infect 3", "play right", "show", *looked, "write end", "play right", "show"]


def test_what_cannot_be_written_is_shown_with_an_alert_until_it_is_written(played: PlayedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    played.do("choose start 1", "choose infect 3")
    shown: list[str] = []
    display = played.app._devices.display
    monkeypatch.setattr(display, "show", note(shown, lambda image: played.app.lines[-1].text, display.show))

    def full(self: Journal, entries: object) -> None:
        raise JournalError("the disk is full", "full")

    with monkeypatch.context() as disk:
        disk.setattr(Journal, "append_all", full)
        played.do("place 4a", "choose end", "wait 1s")
        assert set(shown) == {"! NOT SAVED"}
        assert find_alert(played.app.table) is not None
        assert the_alert(played.app.table).code == "not_saved"
        assert the_alert(played.app.table).text(find_words("en")).startswith("The disk is full: make room on it.")
    played.do("wait 20s")
    assert find_alert(played.app.table) is None
    assert shown[-1] != "! NOT SAVED"
    assert [row.action for row in read_match(played.journal)][1:] == ["start 1", "infect 3", "end"]


def test_the_wall_clock_is_a_label_only(played: PlayedTable) -> None:
    played.do("choose start 1", "fault clock -400d", "choose infect 3", "place 4a", "fault clock +800d", "choose end")
    assert [row.action for row in read_match(played.journal)] == ["new_game hack_trick", "start 1", "infect 3", "end"]


def test_a_table_at_rest_draws_nothing_and_reads_the_board_slowly(played: PlayedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    played.runner._advance(2_000)
    shown = played.app.lines
    polls: list[str] = []
    board = played.app._devices.board
    monkeypatch.setattr(board, "poll", note(polls, lambda: "poll", board.poll))
    played.runner._advance(1_000)
    assert played.app.lines is shown
    assert len(polls) <= 60
    assert played.app.quiet


def test_observers_are_told_after_each_event_what_was_done_once_it_is_in_the_journal(played: PlayedTable) -> None:
    seen: list[tuple[list[str], int]] = []
    played.app._observers = [lambda table, done: seen.append(([did.action for did in done], len(read_match(played.journal))))]
    before = len(read_match(played.journal))
    played.app.order("start 1")
    assert seen == [(["start 1"], before + 1)]
    played.app.handle(TimePassed(), played.runner._clock.now())
    assert seen[1:] == [([], before + 1)]


def test_tones(played: PlayedTable) -> None:
    """A click for a key, a long tone for what is done, two for what is wrong."""
    assert sounded(played) == [60]  # the new game
    played.do("key right", "wait 1s")
    assert sounded(played)[1:] == [pytest.approx(15, abs=4)]
    played.do("choose start 1", "wait 1s", "place 9a", "wait 1s")
    assert sounded(played)[-3:] == [pytest.approx(60, abs=4), pytest.approx(250, abs=4), pytest.approx(250, abs=4)]


def sounded(played: PlayedTable) -> list[int]:
    """How long the buzzer has sounded, each time."""
    return [stop - start for (start, on), (stop, _) in pairwise(played.runner._box.buzzer_log) if on]
