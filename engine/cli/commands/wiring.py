"""`underboard wiring`: which wire leads where, as a table and as drawings."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from underboard.engine.cli.commands.common import RAW, Subparsers, add_config, refuse

if TYPE_CHECKING:
    from underboard.hardware.box.config import BoxConfig

ABOUT = """\
Shows how a table is wired, from the same configuration that the program uses:
as a list of all wires with their pins, or drawn: the pins of the header, the
matrix with the direction of every diode, one cell, and keys, buzzer, display
and reader."""

EXAMPLES = """\
examples:
  underboard wiring                    the list, in the terminal
  underboard wiring -o wiring.pdf      the drawings, a page each, to print
  underboard wiring -o matrix.svg --figure matrix
  underboard wiring --config my-table.toml -o wiring.txt

figures: header, pico (if the board is wired to one), matrix, cell, panel
`underboard config` writes a configuration to begin with.
Exit status: 0, or 2 if the configuration cannot be used or the file cannot be
written."""


def run(options: argparse.Namespace) -> int:
    """`underboard wiring`."""
    from underboard.engine.app.config import load_config

    box = load_config(options.config).box
    if options.output is None and not options.figure:
        from underboard.engine.printing.wiring.listing import wiring_lines

        print(*wiring_lines(box), sep="\n")
        return 0
    return draw(box, options.output, options.figure)


def draw(box: BoxConfig, path: Path | None, figures: list[str]) -> int:
    """Writes the file; its name tells what kind it is."""
    from underboard.engine.base.file_errors import unwritable
    from underboard.engine.printing.wiring.sheets import names

    unknown = [name for name in figures if name not in names(box)]
    if unknown:
        return refuse(f"there is no figure {', '.join(unknown)} of this table: there are {', '.join(names(box))}")
    if path is None:
        return refuse("a figure is written to a file: add -o FILE.svg or -o FILE.pdf")
    try:
        content = content_of(box, path.suffix.lower(), figures or names(box))
        if content is None:
            return refuse(f"{path}: the name ends in .svg, .pdf or .txt, which says what is written")
        path.write_bytes(content)
    except OSError as error:
        return refuse(unwritable(path, error))
    print(path)
    return 0


def content_of(box: BoxConfig, suffix: str, figures: list[str]) -> bytes | None:
    """What goes into a file of this kind; None for an unknown one."""
    from underboard.engine.base.drawing.pdf import pdf
    from underboard.engine.base.drawing.svg import svg
    from underboard.engine.printing.wiring.listing import wiring_lines
    from underboard.engine.printing.wiring.sheets import long_sheet, pages

    match suffix:
        case ".svg":
            return svg(long_sheet(box, figures)).encode()
        case ".pdf":
            return pdf(pages(box, figures))
        case ".txt":
            return "".join(f"{line}\n" for line in wiring_lines(box)).encode()
        case _:
            return None


def add(commands: Subparsers) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "wiring", help="which wire leads where, as a list or drawn", description=ABOUT, epilog=EXAMPLES, formatter_class=RAW
    )
    add_config(command)
    command.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a file ending in .svg, .pdf or .txt (default: the list, shown here)"
    )
    command.add_argument("--figure", action="append", default=[], metavar="NAME", help="only this drawing; may be repeated")
    command.set_defaults(run=run)
