"""The mains plug is pulled after every single thing that happens, and in the middle of it: the game comes to the same end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from underboard.engine.journal.database import read_match
from underboard.engine.journal.history import resume
from underboard.engine.scripting.runner import replay

TABLE = "table hack_trick four=red out=3,0 red=1,1,3,4 yellow=2,3,5"
TURNS = [
    ["choose start 4"],
    ["do draw 4"],
    ["choose infect 3", "place 7a"],
    ["choose firewall"],
    ["choose infect 2", "place 5a"],
    ["choose end"],
    ["choose infect 1", "key right", "place 3a"],
    ["choose end"],
    ["choose infect 4", "place 5b"],
    ["choose hack"],
    ["choose infect 1", "lift 5a", "lift 5b", "place 5c"],
]
"""A game with a giant, a HACK and a knock-out of two; each part is what a player does between two records."""
CUT = ["power cut", "wait 1s", "power on"]


def end_of(folder: Path, lines: Sequence[str]) -> object:
    """Plays the lines; answers the record of the game, the tokens and the actions."""
    script, journal = folder / "s.table", folder / "journal"
    script.write_text("\n".join([f"{TABLE} journal={journal}", *lines]), encoding="utf-8")
    for report, failure in replay(script):
        assert failure is None, f"{report['command']}: {failure}"
        assert report["command"].startswith(("power", "wait", "lift", "key")) or report["alert"] is None
    table = resume(read_match(journal))
    return table.setup.game.record(table.state), sorted(table.layout.spaces), table.session.now.actions()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> object:
    return end_of(tmp_path_factory.mktemp("whole"), [line for turn in TURNS for line in turn])


def test_a_power_cut_after_every_action(tmp_path: Path, whole: object) -> None:
    assert end_of(tmp_path, [line for turn in TURNS for line in [*turn, *CUT]]) == whole


def test_a_power_cut_after_every_event(tmp_path: Path, whole: object) -> None:
    """Also between a card and its token: then the card is chosen again, and the token counts from there."""
    assert end_of(tmp_path, list(chain_of_cuts())) == whole


def chain_of_cuts() -> Iterator[str]:
    for turn in TURNS:
        chosen: list[str] = []
        for number, line in enumerate(turn, 1):
            yield line
            yield from CUT
            if line.startswith(("choose", "key")):
                chosen.append(line)
            if number < len(turn):
                yield from chosen


@pytest.mark.parametrize("ms", [0, 10, 25, 200])
def test_a_power_cut_in_the_middle_of_every_placement(tmp_path: Path, whole: object, ms: int) -> None:
    """Whatever the sensors had made of it by then, nothing is lost, and what was not recorded is asked about."""
    assert end_of(tmp_path, cut_placements(tmp_path, ms)) == whole


def cut_placements(folder: Path, ms: int) -> Sequence[str]:
    """As it was seen at the table: the next line depends on whether the placement was recorded."""
    lines: list[str] = []
    for turn in TURNS:
        *before, last = turn
        if not last.startswith("place"):
            lines += turn
            continue
        lines += [*before, "together", last, f"wait {ms}ms", "power cut"]
        recorded = recorded_after(folder, lines)
        lines += ["wait 1s", "power on", "end"]
        if not recorded:
            lines += [line.replace("key right", "choose infect 1 giant") for line in before if not line.startswith("lift")][-1:]
    return lines


def recorded_after(folder: Path, lines: Sequence[str]) -> bool:
    """Whether the last placement of these lines is on record."""
    script, journal = folder / "probe.table", folder / f"probe-{len(lines)}"
    script.write_text("\n".join([f"{TABLE} journal={journal}", *lines, "end"]), encoding="utf-8")
    assert all(failure is None for _, failure in replay(script))
    return read_match(journal)[-1].action.startswith("infect")
