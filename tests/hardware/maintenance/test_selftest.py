"""The self-test, carried through by a simulated person on simulated boards with every fault it should find."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from underboard.hardware.board.cell_map import ROTATIONS, CellMap, CellMapError, name
from underboard.hardware.box.drivers import open_box
from underboard.hardware.core.cells import Cell
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.core.wiring import REFERENCE, Wiring
from underboard.hardware.maintenance.selftest import PATIENCE_MS, SETTLE_MS, Answer, SelfTest, Stage
from underboard.hardware.maintenance.selftest_run import panel, walk
from underboard.hardware.maintenance.wiring_findings import Findings, findings
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.scripted_tester import ScriptedTester, read_wiring_faults

SIZE = 4
WIRING = Wiring(REFERENCE.rows[:SIZE], REFERENCE.columns[:SIZE], REFERENCE.keys, REFERENCE.buzzer)


def carried_out(*faults: str, quick: bool = False, wiring: Wiring = WIRING) -> tuple[Findings, list[str], CellMap]:
    """What a test of a board with these faults finds and says, and how the board really is."""
    clock, said = VirtualClock(), list[str]()
    rows, columns = len(wiring.rows), len(wiring.columns)
    built = read_wiring_faults(faults)
    ground = built.ground(rows, columns)
    test = SelfTest(*ground.size, matrix=(rows, columns), quick=quick)
    with SimulatedBox(clock, wiring) as simulated, ExitStack() as opened:
        volunteer = ScriptedTester(simulated, test, built)
        box = open_box(simulated, clock, wiring=wiring)
        opened.callback(box.close)
        walk(box, clock, test, volunteer, said.append)
    return findings(test.seen), said, ground


def found(*faults: str) -> tuple[str, ...]:
    """The sentences about a board with these faults, whose map has to be right."""
    result, _, ground = carried_out(*faults)
    cell_map = result.cell_map
    assert cell_map
    for cell in product(range(1, SIZE + 1), range(1, SIZE + 1)):
        assert cell_map.sensor(cell) in (ground.sensor(cell), None)
        assert (cell_map.sensor(cell) is None) == (cell in cell_map.dead)
    return result.sentences


def test_a_sound_board() -> None:
    result, said, _ = carried_out()
    assert result == Findings(CellMap(SIZE, SIZE), ("All cells are where they should be.",), sound=True)
    assert said[:5] == [
        "Take all tokens off the board.",
        "1 of 16: Put one token on row 1, column 1 (top left).",
        "1 of 16: Lift it.",
        "2 of 16: Put one token on row 1, column 2.",
        "2 of 16: Lift it.",
    ]
    assert said[-2:] == ["Put tokens on row 1, column 1, row 1, column 2, row 2, column 1, one after the other.", "That is all."]


LYING = {
    (90, False): "The matrix lies turned by 90° clockwise under the board.",
    (180, False): "The matrix lies turned by 180° clockwise under the board.",
    (270, False): "The matrix lies turned by 270° clockwise under the board.",
    (0, True): "The wiring is mirrored.",
    (90, True): "Rows and columns are exchanged, and the matrix is turned by 180°.",
    (180, True): "The wiring is mirrored and lies turned by 180°.",
    (270, True): "Rows and columns are exchanged.",
}


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(("rotation", "mirrored"), LYING)
def test_every_way_to_lie_is_found_and_named(rotation: int, mirrored: bool, quick: bool) -> None:
    """https://github.com/TimoKropp/OPENCHESSBOARD_WiFi/issues/11: a turned board rejected all placements without a word."""
    result, said, ground = carried_out(f"rotation={rotation}", *(["mirrored"] if mirrored else []), quick=quick)
    assert result.sentences == (LYING[rotation, mirrored],)
    assert result.cell_map == ground
    assert result.sound
    assert result.quick == quick
    assert len(said) == (8 if quick else 2 * SIZE * SIZE + 3)


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_a_board_that_is_not_square(rotation: int) -> None:
    wiring = Wiring(REFERENCE.rows[:2], REFERENCE.columns[:3], REFERENCE.keys, REFERENCE.buzzer)
    result, _, ground = carried_out(f"rotation={rotation}", "mirrored", wiring=wiring)
    assert result.cell_map == ground
    assert result.sound


def test_sizes_that_do_not_fit() -> None:
    test = SelfTest(2, 3, matrix=(2, 4))
    test.seen.answers[1, 1] = frozenset({(1, 1)})
    assert findings(test.seen).sentences == ("A matrix of 2x4 sensors cannot lie under 2x3 cells.",)


def test_a_single_row() -> None:
    wiring = Wiring(REFERENCE.rows[:1], REFERENCE.columns[:3], REFERENCE.keys, REFERENCE.buzzer)
    assert carried_out("mirrored", wiring=wiring)[0].sentences == (LYING[180, False],)


# Crossed wires


def test_two_swapped_cells() -> None:
    assert found("swapped=r1c1,r3c2") == ("The cells row 1, column 1 and row 3, column 2 are swapped.",)


def test_two_swapped_cells_on_a_turned_board() -> None:
    assert found("rotation=90", "mirrored", "swapped=r2c2,r2c3") == (
        "Rows and columns are exchanged, and the matrix is turned by 180°.",
        "The cells row 2, column 2 and row 2, column 3 are swapped.",
    )


def test_swapped_rows_and_columns_are_named_as_such() -> None:
    rows = [f"swapped=r1c{column},r3c{column}" for column in range(1, SIZE + 1)]
    assert found(*rows) == ("Rows 1 and 3 are swapped.",)
    columns = [f"swapped=r{row}c2,r{row}c4" for row in range(1, SIZE + 1)]
    assert found(*columns) == ("Columns 2 and 4 are swapped.",)


def test_swapped_rows_with_a_dead_cell() -> None:
    rows = [f"swapped=r1c{column},r3c{column}" for column in range(1, SIZE + 1)]
    assert found(*rows, "dead=r1c2") == ("Rows 1 and 3 are swapped.", "Dead: row 1, column 2.")


def test_three_cells_in_a_ring() -> None:
    test = SelfTest(3, 3)
    test.seen.answers = {cell: frozenset({cell}) for cell in product((1, 2, 3), (1, 2, 3))}
    test.seen.answers |= {(1, 1): frozenset({(1, 2)}), (1, 2): frozenset({(2, 1)}), (2, 1): frozenset({(1, 1)})}
    result = findings(test.seen)
    assert result.cell_map == CellMap(3, 3, moved={(1, 1): (1, 2), (1, 2): (2, 1), (2, 1): (1, 1)})
    assert result.sentences == (
        "Under row 1, column 1 is the sensor that belongs under row 1, column 2.",
        "Under row 1, column 2 is the sensor that belongs under row 2, column 1.",
        "Under row 2, column 1 is the sensor that belongs under row 1, column 1.",
    )


# Broken things


def test_dead_cells() -> None:
    result, said, _ = carried_out("dead=r2c3,r4c1")
    assert result.sentences == ("Dead: row 2, column 3; row 4, column 1.",)
    assert result.cell_map == CellMap(SIZE, SIZE, dead=frozenset({(2, 3), (4, 1)}))
    assert not result.sound
    assert "  nothing is seen: turn the token over, try one that works elsewhere, or skip this cell" in said


def test_a_dead_line_of_the_matrix() -> None:
    dead = ",".join(f"r2c{column}" for column in range(1, SIZE + 1))
    assert found(f"dead={dead}") == ("The whole row 2 of the matrix is dead: check its wire.",)
    assert found("rotation=90", f"dead={dead}")[1] == "The whole column 2 of the matrix is dead: check its wire."


def test_reversed_diodes() -> None:
    """https://github.com/adafruit/circuitpython/issues/6401: a direction other than assumed."""
    result, said, _ = carried_out("diodes=reversed")
    assert result.cell_map is None
    assert "all cells dead or mirrored: check the diodes' direction" in result.sentences[0]
    assert "all cells dead or mirrored: check the diodes' direction" in said[-2]
    assert len(said) < 12  # nobody has to walk through a hundred dead cells


def test_missing_diodes() -> None:
    assert found("diodes=missing") == ("Three tokens of a rectangle read as four: diodes are missing or bridged.",)


def test_a_stuck_sensor() -> None:
    result, said, _ = carried_out("stuck=r2c2")
    assert result.sentences == ("Dead: row 2, column 2.", "Closed without a token: sensor r2c2.")
    assert result.cell_map == CellMap(SIZE, SIZE, dead=frozenset({(2, 2)}))
    assert "  sensor r2c2 reads closed: if no token is there it is stuck, go on with OK" in said


def test_a_quick_test_with_a_dead_corner() -> None:
    result, _, _ = carried_out("dead=r1c1", quick=True)
    assert (result.cell_map, result.sentences) == (None, ("These cells do not tell how the board lies: test the whole board.",))


# The walk itself, without a box


class Board:
    """Hands that put sensors straight into a test."""

    def __init__(self) -> None:
        self.test = SelfTest(3, 3)
        self.now = 0
        self.wait(SETTLE_MS)

    def wait(self, ms: int, *closed: Cell, chattering: Sequence[Cell] = ()) -> None:
        for _ in range(0, ms + 1, 50):
            self.test.see(self.now, frozenset(closed), frozenset(chattering))
            self.now += 50

    def token(self, sensor: Cell) -> None:
        self.wait(SETTLE_MS, sensor)
        self.wait(SETTLE_MS)

    @property
    def at(self) -> tuple[Stage, tuple[Cell, ...]]:
        return self.test.prompt.stage, self.test.prompt.cells


def test_a_token_on_its_way_counts_only_where_it_stays() -> None:
    board = Board()
    for sensor in [(3, 3), (2, 2), (1, 2)]:
        board.wait(SETTLE_MS - 60, sensor)
    board.wait(SETTLE_MS, (1, 1))
    assert board.test.seen.answers == {(1, 1): {(1, 1)}}


def test_a_token_in_the_wrong_place_is_asked_for_again() -> None:
    board = Board()
    board.token((1, 1))
    board.token((1, 1))
    assert board.at == ("put", ((1, 2),))
    assert board.test.prompt.hint.startswith("that is the sensor of row 1, column 1, seen before")
    board.token((1, 2))
    assert board.at == ("put", ((1, 3),))
    assert board.test.prompt.hint == ""


def test_back_repeats_the_cell_before() -> None:
    board = Board()
    board.test.press("back")
    assert board.at == ("put", ((1, 1),))
    board.token((2, 2))
    board.test.press("back")
    board.wait(SETTLE_MS, (1, 1))
    board.test.press("back")
    assert board.at == ("put", ((1, 1),))
    assert board.test.seen.answers == {}
    board.wait(SETTLE_MS)
    board.token((1, 1))
    assert board.test.seen.answers == {(1, 1): {(1, 1)}}


def test_back_after_the_last_cell() -> None:
    board = Board()
    for cell in product((1, 2, 3), (1, 2, 3)):
        board.token(cell)
    at = board.at
    assert at == ("three", ((1, 1), (1, 2), (2, 1)))
    board.test.press("back")
    at = board.at
    assert at == ("put", ((3, 3),))
    board.token((3, 3))
    board.test.press("skip")
    assert board.test.over
    assert findings(board.test.seen).sound


def test_stopping_leaves_the_rest_as_it_should_be() -> None:
    board = Board()
    for sensor in [(1, 2), (1, 1), (1, 3), (2, 1)]:
        board.token(sensor)
    board.test.press("stop")
    result = findings(board.test.seen)
    assert result.cell_map == CellMap(3, 3, moved={(1, 1): (1, 2), (1, 2): (1, 1)})
    assert result.sentences[1:] == ("5 of 9 cells were not tested: they are taken to be right.",)
    assert not result.sound


def test_a_cell_not_tested_takes_the_sensor_that_is_left() -> None:
    board = Board()
    for sensor in [(1, 2), (2, 2), (1, 3), (2, 1)]:
        board.token(sensor)
    board.test.press("stop")
    cell_map = findings(board.test.seen).cell_map
    assert cell_map
    assert cell_map.sensor((2, 2)) == (1, 1)


def test_too_few_cells_tell_nothing() -> None:
    board = Board()
    board.token((1, 3))
    board.test.press("stop")
    assert findings(board.test.seen).sentences == ("These cells do not tell how the board lies: test the whole board.",)


def test_nothing_tested() -> None:
    board = Board()
    board.test.press("stop")
    assert findings(board.test.seen) == Findings(None, ("Nothing was tested.",))


def test_a_sensor_that_sticks_after_its_token() -> None:
    board = Board()
    board.wait(SETTLE_MS + PATIENCE_MS + 100, (1, 1))
    assert board.test.prompt.hint == "sensor r1c1 still reads closed: if the token is off it sticks, go on with OK"
    board.test.press("ok")
    for cell in [(1, 2), (1, 3), (2, 1)]:
        board.wait(SETTLE_MS, (1, 1), cell)
        board.wait(SETTLE_MS, (1, 1))
    board.test.press("stop")
    result = findings(board.test.seen)
    assert result.cell_map
    assert result.cell_map.dead == {(1, 1)}
    assert "Closed by a token and stays closed: sensor r1c1." in result.sentences


def test_a_token_that_closes_two() -> None:
    board = Board()
    board.wait(SETTLE_MS, (1, 1), (1, 2))
    board.wait(SETTLE_MS)
    board.wait(SETTLE_MS, (1, 1), (1, 2))
    board.wait(SETTLE_MS)
    assert board.at == ("put", ((1, 2),))
    board.test.press("skip")
    board.token((1, 3))
    board.token((2, 1))
    board.test.press("stop")
    assert findings(board.test.seen).sentences[1] == (
        "A token on row 1, column 1 closes 2 sensors (r1c1, r1c2): look for a bridge or too strong a magnet."
    )


def test_a_sensor_that_flickers_is_named_and_does_not_disturb() -> None:
    board = Board()
    board.wait(SETTLE_MS, (1, 1), (3, 3), chattering=[(3, 3)])
    board.wait(SETTLE_MS, chattering=[(3, 3)])
    assert board.at == ("put", ((1, 2),))
    assert "Flickers: sensor r3c3." in findings(board.test.seen).sentences


@example([("skip", set())] * 9 + [("back", set())])
@given(
    st.lists(
        st.tuples(st.sampled_from(["ok", "skip", "back", "stop"]), st.sets(st.tuples(st.integers(1, 3), st.integers(1, 3)))), max_size=60
    )
)
def test_whatever_happens_there_are_findings(acts: list[tuple[Answer, set[Cell]]]) -> None:
    board = Board()
    for answer, closed in acts:
        board.wait(SETTLE_MS, *closed)
        if answer != "stop" or len(closed) > 6:
            board.test.press(answer)
        panel(board.test.prompt)
        result = findings(board.test.seen)
        assert result.sentences
        if result.cell_map:
            assert CellMap.from_toml(result.cell_map.to_toml()) == result.cell_map


# Faults as words


@pytest.mark.parametrize(
    "word", ["", "rotation", "rotation=x", "rotation=45", "swapped=r1c1", "dead", "dead=1", "diodes=green", "swapped=r1c1,r9c9"]
)
def test_faults_that_cannot_be_built(word: str) -> None:
    with pytest.raises(CellMapError):
        read_wiring_faults([word]).ground(4, 4)


def test_names() -> None:
    assert name((3, 12)) == "r3c12"
