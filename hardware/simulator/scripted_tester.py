"""Does what the self-test asks for on a simulated box, and builds faults into it beforehand.

A fault is written like the file of a cell map names things: `rotation=90`, `mirrored`, `swapped=r1c1,r1c2`, `dead=r3c4`,
`stuck=r2c2`, `diodes=reversed`, `diodes=missing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from underboard.hardware.board.cell_map import CellMap, CellMapError, name, parsed
from underboard.hardware.core.cells import Cell
from underboard.hardware.maintenance.selftest import ALL_DEAD, Answer, Prompt, SelfTest
from underboard.hardware.simulator.box import SimulatedBox
from underboard.hardware.simulator.netlist import Diodes


@dataclass
class WiringFaults:
    """How a simulated board was built otherwise than it should be; cells are as the players count."""

    rotation: int = 0
    mirrored: bool = False
    moved: dict[Cell, Cell] = field(default_factory=dict)
    dead: list[Cell] = field(default_factory=list)
    stuck: list[Cell] = field(default_factory=list)
    diodes: Diodes = Diodes.FITTED

    def ground(self, rows: int, columns: int) -> CellMap:
        """Where the sensors of a matrix of this size really are. Raises CellMapError."""
        lie = CellMap(rows, columns, self.rotation, self.mirrored)
        refuse_strangers([*self.dead, *self.stuck, *self.moved], *lie.size)
        moved = {cell: lie.sensor(other) for cell, other in self.moved.items()}
        return CellMap(rows, columns, self.rotation, self.mirrored, {cell: sensor or (0, 0) for cell, sensor in moved.items()})


def refuse_strangers(cells: Iterable[Cell], rows: int, columns: int) -> None:
    """Raises CellMapError for cells that are not on the board."""
    if strange := sorted({cell for cell in cells if not (cell[0] <= rows and cell[1] <= columns)}):
        raise CellMapError(f"there is no cell {', '.join(map(name, strange))} on a board of {rows}x{columns}")


def read_wiring_faults(words: Iterable[str]) -> WiringFaults:
    """The faults that these words name. Raises CellMapError."""
    faults = WiringFaults()
    for word in words:
        kind, _, value = word.partition("=")
        cells = value.split(",") if value else []
        match kind, cells:
            case "mirrored", []:
                faults.mirrored = True
            case "rotation", [degrees] if degrees.isdecimal():
                faults.rotation = int(degrees)
            case "swapped", [one, other]:
                faults.moved |= {parsed(one): parsed(other), parsed(other): parsed(one)}
            case "dead", [_, *_]:
                faults.dead += map(parsed, cells)
            case "stuck", [_, *_]:
                faults.stuck += map(parsed, cells)
            case "diodes", ["reversed" | "missing" as how]:
                faults.diodes = Diodes(how)
            case _:
                raise CellMapError(
                    f"fault '{word}': there are rotation=90, mirrored, swapped=r1c1,r1c2, dead=r3c4, stuck=r2c2, diodes=reversed|missing"
                )
    return faults


class ScriptedTester:
    """Does what the prompts of *test* ask for on *box*; ask it again and again for its answers."""

    def __init__(self, box: SimulatedBox, test: SelfTest, faults: WiringFaults) -> None:
        """Builds the faults in. Raises CellMapError for cells that do not exist."""
        self._box = box
        self._test = test
        self._ground = faults.ground(box.matrix.rows, box.matrix.columns)
        self._prompt: Prompt | None = None
        box.matrix.diodes = faults.diodes
        for cells, stuck in ((faults.dead, "open"), (faults.stuck, "closed")):
            for sensor in self._ground.sensors(cells):
                box.stick(sensor, "open" if stuck == "open" else "closed")

    def __call__(self) -> Sequence[Answer]:
        """What this person does now, and says."""
        prompt, before = self._test.prompt, self._prompt
        self._prompt = prompt
        if before is None or (prompt.stage, prompt.cells) != (before.stage, before.cells):
            self._move(prompt)
        if not prompt.hint:
            return ()
        self._take_off()
        if ALL_DEAD in prompt.hint:
            return ("stop",)
        return ("skip",) if prompt.stage in ("put", "three") else ("ok",)

    def _move(self, prompt: Prompt) -> None:
        self._take_off()
        if prompt.stage in ("put", "three"):
            for sensor in self._ground.sensors(prompt.cells):
                self._box.place(sensor)

    def _take_off(self) -> None:
        for sensor in self._box.tokens:
            self._box.lift(sensor)
