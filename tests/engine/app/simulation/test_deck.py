"""The deck beside the laptop's reader: every deal of a shuffled deck comes to an end, and every copy lies in one hand only."""

from __future__ import annotations

from random import Random

import pytest

from underboard.engine.app.simulation.deck import SimulatedDeck, made_up_tags
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import CardLaid, CardTaken
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step


def laid(table: TableState, deck: SimulatedDeck) -> tuple[TableState, str]:
    """The table after the next card has been laid down and taken up, and the card's tag."""
    tag = deck.next(table)
    table, _ = step(table, CardLaid(deck[tag], tag), 0)
    return step(table, CardTaken(), 0)[0], tag


@pytest.mark.parametrize("game", ["hack_trick", "sequence_numbers", "spy", "makao"])
@pytest.mark.parametrize("seed", range(5))
def test_a_shuffled_deck_deals_a_game(game: str, seed: int) -> None:
    setup = new_setup(game, {}, 1, "reader")
    table, _ = open_table(setup)
    deck = SimulatedDeck(Random(seed))
    deck.use(setup)
    tags = []
    while table.deal:
        table, tag = laid(table, deck)
        tags.append(tag)
        assert len(tags) <= len(deck)
    assert len(tags) == len(set(tags)) > 0
    assert not table.odd_card


def test_the_same_game_keeps_its_deck_and_another_brings_its_own() -> None:
    deck = SimulatedDeck(Random(1))
    setup = new_setup("hack_trick", {}, 1)
    deck.use(setup)
    before = dict(deck)
    deck.use(setup)
    assert dict(deck) == before
    assert deck.faces == ["0", "1", "2", "3", "4", "5"]
    deck.use(new_setup("virus_wars", {}, 1))
    assert (len(deck), deck.faces) == (0, [])


def test_copies_of_a_card_take_turns() -> None:
    deck = SimulatedDeck(Random(1))
    deck.use(new_setup("hack_trick", {}, 1))
    tags = [deck.copy_of("3") for _ in range(6)]
    assert tags[:3] == tags[3:]
    assert len(set(tags)) == 3
    assert {deck[tag] for tag in tags} == {"3"}


def test_tags_have_the_length_that_the_reader_tells() -> None:
    assert {len(tag) for tags in made_up_tags(["a", "a", "b"]).values() for tag in tags} == {10}
    assert {len(tag) for tags in made_up_tags(["a"], long=True).values() for tag in tags} == {14}
