"""Cards as multisets."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit import cards

values = st.integers(0, 5)
hands = st.lists(values, max_size=9).map(lambda hand: tuple(sorted(hand)))


@given(hands, values)
def test_with_card_keeps_the_order(hand: tuple[int, ...], card: int) -> None:
    assert cards.with_card(hand, card) == tuple(sorted((*hand, card)))


@given(hands, values)
def test_without_card_takes_back_with_card(hand: tuple[int, ...], card: int) -> None:
    assert cards.without_card(cards.with_card(hand, card), card) == hand


def test_without_card_takes_one_copy() -> None:
    assert cards.without_card(("h8", "h8", "l9"), "h8") == ("h8", "l9")


@given(hands, st.data())
def test_take_leaves_the_rest_sorted(deck: tuple[int, ...], data: st.DataObject) -> None:
    wanted = data.draw(st.permutations(deck))[: data.draw(st.integers(0, len(deck)))]
    left = cards.take(deck, wanted)
    assert left == sorted(left)
    assert Counter(left) + Counter(wanted) == Counter(deck)


def test_take_names_the_card_that_is_too_many() -> None:
    with pytest.raises(BadArgument, match=r"^card 1: only 2 of it in the deck$"):
        cards.take((0, 1, 1), (1, 1, 1))
    with pytest.raises(BadArgument, match=r"^card 7: there is no such card$"):
        cards.take((0, 1, 1), (7,))


@given(st.integers(), st.lists(st.integers(0, 4), max_size=4))
def test_deal_gives_piles_and_the_rest(seed: int, sizes: list[int]) -> None:
    deck = tuple(range(20))
    *piles, rest = cards.deal(deck, sizes, Random(seed))
    assert [len(pile) for pile in piles] == sizes
    assert rest == sorted(rest)
    assert sorted(card for pile in (*piles, rest) for card in pile) == list(deck)
    assert cards.deal(deck, sizes, Random(seed)) == [*piles, rest]


def test_deal_can_deal_every_card_first() -> None:
    assert {cards.deal((1, 2, 3, 4), [1], Random(seed))[0][0] for seed in range(60)} == {1, 2, 3, 4}


def test_conserved_lists_every_wrong_card() -> None:
    assert cards.conserved((1, 1, 2), (2, 1, 1)) == []
    assert cards.conserved((1, 1, 2), (1, 2, 2, 3)) == ["card 1: 1 of 2", "card 2: 2 of 1", "card 3: 1 of 0"]
