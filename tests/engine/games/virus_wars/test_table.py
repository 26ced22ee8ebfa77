"""Virus Wars at the table: sizes and spaces, menus and changes, screens in every language, what the laptop's page shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from tests.engine.alerts import the_alert
from tests.engine.view.pages import table_page
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_overlay, find_presentation, find_table
from underboard.engine.gamekit.session import Moment, Session
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.gamekit.table import Change
from underboard.engine.referee.events import BoardRead, DevicesChanged, KeyPressed, Ordered
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import WRONG_MS, TableState, TokenLayout
from underboard.engine.referee.step import step
from underboard.engine.scripting.parser import ScriptError, read_script
from underboard.hardware.panel.picture import problems

GAME = find_game("virus_wars")
TABLE = find_table("virus_wars")

# Blue reaches ten cells around c3 and the zombie below it, the red virus on d3 among them, the one on f6 not; the zombie on a4 is cut off.
ROWS = ["......", "......", "..BR..", "b.b...", "......", "r....R"]
LONG = [
    "RR.......B",
    *[
        "..........",
    ]
    * 7,
    ".........R",
    "........RR",
]


def state(rows: list[str] | None = None, mover: str = "blue", at: int = 3, opened: bool = True, edges: str = "seed") -> Any:
    """A state with these rows."""
    rows = rows or ROWS
    record = {"game": "virus_wars", "phase": "play", "to_move": mover, "step": at, "width": len(rows[0]), "height": len(rows)}
    return GAME.position({**record, "rows": rows, "opened": {"blue": opened, "red": opened}, "edges": edges})


def table(at: Any = None) -> TableState:
    """A table where all tokens of a state stand."""
    at = at or state()
    held = at.viruses[0] | at.viruses[1] | at.zombies[0] | at.zombies[1]
    spaces = frozenset(at.board.names(held))
    setup = new_setup("virus_wars", {"width": str(at.board.width), "height": str(at.board.height)}, 1, hands="open")
    set_up = TableState(setup, Session(GAME, Moment(at)), TokenLayout(spaces), sensed=spaces, settled=True)
    return replace(set_up, names=tuple(choice.name for choice in set_up.choices))


def moved(at: TableState, put: str = "", lift: str = "") -> TableState:
    """The table after tokens were put down and lifted and the board has come to rest, for longer than a nudge takes."""
    sensed = (at.sensed - set(lift.split())) | set(put.split())
    for now, settled in ((0, False), (300, True), (300 + WRONG_MS, True)):
        at = step(at, BoardRead(sensed, settled), now)[0]
    return at


def pressed(at: TableState, *keys: str) -> TableState:
    for key in keys:
        at = step(at, KeyPressed(key), at.keys_rest_until)[0]
    return at


def selecting(at: TableState, name: str) -> TableState:
    return pressed(at, *["right"] * [choice.name for choice in at.choices].index(name))


def texts(at: TableState, language: str = "en") -> list[str]:
    return [line.text for line in screen(at, find_words(language))]


# Sizes and spaces


def test_the_board_is_as_large_as_the_sensors_allow_unless_told() -> None:
    assert TABLE.options({}) == {"size": "10"}
    assert TABLE.options({"edges": "mirrored"}) == {"edges": "mirrored", "size": "10"}
    assert TABLE.options({"size": "7"}) == {"size": "7"}
    assert TABLE.options({"width": "6", "height": "10"}) == {"width": "6", "height": "10"}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"size": "11"}, "size=11: this table has 10x10 sensors, a larger board does not fit on it"),
        ({"width": "10", "height": "20"}, "width=10 height=20: this table has 10x10 sensors, a larger board does not fit on it"),
        ({"size": "5"}, "size=5"),
        ({"size": "big"}, "size=big"),
        ({"width": "8"}, "both width and height"),
    ],
)
def test_boards_that_do_not_fit_are_refused(options: dict[str, str], why: str) -> None:
    with pytest.raises(BadArgument, match=why):
        TABLE.options(options)


def test_a_script_with_a_board_that_does_not_fit_is_refused_with_its_line() -> None:
    with pytest.raises(ScriptError, match="a script, line 2: size=11: this table has 10x10 sensors"):
        read_script("# large\ntable virus_wars size=11\n", "a script")


def test_a_script_knows_only_the_cells_of_its_board() -> None:
    with pytest.raises(ScriptError, match="line 2: there is no space 'g1'"):
        read_script("table virus_wars size=6\nplace g1\n", "a script")


def test_every_cell_lies_over_its_own_sensor() -> None:
    overlay = find_overlay("virus_wars", {})
    assert (overlay.rows, overlay.columns, len(overlay.spaces)) == (10, 10, 100)
    assert overlay.spaces["c4"] == (4, 3)
    assert overlay.spaces["j10"] == (10, 10)
    small = find_overlay("virus_wars", {"width": "6", "height": "8"})
    assert len(small.spaces) == 48
    assert small.name((8, 6)) == "f8"
    assert small.name((8, 7)) == "@r8c7"


# Menus and changes


def test_what_a_step_does_to_the_tokens() -> None:
    changes = TABLE.changes(state())
    assert changes["d3"] == Change(("d3",), ("d3",), lift_first=True)
    assert changes["b2"] == Change((), ("b2",))
    assert "f6" not in changes
    assert "b4" in changes


def test_the_keys_run_through_the_accessible_cells_row_by_row() -> None:
    choices, first = TABLE.menu(state(), ())
    assert [choice.name for choice in choices] == ["b2", "c2", "d2", "b3", "d3", "b4", "d4", "b5", "c5", "d5"]
    assert all(choice.actions == (choice.name,) for choice in choices)
    assert first == 0
    assert list(TABLE.changes(state())) == [choice.name for choice in choices]


def test_after_the_end_there_is_a_new_game_with_the_same_options() -> None:
    over = table(state(["bbb...", ".b....", "......", "......", "......", ".....R"]))
    assert [choice.name for choice in over.choices] == ["new game"]
    fresh = pressed(over, "ok")
    assert not GAME.over(fresh.state)
    assert fresh.state.board.width == 6
    assert fresh.games == 1


# Keys where the board does not answer


def test_without_a_board_the_keys_are_enough() -> None:
    at = step(table(), DevicesChanged({"board": "absent", "oled": "ready"}), 0)[0]
    at = pressed(selecting(at, "d3"), "ok", "ok")
    assert at.session.now.actions() == ["d3"]
    at = pressed(selecting(at, "b2"), "ok", "ok")
    assert at.session.now.actions() == ["d3", "b2"]
    assert at.layout.spaces >= {"b2", "d3"}


def test_ok_does_not_put_down_a_virus_that_is_not_there() -> None:
    at = pressed(selecting(table(), "b2"), "ok", "ok")
    assert at.session.now.ply == 0
    assert at.awaited == "b2"


# Screens


def wrong(at: TableState, **moves: str) -> TableState:
    return moved(at, **moves)


@cache
def tables() -> dict[str, TableState]:
    """All tables to look at."""
    return dict([*calm(), *busy(), *alerts(), *refusals(), *results()])


def calm() -> Iterator[tuple[str, TableState]]:
    """Nothing is under way."""
    for mover in ("blue", "red"):
        yield f"{mover} to move", table(state(mover=mover))
        for edges in ("seed", "mirrored"):
            yield f"{mover} opens, {edges}", table(state(["." * 10] * 10, mover, 1, opened=False, edges=edges))
    at = table(state(LONG))
    for name in ("j2", "i9", "j9"):
        if name in at.changes:
            yield f"selected {name}", selecting(at, name)
    yield "selected zombie", selecting(table(), "d3")
    yield (
        "many cells",
        table(state(["." * 10, "BBBBBBBBBB", "." * 10, "." * 10, "BBBBBBBBBB", "." * 10, "." * 10, "BBBBBBBBBB", "." * 10, "." * 9 + "R"])),
    )


def busy() -> Iterator[tuple[str, TableState]]:
    """A token is awaited, lifted, asked for or to be put back."""
    at = table()
    yield "awaiting a virus", pressed(selecting(at, "b2"), "ok")
    yield "awaiting a zombie", (chosen := pressed(selecting(at, "d3"), "ok"))
    yield "awaiting a zombie, lifted", moved(chosen, lift="d3")
    yield "lifted", (lifted := moved(at, lift="d3"))
    yield "asked", (asked := moved(lifted, put="d3"))
    yield "asked, nothing", pressed(asked, "right")
    yield "done", (done := pressed(asked, "ok"))
    yield "taken back", step(done, KeyPressed("back", held=True), done.keys_rest_until)[0]
    many = frozenset(f"{column}10" for column in "abcdefghij")
    yield "many taken back", replace(table(state(["B" * 10] * 9 + ["R" * 10])), leftover=many)
    corner = table(state(["." * 10] * 8 + ["B........B", "R........R"]))
    for cell in ("a10", "j10"):
        yield f"lifted {cell}", (lifted := moved(corner, lift=cell))
        yield f"asked {cell}", moved(lifted, put=cell)
        yield f"awaiting {cell}", pressed(selecting(corner, cell), "ok")
    yield "put down while nobody looked", moved(replace(at, restarted=True), put="b2")
    yield (
        "undo or zombie",
        pressed(moved(replace(at, layout=TokenLayout(at.layout.spaces, TokenLayout(at.layout.spaces - {"d3"}))), lift="d3"), "right"),
    )


def alerts() -> Iterator[tuple[str, TableState]]:
    at = table()
    yield "wrong place", wrong(at, put="f1")
    yield "wrong places", wrong(at, put="f1 f2 f3 e1 e2")
    yield "wrong place at the opening", wrong(table(state(["." * 10] * 10, at=1, opened=False)), put="a10")
    yield "put back elsewhere", wrong(at, put="f1", lift="c3")
    yield "zombie elsewhere", wrong(at, put="f1", lift="d3")
    yield "missing", wrong(at, lift="f6")
    yield "missing many", wrong(at, lift="c3 a4 c4 a6 f6")
    yield "extra", wrong(replace(at, rearranging=True), put="f1 f2 f3 f4 f5 e1 e2 @r10c10")
    yield "ambiguous", replace(at, ambiguous=frozenset({"a10", "b10", "a9", "b9"}))


def refusals() -> Iterator[tuple[str, TableState]]:
    """Everything that the rules can refuse."""
    crowded = table(state([*["." * 10] * 8, "Bb.......r", ".......b.R"]))
    opening = table(state(["." * 10] * 10, at=1, opened=False))
    left = table(state(["." * 10] * 10, mover="red", at=1, opened=False))
    taken = GAME.position({**GAME.record(left.state), "rows": [*["." * 10] * 9, "B" * 10], "opened": {"blue": True, "red": False}})
    mirrored = GAME.position({**GAME.record(opening.state), "rows": [*["." * 10] * 9, "R" * 10], "opened": {"blue": False, "red": True}})
    orders = [(crowded, "k11"), (crowded, "zombie"), (crowded, "a9"), (crowded, "b9"), (crowded, "j9"), (crowded, "g10"), (crowded, "e5")]
    orders += [(opening, "e10"), (left, "e10"), (table(taken), "a10"), (table(mirrored), "j10"), (crowded, "undo"), (crowded, "next")]
    other = table(state([*["." * 10] * 8, "Bb.......r", ".......b.R"], mover="red"))
    for at, action in [*orders, (other, "b9")]:
        yield f"refused {action} to {at.state.mover}, {at.state.step}", step(at, Ordered(action), 0)[0]


def results() -> Iterator[tuple[str, TableState]]:
    for mover, rows in (
        ("blue", ["bbb...", ".b....", "......", "......", "......", ".....R"]),
        ("red", ["rrr...", ".r....", "......", "......", "......", ".....B"]),
    ):
        yield f"{mover} is stuck", table(state(rows, mover))


def passing(at: TableState) -> Iterator[tuple[str, TableState]]:
    """The same table with a fault one can play on with."""
    yield "one faulty", replace(at, faulty=frozenset({"j10"}))
    yield "all faulty", replace(at, faulty=frozenset(at.setup.overlay.spaces))
    yield "no board", replace(at, devices={"board": "absent", "oled": "ready"})
    yield "no display", replace(at, devices={"board": "ready", "oled": "absent"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_can_be_drawn(language: str) -> None:
    words = find_words(language)
    shown = [*tables().items(), *((f"{fault}, {name}", other) for name, at in tables().items() for fault, other in passing(at))]
    assert {name: found for name, at in shown if (found := problems(screen(at, words)))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut(language: str) -> None:
    assert [name for name, at in tables().items() if any("…" in text for text in texts(at, language))] == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_screen_is_translated(language: str) -> None:
    same = {name for name, at in tables().items() if texts(at, language) == texts(at)}
    assert same == set()


def test_the_alerts_that_there_should_be() -> None:
    codes = {name: the_alert(at).code for name, at in alerts() if find_alert(at)}
    assert codes == {
        "wrong place": "wrong_place",
        "wrong places": "wrong_place",
        "wrong place at the opening": "wrong_place",
        "put back elsewhere": "wrong_place",
        "zombie elsewhere": "wrong_place",
        "missing": "missing",
        "missing many": "missing",
        "extra": "extra",
        "ambiguous": "ambiguous",
    }
    assert {the_alert(at).code for _, at in refusals() if find_alert(at)} == {"illegal"}
    assert all(find_alert(at) for _, at in refusals())


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("blue to move", ["BLUE", "step 3 of 5", "‹b2 virus›", "10 cells accessible"]),
        ("blue opens, seed", ["BLUE", "step 1 of 5", "‹j1 virus›", "right edge: 10 cells"]),
        ("blue opens, mirrored", ["BLUE", "step 1 of 5", "‹a1 virus›", "left edge: 10 cells"]),
        ("red opens, seed", ["RED", "step 1 of 5", "‹a1 virus›", "left edge: 10 cells"]),
        ("selected zombie", ["BLUE", "step 3 of 5", "‹d3 zombie›", "10 cells accessible"]),
        ("awaiting a virus", ["BLUE 3/5", "virus on b2", "10 cells accessible", "BACK: other cell"]),
        ("awaiting a zombie", ["BLUE 3/5", "zombie on d3", "take off d3", "BACK: other cell"]),
        ("awaiting a zombie, lifted", ["BLUE 3/5", "zombie on d3", "in place of the virus", "BACK: other cell"]),
        ("lifted", ["BLUE 3/5", "zombie on d3", "in place of the virus", "10 cells accessible"]),
        ("asked", ["BLUE 3/5", "zombie d3?", "OK: yes  BACK: no", "10 cells accessible"]),
        ("asked, nothing", ["BLUE", "step 3 of 5", "‹nothing›", "10 cells accessible"]),
        ("taken back", ["BLUE", "step 3 of 5", "‹b2 virus›", "virus back: d3"]),
        ("many taken back", ["BLUE", "step 3 of 5", "‹a10 zombie›", "virus back: a10 +9"]),
        ("put down while nobody looked", ["BLUE 3/5", "virus b2?", "OK: yes  BACK: no", "10 cells accessible"]),
        ("undo or zombie", ["BLUE", "step 3 of 5", "‹take back›", "10 cells accessible"]),
        ("blue is stuck", ["RED wins", "BLUE is stuck", "at step 3 of 5", "OK: new game"]),
        ("wrong place", ["WRONG PLACE", "f1 → b2 c2 +7", "Move the token.", "Not true? Hold OK"]),
        ("zombie elsewhere", ["WRONG PLACE", "f1 → d3", "Move the token.", "Not true? Hold OK"]),
        ("extra", ["TOO MANY TOKENS", "@r10c10 e1 +6", "Take them off.", "Not there? Hold OK"]),
    ],
)
def test_what_the_screen_says(name: str, lines: list[str]) -> None:
    assert texts(tables()[name]) == lines


def test_the_step_is_the_largest() -> None:
    lines = screen(table(), find_words("en"))
    assert [line.size for line in lines] == ["medium", "large", "medium", "small"]
    assert lines[0].inverted


def test_with_a_fault_in_passing_the_keys_can_still_be_read() -> None:
    absent = replace(table(), devices={"board": "absent"})
    assert texts(absent) == ["BLUE", "step 3 of 5", "‹b2 virus›", "! NO BOARD"]


# The laptop's page


def view(at: TableState) -> dict[str, Any]:
    return table_page(at)


def test_the_page_has_viruses_and_zombies() -> None:
    seen = view(table())
    assert [(piece["name"], piece["kind"], piece["left"]) for piece in seen["pieces"]] == [
        ("blue", "", None),
        ("blue zombie", "zombie", None),
        ("red", "", None),
        ("red zombie", "zombie", None),
    ]
    assert seen["piece"] == "blue"
    assert view(pressed(selecting(table(), "d3"), "ok"))["piece"] == "blue zombie"
    assert view(moved(table(), lift="d3"))["piece"] == "blue zombie"
    assert view(moved(table(), lift="d3"))["targets"] == ["d3"]
    assert view(table(state(mover="red")))["piece"] == "red"


def test_the_page_knows_what_is_missing() -> None:
    assert view(moved(table(), lift="a4 f6"))["put_back"] == {"a4": "blue zombie", "f6": "red"}


def test_the_game_is_told() -> None:
    page, words, before = find_presentation(GAME.id), find_words("en"), state()
    after, said = GAME.do(before, "d3")
    assert page.describe(before, after, "d3", said, words) == ["BLUE: zombie on d3"]
    after, said = GAME.do(before, "b2")
    assert page.describe(before, after, "b2", said, words) == ["BLUE: virus on b2"]
    last = state(["BR....", *["......"] * 5], at=5)
    after, said = GAME.do(last, "b1")
    assert page.describe(last, after, "b1", said, words) == ["BLUE: zombie on b1", "BLUE wins: RED has no step left"]


def test_the_options_of_a_new_game_need_no_seed() -> None:
    assert GAME.new(Options(dict(TABLE.options({})))).board.width == 10
