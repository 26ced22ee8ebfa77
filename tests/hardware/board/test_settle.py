import pytest

from underboard.hardware.board.settle import Settler


def test_the_first_readings_are_awaited() -> None:
    """https://github.com/missionpinball/mpf/issues/1142: the first state read after start is not settled."""
    settler = Settler(250)
    assert [settler.update(now, "a") for now in (1000, 1100, 1249, 1250, 1400)] == [False, False, False, True, True]


def test_every_change_starts_the_wait_anew() -> None:
    settler = Settler(250)
    settler.update(0, "a")
    assert settler.update(250, "a")
    assert not settler.update(300, "b")
    assert not settler.update(400, "a")
    assert not settler.update(649, "a")
    assert settler.update(650, "a")


def test_a_negative_time_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 ms"):
        Settler(-1)
