"""Protection against burn-in: an OLED that shows the same for hours keeps it as a shadow.

While people play nothing is done, for their screens change by themselves. A table at which
nothing happens grows dim after some minutes, moves its picture by a pixel now and then, and at
last goes dark; anything that happens brings it back at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PIL import Image

Light = Literal["full", "dim", "off"]

SHIFTS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Where the picture wanders, one after the other; screens leave a pixel free at both sides."""


@dataclass(frozen=True)
class Look:
    """How a picture is shown: its light, and by how many pixels it is moved right and down."""

    light: Light = "full"
    shift: tuple[int, int] = (0, 0)

    def moved(self, image: Image.Image) -> Image.Image:
        """The picture as it goes to the panel."""
        if self.shift == (0, 0):
            return image
        moved = Image.new(image.mode, image.size)
        moved.paste(image, self.shift)
        return moved


PLAIN = Look()


@dataclass(frozen=True)
class Care:
    """How long (ms) nothing must have happened before the display is dim, goes dark, and between two moves of the dim picture."""

    dim_ms: int = 5 * 60_000
    dark_ms: int = 60 * 60_000
    shift_ms: int = 60_000

    def look(self, idle_ms: int) -> Look:
        """How to show a picture after nothing has happened for *idle_ms*."""
        if idle_ms < self.dim_ms:
            return PLAIN
        moves = (idle_ms - self.dim_ms) // self.shift_ms
        return Look("off" if idle_ms >= self.dark_ms else "dim", SHIFTS[moves % len(SHIFTS)])
