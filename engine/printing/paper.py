"""Paper and its margins. All lengths are millimetres."""

from __future__ import annotations

import re
from dataclasses import dataclass

from underboard.engine.base.drawing.shapes import Bounds, Shape, label, line
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import Words

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
WHOLE = "whole"
"""Instead of a paper: the board in one piece, for a print shop."""
MARGIN = 9.0
"""At the left, the top and the right: what most printers leave white, and the cutting marks."""
FOOT = 24.0
"""At the bottom, for the ruler and what the sheet is called."""
RULER = 100.0
PITCHES = (15.0, 60.0)
"""Below, tokens are smaller than a coin and reeds see the magnets of their neighbours; above, no table is large enough."""
UNITS = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": 25.4}


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of this width and height."""

    width: float
    height: float

    @property
    def turned(self) -> Paper:
        """The sheet lying on its side."""
        return Paper(self.height, self.width)

    @property
    def room(self) -> Bounds:
        """What can be printed on."""
        return Bounds(MARGIN, MARGIN, self.width - MARGIN, self.height - FOOT)


def paper_of(name: str) -> Paper:
    """The sheet that is called so, upright. Raises BadArgument."""
    if name.lower() not in PAPERS:
        raise BadArgument(f"paper '{name}': there are {', '.join(PAPERS)}, and {WHOLE} for a board in one piece")
    return Paper(*PAPERS[name.lower()])


def pitch_of(text: str) -> float:
    """The distance between the centres of two spaces, from "35mm", "3.5cm", "1.5in" or a number of millimetres. Raises BadArgument."""
    found = re.fullmatch(r"([0-9]{1,4}(?:[.,][0-9]{1,4})?) ?(mm|cm|in|)", text.strip(), re.ASCII)
    if found is None:
        raise BadArgument(f"pitch '{text}': a length is needed, like 35mm, 3.5cm or 1.5in")
    pitch = float(found[1].replace(",", ".")) * UNITS[found[2]]
    low, high = PITCHES
    if not low <= pitch <= high:
        raise BadArgument(f"pitch {text}: {low:g} to {high:g} mm can be printed; measure from the centre of a space to that of the next")
    return pitch


def foot(paper: Paper, title: str, words: Words, kept: float = 0.0) -> list[Shape]:
    """A ruler of 100 mm, and what the sheet is called; so much is *kept* free at the right."""
    y = paper.height - 13.0
    shapes: list[Shape] = [line((MARGIN, y), (MARGIN + RULER, y), width=0.25, name="ruler")]
    shapes += [line((MARGIN + x, y), (MARGIN + x, y - (2.5 if x % 50 == 0 else 1.5)), width=0.25) for x in range(0, int(RULER) + 1, 10)]
    room = paper.width - 2 * MARGIN - kept
    check = words("This line must be 100 mm long; if not, print again at 100 %.")
    shapes.append(label(MARGIN + RULER + 4, y, check, 3.2, anchor="start", room=room - RULER - 4))
    shapes.append(label(MARGIN, paper.height - 8.0, title, 3.2, anchor="start", room=room))
    return shapes
