"""The loop of the service in virtual time: devices that come and go, the watchdog, what is told."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from underboard.engine.app.devices import Devices
from underboard.engine.app.last_screens import failed, farewell
from underboard.engine.app.loop import TableLoop
from underboard.engine.app.service.loop import PATIENCE_MS, RED, Service, status_of
from underboard.engine.app.service.status import duration
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.writer import open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.find_alerts import find_alert
from underboard.hardware.box.drivers import open_box
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.panel.keys_and_buzzer import IDLE_POLL_MS
from underboard.hardware.panel.picture import draw, problems
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.system.service_manager import ServiceManager


class Manager(ServiceManager):
    """A service manager that remembers what it was told."""

    def __init__(self, watchdog_ms: int | None = 20_000) -> None:
        super().__init__({})
        self.watchdog_ms = watchdog_ms
        self.told: list[str] = []

    def _tell(self, line: str) -> None:
        self.told.append(line)


class Table:
    """A service on a simulated box."""

    def __init__(self, path: Path, **box: object) -> None:
        self.clock = VirtualClock()
        self.simulated = SimulatedBox(self.clock, **box)  # type: ignore[arg-type]
        self.journal = open_writer(path / "journal")
        self.manager = Manager()

    def switch_on(self) -> None:
        board = "pico" if self.simulated.pico else "gpio"
        self.box = open_box(self.simulated, self.clock, board=board)  # type: ignore[arg-type]
        devices = Devices(self.box.board, self.box.keys, self.box.buzzer, self.box.display, self.clock, draw)
        self.app = TableLoop(*open_table(new_setup("hack_trick", {}, 1)), devices, self.journal)
        self.service = Service(self.app, self.box, self.clock, self.manager)

    def wait(self, ms: int) -> None:
        """Lets the service run for a while."""
        end = self.clock.now() + ms
        while self.clock.now() < end:
            self.service.step()
            self.box.display.drain()
            self.clock.sleep(self.app.next_tick_ms())

    def close(self) -> None:
        self.box.close()
        self.simulated.close()
        self.journal.close()


@pytest.fixture
def table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Table]:
    caplog.set_level(logging.INFO)
    table = Table(tmp_path)
    yield table
    table.close()


def test_ready_once_nothing_is_being_looked_for(table: Table) -> None:
    table.switch_on()
    table.wait(50)
    assert table.manager.told.count("READY=1") == 1
    assert (
        table.manager.told[-1] == "READY=1"
        or "STATUS=hack_trick: red to move (start); board ready, oled ready, reader absent" in table.manager.told
    )


def test_a_device_that_is_missing_does_not_keep_the_game_from_beginning(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.simulated.i2c.detach()
    table.switch_on()
    table.wait(PATIENCE_MS + 100)
    assert "READY=1" in table.manager.told
    assert [record.message for record in caplog.records if record.message.startswith("oled")] == [
        "oled: absent: display at 0x3c: [Errno 121] Remote I/O error"
    ]
    assert table.service.last_error
    assert table.service.last_error["text"].startswith("oled: absent")


def test_devices_that_come_and_go_are_in_the_log_once(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.switch_on()
    table.wait(2_000)
    table.simulated.i2c.detach()
    table.wait(20_000)
    table.simulated.i2c.attach()
    table.wait(10_000)
    states = [record.message.split(": ")[:2] for record in caplog.records if record.message.startswith("oled")]
    assert states == [["oled", "ready"], ["oled", "absent"], ["oled", "ready"]]


def red(table: Table) -> list[int]:
    """The lights of the board that are red, from 0."""
    assert table.simulated.pico
    lights = table.simulated.pico.machine.lights
    return [number for number in range(len(lights) // 3) if lights[3 * number : 3 * number + 3] == bytes([0, RED[0], 0])]


def test_what_is_wrong_is_lit_on_a_board_with_lights(tmp_path: Path) -> None:
    table = Table(tmp_path, board="pico")
    table.switch_on()
    table.wait(2_000)
    overlay = table.app.table.setup.overlay
    cell = overlay.cell("9a")
    number = (cell[0] - 1) * 10 + cell[1] - 1
    table.simulated.place(cell)
    table.wait(3_000)
    assert find_alert(table.app.table)
    assert red(table) == [number]
    table.simulated.unplug_board()
    table.wait(2_000)
    table.simulated.replug_board()
    table.wait(6_000)
    assert red(table) == [number]
    table.simulated.lift(cell)
    table.wait(2_000)
    assert red(table) == []
    table.close()


def test_the_farewell_stays_on_the_display(table: Table) -> None:
    table.switch_on()
    table.wait(1_000)
    assert table.service.farewell.tobytes() == draw(failed(find_words("en"))).tobytes(), "nobody has asked it to stop"
    table.service.stop()
    table.box.close(table.service.farewell)
    assert table.simulated.i2c.pixels().tobytes() == draw(farewell(find_words("en"))).tobytes()


def test_a_table_at_rest_wakes_up_for_its_keys_and_little_else(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.switch_on()
    table.wait(3_000)
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        tick()

    tick = table.app.tick
    monkeypatch.setattr(table.app, "tick", look)
    table.wait(10_000)
    assert looks <= 10_000 // IDLE_POLL_MS + 100


def test_the_watchdog_is_fed_often_enough(table: Table) -> None:
    table.switch_on()
    table.wait(60_000)
    assert 12 <= table.manager.told.count("WATCHDOG=1") <= 13


def test_the_watchdog_starves_while_the_display_hangs(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.switch_on()
    table.wait(1_000)
    gate, arrived = threading.Event(), threading.Event()

    def hang(*messages: object) -> None:
        arrived.set()
        assert gate.wait(5)
        real(*messages)

    real = table.simulated.i2c.i2c_rdwr
    monkeypatch.setattr(table.simulated.i2c, "i2c_rdwr", hang)
    table.box.display.show(draw(farewell(find_words("en"))))
    assert arrived.wait(5)
    for _ in range(2_000):
        table.service.step()
        table.clock.sleep(20)
    fed = table.manager.told.count("WATCHDOG=1")
    assert not table.box.alive
    assert fed <= 6
    assert "hangs" in caplog.text
    gate.set()
    table.box.display.drain()
    table.wait(6_000)
    assert table.manager.told.count("WATCHDOG=1") > fed


def test_what_is_told_of_the_table_gives_no_card_away(table: Table) -> None:
    table.switch_on()
    table.wait(500)
    told = status_of(table.app, table.box, {"uptime_s": table.service.uptime_s})
    assert set(told) == {"game", "to_move", "phase", "alert", "outcome", "devices", "uptime_s"}
    assert told["devices"][0]["state"] == "ready"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_farewell_fits_the_display(language: str) -> None:
    words = find_words(language)
    assert [problems(lines) for lines in (farewell(words), farewell(words, kept=False), failed(words))] == [[], [], []]


@pytest.mark.parametrize(("seconds", "text"), [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3_600, "1 h 0 min"), (90_061, "1 d 1 h")])
def test_durations(seconds: int, text: str) -> None:
    assert duration(seconds) == text


def test_the_service_loads_no_page_and_no_web_client() -> None:
    heavy = "{'starlette', 'uvicorn', 'asyncio', 'ssl', 'http.client', 'fpdf', 'segno', 'babel', 'selenium', 'numpy'}"
    program = (
        f"import sys, underboard.engine.app.service.main, underboard.hardware.panel.oled_driver; print(sorted({heavy} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout == "[]\n"
