"""Keys on the pages of seats: a press counts when the key is let go, and says when it went down."""

from __future__ import annotations

from underboard.engine.app.seat_keys import HOLD_MS, SeatKeys
from underboard.engine.referee.events import KeyPressed


def test_a_key_counts_when_it_is_let_go() -> None:
    keys = SeatKeys()
    assert keys.take("red", "ok", True, 100) is None
    assert keys.take("red", "ok", False, 250) == KeyPressed("ok", False, 100, "red")


def test_a_key_held_for_a_second_is_a_long_press() -> None:
    keys = SeatKeys()
    keys.take("red", "ok", True, 100)
    assert keys.take("red", "ok", False, 100 + HOLD_MS) == KeyPressed("ok", True, 100, "red")


def test_a_key_that_comes_up_without_having_gone_down_is_nothing() -> None:
    assert SeatKeys().take("red", "ok", False, 100) is None


def test_seats_have_keys_of_their_own() -> None:
    keys = SeatKeys()
    keys.take("red", "ok", True, 100)
    assert keys.take("yellow", "ok", False, 250) is None
    assert keys.take("red", "back", False, 250) is None
    assert keys.take("red", "ok", False, 300) == KeyPressed("ok", False, 100, "red")
