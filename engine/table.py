"""The words every table uses: spaces and sites, what an action does to the tokens, what the keys run through.

A *space* is one sensor a player can name ("7a", "c4"); a *site* is a place of the game ("7", "c4") with one space or
several, on which any of them will do. `GameTable` is what a game says about its own table; `engine.referee` does the rest.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module, resources
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from engine.cells import cell_name
from engine.errors import BadArgument, Text
from engine.game import Action, Announcement
from engine.settings import Setting
from engine.words import Words

Space = str
Site = str
Cell = tuple[int, int]
"""Row and column of the sensor matrix, both from 1."""

Size = Literal["small", "medium", "large"]
Align = Literal["left", "center", "right"]

WIDTHS: Mapping[Size, int] = {"small": 21, "medium": 14, "large": 12}
"""How many characters a line of each size holds."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the panel: 21, 14 or 12 characters by size; inverted is dark on light."""

    text: str
    size: Size = "small"
    align: Align = "left"
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What an action does to the tokens: all come off the `clears` sites, then one goes on each of `puts`.

    `lift_first`: the action begins with a lift that nobody announces, so a lift alone is no alarm yet, and what no key has
    chosen is asked about if it is `doubtful`.
    `by_key`: another action does the same to the tokens and is meant unless a key has chosen this one.
    """

    clears: tuple[Site, ...] = ()
    puts: tuple[Site, ...] = ()
    lift_first: bool = False
    by_key: bool = False

    @property
    def exchanges(self) -> bool:
        """Whether the board looks the same afterwards: a token has been replaced by another."""
        return self.lift_first and self.clears == self.puts

    @property
    def doubtful(self) -> bool:
        """Whether a hand that only corrects a token does the same: a token was lifted, and none has come where none stood."""
        return self.lift_first and set(self.puts) <= set(self.clears)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Every site it touches."""
        return tuple(dict.fromkeys((*self.clears, *self.puts)))


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the keys can select.

    `actions` are the legal actions it stands for. If they move tokens, any of them is awaited and left/right run through
    them (the cursor decides where the tokens alone do not); otherwise OK does the first and a long OK the second.
    A `dealt` choice leaves which one to the dealer.
    An `answer` is only remembered (the menu asks on); its actions are those it leads to, as far as they are called by their own
    names there. `next` starts the next game of the match with these options, `restart` a new match.
    """

    name: str
    actions: tuple[Action, ...] = ()
    dealt: bool = False
    answer: bool = False
    next: Mapping[str, str] | None = None
    restart: bool = False


def leading_to(choices: Sequence[Choice], name: str) -> int | None:
    """Which choice to take for the one called `name`: this one itself, or an answer after which it comes; None if there is no way."""
    ways = [number for number, choice in enumerate(choices) if choice.answer and name in choice.actions]
    return next((number for number, choice in enumerate(choices) if choice.name == name), ways[0] if ways else None)


class Pile(NamedTuple):
    """Cards that are dealt together: the option of a new game that names them, what players call them, how many there are."""

    option: str
    label: str
    size: int
    cards: Mapping[str, str] | None = None
    """The cards that can go into it, and what the option calls them; None: any card, by its own name."""


class Situation(Protocol):
    """What a game's screen may know of the table around it."""

    @property
    def state(self) -> Any:
        """The state of the game."""

    @property
    def selected(self) -> str | None:
        """The choice under the cursor."""

    @property
    def changes(self) -> Mapping[Action, Change]:
        """The legal actions that move tokens."""

    @property
    def awaited(self) -> Action | None:
        """The action whose token the table waits for."""

    @property
    def blind(self) -> bool:
        """Whether the sensors cannot tell if the awaited action has been done, so that OK says it."""

    @property
    def asked(self) -> bool:
        """Whether the board shows what several actions lead to, and the table asks which it was."""

    @property
    def to_lift(self) -> Sequence[Space]:
        """Spaces whose tokens still have to come off for the awaited action."""

    @property
    def exchanging(self) -> Sequence[Action]:
        """The actions that nobody chose but whose tokens have been lifted: what replaces these is waited for."""

    @property
    def leftover(self) -> Collection[Space]:
        """Spaces where a token of an action taken back still stands in the place of another."""

    @property
    def answers(self) -> Sequence[str]:
        """The answers that have led to the present choices."""

    @property
    def said(self) -> Sequence[Announcement]:
        """What the last action announced."""


class GameTable(Protocol):
    """What a game says about its table. Tables of games derive from it; the methods with a body suit most of them."""

    name: ClassVar[str]
    """The game as players call it."""

    has_boards: ClassVar[bool] = False
    """Whether the game has an option `board` of its own, for which of its boards is played on."""

    own_options: ClassVar[tuple[str, ...]] = ()
    """Options of the table alone, of which the rules know nothing."""

    tones: ClassVar[Mapping[str, str]] = {"win": "win"}
    """Announcements that sound otherwise than what is right, and how; the last of several counts."""

    def options(self, given: Mapping[str, str]) -> Mapping[str, str]:
        """The options of a new game at this table, completed from those given. Raises BadArgument for what cannot be played on it."""
        return given

    def settings(self, answers: Mapping[str, str]) -> Sequence[Setting]:
        """What is to be settled before a game, in order; `answers` are those given, of this game or of another."""
        return ()

    def overlay(self, options: Mapping[str, str]) -> Overlay | None:
        """The overlay if it depends on the (completed) options; None: it is the one in the game's `overlay.toml`."""
        return None

    def site(self, space: Space) -> Site:
        """The site that a space belongs to."""

    def changes(self, state: Any) -> Mapping[Action, Change]:
        """The legal actions that move tokens, and how. Those of sites that have no space on the overlay are done without tokens."""

    def corrections(self, state: Any) -> Sequence[str]:
        """What a referee may set by hand, as words that lead to it: "turn red", "token c4 none"."""
        return ()

    def corrected(self, state: Any, name: str) -> tuple[Any, Change]:
        """The record of the state after such a correction, and what it does to the tokens."""
        raise BadArgument(f"'{name}' is nothing that can be set here")

    def start(self, state: Any) -> Sequence[Space]:
        """The spaces on which tokens stand when a game begins, as far as the overlay has them."""
        return ()

    def menu(self, state: Any, answers: Sequence[str]) -> tuple[Sequence[Choice], int]:
        """What the keys run through now, and which is selected at first; `answers` are those given so far."""

    def deal(self, state: Any, choice: Choice, random: Random) -> Action:
        """Which of a dealt choice's actions comes, as a shuffled deck would decide."""

    def drawn(self, choice: Choice, card: str) -> Action | None:
        """The action of a dealt choice when this card comes; None if it cannot."""
        return next((action for action in choice.actions if action.endswith(f" {card}")), None)

    def undrawable(self, state: Any, card: str) -> Text | None:
        """Why this card cannot be drawn now, if there is more to say than that it cannot; without giving a hand away."""
        return None

    def piles(self, options: Mapping[str, str], state: Any | None) -> Sequence[Pile]:
        """What is dealt, in order, when cards are dealt by the reader: for a new game with these options, or after the game `state`."""
        return ()

    def screen(self, situation: Situation, words: Words) -> Sequence[Line]:
        """The panel while nothing is wrong."""

    def hands(self, state: Any) -> Mapping[str, Sequence[str]]:
        """Each seat's cards as far as the engine knows them, for the page."""


TABLES = {
    "hack_trick": "engine.games.hack_trick.table:HackTrickTable",
    "makao": "engine.games.makao.table:MakaoTable",
    "sequence_numbers": "engine.games.sequence_numbers.table:SequenceNumbersTable",
    "spy": "engine.games.spy.table:SpyTable",
    "virus_wars": "engine.games.virus_wars.table:VirusWarsTable",
}
"""Game id to `module:class`; a module is imported when its table is first asked for."""


def find_table(game_id: str) -> GameTable:
    """The table of a game. Raises BadArgument that lists the games with one."""
    if game_id not in TABLES:
        raise BadArgument(f"no table for '{game_id}': there is one for {', '.join(sorted(TABLES))}")
    module, _, name = TABLES[game_id].partition(":")
    table: GameTable = getattr(import_module(module), name)()
    return table


@dataclass(frozen=True)
class Overlay:
    """Which sensor of the matrix lies under which space. Sensors without a space are named like "@r3c2"."""

    rows: int
    columns: int
    spaces: Mapping[Space, Cell]
    _names: dict[Cell, Space] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", {cell: space for space, cell in self.spaces.items()})

    def name(self, cell: Cell) -> Space:
        """The space over a sensor."""
        return self._names.get(cell) or f"@r{cell[0]}c{cell[1]}"

    def names(self, cells: Iterable[Cell]) -> frozenset[Space]:
        """The spaces over sensors."""
        return frozenset(map(self.name, cells))

    @cached_property
    def all_names(self) -> Mapping[Space, Cell]:
        """Every name that a sensor has, those under a space also by their raw name."""
        raw = {f"@r{row}c{column}": (row, column) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1)}
        return {**raw, **self.spaces}

    @cached_property
    def extent(self) -> tuple[int, int]:
        """How many rows and columns of sensors the spaces need."""
        cells = self.spaces.values()
        return max((row for row, _ in cells), default=0), max((column for _, column in cells), default=0)

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether every space lies over a sensor of a board with so many rows and columns."""
        return self.extent[0] <= size[0] and self.extent[1] <= size[1]

    def cell(self, space: Space) -> Cell:
        """The sensor of a space; raises BadArgument for a name that no sensor has."""
        cell = self.all_names.get(space)
        if cell is None:
            spaces = f"spaces are {', '.join(sorted(self.spaces))}" if self.spaces else "nothing stands on the board in this game"
            raise BadArgument(f"there is no space '{space}': {spaces}, sensors @r1c1 to @r{self.rows}c{self.columns}")
        return cell


BOARD_ROWS = BOARD_COLUMNS = 10
"""Sensors of the reference board."""


def find_overlay(game_id: str, options: Mapping[str, str]) -> Overlay:
    """The overlay of a game with these options. Raises BadArgument for options that cannot be played."""
    table = find_table(game_id)
    return table.overlay(table.options(options)) or read_overlay(game_id)


@cache
def grid_overlay(width: int, height: int) -> Overlay:
    """Cells from a1 on in the corner of the reference board: "c4" lies over row 4, column 3."""
    spaces = {cell_name(x, y): (y + 1, x + 1) for y in range(height) for x in range(width)}
    return Overlay(BOARD_ROWS, BOARD_COLUMNS, spaces)


@cache
def read_overlay(game_id: str) -> Overlay:
    """The overlay of a game on the reference board, from its `overlay.toml`: rows of names, `.` where no space lies."""
    text = resources.files(f"engine.games.{game_id}").joinpath("overlay.toml").read_text(encoding="utf-8")
    rows = [row.split() for row in tomllib.loads(text)["rows"]]
    spaces = {name: (r, c) for r, row in enumerate(rows, 1) for c, name in enumerate(row, 1) if name != "."}
    return Overlay(len(rows), len(rows[0]), spaces)
