"""Sheets for the board: to scale, whole, and refused with words where there is nothing to print."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.printing.reading import read
from underboard.engine.base.drawing.shapes import Clipped, TextShape
from underboard.engine.base.drawing.svg import svg
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.printing.job import sheets
from underboard.engine.printing.paper import PAPERS, paper_of, pitch_of
from underboard.engine.printing.sheet import centre, picture, sheet_of
from underboard.engine.printing.tiles import OVERLAP, Picture, pages, spans, spread, whole

ENGLISH = find_words("en")
PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "hack_trick.svg"
BOARDS: tuple[tuple[str, dict[str, str]], ...] = (
    ("hack_trick", {}),
    ("virus_wars", {}),
    ("virus_wars", {"size": "6", "edges": "mirrored"}),
    ("sequence_numbers", {}),
    ("sequence_numbers", {"board": "house8"}),
    ("spy", {"track": "on", "players": "4"}),
)
every_board = pytest.mark.parametrize(("game_id", "options"), BOARDS, ids=lambda value: str(value))


@every_board
@pytest.mark.parametrize("paper", PAPERS)
def test_sheets_have_the_size_of_the_paper_and_a_ruler_of_100_mm(game_id: str, options: dict[str, str], paper: str) -> None:
    _, drawings = sheets([game_id, *(f"{key}={value}" for key, value in options.items())], "35mm", paper, "en")
    for sheet in read(drawings):
        assert sorted((sheet.width, sheet.height)) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)
        assert any(length == pytest.approx(100, abs=0.01) for length in sheet.lengths())
        assert "100 mm" in sheet.text


@pytest.mark.parametrize("pitch", [20.0, 35.0, 38.1])
@every_board
def test_spaces_lie_at_the_pitch(game_id: str, options: dict[str, str], pitch: float) -> None:
    found = sheet_of(game_id, options)
    sheet = read(pages(picture(found, pitch, ENGLISH), paper_of("a4"), ENGLISH))[0]
    left, top = 9.0, 9.0
    expected = [centre(found.overlay, space, pitch) for space in found.overlay.spaces]
    centres = sheet.centres()
    near = [(x + left, y + top) for x, y in expected if x < 100 and y < 100]
    assert near
    for x, y in near:
        assert any(abs(x - a) < 0.02 and abs(y - b) < 0.02 for a, b in centres), f"no space at {x}, {y}"


@every_board
def test_every_space_is_on_some_sheet_and_named(game_id: str, options: dict[str, str]) -> None:
    found = sheet_of(game_id, options)
    board = picture(found, 35.0, ENGLISH)
    texts = {shape.text for shape in board.shapes if isinstance(shape, TextShape)}
    assert texts >= {found.prints.caption(space, ENGLISH) for space in found.overlay.spaces}
    assert texts >= set(found.printed.values())
    for space in found.overlay.spaces:
        x, y = centre(found.overlay, space, 35.0)
        assert any(
            part.part.left <= x <= part.part.right and part.part.top <= y <= part.part.bottom
            for part in spread(board, paper_of("a4")).tiles
        )


@every_board
@pytest.mark.parametrize("pitch", [15.0, 35.0, 60.0])
def test_no_text_lies_over_another(game_id: str, options: dict[str, str], pitch: float) -> None:
    texts = [shape for shape in picture(sheet_of(game_id, options), pitch, ENGLISH).shapes if isinstance(shape, TextShape)]
    assert [
        (one.text, other.text)
        for number, one in enumerate(texts)
        for other in texts[number + 1 :]
        if one.box.meets(other.box, slack=0.05 * pitch)
    ] == []


def test_what_stands_on_the_boards() -> None:
    assert sheet_of("sequence_numbers", {"board": "house8"}).printed["b1"] == "1"
    assert sheet_of("sequence_numbers", {}).printed["a1"] == "★"
    assert {space: seat for space, seat in sheet_of("virus_wars", {"size": "6"}).owners.items() if space.endswith("1")} == {
        "a1": "red",
        "f1": "blue",
    }
    assert sheet_of("virus_wars", {"size": "6", "edges": "mirrored"}).owners["a1"] == "blue"
    track = sheet_of("spy", {"track": "on"})
    assert (track.printed["green6"], track.owners["red0"]) == ("6", "red")
    assert sheet_of("hack_trick", {}).sites["7"] == ("7a", "7b", "7c")


@given(st.floats(20, 1000), st.floats(120, 300), st.floats(15, 60))
def test_spans_cover_the_whole_length_and_fit_the_room(length: float, room: float, cell: float) -> None:
    found = spans(length, room, cell)
    assert found[0][0] == 0
    assert found[-1][1] == pytest.approx(length)
    assert all(end - begin <= room + 1e-6 for begin, end in found)
    assert all(before[1] - after[0] == pytest.approx(OVERLAP) for before, after in pairwise(found[:-1]))
    assert all(after[0] < before[1] for before, after in pairwise(found))


def test_sheets_are_cut_between_cells_where_that_costs_no_sheet() -> None:
    assert spans(350, 192, 35) == [(0, 185), (175, 350)]
    assert len(spans(380, 192, 38)) == 3


def test_a_sheet_is_as_large_as_the_board() -> None:
    assert sheet_of("hack_trick", {}, (9, 12)).overlay.columns == 12
    assert picture(sheet_of("virus_wars", {"size": "6"}, (6, 7)), 20.0, ENGLISH).width == 140
    with pytest.raises(BadArgument, match="hack_trick needs 9 rows and 9 columns, the board has 8 and 10"):
        sheet_of("hack_trick", {}, (8, 10))


def test_the_fewest_sheets_decide_how_the_paper_lies() -> None:
    wide = spread(Picture("", 250, 150, (), 50), paper_of("a4"))
    assert (len(wide.tiles), wide.paper.width) == (1, 297)


def test_neighbouring_sheets_show_the_same_strip() -> None:
    drawings = pages(picture(sheet_of("hack_trick", {}), 35.0, ENGLISH), paper_of("a4"), ENGLISH)
    windows = [shape for drawing in drawings for shape in drawing.shapes if isinstance(shape, Clipped)]
    assert len(windows) == 4
    left, right = ({shape.text for shape in window.shapes if isinstance(shape, TextShape)} for window in windows[:2])
    assert left == right, "every sheet is a window on the same picture"


@pytest.mark.parametrize(
    ("text", "length"), [("35mm", 35.0), ("35", 35.0), ("3.5cm", 35.0), ("3,5 cm", 35.0), ("1.5in", 38.1), (" 15mm ", 15.0), ("60", 60.0)]
)
def test_pitches(text: str, length: float) -> None:
    assert pitch_of(text) == pytest.approx(length)


@pytest.mark.parametrize("text", ["", "mm", "-35", "35 m", "0", "14.9", "61mm", "9999", "3e1", "nan", "٣٥", "35mm35mm"])
def test_pitches_that_cannot_be(text: str) -> None:
    with pytest.raises(BadArgument, match="pitch"):
        pitch_of(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "which game"),
        (["cards"], "which game"),
        (["size=8"], "which game"),
        (["chess"], "unknown game"),
        (["makao"], "print cards makao"),
        (["spy"], "track=on"),
        (["cards", "virus_wars"], "no cards"),
        (["virus_wars", "size=11"], "10x10"),
        (["hack_trick", "colour=red"], "colour"),
        (["cards", "hack_trick", "colour=red"], "colour"),
        (["hack_trick", "colour"], "key=value"),
        (["sequence_numbers", "board=nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_cannot_be_printed_is_refused_with_words(words: list[str], said: str) -> None:
    with pytest.raises(BadArgument, match=said):
        sheets(words, "35mm", "a4", "en")


@pytest.mark.parametrize(("paper", "language"), [("a5", "en"), ("a4", "xx")])
def test_other_papers_and_languages_are_refused(paper: str, language: str) -> None:
    with pytest.raises(BadArgument, match="there are"):
        sheets(["hack_trick"], "35mm", paper, language)


@pytest.mark.parametrize(("language", "game"), [*product(LANGUAGES, ["hack_trick", "spy"])])
def test_feet_are_short_enough_in_every_language(language: str, game: str) -> None:
    _, drawings = sheets([game, *["track=on"] * (game == "spy")], "35mm", "letter", language)
    for drawing in drawings:
        texts = drawing.texts()
        assert all(text.size > 2 and text.box.right < drawing.width - 5 for text in texts)
        assert not any(one.box.meets(other.box) for number, one in enumerate(texts) for other in texts[number + 1 :])


def test_the_sheet_in_the_documentation_is_this(request: pytest.FixtureRequest) -> None:
    drawn = svg(whole(picture(sheet_of("hack_trick", {}), 35.0, ENGLISH)))
    if request.config.getoption("--update-golden"):
        PICTURE.write_text(drawn, encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == drawn, "draw it anew: make golden"
