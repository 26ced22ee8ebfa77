"""Names of seats, by index and by id, in the player's language."""

from __future__ import annotations

import pytest

from underboard.engine.base.i18n import find_words
from underboard.engine.gamekit.seats import SeatNames

NAMES = SeatNames(("red", "yellow"), ("RED", "YELLOW"))


@pytest.mark.parametrize(("language", "name"), [("en", "YELLOW"), ("hu", "SÁRGA")])
def test_a_seat_is_named_by_its_index_and_by_its_id(language: str, name: str) -> None:
    words = find_words(language)
    assert NAMES.at(1, words) == NAMES.of("yellow", words) == name


def test_labels_come_in_the_order_of_the_seats() -> None:
    assert list(NAMES.by_seat.items()) == [("red", "RED"), ("yellow", "YELLOW")]


def test_every_seat_needs_a_label() -> None:
    with pytest.raises(ValueError, match="zip"):
        _ = SeatNames(("red", "yellow"), ("RED",)).by_seat
