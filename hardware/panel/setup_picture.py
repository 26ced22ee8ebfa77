"""The test picture of a display: a wrong controller, offset or direction can be seen in it."""

from __future__ import annotations

from PIL import Image, ImageDraw

from underboard.hardware.panel.picture import HEIGHT, WIDTH, write

SEEN = """\
On the display is a frame that touches all four edges, with a full square at the top left and readable text.
An edge is missing or doubled: try the other offset, 0 or 2. Snow at one side: it is an SH1106 and no SSD1306.
Upside down or mirrored: the module is built otherwise than most."""


def setup_picture(offset: int) -> Image.Image:
    """A frame on the outermost pixels, a full square at the top left, a chequered one at the bottom right, and the offset in use."""
    picture = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=1)
    pen.rectangle((3, 3, 18, 18), fill=1)
    for row in range(HEIGHT - 19, HEIGHT - 3):
        for column in range(WIDTH - 19, WIDTH - 3):
            picture.putpixel((column, row), (row + column) % 2)
    write(picture, (26, 4), "UNDERBOARD", "small")
    write(picture, (26, 19), "ÁŐ ij Ա→", "medium")
    write(picture, (26, 38), f"offset {offset}", "small")
    return picture
