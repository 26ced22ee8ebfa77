"""Makaó on the laptop's page: cards by name, the game in sentences, nothing of a hand."""

from __future__ import annotations

from random import Random

import pytest

from tests.engine.view.pages import table_page
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_presentation
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.games.makao.captions import card_text
from underboard.engine.games.makao.state import CARDS
from underboard.engine.referee.state import TableState, TokenLayout
from underboard.engine.view.snapshot import card_names

GAME = find_game("makao")
PAGE = find_presentation(GAME.id)
ENGLISH = find_words("en")
DEAL = {"players": "3", "p1": "hO,h7,lA,l9,bA", "p2": "a7,hK,lK,b9,hA", "p3": "aA,h9,b7,bU,h8", "up": "h10"}


def told(*actions: str, **options: str) -> list[str]:
    """What the last of these actions is told as."""
    session = Session.new(GAME, Options({**DEAL, **options}))
    for action in actions[:-1]:
        session, _ = session.do(action)
    after, said = session.do(actions[-1])
    return list(PAGE.describe(session.state, after.state, actions[-1], said, ENGLISH))


@pytest.mark.parametrize(
    ("actions", "sentences"),
    [
        (["play h7"], ["P1 lays hearts VII", "the next player lays a VII or draws 2 cards"]),
        (["play hO ask=h"], ["P1 lays hearts over and asks for hearts"]),
        (["play hO ask=h", "play hA"], ["P2 lays hearts ace", "the request is over", "the next player lays an ace or is skipped"]),
        (["draw a10"], ["P1 draws a card"]),
        (["draw a10", "draw a9", "play h8"], ["P3 lays hearts VIII"]),
    ],
)
def test_actions_are_told_in_sentences(actions: list[str], sentences: list[str]) -> None:
    assert told(*actions) == sentences


def test_a_card_turned_up_is_open() -> None:
    session = Session.new(GAME, Options({key: value for key, value in DEAL.items() if key != "up"}))
    for action, sentence in (("flip lO", "turned up: leaves over, which goes to P1"), ("flip h10", "turned up: hearts X")):
        after, said = session.do(action)
        assert PAGE.describe(session.state, after.state, action, said, ENGLISH) == [sentence]
        session = after


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_drawn_card_is_never_named(language: str) -> None:
    words = find_words(language)
    session, random = Session.new(GAME, Options({"seed": "5", "players": "4"})), Random(1)
    for _ in range(150):
        if GAME.over(session.state):
            break
        action = GAME.pick(session.state, random)
        after, said = session.do(action)
        sentences = " ".join(PAGE.describe(session.state, after.state, action, said, words))
        assert sentences
        if action.startswith("draw"):
            assert not any(card_text(card, words) in sentences for card in CARDS)
        session = after


def test_cards_have_names_whoever_holds_them() -> None:
    table = TableState(new_setup("makao", DEAL, 1, hands="open"), Session.new(GAME, Options(dict(DEAL))), TokenLayout(frozenset()))
    names = card_names(table, PAGE, find_words("hu"))
    assert (len(names), names["h8"], names["aU"]) == (32, "piros VIII", "makk alsó")
    view = table_page(table)
    assert view["playable"] == {"h7": "play h7", "hO": "card hO"}
    assert (view["seat_names"]["p2"], view["pieces"], view["piece"]) == ("P2", [], None)
