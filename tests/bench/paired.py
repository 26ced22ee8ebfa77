"""Measuring on a machine that others use: processor time instead of the wall clock, in turns, and the median of the pairs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import process_time

Measure = Callable[[], float]
"""Measures once and answers a rate or a time."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Medians over all rounds; `ratio` is that of ours / theirs in each round, which is steadier than either."""

    ours: float
    theirs: float
    ratio: float


def in_turns(ours: Mapping[str, Measure], theirs: Measure, rounds: int) -> dict[str, Pair]:
    """Each of ours against the rival: A B A C A …, with a measurement of the rival before and after each of ours."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ours}
    before = theirs()
    for _ in range(rounds):
        for name, measure in ours.items():
            value, after = measure(), theirs()
            found[name].append((value, (before + after) / 2))
            before = after
    return {name: pair_of(pairs) for name, pairs in found.items()}


def pair_of(pairs: list[tuple[float, float]]) -> Pair:
    """The medians of measurements of ours and theirs."""
    return Pair(median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs))


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much is done in a second of processor time; `work` does some of it and says how much."""
    start, done = process_time(), work()
    while (spent := process_time() - start) < seconds:
        done += work()
    return done / spent


def yardstick_ms() -> float:
    """Milliseconds of processor time for a fixed piece of plain Python: what times of this computer are held against."""
    return span_us(lambda: json.loads(json.dumps(YARD)), 50) / 1_000


YARD = [{"number": n, "name": str(n), "list": list(range(10))} for n in range(50)]


def span_us(act: Callable[[], object], times: int) -> float:
    """Microseconds of processor time a call, over so many calls."""
    start = process_time()
    for _ in range(times):
        act()
    return (process_time() - start) * 1e6 / times
