"""`underboard doctor`: what may keep the table from working, and the remedies."""

from __future__ import annotations

import argparse

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config, say

ABOUT = """\
Looks at everything that a table needs: the configuration, the Pi and its
lines, permissions, known traps of packages, the display and its bus, Pico and
card reader, programs that steal ports, cell map, journal, disk, texts and
clock. Whatever is not well comes with the command that mends it. A running
table is not disturbed, and nothing is changed."""

EXAMPLES = """\
examples:
  underboard doctor
  sudo -u underboard underboard doctor        as the installed service sees it
  underboard doctor --config my-table.toml

Exit status: 0 if all is well, 1 if there are warnings, 2 if something is
wrong. What could not be looked at counts as neither."""

MARKS = {"ok": "ok", "warning": "warning", "wrong": "WRONG", "unknown": "?"}


def run(options: argparse.Namespace) -> int:
    """`underboard doctor`: 1 for warnings, 2 for what is wrong."""
    from underboard.engine.app.maintenance.doctor import examine
    from underboard.hardware.system.machine import Machine

    worst = 0
    for finding in examine(options.config, Machine()):
        say(f"{MARKS[finding.level]:<8} {finding.about:<14} {finding.text}")
        if finding.remedy:
            say(f"{'':<23} -> {finding.remedy}")
        worst = max(worst, {"warning": 1, "wrong": 2}.get(finding.level, 0))
    return worst


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "doctor", help="what keeps a table from working, with remedies", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW
    )
    add_config(command)
    command.set_defaults(run=run)
