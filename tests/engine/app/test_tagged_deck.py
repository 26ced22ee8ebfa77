"""Deck files: which tag is which card."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.app.tagged_deck import Deck, read_deck, tag_of
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game

CARDS = ("0", "0", "1")
ONE, TWO, THREE = "04006A3F1C", "0400691D22", "043318EA703280"


def refused(text: str) -> str:
    with pytest.raises(BadArgument) as error:
        read_deck(text, "hack_trick", CARDS)
    return str(error.value)


def test_cards_are_learnt_one_by_one() -> None:
    deck = Deck("hack_trick", CARDS)
    assert deck.missing == ["0", "0", "1"]
    deck = deck.with_tag(ONE, "0").with_tag(TWO, "1")
    assert deck.missing == ["0"]
    assert deck.tags == {ONE: "0", TWO: "1"}
    assert deck.without_last().missing == ["0", "1"]


def test_a_tag_that_is_taken_is_refused_with_its_card() -> None:
    with pytest.raises(BadArgument, match="it is '0'"):
        Deck("hack_trick", CARDS).with_tag(ONE, "0").with_tag(ONE, "1")


def test_a_card_has_as_many_tags_as_copies() -> None:
    with pytest.raises(BadArgument, match="has its 1 tags already"):
        Deck("hack_trick", CARDS).with_tag(ONE, "1").with_tag(TWO, "1")
    with pytest.raises(BadArgument, match="no card '7'"):
        Deck("hack_trick", CARDS).with_tag(ONE, "7")


def test_a_file_as_people_write_it() -> None:
    text = f'game = "hack_trick"\n[cards]\n0 = ["04:00:6a:3f:1c", "{TWO}"] # the worn ones\n1 = ["04 33 18 EA 70 32 80"]\n'
    assert read_deck(text, "hack_trick", CARDS).tags == {ONE: "0", TWO: "0", THREE: "1"}


def test_what_is_not_there_is_to_be_learnt() -> None:
    assert read_deck('game = "hack_trick"', "hack_trick", CARDS).missing == ["0", "0", "1"]


def test_duplicates_are_refused_naming_both() -> None:
    text = refused(f'game = "hack_trick"\n[cards]\n0 = ["{ONE}"]\n1 = ["{ONE.lower()}"]')
    assert text == f"tag {ONE} is given twice: for '0' and for '1'"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("game =", "no deck file"),
        ('game = "makao"', "deck of makao"),
        ("", "deck of no game"),
        ('game = "hack_trick"\nlang = "en"', "'lang' is unknown"),
        ('game = "hack_trick"\ncards = 3', "lines of a card and its tags"),
        ('game = "hack_trick"\n[cards]\n6 = []', "'6' is no card of hack_trick: there are 0, 1"),
        ('game = "hack_trick"\n[cards]\n0 = "04006A3F1C"', "a list of tags is needed"),
        ('game = "hack_trick"\n[cards]\n0 = ["0000000000"]', "'0000000000' is no tag"),
        ('game = "hack_trick"\n[cards]\n0 = ["04006A3F"]\n1 = [3, "x"]', "3 is no tag; '1': 'x' is no tag; '1' has 2 tags"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    assert reason in refused(text)


@pytest.mark.parametrize(
    ("game_id", "options", "count", "distinct", "one"),
    [
        ("hack_trick", {}, 18, 6, "3"),
        ("makao", {}, 32, 32, "lO"),
        ("spy", {}, 26, 22, "green B2"),
        ("sequence_numbers", {}, 100, 98, "4+4"),
        ("sequence_numbers", {"board": "house8"}, 64, 62, "PLUS"),
        ("virus_wars", {}, 0, 0, None),
    ],
)
def test_the_physical_cards_of_each_game(game_id: str, options: dict[str, str], count: int, distinct: int, one: str | None) -> None:
    cards = find_game(game_id).deck(Options(options))
    assert (len(cards), len(set(cards))) == (count, distinct)
    assert one is None or one in cards


digits = st.sampled_from([8, 10, 14, 20]).flatmap(lambda length: st.text("0123456789ABCDEF", min_size=length, max_size=length))


@given(st.lists(digits.filter(lambda tag: tag.strip("0") != ""), max_size=18, unique=True), st.integers(0, 2**20))
def test_a_deck_survives_its_file(tags: list[str], seed: int) -> None:
    cards = tuple(find_game("hack_trick").deck(Options()))
    deck = Deck("hack_trick", cards)
    for tag in tags:
        deck = deck.with_tag(tag, deck.missing[seed % len(deck.missing)])
    again = read_deck(deck.text(), "hack_trick", cards)
    assert again.tags == deck.tags
    assert again.text() == deck.text()


@given(st.text())
def test_any_text_is_a_deck_or_refused(text: str) -> None:
    with suppress(BadArgument):
        read_deck(text, "hack_trick", CARDS)
    assert tag_of(text) == "" or len(tag_of(text)) in (8, 10, 14, 20)
