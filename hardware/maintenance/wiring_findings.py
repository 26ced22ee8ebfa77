"""The findings of the self-test: how the matrix lies, which wires are crossed, what is broken.

Of the eight ways a matrix can lie under its board the one is found that explains most cells;
what it does not explain is crossed wires. Cells that were not tried are taken to be where they
should be, unless their sensor has turned up elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from underboard.hardware.board.cell_map import ROTATIONS, CellMap, Sensor, name
from underboard.hardware.core.cells import Cell
from underboard.hardware.maintenance.selftest import ALL_DEAD, Seen, corners, spoken


@dataclass(frozen=True)
class Findings:
    """What is known after the walk; *cell_map* is None if no map can be made of it."""

    cell_map: CellMap | None
    sentences: tuple[str, ...]
    """Everything that was found, the most important first; one sentence that all is well if it is."""
    sound: bool = False
    """Whether all cells that were asked for work; a map makes good what is merely wired otherwise."""
    quick: bool = False
    """Whether only the corners were asked for."""


def findings(seen: Seen) -> Findings:
    """Read what a walk has seen."""
    if not seen.answers:
        return Findings(None, ("Nothing was tested.", *broken(seen)))
    if not seen.answered:
        return Findings(None, (f"No cell answers: {ALL_DEAD}.", *broken(seen)))
    lies = best_orientations(seen)
    if not lies:
        rows, columns = seen.matrix
        return Findings(None, (f"A matrix of {rows}x{columns} sensors cannot lie under {seen.rows}x{seen.columns} cells.",))
    lie = lies[0]
    if len(lies) > 1 or (is_quick(seen) and not all(explains(lie, *answer) for answer in seen.answers.items())):
        return Findings(None, ("These cells do not tell how the board lies: test the whole board.", *broken(seen)))
    sensors = own_sensors(seen, lie)
    cell_map = complete(seen, lie, sensors)
    faults = (*dead_cells(seen, lie), *broken(seen), *unfinished(seen))
    sentences = (*lying(lie), *crossed(lie, sensors), *faults)
    return Findings(cell_map, sentences or ("All cells are where they should be.",), not faults, is_quick(seen))


def is_quick(seen: Seen) -> bool:
    """Whether only the corners had a turn."""
    return seen.whole and len(seen.answers) < seen.rows * seen.columns


def best_orientations(seen: Seen) -> list[CellMap]:
    """The ways to lie that explain most cells, one if they tell enough; none if the sizes do not fit."""
    every = [CellMap(*seen.matrix, rotation, mirrored) for mirrored, rotation in product((False, True), ROTATIONS)]
    fitting = [lie for lie in every if lie.size == (seen.rows, seen.columns)]
    counts = [sum(explains(lie, *answer) for answer in seen.answered.items()) for lie in fitting]
    best = [lie for lie, count in zip(fitting, counts, strict=True) if count == max(counts)]
    corner = [{cell: lie.sensor(cell) for cell in corners(seen.rows, seen.columns)} for lie in best]
    return [lie for number, lie in enumerate(best) if corner[number] not in corner[:number]]  # a single row has two names for one lie


def explains(lie: CellMap, cell: Cell, sensors: Iterable[Sensor]) -> bool:
    """Whether one of the sensors that closed is the one that lies there."""
    return lie.sensor(cell) in frozenset(sensors)


def own_sensors(seen: Seen, lie: CellMap) -> Mapping[Cell, Sensor]:
    """The sensor of each cell that answers and works: the one that should be there, or the first that no other cell has."""
    working = {cell: sensors - seen.stuck - seen.sticking - seen.chattering for cell, sensors in seen.answered.items()}
    own = {cell: sensor for cell, sensors in working.items() if (sensor := lie.sensor(cell)) in sensors}
    for cell, sensors in working.items():
        free = sorted(sensors - set(own.values()))
        if cell not in own and free:
            own[cell] = free[0]
    return own


def complete(seen: Seen, lie: CellMap, own: Mapping[Cell, Sensor]) -> CellMap:
    """The map of the whole board; cells without an answer of their own are dead, those not tried keep a sensor that is left."""
    moved = {cell: sensor for cell, sensor in own.items() if lie.sensor(cell) != sensor}
    dead = frozenset(cell for cell in seen.answers if cell not in own)
    taken = set(own.values())
    for cell in product(range(1, seen.rows + 1), range(1, seen.columns + 1)):
        sensor = lie.sensor(cell)
        if cell in seen.answers or sensor not in taken:
            continue
        while sensor in taken and sensor is not None:  # the wires have changed places: follow them to the one that is free
            sensor = lie.sensor(next(owner for owner, owned in {**own, **moved}.items() if owned == sensor))
        if sensor is not None:
            moved[cell] = sensor
            taken.add(sensor)
    return CellMap(*seen.matrix, lie.rotation, lie.mirrored, moved, dead)


# ---- sentences ------------------------------------------------------------------------


def lying(lie: CellMap) -> Iterator[str]:
    """How the matrix lies, if not straight."""
    if lie.mirrored and lie.rotation == 90:
        yield "Rows and columns are exchanged, and the matrix is turned by 180°."
    elif lie.mirrored and lie.rotation == 270:
        yield "Rows and columns are exchanged."
    elif lie.mirrored:
        turned = f" and lies turned by {lie.rotation}°" if lie.rotation else ""
        yield f"The wiring is mirrored{turned}."
    elif lie.rotation:
        yield f"The matrix lies turned by {lie.rotation}° clockwise under the board."


def crossed(lie: CellMap, own: Mapping[Cell, Sensor]) -> Iterator[str]:
    """Rows, columns and cells that have changed places."""
    places = {cell: lie.place(sensor) for cell, sensor in own.items()}
    left = {cell: place for cell, place in places.items() if cell != place}
    for axis, word in ((0, "Rows"), (1, "Columns")):
        for one, other in swapped_lines(places, left, axis):
            left = {cell: place for cell, place in left.items() if cell[axis] not in (one, other)}
            yield f"{word} {one} and {other} are swapped."
    for cell, place in sorted(left.items()):
        if left.get(place) == cell:
            if cell < place:
                yield f"The cells {spoken(cell)} and {spoken(place)} are swapped."
        else:
            yield f"Under {spoken(cell)} is the sensor that belongs under {spoken(place)}."


def swapped_lines(places: Mapping[Cell, Cell], left: Mapping[Cell, Cell], axis: int) -> Iterator[tuple[int, int]]:
    """Pairs of rows (axis 0) or columns (axis 1) of which all cells have changed places."""
    targets: dict[int, set[int | None]] = {}
    for cell, place in places.items():
        straight = place[1 - axis] == cell[1 - axis]
        targets.setdefault(cell[axis], set()).add(place[axis] if straight else None)
    for one, to in sorted(targets.items()):
        other = next(iter(to))
        long = sum(cell[axis] == one for cell in left) > 1
        if long and len(to) == 1 and other is not None and one < other and targets.get(other) == {one}:
            yield one, other


def dead_cells(seen: Seen, lie: CellMap) -> Iterator[str]:
    """Cells that do not answer, whole lines of the matrix together."""
    dead = {cell: sensor for cell in seen.dead if (sensor := lie.sensor(cell))}
    for axis, word in ((0, "row"), (1, "column")):
        for line in range(1, seen.matrix[axis] + 1):
            own = {cell for cell in seen.answers if (sensor := lie.sensor(cell)) and sensor[axis] == line}
            if len(own) > 1 and own <= set(dead):
                dead = {cell: sensor for cell, sensor in dead.items() if cell not in own}
                yield f"The whole {word} {line} of the matrix is dead: check its wire."
    if dead:
        yield f"Dead: {'; '.join(map(spoken, sorted(dead)))}."


def broken(seen: Seen) -> Iterator[str]:
    """What is broken, whichever way the matrix lies; sensors are named as they are wired."""
    if seen.stuck:
        yield f"Closed without a token: sensor {named(seen.stuck)}."
    if seen.sticking:
        yield f"Closed by a token and stays closed: sensor {named(seen.sticking)}."
    if seen.chattering:
        yield f"Flickers: sensor {named(seen.chattering)}."
    for cell, sensors in sorted(seen.answers.items()):
        if len(sensors) > 1:
            yield f"A token on {spoken(cell)} closes {len(sensors)} sensors ({named(sensors)}): look for a bridge or too strong a magnet."
    if seen.diodes is False:
        yield "Three tokens of a rectangle read as four: diodes are missing or bridged."


def unfinished(seen: Seen) -> Iterator[str]:
    """What has not been tested."""
    count = seen.rows * seen.columns - len(seen.answers)
    if count and not seen.whole:
        yield f"{count} of {seen.rows * seen.columns} cells were not tested: they are taken to be right."


def named(sensors: Iterable[Sensor]) -> str:
    """Sensors in a row."""
    return ", ".join(map(name, sorted(sensors)))
