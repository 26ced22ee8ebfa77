"""Faults in words: every kind, and for every mistake the reason."""

from __future__ import annotations

import re

import pytest

from underboard.engine.app.simulation.faults import Fault, read_fault
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.registry import find_overlay

OVERLAY = find_overlay("hack_trick", {})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("cell 4a stuck=closed", Fault("cell", "stuck", "closed", "4a")),
        ("cell @r1c1 stuck=open", Fault("cell", "stuck", "open", "@r1c1")),
        ("cell 4a chatter=2s", Fault("cell", "chatter", 2000, "4a")),
        ("cell 4a ok", Fault("cell", "ok", None, "4a")),
        ("matrix diodes=off", Fault("matrix", "diodes", False)),
        ("matrix diodes=on", Fault("matrix", "diodes", True)),
        ("matrix noise=1%", Fault("matrix", "noise", 0.01)),
        ("matrix noise=0.5%", Fault("matrix", "noise", 0.005)),
        ("oled detach", Fault("oled", "detach")),
        ("oled attach", Fault("oled", "attach")),
        ("oled errno=121 times=3", Fault("oled", "errno", (121, 3))),
        ("oled errno=110", Fault("oled", "errno", (110, 1))),
        ("board unplug", Fault("board", "unplug")),
        ("board replug port=ttyACM1", Fault("board", "replug", "ttyACM1")),
        ("reader replug", Fault("reader", "replug")),
        ("reader bytes 0230 3A", Fault("reader", "bytes", b"\x020:")),
        ("clock +14d", Fault("clock", "jump", 14 * 86_400_000)),
        ("clock -3h", Fault("clock", "jump", -3 * 3_600_000)),
    ],
)
def test_every_kind_of_fault(text: str, fault: Fault) -> None:
    assert read_fault(text, OVERLAY, cable=True) == fault


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "fault '': there are cell, matrix, oled, clock, board, reader"),
        ("coffee", "fault 'coffee': there are cell, matrix, "),
        ("cell", "fault cell C stuck=closed|stuck=open|chatter=TIME|ok"),
        ("cell 4a", "fault cell C stuck=closed|stuck=open|chatter=TIME|ok"),
        ("cell 4a stuck=half", "stuck=half: allowed are closed, open"),
        ("cell 4a broken", "'broken': a cell can be stuck=closed, "),
        ("cell 9z ok", "there is no space '9z'"),
        ("matrix noise=1", "fault matrix diodes=on|diodes=off|noise=1%"),
        ("matrix noise=100%", "fault matrix diodes=on|diodes=off|noise=1%"),
        ("matrix", "fault matrix diodes=on|diodes=off|noise=1%"),
        ("matrix diodes=few", "diodes=few: allowed are on, off"),
        ("oled", "fault oled detach|attach|errno=NUMBER [times=NUMBER]"),
        ("oled errno=EIO", "fault oled detach|attach|errno=NUMBER [times=NUMBER]"),
        ("board", "fault board unplug|replug [port=NAME]"),
        ("board unplug port=ttyACM1", "fault board unplug|replug [port=NAME]"),
        ("board replug port=../x", "fault board unplug|replug [port=NAME]"),
        ("reader", "fault reader unplug|replug [port=NAME]|bytes HEX"),
        ("reader bytes 0", "fault reader unplug|replug [port=NAME]|bytes HEX"),
        ("clock 14d", "fault clock +TIME or -TIME"),
        ("clock +14", "'14' is no time"),
    ],
)
def test_what_is_no_fault_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(BadArgument, match=re.escape(why)):
        read_fault(text, OVERLAY, cable=True)


def test_a_board_that_is_wired_to_the_pi_has_no_cable() -> None:
    with pytest.raises(BadArgument, match="no cable to pull"):
        read_fault("board unplug", OVERLAY, cable=False)
