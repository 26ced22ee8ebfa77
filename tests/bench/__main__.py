"""`make bench`: everything that is to be fast and light, measured and held against its goal. See docs/benchmarks.md."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic

from tests.bench import crowd, growth, placements, playouts, processes, scans, storage
from tests.bench.rivals import ROOT
from tests.bench.rows import TOLERANCE, Row, read_reference, regressions, table, write, write_reference

SECTIONS: Mapping[str, Callable[[], Sequence[Row]]] = {
    "playouts": playouts.rows,
    "placements": placements.rows,
    "scans": scans.rows,
    "processes": processes.rows,
    "storage": storage.rows,
    "growth": growth.rows,
    "crowd": crowd.rows,
}
JSON = ROOT / "build" / "bench.json"
REFERENCE = Path(__file__).with_name("reference.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; answers the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"only these: {', '.join(SECTIONS)}")
    parser.add_argument("--check", action="store_true", help=f"fail if a ratio is more than {TOLERANCE:.0%} worse than in {REFERENCE.name}")
    parser.add_argument("--update-reference", action="store_true", help="keep these ratios as the reference")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"no section {', '.join(unknown)}: there are {', '.join(SECTIONS)}")
    if options.update_reference and options.sections:
        parser.error("the reference is made of all sections")
    rows = measure(options.sections or list(SECTIONS))
    print(table(rows))
    write(JSON, rows, {"python": platform.python_version(), "machine": platform.machine()})
    if options.update_reference:
        write_reference(REFERENCE, rows)
    return check(rows, whole=not options.sections) if options.check else 0


def measure(names: Sequence[str]) -> list[Row]:
    """The rows of these sections."""
    rows: list[Row] = []
    for name in names:
        start = monotonic()
        rows += SECTIONS[name]()
        print(f"{name}: {monotonic() - start:.0f} s", file=sys.stderr)
    return rows


def check(rows: Sequence[Row], whole: bool) -> int:
    """Says what has become worse; with only some sections (not `whole`) the rest is not missed."""
    reference = read_reference(REFERENCE)
    if not whole:
        reference = {row.key: reference[row.key] for row in rows if row.key in reference}
    found = regressions(rows, reference)
    for sentence in found:
        print(f"worse: {sentence}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
