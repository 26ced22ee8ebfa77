import pytest

from underboard.hardware.core.wiring import KEY_NAMES, REFERENCE, Wiring, WiringError

KEYS = dict(zip(KEY_NAMES, (24, 25, 26, 27), strict=True))


def test_the_reference_uses_every_free_line_of_the_header() -> None:
    lines = sorted(line for _, line in REFERENCE.uses())
    assert (len(REFERENCE.rows), len(REFERENCE.columns)) == (10, 10)
    assert lines == [1, *range(4, 28)]


def test_a_header_may_carry_the_panel_alone() -> None:
    assert list(Wiring((), (), KEYS, None).uses()) == [(f"key {name}", line) for name, line in KEYS.items()]


@pytest.mark.parametrize(
    ("rows", "columns", "keys", "buzzer", "said"),
    [
        ((4, 5), (5,), KEYS, None, "GPIO 5 is wired to row 2 and column 1"),
        ((4,), (5,), KEYS, 27, "GPIO 27 is wired to key back and buzzer"),
        ((4,), (28,), KEYS, None, "column 1 on GPIO 28: the header has GPIO 0 to 27"),
        ((-1,), (5,), KEYS, None, "row 1 on GPIO -1"),
        ((4,), (3,), KEYS, None, "column 1 on GPIO 3: that is the display's I2C bus"),
        ((0,), (5,), KEYS, None, "row 1 on GPIO 0: the Pi itself talks on it"),
        ((4,), (), KEYS, None, "both rows and columns"),
        ((4,), (5,), {"ok": 26}, None, "the keys are left, right, ok, back, not ok"),
        ((4,), (5,), {}, None, "not none"),
    ],
)
def test_a_wiring_that_cannot_be_is_named(
    rows: tuple[int, ...], columns: tuple[int, ...], keys: dict[str, int], buzzer: int | None, said: str
) -> None:
    with pytest.raises(WiringError) as error:
        Wiring(rows, columns, keys, buzzer)
    assert said in str(error.value)


def test_all_problems_are_named_at_once() -> None:
    with pytest.raises(WiringError) as error:
        Wiring((2, 40), (40,), KEYS, 24)
    assert str(error.value) == (
        "row 1 on GPIO 2: that is the display's I2C bus; row 2 on GPIO 40: the header has GPIO 0 to 27; "
        "column 1 on GPIO 40: the header has GPIO 0 to 27; GPIO 40 is wired to row 2 and column 1; "
        "GPIO 24 is wired to key left and buzzer"
    )
