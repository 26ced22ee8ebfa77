"""Whoever is measured sees the same board."""

from __future__ import annotations

import pytest

from tests.bench.rivals import ENVIRONMENT
from tests.bench.scans import LAST, ONE_A_LINE, TOKENS, cell_by_cell, keypad, keypads, our_scan
from underboard.hardware.core.wiring import REFERENCE

HAS_RIVALS = pytest.mark.skipif(not ENVIRONMENT.exists(), reason="make bench sets the rivals up")


@pytest.mark.parametrize("single", [False, True])
def test_our_scan_and_the_recipe_with_gpiozero_find_the_same_tokens(single: bool) -> None:
    with our_scan(*TOKENS, single=single) as ours, cell_by_cell(*TOKENS) as theirs:
        masks, values = ours(), theirs()
    assert isinstance(masks, tuple)
    assert isinstance(values, list)
    assert masks == tuple(sum(value << bit for bit, value in enumerate(row)) for row in values)
    assert sum(mask.bit_count() for mask in masks) == len(TOKENS)


@HAS_RIVALS
def test_pad4pi_finds_the_one_token() -> None:
    with keypad(LAST) as key:
        assert key() == (REFERENCE.columns[-1], REFERENCE.rows[-1])


@HAS_RIVALS
def test_a_keypad_a_line_tells_a_token_a_line() -> None:
    with keypads(*ONE_A_LINE) as keys:
        found = keys()
    assert isinstance(found, list)
    assert set(found) == {(REFERENCE.columns[column - 1], REFERENCE.rows[row - 1]) for row, column in ONE_A_LINE}
