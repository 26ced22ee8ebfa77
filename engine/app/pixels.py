"""The pixels of a panel as pages get them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache

from underboard.engine.gamekit.panel import Line
from underboard.hardware.panel.picture import draw


def pixels(lines: Sequence[Line]) -> str:
    """The panel with these lines, in base64 as the display's memory has it."""
    return _pixels(tuple(lines))


@lru_cache(maxsize=64)
def _pixels(lines: tuple[Line, ...]) -> str:
    return base64.b64encode(draw(lines).tobytes()).decode("ascii")
