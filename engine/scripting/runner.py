"""Plays table scripts: the real drivers over a simulated box, in virtual time.

`Runner` is the hands of the players and the hand on the mains plug; each command of a script yields one report.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from underboard.engine.app.loop import TableLoop
from underboard.engine.app.simulation.deck import made_up_tags
from underboard.engine.app.simulation.fault_injector import FaultInjector
from underboard.engine.app.simulation.program import Program, start
from underboard.engine.app.table_options import TableOptions, cards_of
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.overlay import Cell, Overlay
from underboard.engine.gamekit.registry import find_overlay
from underboard.engine.gamekit.settings import PHONES
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.gamekit.table import leading_to
from underboard.engine.journal.history import resume
from underboard.engine.journal.writer import open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import Chosen, Did
from underboard.engine.referee.state import Step, TableState
from underboard.engine.scripting.expectations import MISSING, holds, look_up
from underboard.engine.scripting.parser import HOLD_MS, Expectation, ScriptError, ScriptLine, read_script
from underboard.engine.view.report import report
from underboard.errors import UnderboardError
from underboard.hardware.box.drivers import Box
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.box import SimulatedBox

TICK_MS = 4
REACTION_MS = 80
"""How long after any event the table cannot be quiet yet: polls and contacts need that much."""
BETWEEN_CARDS_MS = 100
"""A hand takes a card away before it lays down the next."""
QUIET_WITHIN_MS = 10_000
"""Longer than this nothing waits for a table that does not come to rest, a chattering contact for instance."""
POWERLESS: Mapping[str, Any] = {
    "to_move": None,
    "phase": None,
    "choices": [],
    "selected": None,
    "alert": None,
    "sensed": [],
    "expected": [],
    "devices": {"board": "absent", "oled": "absent", "reader": "absent"},
    "outcome": None,
    "screen": [],
}
"""What there is to be seen while the power is off."""
DRAIN_S = 120
"""Real seconds for one picture, on a computer that has other things to do."""


class Failed(UnderboardError):
    """A command that cannot be carried out, or an expectation that does not hold."""

    fault = "player"


class Runner:
    """One script being played. A context manager; leaving it ends the program and the box."""

    def __init__(self, line: TableOptions, *, leaves_files: bool = True) -> None:
        """Sets the table; raises BadArgument for options that the game refuses, JournalError for a journal of no use.

        Without `leaves_files` neither `journal=` nor `snap` writes a file: for scripts of whoever may not do that here.
        """
        self._line = line
        self._leaves_files = leaves_files
        self._scratch = TemporaryDirectory()
        self._path = Path(line.journal) if line.journal and leaves_files else Path(self._scratch.name) / "journal.sqlite3"
        self._clock = VirtualClock()
        self._box = SimulatedBox(self._clock, oled=line.oled, board=line.board, reader=None if line.reader == "none" else line.reader)
        self._tags = made_up_tags(cards_of(line), line.reader == "pn532")
        self._faults = FaultInjector(self._box, self._clock, find_overlay(line.game_id, line.options), line.board)
        self._together = False
        self._agenda: list[tuple[int, Callable[[], None]]] = []  # what hands will do later, in order of time
        self._finger_free_at = self._reader_free_at = 0
        self._program: Program | None = None
        self._last: dict[str, Any] = {}
        self._done: list[Did] = []
        self.done: Sequence[Did] = ()
        """What the last command brought to the game."""
        self._verbs: Mapping[str, Callable[[Any], None]] = {
            "place": self._place,
            "lift": self._lift,
            "slide": self._slide,
            "key": lambda key: self._press(*key),
            "choose": self._choose,
            "scan": lambda scan: self._scan(*scan),
            "wait": self._advance,
            "together": lambda _: self._gather(True),
            "end": lambda _: self._gather(False),
            "do": lambda action: self._app.order(action),
            "fault": self._faults.put,
            "power": self._power,
            "snap": self._snap,
        }
        try:
            self._switch_on(fresh=True)
        except BaseException:
            self._box.close()
            self._scratch.cleanup()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._program is not None:
            self._program.close()
        self._box.close()
        self._scratch.cleanup()

    def play(self, command: ScriptLine) -> dict[str, Any]:
        """Carries out one command; answers its report. Raises Failed with the report made all the same in `last`."""
        try:
            self._perform(command)
        except (Failed, ValueError) as error:
            raise Failed(str(error)) from None
        finally:
            self.last = self._report(command)
        return self.last

    def _perform(self, command: ScriptLine) -> None:
        if self._program is not None:
            self._faults.overlay = self._program.app.table.setup.overlay  # players may have set up another game
        if command.verb == "expect":
            self._expect(command.arguments)
            return
        try:
            if command.verb != "table":
                self._verbs[command.verb](command.arguments)
        finally:
            self._settle()

    @property
    def program(self) -> Program | None:
        """What runs on the table; None while the power is off."""
        return self._program

    @property
    def box(self) -> SimulatedBox:
        """The simulated box."""
        return self._box

    @property
    def faults(self) -> FaultInjector:
        """What is broken on it."""
        return self._faults

    @property
    def _app(self) -> TableLoop:
        if self._program is None:
            raise Failed("the power is off")
        return self._program.app

    @property
    def _overlay(self) -> Overlay:
        """The spaces of the game that is on the table, or was while there was power."""
        return self._faults.overlay

    # Time

    def _advance(self, ms: int) -> None:
        """Lets time pass, the program working all the while."""
        end = self._clock.now() + ms
        while self._clock.now() < end:
            next_tick = [self._clock.now() + self._program.app.next_tick_ms()] if self._program else []
            until = min([end, *next_tick, *(at for at, _ in self._agenda[:1])])
            self._clock.advance(until - self._clock.now())
            while self._agenda and self._agenda[0][0] <= self._clock.now():
                self._agenda.pop(0)[1]()
            if self._program is not None:
                self._tick(self._program.app, self._program.box)

    def _later(self, ms: int, act: Callable[[], None]) -> None:
        """Puts something that hands will do on the agenda."""
        self._agenda.append((self._clock.now() + ms, act))
        self._agenda.sort(key=lambda item: item[0])

    def _tick(self, app: TableLoop, box: Box) -> None:
        app.tick()
        while box.display.busy:
            box.display.drain(DRAIN_S)
            app.tick()

    def _settle(self) -> None:
        """Outside `together`: runs the clock until the table is quiet."""
        if self._together:
            return
        while self._agenda:
            self._advance(max(0, self._agenda[0][0] - self._clock.now()) or TICK_MS)
        self._advance(REACTION_MS)
        end = self._clock.now() + QUIET_WITHIN_MS
        while self._program is not None and not self._quiet(self._program.app, self._program.box) and self._clock.now() < end:
            self._advance(TICK_MS)

    def _quiet(self, app: TableLoop, box: Box) -> bool:
        """Whether nothing is under way, and the program has noticed whether there are a board, a display and a card reader."""
        states = app.device_states
        there = {"board": self._box.board_answers, "oled": self._box.i2c.chip is not None, "reader": self._box.reader_answers}
        return app.quiet and all((states[device] == "ready") == answers for device, answers in there.items())

    def _gather(self, together: bool) -> None:
        self._together = together

    # Hands

    def _place(self, space: str) -> None:
        cell = self._overlay.cell(space)
        if cell in self._box.tokens:
            raise Failed(f"a token stands on {space} already")
        self._box.place(cell)

    def _lift(self, space: str) -> None:
        cell = self._overlay.cell(space)
        if cell not in self._box.tokens:
            raise Failed(f"no token stands on {space}")
        self._box.lift(cell)

    def _slide(self, arguments: tuple[Sequence[str], int]) -> None:
        spaces, dwell = arguments
        cells = [self._overlay.cell(space) for space in spaces]
        obstacle = next((space for space, cell in zip(spaces, cells, strict=True) if cell in self._box.tokens and cell != cells[0]), None)
        if obstacle:
            raise Failed(f"a token stands on {obstacle} already")
        if cells[0] not in self._box.tokens:
            self._box.place(cells[0])
        for number, (before, cell) in enumerate(pairwise(cells), 1):
            self._later(number * dwell, partial(self._push, before, cell))
        self._later(len(cells) * dwell, lambda: None)

    def _push(self, before: Cell, cell: Cell) -> None:
        self._box.lift(before)
        self._box.place(cell)

    def _press(self, name: str, hold: int) -> None:
        """Presses a key as soon as the finger is free, and lets it go again."""
        wait = max(0, self._finger_free_at - self._clock.now())
        self._finger_free_at = self._clock.now() + wait + hold + REACTION_MS
        if wait:
            self._later(wait, partial(self._box.press_key, name))
        else:
            self._box.press_key(name)
        self._later(wait + hold, partial(self._box.release_key, name))

    def _choose(self, name: str) -> None:
        if self._app.table.covered and self._app.table.hand_mode == PHONES:
            self._choose_on_phone(name)
            return
        keys = keys_to(self._app.table, name)
        if not keys:
            raise Failed(no_choice(name, self._app.table))
        for key in keys:
            self._press(key, HOLD_MS)

    def _choose_on_phone(self, name: str) -> None:
        """The mover's page is where the hand is."""
        if leading_to(self._app.table.choices, name) is None:
            raise Failed(no_choice(name, self._app.table))
        table = self._app.table
        self._app.handle(Chosen(name, table.setup.game.to_move(table.state)), self._clock.now())

    def _scan(self, card: str, ms: int) -> None:
        """Lays a card on the reader as soon as that is free; copies of a card come in turns."""
        reader = self._box.card_reader()
        if card.startswith("@"):
            tag = card[1:]
        else:
            tag = self._tags[card][0]
            self._tags[card] = [*self._tags[card][1:], tag]
        wait = max(0, self._reader_free_at - self._clock.now())
        self._reader_free_at = self._clock.now() + wait + ms + BETWEEN_CARDS_MS
        if wait:
            self._later(wait, partial(reader.lay, tag))
        else:
            reader.lay(tag)
        self._later(wait + ms, reader.take_away)

    # Power and faults

    def _power(self, what: str) -> None:
        if what == "cut":
            self._cut()
        elif self._program is None:
            self._switch_on(fresh=False)
        else:
            raise Failed("the power is on already")

    def _cut(self) -> None:
        if self._program is None:
            raise Failed("the power is off already")
        program, self._program = self._program, None
        program.cut(self._box)

    def _switch_on(self, fresh: bool) -> None:
        writer = open_writer(self._path)
        for note in writer.notes:
            print(note, file=sys.stderr)
        entries = [] if fresh else writer.game
        try:
            table, effects = (resume(entries), []) if entries else self._new_table()
            table = replace(table, seat_pages=table.setup.hands == PHONES)
        except BaseException:
            writer.close()
            raise
        cards = {tag: card for card, tags in self._tags.items() for tag in tags}
        line = self._line
        self._program = start(
            self._box,
            self._clock,
            line.oled,
            line.board,
            cards,
            writer,
            lambda devices: TableLoop(table, effects, devices, writer, [self._observe]),
        )

    def _new_table(self) -> Step:
        seed = Random().getrandbits(31) if self._line.seed is None else self._line.seed
        return open_table(new_setup(self._line.game_id, self._line.options, seed, self._line.dealer, self._line.hands), self._line.language)

    # What is to be seen

    def _snap(self, name: str) -> None:
        if not self._leaves_files:
            return
        try:
            self._box.i2c.pixels().save(name)
        except (OSError, ValueError) as error:
            raise Failed(f"{name}: {error}") from None

    def _expect(self, expectation: Expectation) -> None:
        found = look_up(self._last, expectation.path)
        if not holds(found, expectation):
            shown = "nothing of that name" if found is MISSING else json.dumps(found, ensure_ascii=False)
            raise Failed(f"{expectation.path} {expectation.operator} {expectation.text}: it is {shown}")

    def _observe(self, table: TableState, done: Sequence[Did]) -> None:
        """Remembers what was done for the next report."""
        self._done += done

    def _report(self, command: ScriptLine) -> dict[str, Any]:
        self.done, self._done = self._done, []
        head = {
            "line": command.number,
            "t": self._clock.now(),
            "command": command.text,
            "did": [did.action for did in self.done if did.kind != "table" and (did.kind != "new" or command.verb != "table")],
            "say": [dict(said) for did in self.done for said in did.said],
        }
        found = {**head, **(self._look(self._program.app, self._program.box) if self._program else POWERLESS)}
        if command.verb != "expect":
            self._last = found
        return found

    def _look(self, app: TableLoop, box: Box) -> dict[str, Any]:
        screen = [line.text for line in app.lines] if box.display.state == "ready" else []
        return {**report(app.table, app.words), "screen": screen}


def no_choice(name: str, table: TableState) -> str:
    """What to say of a choice that there is not."""
    return f"there is no choice '{name}': there are {', '.join(choice.name for choice in table.choices) or 'none'}"


def keys_to(table: TableState, name: str) -> list[str]:
    """The keys that take the choice called `name`, through the curtain and the answers that lead to it; none if there is no such choice."""
    choices, cursor, answers = table.choices, table.cursor, table.answers
    keys: list[str] = []
    if table.covered:
        keys, cursor = ["right" if table.restored and not table.matches else "ok"], table.menu[1]
    while (number := leading_to(choices, name)) is not None:
        keys += ["right" if number > cursor else "left"] * abs(number - cursor) + ["ok"]
        if choices[number].name == name:
            return keys
        answers = (*answers, choices[number].name)
        found, cursor = table.setup.table.menu(table.state, answers)
        choices = tuple(found)
    return []


def replay(path: Path) -> Iterator[tuple[dict[str, Any], str | None]]:
    """The reports of a script's commands, each with what failed. Raises ScriptError for a script that cannot be read."""
    commands = read_script(read_text(path), str(path))
    with set_table(commands, str(path)) as runner:
        for command in commands:
            failure = played(runner, command)
            yield runner.last, failure


def read_text(path: Path) -> str:
    """The text in a file. Raises ScriptError."""
    try:
        return decoded(path.read_bytes(), str(path))
    except OSError as error:
        raise ScriptError(f"{path}: {error.strerror}") from None


def decoded(content: bytes, name: str) -> str:
    """The text of a script; `name` is what errors call it. Raises ScriptError."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScriptError(f"{name}: this is no text in UTF-8") from None


def set_table(commands: Sequence[ScriptLine], name: str, *, leaves_files: bool = True) -> Runner:
    """The table that a script's first command asks for. Raises ScriptError if the game refuses its options."""
    try:
        return Runner(commands[0].arguments, leaves_files=leaves_files)
    except BadArgument as error:
        raise ScriptError(f"{name}, line {commands[0].number}: {error}") from None


def played(runner: Runner, command: ScriptLine) -> str | None:
    """Plays one command; answers what failed, None if nothing did."""
    try:
        runner.play(command)
    except Failed as failure:
        return str(failure)
    return None
