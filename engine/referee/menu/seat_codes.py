"""The QR codes of the seats' pages, one after the other, until each seat has been taken or OK goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.panel import BESIDE_CODE, Line, shortened
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.gamekit.settings import CARDS, HIDDEN, PHONES
from underboard.engine.gamekit.table import Choice
from underboard.engine.referee.events import Did, Effect, SeatPages
from underboard.engine.referee.state import Step, TableMenu, TableState

BEGINNINGS = ("new", "next")
"""The kinds of what is done when a game begins."""


@dataclass(frozen=True, slots=True)
class SeatCodesMenu(TableMenu):
    """Left and right run through the seats; OK goes on to the next that nobody has taken, and after the last to the game."""

    first: Seat

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        seats = seats_of(table)
        return [Choice(seat) for seat in seats], seats.index(self.first) if self.first in seats else 0

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        seats = seats_of(table)
        seat = table.selected or self.first
        name = find_presentation(table.setup.game.id).called(table.state, seat, words)
        state = words("taken") if seat in table.seats_taken else words("scan")
        texts = (name, f"{seats.index(seat) + 1}/{len(seats)}", state, words("OK: on"))
        first, *others = (Line(shortened(text, BESIDE_CODE), align="center") for text in texts)
        return [replace(first, inverted=True, code=tuple(table.seat_codes[seat])), *others]

    def take(self, table: TableState, choice: Choice) -> Step:
        seats = seats_of(table)
        later = (seat for seat in seats[seats.index(choice.name) + 1 :] if seat not in table.seats_taken)
        return show_seat(table, next(later, None)), []

    def watch(self, table: TableState) -> Step:
        return (table if are_wanted(table) else replace(table, open_menu=None)), []


def seats_of(table: TableState) -> Sequence[Seat]:
    """The seats that have codes, in the order of play."""
    return [seat for seat in table.setup.game.seats(table.state) if seat in table.seat_codes]


def show_seat(table: TableState, seat: Seat | None) -> TableState:
    """The code of a seat on the panel; None: the game goes on."""
    return replace(table, open_menu=None if seat is None else SeatCodesMenu(seat), names=())


def show_codes(table: TableState) -> TableState:
    """The codes once more: of the first seat that nobody has taken, else of the first."""
    return show_seat(table, free_seat(table) or seats_of(table)[0])


def free_seat(table: TableState) -> Seat | None:
    """The first seat that nobody has taken."""
    return next((seat for seat in seats_of(table) if seat not in table.seats_taken), None)


def are_wanted(table: TableState) -> bool:
    """Whether hands of this game are looked at on pages that have codes."""
    return (
        table.playing
        and not table.over
        and table.hand_mode == PHONES
        and table.setup.options.get(CARDS) != HIDDEN
        and bool(seats_of(table))
    )


def note_pages(table: TableState, event: SeatPages) -> Step:
    """There are pages for the seats, or none any more; a seat whose code is shown may have been taken."""
    begun = replace(table, seat_pages=bool(event.codes), seat_codes=event.codes, seats_taken=event.taken)
    if not table.seat_codes:
        return offer_codes(begun), []
    if isinstance(table.open_menu, SeatCodesMenu) and table.selected in event.taken - table.seats_taken:
        begun = show_seat(begun, free_seat(begun))
    return begun, []


def offer_codes(table: TableState) -> TableState:
    """The panel shows the codes, if there is a seat that nobody has taken and nothing else is asked there."""
    offered = table.open_menu is None and are_wanted(table) and free_seat(table) is not None
    return show_codes(table) if offered else table


def has_begun(effects: Sequence[Effect]) -> bool:
    """Whether a game begins."""
    return any(isinstance(effect, Did) and effect.kind in BEGINNINGS for effect in effects)
