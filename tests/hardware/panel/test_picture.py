"""Lines of text become pixels: sizes, places, every letter of the four languages, and every mistake named."""

import itertools
import logging
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from PIL import Image

from underboard.hardware.panel.picture import (
    HEIGHT,
    WIDTH,
    Align,
    PictureError,
    TextSize,
    columns,
    draw,
    draw_what_fits,
    missing_glyphs,
    problems,
    row_height,
)

SIZES: list[TextSize] = ["small", "medium", "large"]
LETTERS = {
    "en": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;!?'\"()+-=/*",
    "hu": "ÁÉÍÓÖŐÚÜŰáéíóöőúüű„”»«",
    "nl": "ÄËÏÖÜÁÉÍÓÚÈÊÀÇÑĲäëïöüáéíóúèêàçñĳ‘’€",
    "hy": "".join(map(chr, [*range(0x531, 0x557), *range(0x561, 0x588)])) + "՛՜՝՞՟։«»",
}
SIGNS = "«»·×÷°¡¿„“”‘’–—…←↑→↓✓✗♠♥♦♣●○■□▲▼◀▶"


@dataclass(frozen=True)
class Text:
    """A line as the engine has it: frozen."""

    text: str
    size: TextSize = "small"
    align: Align = "left"
    inverted: bool = False


HACK_TRICK = [
    Text("RED  0-1  score", inverted=True),
    Text("4+3 = 7", "large", "center"),
    Text("→ server 7", "medium", "center"),
    Text("ok: infect"),
]


def box(lines: list[Text]) -> tuple[int, int, int, int]:
    found = draw(lines).getbbox()
    assert found is not None
    return found


def row_is_lit(picture: Image.Image, y: int) -> bool:
    return picture.crop((0, y, WIDTH, y + 1)).getbbox() is not None


@pytest.mark.parametrize(("size", "count", "height"), [("small", 21, 13), ("medium", 14, 15), ("large", 12, 20)])
def test_sizes(size: TextSize, count: int, height: int) -> None:
    assert (columns(size), row_height(size)) == (count, height)


def test_a_picture_is_black_and_white_and_as_large_as_the_panel() -> None:
    picture = draw(HACK_TRICK)
    assert (picture.mode, picture.size) == ("1", (WIDTH, HEIGHT))
    assert draw([]).getbbox() is None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LETTERS)
def test_every_letter_looks_different(language: str, size: TextSize) -> None:
    # Armenian is looked at by itself: its o, u and n are drawn like the Latin ones, as in print. So is the dash like the hyphen.
    latin = "" if language == "hy" else LETTERS["en"]
    letters = dict.fromkeys(latin + LETTERS[language] + SIGNS.replace("–", ""))
    pictures: dict[bytes, list[str]] = {}
    for letter in letters:
        pictures.setdefault(draw([Text(letter, size)]).tobytes(), []).append(letter)
    assert [alike for alike in pictures.values() if len(alike) > 1] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pair", ["öő", "üű", "ÖŐ", "ÜŰ", "oó", "eé", "eë", "iï"])
def test_accents_differ_by_more_than_a_pixel(pair: str, size: TextSize) -> None:
    one, other = (list(draw([Text(letter, size)]).get_flattened_data()) for letter in pair)
    assert sum(a != b for a, b in zip(one, other, strict=True)) >= 2


@pytest.mark.parametrize("size", SIZES)
def test_all_signs_and_letters_are_there(size: TextSize) -> None:
    assert missing_glyphs("".join(LETTERS.values()) + SIGNS, size) == []


def test_missing_glyphs_come_once_and_in_order() -> None:
    assert missing_glyphs("a☃b日☃\n\0", "small") == ["☃", "日", "\n", "\0"]


def test_align() -> None:
    left, center, right = (box([Text("HH", "medium", align)]) for align in ("left", "center", "right"))
    assert left[0] < 4
    assert abs((center[0] + center[2]) - WIDTH) <= 2
    assert WIDTH - right[2] < 4


@pytest.mark.parametrize("size", SIZES)
def test_a_full_row_is_seen_to_its_last_character(size: TextSize) -> None:
    for align in ("left", "center", "right"):
        full = draw([Text("H" * columns(size), size, align)])
        first, _, last, _ = full.getbbox() or (0, 0, 0, 0)
        assert first >= 1
        assert last <= WIDTH - 1
        assert WIDTH - (last - first) < 12


def test_an_inverted_line_fills_its_whole_row() -> None:
    bar, plain = (draw([Text("HACK", inverted=inverted), Text(""), Text(""), Text("")]) for inverted in (True, False))
    row = (0, 0, WIDTH, row_height("small"))
    assert bar.getbbox() == row
    assert [not pixel for pixel in bar.crop(row).get_flattened_data()] == [bool(pixel) for pixel in plain.crop(row).get_flattened_data()]


def test_lines_do_not_overlap_and_fill_the_panel() -> None:
    bars = draw([Text("", line.size, inverted=True) for line in HACK_TRICK])
    lit = [row_is_lit(bars, y) for y in range(HEIGHT)]
    assert sum(lit) == 13 + 20 + 15 + 13
    assert sum(a != b for a, b in itertools.pairwise(lit)) == 6  # four bars with three gaps
    assert lit[0]
    assert lit[-1]


def test_a_single_line_stands_in_the_middle() -> None:
    assert draw([Text("", "large", inverted=True)]).getbbox() == (0, 22, WIDTH, 42)


def test_free_rows_go_between_the_lines() -> None:
    bars = draw([Text("", inverted=True)] * 4)
    assert [row_is_lit(bars, y) for y in range(HEIGHT)].index(False) == 13
    assert [y for y in range(HEIGHT) if not row_is_lit(bars, y)] == [13, 14, 15, 16, 30, 31, 32, 33, 47, 48, 49, 50]


@pytest.mark.parametrize("size", SIZES)
def test_too_wide(size: TextSize) -> None:
    fits, too_wide = "x" * columns(size), "x" * (columns(size) + 1)
    draw([Text(fits, size)])
    with pytest.raises(PictureError, match=f"line 2 '{too_wide}': {len(too_wide)} characters, {len(fits)} fit in {size}"):
        draw([Text("fine"), Text(too_wide, size)])


def test_too_high() -> None:
    draw([Text("x", "large")] * 3)
    with pytest.raises(PictureError, match=r"4 lines are 80 px high, the panel has 64: \['x', 'x', 'x', 'x'\]"):
        draw([Text("x", "large")] * 4)


def test_missing_glyph() -> None:
    with pytest.raises(PictureError, match=r"line 1 'a☃': the large font has no '☃' \(U\+2603\)"):
        draw([Text("a☃", "large")])


def test_problems_lists_everything_and_draw_says_the_same() -> None:
    lines = [Text("☃" * 30), Text("fine"), Text("y" * 15, "medium"), *[Text("", "large")] * 2]
    found = problems(lines)
    assert [problem.split(" ")[0:2] for problem in found] == [["line", "1"], ["line", "1"], ["line", "3"], ["5", "lines"]]
    with pytest.raises(ValueError) as caught:
        draw(lines)
    assert all(problem in str(caught.value) for problem in found)


def test_a_good_screen_has_no_problems() -> None:
    assert problems(HACK_TRICK) == []


def test_fonts_are_read_with_the_first_line() -> None:
    code = "from underboard.hardware.panel import picture; assert picture._font.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "lines",
    [
        [Text("x" * 22), Text("fits")],
        [Text("x" * 30, "large", "center")],
        [Text("x" * 30, "medium", "right")],
        [Text("\N{SNOWMAN} in summer")],
        [Text("tall", "large")] * 5,
    ],
)
def test_a_table_in_use_shows_what_fits_and_logs_the_rest(lines: list[Text], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        picture = draw_what_fits(lines)
    assert picture.getbbox() is not None
    assert [record.getMessage() for record in caplog.records] == problems(lines) != []


def test_what_fits_is_drawn_alike_in_use(caplog: pytest.LogCaptureFixture) -> None:
    assert draw_what_fits(HACK_TRICK) == draw(HACK_TRICK)
    assert caplog.records == []


# QR codes


@dataclass(frozen=True)
class Coded(Text):
    """A line with a code."""

    code: Sequence[str] = ()


def test_a_code_that_is_too_large_is_a_problem() -> None:
    assert problems([Coded("RED", code=("0" * 33,) * 33)]) == ["a code of 33 modules, 32 fit"]


def test_beside_a_code_there_is_less_room() -> None:
    line = Coded("RED", code=("0" * 29,) * 29)
    assert problems([line, Text("ten letter")]) == []
    assert problems([line, Text("eleven more")]) == ["line 2 'eleven more': 11 characters, 10 fit in small"]
