"""The laptop's table in virtual time: what hands do, and what the page gets to see of it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from underboard.engine.app.laptop.live_table import LiveTable
from underboard.engine.app.laptop.page_channel import PageChannel
from underboard.engine.app.page_question import asked
from underboard.engine.app.simulation.box_options import SimulatedBoxOptions
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.history import resume
from underboard.engine.journal.writer import open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.view.game_log import GameLog
from underboard.engine.view.page_record import PageRecord
from underboard.engine.view.visibility import seen_by
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.parts import BoardKind
from underboard.hardware.simulator.hands import LONGEST_MS
from underboard.web.commands import Break, Choose, Key, Leave, Lift, MoveToken, Order, PageCommand, Place, Power, Repair, Stale
from underboard.web.event_stream import EventStream

DEAL = {"out": "0,5", "red": "0,1,2,5", "yellow": "1,3,3", "target": "1"}
"""Yellow can win by 4-5-6 in three turns, without a draw."""
QUIET_MS = 1_200


class Watched(EventStream[PageRecord]):
    """A stream that keeps what was published."""

    def __init__(self) -> None:
        super().__init__(seen_by, PageRecord(), asked)
        self.published: list[PageRecord] = []

    def publish(self, record: PageRecord) -> None:
        super().publish(record)
        self.published.append(record)


class Evening:
    """One live table and the clock on its wall."""

    def __init__(self, journal: Path, options: dict[str, str] | None, board: BoardKind = "gpio") -> None:
        """With the game in the journal if no options are given."""
        self.journal = open_writer(journal)
        self.clock = VirtualClock()
        self.events = Watched()
        table, effects = open_table(new_setup("hack_trick", options, 7, hands="open")) if options else (resume(self.journal.game), [])
        game_log = GameLog()
        if not options:
            game_log.add_past(table)
        self.channel = PageChannel(self.events)
        self.live_table = LiveTable(table, effects, self.journal, game_log, self.clock, self.channel, SimulatedBoxOptions(board=board))
        self.run(QUIET_MS)

    def run(self, ms: int) -> None:
        """Time passes; the display, whose thread knows real time only, keeps up."""
        for _ in range(0, ms, 4):
            self.live_table.step()
            self.live_table.drain()
            self.clock.advance(4)

    def do(self, *commands: PageCommand | tuple[PageCommand, ...]) -> Mapping[str, Any]:
        """Lets hands do something, or several things at once, each time the table is at rest; answers what is to be seen then."""
        for together in commands:
            for command in together if isinstance(together, tuple) else (together,):
                self.live_table.obey(command)
            self.run(QUIET_MS)
        return self.seen

    @property
    def seen(self) -> Mapping[str, Any]:
        """What is to be seen now, but for the counters of the devices, which never rest."""
        return {key: value for key, value in self.events.seen("table").items() if key != "health"}

    def break_(self, *faults: str) -> Mapping[str, Any]:
        """Breaks parts of the box, and waits until the table must have noticed."""
        for fault in faults:
            self.live_table.obey(Break(self.live_table.faults.read(fault)))
        self.run(5_000)
        return self.seen

    @property
    def log_texts(self) -> list[str]:
        return [entry["text"] for entry in self.seen["log"]]

    def close(self) -> None:
        self.live_table.close()
        self.journal.close()


Open = Callable[..., Evening]


@pytest.fixture
def evening_of(tmp_path: Path) -> Iterator[Open]:
    """Opens evenings on one journal, one after the other."""
    evenings: list[Evening] = []

    def begin(options: dict[str, str] | None, board: BoardKind = "gpio") -> Evening:
        if evenings:
            evenings[-1].close()
        evenings.append(Evening(tmp_path / "journal.sqlite3", options, board))
        return evenings[-1]

    yield begin
    evenings[-1].close()


@pytest.fixture
def evening(evening_of: Open) -> Evening:
    return evening_of(DEAL)


RIGHT = (Key("right", True), Key("right", False))

TO_THE_CALL = (Choose("start 1"), Choose("infect 3"), Place("4b", "yellow"))
TO_THE_WIN = (
    *TO_THE_CALL,
    Choose("end"),
    Choose("infect 2"),
    Place("5a", "red"),
    Choose("end"),
    Choose("infect 3"),
    Lift("5a"),
    Place("5b", "yellow"),
    Choose("end"),
    Choose("infect 5"),
    RIGHT,
    Place("8a", "red giant"),
    Choose("end"),
    Choose("infect 1"),
    Place("6c", "yellow"),
)


def test_the_first_thing_to_be_seen_is_the_whole_table(evening: Evening) -> None:
    seen = evening.seen
    assert seen["board"]["sites"]["7"] == ["7a", "7b", "7c"]
    assert seen["board"]["sensors"]["8a"] == [1, 2]
    assert len(seen["board"]["sensors"]) == 100
    assert seen["hands"] == {"red": ["0", "1", "2", "5"], "yellow": ["1", "3", "3"]}
    assert seen["status"] == "RED to move"
    assert seen["playable"] == {card: f"start {card}" for card in "0125"}
    assert [(piece["name"], piece["left"]) for piece in seen["pieces"]] == [
        ("red", 9),
        ("red giant", 1),
        ("yellow", 9),
        ("yellow giant", 1),
    ]
    assert seen["labels"].keys() >= {"help", "show", "lost"}
    assert evening.log_texts == ["a new game begins"]


def test_the_display_is_what_the_bus_brought_to_the_panel(evening: Evening) -> None:
    before = evening.seen["display"]
    assert len(base64.b64decode(before)) == 128 * 64 // 8
    evening.do(RIGHT)
    assert evening.seen["display"] != before


def test_a_whole_game_by_hands(evening: Evening) -> None:
    seen = evening.do(*TO_THE_WIN)
    assert seen["outcome"]["over"]
    assert seen["status"] == "YELLOW wins"
    assert seen["winning"] == ["4", "5", "6"]
    assert seen["tokens"] == {"4b": "yellow", "5b": "yellow", "6c": "yellow", "8a": "red giant"}
    assert evening.log_texts[:4] == [
        "a new game begins",
        "RED starts the row with 1",
        "the cards of RED add up to 7",
        "the cards of YELLOW add up to 7",
    ]
    assert evening.log_texts[-2:] == ["YELLOW plays 1: 5+1 = 6", "YELLOW wins: line 4-5-6, 1 point"]
    assert "1 token knocked out from server 5" in evening.log_texts
    assert "RED plays 5: 3+5 = 8, giant" in evening.log_texts


def test_the_spaces_for_an_awaited_token_are_marked(evening: Evening) -> None:
    seen = evening.do(*TO_THE_CALL[:2])
    assert seen["targets"] == ["4a", "4b", "4c"]
    assert seen["status"] == "YELLOW: put a token on 4"
    assert seen["piece"] == "yellow"
    assert evening.do(RIGHT)["piece"] == "yellow giant"


def test_tokens_that_have_to_come_off_are_marked(evening: Evening) -> None:
    seen = evening.do(*TO_THE_WIN[:8])
    assert seen["lift"] == ["5a"]
    assert seen["targets"] == ["5b", "5c"]
    assert seen["status"] == "YELLOW: take off 5a, then put a token on 5"


def test_another_card_can_be_chosen_while_a_token_is_awaited(evening: Evening) -> None:
    evening.do(*TO_THE_CALL[:2])
    assert evening.seen["playable"] == {"3": "infect 3"}
    evening.do(Place("4a", "yellow"), Choose("end"), Choose("infect 2"))
    assert evening.seen["playable"] == {"0": "infect 0", "2": "infect 2", "5": "infect 5"}
    assert evening.do(Choose("infect 5"))["targets"] == ["8a", "8b", "8c"]


def test_a_choice_that_there_is_not_is_refused_in_words(evening: Evening) -> None:
    before = evening.seen
    seen = evening.do(Choose("infect 9"))
    assert seen["alert"]["text"] == "This cannot be chosen now."
    assert (seen["hands"], seen["ply"], seen["to_move"]) == (before["hands"], before["ply"], before["to_move"])


def test_of_two_clicks_that_come_together_the_second_plays_nobodys_card(evening: Evening) -> None:
    is_asked = partial(evening.events.is_asked, "table", evening.events.run, evening.events.sight("table").question)
    first, second = Order(Choose("start 1"), is_asked), Order(Choose("infect 3"), is_asked)
    for order in (first, second, Order(Leave(), lambda: True)):
        evening.channel.commands.put(order)
    assert evening.live_table.run()
    evening.run(QUIET_MS)
    assert "infect 3" in evening.seen["choices"]
    assert first.outcome.result() is None
    assert isinstance(second.outcome.exception(), Stale)
    assert (evening.seen["to_move"], evening.seen["targets"]) == ("yellow", [])


def test_a_wrong_token_is_an_alert_until_it_is_gone(evening: Evening) -> None:
    seen = evening.do(*TO_THE_CALL[:2], Place("7b", "yellow"))
    assert seen["alert"]["code"] == "wrong_place"
    assert seen["wrong"] == ["7b"]
    assert seen["targets"] == ["4a", "4b", "4c"]
    assert evening.log_texts[-1] == seen["alert"]["text"]
    seen = evening.do(MoveToken("7b", "4c"))
    assert seen["alert"] is None
    assert seen["wrong"] == []
    assert seen["phase"] == "call"
    assert evening.log_texts.count("The token on 7b is in the wrong place: it may go to 4.") == 1


def test_what_is_missing_is_known_by_its_kind(evening: Evening) -> None:
    seen = evening.do(*TO_THE_CALL, Lift("4b"))
    assert seen["alert"]["code"] == "missing"
    assert seen["put_back"] == {"4b": "yellow"}
    assert evening.do(Place("4b", "yellow"))["alert"] is None


def test_a_long_press_of_back_takes_back(evening: Evening) -> None:
    evening.do(Choose("start 1"), Key("back", True), Key("back", False))
    assert evening.seen["phase"] == "start"
    assert evening.log_texts[-1] == "the last action is taken back"


def test_what_no_hand_can_do_is_left(evening: Evening) -> None:
    seen = evening.do(Place("4b", "yellow"))
    assert evening.do(Place("4b", "red"), Lift("9a"), MoveToken("9a", "9b"), MoveToken("4b", "4b")) == seen


def test_a_drawn_card_is_not_told(evening: Evening) -> None:
    seen = evening.do(Choose("start 1"), Choose("infect 3"), Place("4a", "yellow"), Choose("end"), Choose("draw"))
    assert evening.log_texts[-1] == "RED draws a card"
    assert len(seen["hands"]["red"]) == 4


def test_nothing_is_published_while_nothing_changes(evening: Evening) -> None:
    count = len(evening.events.published)
    evening.run(LONGEST_MS * 2)
    assert len(evening.events.published) == count


def test_the_game_goes_on_with_its_tokens_and_its_log(evening_of: Open) -> None:
    before = evening_of(DEAL).do(*TO_THE_WIN[:14])
    evening = evening_of(None)
    same = ("tokens", "hands", "phase", "to_move", "sensed", "expected", "alert", "screen", "pieces")
    assert {key: evening.seen[key] for key in same} == {key: before[key] for key in same}
    assert evening.seen["tokens"]["8a"] == "red giant"
    assert evening.log_texts == [entry["text"] for entry in before["log"]][1:]
    assert evening.do(*TO_THE_WIN[14:])["status"] == "YELLOW wins"


def test_tokens_of_a_game_that_is_over_are_taken_off_for_the_next(evening: Evening) -> None:
    evening.do(*TO_THE_WIN)
    seen = evening.do(Choose("new match"))
    assert seen["alert"]["code"] == "extra"
    assert set(seen["wrong"]) == set(seen["tokens"])
    assert evening.do(*(Lift(space) for space in seen["wrong"]))["alert"] is None


def test_a_physical_deck_shows_no_cards(evening_of: Open) -> None:
    evening = evening_of({"cards": "hidden", "out": "0,5"})
    assert evening.seen["hands"] == {"red": [], "yellow": []}
    assert evening.do(Choose("start 1"), Choose("infect 3"), Place("4a", "yellow"))["phase"] == "call"


# Faults

HEALTHY = {"cells": {}, "diodes": True, "noise": 0, "board": None, "reader": True, "oled": True, "bus": True, "clock": 0}


@pytest.mark.parametrize(
    ("board", "tokens", "fault", "broken", "alert"),
    [
        ("gpio", [], "cell 9a stuck=closed", {"cells": {"9a": "closed"}}, ("wrong_place", ["9a", "4a", "4b", "4c"])),
        ("gpio", ["4b"], "cell 4b stuck=open", {"cells": {"4b": "open"}}, ("missing", ["4b"])),
        ("gpio", [], "cell 9a chatter=20s", {"cells": {"9a": "chatter"}}, ("faulty_cell", ["9a"])),
        ("gpio", [], "oled detach", {"oled": False}, ("oled_absent", [])),
        ("gpio", [], "oled errno=121 times=9999", {"bus": False}, ("oled_absent", [])),
        ("pico", [], "board unplug", {"board": False}, ("board_absent", [])),
    ],
)
def test_what_breaks_is_said_until_it_is_repaired(
    evening_of: Open, board: BoardKind, tokens: list[str], fault: str, broken: dict[str, Any], alert: tuple[str, list[str]]
) -> None:
    evening = evening_of(DEAL, board)
    healthy = {**HEALTHY, "board": None if board == "gpio" else True}
    evening.do(*TO_THE_CALL[:2], *(Place(space, "yellow") for space in tokens))
    assert evening.seen["faults"] == healthy
    seen = evening.break_(fault)
    assert seen["faults"] == {**healthy, **broken}
    assert (seen["alert"]["code"], seen["alert"]["cells"]) == alert
    evening.do(Repair())
    evening.run(5_000)
    assert evening.seen["faults"] == healthy
    assert evening.seen["alert"] is None
    assert evening.seen["power"]


def test_without_diodes_a_ghost_reads_closed_and_nobody_believes_it(evening: Evening) -> None:
    evening.break_("matrix diodes=off")
    seen = evening.do(Place("@r1c1", "red"), Place("@r1c10", "red"), Place("@r10c1", "red"))
    assert seen["contacts"] == ["@r10c1", "@r10c10", "@r1c1", "@r1c10"]
    assert "@r10c10" not in seen["sensed"]


def test_the_contacts_are_seen_as_they_are_read(evening: Evening) -> None:
    assert evening.seen["contacts"] == []
    assert evening.do(Place("9a", "red"))["contacts"] == ["9a"]
    assert evening.break_("cell 9a stuck=open")["contacts"] == []


def test_the_clock_may_jump(evening: Evening) -> None:
    assert evening.break_("clock +14d")["faults"]["clock"] == 14 * 86_400_000
    assert evening.do(*TO_THE_CALL)["phase"] == "call"


def test_what_is_broken_already_is_left(evening_of: Open) -> None:
    evening = evening_of(DEAL, "pico")
    seen = evening.break_("board unplug")
    assert evening.break_("board unplug") == seen


def test_the_power_is_cut_and_the_game_goes_on_from_the_journal(evening: Evening) -> None:
    before = evening.do(*TO_THE_CALL)
    seen = evening.do(Power(False))
    assert not seen["power"]
    assert seen["screen"] == []
    assert not any(base64.b64decode(seen["display"]))
    assert seen["contacts"] == []
    assert evening.do(Power(False), Choose("end"), RIGHT) == seen
    seen = evening.do(Power(True))
    same = ("tokens", "hands", "phase", "to_move", "sensed", "expected", "alert", "screen", "display", "contacts", "power")
    assert {key: seen[key] for key in same} == {key: before[key] for key in same}
    assert evening.log_texts[-2:] == ["the power is cut", "the power is on again: the game goes on"]
    assert evening.do(Power(True)) == seen
    assert evening.do(Choose("end"))["to_move"] == "red"


def test_tokens_that_are_moved_without_power_are_found_by_the_next_start(evening: Evening) -> None:
    evening.do(*TO_THE_CALL, Power(False), MoveToken("4b", "9a"))
    seen = evening.do(Power(True))
    assert seen["tokens"] == {"9a": "yellow"}
    assert seen["alert"] is not None
    assert evening.do(MoveToken("9a", "4b"))["alert"] is None


def test_without_its_journal_the_table_stays_off_and_says_why(evening: Evening, tmp_path: Path) -> None:
    evening.do(Power(False))
    (tmp_path / "journal.sqlite3").write_bytes(b"")
    seen = evening.do(Power(True))
    assert not seen["power"]
    assert "its entries make no game" in evening.log_texts[-1]
