from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from underboard.hardware.board.reed_board import IDLE_POLL_MS
from underboard.hardware.core.cells import Cell

if TYPE_CHECKING:
    from tests.hardware.conftest import Table

CELLS = list(product(range(1, 11), range(1, 11)))
A, B, C, D = (1, 1), (1, 2), (2, 1), (2, 2)
CORNERS = frozenset({A, B, C, D})


def place_slowly(table: Table, *cells: Cell) -> None:
    for cell in cells:
        table.box.place(cell)
        table.rest()


def test_contacts_are_what_is_read_and_not_what_is_believed(table: Table) -> None:
    table.box.stick(A, "closed")
    table.box.diodes(False)
    place_slowly(table, B, C)
    assert table.board.contacts == CORNERS
    assert table.rest().occupied < CORNERS


# ---- placing and lifting ------------------------------------------------------------


def test_every_cell_gives_one_place_and_one_lift(table: Table) -> None:
    for cell in CELLS:
        table.box.place(cell)
        assert table.moves(100) == [(cell, True)]
        table.box.lift(cell)
        assert table.moves(100) == [(cell, False)]


@pytest.mark.parametrize("phase", range(0, 20, 3))
def test_a_token_is_seen_within_60_ms(table: Table, phase: int) -> None:
    table.run(20 + phase)
    table.box.place((4, 7))
    placed_at = table.clock.now()
    while not table.board.poll().occupied:
        table.clock.advance(table.board.next_poll_ms())
    assert table.clock.now() - placed_at <= 60


def test_a_second_token_right_after_the_first_is_not_lost(table: Table) -> None:
    """https://github.com/jromang/picochess/issues/267: the second action right after the first is lost."""
    table.box.place(D)
    moves = table.moves(40)
    table.box.place(A)
    assert moves + table.moves(200) == [(D, True), (A, True)]


def test_a_slide_settles_only_at_its_end(table: Table) -> None:
    """https://github.com/jromang/picochess/issues/171: a slow slide is taken for moves on its way."""
    way = [(1, column) for column in range(1, 5)]
    place_slowly(table, way[0])
    settled = []
    for here, there in pairwise(way):
        table.box.lift(here)
        table.box.place(there)
        settled += [reading.occupied for reading in table.run(150) if reading.settled]
    settled += [reading.occupied for reading in table.run(600) if reading.settled]
    assert set(settled) <= {frozenset({way[0]}), frozenset({way[-1]})}
    assert settled[-1] == {way[-1]}


def test_a_slow_slide_settles_on_its_way(table: Table) -> None:
    place_slowly(table, A)
    table.box.lift(A)
    table.box.place(B)
    assert table.run(600)[-1].occupied == {B}
    table.box.lift(B)
    table.box.place((1, 3))
    last = table.run(600)[-1]
    assert (last.settled, last.occupied) == (True, frozenset({(1, 3)}))


def test_a_nudge_never_settles_elsewhere(table: Table) -> None:
    place_slowly(table, A)
    table.box.lift(A)
    readings = table.run(150)
    table.box.place(A)
    readings += table.run(600)
    assert {reading.occupied for reading in readings if reading.settled} == {frozenset({A})}


def test_a_lift_whose_reed_closes_once_more_is_one_lift(table: Table) -> None:
    """https://github.com/missionpinball/mpf/issues/844"""
    place_slowly(table, A)
    table.box.lift(A)
    moves = table.moves(40)
    table.box.place(A)
    moves += table.moves(30)
    table.box.lift(A)
    assert moves + table.moves(300) == [(A, False)]


def test_random_play_alternates_per_cell(table: Table) -> None:
    """https://github.com/gpiozero/gpiozero/issues/550, here through contacts that really bounce."""
    random = Random(7)
    state = dict.fromkeys(CELLS, False)
    for _ in range(1500):
        cell = random.choice(CELLS[:12])
        (table.box.lift if cell in table.box.tokens else table.box.place)(cell)
        for moved, placed in table.moves(random.randrange(60)):
            assert state[moved] is not placed
            state[moved] = placed


# ---- settling -----------------------------------------------------------------------


def test_the_first_readings_are_not_settled(new_table: Callable[..., Table]) -> None:
    """https://github.com/missionpinball/mpf/issues/1142"""
    table = new_table(tokens=[A, (5, 5)])
    assert not any(reading.settled for reading in table.run(250))
    last = table.run(200)[-1]
    assert (last.settled, last.occupied) == (True, frozenset({A, (5, 5)}))


def test_polls_are_quick_only_while_something_moves(table: Table) -> None:
    assert table.board.next_poll_ms() == IDLE_POLL_MS
    table.box.place(A)
    table.run(30)
    assert table.board.next_poll_ms() == 4
    table.rest()
    assert table.board.next_poll_ms() == IDLE_POLL_MS


# ---- faults -------------------------------------------------------------------------


def test_noise_on_the_cable_gives_no_event_in_ten_minutes(table: Table) -> None:
    """https://github.com/brettmclean/pad4pi/issues/7: 70 cm of cable, wrong keys."""
    place_slowly(table, A, B, (7, 3))
    table.box.noise(0.01)
    for _ in range(10):
        readings = table.run(60_000)
        assert all(reading.settled and not reading.changes and not reading.faulty for reading in readings)
        assert readings[-1].occupied == {A, B, (7, 3)}


@pytest.mark.parametrize("standing", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_chatter_is_named_and_never_a_move(new_table: Callable[..., Table], standing: bool, seed: int) -> None:
    """https://github.com/UltimateHackingKeyboard/firmware/issues/128"""
    cell = (3, 1 + seed)
    table = new_table(tokens=[cell] if standing else [])
    truth = table.rest().occupied
    table.box.chatter(cell, 2000)
    readings = table.run(2000)
    assert readings[-1].faulty == {cell}
    assert {reading.occupied for reading in readings if reading.settled} <= {truth}
    last = table.run(800)[-1]
    assert (last.faulty, last.occupied, last.settled) == (frozenset(), truth, True)


def test_others_go_on_beside_a_chattering_cell(table: Table) -> None:
    table.box.chatter(A, 5000)
    table.run(1000)
    table.box.place((6, 6))
    last = table.run(600)[-1]
    assert (last.settled, last.occupied, last.faulty) == (True, frozenset({(6, 6)}), frozenset({A}))


def test_a_masked_cell_is_as_if_it_were_not_there(table: Table) -> None:
    table.box.stick(A, "closed")
    assert table.rest().occupied == {A}
    table.board.mask([A])
    assert table.moves(100) == [(A, False)]
    table.box.chatter(A, 1000)
    table.box.stick(A, None)
    readings = table.run(900)
    assert all(not reading.changes and not reading.faulty for reading in readings)
    assert readings[-1].settled
    table.box.stick(A, "closed")
    table.rest()
    table.board.mask([])
    assert table.moves(100) == [(A, True)]


def test_a_stuck_open_cell_gives_nothing(table: Table) -> None:
    table.box.stick(A, "open")
    table.box.place(A)
    assert table.rest().occupied == frozenset()


# ---- ghosts -------------------------------------------------------------------------


def test_a_rectangle_of_tokens_is_legal(table: Table) -> None:
    place_slowly(table, A, B, C, D)
    last = table.rest()
    assert (last.occupied, last.ambiguous) == (CORNERS, frozenset())


def test_a_rectangle_at_power_on_is_believed(new_table: Callable[..., Table]) -> None:
    last = new_table(tokens=CORNERS).rest()
    assert (last.occupied, last.ambiguous) == (CORNERS, frozenset())


@pytest.mark.parametrize("order", [(A, B, C), (C, A, D), (D, B, A)])
def test_without_diodes_the_fourth_corner_is_not_believed(table: Table, order: tuple[Cell, ...]) -> None:
    """https://github.com/Nullkraft/Keypad/issues/7: the sum over several pressed keys was wrong by ghosts."""
    table.box.diodes(False)
    place_slowly(table, *order)
    last = table.rest()
    assert last.ambiguous == CORNERS
    assert last.occupied == set(order[:2])
    assert last.settled


@pytest.mark.parametrize("lifted", [A, B, C])
def test_lifting_a_corner_clears_the_doubt(table: Table, lifted: Cell) -> None:
    table.box.diodes(False)
    place_slowly(table, A, B, C)
    table.box.lift(lifted)
    last = table.rest()
    assert (last.ambiguous, last.occupied) == (frozenset(), frozenset({A, B, C} - {lifted}))


def test_repaired_diodes_clear_the_doubt(table: Table) -> None:
    table.box.diodes(False)
    place_slowly(table, A, B, C)
    table.box.diodes(True)
    last = table.rest()
    assert (last.ambiguous, last.occupied) == (frozenset(), frozenset({A, B, C}))


def test_no_ghost_is_believed_under_noise(table: Table) -> None:
    table.box.diodes(False)
    place_slowly(table, A, B)
    table.box.noise(0.01)
    table.box.place(C)
    readings = table.run(3000)
    assert all(D not in reading.occupied for reading in readings if reading.settled)
    assert readings[-1].ambiguous == CORNERS


def test_a_ghost_that_a_glitch_delays_is_in_doubt_all_the_same(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    place_slowly(table, A, B)
    readings = iter([(0b11, 0b11), (0b11, 0b01), *[(0b11, 0b11)] * 20])
    monkeypatch.setattr(table.scanner, "scan", lambda: (*next(readings), *[0] * 8))
    assert table.run(60)[-1].ambiguous == CORNERS


def test_a_row_of_ghosts_is_not_believed(table: Table) -> None:
    table.box.diodes(False)
    place_slowly(table, A, B, (1, 3), C)
    last = table.rest()
    assert last.occupied == {A, B, (1, 3)}
    assert last.ambiguous == {(row, column) for row in (1, 2) for column in (1, 2, 3)}


@pytest.mark.parametrize("diodes", [True, False])
def test_three_corners_and_a_hole_are_accepted(new_table: Callable[..., Table], diodes: bool) -> None:
    """https://github.com/tmk/tmk_keyboard/issues/469: ghost blocking should ignore non-existing keys."""
    table = new_table(holes=[D])
    table.box.diodes(diodes)
    table.rest()
    place_slowly(table, A, B, C)
    last = table.rest()
    assert (last.occupied, last.ambiguous) == (frozenset({A, B, C}), frozenset())


def test_a_closed_hole_that_nothing_explains_is_ambiguous(new_table: Callable[..., Table]) -> None:
    table = new_table()
    table.board = type(table.board)(table.scanner, table.clock, rows=10, columns=10, holes=[D])
    table.rest()
    place_slowly(table, D)
    last = table.rest()
    assert (last.occupied, last.ambiguous) == (frozenset(), frozenset({D}))


def test_two_hands_at_once_are_only_in_doubt_if_they_complete_a_rectangle(table: Table) -> None:
    place_slowly(table, A)
    table.box.place(D)
    table.box.place((5, 5))
    assert table.rest().occupied == {A, D, (5, 5)}
