"""Sequence Numbers: what a position must be. Every check with its sentence, several problems together."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.sequence_numbers.rules import SequenceNumbers

GAME = SequenceNumbers()
LINE = ["a5", "b5", "c5", "d5", "e5"]
Record = dict[str, Any]
Change = Callable[[Record], object]


def record(words: str = "", changes: Record | None = None) -> Record:
    """The beginning of a game with named hands, some keys changed."""
    hands = {
        "2": "p1=4+4,5+4,1+1,2+1,PLUS p2=1+0,3-2,5-3,7-4,9-5",
        "4": "p1=4+4,5+4,1+1,PLUS p2=1+0,3-2,5-3,7-4 p3=2+2,3+2,3+3,4+3 p4=5+5,6+5,6+6,7+6",
    }
    players = "4" if "players=4" in words else "2"
    deal = "" if "hidden" in words or "seed" in words else hands[players]
    found: Record = GAME.record(Session.new(GAME, Options.parse(f"{words} {deal}".split())).state)
    return {**json.loads(json.dumps(found)), **(changes or {})}


def problem(found: Any) -> str:
    """The sentence that refuses a position."""
    with pytest.raises(BadArgument) as refused:
        GAME.position(found)
    return str(refused.value)


def moved(found: Record, seat: str, count: int = 1) -> Record:
    """Some cards of a hand go back to the stock."""
    for _ in range(count):
        found["stock"].append(found["hands"][seat].pop())
    return found


def test_the_record_of_a_position_is_the_position() -> None:
    found = record("players=4")
    assert GAME.record(GAME.position(found)) == found
    assert set(found) == set(
        "game cards phase to_move board players sides first hands stock discards chips sequences swapped owes resume passes".split()
    )


def test_multisets_need_not_be_sorted() -> None:
    found = record()
    shuffled = {**found, "stock": found["stock"][::-1], "hands": {seat: hand[::-1] for seat, hand in found["hands"].items()}}
    assert GAME.record(GAME.position(shuffled)) == found


def test_cells_of_a_sequence_are_put_in_reading_order() -> None:
    chips = dict.fromkeys("e1 d2 c3 b4 a5".split(), "blue")
    sequence = {"side": "blue", "cells": "a5 b4 c3 d2 e1".split()}
    found = record("players=4", {"chips": chips, "sequences": [sequence]})
    assert GAME.record(GAME.position(found))["sequences"] == [{"side": "blue", "cells": "e1 d2 c3 b4 a5".split()}]


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("cards", "shut", "cards: allowed are open, hidden"),
        ("phase", "over", "phase: allowed are main, draw, discard"),
        ("phase", None, "phase: allowed are"),
        ("to_move", "p3", "to_move: allowed are p1, p2"),
        ("to_move", "none", "to_move: allowed are p1, p2"),
        ("board", "house9", "board 'house9': there is no such file"),
        ("board", None, "board: a text is needed"),
        ("board", "x\0y", "board 'x\\x00y'"),
        ("board", "\ud800", "board '\\ud800'"),
        ("board", "x" * 5000, "board '"),
        ("players", 5, "players: allowed are 2, 3, 4, 6"),
        ("players", True, "players: a whole number"),
        ("players", 2.0, "players: a whole number"),
        ("players", "2", "players: a whole number"),
        ("sides", ["green", "blue"], "sides: 2 players are blue, green"),
        ("sides", ["blue", "green", "red"], "sides: 2 players are blue, green"),
        ("sides", 2, "sides: 2 players are blue, green"),
        ("first", "p3", "first: allowed are p1, p2"),
        ("hands", [], "hands: a JSON object is needed"),
        ("hands", {"p1": []}, "hands.p2 is missing"),
        ("hands", {"p1": [], "p2": [], "p3": []}, "hands.p3 is unknown"),
        ("hands", {"p1": 5, "p2": 5}, "hands.p1: a list of card is needed"),
        ("stock", 90, "stock: a list of card is needed"),
        ("stock", [8], "stock: 8 is no card"),
        ("discards", {"p1": []}, "discards.p2 is missing"),
        ("chips", [], "chips: an object of cells and sides is needed"),
        ("chips", {"a1": "blue"}, "chips: a1 is a corner, no chip goes there"),
        ("chips", {"k1": "blue"}, "chips: 'k1' is no space of the board"),
        ("chips", {"b01": "blue"}, "chips: 'b01' is no space of the board"),
        ("chips", {"b1": "red"}, "chips: the chip on b1 must be blue or green"),
        ("chips", {"b1": ["blue"]}, "chips: the chip on b1 must be blue or green"),
        ("chips", {"b1": None}, "chips: the chip on b1 must be blue or green"),
        ("sequences", {}, "sequences: a list is needed"),
        ("sequences", [LINE], "sequences[0]: a JSON object is needed"),
        ("sequences", [{"side": "red", "cells": LINE}], "sequences[0].side: allowed are blue, green"),
        ("sequences", [{"side": "blue", "cells": "a5"}], "sequences[0].cells: a list"),
        ("sequences", [{"side": "blue", "cells": LINE, "x": 1}], "sequences[0].x is unknown"),
        ("swapped", 0, "swapped: true or false is needed"),
        ("swapped", None, "swapped: true or false is needed"),
        ("owes", "p3", "owes: allowed are p1, p2"),
        ("owes", False, "owes: allowed are p1, p2"),
        ("resume", "p3", "resume: allowed are p1, p2"),
        ("passes", -1, "passes: a whole number 0 or more is needed"),
        ("passes", False, "passes: a whole number 0 or more is needed"),
        ("passes", None, "passes: a whole number 0 or more is needed"),
        ("passes", 2, "passes: the game has ended when all players have passed in a row"),
        ("resume", "p1", "resume: set in phase discard and in no other"),
    ],
)
def test_values_that_cannot_be(key: str, value: Any, why: str) -> None:
    assert why in problem(record(changes={key: value}))


@pytest.mark.parametrize("key", list(record()))
def test_every_key_is_needed(key: str) -> None:
    found = record()
    del found[key]
    assert f"{key} is missing" in problem(found)


def test_no_other_key_is_taken() -> None:
    assert "winner is unknown" in problem(record(changes={"winner": None}))
    assert "a JSON object is needed" in problem([])


# The cards


CARDS: dict[str, tuple[Change, list[str]]] = {
    "one too few": (lambda found: found["stock"].remove("4+3"), ["card 4+3: 0 of 1"]),
    "one too many": (lambda found: found["discards"]["p1"].append("4+4"), ["card 4+4: 2 of 1"]),
    "a stranger": (lambda found: found["stock"].append("=8"), ["there is no card '=8' in the deck"]),
    "a changed one": (lambda found: found["stock"].__setitem__(0, "04+4"), ["there is no card '04+4'", "card 10+10: 0 of 1"]),
    "a hand too large": (lambda found: found["hands"]["p2"].append(found["stock"].pop()), ["hands.p2: 6 cards, 5 is the most"]),
    "an empty stock": (
        lambda found: (found["discards"]["p1"].extend(found["stock"]), found["stock"].clear()),
        ["stock: empty, although there are discards that must have become the stock"],
    ),
}


@pytest.mark.parametrize(("change", "why"), CARDS.values(), ids=CARDS.keys())
def test_cards_are_conserved(change: Change, why: list[str]) -> None:
    found = record()
    change(found)
    said = problem(found)
    assert all(part in said for part in why), said


HIDDEN: dict[str, tuple[Change, str]] = {
    "one too many": (lambda found: found.__setitem__("stock", 91), "101 cards in all: there are 100"),
    "one too few": (lambda found: found.__setitem__("stock", 89), "99 cards in all: there are 100"),
    "more than a deck": (lambda found: found.__setitem__("stock", 10**30), "stock: a whole number from 0 to 100 is needed"),
    "a list": (lambda found: found.__setitem__("stock", []), "stock: a whole number"),
    "a truth": (lambda found: found["hands"].__setitem__("p1", True), "hands.p1: a whole number"),
    "a large hand": (lambda found: found.update(stock=89, hands={"p1": 6, "p2": 5}), "hands.p1: 6 cards, 5 is the most"),
    "three of a kind": (lambda found: found.update(stock=87, discards={"p1": ["=8"] * 3, "p2": []}), "card =8: 3 of 2"),
    "a named card": (lambda found: found.update(stock=89, discards={"p1": ["4+4"], "p2": []}), "there is no card '4+4' in the deck"),
    "no stock": (lambda found: found.update(stock=0), "10 cards in all: there are 100"),
}


@pytest.mark.parametrize(("change", "why"), HIDDEN.values(), ids=HIDDEN.keys())
def test_hidden_cards_are_conserved(change: Change, why: str) -> None:
    found = record("cards=hidden")
    change(found)
    assert why in problem(found)


def test_hidden_position() -> None:
    found = record("cards=hidden", {"stock": 87, "discards": {"p1": ["=8", "PLUS"], "p2": ["MINUS"]}})
    assert GAME.record(GAME.position(found)) == found


# Sequences


def with_sequences(*sequences: tuple[str, str], chips: str = "", words: str = "players=4") -> Record:
    """A position with these sequences and chips of blue."""
    found = record(words)
    found["chips"] = dict.fromkeys(chips.split(), "blue")
    found["sequences"] = [{"side": side, "cells": cells.split()} for side, cells in sequences]
    return found


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ("a5 b5 c5 d5", "sequences[0]: these are not 5 cells in a line"),
        ("a5 b5 c5 d5 f5", "not 5 cells in a line"),
        ("a5 b5 c5 d5 e6", "not 5 cells in a line"),
        ("a5 b5 c5 d5 e5 f5", "not 5 cells in a line"),
        ("a5 b5 c5 d5 d5", "not 5 cells in a line"),
        ("a5 a5 b5 c5 d5 e5", "not 5 cells in a line"),
        ("a5 b5 c5 d5 z5", "not 5 cells in a line"),
        ("", "not 5 cells in a line"),
        ("b5 c5 d5 e5 f5", "sequence b5-c5-d5-e5-f5: not all its chips are blue"),
    ],
)
def test_a_sequence_is_five_own_chips_in_a_line(cells: str, why: str) -> None:
    assert why in problem(with_sequences(("blue", cells), chips="a5 b5 c5 d5 e5"))


def test_a_corner_needs_no_chip() -> None:
    found = with_sequences(("blue", "a1 b1 c1 d1 e1"), chips="b1 c1 d1 e1")
    assert GAME.record(GAME.position(found)) == found


def test_the_chips_of_a_sequence_are_its_sides() -> None:
    assert "not all its chips are green" in problem(with_sequences(("green", "a5 b5 c5 d5 e5"), chips="a5 b5 c5 d5 e5"))


def test_sequences_share_one_chip_at_most_and_two_have_won() -> None:
    said = problem(with_sequences(("blue", "a5 b5 c5 d5 e5"), ("blue", "d5 e5 f5 g5 h5"), chips="a5 b5 c5 d5 e5 f5 g5 h5"))
    assert "sequence d5-e5-f5-g5-h5: shares more than one chip with a5-b5-c5-d5-e5" in said
    assert "sequences: blue has 2 or more, the game is decided" in said
    said = problem(with_sequences(("blue", "a5 b5 c5 d5 e5"), ("blue", "e5 f5 g5 h5 i5"), chips="a5 b5 c5 d5 e5 f5 g5 h5 i5"))
    assert said == "sequences: blue has 2 or more, the game is decided"


def test_one_sequence_has_won_for_two_players() -> None:
    found = with_sequences(("blue", "a5 b5 c5 d5 e5"), chips="a5 b5 c5 d5 e5", words="")
    assert problem(found) == "sequences: blue has 1 or more, the game is decided"


def test_a_line_that_nobody_recorded_is_taken() -> None:
    found = with_sequences(chips="a5 b5 c5 d5 e5 f5 g5 h5 i5", words="")
    assert GAME.phase(GAME.position(found)) == "main"


# Phases and seats


def test_in_draw_the_mover_has_played() -> None:
    assert "hands.p1: full in phase draw, a card has been played before" in problem(record(changes={"phase": "draw"}))
    found = moved(record(changes={"phase": "draw", "swapped": True}), "p1")
    assert GAME.legal(GAME.position(found))[-1] == "forget"
    assert problem({**found, "passes": 1}) == "passes: 0 after a card has been played"


def test_owes_is_the_seat_before() -> None:
    found = moved(record("players=4", {"owes": "p4"}), "p4")
    assert GAME.record(GAME.position(found))["owes"] == "p4"
    assert problem({**found, "passes": 1}) == "passes: 0 after a card has been played"
    for seat in ("p1", "p2", "p3"):
        found = moved(record("players=4", {"owes": seat}), seat)
        assert problem(found) == f"owes: {seat} is not the seat before the one whose turn it is"
    assert problem(record("players=4", {"owes": "p4"})) == "hands.p4: full, but this seat owes a draw"


def test_owes_while_others_discard() -> None:
    found = moved(record("players=4", {"phase": "discard", "to_move": "p3", "resume": "p2", "owes": "p1"}), "p1")
    assert GAME.record(GAME.position(found))["owes"] == "p1"
    assert "owes: p2 is not the seat before" in problem(moved({**found, "owes": "p2"}, "p2"))


def test_resume_is_set_in_discard() -> None:
    assert "resume: set in phase discard and in no other" in problem(record("players=4", {"phase": "discard"}))
    found = record("players=4", {"phase": "discard", "resume": "p1", "to_move": "p1", "passes": 3})
    assert GAME.record(GAME.position(found)) == found


def test_the_discarding_seat_has_a_card_and_a_mate() -> None:
    found = moved(record("players=4", {"phase": "discard", "resume": "p1", "to_move": "p2"}), "p2", 4)
    assert problem(found) == "hands.p2: empty, but this seat must discard"
    assert problem(record(changes={"phase": "discard", "resume": "p1"})) == "to_move: p1 has no mate to have talked to"


@pytest.mark.parametrize("passes", [1, 3])
def test_passes_of_rounds_that_go_on(passes: int) -> None:
    found = record("players=4", {"passes": passes, "swapped": True})
    assert GAME.record(GAME.position(found)) == found


def test_every_problem_is_listed() -> None:
    found = record(
        "players=4", {"phase": "draw", "resume": "p2", "passes": 7, "owes": "p2", "chips": {"a1": "blue", "z9": "blue", "b1": 1}}
    )
    found["stock"].remove("8+8")
    found["sequences"] = [{"side": "blue", "cells": ["a5"]}]
    said = problem(found)
    for part in ("card 8+8", "a1 is a corner", "'z9' is no space", "chip on b1", "sequences[0]", "full in phase draw", "resume:"):
        assert part in said
    assert said.count("passes:") == 2
    assert "owes: p2 is not" in said
    assert "hands.p2: full" in said


@pytest.mark.parametrize(
    ("options", "needed", "written"),
    [
        ("players=6 sides=3", 2, False),
        ("players=6 sides=3 sequences=1", 1, True),
        ("players=6 sides=3 sequences=2", 2, False),
        ("players=2", 1, False),
        ("players=2 sequences=2", 2, True),
    ],
)
def test_how_many_sequences_win_is_written_only_if_unusual(options: str, needed: int, written: bool) -> None:
    game = SequenceNumbers()
    state = Session.new(game, Options.parse(options.split())).state
    found = game.record(state)
    assert state.setup.needed == needed
    assert ("needed" in found) == written
    assert game.position(found).setup.needed == needed


@pytest.mark.parametrize("sequences", ["0", "3", "x"])
def test_one_or_two_sequences_win(sequences: str) -> None:
    with pytest.raises(BadArgument, match="sequences"):
        Session.new(SequenceNumbers(), Options.parse([f"sequences={sequences}"]))
