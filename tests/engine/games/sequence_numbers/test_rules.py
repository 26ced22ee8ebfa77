"""Sequence Numbers: the table "Cases" of docs/rules/sequence_numbers.md row by row, then what each rule says, cards open."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, GameOver, IllegalAction
from underboard.engine.gamekit.game import Announcement
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.sequence_numbers.rules import SequenceNumbers
from underboard.engine.games.sequence_numbers.state import State

GAME = SequenceNumbers()
RESHUFFLE = {"say": "reshuffle"}
STUCK = {"say": "stuck"}


def new(*words: str) -> State:
    return Session.new(GAME, Options.parse(words)).state


def record(players: int = 2, hands: dict[str, str] | None = None, discards: dict[str, str] | None = None, **changes: Any) -> dict[str, Any]:
    """A position of an open game: hands and discards as named, "" where not; all other cards are in the stock.

    `chips` maps sides to cells, `sequences` is a list of (side, cells).
    """
    found = GAME.record(new(f"players={players}", *([f"sides={changes.pop('sides')}"] if "sides" in changes else [])))
    seats = list(found["hands"])
    deck = Counter(found["stock"] + [card for hand in found["hands"].values() for card in hand])
    for key, piles in (("hands", hands or {}), ("discards", discards or {})):
        found[key] = {seat: piles.get(seat, "").split() for seat in seats}
        deck -= Counter(card for pile in found[key].values() for card in pile)
    found["stock"] = sorted(deck.elements())
    found["chips"] = {cell: side for side, cells in changes.pop("chips", {}).items() for cell in cells.split()}
    found["sequences"] = [{"side": side, "cells": cells.split()} for side, cells in changes.pop("sequences", [])]
    return {**found, **changes}


def position(**changes: Any) -> State:
    return GAME.position(record(**changes))


def play(state: State, *actions: str) -> tuple[State, list[Announcement]]:
    """The state after several actions, and all that was announced."""
    heard: list[Announcement] = []
    for action in actions:
        state, said = GAME.do(state, action)
        heard += said
    return state, heard


def refusal(state: State, action: str) -> str:
    """The sentence that refuses an action, which must not be listed."""
    assert action not in GAME.legal(state)
    before = GAME.record(state)
    with pytest.raises(IllegalAction) as refused:
        GAME.do(state, action)
    assert GAME.record(state) == before
    return str(refused.value)


def after(state: State, *actions: str) -> dict[str, Any]:
    """The state as JSON after several actions."""
    return GAME.record(play(state, *actions)[0])


def starting(state: State, start: str) -> list[str]:
    """The legal actions that begin so."""
    return [action for action in GAME.legal(state) if action.startswith(start)]


def made(side: str, cells: str) -> Announcement:
    return {"say": "sequence", "side": side, "cells": cells.split()}


def lost(seat: str) -> Announcement:
    return {"say": "lost_draw", "seat": seat}


def won(side: str) -> Announcement:
    return {"say": "win", "side": side}


def everywhere(state: State, but: str = "") -> str:
    """All spaces of the board but some."""
    return " ".join(cell for cell in state.setup.layout.space if cell not in but.split())


EVERYWHERE = everywhere(new())


# The table "Cases"


@pytest.mark.parametrize(
    ("chips", "cells"),
    [
        ({}, "d6 i1"),
        ({"blue": "i1"}, "d6"),
        ({"green": "i1"}, "d6"),
        ({"green": "d6"}, "i1"),
        ({"blue": "i1", "green": "d6"}, ""),
    ],
)
def test_card_goes_to_the_free_spaces_of_its_answer(chips: dict[str, str], cells: str) -> None:
    state = position(hands={"p1": "4+4 1+1", "p2": "1+0"}, chips=chips)
    assert starting(state, "play 4+4") == [f"play 4+4 {cell}" for cell in cells.split()]
    for cell in cells.split():
        assert after(state, f"play 4+4 {cell}")["chips"][cell] == "blue"
    for cell in {"i1", "d6"} - set(cells.split()):
        assert f"{cell} is covered" in refusal(state, f"play 4+4 {cell}")
    assert refusal(state, "play 4+4 h1") == "4+4 is 8: it goes to i1, d6, not to h1"


def test_dead_card_is_exchanged_once_then_the_normal_turn() -> None:
    state = position(hands={"p1": "4+4 17-9", "p2": "1+0"}, chips={"blue": "i1", "green": "d6"})
    assert starting(state, "play") == []
    state, said = play(state, "swap 4+4 1+1")
    assert said == []
    found = GAME.record(state)
    assert found["hands"]["p1"] == ["1+1", "17-9"]
    assert found["discards"]["p1"] == ["4+4"]
    assert (found["phase"], found["to_move"], found["swapped"]) == ("main", "p1", True)
    assert starting(state, "swap") == []
    assert refusal(state, "swap 17-9 2+1") == "a card has been exchanged in this turn already"
    state, _ = play(state, "play 1+1 c1", "draw 2+1")
    assert GAME.record(state)["swapped"] is False
    assert GAME.to_move(state) == "p2"


@pytest.mark.parametrize(
    ("chips", "why"),
    [
        ({"green": "i1"}, "4+4 has a free space at d6: it is not dead"),
        ({"blue": "d6"}, "4+4 has a free space at i1: it is not dead"),
        ({}, "4+4 has free spaces at i1, d6: it is not dead"),
    ],
)
def test_living_card_is_not_exchanged(chips: dict[str, str], why: str) -> None:
    assert refusal(position(hands={"p1": "4+4"}, chips=chips), "swap 4+4 1+1") == why


def test_corner_and_four_chips_win_for_two_players() -> None:
    state, said = play(position(hands={"p1": "2+2"}, chips={"blue": "b1 c1 d1"}), "play 2+2 e1")
    assert said == [made("blue", "a1 b1 c1 d1 e1"), won("blue")]
    assert GAME.outcome(state) == {"over": True, "winner": "blue", "reason": "sequences", "count": 1}
    assert GAME.to_move(state) == "none"
    assert GAME.legal(state) == []


@pytest.mark.parametrize("corner", ["a1", "j1", "a10", "j10"])
@pytest.mark.parametrize("card", ["PLUS", "MINUS", "4+4"])
def test_corner_takes_no_chip_and_gives_none(card: str, corner: str) -> None:
    state = position(hands={"p1": "PLUS MINUS 4+4"}, chips={"green": "c3"})
    assert refusal(state, f"play {card} {corner}").startswith(f"{corner} is a corner")


def test_two_sides_use_one_corner() -> None:
    state = position(
        players=4,
        to_move="p2",
        hands={"p2": "20+19"},
        chips={"blue": "b1 c1 d1 e1", "green": "a2 a3 a4"},
        sequences=[("blue", "a1 b1 c1 d1 e1")],
    )
    assert play(state, "play 20+19 a5")[1] == [made("green", "a1 a2 a3 a4 a5")]


def test_minus_takes_an_enemy_chip_outside_a_sequence() -> None:
    state = position(
        players=4,
        hands={"p1": "MINUS 4+4"},
        chips={"green": "a5 b5 c5 d5 e5 g7", "blue": "c3"},
        sequences=[("green", "a5 b5 c5 d5 e5")],
    )
    assert starting(state, "play MINUS") == ["play MINUS g7"]
    assert refusal(state, "play MINUS e5") == "the chip on e5 is part of a finished sequence"
    assert refusal(state, "play MINUS c3") == "the chip on c3 is your own side's"
    assert refusal(state, "play MINUS d3") == "there is no chip on d3"
    found = after(state, "play MINUS g7")
    assert "g7" not in found["chips"]
    assert len(found["chips"]) == 6
    assert (found["phase"], found["to_move"], found["discards"]["p1"]) == ("draw", "p1", ["MINUS"])


LINES = {
    "a second sequence shares one chip": ("a5 b5 c5 d5 e5 f5 g5 h5", "a5 b5 c5 d5 e5", "i5", ["e5 f5 g5 h5 i5"]),
    "a run of 7 is one": ("a5 b5 c5 d5 e5 f5", "a5 b5 c5 d5 e5", "g5", []),
    "a run of 8 is one": ("a5 b5 c5 d5 e5 f5 g5", "a5 b5 c5 d5 e5", "h5", []),
    "a run of 9 at once is two": ("a5 b5 c5 d5 f5 g5 h5 i5", "", "e5", ["a5 b5 c5 d5 e5", "e5 f5 g5 h5 i5"]),
    "an earlier sequence in the middle": ("a5 b5 c5 d5 e5 f5 g5 h5", "c5 d5 e5 f5 g5", "i5", []),
    "a run of 6 at once is its first window": ("a5 b5 c5 e5 f5", "", "d5", ["a5 b5 c5 d5 e5"]),
    "a run of 8 at once is its first window": ("b5 c5 d5 f5 g5 h5 i5", "", "e5", ["b5 c5 d5 e5 f5"]),
    "a run of 10 at once is two with a common end": ("a5 b5 c5 d5 f5 g5 h5 i5 j5", "", "e5", ["a5 b5 c5 d5 e5", "e5 f5 g5 h5 i5"]),
    "a run of 10 at once, new chip sixth": ("a5 b5 c5 d5 e5 g5 h5 i5 j5", "", "f5", ["b5 c5 d5 e5 f5", "f5 g5 h5 i5 j5"]),
    "an earlier sequence leaves the second window": ("a5 b5 c5 d5 e5 f5 g5 i5", "a5 b5 c5 d5 e5", "h5", ["e5 f5 g5 h5 i5"]),
}


@pytest.mark.parametrize(("chips", "earlier", "cell", "found"), LINES.values(), ids=LINES.keys())
def test_one_line(chips: str, earlier: str, cell: str, found: list[str]) -> None:
    """Four players: two sequences win. [15-17]"""
    sequences = [("blue", earlier)] if earlier else []
    state = position(players=4, hands={"p1": "PLUS"}, chips={"blue": chips}, sequences=sequences)
    state, said = play(state, f"play PLUS {cell}")
    over = len(sequences) + len(found) > 1
    assert said == [made("blue", cells) for cells in found] + [won("blue")] * over
    assert GAME.phase(state) == ("over" if over else "draw")
    recorded = [sequence["cells"] for sequence in GAME.record(state)["sequences"]]
    assert recorded == [cells.split() for _, cells in sequences] + [cells.split() for cells in found]


LATE = {"p1": "4+4 23-3", "p2": "1+1 28-1"}


def test_late_draw_after_the_next_play() -> None:
    state, said = play(position(hands=LATE), "play 4+4 i1", "forget")
    assert said == []
    assert GAME.record(state)["owes"] == "p1"
    assert "late 17-9" in GAME.legal(state)
    state, _ = play(state, "play 1+1 c1")
    assert {"late 17-9", "draw 17-9", "forget"} <= set(GAME.legal(state))
    state, said = play(state, "late 17-9")
    assert said == []
    found = GAME.record(state)
    assert (found["to_move"], found["phase"], found["owes"], found["hands"]["p1"]) == ("p2", "draw", None, ["17-9", "23-3"])
    assert play(state, "draw 2+1")[1] == []


def test_late_draw_after_the_next_draw_is_lost() -> None:
    state, said = play(position(hands=LATE), "play 4+4 i1", "forget", "play 1+1 c1", "draw 2+1")
    assert said == [lost("p1")]
    assert refusal(state, "late 17-9") == "nobody has a draw left from the turn before"
    assert refusal(state, "draw 17-9") == "draw comes after a card has been played"
    found = GAME.record(state)
    assert (found["to_move"], found["owes"], found["hands"]["p1"]) == ("p1", None, ["23-3"])


@pytest.mark.parametrize("players", ["0", "1", "5", "7", "two", "04", ""])
def test_numbers_of_players_that_cannot_be(players: str) -> None:
    with pytest.raises(BadArgument, match="allowed are 2, 3, 4, 6"):
        new(f"players={players}")


def test_minus_revives_a_dead_card() -> None:
    state = position(hands={"p1": "MINUS", "p2": "4+4"}, chips={"green": "i1 d6"})
    state, _ = play(state, "play MINUS i1", "draw 1+1")
    assert starting(state, "play 4+4") == ["play 4+4 i1"]
    assert refusal(state, "swap 4+4 2+1") == "4+4 has a free space at i1: it is not dead"


# Players, options and the deal [1-3, 6]


@pytest.mark.parametrize(
    ("words", "sides", "size"),
    [
        ("", "blue green", 5),
        ("players=2 sides=2", "blue green", 5),
        ("players=3", "blue green red", 5),
        ("players=4", "blue green", 4),
        ("players=6", "blue green", 4),
        ("players=6 sides=2", "blue green", 4),
        ("players=6 sides=3", "blue green red", 4),
    ],
)
@pytest.mark.parametrize("mode", ["open", "hidden"])
def test_sides_and_hands(words: str, sides: str, size: int, mode: str) -> None:
    found = GAME.record(new(*words.split(), f"cards={mode}"))
    assert found["sides"] == sides.split()
    assert list(found["hands"]) == [f"p{number + 1}" for number in range(found["players"])]
    assert {hand if mode == "hidden" else len(hand) for hand in found["hands"].values()} == {size}
    assert (found["board"], found["first"], found["phase"], found["to_move"]) == ("house10", "p1", "main", "p1")
    assert (found["swapped"], found["owes"], found["resume"], found["passes"]) == (False, None, None, 0)


@pytest.mark.parametrize(("players", "sides", "side"), [(4, 2, "blue"), (6, 2, "green"), (6, 3, "red")])
def test_members_of_a_side_sit_alternately(players: int, sides: int, side: str) -> None:
    state = new(f"players={players}", f"sides={sides}", "first=p3" if sides == 2 else "first=p6")
    action = next(action for action in GAME.legal(state) if action.startswith("play") and "MINUS" not in action)
    expected = {"p3": "blue", "p6": "red"}[GAME.to_move(state)]
    assert list(after(state, action)["chips"].values()) == [expected]
    assert side in GAME.record(state)["sides"]


def test_play_goes_clockwise_from_first() -> None:
    state = new("players=3", "first=p2", "seed=1")
    order = []
    for _ in range(6):
        order.append(GAME.to_move(state))
        state, _ = play(state, next(action for action in GAME.legal(state) if action.startswith("play")), "forget")
    assert order == ["p2", "p3", "p1"] * 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("players=5", "five make no teams of equal size"),
        ("sides=3", "sides=3: allowed are 2"),
        ("players=3 sides=2", "sides=2: allowed are 3"),
        ("players=4 sides=3", "sides=3: allowed are 2"),
        ("players=6 sides=1", "sides=1: allowed are 2, 3"),
        ("first=p3", "first=p3: allowed are p1, p2"),
        ("first=blue", "allowed are p1, p2"),
        ("cards=closed", "allowed are open, hidden"),
        ("seed=x", "seed=x"),
        ("p3=4+4", "unknown option 'p3'"),
        ("fist=p1", "unknown option 'fist'"),
        ("p1=4+4,1+1,2+1,2+2,3+2", "p2: missing"),
        ("p1=4+4,1+1,2+1,2+2 p2=1+0,3-2,5-3,7-4,9-5", "p1: 5 cards are needed, not 4"),
        ("p1= p2=1+0,3-2,5-3,7-4,9-5", "p1: 5 cards are needed, not 0"),
        ("p1=4+4,1+1,2+1,2+2,3+2 p2=4+4,3-2,5-3,7-4,9-5", "card 4+4: only 1 of it in the deck"),
        ("p1=4+4,1+1,2+1,2+2,8 p2=1+0,3-2,5-3,7-4,9-5", "card 8: there is no such card"),
        ("cards=hidden p1=4+4,1+1,2+1,2+2,3+2 p2=1+0,3-2,5-3,7-4,9-5", "p1, p2: hands are not given with cards=hidden"),
        ("board=", "there is no such file"),
        ("board=house9", "there is no such file, and the shipped boards are house8, house10"),
    ],
)
def test_options_that_cannot_be(words: str, why: str) -> None:
    with pytest.raises(BadArgument) as refused:
        new(*words.split())
    assert why in str(refused.value)


def test_named_deal_is_sorted_and_the_rest_is_the_stock() -> None:
    state = new("board=house8", "seed=4", "p1=PLUS,4+4,1+1,10-1,MINUS", "p2=PLUS,3-2,5-3,7-4,9-5")
    found = GAME.record(state)
    assert found["hands"] == {"p1": ["1+1", "10-1", "4+4", "MINUS", "PLUS"], "p2": ["3-2", "5-3", "7-4", "9-5", "PLUS"]}
    assert len(found["stock"]) == 54
    assert found["stock"] == sorted(found["stock"])
    assert "MINUS" in found["stock"]
    assert "PLUS" not in found["stock"]


def test_seed_repeats_the_deal() -> None:
    assert new("seed=7") == new("seed=7") != new("seed=8")


# A turn [7-10]


def test_plus_goes_to_any_free_space() -> None:
    state = position(hands={"p1": "PLUS 4+4"}, chips={"green": "b1", "blue": "c1"})
    assert starting(state, "play PLUS") == sorted(f"play PLUS {cell}" for cell in everywhere(state, "b1 c1").split())
    assert refusal(state, "play PLUS b1") == "b1 is covered"
    assert refusal(state, "play PLUS c1") == "c1 is covered"


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("jump", "'jump' is no action: there are play, swap, pass, talk, draw, forget, late, discard"),
        ("Play 4+4 i1", "'Play 4+4 i1' is no action"),
        ("play", "write it as 'play CARD CELL'"),
        ("play i1", "write it as 'play CARD CELL'"),
        ("play 4+4 i1 d6", "write it as 'play CARD CELL'"),
        ("play 4+4 I1", "'I1' is no space of this board"),
        ("play 4+4 i01", "'i01' is no space of this board"),
        ("play 4+4 i١", "is no space of this board"),
        ("play 4+4 k1", "'k1' is no space of this board"),
        ("play 4+4 a11", "'a11' is no space of this board"),
        ("play 17-9 i1", "there is no 17-9 in your hand"),
        ("play 4+04 i1", "there is no card 4+04 in this deck"),
        ("play =8 i1", "there is no card =8 in this deck"),
        ("play PLUS b2", "there is no PLUS in your hand"),
        ("play MINUS b2", "there is no chip on b2"),
        ("swap", "write it as 'swap CARD NEW'"),
        ("swap 17-9 1+1", "there is no 17-9 in your hand"),
        ("swap MINUS 1+1", "MINUS is never dead"),
        ("swap 1+0", "write it as 'swap 1+0 NEW'"),
        ("swap 1+0 4+4", "there is no 4+4 in the stock"),
        ("swap 1+0 1+1 2+1", "write it as 'swap 1+0 NEW'"),
        ("pass", "you can play 4+4 at i1"),
        ("pass now", "'pass' stands alone"),
        ("draw 1+1", "draw comes after a card has been played"),
        ("forget", "forget comes after a card has been played"),
        ("late 1+1", "nobody has a draw left from the turn before"),
        ("late", "nobody has a draw left from the turn before"),
        ("discard 4+4", "nobody has to discard a card now"),
        ("talk blue", "blue has one player, who has no mate to talk to"),
        ("talk red", "there is no side 'red': sides are blue, green"),
        ("talk", "write it as 'talk SIDE'"),
    ],
)
def test_refusals_in_main(action: str, why: str) -> None:
    state = position(hands={"p1": "4+4 MINUS 1+0"}, chips={"blue": "b1", "green": "j7"})
    assert why in refusal(state, action)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("play 1+1 c1", "p1 has played and draws now: there are draw and forget, not play"),
        ("swap 1+1 2+1", "not swap"),
        ("pass", "not pass"),
        ("talk blue", "not talk"),
        ("discard 1+1", "nobody has to discard a card now"),
        ("draw", "write it as 'draw NEW'"),
        ("draw 4+4", "there is no 4+4 in the stock"),
        ("draw 9", "there is no 9 in the stock"),
        ("draw 2+1 2+2", "write it as 'draw NEW'"),
        ("forget 2+1", "'forget' stands alone"),
        ("late 2+1", "nobody has a draw left"),
    ],
)
def test_refusals_in_draw(action: str, why: str) -> None:
    state, _ = play(position(hands={"p1": "4+4 1+1"}), "play 4+4 i1")
    assert why in refusal(state, action)


def test_draw_lists_each_card_once() -> None:
    state, _ = play(position(hands={"p1": "4+4 1+1"}), "play 4+4 i1")
    assert GAME.legal(state).count("draw PLUS") == 1
    assert GAME.record(state)["stock"].count("PLUS") == 2
    found = after(state, "draw PLUS")
    assert found["stock"].count("PLUS") == 1
    assert found["hands"]["p1"] == ["1+1", "PLUS"]


def test_covered_space_names_the_free_one() -> None:
    state = position(hands={"p1": "4+4"}, chips={"green": "i1"})
    assert refusal(state, "play 4+4 i1") == "i1 is covered: the free space is d6"
    dead = position(hands={"p1": "4+4"}, chips={"green": "i1 d6"})
    assert refusal(dead, "play 4+4 i1") == "i1 is covered, and so is the other space: 4+4 is dead"


@pytest.mark.parametrize("hand", ["", "PLUS", "4+4", "4+4 PLUS PLUS", "MINUS", "4+4 PLUS MINUS"])
def test_pass_when_nothing_can_be_played(hand: str) -> None:
    """A board full of own chips: MINUS has nothing to remove, PLUS nowhere to go. [10]"""
    state = position(hands={"p1": hand, "p2": "1+0"}, chips={"blue": EVERYWHERE})
    assert "pass" in GAME.legal(state)
    assert starting(state, "play") == []
    assert bool(starting(state, "swap 4+4")) == ("4+4" in hand)
    state, said = play(state, "pass")
    assert said == []
    found = GAME.record(state)
    assert (found["to_move"], found["phase"], found["passes"], found["hands"]["p1"]) == ("p2", "main", 1, sorted(hand.split()))


def test_pass_is_refused_when_minus_can_be_played() -> None:
    state = position(hands={"p1": "4+4 MINUS"}, chips={"blue": everywhere(new(), "b2"), "green": "b2"})
    assert GAME.legal(state)[0] == "play MINUS b2"
    assert refusal(state, "pass") == "you can play MINUS at b2"


def test_pass_may_come_before_the_exchange() -> None:
    state = position(hands={"p1": "4+4", "p2": "1+0"}, chips={"blue": "i1 d6"})
    assert GAME.legal(state)[0] == "pass"
    assert "pass" not in GAME.legal(play(state, "swap 4+4 1+1")[0])
    assert "pass" in GAME.legal(play(state, "swap 4+4 17-9")[0])


# The end without a winner [19]


def stuck(**changes: Any) -> State:
    return position(hands={"p1": "4+4", "p2": "1+0"}, chips={"blue": EVERYWHERE}, **changes)


def test_a_round_of_passes_ends_the_game() -> None:
    state, said = play(stuck(), "pass", "pass")
    assert said == [STUCK]
    assert GAME.outcome(state) == {"over": True, "winner": None, "reason": "stuck", "count": 0}
    found = GAME.record(state)
    assert (found["phase"], found["to_move"], found["passes"]) == ("over", "none", 2)
    assert (found["swapped"], found["owes"], found["resume"]) == (False, None, None)
    with pytest.raises(GameOver):
        GAME.do(state, "pass")
    assert GAME.legal(state) == []


def test_six_players_need_six_passes() -> None:
    state = position(players=6, sides=3, chips={"blue": EVERYWHERE}, passes=3, to_move="p5")
    state, said = play(state, "pass", "pass")
    assert said == []
    assert GAME.record(state)["passes"] == 5
    assert play(state, "pass")[1] == [STUCK]


def test_a_turn_with_an_exchange_sets_the_count_to_0() -> None:
    state, said = play(stuck(), "pass", "swap 1+0 2+2", "pass")
    assert said == []
    assert GAME.record(state)["passes"] == 0
    assert play(state, "pass", "pass")[1] == [STUCK]
    assert after(stuck(swapped=True, passes=1), "pass")["passes"] == 0


def test_a_played_card_sets_the_count_to_0() -> None:
    chips = {"blue": everywhere(new(), "b1"), "green": "b1"}
    state = position(hands={"p1": "4+4", "p2": "MINUS 2+2"}, chips=chips)
    state, said = play(state, "pass", "play MINUS c3")
    assert said == []
    assert GAME.record(state)["passes"] == 0


# Lost cards [11]


def test_own_forgetting_ends_the_late_draw_of_the_seat_before() -> None:
    state, said = play(position(hands=LATE), "play 4+4 i1", "forget", "play 1+1 c1", "forget")
    assert said == [lost("p1")]
    found = GAME.record(state)
    assert (found["owes"], found["to_move"], found["phase"]) == ("p2", "p1", "main")
    state, said = play(state, "late 1+0")
    assert said == []
    assert GAME.record(state)["hands"] == {"p1": ["23-3"], "p2": ["1+0", "28-1"]}


def test_a_pass_ends_the_late_draw() -> None:
    state = position(hands={"p1": "4+4", "p2": "17-9"}, chips={"blue": "i1"})
    state, said = play(state, "play 4+4 d6", "forget", "pass")
    assert said == [lost("p1")]
    found = GAME.record(state)
    assert (found["owes"], found["passes"], found["to_move"]) == (None, 1, "p1")


def test_an_exchange_does_not_end_the_late_draw() -> None:
    state = position(hands={"p1": "4+4", "p2": "17-9 1+1"}, chips={"blue": "i1"})
    state, said = play(state, "play 4+4 d6", "forget", "swap 17-9 2+1", "late 2+2", "play 2+1 d1", "draw 3+2")
    assert said == []
    assert GAME.record(state)["hands"] == {"p1": ["2+2"], "p2": ["1+1", "3+2"]}


def test_a_win_leaves_no_draw_owed() -> None:
    state = position(hands={"p1": "4+4", "p2": "2+2"}, chips={"green": "b1 c1 d1"})
    state, said = play(state, "play 4+4 i1", "forget", "play 2+2 e1")
    assert said == [made("green", "a1 b1 c1 d1 e1"), won("green")]
    assert GAME.record(state)["owes"] is None
    with pytest.raises(GameOver):
        GAME.do(state, "late 1+1")


def test_one_card_fewer_for_good() -> None:
    state, _ = play(position(hands=LATE), "play 4+4 i1", "forget", "play 1+1 c1", "draw 2+1", "play 23-3 b3", "draw 2+2")
    assert GAME.record(state)["hands"]["p1"] == ["2+2"]


# The stock [12]


def with_stock(stock: str, **changes: Any) -> State:
    """A position with this stock: the other cards that nobody holds lie on the discard of p2."""
    found = record(**changes)
    rest = Counter(found["stock"]) - Counter(stock.split())
    found["stock"] = stock.split()
    found["discards"]["p2"] = sorted(rest.elements())
    return GAME.position(found)


def test_the_last_card_drawn_brings_the_reshuffle() -> None:
    state, said = play(with_stock("17-9", hands={"p1": "4+4", "p2": "1+0"}), "play 4+4 i1")
    assert said == []
    assert GAME.legal(state) == ["draw 17-9", "forget"]
    state, said = play(state, "draw 17-9")
    assert said == [RESHUFFLE]
    found = GAME.record(state)
    assert found["discards"] == {"p1": [], "p2": []}
    assert len(found["stock"]) == 98
    assert found["stock"] == sorted(found["stock"])
    assert "4+4" in found["stock"]


def test_reshuffle_comes_before_the_lost_draw() -> None:
    state = with_stock("17-9", hands=LATE)
    assert play(state, "play 4+4 i1", "forget", "play 1+1 c1", "draw 17-9")[1] == [RESHUFFLE, lost("p1")]


def test_a_late_draw_may_reshuffle() -> None:
    state, said = play(with_stock("17-9", hands=LATE), "play 4+4 i1", "forget", "play 1+1 c1", "late 17-9")
    assert said == [RESHUFFLE]
    assert "draw 1+1" in GAME.legal(state)


def test_an_exchange_may_reshuffle_its_own_card() -> None:
    state = with_stock("17-9", hands={"p1": "4+4", "p2": "1+0"}, chips={"blue": "i1 d6"})
    assert starting(state, "swap") == ["swap 4+4 17-9"]
    state, said = play(state, "swap 4+4 17-9")
    assert said == [RESHUFFLE]
    assert "4+4" in GAME.record(state)["stock"]


# Table talk [13]


def test_talk_makes_every_member_discard() -> None:
    state = position(players=4, to_move="p2", hands={"p1": "4+4 1+1", "p2": "1+0", "p3": "2+2 PLUS", "p4": "3+3"})
    assert starting(state, "talk") == []
    state, said = play(state, "talk blue")
    assert said == []
    found = GAME.record(state)
    assert (found["phase"], found["to_move"], found["resume"]) == ("discard", "p1", "p2")
    assert GAME.legal(state) == ["discard 1+1", "discard 4+4"]
    assert refusal(state, "discard 2+2") == "there is no 2+2 in your hand"
    assert refusal(state, "discard") == "write it as 'discard CARD'"
    for action in ("pass", "talk blue", "play 4+4 i1", "draw 5+4", "late 5+4"):
        assert refusal(state, action) == "p1 must discard a card first, because his side has talked"
    state, said = play(state, "discard 4+4")
    assert said == []
    assert GAME.legal(state) == ["discard 2+2", "discard PLUS"]
    found = after(state, "discard PLUS")
    assert (found["phase"], found["to_move"], found["resume"]) == ("main", "p2", None)
    assert found["hands"] == {"p1": ["1+1"], "p2": ["1+0"], "p3": ["2+2"], "p4": ["3+3"]}
    assert found["discards"] == {"p1": ["4+4"], "p2": [], "p3": ["PLUS"], "p4": []}


@pytest.mark.parametrize(
    ("hands", "order"),
    [({"p2": "1+0", "p4": "3+3", "p6": "2+2"}, "p2 p4 p6"), ({"p4": "3+3"}, "p4"), ({"p2": "1+0", "p6": "2+2", "p1": "4+4"}, "p2 p6")],
)
def test_members_without_cards_are_left_out(hands: dict[str, str], order: str) -> None:
    state, _ = play(position(players=6, sides=2, to_move="p4", hands=hands), "talk green")
    seats = []
    while GAME.phase(state) == "discard":
        seats.append(GAME.to_move(state))
        state, _ = play(state, GAME.legal(state)[0])
    assert seats == order.split()
    assert GAME.to_move(state) == "p4"


def test_talk_without_cards_changes_nothing() -> None:
    state = position(players=4, hands={"p2": "1+0"})
    assert play(state, "talk blue") == (state, [])
    assert GAME.phase(play(state, "talk green")[0]) == "discard"


def test_talk_keeps_the_exchange_and_the_late_draw() -> None:
    hands = {"p1": "4+4", "p2": "17-9 1+1", "p3": "2+2"}
    state = position(players=4, hands=hands, chips={"blue": "i1"}, discards={"p4": "3+3"})
    state, _ = play(state, "play 4+4 d6", "forget", "swap 17-9 2+1", "talk blue")
    found = GAME.record(state)
    assert (found["swapped"], found["owes"], found["to_move"], found["resume"]) == (True, "p1", "p3", "p2")
    assert starting(state, "late") == []
    state, _ = play(state, "discard 2+2")
    found = GAME.record(state)
    assert (found["swapped"], found["owes"], found["to_move"], found["passes"]) == (True, "p1", "p2", 0)
    assert starting(state, "swap") == []
    assert "late 3+2" in GAME.legal(state)


def test_talk_keeps_the_count_of_passes() -> None:
    state = position(players=4, hands={"p1": "4+4", "p3": "1+1"}, chips={"blue": EVERYWHERE}, passes=3)
    state, said = play(state, "talk blue", "discard 4+4", "discard 1+1", "pass")
    assert said == [STUCK]


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3)])
def test_a_single_player_has_nobody_to_talk_to(players: int, sides: int) -> None:
    assert "has no mate" in refusal(position(players=players, sides=sides), "talk green")


# Sequences [14-18]


def test_sequences_of_all_directions_at_once() -> None:
    """A star of four lines around e5: east, south, south-east, south-west."""
    rays = "c5 d5 f5 g5 e3 e4 e6 e7 c3 d4 f6 g7 g3 f4 d6 c7"
    state = position(hands={"p1": "PLUS"}, chips={"blue": rays})
    state, said = play(state, "play PLUS e5")
    star = ["c5 d5 e5 f5 g5", "e3 e4 e5 e6 e7", "c3 d4 e5 f6 g7", "g3 f4 e5 d6 c7"]
    assert said == [*(made("blue", cells) for cells in star), won("blue")]
    assert GAME.outcome(state) == {"over": True, "winner": "blue", "reason": "sequences", "count": 4}


def test_an_earlier_sequence_hinders_only_what_shares_two_chips_with_it() -> None:
    earlier = "c5 d5 e5 f5 g5"
    chips = f"{earlier} e6 e7 e8"
    state = position(players=4, hands={"p1": "PLUS"}, chips={"blue": chips}, sequences=[("blue", earlier)])
    assert play(state, "play PLUS e9")[1] == [made("blue", "e5 e6 e7 e8 e9"), won("blue")]


def test_the_other_sides_sequence_hinders_nothing() -> None:
    state = position(
        players=4,
        hands={"p1": "PLUS"},
        chips={"blue": "b1 c1 d1", "green": "f1 g1 h1 i1"},
        sequences=[("green", "f1 g1 h1 i1 j1")],
    )
    assert play(state, "play PLUS e1")[1] == [made("blue", "a1 b1 c1 d1 e1")]


def test_corners_are_shared_freely() -> None:
    earlier = "a1 b1 c1 d1 e1"
    state = position(players=4, hands={"p1": "PLUS"}, chips={"blue": "b1 c1 d1 e1 b2 c3 d4"}, sequences=[("blue", earlier)])
    assert play(state, "play PLUS e5")[1] == [made("blue", "a1 b2 c3 d4 e5"), won("blue")]


def test_windows_without_the_new_chip_are_not_judged() -> None:
    state = position(players=4, hands={"p1": "PLUS"}, chips={"blue": "a5 b5 c5 d5 e5"})
    state, said = play(state, "play PLUS j8")
    assert said == []
    assert GAME.record(state)["sequences"] == []


def test_three_teams_need_two_sequences() -> None:
    state = position(players=6, sides=3, to_move="p3", hands={"p3": "PLUS"}, chips={"red": "b1 c1 d1"})
    state, said = play(state, "play PLUS e1")
    assert said == [made("red", "a1 b1 c1 d1 e1")]
    assert GAME.phase(state) == "draw"


def test_three_players_need_one_sequence() -> None:
    state = position(players=3, to_move="p3", hands={"p3": "PLUS"}, chips={"red": "b1 c1 d1"})
    assert play(state, "play PLUS e1")[1] == [made("red", "a1 b1 c1 d1 e1"), won("red")]


def test_mates_build_one_sequence() -> None:
    state = position(players=4, hands={"p1": "2+2", "p3": "PLUS"}, chips={"blue": "b1 c1"}, to_move="p1")
    state, _ = play(state, "play 2+2 e1", "forget")
    assert GAME.record(state)["chips"]["e1"] == "blue"
    state = position(players=4, to_move="p3", hands={"p3": "PLUS"}, chips={"blue": "b1 c1 e1"})
    assert play(state, "play PLUS d1")[1] == [made("blue", "a1 b1 c1 d1 e1")]


def test_a_locked_chip_stays_after_its_side_could_lose_it() -> None:
    state = position(players=4, hands={"p1": "PLUS", "p2": "MINUS"}, chips={"blue": "a5 b5 c5 d5 j8"}, sequences=[])
    state, _ = play(state, "play PLUS e5", "forget")
    assert starting(state, "play MINUS") == ["play MINUS j8"]


# What a seat may know


def test_view_shows_the_own_hand_alone() -> None:
    state = position(players=4, hands={"p1": "4+4 1+1", "p3": "2+2"}, discards={"p2": "3+3"})
    shown = GAME.view(state, "p3")
    assert shown["hands"] == {"p1": 2, "p2": 0, "p3": ["2+2"], "p4": 0}
    assert shown["stock"] == 96
    assert shown["discards"]["p2"] == ["3+3"]
    assert set(shown) == set(GAME.record(state))


def test_outcome_before_the_end() -> None:
    assert GAME.outcome(new()) == {"over": False}


def test_there_are_no_matches() -> None:
    with pytest.raises(BadArgument, match="no matches"):
        GAME.match(new())
    with pytest.raises(BadArgument, match="no matches"):
        GAME.next(new(), Options())
