"""What the table needs of its devices, as small protocols; the drivers in `underboard.hardware` have these methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from PIL.Image import Image

from underboard.engine.gamekit.overlay import Cell
from underboard.engine.gamekit.panel import Line


class BoardReading(Protocol):
    """What the board senses now."""

    @property
    def occupied(self) -> frozenset[Cell]: ...
    @property
    def settled(self) -> bool: ...
    @property
    def ambiguous(self) -> frozenset[Cell]: ...
    @property
    def faulty(self) -> frozenset[Cell]: ...


class SensorBoard(Protocol):
    """The sensors under the board; `next_poll_ms` is how soon they want to be read again."""

    @property
    def state(self) -> str: ...
    def poll(self) -> BoardReading: ...
    def next_poll_ms(self) -> int: ...


class Pressed(Protocol):
    """A key that was pressed briefly (kind "press") or held for a second ("hold"), and when it went down."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def since(self) -> int: ...


class Keys(Protocol):
    """The four keys; `next_poll_ms` is how soon they want to be read again."""

    def poll(self) -> Sequence[Pressed]: ...
    def next_poll_ms(self) -> int: ...


class CardNews(Protocol):
    """A card was laid on the reader (kind "seen") or taken off it ("gone")."""

    @property
    def tag(self) -> str: ...
    @property
    def kind(self) -> str: ...


class CardReader(Protocol):
    """The reader of tagged cards."""

    @property
    def state(self) -> str: ...
    def poll(self) -> Sequence[CardNews]: ...


class Sounder(Protocol):
    """The buzzer; `next_poll_ms` is how soon its tone goes on."""

    def play(self, tone: str) -> None: ...
    def poll(self) -> None: ...
    def next_poll_ms(self) -> int: ...


class Display(Protocol):
    """The panel's display; `show` never blocks, `wake` ends what is done against burn-in."""

    @property
    def state(self) -> str: ...
    def show(self, image: Image) -> None: ...
    def wake(self) -> None: ...
    def poll(self) -> None: ...


class Clock(Protocol):
    """Monotonic milliseconds, and the wall clock as a label."""

    def now(self) -> int: ...
    def wall(self) -> datetime: ...


@dataclass(frozen=True)
class Devices:
    """Everything the table senses and shows with; `draw` makes a picture of lines, `cards` are those of the deck by tag."""

    board: SensorBoard
    keys: Keys
    sounder: Sounder
    display: Display
    clock: Clock
    draw: Callable[[Sequence[Line]], Image]
    reader: CardReader | None = None
    cards: Mapping[str, str] = field(default_factory=dict)

    @property
    def states(self) -> Mapping[str, str]:
        """The state of each device."""
        return {"board": self.board.state, "oled": self.display.state, "reader": self.reader.state if self.reader else "absent"}
