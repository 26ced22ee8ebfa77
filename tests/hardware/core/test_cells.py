from underboard.hardware.core.cells import bits, closed_cells


def test_bits_are_positions_from_zero() -> None:
    assert list(bits(0)) == []
    assert list(bits(0b1000_0000_0010_0001)) == [0, 5, 15]


def test_cells_count_from_one() -> None:
    assert closed_cells((0b01, 0, 0b10)) == {(1, 1), (3, 2)}
