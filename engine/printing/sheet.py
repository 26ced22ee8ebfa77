"""The sheet that lies on the board: every space over its sensor, to scale.

A place with one space is a square that fills its cell; a place with several has a frame around them all and a ring for each
token. Sensors over which nothing is printed are marked with a small cross, for drilling, and for laying the sheet straight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from underboard.engine.base.drawing.shapes import BLACK, GREY, PALE, Bounds, Circle, Shape, label, rectangle
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.overlay import BOARD_COLUMNS, BOARD_ROWS, Overlay, Site, Space, by_site
from underboard.engine.gamekit.prints import TINTS, GamePrint
from underboard.engine.gamekit.registry import find_presentation, find_print, game_ids, title_of
from underboard.engine.gamekit.setup import new_session, new_setup
from underboard.engine.printing.tiles import Picture, cross, frame

RING = 0.36
"""Radius of a token's ring, as a share of the pitch."""
INSET = 0.06
BoardSize = tuple[int, int]
"""Rows and columns of a board."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed on a board: its overlay, the spaces of each site, what stands on a site and whose a space is."""

    title: str
    overlay: Overlay
    sites: Mapping[Site, tuple[Space, ...]]
    printed: Mapping[Site, str]
    owners: Mapping[Space, Seat]
    prints: GamePrint


def sheet_of(game_id: str, options: Mapping[str, str], size: BoardSize = (BOARD_ROWS, BOARD_COLUMNS)) -> Sheet:
    """The sheet of a game with these options on a board of this size.

    Raises BadArgument for a game or options that nothing is printed for, and for a board that is too small for them.
    """
    if game_id not in game_ids():
        raise BadArgument(without_board(game_id))
    setup = new_setup(game_id, options, seed=0)
    if not setup.overlay.spaces:
        more = "; add track=on for a track of the spies" if game_id == "spy" else ""
        raise BadArgument(without_board(game_id) + more)
    state = new_session(setup, setup.options).state
    prints = find_print(game_id)
    return Sheet(
        title_of(game_id),
        on_board(game_id, setup.overlay, size),
        {site: tuple(sorted(spaces)) for site, spaces in by_site(setup.overlay.spaces, setup.table.site).items()},
        {**find_presentation(setup.game.id).printed(state), **prints.printed(state)},
        prints.owners(state),
        prints,
    )


def on_board(game_id: str, overlay: Overlay, size: BoardSize) -> Overlay:
    """The same spaces on a board of another size. Raises BadArgument if they have no room there."""
    if not overlay.fits(size):
        rows, columns = overlay.extent
        raise BadArgument(f"{game_id} needs {rows} rows and {columns} columns, the board has {size[0]} and {size[1]}")
    return replace(overlay, rows=size[0], columns=size[1])


def without_board(game_id: str) -> str:
    """What to say of a game that is played with cards alone."""
    return f"{game_id} is played without a board: there is no sheet to print; `underboard print cards {game_id}` prints its cards"


def picture(sheet: Sheet, pitch: float, words: Words) -> Picture:
    """The whole board with this distance between two spaces, in mm."""
    width, height = sheet.overlay.columns * pitch, sheet.overlay.rows * pitch
    shapes = [shape for site, spaces in sheet.sites.items() for shape in site_shapes(sheet, site, spaces, pitch, words)]
    return Picture(f"{sheet.title} · {pitch:g} mm", width, height, [*crosses(sheet.overlay, pitch), *shapes, frame(width, height)], pitch)


def crosses(overlay: Overlay, pitch: float) -> Iterator[Shape]:
    """The sensors under no space."""
    taken = set(overlay.spaces.values())
    for row in range(1, overlay.rows + 1):
        for column in range(1, overlay.columns + 1):
            if (row, column) not in taken:
                yield from cross((column - 0.5) * pitch, (row - 0.5) * pitch)


def site_shapes(sheet: Sheet, site: Site, spaces: tuple[Space, ...], pitch: float, words: Words) -> Iterator[Shape]:
    """One place of the game."""
    if len(spaces) == 1:
        yield from square(sheet, site, spaces[0], pitch, words)
        return
    box = around(sheet.overlay, spaces, pitch)
    edge = INSET * pitch
    yield rectangle(box.left + edge, box.top + edge, box.right - box.left - 2 * edge, box.bottom - box.top - 2 * edge, line_width=0.5)
    for space in spaces:
        x, y = centre(sheet.overlay, space, pitch)
        yield Circle(x, y, RING * pitch, stroke=GREY, fill=TINTS.get(sheet.owners.get(space, "")), width=0.3, name=space)
        yield label(x, y, sheet.prints.caption(space, words), 0.2 * pitch, colour=GREY, room=RING * pitch * 1.6)
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    yield label(x, y, sheet.printed.get(site, site), 0.9 * pitch, bold=True, room=0.9 * pitch)


def square(sheet: Sheet, site: Site, space: Space, pitch: float, words: Words) -> Iterator[Shape]:
    """A place with one space: what is printed in the middle, and again above, where a token does not hide it."""
    x, y = centre(sheet.overlay, space, pitch)
    tint = TINTS.get(sheet.owners.get(space, ""))
    yield rectangle(x - pitch / 2, y - pitch / 2, pitch, pitch, stroke=GREY, fill=tint, line_width=0.25)
    yield Circle(x, y, RING * pitch, stroke=PALE, fill=None, width=0.25, name=space)
    top, side, room = y - 0.43 * pitch, 0.46 * pitch, 0.5 * pitch
    yield label(x - side, top, sheet.prints.caption(space, words), 0.11 * pitch, colour=GREY, anchor="start", room=room)
    text = sheet.printed.get(site, "")
    if text:
        yield label(x, y, text, 0.34 * pitch, bold=True, room=RING * pitch * 1.6)
        yield label(x + side, top, text, 0.13 * pitch, bold=True, colour=BLACK, anchor="end", room=0.35 * pitch)
    else:
        yield from cross(x, y)


def centre(overlay: Overlay, space: Space, pitch: float) -> tuple[float, float]:
    """Where a space's sensor lies."""
    row, column = overlay.spaces[space]
    return (column - 0.5) * pitch, (row - 0.5) * pitch


def around(overlay: Overlay, spaces: tuple[Space, ...], pitch: float) -> Bounds:
    """The cells from the first to the last of these spaces."""
    cells = [overlay.spaces[space] for space in spaces]
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    return Bounds((min(columns) - 1) * pitch, (min(rows) - 1) * pitch, max(columns) * pitch, max(rows) * pitch)
