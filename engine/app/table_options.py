"""The options of a table, `GAME key=value …`, as scripts and the command line give them: game, language, and the box below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game, find_table
from underboard.engine.gamekit.settings import HAND_MODES, PANEL
from underboard.hardware.core.parts import BOARD_KINDS, CONTROLLERS, READER_KINDS, BoardKind, Controller, ReaderKind

DealerOption = Literal["engine", "reader"]

DEALER_OPTIONS: tuple[DealerOption, ...] = get_args(DealerOption)

ReaderOption = Literal["none"] | ReaderKind

READER_OPTIONS: tuple[ReaderOption, ...] = ("none", *READER_KINDS)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """`table GAME …`: what to play, on which simulated hardware."""

    game_id: str
    options: dict[str, str]
    seed: int | None
    language: str
    oled: Controller
    journal: str | None
    board: BoardKind = "gpio"
    dealer: DealerOption = "engine"
    hands: str = PANEL
    reader: ReaderOption = "none"


def read_table_options(game_id: str, words: Sequence[str]) -> TableOptions:
    """The options of a `table` line; those of the game itself are checked when the game begins.

    Where the game has boards of its own, `board` can be given for the sensors and for the game.
    """
    options: dict[str, str] = {}
    game_board: dict[str, str] = {}
    has_boards = find_table(game_id).has_boards
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadArgument(f"'{word}' is not an option: options are written key=value")
        given = game_board if has_boards and key == "board" and value not in BOARD_KINDS else options
        if key in given:
            raise BadArgument(f"option '{key}' is given twice")
        given[key] = value
    board = cast(BoardKind, allowed("board", options.pop("board", "gpio"), BOARD_KINDS))
    options |= game_board
    dealer = cast(DealerOption, allowed("dealer", options.pop("dealer", "engine"), DEALER_OPTIONS))
    if dealer == "reader" and options.get("cards") == "hidden":
        raise BadArgument("dealer=reader: with cards=hidden no reader is needed", option="dealer")
    hands = allowed("hands", options.pop("hands", PANEL), HAND_MODES)
    reader = cast(ReaderOption, allowed("reader", options.pop("reader", "none" if dealer == "engine" else "rdm6300"), READER_OPTIONS))
    seed = options.pop("seed", None)
    if seed is not None and not re.fullmatch(r"-?[0-9]{1,400}", seed):
        raise BadArgument(f"seed={seed}: a whole number is needed", option="seed")
    language = allowed("lang", options.pop("lang", "en"), LANGUAGES)
    oled = cast(Controller, allowed("oled", options.pop("oled", "ssd1306"), CONTROLLERS))
    journal = options.pop("journal", None)
    return TableOptions(game_id, options, None if seed is None else int(seed), language, oled, journal, board, dealer, hands, reader)


def cards_of(line: TableOptions) -> tuple[str, ...]:
    """The physical cards of the game. Raises BadArgument if there are none where the reader deals."""
    cards = tuple(find_game(line.game_id).deck(Options(line.options)))
    if line.dealer == "reader" and not cards:
        raise BadArgument(f"dealer=reader: {line.game_id} has no cards", option="dealer")
    return cards


def allowed(key: str, value: str, values: Sequence[str]) -> str:
    """`value`, if it is one of `values`."""
    if value not in values:
        raise BadArgument(f"{key}={value}: allowed are {', '.join(values)}", option=key)
    return value
