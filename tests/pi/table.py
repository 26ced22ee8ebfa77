"""A table with two players' hands on it: everything is done at the virtual Pi and at its twin, the simulator of table scripts.

The twin tells what is to be seen. What the display of the virtual Pi shows has to be that, pixel by pixel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from PIL import Image

from tests.pi.virtual_pi import VirtualPi, VirtualPiError, wait_for
from underboard.engine.app.table_options import read_table_options
from underboard.engine.gamekit.registry import find_overlay
from underboard.engine.scripting.parser import LineReader
from underboard.engine.scripting.runner import Runner
from underboard.hardware.core.wiring import REFERENCE
from underboard.hardware.panel.picture import HEIGHT, WIDTH, row_height

CONFIG = "/etc/underboard/table.toml"
GAME = "hack_trick"
OPTIONS: Mapping[str, str] = {"four": "red", "out": "0,5", "red": "0,1,2,4", "yellow": "1,3,5"}
"""A match with hands that are known, red to begin."""
HANDS = "open"
"""Keys run through the cards without a curtain."""
PROJECT = "/project/underboard"
MATRIX = "/run/matrix"
LAST_LINE = HEIGHT - row_height("small") - 3
"""The display's first pixel row of it, with what is free above."""
SEEN_S = 60
"""So long may it take until something is seen, on a computer that emulates another and has more to do."""

Wired = Literal["gpio", "pico"]


class Table:
    """The virtual Pi with the service on it, and the twin; `board` is what the matrix of both is wired to."""

    def __init__(self, pi: VirtualPi, scratch: Path, board: Wired = "gpio") -> None:
        """Begins the twin's game; the virtual Pi's begins with the service."""
        self.pi = pi
        self.board = board
        self.said: dict[str, Any] = {}
        self._picture = scratch / "twin.png"
        self._overlay = find_overlay(GAME, {})
        self._tokens: set[str] = set()
        self._script = LineReader()
        words = [*(f"{key}={value}" for key, value in OPTIONS.items()), f"board={board}", f"hands={HANDS}"]
        self._twin = Runner(read_table_options(GAME, words))
        self._tell_twin(" ".join(["table", GAME, *words]))

    @property
    def config(self) -> str:
        """The table's configuration for the same match."""
        options = "".join(f'{key} = "{value}"\n' for key, value in OPTIONS.items())
        game = f'begin = "{GAME}"\nhands = "{HANDS}"\njournal = "{self.board}.sqlite3"\n'
        return f'[game]\n{game}[game.options]\n{options}[board]\nwired_to = "{self.board}"\n'

    # Hands

    def choose(self, name: str, *, but_last_line: bool = False) -> None:
        """Press keys until this is chosen."""
        choices, selected = self.said["choices"], self.said["selected"]
        steps = (choices.index(name) - choices.index(selected)) % len(choices)
        for key in ["right"] * steps + ["ok"]:
            self.press(key, but_last_line=but_last_line)

    def press(self, key: str, *, but_last_line: bool = False) -> None:
        """A key, briefly; the display says what comes of it."""
        line = REFERENCE.keys[key]
        self.pi.order(f"press {line}", "wait 0.3", f"release {line}", "wait 0.4")  # longer than keys rest
        self._tell_twin(f"key {key}")
        self.look(but_last_line=but_last_line)

    def place(self, space: str, *, but_last_line: bool = False) -> None:
        """Put a token down; the display says what comes of it."""
        self.move(place=space)
        self.look(but_last_line=but_last_line)

    def lift(self, space: str) -> None:
        """Take a token away; the display says what comes of it."""
        self.move(lift=space)
        self.look()

    def move(self, *, place: str = "", lift: str = "") -> None:
        """Put down or take away, and do not look."""
        if lift:
            self._tokens.discard(lift)
            self._switch("open", lift)
            self._tell_twin(f"lift {lift}")
        if place:
            self._tokens.add(place)
            self._switch("close", place)
            self._tell_twin(f"place {place}")

    def put_tokens_back(self) -> None:
        """The tokens stand where they stood, on a board whose switches have been made anew."""
        for space in self._tokens:
            self._switch("close", space)

    def _switch(self, what: str, space: str) -> None:
        row, column = self._overlay.cell(space)
        if self.board == "gpio":
            self.pi.order(f"{what} {REFERENCE.rows[row - 1]} {REFERENCE.columns[column - 1]}")
        else:
            self.show_matrix()

    def show_matrix(self) -> None:
        """Tell the Pico's program which contacts are closed."""
        masks = [0] * len(REFERENCE.rows)
        for row, column in map(self._overlay.cell, self._tokens):
            masks[row - 1] |= 1 << (column - 1)
        self.pi.write(f"{MATRIX}.new", " ".join(map(str, masks)))
        self.pi.run("mv", f"{MATRIX}.new", MATRIX)

    # Eyes

    def fault(self, what: str) -> None:
        """Something happens to the twin that has happened to the virtual Pi."""
        self._tell_twin(f"fault {what}")

    def shows(self, *, but_last_line: bool = False) -> bool:
        """Whether the display shows at this moment what it has to; the last line is where alerts stand with which one plays on."""
        part = (0, 0, WIDTH, LAST_LINE if but_last_line else HEIGHT)
        return self.pi.pixels().crop(part) == self._image.crop(part)

    def look(self, *, but_last_line: bool = False) -> None:
        """Wait until the display shows what it has to. Raises VirtualPiError."""
        try:
            wait_for(lambda: self.shows(but_last_line=but_last_line), "what its twin shows", SEEN_S)
        except VirtualPiError as error:
            self.pi.pixels().save(self._picture.with_name("seen.png"))
            raise VirtualPiError(f"{error}: {self.said['screen']}; the pictures are in {self._picture.parent}") from None

    def _tell_twin(self, line: str) -> None:
        self.said = self._twin.play(self._script.read(1, line))
        self._twin.play(self._script.read(1, f"snap {self._picture}"))
        with Image.open(self._picture) as picture:
            self._image = picture.convert("1")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._twin.__exit__(kind, error, trace)
