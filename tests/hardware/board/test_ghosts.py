import pytest

from underboard.hardware.board.ghosts import Doubt, find_doubts, rectangles, still_in_doubt
from underboard.hardware.core.cells import Cell

CORNERS = frozenset({(1, 1), (1, 2), (2, 1), (2, 2)})


@pytest.mark.parametrize(
    ("masks", "count"),
    [((), 0), ((0b11,), 0), ((0b11, 0b01), 0), ((0b11, 0b11), 1), ((0b101, 0, 0b111), 1), ((0b111,) * 3, 9)],
)
def test_rectangles_are_counted(masks: tuple[int, ...], count: int) -> None:
    assert len(list(rectangles(masks))) == count


def test_a_rectangle_is_its_four_corners() -> None:
    assert list(rectangles((0b1001, 0, 0b1001))) == [frozenset({(1, 1), (1, 4), (3, 1), (3, 4)})]


@pytest.mark.parametrize(
    ("together", "doubtful"),
    [
        ({(2, 2)}, None),
        ({(2, 2), (5, 5)}, None),
        ({(2, 1), (2, 2)}, {(2, 1), (2, 2)}),
        ({(1, 2), (2, 1), (2, 2)}, {(1, 2), (2, 1), (2, 2)}),
        (CORNERS, CORNERS),
        (set(), None),
    ],
)
def test_corners_that_close_together_are_in_doubt(together: set[Cell], doubtful: set[Cell] | None) -> None:
    found = find_doubts((0b11, 0b11), frozenset(together), frozenset())
    assert found == ({Doubt(CORNERS, frozenset(doubtful))} if doubtful else set())


def test_a_hole_that_a_rectangle_explains_makes_the_others_real() -> None:
    """https://github.com/tmk/tmk_keyboard/issues/469: ghost blocking should ignore non-existing keys."""
    assert find_doubts((0b11, 0b11), frozenset({(2, 1), (2, 2)}), frozenset({(2, 2)})) == set()


def test_a_hole_that_nothing_explains_is_in_doubt() -> None:
    hole = frozenset({(2, 2)})
    assert find_doubts((0b01, 0b10), frozenset(), hole) == {Doubt(hole, hole)}


def test_two_holes_cannot_explain_each_other() -> None:
    holes = frozenset({(1, 1), (2, 2)})
    assert {doubt.cells for doubt in find_doubts((0b11, 0b11), frozenset(), holes)} == {frozenset({hole}) for hole in holes}


def test_a_doubt_lasts_until_a_corner_is_lifted() -> None:
    doubt = Doubt(CORNERS, frozenset({(2, 1), (2, 2)}))
    assert still_in_doubt([doubt], (0b111, 0b011)) == {doubt}
    assert still_in_doubt([doubt], (0b111, 0b001)) == set()
