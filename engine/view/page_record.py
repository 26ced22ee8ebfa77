"""Everything that pages show of a table, built in this one place for the laptop, the service and playback alike.

The record has three parts, by who may see them: everybody, each seat its own, and the table's own page. A field is private until
it is put into `public`; `visibility` decides which parts leave for whom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from underboard.engine.base.i18n import Words, find_words
from underboard.engine.gamekit.game import Seat
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.referee.state import TableState
from underboard.engine.view.labels import labels
from underboard.engine.view.report import report
from underboard.engine.view.snapshot import board_of, card_names, hands, playable, public_view

Record = Mapping[str, Any]
"""JSON values by name."""
PUBLIC_IN_REPORT = ("to_move", "phase", "alert", "sensed", "expected", "devices", "outcome")
OWN_IN_REPORT = ("choices", "selected")
"""They follow from the mover's cards. What the report has beside these two groups is on no page."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """What pages can show. `seats` are in the order of play; `table` is for the page of whoever has set the table."""

    public: Record = field(default_factory=dict)
    seats: Mapping[Seat, Record] = field(default_factory=dict)
    table: Record = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page shows beside what the referee knows.

    `tokens` are the kinds of those that stand, by space; `lines` what the panel shows and `display` its pixels in base64;
    `contacts` the spaces whose sensors are closed; `health` is of each device; `faults` what is broken on a simulated box (None: on a
    real one nothing is broken from here), `reader` the reader to lay cards on, `links` the addresses of seats and spectators.
    """

    tokens: Mapping[Space, str]
    lines: Sequence[Line]
    display: str
    log: Sequence[Record]
    contacts: Sequence[Space]
    health: Sequence[Record] = ()
    buzzer: bool = False
    power: bool = True
    faults: Record | None = None
    reader: Record | None = None
    links: Record | None = None


def page_record(table: TableState, around: Surroundings) -> PageRecord:
    """The record of a table in these surroundings."""
    words = find_words(table.language)
    found = report(table, words)
    known, cards = hands(table), playable(table)
    seats = {
        seat: {"hands": {seat: known[seat]} if seat in known else {}, "playable": cards if seat == found["to_move"] else {}}
        for seat in table.setup.game.seats(table.state)
    }
    own = {**{key: found[key] for key in OWN_IN_REPORT}, "hands": known, "playable": cards, "links": around.links}
    return PageRecord({**public_part(table, found, words, around), **public_surroundings(around)}, seats, own)


def public_part(table: TableState, found: Record, words: Words, around: Surroundings) -> Record:
    """What everybody may know of the table itself; `found` is its report."""
    presentation = find_presentation(table.setup.game.id)
    return {
        "place": "table",
        "board": board_of(table, presentation),
        "labels": {**labels(words), "help": presentation.help(words)},
        "language": words.language,
        **{key: found[key] for key in PUBLIC_IN_REPORT},
        **public_view(table, presentation, words, around.tokens),
        "card_names": card_names(table, presentation, words),
    }


def public_surroundings(around: Surroundings) -> Record:
    """What everybody may know of what surrounds the table; `links` are for the table's own page."""
    return {
        "screen": [line.text for line in around.lines],
        "display": around.display,
        "buzzer": around.buzzer,
        "log": around.log,
        "health": list(around.health),
        "power": around.power,
        "contacts": list(around.contacts),
        "reader": around.reader,
        **({} if around.faults is None else {"faults": around.faults}),
    }
