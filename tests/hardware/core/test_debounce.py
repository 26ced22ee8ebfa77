from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.hardware.core.debounce import CHATTER_WINDOW_MS, OFF_MS, ON_MS, ContactChange, Debouncer


def feed(
    train: Iterable[tuple[int, int]], debouncer: Debouncer | None = None, poll: int = 4, until: int | None = None
) -> list[ContactChange]:
    """Poll one contact every *poll* ms; *train* is (length in ms, closed) after length. The changes."""
    debouncer = debouncer or Debouncer(1, 1)
    levels = [closed for length, closed in train for _ in range(length)]
    return [change for now in range(0, len(levels), poll) for change in debouncer.update(now, (levels[now],))]


def kinds(changes: Iterable[ContactChange]) -> list[bool]:
    return [change.closed for change in changes]


def test_a_contact_closes_and_opens_after_its_time() -> None:
    changes = feed([(8, 0), (40, 1), (100, 0)])
    assert changes == [ContactChange((1, 1), True, 8), ContactChange((1, 1), False, 48)]


@pytest.mark.parametrize("poll", [1, 2, 3, 4, 5, 7, 15, 20])
def test_time_counts_and_not_the_number_of_readings(poll: int) -> None:
    debouncer = Debouncer(1, 1)
    seen = next(now for now in range(0, 200, poll) if debouncer.update(now, (1,)))
    assert ON_MS <= seen < ON_MS + poll


@pytest.mark.parametrize(
    ("train", "expected"),
    [
        ([(10, 0), (12, 1), (100, 0)], []),
        ([(10, 0), (100, 1), (40, 0), (100, 1)], [True]),
        ([(10, 0), *[(2, 1), (2, 0)] * 3, (200, 1)], [True]),
        ([(10, 0), (100, 1), *[(2, 0), (2, 1)] * 3, (200, 0)], [True, False]),
    ],
    ids=["tap shorter than the window", "gap shorter than the window", "12 ms chatter closing", "12 ms chatter opening"],
)
@pytest.mark.parametrize("poll", [1, 3, 4])
def test_bounce_gives_single_events(train: list[tuple[int, int]], expected: list[bool], poll: int) -> None:
    """https://github.com/qmk/qmk_firmware/issues/6032 (a quick tap leaves the key stuck down) and
    https://github.com/qmk/qmk_firmware/issues/6269 (5 ms debounce: duplicates every few words)."""
    assert kinds(feed(train, poll=poll)) == expected


def test_a_lift_whose_reed_closes_once_more_is_one_lift() -> None:
    """https://github.com/missionpinball/mpf/issues/844: a switch that opens may bounce closed again."""
    assert kinds(feed([(8, 0), (100, 1), (40, 0), (30, 1), (200, 0)])) == [True, False]


@given(st.lists(st.lists(st.tuples(st.integers(1, 60), st.booleans()), max_size=40), min_size=1, max_size=4), st.integers(1, 9))
def test_any_train_alternates_and_ends_in_the_truth(trains: list[list[tuple[int, bool]]], poll: int) -> None:
    """https://github.com/gpiozero/gpiozero/issues/550: press without release, release without press."""
    ends = [bool(train) and train[-1][1] for train in trains]
    levels = [[level for length, level in train for _ in range(length)] for train in trains]
    calm = CHATTER_WINDOW_MS + OFF_MS + 4 * poll
    duration = max(map(len, levels)) + calm
    debouncer = Debouncer(1, len(trains))
    state = [False] * len(trains)
    for now in range(0, duration, poll):
        mask = sum((train[now] if now < len(train) else end) << bit for bit, (train, end) in enumerate(zip(levels, ends, strict=True)))
        for change in debouncer.update(now, (mask,)):
            column = change.cell[1] - 1
            assert change.closed is not state[column]
            assert change.at <= now
            state[column] = change.closed
    assert state == ends


def test_a_glitch_of_one_scan_on_any_cell_gives_nothing() -> None:
    """https://github.com/Concept-Bytes/Open-Chess/pull/11: sensor flicker while sliding."""
    debouncer = Debouncer(8, 8)
    now = 0
    for row, column in product(range(8), repeat=2):
        glitch = tuple(1 << column if index == row else 0 for index in range(8))
        for masks in (glitch, (0,) * 8):
            assert debouncer.update(now, masks) == []
            now += 4


def test_changes_come_in_the_order_of_contact() -> None:
    debouncer = Debouncer(2, 2)
    debouncer.update(0, (0, 0b10))
    debouncer.update(1, (0b01, 0b10))
    assert debouncer.update(40, (0b01, 0b10)) == [ContactChange((2, 2), True, 0), ContactChange((1, 1), True, 1)]
    assert debouncer.masks() == (0b01, 0b10)


def chattering(start: int, end: int, poll: int = 4) -> list[tuple[int, int]]:
    """Readings of a contact that flips at every look."""
    return [(now, (now // poll) % 2) for now in range(start, end, poll)]


def test_a_chattering_contact_is_named_and_keeps_its_state() -> None:
    """https://github.com/UltimateHackingKeyboard/firmware/issues/128: chatter next to a magnet: repeats and omissions."""
    debouncer = Debouncer(1, 2)
    debouncer.update(0, (0b10,))
    debouncer.update(50, (0b10,))
    changes = [change for now, level in chattering(100, 2100) for change in debouncer.update(now, (0b10 | level,))]
    assert changes == []
    assert debouncer.chattering() == {(1, 1)}
    assert debouncer.masks() == (0b10,)


def test_a_pause_in_the_chatter_is_no_steady_state() -> None:
    debouncer = Debouncer(1, 1)
    for now, level in chattering(0, 500):
        debouncer.update(now, (level,))
    assert [change for now in range(500, 600, 4) for change in debouncer.update(now, (1,))] == []


def test_single_glitches_over_a_long_time_are_no_chatter() -> None:
    debouncer = Debouncer(1, 1)
    for now in range(0, 20_000, 4):
        assert debouncer.update(now, (int(now % 200 == 0),)) == []
        assert debouncer.chattering() == frozenset()


def test_what_chatter_faked_before_it_was_noticed_is_undone() -> None:
    debouncer = Debouncer(1, 1)
    changes = debouncer.update(0, (1,)) + debouncer.update(20, (1,))
    changes += [change for now, level in chattering(24, 1000) for change in debouncer.update(now, (level,))]
    assert kinds(changes) == [True, False]
    assert debouncer.chattering() == {(1, 1)}


def test_a_contact_that_calms_down_is_believed_again() -> None:
    debouncer = Debouncer(1, 1)
    for now, level in chattering(0, 1000):
        debouncer.update(now, (level,))
    changes = [change for now in range(1000, 1400, 4) for change in debouncer.update(now, (1,))]
    assert kinds(changes) == [True]
    assert debouncer.chattering() == frozenset()


def test_restless_for_a_while_after_an_edge() -> None:
    debouncer = Debouncer(1, 1)
    assert not debouncer.restless(0)
    debouncer.update(100, (1,))
    assert debouncer.restless(100 + OFF_MS)
    assert not debouncer.restless(200)


def test_negative_times_are_refused() -> None:
    with pytest.raises(ValueError, match="-1 ms"):
        Debouncer(1, 1, on_ms=-1)
