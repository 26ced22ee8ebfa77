"""Sequence Numbers at the table: what the keys run through, what chips mean, and every screen in every language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_overlay, find_table
from underboard.engine.gamekit.session import Moment, Session
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.gamekit.table import Change
from underboard.engine.games.sequence_numbers.boards import shipped
from underboard.engine.games.sequence_numbers.state import SIDES, UNSEEN, State
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, KeyPressed, Ordered
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import TableState, TokenLayout
from underboard.engine.referee.step import step
from underboard.hardware.panel.picture import problems

GAME = find_game("sequence_numbers")
GAME_TABLE = find_table("sequence_numbers")
Chips = Mapping[str, str]
"""Cells by side: {"blue": "b1 c1"}."""

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def beginning(words: str) -> State:
    state: State = Session.new(GAME, Options.parse(["seed=1", *words.split()])).state
    return state


def state_of(words: str = "", chips: Chips | None = None, **changes: Any) -> State:
    """A state with these chips; hands are given as texts, first seat first."""
    state = beginning(words)
    space = state.setup.layout.space
    masks = tuple(sum(space[cell] for cell in (chips or {}).get(side, "").split()) for side in SIDES[: state.setup.sides])
    if hands := changes.pop("hands", None):
        changes["hands"] = tuple(tuple(sorted(hand.split())) for hand in hands) + state.hands[len(hands) :]
    return state._replace(chips=masks, **changes)


def table_at(state: State) -> TableState:
    """A table in this state, with its chips where they should be."""
    layout = state.setup.layout
    spaces = frozenset(cell for chips in state.chips for cell in layout.names(chips))
    setup = new_setup("sequence_numbers", {"board": state.setup.board}, 1, hands="open")
    at = TableState(setup, Session(GAME, Moment(state)), TokenLayout(spaces), sensed=spaces, settled=True)
    return replace(at, names=tuple(choice.name for choice in at.choices))


def table(words: str = "", chips: Chips | None = None, **changes: Any) -> TableState:
    return table_at(state_of(words, chips, **changes))


def pressed(at: TableState, *keys: str) -> TableState:
    for key in keys:
        at = step(at, KeyPressed(key), at.keys_rest_until)[0]
    return at


def shown(at: TableState, put: str = "", lift: str = "") -> TableState:
    """The table after chips were put down and lifted, and the board has come to rest."""
    sensed = (at.sensed - set(lift.split())) | set(put.split())
    return step(at, BoardRead(sensed, True), 0)[0]


def ordered(at: TableState, *actions: str) -> TableState:
    for action in actions:
        at = step(at, Ordered(action), 0)[0]
    return at


def names(at: TableState) -> list[str]:
    return [choice.name for choice in at.choices]


def lines(at: TableState, language: str = "en") -> list[str]:
    return [line.text for line in screen(at, find_words(language))]


# What the keys run through

HAND = "4+4 17-9 PLUS MINUS 1+0"


def test_cards_are_choices_in_the_order_of_their_numbers() -> None:
    at = table(hands=[HAND], chips={"green": "c3"})
    assert names(at) == ["play 1+0", "play 17-9", "play 4+4", "play PLUS", "play MINUS"]
    assert at.choices[2].actions == ("play 4+4 i1", "play 4+4 d6")


def test_a_card_with_one_space_left_keeps_its_name() -> None:
    at = table(hands=[HAND], chips={"green": "i1"})
    assert at.choices[1].actions == ("play 17-9 d6",)


def test_dead_cards_can_be_exchanged_once() -> None:
    chips = {"green": "i1", "blue": "d6"}
    at = table(hands=[HAND], chips=chips)
    assert names(at) == ["play 1+0", "play PLUS", "play MINUS", "swap 17-9", "swap 4+4"]
    assert at.choices[3].dealt
    assert names(table(hands=[HAND], chips=chips, swapped=True)) == ["play 1+0", "play PLUS", "play MINUS"]


def test_a_pass_is_offered_only_if_nothing_can_be_played() -> None:
    assert names(table(hands=["MINUS"])) == ["pass"]
    assert names(table(hands=["MINUS"], chips={"green": "c3"})) == ["play MINUS"]
    assert names(table(hands=["4+4"], chips={"green": "i1 d6"})) == ["swap 4+4", "pass"]


def test_the_seat_before_can_draw_late() -> None:
    assert names(table(hands=["4+4"], owes=1))[-1] == "late"
    assert names(table(phase="draw", owes=1)) == ["draw", "forget", "late"]


@pytest.mark.parametrize(
    ("words", "talks"),
    [("", []), ("players=3", []), ("players=4", ["blue", "green"]), ("players=6 sides=3", ["blue", "green", "red"])],
)
def test_sides_of_two_or_more_can_have_talked(words: str, talks: list[str]) -> None:
    assert [name for name in names(table(words)) if name.startswith("talk")] == [f"talk {side}" for side in talks]


def test_a_side_without_cards_cannot_have_talked() -> None:
    assert names(table("players=4", hands=["4+4", "", "1+0", ""])) == ["play 4+4", "talk blue"]


def test_hidden_cards_are_a_ring_around_the_chip() -> None:
    at = table("cards=hidden", chips={"green": "i1 d6", "blue": "b1"}, owes=1)
    assert names(at) == ["play", "swap =8", "late", "play MINUS", "play PLUS"]
    assert not any(choice.dealt for choice in at.choices)
    assert "play i1" not in at.choices[0].actions
    assert "play c1" in at.choices[0].actions


def test_many_hidden_cards_come_in_groups() -> None:
    dead = "b1 j7 c1 g6 d1 h7 e1 f6 f1 d8"  # 1 to 5
    at = table("cards=hidden", chips={"green": dead})
    assert names(at) == ["play", "swap 1-3", "swap 4-5", "pass", "play MINUS", "play PLUS"]
    at = pressed(at, "right", "ok")
    assert names(at) == ["swap =1", "swap =2", "swap =3"]
    assert names(pressed(at, "back"))[1] == "swap 1-3"


def test_the_group_is_forgotten_with_the_turn() -> None:
    at = pressed(table("cards=hidden", chips={"green": "b1 j7 c1 g6 d1 h7 e1 f6 f1 d8"}), "right", "ok", "ok")
    assert at.session.now.action == "swap =1"
    assert names(at)[0] == "play"


def test_the_dealer_draws_from_the_stock() -> None:
    at = table(phase="draw", stock=("1+0",))
    assert pressed(at, "ok").session.now.action == "draw 1+0"


# How many keys a turn takes, with hidden cards

WORST: Chips = {"green": "b1 j7 c1 g6 d1 h7 e1 f6", "red": ""}
"""Four dead cards: 1 to 4. More than that come in groups, and that is no ordinary turn any more."""


def presses_to(at: TableState, name: str) -> int:
    """The fewest presses of LEFT or RIGHT and OK that choose something."""
    way = names(at).index(name)
    return min(way, len(at.choices) - way) + 1


@pytest.mark.parametrize("words", ["", "players=4", "players=6 sides=3"])
def test_a_hidden_turn_takes_six_keys_at_most(words: str) -> None:
    at = table(f"cards=hidden {words}", chips=WORST, owes=state_of(words).setup.players - 1)
    draw = presses_to(table("cards=hidden", phase="draw", owes=1), "draw")
    chosen = {name: presses_to(at, name) for name in names(at)}
    by_chip = draw
    by_card = max(chosen["play PLUS"], chosen["play MINUS"], chosen["play"]) + draw
    exchange = max(chosen[f"swap ={number}"] for number in (1, 2, 3, 4)) + draw
    assert (by_chip, by_card) == (1, 4)
    assert exchange <= 6


# What chips mean


def test_what_plays_do_to_the_chips() -> None:
    changes = GAME_TABLE.changes(state_of(hands=[HAND], chips={"green": "c3"}))
    assert changes["play 4+4 i1"] == Change(puts=("i1",))
    assert changes["play PLUS i1"] == Change(puts=("i1",))
    assert changes["play MINUS c3"] == Change(clears=("c3",), lift_first=True)
    assert "play PLUS c3" not in changes


@pytest.mark.parametrize("phase", ["draw", "discard", "over"])
def test_no_chip_moves_but_in_a_turn(phase: str) -> None:
    assert GAME_TABLE.changes(state_of(hands=[HAND], phase=phase)) == {}


def test_hidden_a_chip_is_an_equation_unless_plus_is_chosen() -> None:
    at = table("cards=hidden")
    assert at.changes["play PLUS i1"] == Change(puts=("i1",), by_key=True)
    assert shown(at, put="i1").session.now.action == "play i1"
    assert shown(pressed(at, "left", "ok"), put="i1").session.now.action == "play PLUS i1"


def test_hidden_a_chip_is_plus_if_every_equation_lies_face_up() -> None:
    at = table("cards=hidden", discards=(("=8", "=8"), ()))
    assert shown(at, put="i1").session.now.action == "play PLUS i1"


def test_hidden_after_a_power_cut_both_are_asked_about() -> None:
    assert names(shown(replace(table("cards=hidden"), restarted=True), put="i1")) == ["play i1", "play PLUS i1", "nothing"]


def test_the_cursor_decides_where_no_sensor_can() -> None:
    at = replace(table(hands=[HAND]), faulty=frozenset({"d6"}))
    at = pressed(at, "right", "ok", "right")
    assert (at.awaited, at.blind) == ("play 17-9 d6", True)
    assert lines(at)[2] == "‹d6›"
    assert pressed(at, "ok").session.now.action == "play 17-9 d6"


def test_two_chips_at_once_are_one_too_many() -> None:
    at = shown(table(hands=["4+4 1+0 1+1 2+1 2+2"]), put="i1 d6")
    assert (at.session.now.action, at.matches) == (None, ())


def test_a_chip_for_every_card_of_a_number() -> None:
    at = shown(table(hands=[HAND]), put="i1")
    assert names(at) == ["play 17-9 i1", "play 4+4 i1", "play PLUS i1"]
    assert pressed(at, "ok").session.now.action == "play 17-9 i1"


# The board


def written(tmp_path: Path, rows: Sequence[str], deck: Sequence[str]) -> str:
    path = tmp_path / "board.toml"
    path.write_text(f'name = "Test"\nrows = {list(rows)}\ndeck = {list(deck)}\n', encoding="utf-8")
    return str(path)


def numbered(width: int, height: int) -> list[str]:
    """Rows of a board on which every number stands twice."""
    count = (width * height - 4) // 2
    numbers = iter([*range(count), *range(count)])
    corners = {(x, y) for x in (0, width - 1) for y in (0, height - 1)}
    return [" ".join("FR" if (x, y) in corners else str(next(numbers)) for x in range(width)) for y in range(height)]


@pytest.mark.parametrize(("width", "height"), [(11, 10), (10, 11), (12, 12)])
def test_a_board_that_is_too_large_is_refused(tmp_path: Path, width: int, height: int) -> None:
    board = written(tmp_path, numbered(width, height), ["1+0"] * 20)
    with pytest.raises(BadArgument, match=f"{width} columns and {height} rows are too many for the table, which has 10 and 10"):
        find_overlay("sequence_numbers", {"board": board})


def test_spaces_are_the_cells_of_the_board(tmp_path: Path) -> None:
    overlay = find_overlay("sequence_numbers", {"board": written(tmp_path, numbered(6, 4), ["1+0"] * 20)})
    assert overlay.spaces["f4"] == (4, 6)
    assert len(overlay.spaces) == 24
    assert len(find_overlay("sequence_numbers", {}).spaces) == 100
    assert find_overlay("sequence_numbers", {"board": "house8"}).cell("h8") == (8, 8)


def test_a_board_that_is_none_is_refused() -> None:
    with pytest.raises(BadArgument, match="there is no such file"):
        find_overlay("sequence_numbers", {"board": "nowhere.toml"})


def test_numbers_that_are_too_long_for_large_type(tmp_path: Path) -> None:
    low, high = "1" * 8, "2" * 30
    rows = [f"FR {low} {high} FR", f"FR {high} {low} FR"]
    board = written(tmp_path, rows, [f"{low}+0"] * 10 + [f"{high}+0"] * 10 + ["PLUS"])
    table, _ = open_table(new_setup("sequence_numbers", {"board": board}, 3, hands="open"))
    for at in [table, *(pressed(replace(table, cursor=cursor), "ok") for cursor in range(len(table.choices)))]:
        assert not problems(screen(at, find_words("en")))


# Screens


def test_the_number_and_its_spaces_are_largest() -> None:
    at = pressed(table(hands=[HAND]), "right", "ok")
    assert [(line.text, line.size) for line in screen(at, find_words("en"))] == [
        ("BLUE p1  seq 0:0 of 1", "small"),
        ("17-9 = 8", "medium"),
        ("8 → i1 d6", "large"),
        ("stock 90", "small"),
    ]


def test_only_the_free_space_is_shown() -> None:
    assert lines(pressed(table(hands=[HAND], chips={"green": "i1"}), "right", "ok"))[2] == "8 → d6"


def test_the_chips_to_turn_over_are_named_until_the_draw() -> None:
    run = table("players=4", hands=["4+4"], chips={"blue": "e5 f4 g3 h2"})
    assert lines(ordered(run, "play 4+4 d6"))[2:] == ["h2 g3 f4 e5 d6", "turn these chips over"]
    assert "turn these chips over" not in lines(ordered(run, "play 4+4 d6", "forget"))


def cards_of_answer(number: int) -> list[str]:
    return [card for card in shipped("house10").deck if card not in ("PLUS", "MINUS") and eval(card) == number]


LONGEST = " ".join([*cards_of_answer(47), *cards_of_answer(48)])
FOUR = "players=4"
SIX = "players=6 sides=3"
STAR: Chips = {"blue": "a5 b5 c5 d5 f5 g5 h5 i5 e1 e2 e3 e4 e6 e7 e8 e9 b2 c3 d4 f6 g7 h8 i9"}
"""A chip on e5 makes two sequences in one direction and others across."""


def choices(at: TableState) -> Iterator[tuple[str, TableState]]:
    """Every choice under the cursor."""
    for cursor, choice in enumerate(at.choices):
        yield choice.name, replace(at, cursor=cursor)


def menus() -> Iterator[tuple[str, TableState]]:
    """What the keys run through, in all phases and for all sides."""
    hand = f"{LONGEST} PLUS MINUS"
    for words, seats in (("", 2), ("players=3", 3), (FOUR, 4), (SIX, 6)):
        for seat in range(seats):
            hands = [hand] * seats
            yield from choices(table(words, hands=hands, chips={"green": "b2", "blue": "c3"}, mover=seat))
            yield from choices(table(words, hands=hands, chips={"green": "h5 i5 j5 e7 d7 c7"}, mover=seat, owes=(seat - 1) % seats))
            yield from choices(table(words, phase="draw", mover=seat, owes=(seat - 1) % seats, discards=((LONGEST.split()[0],),) * seats))
    yield from choices(table(FOUR, phase="discard", mover=1, resume=0, hands=[hand] * 4))
    yield from choices(table(hands=["MINUS"]))
    yield "nothing laid yet", table(phase="draw")
    for card in (*LONGEST.split(), "MINUS"):
        yield f"last {card}", table(discards=(("1+0",), (card,)))


def hidden_menus() -> Iterator[tuple[str, TableState]]:
    """The same with hidden cards."""
    dead = {"green": "b1 j7 c1 g6 d1 h7 e1 f6 f1 d8"}
    yield from choices(table("cards=hidden", chips=dead, owes=1))
    yield from choices(pressed(table("cards=hidden", chips=dead), "right", "ok"))
    yield from choices(table("cards=hidden", chips={"green": "h5 e7"}, hands=[UNSEEN]))
    yield from choices(table(f"cards=hidden {SIX}", phase="discard", resume=1))
    yield from choices(table("cards=hidden", phase="draw", owes=1, discards=(("=48",), ("=47",))))
    yield "hidden play", pressed(table("cards=hidden"), "ok")
    yield "hidden PLUS", pressed(table("cards=hidden"), "left", "ok")
    yield "hidden MINUS", pressed(table("cards=hidden", chips=dead), "left", "left", "ok")
    yield "hidden blind", replace(pressed(table("cards=hidden"), "ok"), faulty=frozenset({"b1"}), cursor=0)


def chips_asked() -> Iterator[tuple[str, TableState]]:
    """Chips that are awaited, asked about, or cannot be sensed."""
    many = table(hands=[f"{HAND} {LONGEST}"], chips={"green": "j2"})
    for cursor in range(len(many.choices)):
        at = pressed(replace(many, cursor=cursor), "ok")
        yield f"awaiting {at.awaited}", at
        yield f"blind {at.awaited}", replace(at, faulty=frozenset(at.changes[at.awaited or ""].sites))
    yield from choices(shown(table(hands=[HAND]), put="i1"))
    yield from choices(shown(many, lift="j2"))
    yield from choices(shown(replace(table("cards=hidden"), restarted=True), put="i1"))


def news() -> Iterator[tuple[str, TableState]]:
    """What is announced."""
    far = {"blue": "a6 a7 a8 a9"}
    run = ordered(table(FOUR, hands=[" ".join(cards_of_answer(39))], chips=far), f"play {cards_of_answer(39)[0]} a5")
    yield from choices(run)
    yield "lost draw", ordered(table(phase="draw", owes=1), "forget")
    lost = table(SIX, phase="draw", mover=1, owes=0)
    yield "lost draw of p1", ordered(lost, "forget")
    last = state_of(phase="draw", stock=("1+0",), discards=(("1+1",), ("2+1",)))
    yield "reshuffle", ordered(table_at(last), "draw 1+0")


def results() -> Iterator[tuple[str, TableState]]:
    """After the game."""
    won = ordered(table(hands=["1+0"], chips={"blue": "c1 d1 e1 f1"}), "play 1+0 b1")
    yield from choices(won)
    yield from choices(shown(won, lift="b1"))
    green = ordered(table(mover=1, hands=["", "2+2"], chips={"green": "b10 c10 d10 e10"}), "play 2+2 e1")
    yield "not yet", green
    yield "green wins", ordered(table(mover=1, hands=["", "23+23"], chips={"green": "c10 d10 e10 f10"}), "play 23+23 b10")
    yield "a star", ordered(table(FOUR, hands=["22+21"], chips=STAR), "play 22+21 e5")
    six = table(SIX, mover=2, hands=["", "", "22+21"], chips={"red": "a5 b5 c5 d5 f5 g5 h5 i5"})
    yield "red wins", ordered(six, "play 22+21 e5")
    yield "stuck", ordered(table(hands=["MINUS"], passes=1), "pass")


def alerts() -> Iterator[tuple[str, TableState]]:
    """What can be wrong."""
    full = table(hands=[HAND], chips={"green": "c3 d6", "blue": "j9"})
    for name, put, lift in (
        ("corner", "a1", ""),
        ("wrong", "e5", "c3"),
        ("missing", "", "d6 c3"),
        ("extra", "b1 j7", ""),
        ("many", "e5 e6 e7 e8 e9 j8 i10", ""),
    ):
        yield name, replace(full, sensed=(full.sensed - set(lift.split())) | set(put.split()), wrong=True)
    drawing = table(phase="draw")
    yield "no place", replace(drawing, sensed=frozenset({"e5"}), wrong=True)
    discarding = table(FOUR, phase="discard", mover=1, resume=0, hands=[HAND] * 4)
    yield "too early for a discard", replace(discarding, sensed=frozenset({"e5"}), wrong=True)
    yield "wrong space", replace(pressed(table(hands=[HAND]), "right", "ok"), sensed=frozenset({"f6"}), wrong=True)
    yield "ambiguous", replace(full, ambiguous=frozenset({"a1", "a2", "b1", "b2"}))


REFUSED: Sequence[tuple[str, Mapping[str, Any]]] = [
    ("swap 4+4 1+1", {"swapped": True}),
    ("swap 4+4", {}),
    ("swap PLUS 1+1", {}),
    ("swap 4+4 1+1", {}),
    ("play 4+4", {}),
    ("play 4+4 h1", {}),
    ("play 4+4 i1", {"chips": {"green": "i1"}}),
    ("play 4+4 i1", {"chips": {"green": "i1 d6"}}),
    ("play PLUS i1", {"chips": {"green": "i1"}}),
    ("play PLUS a1", {}),
    ("play PLUS k1", {}),
    ("play MINUS b1", {}),
    ("play MINUS b1", {"chips": {"blue": "b1"}}),
    ("play 1+1 c1", {}),
    ("play 99+99 c1", {}),
    ("play 1+0 b1", {"hands": [""]}),
    ("pass", {}),
    ("pass now", {}),
    ("late 1+1", {}),
    ("draw 1+1", {}),
    ("discard 4+4", {}),
    ("forget", {}),
    ("play 4+4 i1", {"phase": "draw"}),
    ("draw 9+9+9", {"phase": "draw"}),
    ("draw", {"phase": "draw"}),
    ("draw 4+4", {"phase": "discard", "words": FOUR, "resume": 1}),
    ("talk pink", {"words": FOUR}),
    ("talk green", {}),
    ("draw 1+1", {"words": "cards=hidden", "phase": "draw", "hands": None}),
    ("play 4+4 i1 i1", {"words": "cards=hidden", "hands": None}),
    ("play i1", {"words": "cards=hidden", "hands": None, "discards": (("=8", "=8"), ())}),
    ("play i1", {"words": "cards=hidden", "hands": None, "chips": {"green": "i1"}}),
    ("play i1", {"words": "cards=hidden", "hands": None, "chips": {"green": "i1 d6"}}),
    ("pass", {"words": "cards=hidden", "hands": None}),
    ("undo", {}),
]


def refusals() -> Iterator[tuple[str, TableState]]:
    """Everything that the game refuses."""
    for number, (action, changes) in enumerate(REFUSED):
        yield f"refused {number} {action}", ordered(table(**{"hands": [HAND], **changes}), action)
    one = table(hands=["1+0"], chips={"blue": "c1 d1 e1 f1"})
    yield "refused after the end", ordered(one, "play 1+0 b1", "draw 1+1")


@cache
def screens() -> Sequence[tuple[str, TableState]]:
    """All tables to look at, with a name for each."""
    return [*menus(), *hidden_menus(), *chips_asked(), *news(), *results(), *alerts(), *refusals()]


@in_every_language
def test_every_screen_can_be_drawn(language: str) -> None:
    words = find_words(language)
    assert {name: found for name, at in screens() if (found := problems(screen(at, words)))} == {}


@in_every_language
def test_every_screen_can_be_drawn_with_a_fault_in_passing(language: str) -> None:
    words = find_words(language)
    faulty = [(name, replace(at, devices={"board": "absent", "oled": "ready"})) for name, at in screens()]
    assert {name: found for name, at in faulty if (found := problems(screen(at, words)))} == {}


@in_every_language
def test_nothing_that_matters_is_cut(language: str) -> None:
    words = find_words(language)
    cut = {name for name, at in screens() for line in screen(at, words) if "…" in line.text and (at.notice or not find_alert(at))}
    assert cut <= {"a star"}, "nine sequences at once do not happen"


@in_every_language
def test_whoever_owes_a_draw_is_named_whole(language: str) -> None:
    words = find_words(language)
    for seat in range(6):
        early = table(SIX, phase="draw", mover=seat)
        lines = [line.text for line in screen(replace(early, sensed=frozenset({"e5"}), wrong=True), words)]
        assert f"p{seat + 1}" in " ".join(lines)
        assert "…" not in "".join(lines)


@in_every_language
def test_choices_have_arrows_and_are_not_small(language: str) -> None:
    words = find_words(language)
    at_rest = [at for _, at in [*menus(), *hidden_menus()] if at.choices and not at.chosen]
    titles = [screen(at, words)[1] for at in at_rest]
    assert [line.text for line in titles if line.text[:1] + line.text[-1:] != "‹›"] == []
    assert [line.text for line in titles if line.size == "small"] == []


def test_every_refusal_is_looked_at() -> None:
    assert [name for name, at in refusals() if not at.notice] == []
