"""Sequence Numbers: board files. What they hold, and every reason why one is refused."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.sequence_numbers import boards
from underboard.engine.games.sequence_numbers.layout import layout_of
from underboard.engine.games.sequence_numbers.rules import SequenceNumbers
from underboard.engine.games.sequence_numbers.state import State

GAME = SequenceNumbers()
ROWS = ["FR 1 2 3 4 FR", "5 6 7 8 9 10", "10 9 8 7 6 5", "FR 4 3 2 1 FR"]
DECK = [f"{number}+0" for number in range(1, 11)] + ["PLUS"]


def write(directory: Path, rows: list[str], deck: list[str], more: str = "") -> str:
    """The path of a board file."""
    path = directory / "board.toml"
    path.write_text(f'name = "Test"\nrows = {json.dumps(rows)}\ndeck = {json.dumps(deck)}\n{more}', encoding="utf-8")
    return str(path)


def new(*words: str) -> State:
    return Session.new(GAME, Options.parse(words)).state


def refusal(path: str, *words: str) -> str:
    with pytest.raises(BadArgument) as refused:
        new(f"board={path}", *words)
    assert str(refused.value).startswith(f"board {path!r}")
    assert refused.value.option == "board"
    return str(refused.value)


# The shipped boards


@pytest.mark.parametrize(("name", "size", "highest", "cards"), [("house8", 8, 30, 64), ("house10", 10, 48, 100)])
def test_shipped_board(name: str, size: int, highest: int, cards: int) -> None:
    board = boards.load(name, 0)
    assert [len(row) for row in board.rows] == [size] * size
    texts = Counter(text for row in board.rows for text in row)
    assert texts == {"FR": 4, **{str(number): 2 for number in range(1, highest + 1)}}
    assert len(board.deck) == cards
    assert list(board.deck) == sorted(board.deck)
    answers: dict[int | None, int] = {None: 4, **dict.fromkeys(range(1, highest + 1), 2)}
    assert Counter(map(boards.answer, board.deck)) == answers


@pytest.mark.parametrize(("number", "addition", "subtraction"), [(1, "1+0", "3-2"), (8, "4+4", "17-9"), (9, "5+4", "10-1")])
def test_house_cards(number: int, addition: str, subtraction: str) -> None:
    for name in boards.SHIPPED:
        assert {card for card in boards.load(name, 0).deck if boards.answer(card) == number} == {addition, subtraction}


@pytest.mark.parametrize("name", boards.SHIPPED)
def test_house_deck_follows_its_rule(name: str) -> None:
    deck = []
    for number in range(1, 31 if name == "house8" else 49):
        more = number % 9 + 1
        deck += [f"{(number + 1) // 2}+{number // 2}", f"{number + more}-{more}"]
    assert Counter(boards.load(name, 0).deck) == Counter([*deck, *["PLUS", "MINUS"] * 2])


# Files


def test_a_board_from_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, ROWS, DECK)
    state = new(f"board={path}", "seed=1")
    found = GAME.record(state)
    assert found["board"] == path
    assert GAME.position(found) == state
    assert sorted(found["stock"] + found["hands"]["p1"] + found["hands"]["p2"]) == sorted(DECK)


def test_a_file_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path, ROWS, DECK)
    before = new(f"board={path}", "seed=1")
    write(tmp_path, ROWS, [*DECK, "MINUS"])
    assert len(new(f"board={path}").setup.deck) == 12
    assert len(before.setup.deck) == 11


def test_other_numbers_of_cards_are_taken(tmp_path: Path) -> None:
    path = write(tmp_path, ROWS, ["3-2", "3-2", "3-2", "0+7"] * 3)
    state = new(f"board={path}", "p1=3-2,3-2,3-2,3-2,3-2", "p2=0+7,0+7,0+7,3-2,3-2")
    assert GAME.record(state)["stock"] == ["3-2", "3-2"]
    assert GAME.legal(state) == ["play 3-2 b1", "play 3-2 e4"]


def test_a_number_may_be_zero(tmp_path: Path) -> None:
    rows = [" ".join("0" if text == "10" else text for text in row.split()) for row in ROWS]
    state = new(f"board={write(tmp_path, rows, [*DECK[:9], 'MINUS', 'MINUS', '4-4'])}", "cards=hidden")
    assert "play a3" in GAME.legal(state)


def test_cells_are_apart_by_any_blanks(tmp_path: Path) -> None:
    board = boards.load(write(tmp_path, [row.replace(" ", "  \t") for row in ROWS], DECK), 10)
    assert board.rows == tuple(tuple(row.split()) for row in ROWS)


def test_a_narrow_board_has_no_lines_across(tmp_path: Path) -> None:
    board = boards.load(write(tmp_path, ROWS, DECK), 10)
    layout = layout_of(board)
    assert {window.direction for windows in layout.windows.values() for window in windows} == {0}
    assert len(layout.window) == 8


def test_windows_of_house10() -> None:
    layout = layout_of(boards.load("house10", 10))
    assert len(layout.window) == 2 * 60 + 2 * 36
    assert len(layout.windows[layout.space["e5"]]) == 20
    assert [window.cells[0] for window in layout.windows[layout.space["b1"]]] == ["a1", "b1", "b1", "b1"]


@pytest.mark.parametrize(
    ("row", "text", "why"),
    [
        (0, "1 1 2 3 4 FR", "a1 is a corner: FR stands there, not '1'"),
        (3, "FR 4 3 2 1 x", "f4 is a corner: FR stands there, not 'x'"),
        (1, "5 FR 7 8 9 10", "b2 is no corner: FR stands in the corners only"),
        (1, "5 six 7 8 9 10", "b2: 'six' is no number"),
        (1, "5 06 7 8 9 10", "b2: '06' is no number"),
        (1, "5 -6 7 8 9 10", "b2: '-6' is no number"),
        (1, "5 +6 7 8 9 10", "b2: '+6' is no number"),
        (1, "5 ٦ 7 8 9 10", "b2: '٦' is no number"),
        (1, "5 6.0 7 8 9 10", "b2: '6.0' is no number"),
        (1, "5 fr 7 8 9 10", "b2: 'fr' is no number"),
        (1, f"5 {'9' * 5000} 7 8 9 10", "is no number"),
        (1, "5 5 7 8 9 10", "number 5 stands on 3 cells (a2, b2, f3), not on 2"),
        (1, "5 5 7 8 9 10", "number 6 stands on 1 cells (e3), not on 2"),
        (1, "5 11 7 8 9 10", "number 11 stands on 1 cells (b2), not on 2"),
        (1, "5 6 7 8 9", "row 2 has 5 cells, row 1 has 6"),
        (1, "", "row 2 has 0 cells, row 1 has 6"),
    ],
)
def test_grids_that_cannot_be(tmp_path: Path, row: int, text: str, why: str) -> None:
    assert why in refusal(write(tmp_path, [text if number == row else old for number, old in enumerate(ROWS)], DECK))


@pytest.mark.parametrize("rows", [[], ["FR 1 1 FR"], ["FR", "FR"], ["FR " + "1 " * 25 + "FR"] * 2])
def test_shapes_that_cannot_be(tmp_path: Path, rows: list[str]) -> None:
    assert "a board has 2 rows or more and 2 to 26 columns" in refusal(write(tmp_path, rows, DECK))


def test_26_columns_can_be(tmp_path: Path) -> None:
    numbers = " ".join(map(str, range(24)))
    board = boards.load(write(tmp_path, [f"FR {numbers} FR"] * 2, DECK), 10)
    assert layout_of(board).space["y2"]


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("5+6", "card 5+6: its answer 11 stands on no cell"),
        ("3-5", "card 3-5: its answer -2 stands on no cell"),
        ("3-3", "card 3-3: its answer 0 stands on no cell"),
        ("3*2", "card '3*2' is neither PLUS nor MINUS nor an equation A+B or A-B"),
        ("8", "card '8' is neither"),
        ("4 + 4", "card '4 + 4' is neither"),
        ("04+4", "card '04+4' is neither"),
        ("4+4\n", "card '4+4\\n' is neither"),
        ("-1+4", "card '-1+4' is neither"),
        ("1+1+1", "card '1+1+1' is neither"),
        ("٤+٤", "card '٤+٤' is neither"),
        ("plus", "card 'plus' is neither"),
        ("", "card '' is neither"),
        ("=8", "card '=8' is neither"),
    ],
)
def test_cards_that_cannot_be(tmp_path: Path, card: str, why: str) -> None:
    assert why in refusal(write(tmp_path, ROWS, [*DECK, card]))


def test_more_cards_than_the_hands(tmp_path: Path) -> None:
    path = write(tmp_path, ROWS, DECK)
    assert "11 cards are too few, the hands alone take 15" in refusal(path, "players=3")
    path = write(tmp_path, ROWS, DECK[:10])
    assert "10 cards are too few, the hands alone take 10" in refusal(path)


def test_every_problem_is_listed(tmp_path: Path) -> None:
    said = refusal(write(tmp_path, ["1 FR 2 3 4 FR", *ROWS[1:]], [*DECK, "x", "9+9"]))
    for part in ("a1 is a corner", "b1 is no corner", "card 'x'", "card 9+9"):
        assert part in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = ", "this is no TOML"),
        ('name = "x"', "rows' is missing"),
        ('name = "x"\nrows = []\ndeck = []\ncolour = 1', "colour"),
        ("name = 1\nrows = []\ndeck = []", "name: a text is needed"),
        ('name = "x"\nrows = "FR"\ndeck = []', "rows: a list of text is needed"),
        ('name = "x"\nrows = [1]\ndeck = []', "rows: 1 is no text"),
        ('name = "x"\nrows = []\ndeck = [[]]', "is no text"),
        ('name = "x"\nname = "y"', "this is no TOML"),
        ("a = " + "[" * 5000, "this is no TOML"),
        ("a = " + "9" * 5000, "this is no TOML"),
    ],
)
def test_files_that_are_no_boards(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    assert why.replace("'", "") in refusal(str(path)).replace("'", "")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(b'name = "\xff"')
    assert "this is no text in UTF-8" in refusal(str(path))
    assert "there is no such file" in refusal(str(tmp_path / "none.toml"))
    assert "there is no such file" in refusal(str(tmp_path))
    assert "there is no such file" in refusal("/dev/zero")
    assert refusal(f"{tmp_path}/{'x' * 5000}")
