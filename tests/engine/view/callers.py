"""The three programs that show a table on a page, each with a given table in operation: what each makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.engine.view.pages import page_stream
from underboard.engine.app.laptop.live_table import LiveTable
from underboard.engine.app.laptop.page_channel import PageChannel
from underboard.engine.app.loop import TableLoop
from underboard.engine.app.service.pages import ServicePages
from underboard.engine.app.simulation.box_options import SimulatedBoxOptions
from underboard.engine.app.simulation.program import start
from underboard.engine.journal.writer import JournalWriter, open_writer
from underboard.engine.referee.state import TableState
from underboard.engine.scripting.parser import read_script
from underboard.engine.scripting.runner import Runner, set_table
from underboard.engine.view.game_log import GameLog
from underboard.engine.view.page_record import PageRecord
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.box import SimulatedBox

STARTED_MS = 1_200
"""After this long a program that was started knows its devices, and its board is settled."""
TICK_MS = 4


@contextmanager
def script_in_the_middle(game_id: str, seed: int, plies: int) -> Iterator[Runner]:
    """A script on whose table so many random actions have been done, with the tokens where they belong."""
    table_line = f"table {game_id} seed={seed}"
    random = Random(seed)
    with set_table(read_script(table_line, "script"), "script") as runner:
        play(runner, table_line)
        for _ in range(plies):
            table = running_table(runner)
            if not table.over:
                play(runner, table_line, f"do {table.setup.game.pick(table.state, random)}")
                match_board(runner, table_line)
        yield runner


def play(runner: Runner, table_line: str, *lines: str) -> None:
    """Plays lines of a script that began with this table; without any, the table's own."""
    for command in read_script("\n".join([table_line, *lines]), "script")[1 if lines else 0 :]:
        runner.play(command)


def match_board(runner: Runner, table_line: str) -> None:
    """Hands do on the board what was done without them."""
    table = running_table(runner)
    lifts = [f"lift {space}" for space in sorted(table.sensed - table.layout.spaces)]
    puts = [f"place {space}" for space in sorted(table.layout.spaces - table.sensed)]
    if lifts or puts:
        play(runner, table_line, "together", *lifts, *puts, "end")


def running_table(runner: Runner) -> TableState:
    """The table that a script has come to; its power is on."""
    assert runner.program is not None
    return runner.program.app.table


@contextmanager
def open_scratch_journal() -> Iterator[JournalWriter]:
    """A journal that nobody reads."""
    with TemporaryDirectory() as folder, closing(open_writer(Path(folder) / "journal.sqlite3")) as writer:
        yield writer


def on_laptop(table: TableState) -> PageRecord:
    """The record that the laptop's live table publishes."""
    clock = VirtualClock()
    with open_scratch_journal() as journal:
        live_table = LiveTable(table, (), journal, GameLog(), clock, PageChannel(page_stream()), SimulatedBoxOptions(reader=None))
        with closing(live_table):
            for _ in range(0, STARTED_MS, TICK_MS):
                live_table.step()
                live_table.drain()
                clock.advance(TICK_MS)
            return live_table.record()


def in_service(table: TableState) -> PageRecord:
    """The record that the service publishes for spectators."""
    clock = VirtualClock()
    with open_scratch_journal() as journal, SimulatedBox(clock) as simulated:
        for space in table.layout.spaces:
            simulated.place(table.setup.overlay.cell(space))
        program = start(simulated, clock, "ssd1306", "gpio", {}, journal, lambda devices: TableLoop(table, (), devices, journal))
        with closing(program):
            for _ in range(0, STARTED_MS, TICK_MS):
                program.app.tick()
                program.box.display.drain()
                clock.advance(TICK_MS)
            return ServicePages(program.app, program.box, GameLog(), print)._record()
