"""The composition root: what the devices sense becomes events, what the referee decides is written, shown and sounded.

The order is fixed: an action is in the journal before the panel shows it. One thread calls `tick`; nothing here blocks
but the journal's write. What cannot be written is an alert, in the same picture that shows what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from underboard.engine.app.devices import BoardReading, CardNews, Devices
from underboard.engine.base.i18n import Words, find_words
from underboard.engine.gamekit.panel import Line
from underboard.engine.journal.history import entry
from underboard.engine.journal.writer import JournalWriter
from underboard.engine.referee.events import (
    BoardRead,
    CardLaid,
    CardTaken,
    DevicesChanged,
    Did,
    Effect,
    Event,
    KeyPressed,
    Ordered,
    SavingChanged,
    TimePassed,
)
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step

BUSY_POLL_MS = 4
"""How soon a board wants to be read again whose contacts move."""
CARD_POLL_MS = 20


Observer = Callable[[TableState, Sequence[Did]], None]
"""Called after each event with the table and what was done; it must be quick, and raises nothing."""


class TableLoop:
    """A table in operation."""

    def __init__(
        self,
        table: TableState,
        effects: Iterable[Effect],
        devices: Devices,
        journal: JournalWriter,
        observers: Sequence[Observer] = (),
    ) -> None:
        """`effects` are those of opening the table; they are carried out before anything is shown."""
        self.table = table
        self._observers = observers
        self._devices = devices
        self._journal = journal
        self._reading: BoardReading | None = None
        self._board_due = self._keys_due = self._cards_due = 0
        self._shown: Sequence[Line] | None = None
        self._shown_table: TableState | None = None
        self._carry_out(effects)

    def tick(self) -> None:
        """Reads what is due, lets the referee decide and shows the outcome."""
        now = self._devices.clock.now()
        for event in self._events(now):
            if not isinstance(event, DevicesChanged):
                self._devices.display.wake()
            self.handle(event, now)
        if any(deadline is not None and now >= deadline for deadline in (self.table.deadline, self.table.covers_at)):
            self.handle(TimePassed(), now)
        self._look_after_journal(now)
        self._devices.sounder.poll()
        self._devices.display.poll()
        self._show()

    def next_tick_ms(self) -> int:
        """How long to wait before the next tick."""
        due = min(self._board_due, self._keys_due) - self._devices.clock.now()
        return max(1, min(due, self._devices.sounder.next_poll_ms()))

    def handle(self, event: Event, now: int) -> None:
        """One event, from wherever it comes."""
        self.table, effects = step(self.table, event, now)
        self._carry_out(effects)

    def order(self, action: str) -> None:
        """An action straight to the engine."""
        now = self._devices.clock.now()
        self.handle(Ordered(action), now)
        self._look_after_journal(now)
        self._show()

    @property
    def words(self) -> Words:
        """The texts of the language that the table speaks."""
        return find_words(self.table.language)

    @property
    def quiet(self) -> bool:
        """Whether nothing is under way: the board is settled, or not there, and nothing waits for time to pass."""
        return (
            self._reading is not None
            and (self._reading.settled or self._devices.board.state != "ready")
            and self._devices.board.next_poll_ms() > BUSY_POLL_MS
            and self.table.deadline is None
            and self._devices.clock.now() >= self.table.keys_rest_until
        )

    @property
    def device_states(self) -> Mapping[str, str]:
        """The state of each device."""
        return self._devices.states

    @property
    def lines(self) -> Sequence[Line]:
        """What the panel should show."""
        return self._shown or ()

    def _events(self, now: int) -> Iterable[Event]:
        """What the devices have to say, the keys last: what they confirm is what the board shows."""
        if now >= self._board_due:
            yield from self._read_board()
            self._board_due = now + self._devices.board.next_poll_ms()
        if self._devices.reader and now >= self._cards_due:
            self._cards_due = now + CARD_POLL_MS
            yield from map(self._card_event, self._devices.reader.poll())
        if self._devices.states != self.table.devices:
            yield DevicesChanged(self._devices.states)
        if now >= self._keys_due:
            pressed = self._devices.keys.poll()
            self._keys_due = now + self._devices.keys.next_poll_ms()
            yield from (KeyPressed(key.name, key.kind == "hold", key.since) for key in pressed)

    def _card_event(self, news: CardNews) -> Event:
        """What the reader has to say, in cards."""
        return CardLaid(self._devices.cards.get(news.tag), news.tag) if news.kind == "seen" else CardTaken()

    def _read_board(self) -> Iterable[Event]:
        """A BoardRead if anything differs from the last one."""
        before, reading = self._reading, self._devices.board.poll()
        self._reading = reading
        if before is None or seen(before) != seen(reading):
            names = self.table.setup.overlay.names
            yield BoardRead(names(reading.occupied), reading.settled, names(reading.ambiguous), names(reading.faulty))

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        """What has been done is in the journal before it sounds or an observer is called."""
        done: list[Did] = []
        for effect in effects:
            if isinstance(effect, Did):
                self._journal.append(entry(effect, self.table), self._devices.clock.wall(), self._devices.clock.now())
                done.append(effect)
            else:
                self._devices.sounder.play(effect.name)
        for observer in self._observers:
            observer(self.table, done)

    def _look_after_journal(self, now: int) -> None:
        """Tries again what could not be written, and lets the referee know how it stands."""
        self._journal.poll(self._devices.clock.wall(), now)
        if self._journal.problem != self.table.unsaved:
            self.handle(SavingChanged(self._journal.problem), now)

    def _show(self) -> None:
        """The panel follows from the table alone, and most ticks change nothing."""
        if self.table is self._shown_table:
            return
        self._shown_table = self.table
        lines = screen(self.table, self.words)
        if lines != self._shown:
            self._shown = lines
            self._devices.display.show(self._devices.draw(lines))


def seen(reading: BoardReading) -> tuple[object, ...]:
    """What of a reading matters to the referee."""
    return reading.occupied, reading.settled, reading.ambiguous, reading.faulty
