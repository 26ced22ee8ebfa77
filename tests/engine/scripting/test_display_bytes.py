"""How little goes over the bus while people play: a whole game, as the simulated bus counts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from underboard.engine.scripting.parser import read_script
from underboard.engine.scripting.runner import Runner

SCRIPT = Path(__file__).parents[2] / "scripts" / "hack_trick" / "evening.table"
WHOLE_FRAME = 1024 + 32 * 2 + 8
"""Data in blocks of 32 with an address and a control byte each, and the commands before: what luma sends for each picture."""


@pytest.mark.parametrize("oled", ["ssd1306", "sh1106"])
def test_a_normal_game_costs_three_tenths_of_whole_frames(oled: str) -> None:
    first, *commands = read_script(
        SCRIPT.read_text(encoding="utf-8").replace("table hack_trick", f"table hack_trick oled={oled}"), SCRIPT.name
    )
    with Runner(first.arguments) as runner:
        for command in commands:
            runner.play(command)
        assert runner._program is not None
        pictures = runner._program.box.display.counters["pictures"]
        assert pictures > 500
        assert 10 * runner._box.i2c.bytes_written <= 3 * pictures * WHOLE_FRAME
