"""`underboard print`: sheets for the board, and cards."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config

if TYPE_CHECKING:
    from underboard.engine.app.config import Config

ABOUT = """\
Prints, as a PDF to exact scale, the sheet that lies on the board over the
sensors: over several pages with cutting marks, strips to glue and a ruler to
check. `print cards` prints the cards of a game, with room for a round tag of
25 mm behind each."""

EXAMPLES = """\
examples:
  underboard print hack_trick                    for sensors 35 mm apart, on A4
  underboard print virus_wars size=8 --pitch 40mm --paper letter
  underboard print sequence_numbers board=house8 -o board.pdf
  underboard print spy track=on players=3        the tracks of the spies
  underboard print hack_trick --paper whole -o board.svg
  underboard print cards sequence_numbers --lang hu

The sheet is as large as the board of the configuration, 10 x 10 spaces without
one. The pitch is the distance from the centre of one sensor to that of the
next. Print at 100 %, not "fit to page", and measure the ruler below the first
sheet before you print the others.
Exit status: 0, or 2 if there is nothing to print or the file cannot be
written."""

USAGE = """\
underboard print [cards] GAME [key=value ...] [--pitch LENGTH]
                        [--paper NAME] [--lang LANG] [--config FILE] [-o FILE]"""


def run(options: argparse.Namespace) -> int:
    """`underboard print [cards] GAME`."""
    from underboard.engine.app.config import load_config
    from underboard.engine.printing.job import sheets, write
    from underboard.engine.printing.paper import WHOLE

    config = load_config(options.config)
    name, found = sheets(options.words, options.pitch, options.paper, options.lang, board_size(config))
    path = options.output or Path(name)
    write(found, path, options.paper)
    if options.paper.lower() == WHOLE:
        print(f"{path}: {found[0].width:g} x {found[0].height:g} mm")
    else:
        print(f"{path}: {len(found)} {'sheet' if len(found) == 1 else 'sheets'}, to be printed at 100 %")
    return 0


def board_size(config: Config) -> tuple[int, int]:
    """Rows and columns of the configured board. An installed table's map, which is not for everybody, can turn it at most."""
    from underboard.engine.app.config import HiddenMap

    try:
        return config.board_size
    except HiddenMap:
        return config.box.size


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "print", help="the sheet for the board, or cards, as PDF", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW, usage=USAGE
    )
    command.add_argument("words", nargs="+", metavar="[cards] GAME key=value", help="the game and its options, as for `underboard play`")
    command.add_argument(
        "--pitch", default="35mm", metavar="LENGTH", help="distance of the sensors, in mm, cm or in (default: %(default)s)"
    )
    command.add_argument(
        "--paper",
        default="a4",
        metavar="NAME",
        help="a4, letter, or whole: the board in one piece, for a print shop (default: %(default)s)",
    )
    command.add_argument("--lang", default="en", metavar="LANG", help="en, hu, nl or hy (default: %(default)s)")
    add_config(command)
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE.pdf",
        help="the file (default: named after the game, in this folder); .svg too, for --paper whole",
    )
    command.set_defaults(run=run)
