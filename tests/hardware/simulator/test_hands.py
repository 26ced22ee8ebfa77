"""Hands at a laptop: clicks become presses that the real keys recognise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.panel.keys_and_buzzer import Keys
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.hands import FINGER_MS, LONGEST_MS, Hands


class Laptop:
    """Hands, and the driver of the keys they press."""

    def __init__(self, keys: Keys, hands: Hands, box: SimulatedBox, clock: VirtualClock) -> None:
        self.keys, self.hands, self.box, self.clock = keys, hands, box, clock

    def run(self, ms: int) -> list[tuple[str, str]]:
        """What the keys report in this time."""
        events: list[tuple[str, str]] = []
        for _ in range(0, ms, 4):
            self.hands.poll()
            events += [(event.name, event.kind) for event in self.keys.poll()]
            self.clock.advance(4)
        return events


@pytest.fixture
def laptop() -> Iterator[Laptop]:
    clock = VirtualClock()
    box = SimulatedBox(clock)
    with Keys(box.pin_factory(), REFERENCE.keys, clock) as keys:
        keys.poll()
        clock.advance(4)
        yield Laptop(keys, Hands(box, clock), box, clock)


def test_a_click_that_takes_no_time_is_a_press(laptop: Laptop) -> None:
    laptop.hands.press("ok")
    laptop.hands.release("ok")
    assert laptop.run(400) == [("ok", "press")]
    assert not laptop.hands.busy


def test_a_computer_that_looks_rarely_misses_no_press(laptop: Laptop) -> None:
    laptop.hands.press("ok")
    laptop.hands.release("ok")
    events = []
    for _ in range(20):
        events += laptop.run(4)
        laptop.clock.advance(150)
    assert events == [("ok", "press")]


def test_clicks_that_come_at_once_are_as_many_presses_in_order(laptop: Laptop) -> None:
    for key in ("right", "right", "left", "ok"):
        laptop.hands.press(key)
        laptop.hands.release(key)
    assert [name for name, _ in laptop.run(1_000)] == ["right", "right", "left", "ok"]


def test_a_key_held_for_a_second_is_a_long_press(laptop: Laptop) -> None:
    laptop.hands.press("back")
    assert laptop.run(1_100) == [("back", "hold")]
    laptop.hands.release("back")
    assert laptop.run(300) == []


def test_a_key_whose_page_has_gone_is_let_go(laptop: Laptop) -> None:
    laptop.hands.press("ok")
    laptop.run(LONGEST_MS + FINGER_MS)
    assert not laptop.hands.busy
    laptop.hands.press("ok")
    laptop.hands.release("ok")
    assert laptop.run(400) == [("ok", "press")]


def test_what_comes_next_comes_before_what_waits(laptop: Laptop) -> None:
    laptop.hands.later(lambda: laptop.hands.next(["left"], lambda: laptop.hands.next(["right"])))
    laptop.hands.press("ok")
    laptop.hands.release("ok")
    assert [name for name, _ in laptop.run(1_500)] == ["left", "right", "ok"]


def test_tokens_keep_their_kind_wherever_they_go(laptop: Laptop) -> None:
    hands = laptop.hands
    hands.place((1, 2), "red giant")
    hands.move((1, 2), (3, 4))
    assert hands.tokens == {(3, 4): "red giant"}
    assert laptop.box.tokens == {(3, 4)}
    assert hands.lift((3, 4)) == "red giant"
    assert hands.tokens == {}
    assert not laptop.box.tokens


def test_what_no_hand_can_do_is_refused_and_changes_nothing(laptop: Laptop) -> None:
    hands = laptop.hands
    hands.place((1, 1), "red")
    hands.place((2, 2), "yellow")
    for attempt in (lambda: hands.place((1, 1), "red"), lambda: hands.lift((5, 5)), lambda: hands.move((1, 1), (2, 2))):
        with pytest.raises(ValueError):
            attempt()
    with pytest.raises(ValueError):
        hands.move((7, 7), (8, 8))
    assert hands.tokens == {(1, 1): "red", (2, 2): "yellow"}
