"""A live table: the real drivers over a simulated box, in real time, with a page for the hands.

One thread runs everything here. Commands of the page reach it through a queue; what is to be seen goes out as snapshots.
While nothing moves the table sleeps: on this box nothing can change but by a command.
The game, its overlay and its language can change at the table itself, so all of that is asked of the table each time.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Empty
from random import Random
from typing import Any

from underboard.engine.app.devices import Devices
from underboard.engine.app.laptop.page_channel import PageChannel
from underboard.engine.app.loop import TableLoop
from underboard.engine.app.pixels import pixels
from underboard.engine.app.seat_keys import SeatKeys
from underboard.engine.app.simulation.box_options import SimulatedBoxOptions
from underboard.engine.app.simulation.deck import SimulatedDeck
from underboard.engine.app.simulation.fault_injector import FaultInjector
from underboard.engine.app.simulation.program import start
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.overlay import Overlay
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.journal.database import JournalError
from underboard.engine.journal.history import ResumeError, resume
from underboard.engine.journal.writer import JournalWriter, open_writer
from underboard.engine.referee.events import Chosen, Effect, Event
from underboard.engine.referee.state import TableState
from underboard.engine.view.game_log import GameLog
from underboard.engine.view.page_record import PageRecord, Surroundings, page_record
from underboard.engine.view.snapshot import kinds_on
from underboard.engine.view.visibility import seat_of
from underboard.hardware.box.drivers import Box
from underboard.hardware.core.health import record_of
from underboard.hardware.panel.picture import HEIGHT, WIDTH
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.card_hand import CardHand
from underboard.hardware.simulator.faults import WallClock
from underboard.hardware.simulator.hands import Hands
from underboard.web.commands import Break, Choose, Key, Lay, Leave, Lift, MoveToken, PageCommand, Place, Power, Repair

AWAKE_MS = 1_500
"""How long the table keeps its full pace after anything happened: contacts, keys and tones are over by then."""
HEALTH_MS = 1_000
ASLEEP_MS = 100
CONTACTS_MS = 50
DARK = base64.b64encode(bytes(WIDTH * HEIGHT // 8)).decode("ascii")


class LiveTable:
    """One table. A context manager is not needed: `close` gives everything back."""

    def __init__(
        self,
        table: TableState,
        effects: Iterable[Effect],
        journal: JournalWriter,
        game_log: GameLog,
        clock: WallClock,
        channel: PageChannel,
        box_options: SimulatedBoxOptions | None = None,
    ) -> None:
        """Tokens that `table` knows of stand on the board from the start, as on a real box."""
        table = replace(table, seat_pages=channel.links(()) is not None)
        box_options = box_options or SimulatedBoxOptions()
        self._clock = clock
        self._log = game_log
        self._channel = channel
        self._simulated = SimulatedBox(clock, oled=box_options.oled, board=box_options.board, reader=box_options.reader)
        self._hands = Hands(self._simulated, clock)
        self._seat_keys = SeatKeys()
        self._card_hand = CardHand(self._simulated.reader, clock) if self._simulated.reader else None
        self._deck = SimulatedDeck(Random(), box_options.reader == "pn532")
        self._deck.use(table.setup)
        self._set_up(table)
        self.faults = FaultInjector(self._simulated, clock, table.setup.overlay, box_options.board)
        self._box_options = box_options
        self._switch_on(table, effects, journal)
        self._awake_until = clock.now() + AWAKE_MS
        self._bytes_seen = -1
        self._display = ""
        self._health: list[dict[str, Any]] = []
        self._health_due = clock.now()
        self._contacts: list[str] = []
        self._contacts_due = clock.now()
        self._seen: tuple[Any, ...] = ()

    @property
    def journal(self) -> JournalWriter:
        """The writer of the journal: another one after each power cut."""
        return self._program.journal

    def run(self) -> bool:
        """Until the page leaves the table or the program is to end; whether it was left."""
        while True:
            with suppress(Empty):
                order = self._channel.next_order(self._pause_ms() / 1000)
                if order is None or isinstance(order.command, Leave):
                    return order is not None
                self.obey(order.command, seat_of(order.audience, self._seats))
            self.step()  # after each command, so that the next one is held against what this one has made of the table

    @property
    def keeps_secret(self) -> bool:
        """Whether a seat knows now what others must not."""
        return self._app.table.keeps_secret

    @property
    def journal_path(self) -> Path:
        """The file that keeps the game."""
        return self._program.journal.path

    def close(self) -> None:
        """Ends the drivers, the journal and what is simulated below them."""
        self._program.close()
        self._simulated.close()

    @property
    def language(self) -> str:
        """What the table speaks."""
        return self._app.table.language

    def drain(self) -> None:
        """Waits, in real time, until the display shows what it should."""
        self._box.display.drain()

    def step(self) -> None:
        """One look at everything; publishes what has changed."""
        table = self._app.table
        self._hands.poll()
        if self._card_hand:
            self._card_hand.poll()
        if self._on:
            self._app.tick()
        self._follow_setup()
        if self._app.table is not table:
            self._awake_until = self._clock.now() + AWAKE_MS
        self._look_at_display()
        self._ask_devices()
        self._look_at_contacts()
        seen = (
            self._app.table,
            self._app.lines,
            self._hands.tokens,
            self._reader_record(),
            self._display,
            self._simulated.buzzing,
            self._log.entries,
            self._health,
            self._on,
            self._contacts,
            self.faults.seen,
        )
        if any(new is not old and new != old for new, old in zip(seen, self._seen or (None,) * len(seen), strict=True)):
            self._seen = seen
            self._publish()

    def _publish(self) -> None:
        """What can be seen, and first of all what can be named from now on."""
        table = self._app.table
        pieces = find_presentation(table.setup.game.id).pieces(table.state)
        self._channel.reader.expect(self._overlay.all_names.keys(), {piece.name for piece in pieces}, self._deck.faces, self.faults.read)
        self._channel.events.publish(self.record())

    def record(self) -> PageRecord:
        """Everything that is to be seen now."""
        table = self._app.table
        shown = self._app.lines if self._on and self._box.display.state == "ready" else ()
        around = Surroundings(
            tokens={self._overlay.name(cell): kind for cell, kind in self._hands.tokens.items()},
            lines=shown,
            display=self._display,
            log=self._log.entries,
            contacts=self._contacts,
            draw=pixels,
            health=self._health,
            buzzer=self._simulated.buzzing,
            power=self._on,
            faults=self.faults.seen,
            reader=self._reader_record(),
            links=self._channel.links(table.setup.game.seats(table.state)),
        )
        return page_record(table, around)

    def _follow_setup(self) -> None:
        """Another game may have been set on the table: its deck comes to hand, its spaces lie on the board."""
        self._deck.use(self._app.table.setup)
        self.faults.overlay = self._overlay

    @property
    def _overlay(self) -> Overlay:
        return self._app.table.setup.overlay

    def _reader_record(self) -> dict[str, Any] | None:
        """The card reader, where cards are dealt by it: whether a card lies on it, and the cards of the deck beside it."""
        if self._card_hand is None or self._app.table.setup.dealer != "reader":
            return None
        return {"busy": self._card_hand.busy, "cards": self._deck.faces}

    def _ask_devices(self) -> None:
        """How the devices are, once a second: their counters never rest."""
        if self._on and self._clock.now() >= self._health_due:
            self._health_due = self._clock.now() + HEALTH_MS
            self._health = [record_of(health, self._overlay.name) for health in self._box.health()]

    def _look_at_contacts(self) -> None:
        """What the sensors read, not more often than an eye can follow: noise and chatter never rest."""
        if self._clock.now() >= self._contacts_due:
            self._contacts_due = self._clock.now() + CONTACTS_MS
            self._contacts = sorted(self._overlay.names(self._box.board.contacts)) if self._on else []

    def _set_up(self, table: TableState) -> None:
        """Puts the tokens of a game that goes on where they stood."""
        page = find_presentation(table.setup.game.id)
        kinds = kinds_on(table, page, table.layout.spaces, {})
        pieces = page.pieces(table.state)
        for space in table.layout.spaces:
            self._hands.place(table.setup.overlay.cell(space), kinds.get(space, pieces[0].name))

    # Commands

    def _pause_ms(self) -> int:
        """How long nothing can change by itself."""
        if not self._on:
            return ASLEEP_MS
        moving = self._hands.busy or (self._card_hand is not None and self._card_hand.busy)
        awake = moving or self._box.display.busy or not self._app.quiet or self._clock.now() < self._awake_until
        return self._app.next_tick_ms() if awake else ASLEEP_MS

    def obey(self, command: PageCommand, seat: Seat | None = None) -> None:
        """Does what a hand can do; what it cannot (two pages at once want the same token) is left.

        `seat` is whose page the command comes from, None: the table's own.
        """
        self._awake_until = self._clock.now() + AWAKE_MS
        cell = self._overlay.cell
        with suppress(ValueError):
            match command:
                case Place(space, token):
                    self._hands.place(cell(space), token)
                case Lift(space):
                    self._hands.lift(cell(space))
                case MoveToken(space, to):
                    self._hands.move(cell(space), cell(to))
                case Key(key, down) if seat is not None:
                    self._handle(self._seat_keys.take(seat, key, down, self._clock.now()))
                case Key(key, down):
                    self._hands.press(key) if down else self._hands.release(key)
                case Choose(name):
                    self._handle(Chosen(name, seat))
                case Lay(card):
                    self._lay(card)
                case Break(fault):
                    self.faults.put(fault)
                case Repair():
                    self.faults.repair()
                case Power(on):
                    self._go_on() if on else self._cut()

    def _lay(self, card: str) -> None:
        """Lays the next card of the deck on the reader, or a certain one."""
        if self._card_hand and self._reader_record() is not None:
            self._card_hand.lay(partial(self._deck.copy_of, card) if card else lambda: self._deck.next(self._app.table))

    def _handle(self, event: Event | None) -> None:
        """Something that happens at the table, but not to the box; without power nothing does."""
        if event is not None and self._on:
            self._app.handle(event, self._clock.now())

    @property
    def _seats(self) -> Sequence[Seat]:
        """The seats of the game on the table."""
        table = self._app.table
        return table.setup.game.seats(table.state)

    # Power

    @property
    def _app(self) -> TableLoop:
        return self._program.app

    @property
    def _box(self) -> Box:
        return self._program.box

    def _switch_on(self, table: TableState, effects: Iterable[Effect], journal: JournalWriter) -> None:
        """The program starts, with this table."""
        oled, board = self._box_options.oled, self._box_options.board

        def make(devices: Devices) -> TableLoop:
            return TableLoop(table, effects, devices, journal, [self._log.follow])

        self._program = start(self._simulated, self._clock, oled, board, self._deck, journal, make)
        self._on = True

    def _cut(self) -> None:
        """The program is gone at this instant; what can be seen of it is the last that was."""
        if self._on:
            self._on = False
            self._program.cut(self._simulated)
            self._log.note(self._app.words("the power is cut"))

    def _go_on(self) -> None:
        """The program starts again, with nothing but the journal and what stands on the board."""
        if self._on:
            return
        try:
            journal = open_writer(self._program.journal.path)
            try:
                self._switch_on(replace(resume(journal.game), seat_pages=self._app.table.seat_pages), (), journal)
            except BaseException:
                journal.close()
                raise
        except (JournalError, ResumeError) as error:
            self._log.note(str(error))
        else:
            self._log.note(self._app.words("the power is on again: the game goes on"))

    # The display

    def _look_at_display(self) -> None:
        """What the bus has brought to the panel, once a picture is whole; a panel without power is dark."""
        if not self._on:
            self._bytes_seen, self._display = -1, DARK
            return
        written = self._simulated.i2c.bytes_written
        if written != self._bytes_seen and not self._box.display.busy:
            self._bytes_seen = written
            self._display = base64.b64encode(self._simulated.i2c.pixels().tobytes()).decode("ascii")
