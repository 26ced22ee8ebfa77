from collections.abc import Iterator
from typing import Literal

import pytest

from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.panel.keys_and_buzzer import IDLE_POLL_MS, KEY_POLL_MS, TONES, Buzzer, KeyEvent, Keys
from underboard.hardware.simulator.box import SimulatedBox


class Panel:
    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.due = 0
        self.events: list[KeyEvent] = []
        self.box = SimulatedBox(self.clock)
        self.factory = self.box.pin_factory()
        self.keys = Keys(self.factory, REFERENCE.keys, self.clock)
        self.buzzer = Buzzer(self.factory, REFERENCE.buzzer, self.clock)

    def run(self, ms: int, poll: int | None = None) -> list[tuple[str, str]]:
        """Polls every *poll* ms, or as often as the keys want it; the rest of a pause is kept over calls, as in a program's loop."""
        end = self.clock.now() + ms
        events: list[tuple[str, str]] = []
        heard = len(self.events)
        while self.clock.now() < end:
            if self.clock.now() >= self.due:
                self.events += self.keys.poll()
                events += [(event.name, event.kind) for event in self.events[heard:]]
                heard = len(self.events)
                self.buzzer.poll()
                self.due = self.clock.now() + (poll or self.keys.next_poll_ms())
            self.clock.advance(1)
        return events

    def press(self, name: str, ms: int, poll: int | None = None) -> list[tuple[str, str]]:
        self.box.press_key(name)
        events = self.run(ms, poll)
        self.box.release_key(name)
        return events + self.run(200, poll)


@pytest.fixture
def panel() -> Iterator[Panel]:
    panel = Panel()
    panel.run(100)
    with panel.keys, panel.buzzer:
        yield panel


@pytest.mark.parametrize("name", REFERENCE.keys)
def test_a_short_press_is_reported_on_release(panel: Panel, name: str) -> None:
    panel.box.press_key(name)
    assert panel.run(300) == []
    panel.box.release_key(name)
    assert panel.run(100) == [(name, "press")]


def test_a_hold_is_reported_once_while_the_key_is_down(panel: Panel) -> None:
    panel.box.press_key("back")
    assert panel.run(950) == []
    assert panel.run(100) == [("back", "hold")]
    assert panel.run(5000) == []
    panel.box.release_key("back")
    assert panel.run(500) == []


@pytest.mark.parametrize(("ms", "kind"), [(100, "press"), (1_000, "hold")])
def test_an_event_says_when_its_key_went_down(panel: Panel, ms: int, kind: str) -> None:
    down = panel.clock.now()
    panel.press("ok", ms)
    assert [(event.kind, 0 <= event.since - down <= IDLE_POLL_MS) for event in panel.events] == [(kind, True)]


@pytest.mark.parametrize("phase", range(IDLE_POLL_MS))
@pytest.mark.parametrize("tries", range(6))
@pytest.mark.parametrize(("ms", "kind"), [(60, "press"), (990, "press"), (1000, "hold"), (1010, "hold")])
def test_the_second_is_exact(panel: Panel, phase: int, tries: int, ms: int, kind: Literal["press", "hold"]) -> None:
    """https://github.com/gpiozero/gpiozero/issues/697: the held event comes although the key was released."""
    panel.run(phase + 5 * tries)
    assert panel.press("ok", ms) == [("ok", kind)]


@pytest.mark.parametrize("phase", range(0, 20, 3))
def test_a_press_of_990_ms_is_no_hold_however_slow_the_polls(panel: Panel, phase: int) -> None:
    panel.run(phase)
    assert panel.press("ok", 990, poll=20) == [("ok", "press")]


def test_keys_are_read_most_often_when_it_matters(panel: Panel) -> None:
    assert panel.keys.next_poll_ms() == IDLE_POLL_MS
    panel.box.press_key("ok")
    panel.run(IDLE_POLL_MS + 3)
    assert panel.keys.next_poll_ms() == KEY_POLL_MS
    panel.run(500)
    assert panel.keys.next_poll_ms() == IDLE_POLL_MS
    panel.run(470)
    assert panel.keys.next_poll_ms() == 1
    panel.run(100)
    assert panel.keys.next_poll_ms() == IDLE_POLL_MS, "it has been held long enough"


def test_a_key_that_is_down_at_the_start_gives_nothing_until_released() -> None:
    """https://github.com/MiczFlor/RPi-Jukebox-RFID/issues/1136: a button fires at once after the start."""
    panel = Panel()
    panel.box.press_key("ok")
    panel.clock.advance(10)
    with panel.keys, panel.buzzer:
        assert panel.run(3000) == []
        panel.box.release_key("ok")
        assert panel.run(300) == []
        assert panel.press("ok", 100) == [("ok", "press")]


def test_two_keys_at_once_are_two_presses(panel: Panel) -> None:
    panel.box.press_key("left")
    panel.run(50)
    assert panel.press("right", 100) == [("right", "press")]
    panel.box.release_key("left")
    assert panel.run(100) == [("left", "press")]


@pytest.mark.parametrize("tone", TONES)
def test_a_tone_sounds_as_written(panel: Panel, tone: str) -> None:
    start = panel.clock.now()
    panel.buzzer.play(tone)
    panel.run(3000, poll=1)
    edges = [start]
    for step in TONES[tone]:
        edges.append(edges[-1] + step)
    assert panel.box.buzzer_log == [(at, index % 2 == 0) for index, at in enumerate(edges)]


def test_a_new_tone_takes_the_place_of_the_old(panel: Panel) -> None:
    panel.buzzer.play("win")
    panel.run(40)
    panel.buzzer.play("click")
    panel.run(1000)
    assert [on for _, on in panel.box.buzzer_log] == [True, False]


def test_a_late_poll_catches_up(panel: Panel) -> None:
    panel.buzzer.play("wrong")
    panel.clock.advance(5000)
    panel.buzzer.poll()
    assert panel.box.buzzer_log[-1][1] is False


def test_a_tone_that_does_not_exist_is_named(panel: Panel) -> None:
    with pytest.raises(ValueError, match="no tone 'boo'"):
        panel.buzzer.play("boo")


def test_without_a_buzzer_tones_are_silent() -> None:
    clock = VirtualClock()
    with Buzzer(SimulatedBox(clock).pin_factory(), None, clock) as buzzer:
        buzzer.play("win")
        clock.advance(1000)
        buzzer.poll()


def test_closing_silences_the_buzzer(panel: Panel) -> None:
    panel.buzzer.play("fuse")
    panel.buzzer.close()
    assert panel.box.buzzer_log[-1][1] is False
