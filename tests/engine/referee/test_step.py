"""The referee as a step function: hand-made events in, tables and effects out; and random evenings without a dead end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from underboard.engine.base.i18n import find_words
from underboard.engine.gamekit.registry import find_overlay
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.history import entry, resume
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, DevicesChanged, Did, Effect, Event, KeyPressed, Ordered, TimePassed, Tone
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.state import WRONG_MS, TableState
from underboard.engine.referee.step import step
from underboard.engine.view.report import report

DEAL = {"four": "red", "out": "0,5", "red": "0,1,2,4", "yellow": "1,3,5"}
SETTLED_MS = 300
SPACES = sorted(find_overlay("hack_trick", {}).spaces)


class Evening:
    """A table, the tokens on it and everything that came out; every event is what a box would report."""

    def __init__(self, options: Mapping[str, str], seed: int = 1) -> None:
        self.table, effects = open_table(new_setup("hack_trick", options, seed, hands="open"))
        self.tokens: frozenset[str] = frozenset()
        self.now = 0
        self.effects: list[Effect] = list(effects)
        self.ambiguous: frozenset[str] = frozenset()
        self.faulty: frozenset[str] = frozenset()
        self.read()

    def happen(self, event: Event) -> list[Effect]:
        self.table, effects = step(self.table, event, self.now)
        self.effects += effects
        return effects

    def read(self, settled: bool = True) -> list[Effect]:
        """The sensors show the tokens: at once, and (unless hands go on) as a position at rest."""
        sensed = self.tokens - self.ambiguous
        done = self.happen(BoardRead(sensed, False, self.ambiguous, self.faulty))
        if settled:
            self.now += SETTLED_MS
            done += self.happen(BoardRead(sensed, True, self.ambiguous, self.faulty))
        return done

    def put(self, *spaces: str, settled: bool = True) -> list[Effect]:
        self.tokens |= set(spaces)
        return self.read(settled)

    def lift(self, *spaces: str, settled: bool = True) -> list[Effect]:
        self.tokens -= set(spaces)
        return self.read(settled)

    def press(self, *keys: str, held: bool = False) -> list[Effect]:
        """Keys of somebody who has seen what is asked."""
        done = []
        for key in keys:
            self.now = max(self.now, self.table.keys_rest_until)
            done += self.happen(KeyPressed(key, held))
        return done

    def hold(self, key: str) -> list[Effect]:
        return self.press(key, held=True)

    def order(self, *actions: str) -> list[Effect]:
        return [effect for action in actions for effect in self.happen(Ordered(action))]

    def choose(self, name: str) -> list[Effect]:
        names = self.names
        assert name in names
        return self.press(*["right"] * ((names.index(name) - self.table.cursor) % len(names)), "ok")

    def wait(self) -> list[Effect]:
        """Until what the table waits for has come."""
        if self.table.deadline is None:
            return []
        self.now = max(self.now, self.table.deadline)
        return self.happen(TimePassed())

    @property
    def names(self) -> list[str]:
        return [choice.name for choice in self.table.choices]

    @property
    def did(self) -> list[str]:
        return [effect.action for effect in self.effects if isinstance(effect, Did)]

    @property
    def alert(self) -> Any:
        """Code and cells, or None; after waiting for them."""
        self.wait()
        alert = find_alert(self.table)
        return (alert.code, " ".join(alert.cells)) if alert else None

    @property
    def layout(self) -> Any:
        """Where tokens should stand."""
        return set(self.table.layout.spaces)

    @property
    def phase(self) -> Any:
        return self.table.state.phase


def started(**options: str) -> Evening:
    """Red has laid a 1; yellow, with 1-3-5, is to move."""
    evening = Evening({**DEAL, **options})
    evening.order("start 1")
    return evening


def attacked() -> Evening:
    """Red stands on 7 and may attack nothing; yellow, with 2-3-4-5 after a 3, may attack 7."""
    evening = Evening({"four": "red", "out": "2,0", "red": "1,1,3,4", "yellow": "2,3,5"})
    evening.order("start 4", "draw 4")
    evening.choose("infect 3")
    evening.put("7a")
    evening.choose("end")
    return evening


def without_giant() -> Evening:
    """Yellow, with 1-3 after a 2, is to move and has put down the giant."""
    evening = started()
    evening.choose("infect 5")
    evening.press("right")
    evening.put("6a")
    evening.choose("end")
    evening.choose("infect 2")
    evening.put("7a")
    evening.choose("end")
    return evening


def won(**options: str) -> Evening:
    """Red has completed the line 2-4-9."""
    evening = Evening({"four": "red", "out": "1,5", "red": "0,3,4,5", "yellow": "0,1,3", **options})
    evening.order("start 5", "draw 2")
    for card, space, call in (("4", "9a", "end"), ("2", "6a", "firewall"), ("0", "2a", "end"), ("1", "1a", "hack")):
        evening.choose(f"infect {card}")
        evening.put(space)
        evening.choose(call)
    evening.choose("infect 3")
    evening.put("4a")
    return evening


# Keys


def test_a_new_table_runs_through_the_cards_of_whoever_starts() -> None:
    evening = Evening(DEAL)
    assert evening.names == ["start 0", "start 1", "start 2", "start 4"]
    assert evening.table.selected == "start 0"
    assert [type(effect) for effect in evening.effects] == [Did, Tone]


def test_left_and_right_run_round() -> None:
    evening = Evening(DEAL)
    seen = [evening.table.selected]
    for key in ("left", "left", "right", "right", "right"):
        assert evening.press(key) == [Tone("click")]
        seen.append(evening.table.selected)
    assert seen == ["start 0", "start 4", "start 2", "start 4", "start 0", "start 1"]


def test_holding_right_means_nothing() -> None:
    evening = Evening(DEAL)
    before = evening.table
    assert evening.hold("right") == [Tone("click")]
    assert evening.table == before


def test_ok_does_what_needs_no_token_at_once() -> None:
    evening = Evening(DEAL)
    done = evening.press("right", "ok")
    assert [effect.action for effect in done if isinstance(effect, Did)] == ["start 1"]
    assert done[-1] == Tone("right")
    assert evening.phase == "main"


def test_a_card_chosen_awaits_its_token_and_right_switches_to_the_giant() -> None:
    evening = started()
    assert evening.choose("infect 3") == [Tone("click")] * 1
    assert (evening.table.awaited, evening.names) == ("infect 3", ["infect 3", "infect 3 giant"])
    evening.press("right")
    assert evening.table.awaited == "infect 3 giant"
    evening.press("left", "left")
    assert evening.table.awaited == "infect 3 giant"
    evening.put("4b")
    assert evening.did[-1] == "infect 3 giant"
    assert evening.layout == {"4b"}
    assert evening.alert is None


def test_back_forgets_the_card_chosen() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.press("back")
    assert evening.table.awaited is None
    assert evening.names == ["infect 3", "infect 5", "draw"]
    evening.press("back")
    assert evening.names == ["infect 3", "infect 5", "draw"]


def test_ok_while_a_token_is_awaited_believes_nothing_that_sensors_can_see() -> None:
    evening = started()
    evening.choose("infect 3")
    for key in ("ok", "ok"):
        assert evening.press(key) == [Tone("click")]
    assert evening.table.awaited == "infect 3"


def test_a_long_ok_insists_that_the_awaited_token_is_there() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.hold("ok")
    assert evening.did[-1] == "infect 3"
    assert evening.alert == ("faulty_cell", "4a")
    evening.put("4a")
    assert evening.alert is None


def test_drawing_is_left_to_the_dealer_and_repeatable() -> None:
    drawn = []
    for _ in range(2):
        evening = started()
        evening.choose("draw")
        drawn.append(evening.did[-1])
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith("draw ")


def test_the_end_of_the_turn_is_selected_after_a_placement() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    assert (evening.names, evening.table.selected) == (["hack", "firewall", "end"], "end")
    evening.press("ok")
    assert evening.did[-1] == "end"


@pytest.mark.parametrize("call", ["hack", "firewall"])
def test_a_long_ok_pays_with_the_giant(call: str) -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    while evening.table.selected != call:
        evening.press("left")
    evening.hold("ok")
    assert evening.did[-1] == f"{call} giant"
    assert evening.table.state.supply[1] == (8, 0)


@pytest.mark.parametrize("name", ["infect 3", "draw"])
def test_a_long_ok_is_a_short_one_where_there_is_but_one_way(name: str) -> None:
    held, pressed = started(), started()
    while held.table.selected != name:
        held.press("right")
    held.hold("ok")
    pressed.choose(name)
    assert (held.did, held.table.awaited) == (pressed.did, pressed.table.awaited)


def test_a_long_ok_for_what_has_one_way_says_so() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    evening.hold("ok")
    assert evening.alert == ("illegal", "")
    assert evening.did[-1] == "infect 3"
    evening.press("left")
    assert evening.alert is None


# Tokens


def test_the_awaited_token_is_recognised_before_the_board_has_settled() -> None:
    evening = started()
    evening.choose("infect 3")
    done = evening.put("4c", settled=False)
    assert [effect.action for effect in done if isinstance(effect, Did)] == ["infect 3"]
    assert done[-1] == Tone("right")


def test_a_token_without_a_key_is_asked_about_if_it_can_be_two_things() -> None:
    evening = started()
    evening.put("4a", settled=False)
    assert evening.names == ["infect 3", "infect 5", "draw"]
    evening.read()
    assert evening.table.asked
    assert evening.names == ["infect 3", "infect 3 giant"]
    assert evening.did[-1] == "start 1"
    evening.press("right", "ok")
    assert evening.did[-1] == "infect 3 giant"
    assert evening.alert is None


def test_a_token_without_a_key_is_done_at_once_if_it_can_be_one_thing_only() -> None:
    evening = without_giant()
    evening.put("3a", settled=False)
    assert evening.did[-1] == "end"
    evening.read()
    assert (evening.did[-1], evening.alert) == ("infect 1", None)


def test_whoever_is_asked_may_take_the_token_off_again() -> None:
    evening = started()
    evening.put("4a")
    evening.lift("4a")
    assert (evening.table.asked, evening.alert) == (False, None)
    assert evening.names == ["infect 3", "infect 5", "draw"]


def test_whoever_is_asked_may_say_that_it_was_nothing() -> None:
    evening = started()
    evening.put("4a")
    evening.press("back")
    assert evening.names == ["infect 3", "infect 5", "draw"]
    assert evening.alert == ("extra", "4a")
    evening.lift("4a")
    assert evening.alert is None
    evening.put("4a")
    assert evening.table.asked


def test_what_was_said_to_be_nothing_can_be_a_broken_sensor() -> None:
    evening = started()
    evening.put("4a")
    evening.press("back")
    evening.wait()
    evening.hold("ok")
    assert evening.alert == ("faulty_cell", "4a")
    evening.choose("infect 3")
    evening.put("4b")
    assert (evening.did[-1], evening.layout) == ("infect 3", {"4b"})


@pytest.mark.parametrize(
    "moves",
    [
        ["-7a", "+7a"],
        ["-7a", "+7b"],
        ["+7b", "-7a"],
        ["+7c", "-7a"],
    ],
)
def test_a_knock_out_in_any_order(moves: list[str]) -> None:
    evening = attacked()
    evening.choose("infect 4")
    assert evening.table.to_lift == ["7a"]
    for number, move in enumerate(moves, 1):
        assert evening.alert is None
        (evening.put if move[0] == "+" else evening.lift)(move[1:])
        assert (evening.did[-1] == "infect 4") == (number == len(moves))
    assert evening.alert is None
    assert len(evening.layout) == 1


def test_a_knock_out_that_nobody_saw_is_confirmed_by_ok() -> None:
    evening = attacked()
    evening.choose("infect 4")
    evening.lift("7a", settled=False)
    evening.put("7a")  # another token, but put down before the board had settled
    assert evening.did[-1] == "end"
    evening.press("ok")
    assert evening.did[-1] == "infect 4"


def test_a_knock_out_that_nobody_chose_is_asked_about_and_shows_what_is_left_to_do() -> None:
    evening = attacked()
    evening.put("7b")
    assert (evening.alert, evening.table.to_lift, evening.did[-1]) == (None, ["7a"], "end")
    evening.lift("7a")
    assert evening.names == ["infect 4", "infect 4 giant", "nothing"]
    evening.choose("infect 4")
    assert (evening.did[-1], evening.layout) == ("infect 4", {"7b"})


@pytest.mark.parametrize("way", ["back", "nothing"])
def test_an_enemy_token_moved_on_its_own_server_is_nothing(way: str) -> None:
    evening = attacked()
    evening.lift("7a", settled=False)
    evening.put("7b")
    assert evening.table.asked
    if way == "back":
        evening.press("back")
    else:
        evening.choose("nothing")
    assert (evening.alert, evening.layout, evening.names[0]) == (None, {"7b"}, "infect 2")


@pytest.mark.parametrize("space", ["7a", "7c"])
def test_a_nudge_is_nothing(space: str) -> None:
    """Of an own token, even to another space of its server."""
    evening = attacked()
    evening.order("draw 0") if len(evening.table.state.hands[1]) < 4 else evening.order("infect 2", "end")
    evening.put("5a")
    evening.lift("7a", settled=False)
    evening.put(space)
    assert (evening.alert, evening.table.asked) == (None, False)
    assert evening.layout == {"5a", space}


def test_a_nudge_of_an_enemy_token_that_could_be_attacked_is_nothing() -> None:
    evening = attacked()
    evening.lift("7a")
    assert evening.alert == ("missing", "7a")
    evening.put("7a")
    assert (evening.alert, evening.table.asked, evening.did[-1]) == (None, False, "end")
    evening.choose("infect 4")
    assert evening.did[-1] == "end"  # it has to leave first
    evening.lift("7a")
    evening.put("7a")
    assert evening.did[-1] == "infect 4"


def test_a_token_on_its_way_over_other_spaces_is_nothing() -> None:
    evening = started()
    evening.choose("infect 5")
    for before, space in (("", "3a"), ("3a", "5b"), ("5b", "7c")):
        evening.lift(before, settled=False)
        evening.put(space, settled=False)
        evening.now += 150
    evening.lift("7c", settled=False)
    evening.put("6b")
    assert evening.did == ["new_game hack_trick", "start 1", "infect 5"]
    assert not [effect for effect in evening.effects if effect == Tone("wrong")]


# What is wrong


def test_a_wrong_place_is_said_once_it_has_stood_for_a_while() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("5b")
    assert find_alert(evening.table) is None
    evening.now += WRONG_MS - 1
    assert evening.happen(TimePassed()) == []
    evening.now += 1
    assert evening.happen(TimePassed()) == [Tone("wrong")]
    assert evening.alert == ("wrong_place", "5b 4a 4b 4c")
    assert evening.happen(TimePassed()) == []
    evening.lift("5b")
    assert evening.alert is None
    evening.put("4b")
    assert evening.did[-1] == "infect 3"


def test_a_wrong_board_that_moves_again_is_not_yet_wrong() -> None:
    evening = started()
    evening.put("1a")
    evening.now += WRONG_MS - 100
    evening.lift("1a", settled=False)
    evening.put("2a")
    assert find_alert(evening.table) is None
    assert evening.alert is not None


@pytest.mark.parametrize(
    ("hands", "alert"),
    [
        ("+1a", ("wrong_place", "1a 4a 4b 4c 6a 6b 6c")),
        ("+@r10c10", ("wrong_place", "@r10c10 4a 4b 4c 6a 6b 6c")),
        ("+4a +4b", ("extra", "4a 4b")),
        ("+4a +6a", ("extra", "4a 6a")),
        ("+4a +1a", ("wrong_place", "1a 4b 4c 6a 6b 6c")),
    ],
)
def test_tokens_without_a_key(hands: str, alert: tuple[str, str]) -> None:
    evening = started()
    evening.put(*hands.replace("+", "").split())
    assert evening.did[-1] == "start 1"
    assert evening.alert == alert


@pytest.mark.parametrize(
    ("hands", "alert"),
    [
        ("+1a", ("wrong_place", "1a")),
        ("-4a", ("missing", "4a")),
        ("-4a +1a", ("wrong_place", "1a 4a")),
        ("+4b", ("wrong_place", "4b")),
    ],
)
def test_tokens_when_none_may_move(hands: str, alert: tuple[str, str]) -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    for hand in hands.split():
        (evening.put if hand[0] == "+" else evening.lift)(hand[1:], settled=False)
    evening.read()
    assert evening.alert == alert
    evening.tokens = frozenset({"4c"})
    evening.read()
    assert evening.alert is None


def test_two_tokens_at_once_on_the_awaited_server_are_one_too_many() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a", "4b")
    assert evening.alert == ("extra", "4a 4b")
    evening.lift("4a")
    assert (evening.did[-1], evening.alert) == ("infect 3", None)


def test_a_sensor_that_is_wrong_is_no_longer_asked_when_ok_is_held() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("9c")
    evening.wait()
    assert evening.hold("ok") == [Tone("click")]
    assert evening.alert == ("faulty_cell", "9c")
    evening.put("4a")
    assert evening.did[-1] == "infect 3"
    evening.lift("9c")
    assert evening.alert is None
    evening.put("9c")
    assert evening.alert == ("wrong_place", "9c")


def test_a_knock_out_over_a_dead_sensor_is_confirmed_by_ok() -> None:
    evening = attacked()
    evening.lift("7a")  # the sensor died; the token is there
    evening.wait()
    evening.hold("ok")
    assert evening.alert == ("faulty_cell", "7a")
    evening.choose("infect 4")
    assert (evening.did[-1], evening.table.to_lift) == ("end", ["7a"])
    evening.put("7b")
    assert evening.did[-1] == "end"
    evening.press("ok")
    assert (evening.did[-1], evening.layout, evening.alert) == ("infect 4", {"7b"}, None)


def test_ambiguous_readings_are_said_and_not_believed() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.ambiguous = frozenset({"4a", "4b", "6a", "6b"})
    evening.put("4a")
    assert evening.alert == ("ambiguous", "4a 4b 6a 6b")
    assert evening.did[-1] == "start 1"
    evening.press("ok")  # but the player's word is
    assert evening.did[-1] == "infect 3"
    evening.ambiguous = frozenset()
    evening.read()
    assert evening.alert is None


def test_a_faulty_sensor_is_only_mentioned() -> None:
    evening = started()
    evening.faulty = frozenset({"4a"})
    evening.read()
    assert evening.alert == ("faulty_cell", "4a")
    evening.choose("infect 3")
    evening.put("4b")
    assert evening.did[-1] == "infect 3"
    evening.faulty = frozenset()
    evening.read()
    assert evening.alert is None


def test_without_a_board_ok_says_that_the_token_is_there() -> None:
    evening = started()
    evening.happen(DevicesChanged({"board": "absent", "oled": "ready"}))
    assert evening.alert == ("board_absent", "")
    evening.choose("infect 3")
    evening.press("ok")
    assert evening.did[-1] == "infect 3"
    evening.choose("end")
    evening.happen(DevicesChanged({"board": "ready", "oled": "absent"}))
    assert evening.alert == ("missing", "4a")
    evening.put("4c")
    assert evening.alert == ("oled_absent", "")
    evening.happen(DevicesChanged({"board": "ready", "oled": "ready"}))
    assert evening.alert is None


# Takeback


def test_back_held_takes_back_to_the_start_and_no_further() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    evening.hold("back")
    assert (evening.did[-1], evening.phase, evening.alert) == ("undo", "main", ("extra", "4a"))
    evening.lift("4a")
    assert evening.alert is None
    evening.hold("back")
    assert evening.phase == "start"
    assert evening.hold("back") == [Tone("click"), Tone("wrong")]
    assert evening.alert == ("illegal", "")
    evening.press("right")
    assert evening.alert is None
    evening.choose("start 1")
    assert evening.did[-3:] == ["undo", "undo", "start 1"]


def test_the_previous_position_and_ok_take_back() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    evening.lift("4a")
    assert (evening.names[-1], evening.table.selected, evening.alert) == ("undo", "undo", ("missing", "4a"))
    evening.press("ok")
    assert (evening.did[-1], evening.phase, evening.alert) == ("undo", "main", None)


def test_the_previous_position_alone_takes_nothing_back() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    evening.lift("4a")
    evening.put("4b")
    assert (evening.did[-1], evening.names) == ("infect 3", ["hack", "firewall", "end"])
    assert evening.table.selected == "end"


def test_what_was_taken_back_is_not_done_again_by_what_still_stands() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    evening.hold("back")
    evening.choose("infect 3")
    assert (evening.did[-1], evening.alert) == ("undo", None)
    evening.press("right", "ok")  # unless the player says so
    assert (evening.did[-1], evening.alert) == ("infect 3 giant", None)


def test_a_knock_out_taken_back_says_which_token_has_to_leave() -> None:
    evening = attacked()
    evening.choose("infect 4")
    evening.lift("7a")
    evening.put("7b")
    evening.hold("back")
    assert (evening.table.to_lift, evening.alert) == (["7b"], None)
    evening.lift("7b")
    assert (evening.table.to_lift, evening.alert) == ([], ("missing", "7b"))
    evening.put("7a")
    assert (evening.table.to_lift, evening.alert, evening.did[-1]) == ([], None, "undo")


def test_an_order_makes_the_board_follow() -> None:
    evening = started()
    evening.order("infect   3")
    assert (evening.did[-1], evening.layout) == ("infect 3", {"4a"})
    assert evening.alert == ("missing", "4a")
    evening.put("4c")
    assert (evening.alert, evening.layout) == (None, {"4c"})
    evening.order("undo")
    assert evening.alert == ("extra", "4c")


@pytest.mark.parametrize("action", ["infect 2", "hack", "jump", "next", "next what", "start 1"])
def test_an_order_that_the_game_refuses_is_an_alert_and_nothing_else(action: str) -> None:
    evening = started()
    before = evening.table
    assert evening.order(action) == [Tone("wrong")]
    assert evening.alert == ("illegal", "")
    assert (evening.table.session, evening.table.layout) == (before.session, before.layout)
    evening.press("left")
    assert evening.alert is None


# After the game


def test_a_game_that_is_won_goes_on_with_the_next() -> None:
    evening = won()
    assert evening.effects[-1] == Tone("win")
    assert evening.names == ["next"]
    evening.press("ok")
    assert (evening.did[-1], evening.phase, evening.table.games) == ("next", "start", 1)
    assert evening.table.state.four == 1
    assert len(evening.table.state.hands[1]) == 4
    assert evening.alert == ("extra", "1a 2a 4a 6a 9a")
    for space in ("4a", "1a", "9a", "2a"):
        evening.lift(space)
        assert evening.alert is not None
    evening.lift("6a")
    assert evening.alert is None
    evening.hold("back")
    assert evening.alert == ("illegal", "")


def test_after_the_game_the_board_may_be_cleared_at_once() -> None:
    evening = won()
    for space in ("1a", "4a", "9a", "2a", "6a"):
        evening.lift(space)
        assert evening.alert is None
    evening.press("ok")
    assert (evening.did[-1], evening.alert) == ("next", None)


def test_after_the_game_a_token_more_is_wrong_and_the_win_can_be_taken_back() -> None:
    evening = won()
    evening.put("3a")
    assert evening.alert == ("wrong_place", "3a")
    evening.lift("3a")
    evening.lift("4a")
    assert evening.table.selected == "undo"
    evening.press("ok")
    assert (evening.did[-1], evening.phase, evening.alert) == ("undo", "main", None)


def test_a_match_that_is_won_goes_on_with_a_new_one() -> None:
    evening = won(target="1")
    assert evening.names == ["new match"]
    evening.press("ok")
    assert evening.did[-1] == "new_game hack_trick"
    assert evening.table.state.score == (0, 0)
    assert evening.table.state.target == 1


def test_with_a_physical_deck_the_cards_turned_up_are_asked_for() -> None:
    evening = Evening({"cards": "hidden", "out": "0,5"})
    for action in ("start 1", "infect 3", "end", "infect 1", "end", "draw", "infect 4", "end", "draw", "infect 2"):
        evening.order(action)
    evening.tokens = evening.table.layout.spaces
    evening.read()
    assert evening.phase == "over"
    outs = [f"out {card}" for card in range(6)]
    assert evening.names == outs
    evening.choose("out 2")
    assert evening.names == outs
    evening.press("back")
    evening.choose("out 4")
    evening.choose("out 5")
    assert evening.names == ["next"]
    evening.press("back")
    assert evening.names == outs
    evening.choose("out 5")
    evening.press("ok")
    assert (evening.did[-1], evening.table.state.out) == ("next", (4, 5))


# After the program was away


def away(evening: Evening) -> None:
    """The program ends and starts again; tokens may move meanwhile."""
    done = [effect for effect in evening.effects if isinstance(effect, Did)]
    begun = max(number for number, did in enumerate(done) if did.record is not None)
    evening.table = resume([entry(did, evening.table) for did in done[begun:]])


def test_a_token_too_many_after_the_program_was_away() -> None:
    evening = without_giant()
    away(evening)
    evening.put("1a")
    assert evening.alert == ("extra", "1a")
    evening.lift("1a")
    assert evening.alert is None


def test_one_action_done_while_the_program_was_away_is_asked_about_all_the_same() -> None:
    evening = without_giant()
    away(evening)
    evening.put("3a")
    assert evening.names == ["infect 1", "nothing"]
    assert evening.did[-1] == "end"
    evening.press("right", "ok")
    assert evening.alert == ("extra", "3a")
    evening.lift("3a")
    evening.put("3a")
    assert evening.did[-1] == "infect 1"


def test_a_lifted_token_is_missed_after_the_program_was_away() -> None:
    evening = started()
    evening.choose("infect 3")
    evening.put("4a")
    away(evening)
    evening.lift("4a")
    assert evening.alert == ("missing", "4a")
    evening.put("4b")
    assert evening.alert is None


# Random evenings


def names(table: TableState) -> list[str]:
    return [choice.name for choice in table.choices]


MENU = ("left", True)
"""Opens the table's menu, which tests/engine/referee/menu is about."""


class RandomEvening(RuleBasedStateMachine):
    """Anything may happen at the table in any order; whatever did, the game can be brought to its end."""

    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening(DEAL)

    @initialize(
        hidden=st.booleans(),
        points=st.sampled_from(["1", "3"]),
        start=st.sampled_from(["", "start 1", "start 4"]),
        seed=st.integers(0, 9),
    )
    def set_up(self, hidden: bool, points: str, start: str, seed: int) -> None:
        options = {"cards": "hidden", "out": "0,5"} if hidden else {**DEAL}
        self.evening = Evening({**options, "target": points}, seed)
        if start:
            self.evening.order(start)

    @rule(space=st.sampled_from([*SPACES, "@r10c10"]), settled=st.booleans())
    def move(self, space: str, settled: bool) -> None:
        self.evening.tokens ^= {space}
        self.evening.read(settled)

    @rule(data=st.data(), settled=st.booleans())
    def do_as_asked(self, data: st.DataObject, settled: bool) -> None:
        """A sensible hand, so that games get somewhere."""
        table = self.evening.table
        if table.awaited:
            site = table.changes[table.awaited].puts[0]
            self.evening.tokens -= set(table.to_lift)
            self.evening.read()
            self.evening.tokens |= {data.draw(st.sampled_from(sorted(table.sites[site])))}
            self.evening.read(settled)
        else:
            self.evening.choose(data.draw(st.sampled_from(names(table))))

    @rule()
    def bring_board_right(self) -> None:
        self.evening.tokens = self.evening.table.layout.spaces
        self.evening.read()

    @rule(
        pressed=st.sampled_from([(key, held) for key in ("left", "right", "ok", "back") for held in (False, True) if (key, held) != MENU])
    )
    def press(self, pressed: tuple[str, bool]) -> None:
        key, held = pressed
        self.evening.happen(KeyPressed(key, held))

    @rule(data=st.data())
    def order_what_is_legal(self, data: st.DataObject) -> None:
        table = self.evening.table
        legal = table.setup.game.legal(table.state)
        self.evening.order(data.draw(st.sampled_from([*legal, "undo", "next", "hack", "infect 9"])))

    @rule(cells=st.frozensets(st.sampled_from(SPACES), max_size=4), settled=st.booleans())
    def doubt(self, cells: frozenset[str], settled: bool) -> None:
        self.evening.ambiguous = cells
        self.evening.read(settled)

    @rule(cells=st.frozensets(st.sampled_from(SPACES), max_size=2))
    def chatter(self, cells: frozenset[str]) -> None:
        self.evening.faulty = cells
        self.evening.read()

    @rule(board=st.sampled_from(["ready", "absent", "fault"]), oled=st.sampled_from(["ready", "absent", "probing"]))
    def change_devices(self, board: str, oled: str) -> None:
        self.evening.happen(DevicesChanged({"board": board, "oled": oled, "reader": "absent"}))

    @rule()
    def wait(self) -> None:
        self.evening.wait()

    @rule()
    def cut_power(self) -> None:
        before = self.evening.table
        away(self.evening)
        after = self.evening.table
        assert after.state == before.state
        assert by_server(after) == by_server(before)
        assert (after.games, after.session.now.ply) == (before.games, before.session.now.ply)
        self.evening.read()

    @invariant()
    def the_choices_are_in_order(self) -> None:
        table = self.evening.table
        assert table.choices
        assert 0 <= table.cursor < len(table.choices)
        assert len(set(names(table))) == len(table.choices)
        assert table.selected in names(table)
        assert table.deadline is None or table.deadline > self.evening.now - WRONG_MS

    @invariant()
    def the_layout_is_the_game(self) -> None:
        table = self.evening.table
        standing = {str(number): len(tokens) for number, tokens in enumerate(table.state.servers) if tokens}
        assert by_server(table) == standing

    @invariant()
    def the_report_can_be_made(self) -> None:
        table = self.evening.table
        for language in ("en", "hu"):
            told = report(table, find_words(language))
            assert told["alert"] is None or told["alert"]["text"]

    @invariant()
    def effects_tell_what_happened(self) -> None:
        done = [effect for effect in self.evening.effects if isinstance(effect, Did)]
        begun = max(number for number, did in enumerate(done) if did.record is not None)
        plies = sum({"do": 1, "undo": -1}[did.kind] for did in done[begun + 1 :])
        assert plies == self.evening.table.session.now.ply
        assert done[-1].standing == self.evening.table.layout.spaces or by_server(self.evening.table) == servers(done[-1].standing)

    def teardown(self) -> None:
        """Never a dead end: with the board brought right and nothing pressed but BACK, the game goes on to its end."""
        evening = self.evening
        evening.ambiguous = evening.faulty = frozenset()
        evening.happen(DevicesChanged({"board": "ready", "oled": "ready", "reader": "absent"}))
        for _ in range(3):
            evening.press("back")
        evening.tokens = evening.table.layout.spaces
        evening.read()
        assert evening.alert is None
        random = Random(0)
        for _ in range(400):
            if evening.phase == "over":
                return
            play_on(evening, random)
        raise AssertionError("the game does not end")


def play_on(evening: Evening, random: Random) -> None:
    """One choice, and what its token needs."""
    ply = evening.table.session.now.ply
    name = random.choice([name for name in names(evening.table) if name != "undo"])
    evening.choose(name)
    if evening.table.awaited:
        for space in list(evening.table.to_lift):
            evening.lift(space)
        assert evening.table.awaited
        site = evening.table.changes[evening.table.awaited].puts[0]
        evening.put(min(evening.table.sites[site] - evening.tokens))
    assert evening.table.session.now.ply == ply + 1
    assert evening.alert is None


def servers(spaces: frozenset[str]) -> dict[str, int]:
    return dict(Counter(space[0] for space in spaces))


def by_server(table: TableState) -> dict[str, int]:
    return servers(table.layout.spaces)


TestRandomEvening = RandomEvening.TestCase
TestRandomEvening.settings = settings(max_examples=60, stateful_step_count=40)
