"""Sequence Numbers on the laptop's page: chips by side, the printed numbers, and the game told in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.engine.view.pages import table_page
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_presentation
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.gamekit.table import Choice
from underboard.engine.games.sequence_numbers.state import State
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, KeyPressed, Ordered
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step
from underboard.engine.view.snapshot import board_of

GAME = find_game("sequence_numbers")
PAGE = find_presentation(GAME.id)
TEAMS = "players=4 p1=1+0,1+1,PLUS,MINUS p2=4+4,17-9,6+5,6+6 p3=2+1,2+2,3+2,3+3 p4=12-2,14-3,16-4,7+6"


BOTH_EIGHTS = ["play PLUS i1", "forget", "play 4+4 d6", "forget", "play 2+1 d1", "forget", "play 12-2 b2", "forget"]
"""A round after which 17-9 is dead."""


def session(words: str = TEAMS) -> Session[State]:
    return Session.new(GAME, Options.parse(["seed=1", *words.split()]))


def told(*actions: str, words: str = TEAMS, language: str = "en") -> Sequence[str]:
    """What is said of the last action."""
    playing, sentences = session(words), [""]
    for action in actions:
        before = playing.state
        playing, said = playing.do(action)
        sentences = list(PAGE.describe(before, playing.state, action, said, find_words(language)))
    return sentences


def view(table: TableState) -> dict[str, Any]:
    return table_page(table)


@pytest.fixture
def table() -> TableState:
    table = open_table(new_setup("sequence_numbers", Options.parse(TEAMS.split()).as_dict(), 1, hands="open"))[0]
    return step(table, BoardRead(frozenset(), True), 0)[0]


def test_players_of_a_team_have_the_same_chips(table: TableState) -> None:
    shown = view(table)
    assert [piece["name"] for piece in shown["pieces"]] == ["blue", "green"]
    assert shown["sides"] == {"p1": "blue", "p2": "green", "p3": "blue", "p4": "green"}
    assert shown["seat_names"]["p3"] == "BLUE p3"
    assert shown["seat_names"]["green"] == "GREEN"
    assert shown["piece"] == "blue"
    assert shown["status"] == "BLUE p1 to move"


def test_the_board_has_its_numbers(table: TableState) -> None:
    printed = board_of(table, PAGE)["printed"]
    assert (printed["a1"], printed["i1"], printed["d6"]) == ("★", "8", "8")
    assert len(printed) == 100


def test_chips_stand_where_they_were_put() -> None:
    state = session().do("play 1+0 b1")[0].state
    assert PAGE.standing(state) == {"b1": ["blue"]}


def test_cards_are_played_by_a_click(table: TableState) -> None:
    assert view(table)["playable"] == {"1+0": "play 1+0", "1+1": "play 1+1", "PLUS": "play PLUS"}


@pytest.mark.parametrize(
    ("choice", "status"),
    [
        ("play 1+0", "BLUE p1: put a token on b1 j7"),
        ("play PLUS", "BLUE p1: put a token on b1 c1 d1 e1 f1 g1 h1 i1 a2 +87"),
    ],
)
def test_what_a_hand_has_to_do(table: TableState, choice: str, status: str) -> None:
    assert view(chosen(table, choice))["status"] == status


def chosen(table: TableState, name: str) -> TableState:
    names = [each.name for each in table.choices]
    for key in [*["right"] * names.index(name), "ok"]:
        table = step(table, KeyPressed(key), table.keys_rest_until)[0]
    return table


def test_minus_says_which_chips_may_go(table: TableState) -> None:
    for action in ("play 1+0 b1", "forget", "play 4+4 i1", "forget", "play 2+1 d1", "forget", "play 12-2 b2", "forget"):
        table = step(table, Ordered(action), 0)[0]
    assert view(chosen(table, "play MINUS"))["status"] == "BLUE p1: take a token off i1 b2"


@pytest.mark.parametrize(
    ("actions", "sentences"),
    [
        (["play 1+0 b1"], ["BLUE p1 plays 1+0 = 1: chip on b1"]),
        (["play PLUS e5"], ["BLUE p1 plays PLUS: chip on e5"]),
        (["play 1+0 b1", "draw 8+7"], ["BLUE p1 draws a card"]),
        (["play 1+0 b1", "forget"], ["BLUE p1 does not draw yet"]),
        (["play 1+0 b1", "forget", "late 8+7"], ["BLUE p1 draws late"]),
        (["play 1+0 b1", "forget", "play 4+4 i1", "draw 8+7"], ["GREEN p2 draws a card", "p1 lost the draw"]),
        (["talk green"], ["GREEN has talked: each member discards a card"]),
        (["talk green", "discard 6+5"], ["GREEN p2 discards 6+5 = 11"]),
        (
            [*BOTH_EIGHTS, "play MINUS d6"],
            ["BLUE p1 takes the chip off d6 with MINUS"],
        ),
        (
            [*BOTH_EIGHTS, "play 1+0 b1", "forget", "swap 17-9 8+7"],
            ["GREEN p2 exchanges the dead card 17-9 = 8"],
        ),
    ],
)
def test_actions_are_told_without_the_cards_drawn(actions: list[str], sentences: list[str]) -> None:
    assert told(*actions) == sentences


WINNING = "p1=1+0,1+1,2+1,2+2,3+2 p2=10-1,12-2,6+5,6+6,7+6"
TO_THE_WIN = [
    *("play 1+0 b1", "forget", "play 10-1 a2", "forget", "play 1+1 c1", "forget", "play 12-2 b2", "forget"),
    *("play 2+1 d1", "forget", "play 6+5 c2", "forget", "play 2+2 e1"),
]


def test_the_win_is_told() -> None:
    assert told(*TO_THE_WIN, words=WINNING) == [
        "BLUE p1 plays 2+2 = 4: chip on e1",
        "sequence of BLUE: a1 b1 c1 d1 e1",
        "BLUE wins",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_announcement_can_be_told(language: str) -> None:
    words = find_words(language)
    state = session().state
    says: list[dict[str, Any]] = [
        {"say": "sequence", "side": "red", "cells": ["a1", "b1", "c1", "d1", "e1"]},
        {"say": "reshuffle"},
        {"say": "lost_draw", "seat": "p1"},
        {"say": "win", "side": "green"},
        {"say": "stuck"},
    ]
    sentences = PAGE.describe(state, state, "pass", says, words)
    assert len(set(sentences)) == 6
    assert all(sentences)


def test_hidden_hands_are_not_playable_by_a_click() -> None:
    table = open_table(new_setup("sequence_numbers", {"cards": "hidden"}, 1, hands="open"))[0]
    assert view(table)["playable"] == {}
    assert view(table)["hands"] == {"p1": [], "p2": []}
    assert table.choices[0] == Choice("play", table.choices[0].actions)
