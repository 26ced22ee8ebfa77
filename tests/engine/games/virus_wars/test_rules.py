"""Virus Wars: the table "Cases" of docs/rules/virus_wars.md row by row, then what each rule and each check says."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, GameError, GameOver, IllegalAction
from underboard.engine.gamekit.game import Announcement
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.virus_wars.rules import VirusWars
from underboard.engine.games.virus_wars.state import SEATS, State
from underboard.engine.scripting.rules_protocol import RulesProtocol, to_json

GAME = VirusWars()
TURN_TO_RED = {"say": "turn", "seat": "red"}
EXAMPLE = """
    .......b.
    .......b.
    .........
    ...B.....
    .........
    ....RR...
    .....R...
    ......R..
    ........."""
EXAMPLE_TARGETS = "c3 c4 c5 d3 d5 e3 e4 e5"


def record(board: str, **changes: Any) -> dict[str, Any]:
    """A position with blue at step 1, both sides opened."""
    rows = board.split()
    opened = {"blue": True, "red": True}
    described = {"game": "virus_wars", "phase": "play", "to_move": "blue", "step": 1, "width": len(rows[0]), "height": len(rows)}
    return {**described, "rows": rows, "opened": opened, "edges": "seed", **changes}


def position(board: str, **changes: Any) -> State:
    return GAME.position(record(board, **changes))


def new(*words: str) -> State:
    return Session.new(GAME, Options.parse(words)).state


def play(state: State, actions: str) -> tuple[State, list[Announcement]]:
    """The state after several actions, and all that was announced."""
    heard: list[Announcement] = []
    for action in actions.split():
        state, said = GAME.do(state, action)
        heard += said
    return state, heard


def absorbed(cells: str) -> list[Announcement]:
    return [{"say": "absorbed", "cell": cell} for cell in cells.split()]


def won(seat: str) -> Announcement:
    return {"say": "win", "seat": seat, "reason": "stuck"}


def lost(state: State, winner: str) -> bool:
    """Whether everything says that the game is over."""
    assert GAME.over(state) == (GAME.phase(state) == "over") == (GAME.to_move(state) == "none") == (not GAME.legal(state))
    return GAME.outcome(state) == {"over": True, "winner": winner, "reason": "stuck"}


def refusal(state: State, action: str) -> str:
    """The sentence that refuses an action."""
    with pytest.raises(IllegalAction) as refused:
        GAME.do(state, action)
    return str(refused.value)


def problems(board: str, **changes: Any) -> str:
    """The sentence that refuses a position."""
    with pytest.raises(BadArgument) as refused:
        position(board, **changes)
    return str(refused.value)


# The table "Cases"


def test_example_has_eight_accessible_cells_around_d4() -> None:
    assert GAME.legal(position(EXAMPLE)) == EXAMPLE_TARGETS.split()


def test_example_e5_opens_five_cells() -> None:
    after, said = play(position(EXAMPLE), "e5")
    assert said == []
    assert set(GAME.legal(after)) == set(EXAMPLE_TARGETS.split()) - {"e5"} | set("f4 f5 d6 e6 f6".split())


@pytest.mark.parametrize("order", ["e6 f6 f7 g8", "f6 e6 f7 g8"])
def test_example_red_is_judged_after_five_steps(order: str) -> None:
    after, said = play(position(EXAMPLE), f"e5 {order}")
    assert said == [*absorbed(order), TURN_TO_RED, won("blue")]
    assert lost(after, "blue")
    assert GAME.record(after)["rows"][3:8] == ["...B.....", "....B....", "....bb...", ".....b...", "......b.."]


def test_example_goes_on_with_a_red_virus_elsewhere() -> None:
    after, said = play(position(EXAMPLE[:-1] + "R"), "e5 e6 f6 f7 g8")
    assert said == [*absorbed("e6 f6 f7 g8"), TURN_TO_RED]
    assert GAME.legal(after) == ["h8", "h9", "i8"]
    assert GAME.outcome(after) == {"over": False}


def test_example_g8_waits_for_f7() -> None:
    state, _ = play(position(EXAMPLE), "e5 f6 e6")
    assert "touches neither" in refusal(state, "g8")
    state, _ = play(state, "f7")
    assert play(state, "g8")[1][0] == {"say": "absorbed", "cell": "g8"}


@pytest.mark.parametrize("before", ["", "e5", "e5 e6", "e5 e6 f6", "e5 e6 f6 f7"])
@pytest.mark.parametrize("cell", "g1 g2 g3 h3 i1 i2 i3".split())
def test_example_nothing_near_the_lone_zombies(before: str, cell: str) -> None:
    state, _ = play(position(EXAMPLE), before)
    assert refusal(state, cell) == f"{cell} touches only zombies of yours that no chain links to a virus of yours"


def test_first_virus_of_blue_goes_right() -> None:
    state = new()
    assert GAME.legal(state) == "k1 k10 k11 k2 k3 k4 k5 k6 k7 k8 k9".split()
    assert play(state, "k6")[1] == []
    side = "is not on the right edge: your first virus goes on an empty cell there"
    assert refusal(state, "a6") == f"a6 {side}"
    assert refusal(state, "f6") == f"f6 {side}"


ACCESSIBLE = {
    "a chain of zombies": ("B... .b.. ..b. ....", "a2 a3 b1 b3 b4 c1 c2 c4 d2 d3 d4"),
    "a broken chain": ("B... .... ..b. ....", "a2 b1 b2"),
    "diagonal, zombies never": ("Br.. r... .... ....", "b2"),
    "enemy viruses, no enemy zombies": ("BR. rR. ...", "b1 b2"),
    "a chain through one corner": (
        "B....... .b....b. ..b..b.. ...bb...",
        "a2 a3 b1 b3 b4 c1 c2 c4 d2 d3 e2 e3 f1 f2 f4 g1 g3 g4 h1 h2 h3",
    ),
    "a chain to an enemy virus": ("Bb.. ..bR r..r", "a2 b2 b3 c1 c3 d1 d2"),
    "a chain does not wrap around an edge": ("B..b b... .... ....", "a3 b1 b2 b3"),
    "one column": ("B . . b .", "a2"),
    "one row": ("Bbb.R", "d1"),
}


@pytest.mark.parametrize(("board", "cells"), ACCESSIBLE.values(), ids=ACCESSIBLE)
def test_accessible(board: str, cells: str) -> None:
    assert GAME.legal(position(board)) == cells.split()


def test_zombies_alone_have_lost() -> None:
    assert lost(position("bbb. .b.. .... ...R"), "red")


FIVE = [
    order for order in permutations("b1 a2 b2 a3 b3".split()) if min(map(order.index, ("a2", "b2"))) < min(map(order.index, ("a3", "b3")))
]
"""Every order in which the lower two cells touch something when their step comes."""


@pytest.mark.parametrize("order", [" ".join(order) for order in FIVE])
def test_exactly_five_steps(order: str) -> None:
    after, said = play(position("B.r ..r ..r rrr"), order)
    assert said == [TURN_TO_RED, won("blue")]
    assert lost(after, "blue")
    assert GAME.record(after)["step"] == 1


@pytest.mark.parametrize("order", ["b1 a2 b2 b3", "b2 b3 a2 b1", "a2 b3 b2 b1", "b1 b2 b3 a2"])
def test_exactly_four_steps(order: str) -> None:
    after, said = play(position("B.r ..r r.r rrr"), order)
    assert said == [won("red")]
    assert lost(after, "red")
    assert GAME.record(after) == record("BBr BBr rBr rrr", phase="over", to_move="none", step=5)


def test_no_second_opening() -> None:
    state = position("......... ......... .r....... ..R......")
    assert lost(state, "red")
    with pytest.raises(GameOver):
        GAME.do(state, "i1")


# First viruses [6]


def test_a_turn_opens_and_goes_on_for_four_steps() -> None:
    state = new()
    for step, cell in enumerate("k6 j6 i6 h6 g6".split(), start=1):
        assert GAME.record(state)["step"] == step
        assert GAME.to_move(state) == "blue"
        state, said = GAME.do(state, cell)
        assert said == ([TURN_TO_RED] if step == 5 else [])
    shown = GAME.record(state)
    assert (shown["to_move"], shown["step"], shown["opened"]) == ("red", 1, {"blue": True, "red": False})
    assert GAME.legal(state) == "a1 a10 a11 a2 a3 a4 a5 a6 a7 a8 a9".split()
    assert "left edge" in refusal(state, "k1")
    assert GAME.record(play(state, "a1")[0])["opened"] == {"blue": True, "red": True}


def test_mirrored_edges() -> None:
    state = new("edges=mirrored")
    assert "left edge" in refusal(state, "k6")
    state, _ = play(state, "a6 b6 c6 d6 e6")
    assert "right edge" in refusal(state, "a1")
    assert GAME.record(play(state, "k1")[0])["edges"] == "mirrored"


def test_first_virus_needs_an_empty_cell_and_no_neighbour() -> None:
    state = position("B... b... .... ....", to_move="red", opened={"blue": True, "red": False})
    assert GAME.legal(state) == ["a3", "a4"]
    assert refusal(state, "a1") == "a1 holds a virus of blue: your first virus needs an empty cell"
    assert "zombie of blue" in refusal(state, "a2")
    after, said = play(state, "a4")
    assert said == []
    assert GAME.legal(after) == ["a3", "b3", "b4"]


def test_a_full_edge_column_before_the_opening_loses() -> None:
    unopened = {"blue": True, "red": False}
    assert lost(position("B.. B.. b..", to_move="red", opened=unopened), "blue")
    after, said = play(position("B.. B.. ...", step=5, opened=unopened), "a3")
    assert said == [TURN_TO_RED, won("blue")]
    assert lost(after, "blue")


def test_one_column_is_both_edges() -> None:
    nobody = {"blue": False, "red": False}
    assert GAME.legal(position(". .", opened=nobody)) == GAME.legal(position(". .", opened=nobody, to_move="red")) == ["a1", "a2"]
    assert GAME.legal(play(position(". . . .", opened=nobody), "a2")[0]) == ["a1", "a3"]


# Steps, turns and the end [3-5, 7]


def test_stuck_inside_a_turn_keeps_the_steps_made() -> None:
    after, said = play(position("BRr rrr ..R", step=2), "b1")
    assert said == [*absorbed("b1"), won("red")]
    assert GAME.record(after) == record("Bbr rrr ..R", phase="over", to_move="none", step=3)


def test_absorbing_links_lone_zombies() -> None:
    state, _ = play(position("BR.b. ..b.. ..... R...."), "b1")
    assert GAME.legal(state) == "a2 b2 b3 c1 c3 d2 d3 e1 e2".split()


def test_a_new_virus_links_lone_zombies() -> None:
    state, _ = play(position("B.b.b R...."), "b1")
    assert GAME.legal(state) == "a2 b2 c2 d1 d2".split()
    assert GAME.legal(play(state, "d1")[0]) == "a2 b2 c2 d2 e2".split()


def test_zombies_die_with_the_last_virus_that_feeds_them() -> None:
    state = position("RBb. ...b", to_move="red", step=5)
    after, said = play(state, "b1")
    assert said == [*absorbed("b1"), {"say": "turn", "seat": "blue"}, won("red")]
    assert lost(after, "red")


# Refusals


REFUSALS = [
    ("a1", "a1 holds a virus of your own"),
    ("b1", "b1 holds a zombie of your own: zombies stay for ever"),
    ("c1", "c1 holds a zombie of red: zombies are never a target"),
    ("e1", "e1 touches neither a virus of yours nor a zombie linked to one"),
    ("e4", "e4 touches neither a virus of yours nor a zombie linked to one"),
    ("c4", "c4 touches only zombies of yours that no chain links to a virus of yours"),
    ("f1", "f1 is not on this board: its cells are a1 to e4"),
    ("a5", "a5 is not on this board: its cells are a1 to e4"),
    ("z99", "z99 is not on this board: its cells are a1 to e4"),
]


@pytest.mark.parametrize(("action", "reason"), REFUSALS)
def test_refused(action: str, reason: str) -> None:
    assert refusal(position("Bbr.. ..... ..... .b..R"), action) == reason


@pytest.mark.parametrize(
    "action", ["A2", "a02", "a0", "2a", "a", "2", "a2 b2", "a-2", "a²", "a٢", "ａ2", "a" * 99, "a" + "9" * 99, "'", "{}", "pass"]
)
def test_refused_as_no_cell(action: str) -> None:
    assert refusal(new(), action) == f"'{action}' is no cell: a step is a cell from a1 to k11"


# Options


@pytest.mark.parametrize(
    ("words", "size"),
    [("", (11, 11)), ("size=6", (6, 6)), ("size=20", (20, 20)), ("width=6 height=20", (6, 20)), ("height=7 width=13 edges=seed", (13, 7))],
)
def test_board_sizes(words: str, size: tuple[int, int]) -> None:
    shown = GAME.record(new(*words.split()))
    assert (shown["width"], shown["height"]) == size
    assert shown["rows"] == ["." * size[0]] * size[1]
    assert (shown["to_move"], shown["step"], shown["opened"]) == ("blue", 1, {"blue": False, "red": False})
    assert shown["edges"] == "seed"


BAD_OPTIONS = """
    size=5, size=21, size=, size=x, size=-6, size=1e1, size=٧, size=9 size=9,
    width=11, height=11, width=5 height=9, width=9 height=21, size=9 width=9, size=9 height=9, size=9 width=9 height=9,
    edges=left, edges=, cards=open, seed=1, blue="""


@pytest.mark.parametrize("words", BAD_OPTIONS.split(","))
def test_refused_options(words: str) -> None:
    with pytest.raises(BadArgument):
        new(*words.split())


def test_width_needs_height() -> None:
    with pytest.raises(BadArgument, match="width: give size alone, or both width and height"):
        new("width=9")


# Positions


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"game": "spy"}, "game: allowed are virus_wars"),
        ({"phase": "over"}, "phase: allowed are play"),
        ({"to_move": "none"}, "to_move: allowed are blue, red"),
        ({"to_move": []}, "to_move: allowed are blue, red"),
        ({"step": 0}, "step: a whole number from 1 to 5 is needed"),
        ({"step": 6}, "step: a whole number from 1 to 5 is needed"),
        ({"step": True}, "step: a whole number from 1 to 5 is needed"),
        ({"step": 1.0}, "step: a whole number from 1 to 5 is needed"),
        ({"width": 0}, "width: a whole number from 1 to 26 is needed"),
        ({"width": 27}, "width: a whole number from 1 to 26 is needed"),
        ({"height": "4"}, "height: a whole number from 1 to 26 is needed"),
        ({"width": 3}, "rows: row 1 has 4 cells, not 3 as width says; rows: row 2 has 4 cells, not 3 as width says"),
        ({"height": 3}, "rows: there are 2, not 3 as height says"),
        ({"rows": ["B..", "....R"]}, "rows: row 1 has 3 cells, not 4 as width says; rows: row 2 has 5 cells, not 4 as width says"),
        ({"rows": "B......R"}, "rows: a list of row of letters is needed"),
        ({"rows": ["B...", 7]}, "rows: 7 is no row of letters"),
        ({"rows": ["B.x.", "y..R"]}, "'x' in row 1 is no piece, pieces are . B R b r; rows: 'y' in row 2 is no piece"),
        ({"rows": ["B\n..", "...R"]}, r"'\n' in row 1"),
        ({"opened": {"blue": False, "red": True}}, "opened.blue: there are pieces of blue, so the first virus has been placed"),
        ({"rows": ["B...", "...r"], "opened": {"blue": True, "red": False}}, "opened.red: there are pieces of red"),
        ({"opened": {"blue": 1, "red": True}}, "opened.blue: true or false is needed"),
        ({"opened": {"blue": True}}, "opened.red is missing"),
        ({"opened": None}, "opened: a JSON object is needed"),
        ({"rows": ["....", "...R"], "opened": {"blue": False, "red": True}, "step": 2}, "step: blue has not opened, so the step due is 1"),
        ({"edges": "left"}, "edges: allowed are seed, mirrored"),
        ({"extra": 1}, "extra is unknown"),
    ],
)
def test_refused_position(changes: dict[str, Any], problem: str) -> None:
    assert problem in problems("B... ...R", **changes)


def test_every_problem_of_a_position_is_listed() -> None:
    said = problems("B... ...R", step=9, width=True, edges=1, phase="end", opened={"blue": None, "red": True})
    assert [part.partition(":")[0] for part in said.split("; ")] == ["phase", "step", "width", "opened.blue", "edges"]
    said = problems("B.x ...R", step=2, height=3, opened={"blue": False, "red": False})
    assert [part.partition(":")[0] for part in said.split("; ")] == ["rows", "rows", "rows", "opened.blue", "opened.red", "step"]


@pytest.mark.parametrize("key", record("B"))
def test_every_key_of_a_position_is_needed(key: str) -> None:
    short = record("B... ...R")
    del short[key]
    with pytest.raises(BadArgument, match=f"^{key} is missing$"):
        GAME.position(short)


@pytest.mark.parametrize("other", [None, 3, [], "position", True])
def test_a_position_is_an_object(other: Any) -> None:
    with pytest.raises(BadArgument):
        GAME.position(other)


def test_positions_that_are_taken_as_they_are() -> None:
    nobody = {"blue": False, "red": False}
    assert GAME.legal(position(".", opened=nobody)) == ["a1"]
    assert GAME.legal(position("B.", step=4, opened={"blue": True, "red": False})) == ["b1"]
    assert lost(position("..", opened={"blue": True, "red": False}), "red")
    largest = position(" ".join(["." * 26] * 25 + ["." * 25 + "B"]), to_move="blue")
    assert GAME.legal(largest) == ["y25", "y26", "z25"]
    assert GAME.record(largest)["rows"][25][25] == "B"


def test_a_judged_position_is_over_through_the_protocol() -> None:
    protocol = RulesProtocol()
    board = to_json(record("Bb", to_move="red", step=3))
    assert protocol.answer(f"position {board}") == "= \n\n"
    assert protocol.answer("to_move") == "= none\n\n"
    assert protocol.answer("state") == f"= {board.replace('play', 'over').replace('red', 'none', 1)}\n\n"
    assert protocol.answer("do a1") == "? game_over: the game is over\n\n"
    assert protocol.answer("playout") == '= {"actions":0,"outcome":{"over":true,"winner":"blue","reason":"stuck"}}\n\n'
    assert str(protocol.answer("next")).startswith("? bad_argument:")
    assert str(protocol.answer("match")).startswith("? bad_argument:")


def test_view_equals_state() -> None:
    state, _ = play(new("size=6"), "f3 e3")
    assert GAME.view(state, "blue") == GAME.view(state, "red") == GAME.record(state)


# Against a slow reading of the rules, cell by cell


def touching(cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def plain_targets(shown: dict[str, Any]) -> set[str]:
    """Where the mover of a record may step. [5, 6]"""
    board = {(x, y): letter for y, row in enumerate(shown["rows"]) for x, letter in enumerate(row)}
    mover = shown["to_move"]
    virus, zombie, enemy = ("B", "b", "R") if mover == "blue" else ("R", "r", "B")
    if not shown["opened"][mover]:
        edge = shown["width"] - 1 if (mover == "blue") == (shown["edges"] == "seed") else 0
        return {f"{chr(97 + x)}{y + 1}" for (x, y), letter in board.items() if x == edge and letter == "."}
    fed = {cell for cell, letter in board.items() if letter == virus}
    while more := {cell for cell in touching(fed) - fed if board.get(cell) == zombie}:
        fed |= more
    return {f"{chr(97 + x)}{y + 1}" for x, y in touching(fed) - fed if board.get((x, y)) in (".", enemy)}


def expected_words(shown: dict[str, Any], action: str, after: State) -> list[str]:
    taken = shown["rows"][int(action[1:]) - 1][ord(action[0]) - 97] != "."
    return ["absorbed"] * taken + ["turn"] * (shown["step"] == 5) + ["win"] * GAME.over(after)


def follow(state: State, random: Random) -> None:
    """Plays to the end and compares every state with the slow reading and with its own record."""
    while not GAME.over(state):
        shown = GAME.record(state)
        assert GAME.legal(state) == sorted(plain_targets(shown))
        assert GAME.position(shown) == state
        action = GAME.pick(state, random)
        after, said = GAME.do(state, action)
        assert GAME.record(state) == shown
        assert [word["say"] for word in said] == expected_words(shown, action, after)
        state = after
    over = GAME.record(state)
    assert plain_targets({**over, "to_move": SEATS[state.mover]}) == set()
    assert lost(state, SEATS[1 - state.mover])


@pytest.mark.parametrize("words", ["", "size=6", "size=20", "width=6 height=13 edges=mirrored", "width=17 height=7"])
def test_playouts_follow_the_rules_cell_by_cell(words: str) -> None:
    follow(new(*words.split()), Random(words))


@pytest.mark.parametrize("letters", ["B.R.b.r", "Bbbr", "b...B", "BbRr..", "R.b.", "..r.B"])
def test_random_boards_follow_the_rules_cell_by_cell(letters: str) -> None:
    random = Random(letters)
    for _ in range(40):
        width, height = random.randint(1, 9), random.randint(1, 9)
        rows = ["".join(random.choices(letters, k=width)) for _ in range(height)]
        follow(position(" ".join(rows), to_move=random.choice(SEATS), step=random.randint(1, 5)), random)


def test_what_is_not_listed_is_refused() -> None:
    random = Random(5)
    state = new("size=7")
    while not GAME.over(state):
        listed = GAME.legal(state)
        for cell in set(state.board.index) - set(listed):
            with pytest.raises(GameError):
                GAME.do(state, cell)
        state, _ = GAME.do(state, GAME.pick(state, random))


def test_pick_reaches_every_target_alike() -> None:
    state, random = position(EXAMPLE), Random(1)
    picked = [GAME.pick(state, random) for _ in range(8000)]
    assert all(850 < picked.count(cell) < 1150 for cell in GAME.legal(state))
    assert set(picked) == set(GAME.legal(state))
