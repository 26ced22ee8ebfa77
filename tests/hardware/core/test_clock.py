from datetime import UTC, datetime, timedelta, timezone

import pytest

from underboard.hardware.core.clock import JumpingClock, RealClock, VirtualClock


def test_real_clock_runs_and_sleeps() -> None:
    clock = RealClock()
    before = clock.now()
    clock.sleep(2)
    assert clock.now() - before >= 1
    assert abs(clock.wall() - datetime.now(UTC)) < timedelta(seconds=5)


def test_a_jumping_clock_has_another_wall_time_only() -> None:
    clock = JumpingClock()
    before = clock.now()
    clock.jump_wall(timedelta(days=14))
    assert clock.wall() - datetime.now(UTC) > timedelta(days=13)
    assert clock.now() - before < 60_000


def test_virtual_clock_moves_only_when_told() -> None:
    clock = VirtualClock()
    assert clock.now() == 0
    clock.advance(40)
    clock.sleep(2)
    assert clock.now() == 42
    assert clock.now() == 42


def test_virtual_time_does_not_run_back() -> None:
    with pytest.raises(ValueError, match="run back"):
        VirtualClock().sleep(-1)


def test_wall_time_goes_with_the_clock() -> None:
    clock = VirtualClock(datetime(2024, 5, 1, 14, tzinfo=timezone(timedelta(hours=2))))
    clock.advance(1500)
    assert clock.wall() == datetime(2024, 5, 1, 12, 0, 1, 500_000, tzinfo=UTC)


def test_wall_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        VirtualClock(datetime(2024, 5, 1))


def test_wall_jump_leaves_monotonic_time_alone() -> None:
    """https://github.com/guysoft/OctoPi/issues/606: the clock is behind after boot, then jumps."""
    clock = VirtualClock()
    before = clock.wall()
    clock.jump_wall(timedelta(days=14))
    assert clock.now() == 0
    assert clock.wall() - before == timedelta(days=14)
