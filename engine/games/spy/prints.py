"""SPY on paper: the tracks of the spies, and the cards. [1, 2]"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import ascii_lowercase, digits

from underboard.engine.base.drawing.shapes import BLACK, WHITE, Circle, Shape, line, polygon, rectangle
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.overlay import Site, Space
from underboard.engine.gamekit.prints import INKS, SMALL_FIGURE, Face, GamePrint
from underboard.engine.games.spy.captions import SEAT_NAMES, code_text
from underboard.engine.games.spy.state import SEATS, State

SPY_CARD = "spy"
KINDS = {"S": N_("SAFE"), "T": N_("TOP SECRET"), "B": N_("BOMB")}


class SpyPrint(GamePrint):
    """A card has its letter and the number by which a spy moves that faces it; a bomb that is lit is held upside down. [8c]"""

    def caption(self, space: Space, words: Words) -> str:
        return SEAT_NAMES.of(space.rstrip(digits), words)

    def printed(self, state: State) -> Mapping[Site, str]:
        return {space: space.lstrip(ascii_lowercase) for space in self.owners(state)}

    def owners(self, state: State) -> Mapping[Space, Seat]:
        return {f"{seat}{gap}": seat for seat in state.setup.seats for gap in range(state.setup.arrangements.size)}

    def face(self, card: str, words: Words) -> Face:
        seat, code = card.split()
        if code == SPY_CARD:
            return Face("◀", "◀", ("SPY", SEAT_NAMES.of(seat, words)), INKS[seat], small_figure=spy(SMALL_FIGURE))
        symbol = SYMBOLS[code[0]](SMALL_FIGURE)
        lines = (words(KINDS[code[0]]), SEAT_NAMES.of(seat, words))
        turned = lit_bomb(SMALL_FIGURE) if code.startswith("B") else ()
        return Face(code_text(code, words), code[1], lines, INKS[seat], small_figure=symbol, turned_figure=turned)

    def untagged(self) -> Sequence[str]:
        return [f"{seat} {SPY_CARD}" for seat in SEATS]


def safe(size: float) -> Sequence[Shape]:
    """A box with a dial."""
    return [
        rectangle(0.05 * size, 0.1 * size, 0.9 * size, 0.75 * size, line_width=size / 15),
        Circle(0.5 * size, 0.475 * size, 0.2 * size, width=size / 20),
        line((0.5 * size, 0.475 * size), (0.5 * size, 0.3 * size), width=size / 20),
        line((0.2 * size, 0.85 * size), (0.2 * size, 0.97 * size), width=size / 10),
        line((0.8 * size, 0.85 * size), (0.8 * size, 0.97 * size), width=size / 10),
    ]


def secret(size: float) -> Sequence[Shape]:
    """A closed envelope with a seal."""
    return [
        rectangle(0.03 * size, 0.2 * size, 0.94 * size, 0.65 * size, line_width=size / 20),
        line((0.03 * size, 0.2 * size), (0.5 * size, 0.58 * size), (0.97 * size, 0.2 * size), width=size / 20),
        Circle(0.5 * size, 0.58 * size, 0.13 * size, stroke=None, fill=INKS["red"]),
    ]


def bomb(size: float) -> Sequence[Shape]:
    """A ball with a fuse."""
    return [
        Circle(0.45 * size, 0.6 * size, 0.35 * size, stroke=None, fill=BLACK),
        line((0.65 * size, 0.35 * size), (0.75 * size, 0.2 * size), (0.9 * size, 0.15 * size), width=size / 15),
        Circle(0.33 * size, 0.48 * size, 0.07 * size, stroke=None, fill=WHITE),
    ]


def lit_bomb(size: float) -> Sequence[Shape]:
    """The same with sparks at its fuse, upside down."""
    x, y, ray = 0.1 * size, 0.85 * size, 0.14 * size
    return [
        Circle(0.55 * size, 0.4 * size, 0.35 * size, stroke=None, fill=BLACK),
        line((0.35 * size, 0.65 * size), (0.25 * size, 0.8 * size), (0.1 * size, 0.85 * size), width=size / 15),
        Circle(0.67 * size, 0.52 * size, 0.07 * size, stroke=None, fill=WHITE),
        *(line((x - ray * dx, y - ray * dy), (x + ray * dx, y + ray * dy), width=size / 25) for dx, dy in RAYS),
    ]


RAYS = ((1, 0), (0, 1), (0.7, 0.7), (0.7, -0.7))


def spy(size: float) -> Sequence[Shape]:
    """A hat and dark glasses."""
    return [
        polygon((0.25 * size, 0.4 * size), (0.32 * size, 0.05 * size), (0.68 * size, 0.05 * size), (0.75 * size, 0.4 * size), fill=BLACK),
        line((0.03 * size, 0.42 * size), (0.97 * size, 0.42 * size), width=size / 12),
        Circle(0.3 * size, 0.68 * size, 0.16 * size, stroke=None, fill=BLACK),
        Circle(0.7 * size, 0.68 * size, 0.16 * size, stroke=None, fill=BLACK),
        line((0.3 * size, 0.64 * size), (0.7 * size, 0.64 * size), width=size / 20),
    ]


SYMBOLS: Mapping[str, Callable[[float], Sequence[Shape]]] = {"S": safe, "T": secret, "B": bomb}
