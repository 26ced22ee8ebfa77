"""SPY with open cards: the table "Cases" of docs/rules/spy.md row by row, then set-up, views and what is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, GameOver, IllegalAction
from underboard.engine.gamekit.game import Announcement
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.spy.rules import Spy
from underboard.engine.games.spy.state import SEATS, State
from underboard.engine.scripting.rules_protocol import RulesProtocol, to_json

GAME = Spy()
EXAMPLE = "S2 B1 T1 S1 B1 T2 B2"
THREE = {"green": "S2 B1 T1 S1 B1 T2", "red": "T1 S2 B1 B1 T2 S1", "blue": "S1 S2 T1 T2 B1 B1"}
SAFE_RED = [{"say": "safe", "of": "red"}]


def record(bases: dict[str, str] | None = None, **changes: Any) -> dict[str, Any]:
    """An open position at the start of green's turn; `exposed`, `lit`, `targets` and `spies` name only what differs."""
    cards = {"green": EXAMPLE, "red": EXAMPLE} if bases is None else bases
    usual: dict[str, Any] = {"spies": "0R", "exposed": [], "lit": [], "targets": "S1"}
    described = {
        "game": "spy",
        "cards": "open",
        "phase": "turn",
        "to_move": "green",
        "players": len(cards),
        "first": "green",
        "ts2": "eliminates",
        "bases": {seat: base.split() for seat, base in cards.items()},
        "out": [],
        "moved": False,
        "spied": False,
        "seeker": None,
    }
    by_seat = {key: dict.fromkeys(cards, usual[key]) | changes.pop(key, {}) for key in usual}
    return {**described, **by_seat, **changes}


def position(bases: dict[str, str] | None = None, **changes: Any) -> State:
    return GAME.position(record(bases, **changes))


def facing(stance: str, base: str = EXAMPLE, **changes: Any) -> State:
    """Green's spy somewhere before the example base; red's base as given."""
    return position({"green": EXAMPLE, "red": base}, spies={"green": stance}, **changes)


def new(*words: str) -> State:
    return Session.new(GAME, Options.parse(words)).state


def play(state: State, *actions: str) -> tuple[State, list[Announcement]]:
    """The state after several actions, and all that was announced."""
    heard: list[Announcement] = []
    for action in actions:
        state, said = GAME.do(state, action)
        heard += said
    return state, heard


def stance(state: State, seat: str = "green") -> str:
    return str(GAME.record(state)["spies"][seat])


def moves(state: State) -> list[str]:
    return [action for action in GAME.legal(state) if action.startswith("move")]


def refusal(state: State, action: str) -> str:
    """Why an action is refused; it must leave the state as it was and not be listed."""
    before = GAME.record(state)
    with pytest.raises(IllegalAction) as refused:
        GAME.do(state, action)
    assert GAME.record(state) == before
    assert action not in GAME.legal(state)
    return str(refused.value)


# The table


@pytest.mark.parametrize(
    ("stood", "number", "flipped"),
    [("3R", 1, 1), ("3L", 1, 1), ("0R", 2, 2), ("0L", 2, 2), ("6R", 2, 2), ("5R", 2, 1), ("1R", 1, 2)],
)
def test_the_number_faced_ahead_and_behind(stood: str, number: int, flipped: int) -> None:
    expected = [f"move {number}", f"move {number}f", f"move f{flipped}", f"move f{flipped}f"]
    assert moves(facing(stood)) == expected


@pytest.mark.parametrize(
    ("stood", "action", "stands"),
    [
        ("6R", "move 2", "1R"),
        ("5R", "move 2", "0R"),
        ("3R", "move 1", "4R"),
        ("3R", "move 1f", "4L"),
        ("3R", "move f1", "2L"),
        ("3R", "move f1f", "2R"),
        ("0L", "move 2", "5L"),
        ("0R", "move f2", "5L"),
        ("1L", "move 2f", "6R"),
        ("1L", "move f1", "2R"),
    ],
)
def test_where_a_move_leads(stood: str, action: str, stands: str) -> None:
    after, said = play(facing(stood), action)
    assert (stance(after), said) == (stands, [])
    assert GAME.record(after)["moved"]


@pytest.mark.parametrize("stood", [f"{gap}{side}" for gap in range(7) for side in "RL"])
def test_a_flip_before_is_the_move_of_a_spy_that_looks_there(stood: str) -> None:
    other = stood[0] + ("L" if stood[1] == "R" else "R")
    for action in moves(facing(stood)):
        if action.startswith("move f"):
            assert stance(play(facing(stood), action)[0]) == stance(play(facing(other), action.replace("f", "", 1))[0])


def test_the_number_must_be_the_one_faced() -> None:
    assert refusal(facing("5R"), "move 1") == "your spy faces your card 6 from the left, a 2: it moves exactly 2, not 1"
    assert refusal(facing("3R"), "move f2") == "after the flip your spy faces your card 3 from the left, a 1: it moves exactly 1, not 2"


def test_before_an_exposed_card_both_numbers_are_free() -> None:
    state = facing("3R", exposed={"green": [3]}, targets={"green": "S2"})
    assert moves(state) == ["move 1", "move 1f", "move 2", "move 2f", "move f1", "move f1f"]
    assert [stance(play(state, action)[0]) for action in ("move 1", "move 2")] == ["4R", "5R"]
    for action in ("move 0", "move 3"):
        assert "a spy moves 1 or 2" in refusal(state, action)


@pytest.mark.parametrize(("stood", "place"), [("3R", 3), ("3L", 4), ("0R", 6), ("0L", 0), ("6R", 0), ("5R", 1)])
def test_the_mirrored_place_of_seven(stood: str, place: int) -> None:
    others = ["S2", "T1", "T2", "B1", "B1", "B2"]
    _, said = play(facing(stood, " ".join([*others[:place], "S1", *others[place:]])), "spy red")
    assert said == [{"say": "exposed", "of": "red", "place": place, "card": "S1"}]


def test_the_mirrored_place_of_six() -> None:
    after, said = play(position(THREE, spies={"green": "2R"}), "spy red")
    assert said == [{"say": "fuse", "of": "red"}]
    assert GAME.record(after)["lit"]["red"] == [3]


def test_a_safe_that_is_not_the_target() -> None:
    before = facing("0R", "B1 T1 S1 B1 T2 B2 S2")
    after, said = play(before, "spy red")
    assert said == SAFE_RED
    assert GAME.record(after) == {**GAME.record(before), "spied": True}


def test_the_target_is_exposed_and_the_next_one_looked_for() -> None:
    after, said = play(facing("3R"), "spy red")
    assert said == [{"say": "exposed", "of": "red", "place": 3, "card": "S1"}]
    shown = GAME.record(after)
    assert (shown["targets"], shown["exposed"]["red"]) == ({"green": "S1", "red": "S2"}, [3])
    assert (shown["to_move"], shown["spied"]) == ("green", True)


def test_a_secret_that_is_not_the_target() -> None:
    state = facing("3R", "S1 S2 B1 T1 B1 T2 B2", exposed={"red": [0]}, targets={"red": "S2"})
    after, said = play(state, "spy red")
    assert said == [{"say": "secret", "of": "red"}]
    assert GAME.record(after)["exposed"]["red"] == [0]


def test_a_bomb_is_lit_and_a_third_player_who_hits_it_is_out() -> None:
    state, said = play(position(THREE, spies={"green": "3R", "blue": "3R"}), "spy red")
    assert said == [{"say": "fuse", "of": "red"}]
    assert (GAME.record(state)["lit"]["red"], GAME.record(state)["out"]) == ([2], [])
    state, said = play(state, "end", "end", "spy red")
    assert said == [{"say": "lit", "of": "red", "out": "blue"}]
    assert GAME.record(state)["lit"]["red"] == [2]


def test_the_turn_ends_at_once_when_its_player_is_out() -> None:
    state = position(THREE, spies={"blue": "3R"}, lit={"red": [2]}, to_move="blue", moved=True)
    after, said = play(state, "spy red")
    assert said == [{"say": "lit", "of": "red", "out": "blue"}]
    shown = GAME.record(after)
    assert (shown["lit"]["red"], shown["out"], shown["to_move"]) == ([2], ["blue"], "green")
    assert (shown["moved"], shown["spied"], shown["exposed"]["red"]) == (False, False, [])


def test_of_two_the_one_who_finds_a_lit_bomb_has_lost() -> None:
    after, said = play(facing("2R", lit={"red": [4]}), "spy red")
    assert said == [{"say": "lit", "of": "red", "out": "green"}, {"say": "win", "seat": "red"}]
    assert GAME.outcome(after) == {"over": True, "winner": "red", "reason": "last"}
    shown = GAME.record(after)
    assert [shown[key] for key in ("phase", "to_move", "moved", "spied", "seeker")] == ["over", "none", False, False, None]
    assert (GAME.to_move(after), GAME.phase(after), list(GAME.legal(after))) == ("none", "over", [])
    with pytest.raises(GameOver):
        GAME.do(after, "end")


def test_neither_move_nor_spy() -> None:
    after, said = play(facing("3R"), "end")
    assert (GAME.to_move(after), said) == ("red", [])


@pytest.mark.parametrize("actions", [("move 1f", "spy red"), ("spy red", "move 1f")])
def test_each_at_most_once_in_either_order(actions: tuple[str, str]) -> None:
    state, _ = play(facing("3R"), *actions)
    assert list(GAME.legal(state)) == ["end"]
    assert refusal(state, "move 1") == "your spy has moved in this turn already"
    assert refusal(state, "spy red") == "your spy has spied in this turn already"
    shown = GAME.record(play(state, "end")[0])
    assert (shown["to_move"], shown["moved"], shown["spied"]) == ("red", False, False)


def test_targets_are_per_victim() -> None:
    state, said = play(position(THREE, spies={"green": "5R", "red": "4R"}), "spy blue", "end", "spy blue")
    assert [(answer["place"], answer["card"]) for answer in said] == [(0, "S1"), (1, "S2")]
    assert GAME.record(state)["targets"] == {"green": "S1", "red": "S1", "blue": "T1"}


def before_the_last_target(players: int, ts2: str) -> State:
    """Green's spy looks at the T2 of red, the only one of red's four that is hidden."""
    example = {"green": EXAMPLE, "red": "S1 S2 T1 T2 B1 B1 B2"} if players == 2 else {**THREE, "red": "S1 S2 T1 T2 B1 B1"}
    changes = {"exposed": {"red": [0, 1, 2]}, "targets": {"red": "T2"}, "ts2": ts2}
    return position(example, spies={"green": "3R" if players == 2 else "2R"}, **changes)


EXPOSED_T2 = {"say": "exposed", "of": "red", "place": 3, "card": "T2"}


def test_the_last_target_eliminates() -> None:
    after, said = play(before_the_last_target(2, "eliminates"), "spy red")
    assert said == [EXPOSED_T2, {"say": "out", "seat": "red"}, {"say": "win", "seat": "green"}]
    assert GAME.outcome(after)["winner"] == "green"
    shown = GAME.record(after)
    assert (shown["targets"]["red"], shown["out"], shown["spied"]) == (None, ["red"], False)


def test_the_turn_goes_on_when_the_victim_is_out() -> None:
    state, said = play(before_the_last_target(3, "eliminates"), "spy red")
    assert said == [EXPOSED_T2, {"say": "out", "seat": "red"}]
    assert [*GAME.legal(state)] == ["end", "move 1", "move 1f", "move f1", "move f1f"]
    state, _ = play(state, "end")
    assert GAME.to_move(state) == "blue"
    assert [action for action in GAME.legal(state) if action.startswith("spy")] == ["spy green"]
    assert refusal(state, "spy red") == "red is out of the game"
    assert GAME.to_move(play(state, "end")[0]) == "green"


def test_the_last_target_taken_literally() -> None:
    state, said = play(before_the_last_target(2, "literal"), "spy red")
    assert said == [EXPOSED_T2]
    assert GAME.outcome(state) == {"over": False}
    state, _ = play(state, "end", "end")
    assert play(state, "spy red")[1] == [{"say": "nothing", "of": "red"}]
    assert GAME.record(state)["targets"]["red"] is None


def test_an_exposed_card_says_nothing() -> None:
    state = facing("3R", exposed={"red": [3]}, targets={"red": "S2"})
    after, said = play(state, "spy red")
    assert said == [{"say": "nothing", "of": "red"}]
    assert GAME.record(after) == {**GAME.record(state), "spied": True}


# What is refused, and why


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("spy green", "a spy does not look into its own base: name an opponent"),
        ("spy yellow", "yellow does not play in this game"),
        ("spy white", "'spy white' is no action: a spy looks at green, red, blue, yellow"),
        ("spy", "'spy' is no action: a spy looks at"),
        ("move", "'move' is no action: a spy moves 1 or 2"),
        ("move 1ff", "'move 1ff' is no action"),
        ("move ff1", "'move ff1' is no action"),
        ("move ١", "'move ١' is no action"),
        ("move " + "9" * 5000, "is no action"),
        ("answer safe", "open cards answer by themselves"),
        ("answer maybe", "an answer is one of bomb, lit, safe, secret, target"),
        ("END", "'END' is no action: there are move K, spy SEAT, end"),
        ("", "'' is no action"),
    ],
)
def test_refusals(action: str, why: str) -> None:
    assert why in refusal(facing("3R"), action)


# Set-up


def test_the_game_as_it_starts() -> None:
    state = new("green=" + EXAMPLE.replace(" ", ","), "red=" + EXAMPLE.replace(" ", ","), "red.spy=3L", "first=red", "seed=1")
    assert GAME.record(state) == record(spies={"red": "3L"}, first="red", to_move="red")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_bases_repeat_and_are_full_sets(players: int) -> None:
    shown = GAME.record(new(f"players={players}", "seed=5", "green.spy=5L"))
    assert shown == GAME.record(new(f"players={players}", "seed=5", "green.spy=5L"))
    assert list(shown["bases"]) == list(SEATS[:players])
    assert shown["spies"] == {seat: "5L" if seat == "green" else "0R" for seat in SEATS[:players]}
    for base in shown["bases"].values():
        assert sorted(base) == ["B1", "B1"] + ["B2"] * (players == 2) + ["S1", "S2", "T1", "T2"]
    assert shown["bases"] != GAME.record(new(f"players={players}", "seed=6"))["bases"]


TWO_BASES = ["green=S2,B1,T1,S1,B1,T2,B2", "red=S2,B1,T1,S1,B1,T2,B2"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["players=1"], "a whole number from 2 to 4"),
        (["players=5"], "a whole number from 2 to 4"),
        (["players=three"], "a whole number from 2 to 4"),
        (["ts2=on"], "allowed are eliminates, literal"),
        (["cards=shut"], "allowed are open, hidden"),
        (["first=blue"], "allowed are green, red"),
        (["first=nobody"], "allowed are green, red"),
        (["seed=x"], "a whole number is needed"),
        (["colour=red"], "unknown option 'colour'"),
        (["green.spy=7R"], "allowed are 0R, 0L"),
        (["players=3", "green.spy=6R"], "allowed are 0R, 0L"),
        (["green.spy=0r"], "allowed are 0R, 0L"),
        (["green.spy="], "allowed are 0R, 0L"),
        (["blue.spy=0R"], "with 2 players there are only green, red"),
        ([*TWO_BASES, "blue=S2,B1,T1,S1,B1,T2,B2"], "with 2 players there are only green, red"),
        (["players=3", "yellow.spy=0R"], "with 3 players there are only green, red, blue"),
        (TWO_BASES[:1], "red: missing"),
        ([TWO_BASES[0], "red=S2,B1,T1,S1,B1,T2"], "card B2: 0 of 1"),
        ([TWO_BASES[0], "red=S2,B1,T1,S1,B1,T2,B1"], "card B1: 3 of 2"),
        ([TWO_BASES[0], "red=S2,B1,T1,S1,B1,T2,B3"], "card B3: 1 of 0"),
        ([TWO_BASES[0], "red="], "a base is S1 S2 T1 T2 B1 B1 B2 in any order"),
        (["players=3", *TWO_BASES, "blue=S2,B1,T1,S1,B1,T2"], "card B2: 1 of 0"),
        (["cards=hidden", *TWO_BASES], "bases are not given with cards=hidden"),
        (["cards=hidden", TWO_BASES[0]], "bases are not given with cards=hidden"),
    ],
)
def test_what_cannot_be_set_up(words: list[str], why: str) -> None:
    with pytest.raises(BadArgument, match=why):
        new(*words)


# Views


def test_a_view_hides_the_others() -> None:
    state = position(exposed={"red": [3], "green": [3]}, targets={"green": "S2", "red": "S2"}, lit={"green": [1, 4], "red": [6]})
    shown = GAME.view(state, "red")
    assert shown["bases"] == {"green": ["?", "?", "?", "S1", "?", "?", "?"], "red": EXAMPLE.split()}
    assert shown["lit"] == {"green": [], "red": [6]}
    untouched = GAME.record(state)
    assert {key: shown[key] for key in shown if key not in ("bases", "lit")} == {
        key: untouched[key] for key in untouched if key not in ("bases", "lit")
    }


# Random games


@pytest.mark.parametrize("seed", range(30))
def test_random_games_keep_what_must_hold(seed: int) -> None:
    random = Random(seed)
    state = new(f"players={2 + seed % 3}", f"seed={seed}", "ts2=" + ["literal", "eliminates"][seed % 2])
    said: list[Announcement] = []
    while not GAME.over(state):
        assert GAME.position(GAME.record(state)) == state
        state, said = GAME.do(state, GAME.pick(state, random))
    assert said[-1] == {"say": "win", "seat": GAME.outcome(state)["winner"]}


def test_a_failure_over_the_protocol_has_its_code() -> None:
    protocol = RulesProtocol()
    assert protocol.answer("position " + to_json(record(spies={"green": "3R"}))) == "= \n\n"
    refused = protocol.answer("do move 2") or ""
    assert refused.startswith("? illegal_action: your spy faces your card 4 from the left")
    assert (protocol.answer("view blue") or "").startswith("? bad_argument")


# Positions


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"players": True}, "players: a whole number from 2 to 4"),
        ({"players": 3}, "blue is missing"),
        ({"phase": "over", "to_move": "none"}, "phase: allowed are arrange, turn, answer"),
        ({"phase": "answer"}, "phase: answer is for hidden games"),
        ({"to_move": "blue"}, "to_move: allowed are green, red"),
        ({"first": "blue"}, "first: allowed are green, red"),
        ({"ts2": None}, "ts2: allowed are eliminates, literal"),
        ({"cards": "shut"}, "cards: allowed are open, hidden"),
        ({"moved": 0}, "moved: true or false"),
        ({"spied": None}, "spied: true or false"),
        ({"seeker": "red"}, "seeker: null in phase turn"),
        ({"seeker": "blue"}, "seeker: allowed are green, red"),
        ({"spies": {"green": "7R"}}, "spies.green: allowed are 0R"),
        ({"spies": {"green": 3}}, "spies.green: allowed are 0R"),
        ({"spies": {"blue": "0R"}}, "spies.blue is unknown"),
        ({"exposed": {"red": [7]}}, "exposed.red: 7 is no place from 0 to 6"),
        ({"exposed": {"red": [True]}}, "exposed.red: True is no place"),
        ({"exposed": {"red": [3, 3]}, "targets": {"red": "S2"}}, "exposed.red: a place is listed twice"),
        ({"exposed": {"red": [3]}}, "exposed.red: S1, but the target S1 means no card"),
        ({"targets": {"red": "T1"}, "exposed": {"red": [0]}}, "exposed.red: S2, but the target T1 means S1 S2"),
        ({"targets": {"red": "T3"}}, "targets.red: allowed are S1, S2, T1, T2"),
        ({"targets": {"red": None}}, "exposed.red: no card, but the target None means S1 S2 T1 T2"),
        ({"lit": {"red": [0]}}, "lit.red: place 0 holds S2, which is no bomb"),
        ({"lit": {"red": [1, 1]}}, "lit.red: a place is listed twice"),
        ({"lit": {"red": "1"}}, "lit.red: a list"),
        ({"out": ["red"]}, "out: at most one is left in the game"),
        ({"out": ["blue"]}, "out: 'blue' is no seat of this game"),
        ({"out": ["green", "red"]}, "out: at most one is left in the game"),
        ({"targets": {"red": None}, "exposed": {"red": [0, 2, 3, 5]}}, "targets.red: all four are exposed, so red is out"),
        ({"bases": {"green": EXAMPLE, "red": EXAMPLE[:-3]}}, "bases.red: 7 cards are needed, not 6"),
        ({"bases": {"green": EXAMPLE, "red": "B1 " * 7}}, "bases.red: card B1: 7 of 2"),
        ({"bases": {"green": EXAMPLE, "red": "? " * 7}}, "bases.red: '\\?' is no card"),
        ({"bases": {"green": EXAMPLE}, "players": 2}, "bases.red is missing"),
        ({"note": 1}, "note is unknown"),
    ],
)
def test_impossible_positions(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BadArgument, match=why):
        position(**changes)


@pytest.mark.parametrize("key", list(record()))
def test_every_key_is_needed(key: str) -> None:
    with pytest.raises(BadArgument, match=f"{key} is missing"):
        GAME.position({name: value for name, value in record().items() if name != key})


def test_all_problems_are_listed() -> None:
    with pytest.raises(BadArgument) as refused:
        position({**THREE, "red": "T1 S2 B1 B2 T2 S1"}, lit={"blue": [0]}, out=["green", "green"], seeker="red")
    for part in ("bases.red: card B1: 1 of 2", "card B2: 1 of 0", "lit.blue", "out: a seat is listed twice", "seeker: null"):
        assert part in str(refused.value)


def test_lists_of_places_may_be_unsorted() -> None:
    state = position(exposed={"red": [3, 0]}, targets={"red": "T1"}, lit={"green": [6, 1]})
    shown = GAME.record(state)
    assert (shown["exposed"]["red"], shown["lit"]["green"]) == ([0, 3], [1, 6])


def test_one_who_is_out_keeps_his_entries() -> None:
    changes = {"out": ["red"], "lit": {"red": [2]}, "exposed": {"red": [5]}, "targets": {"red": "S2"}}
    shown = GAME.record(position(THREE, **changes))
    assert (shown["out"], shown["lit"]["red"], shown["exposed"]["red"], shown["targets"]["red"]) == (["red"], [2], [5], "S2")


@pytest.mark.parametrize("key", list(record()))
def test_any_other_value_is_refused(key: str) -> None:
    values: list[Any] = [7.5, "x", {}, {"green": {}, "red": []}, {"green": [[]], "red": [{}]}, [[]], 10**30]
    for value in values:
        with pytest.raises(BadArgument):
            GAME.position({**record(), key: value})
