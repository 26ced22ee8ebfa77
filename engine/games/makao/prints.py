"""Makaó on paper: the cards, with the suits of a Hungarian pack as simple drawings. [2]"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin

from underboard.engine.base.drawing.shapes import Circle, Colour, Point, Shape, line, polygon
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.prints import FIGURE, INKS, SMALL_FIGURE, Face, GamePrint
from underboard.engine.games.makao.captions import card_text

STEPS = 48
BROWN, GOLD, PALE_GOLD = "#7a4a21", "#b8860b", "#f2cf63"
SUIT_INKS: Mapping[str, Colour] = {"h": INKS["red"], "l": INKS["green"], "b": GOLD, "a": BROWN}


INDICES = {"7": "VII", "8": "VIII", "9": "IX", "10": "X", "U": N_("U"), "O": N_("O"), "K": N_("K"), "A": N_("A")}
"""What stands in the corner of a card: Roman numbers as in a Hungarian pack, else the first letter of the rank's name."""


class MakaoPrint(GamePrint):
    """The rank in the corner, the suit in the middle, and what the panel calls the card."""

    def face(self, card: str, words: Words) -> Face:
        suit, rank = card[0], card[1:]
        figure = FIGURES[suit]
        index = words(INDICES[rank])
        return Face(index, index, [card_text(card, words)], SUIT_INKS[suit], figure(FIGURE), figure(SMALL_FIGURE))


def curve(at: Callable[[float], Point], size: float) -> tuple[Point, ...]:
    """A closed curve in the unit square, as a polygon of this size."""
    return tuple((x * size, y * size) for x, y in (at(2 * pi * step / STEPS) for step in range(STEPS)))


def heart(size: float) -> Sequence[Shape]:
    """The well-known curve of a heart."""

    def at(t: float) -> Point:
        x, y = 16 * sin(t) ** 3, 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
        return 0.5 + x / 36, 0.44 - y / 36

    return [polygon(*curve(at, size), stroke=None, fill=INKS["red"])]


def leaf(size: float) -> Sequence[Shape]:
    """Two arcs that meet in a point, a rib and a stalk."""

    def at(t: float) -> Point:
        return 0.5 + 0.3 * sin(t) * (1 - 0.35 * cos(t)), 0.42 - 0.4 * cos(t)

    rib = line((0.5 * size, 0.2 * size), (0.5 * size, 0.98 * size), colour="#0d4423", width=size / 28)
    return [polygon(*curve(at, size), stroke=None, fill=INKS["green"]), rib]


def bell(size: float) -> Sequence[Shape]:
    """A round bell with a ring above, a band around it and a slit."""
    stroke = size / 40
    return [
        Circle(0.5 * size, 0.1 * size, 0.07 * size, stroke=GOLD, fill=None, width=2 * stroke),
        Circle(0.5 * size, 0.55 * size, 0.38 * size, stroke=GOLD, fill=PALE_GOLD, width=2 * stroke),
        polygon(
            (0.13 * size, 0.48 * size),
            (0.87 * size, 0.48 * size),
            (0.87 * size, 0.6 * size),
            (0.13 * size, 0.6 * size),
            stroke=None,
            fill=INKS["red"],
        ),
        Circle(0.5 * size, 0.72 * size, 0.045 * size, stroke=None, fill=BROWN),
        line((0.5 * size, 0.74 * size), (0.5 * size, 0.92 * size), colour=BROWN, width=2 * stroke),
    ]


def acorn(size: float) -> Sequence[Shape]:
    """A nut below its cup, and a stalk."""

    def nut(t: float) -> Point:
        return 0.5 + 0.25 * sin(t), 0.6 - 0.36 * cos(t)

    def cup(t: float) -> Point:
        return 0.5 + 0.33 * sin(t), min(0.3 - 0.17 * cos(t), 0.38)

    return [
        line((0.5 * size, 0.02 * size), (0.5 * size, 0.2 * size), colour=BROWN, width=size / 14),
        polygon(*curve(nut, size), stroke=None, fill=GOLD),
        polygon(*curve(cup, size), stroke=None, fill=BROWN),
    ]


FIGURES: Mapping[str, Callable[[float], Sequence[Shape]]] = {"h": heart, "l": leaf, "b": bell, "a": acorn}
