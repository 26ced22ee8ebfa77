"""`underboard selftest` as a person meets it."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from underboard.engine.app.maintenance.selftest import TYPED
from underboard.engine.cli.main import main
from underboard.hardware.board.cell_map import CellMap, read_cell_map
from underboard.hardware.box.config import BoxConfig
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.gpio.errors import NoChip
from underboard.hardware.panel.setup_picture import setup_picture
from underboard.hardware.simulator.i2c import SimulatedI2C
from underboard.hardware.simulator.serial_port import SimulatedPorts


def simulated(path: Path, *faults: str, quick: bool = False) -> int:
    words = [word for fault in faults for word in ("--fault", fault)]
    return main(["selftest", "--simulated", "-o", str(path), *words, *(["--quick"] if quick else [])])


def test_a_turned_board_with_a_dead_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cells.toml"
    assert simulated(path, "rotation=270", "dead=r3c4") == 1
    assert read_cell_map(path) == CellMap(10, 10, 270, dead=frozenset({(3, 4)}))
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == [
        "The matrix lies turned by 270° clockwise under the board.",
        "Dead: row 3, column 4.",
        f"The cell map is in {path}.",
    ]


def test_a_quick_test_leaves_a_file_that_agrees_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cells.toml"
    simulated(path, "rotation=90", "dead=r3c4")
    whole = path.read_text()
    assert simulated(path, "rotation=90", quick=True) == 0
    assert path.read_text() == whole
    assert simulated(path, "mirrored", quick=True) == 0
    assert read_cell_map(path) == CellMap(10, 10, mirrored=True)
    path.write_text("rows = ")
    assert simulated(path, quick=True) == 0
    assert read_cell_map(path) == CellMap(10, 10)


def test_nothing_is_written_if_nothing_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cells.toml"
    assert simulated(path, "diodes=reversed") == 1
    assert "check the diodes' direction" in capsys.readouterr().out
    assert not path.exists()


def test_the_default_file_is_in_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["selftest", "--simulated", "--quick"]) == 0
    assert read_cell_map(tmp_path / "underboard" / "simulated-cells.toml") == CellMap(10, 10)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--simulated", "--fault", "broken"], "fault 'broken': there are rotation=90"),
        (["--simulated", "--fault", "rotation=45"], "rotation 45: it is one of"),
        (["--fault", "dead=r1c1"], "add --simulated"),
        (["--simulated", "--fault", "dead=r99c1"], "there is no cell r99c1 on a board of 10x10"),
        (["--simulated", "--fault", "swapped=r1c1,r11c3"], "there is no cell r11c3 on a board of 10x10"),
        (["--config", "no.toml"], "no.toml: there is no such file"),
    ],
)
def test_what_cannot_be_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selftest", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "cells.toml", tmp_path):
        assert simulated(path, quick=True) == 2
        told = capsys.readouterr()
        assert told.err.startswith(f"{path}: ")
        assert "name a" in told.err
        assert told.out == "", "it is said before anybody walks"


def test_without_a_pi_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def none(backend: str) -> None:
        raise NoChip("no pins here")

    monkeypatch.setattr("underboard.hardware.box.raspberry_pi.open_pins", none)
    assert main(["selftest"]) == 2
    assert capsys.readouterr().err == "no pins here\n"


def test_a_pico_is_tested_from_any_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def none(backend: str) -> None:
        raise NoChip("no pins here")

    monkeypatch.setattr("underboard.hardware.box.raspberry_pi.open_pins", none)
    monkeypatch.setattr("underboard.hardware.box.raspberry_pi.SystemPorts", SimulatedPorts)
    monkeypatch.setattr("underboard.engine.app.maintenance.selftest.Keyboard", lambda stream: nullcontext(lambda: "q"))
    assert main(["selftest", "--board", "pico", "-o", str(tmp_path / "cells.toml")]) == 1
    told = capsys.readouterr().out
    assert told.startswith("Without the panel's keys (no pins here). The Pico is tested over USB.\n")
    assert "the Pico (2e8a:0005) is not plugged in" in told
    assert told.endswith("Nothing was written.\n")


def test_the_configured_board_is_tested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "table.toml").write_text("board.rows = [4, 5, 6, 7, 8, 9, 10, 11, 12]\nboard.cell_map = 'mine.toml'", encoding="utf-8")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    tested: list[tuple[tuple[int, int], Path]] = []

    def note(box: BoxConfig, quick: bool, path: Path, say: object) -> bool:
        tested.append((box.size, path))
        return True

    monkeypatch.setattr("underboard.engine.app.maintenance.selftest.on_the_board", note)
    assert main(["selftest", "--config", str(tmp_path / "table.toml")]) == 0
    assert main(["selftest", "--config", str(tmp_path / "table.toml"), "--board", "pico"]) == 0
    assert tested == [((9, 10), tmp_path / "mine.toml"), ((10, 10), tmp_path / "mine.toml")]


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> SimulatedI2C:
    """A display on the bus of this computer, and Enter pressed at once."""
    bus = SimulatedI2C("sh1106", clock=VirtualClock(), first_column=0)
    monkeypatch.setattr("underboard.engine.app.maintenance.selftest.i2c_bus", lambda port: bus)
    monkeypatch.setattr("underboard.engine.app.maintenance.selftest.Keyboard", lambda stream: nullcontext(lambda: "\n"))
    return bus


@pytest.mark.parametrize("options", [["--display", "sh1106", "--offset", "0"], ["--display"]], ids=["named", "configured"])
def test_the_set_up_picture(
    options: list[str], bus: SimulatedI2C, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text("display = { controller = 'sh1106', offset = 0 }", encoding="utf-8")
    seen: list[bytes] = []

    def look_and_press_enter() -> str:
        seen.append(bus.pixels().tobytes())
        return "\n"

    monkeypatch.setattr("underboard.engine.app.maintenance.selftest.Keyboard", lambda stream: nullcontext(look_and_press_enter))
    assert main(["selftest", "--config", str(config), *options]) == 0
    assert seen == [setup_picture(0).tobytes()]
    assert "a frame that touches all four edges" in capsys.readouterr().out


def test_no_display(bus: SimulatedI2C, capsys: pytest.CaptureFixture[str]) -> None:
    bus.detach()
    assert main(["selftest", "--display", "ssd1306"]) == 2
    assert "No picture: display at 0x3c: [Errno 121] Remote I/O error; `underboard doctor`" in capsys.readouterr().err


def test_an_offset_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selftest", "--display", "ssd1306", "--offset", "2"]) == 2
    assert "offset 2: the ssd1306 takes 0 only" in capsys.readouterr().err


def test_every_answer_can_be_typed() -> None:
    assert set(TYPED.values()) == {"ok", "skip", "back", "stop"}
