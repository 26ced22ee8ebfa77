"""The self-test on a real box, or a simulated one: its board read, its keys and display used, time passed.

Whoever tests stands at the board and sees the panel; a terminal shows the same and takes answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from underboard.hardware.box.drivers import Box
from underboard.hardware.core.clock import Clock
from underboard.hardware.maintenance.selftest import Answer, Prompt, SelfTest, progress, spoken, steps
from underboard.hardware.panel.keys_and_buzzer import KEY_POLL_MS
from underboard.hardware.panel.picture import Align, TextSize, draw

KEYS: dict[tuple[str, str], Answer] = {
    ("ok", "press"): "ok",
    ("ok", "hold"): "ok",
    ("right", "press"): "skip",
    ("left", "press"): "back",
    ("back", "hold"): "stop",
}
"""The panel's keys; all others mean nothing."""


@dataclass(frozen=True)
class PanelLine:
    """A line on the panel."""

    text: str
    size: TextSize = "small"
    align: Align = "center"
    inverted: bool = False


def panel(prompt: Prompt) -> list[PanelLine]:
    """The prompt as the display shows it, the cell largest."""
    head = PanelLine(f"SELF-TEST {progress(prompt)}", inverted=True)
    if prompt.stage in ("put", "lift"):
        verb = "Put a token on" if prompt.stage == "put" else "Lift the token of"
        foot = "! see right: skip" if prompt.hint else "right: skip"
        return [head, PanelLine(verb), PanelLine("r{} c{}".format(*prompt.cells[0]), "large"), PanelLine(foot)]
    if prompt.stage == "three":
        return [head, *(PanelLine(spoken(cell)) for cell in prompt.cells)]
    return [head, *map(PanelLine, ("Take all tokens", "off the board") if prompt.stage == "clear" else ("That is all.",))]


def walk(box: Box, clock: Clock, test: SelfTest, typed: Callable[[], Iterable[Answer]], say: Callable[[str], None]) -> None:
    """Carry the test through: until it is over, everything that is seen and answered goes to it and its prompts come out."""
    run = _Run(box, clock, test, say)
    while not test.over:
        run.look()
        run.show_prompt()
        for answer in [*run.keys(), *typed()]:
            test.press(answer)
        box.display.poll()
        clock.sleep(KEY_POLL_MS)
    run.show_prompt()


class _Run:
    """Carries prompts from the test to the person, and sensors and answers from the box to the test."""

    def __init__(self, box: Box, clock: Clock, test: SelfTest, say: Callable[[str], None]) -> None:
        self._box = box
        self._clock = clock
        self._test = test
        self._say = say
        self._due = 0
        self._begun = False
        self._shown: Prompt | None = None
        self._said: list[str] = []
        self._trouble = ""

    def look(self) -> None:
        """Read the board if it is time to; what it shows before it has settled for the first time counts for nothing."""
        board = self._box.board
        if self._clock.now() < self._due:
            return
        reading = board.poll()
        self._due = self._clock.now() + board.next_poll_ms()
        self._begun = board.state == "ready" and (self._begun or reading.settled)
        if self._begun:
            self._test.see(self._clock.now(), reading.occupied | reading.ambiguous, reading.faulty)
        if board.reason != self._trouble:
            self._trouble = board.reason
            self._say(f"The board: {self._trouble or 'it is back'}")

    def keys(self) -> Iterable[Answer]:
        """The panel's keys as answers."""
        return [KEYS[key] for event in self._box.keys.poll() if (key := (event.name, event.kind)) in KEYS]

    def show_prompt(self) -> None:
        """The prompt, if it is a new one; of one that only got a hint nothing is said twice."""
        prompt = self._test.prompt
        if prompt == self._shown:
            return
        self._shown, before = prompt, self._said
        self._said = [*steps(prompt)]
        for line in self._said:
            if line not in before:
                self._say(line)
        self._box.display.show(draw(panel(prompt)))
