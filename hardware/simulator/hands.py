"""Turns what people click on the page into moves of tokens and keys that real hands could make.

A click on a key is over in a moment, and two clicks can come at once; a finger needs its time, and the debounced keys rely
on it. So moves of fingers are carried out one after the other, from `poll`. Tokens move at once. Which kind of token stands
where is remembered for whoever draws the board; the sensors cannot know.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import Clock
from underboard.hardware.simulator.box import SimulatedBox

FINGER_MS = 80
"""From one move of a finger to the next; a key that is let go needs 45 ms and some polls to count as open."""
FINGER_LOOKS = 5
"""And so many polls: a computer that is too busy to look while a key is down would miss it, as no real finger is that quick."""
LONGEST_MS = 2_000
"""A key is let go after this, should its page have gone away; a long press is over long before."""

Act = Callable[[], None]


class Hands:
    """Hands over one box; call `poll` often."""

    def __init__(self, box: SimulatedBox, clock: Clock) -> None:
        self._box = box
        self._clock = clock
        self._kinds: dict[Cell, str] = {}
        self._acts: deque[Act] = deque()
        self._free_at = 0
        self._looks = FINGER_LOOKS
        self._down: dict[str, int] = {}

    @property
    def tokens(self) -> Mapping[Cell, str]:
        """The cells that carry a token, and of which kind."""
        return dict(self._kinds)

    @property
    def busy(self) -> bool:
        """Whether a key is down or more is to be done."""
        return bool(self._acts or self._down)

    def place(self, cell: Cell, kind: str) -> None:
        """Puts a token on a cell; ValueError if one stands there."""
        self._box.place(cell)
        self._kinds[cell] = kind

    def lift(self, cell: Cell) -> str:
        """Takes the token off a cell and answers its kind; ValueError if there is none."""
        self._box.lift(cell)
        return self._kinds.pop(cell)

    def move(self, cell: Cell, to: Cell) -> None:
        """Takes a token from one cell to another; ValueError if there is none, or the other is taken."""
        if to in self._kinds:
            raise ValueError(f"a token already stands on row {to[0]}, column {to[1]}")
        self.place(to, self.lift(cell))

    def press(self, key: str) -> None:
        """Presses a key down as soon as a finger is free."""
        self._acts.append(partial(self._press, key))

    def release(self, key: str) -> None:
        """Lets a key go, after what fingers have to do before."""
        self._acts.append(partial(self._release, key))

    def later(self, act: Act) -> None:
        """Does something when fingers have done all they have to do now; it may say what comes `next`."""
        self._acts.append(act)

    def next(self, keys: Sequence[str], then: Act | None = None) -> None:
        """Presses keys briefly before anything else, one after the other, and goes on with `then`."""
        acts = [partial(act, key) for key in keys for act in (self._press, self._release)]
        self._acts.extendleft(reversed([*acts, *([then] if then else [])]))

    def poll(self) -> None:
        """The next move of a finger, if it is time for it."""
        now = self._clock.now()
        for key in [key for key, since in self._down.items() if now - since >= LONGEST_MS]:
            self._release(key)
        self._looks += 1
        if self._acts and now >= self._free_at and self._looks >= FINGER_LOOKS:
            self._acts.popleft()()
            self._free_at, self._looks = now + FINGER_MS, 0

    def _press(self, key: str) -> None:
        self._box.press_key(key)
        self._down.setdefault(key, self._clock.now())

    def _release(self, key: str) -> None:
        self._box.release_key(key)
        self._down.pop(key, None)
