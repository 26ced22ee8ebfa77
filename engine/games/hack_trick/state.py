"""Hack Trick: what a game consists of. The numbers in brackets are those of docs/rules/hack_trick.md.

Cards are the numbers 0-5; in hidden games every card of a hand or the stock is UNSEEN, so that their number is all
that is known. Tokens are letters as in the protocol's `state`: small for normal ones, capital for giants.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from underboard.engine.gamekit.game import Record, Seat

GAME_ID = "hack_trick"
SEATS: tuple[Seat, Seat] = ("red", "yellow")
DECK = tuple(value for value in range(6) for _ in range(3))  # [2]
COPIES = 3
UNSEEN = -1
HAND_LIMIT = 4  # [11]
HANDS_AT_START = (4, 3)  # [3]
TARGET = 3  # [20]
SQUARE = ((8, 1, 6), (3, 5, 7), (4, 9, 2))  # [4]
LINES: tuple[tuple[int, ...], ...] = tuple(
    sorted(
        tuple(sorted(line))
        for line in (*SQUARE, *zip(*SQUARE, strict=True), [SQUARE[i][i] for i in range(3)], [SQUARE[i][2 - i] for i in range(3)])
    )
)
STACK = 3  # [17]
NORMAL, GIANT = 0, 1
CALLS = ("one", "both")
"""How many calls a turn may have: one, or HACK and FIREWALL. [15]"""
TOKENS_PER_SEAT = (9, 1)  # [1]
TOKEN = (("r", "R"), ("y", "Y"))

Cards = tuple[int, ...]
Tokens = tuple[int, int]
"""Numbers of normal and giant tokens."""


def lines_through(server: int) -> list[tuple[tuple[int, ...], int, int]]:
    """The lines of a server, each with its other two servers."""
    found = []
    for line in LINES:
        if server in line:
            one, other = (others for others in line if others != server)
            found.append((line, one, other))
    return found


LINES_THROUGH = {server: lines_through(server) for server in range(1, 10)}


class Victory(NamedTuple):
    """How a game ended: `winner` is a seat index, `servers` the winning ones, sorted."""

    winner: int
    points: int
    reason: str
    servers: tuple[int, ...]


class State(NamedTuple):
    """Everything there is to know of a game and the score before it. Seats are indexes into SEATS.

    `calls` is one of CALLS, `called` the call already made in this turn, "" if there is none.
    """

    hidden: bool
    phase: str
    mover: int
    row: Cards
    out: Cards
    stock: Cards
    hands: tuple[Cards, Cards]
    servers: tuple[str, ...]  # by server number; [0] stays empty
    supply: tuple[Tokens, Tokens]
    spy_zone: tuple[Tokens, Tokens]
    spent: tuple[Tokens, Tokens]
    forced: bool
    firewalled: bool
    spied: bool
    four: int
    score: tuple[int, int]
    target: int
    result: Victory | None
    calls: str = CALLS[0]
    called: str = ""


def by_seat(pair: tuple[Any, Any]) -> Record:
    """A pair of values under the names of the seats."""
    return dict(zip(SEATS, pair, strict=True))


def replaced(pair: tuple[Any, Any], seat: int, value: Any) -> tuple[Any, Any]:
    """The pair with the value of one seat replaced."""
    return (pair[0], value) if seat else (value, pair[1])


def fewer(tokens: Tokens, kind: int) -> Tokens:
    """One token of that kind less."""
    return (tokens[NORMAL], tokens[GIANT] - 1) if kind == GIANT else (tokens[NORMAL] - 1, tokens[GIANT])


def more(tokens: Tokens, kind: int) -> Tokens:
    """One token of that kind more."""
    return (tokens[NORMAL], tokens[GIANT] + 1) if kind == GIANT else (tokens[NORMAL] + 1, tokens[GIANT])


def unseen_copies(state: State, value: int) -> int:
    """How many copies of a value lie neither in the row nor out of the game."""
    return COPIES - state.row.count(value) - state.out.count(value)
