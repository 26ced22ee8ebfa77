"""The table of the benchmarks, the comparison with an earlier run, and how pairs are measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.paired import in_turns, rate
from tests.bench.rows import Row, limit, read_reference, regressions, table, write, write_reference

FAST = Row("fast", "a fast thing", "1/s", 200_000, "a rival", 100_000, 2.0)
SLOW = limit("slow", "a slow thing", "ms", 80, 60)


def test_more_is_better_in_every_row() -> None:
    assert FAST.met
    assert not SLOW.met
    assert SLOW.ratio == 0.75
    assert limit("none", "nothing at all", "", 0, 1).met
    assert not limit("none", "nothing too much", "", 1, 0).met


def test_the_table_has_a_line_for_each_row_with_its_columns_in_line() -> None:
    head, fast, slow = table([FAST, SLOW]).splitlines()
    assert fast.split("  ")[0] == "a fast thing"
    assert fast.endswith("met")
    assert slow.endswith("MISSED")
    assert "200,000 1/s" in fast
    assert head.index("compared with") == fast.index("a rival") == slow.index("the goal")


def test_json_has_every_figure(tmp_path: Path) -> None:
    write(tmp_path / "made" / "bench.json", [FAST, SLOW], {"python": "3"})
    kept = json.loads((tmp_path / "made" / "bench.json").read_text())
    assert [(row["key"], row["ours"], row["met"]) for row in kept["rows"]] == [("fast", 200_000, True), ("slow", 80, False)]
    assert kept["python"] == "3"


@pytest.mark.parametrize(
    ("reference", "worse"),
    [
        ({"fast": 2.6, "slow": 0.75}, []),
        ({"fast": 2.7, "slow": 0.75}, ["fast: 2.00, it was 2.70"]),
        ({"fast": 1.0, "slow": 0.75, "old": 1}, ["old: no longer measured"]),
        ({"fast": 2.0}, ["slow: not in the reference"]),
    ],
)
def test_a_ratio_that_is_a_quarter_worse_is_a_regression(reference: dict[str, float], worse: list[str]) -> None:
    assert regressions([FAST, SLOW], reference) == worse


def test_what_depends_on_the_machine_is_compared_by_another_figure(tmp_path: Path) -> None:
    start = limit("start", "a start", "ms", 100, 200, steady=0.5)
    write_reference(tmp_path / "reference.json", [start])
    assert read_reference(tmp_path / "reference.json") == {"start": 0.5}


def test_each_of_ours_is_held_against_the_rival_just_before_and_after_it() -> None:
    speeds = iter([100.0, 50.0, 100.0, 50.0])  # the machine is slower now and then
    pair = in_turns({"a": lambda: 75.0}, lambda: next(speeds), rounds=3)["a"]
    assert (pair.ours, pair.theirs, pair.ratio) == (75.0, 75.0, 1.0)


def test_a_rate_counts_all_that_was_done() -> None:
    calls: list[int] = []

    def work() -> int:
        calls.append(1)
        return 10

    assert rate(work, 0.01) <= 10 * len(calls) / 0.01
