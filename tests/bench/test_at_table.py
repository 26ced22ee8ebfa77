"""The table at work: the measurements act on a game that really goes on."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.bench.at_table import TableAtWork
from tests.bench.growth import Curve
from tests.bench.placements import shown_after
from tests.bench.storage import bytes_of_whole_frame, cost_of_evening
from underboard.engine.journal.database import read_game


def test_a_token_is_an_action_that_is_kept_and_shown(tmp_path: Path) -> None:
    with TableAtWork(tmp_path) as table:
        space = table.legal_space(Random(1))
        table.choose(space)
        assert shown_after(table, space) <= 60
        assert [entry.action for entry in read_game(table.writer.path) if entry.kind == "do"] == [space]


def test_an_entry_is_a_sync_and_a_page_of_the_log_and_the_first_one_a_sync_more() -> None:
    syncs, size = cost_of_evening([["a1"], ["a1", "b1"], ["b1"]])
    assert syncs == 1 + 3
    assert 3 * 4_096 <= size <= 3 * 5_000


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's
def test_a_whole_frame_is_all_pixels_and_what_goes_with_them() -> None:
    assert 1_024 < bytes_of_whole_frame() < 1.1 * 1_024


def test_a_curve_below_a_straight_line_meets_its_goal() -> None:
    flat = Curve("flat", "a flat one", "µs", {"4": 16, "8": 64}, [1.0, 2.0])
    steep = Curve("steep", "a steep one", "µs", {"4": 16, "8": 64}, [1.0, 8.0])
    assert (flat.row.met, flat.row.ratio, steep.row.met) == (True, 2.0, False)
    assert flat.drawn().splitlines()[2].count("█") == 2 * flat.drawn().splitlines()[1].count("█")
