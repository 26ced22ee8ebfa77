"""The pixels of a panel as pages get them."""

from __future__ import annotations

import base64

from underboard.engine.app.pixels import pixels
from underboard.engine.gamekit.panel import Line
from underboard.hardware.panel.picture import draw


def test_the_pixels_are_those_of_the_display() -> None:
    lines = [Line("RED", inverted=True), Line("7a", "large", "center")]
    assert base64.b64decode(pixels(lines)) == draw(lines).tobytes()
    assert pixels([]) != pixels(lines)
