"""Everything that pages show of a table, built in this one place for the laptop, the service and playback alike.

What an eye gets to see is made from what it may know: hands from the seat's `view` of the rules (or `public_view`), the turn as
the seat to move sees it or as others do. Nothing is cut out of a whole afterwards: a field is private until it is put into
`public`. `visibility` says which parts leave for whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from underboard.engine.base.i18n import Words, find_words
from underboard.engine.gamekit.game import TABLE, Seat
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.presentation import Presentation
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.gamekit.settings import OPEN, PANEL
from underboard.engine.referee.screen import mover_screen, public_screen
from underboard.engine.referee.state import TableState
from underboard.engine.view.labels import labels
from underboard.engine.view.report import report
from underboard.engine.view.snapshot import all_hands, board_of, card_names, hands, own_status, public_view, turn_of_mover, turn_of_others

Record = Mapping[str, Any]
"""JSON values by name."""
PUBLIC_IN_REPORT = ("to_move", "phase", "sensed", "expected", "devices", "outcome")
"""What of the report everybody sees. The rest of it follows from the mover's hand, or is on no page."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """What pages can show. `seats` are in the order of play.

    `public` is what everybody sees; `seats`, `table` and `reader` are what each seat, the page of whoever has set the table, and the
    reader of a game in a file see in place of it, or beside it.
    """

    public: Record = field(default_factory=dict)
    seats: Mapping[Seat, Record] = field(default_factory=dict)
    table: Record = field(default_factory=dict)
    reader: Record = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page shows beside what the referee knows.

    `tokens` are the kinds of those that stand, by space; `lines` what the panel shows and `display` its pixels in base64, which `draw`
    makes of lines;
    `contacts` the spaces whose sensors are closed; `health` is of each device; `faults` what is broken on a simulated box (None: on a
    real one nothing is broken from here), `reader` the reader to lay cards on, `links` the addresses of seats and spectators.
    """

    tokens: Mapping[Space, str]
    lines: Sequence[Line]
    display: str
    log: Sequence[Record]
    contacts: Sequence[Space]
    draw: Callable[[Sequence[Line]], str]
    health: Sequence[Record] = ()
    buzzer: bool = False
    power: bool = True
    faults: Record | None = None
    reader: Record | None = None
    links: Record | None = None


def page_record(table: TableState, around: Surroundings) -> PageRecord:
    """The record of a table in these surroundings."""
    words, page = find_words(table.language), find_presentation(table.setup.game.id)
    game = table.setup.game
    mover = {**turn_of_mover(table, page, words), **panel_record(mover_screen(table, words), around)}
    others = {**turn_of_others(table, page, words), **panel_record(public_screen(table, words), around)}
    to_move = game.to_move(table.state) if table.playing and not table.open_menu else TABLE
    on_turn = {**mover, "status": own_status(table, page, words), "may_act": True}
    seats = {seat: {"hands": hands(table, page, seat), **(on_turn if seat == to_move else {})} for seat in game.seats(table.state)}
    panel = {"screen": [line.text for line in around.lines], "display": around.display}
    everybody = {
        **public_part(table, page, words, around),
        **public_surroundings(around),
        **others,
        "hands": hands(table, page, None),
        "curtain": None,
        "may_act": False,
        "secret": table.keeps_secret,
    }
    on_panel = {} if table.covered else mover
    return PageRecord(
        everybody,
        seats,
        {
            **on_panel,
            **panel,
            "hands": hands_at_table(table, page, around),
            "links": around.links,
            "curtain": curtain(table, page, words),
            "may_act": True,
        },
        {**mover, **panel, "hands": all_hands(table, page), "playable": {}, "links": None},
    )


def curtain(table: TableState, page: Presentation, words: Words) -> str | None:
    """What is said where the hand of the seat to move would be, if a key shows it on the panel."""
    if not table.covered or table.hand_mode != PANEL:
        return None
    seat = page.called(table.state, table.setup.game.to_move(table.state), words)
    return words("Hand the screen to {seat}: nobody else looks, then OK", seat=seat)


def hands_at_table(table: TableState, page: Presentation, around: Surroundings) -> Record:
    """The hands on the table's own page: all of them if they are open, the one that is looked at on the panel, or none.

    A seat to move that has no secret of its own, for want of cards, or a game that is over lays nobody's hand open.
    """
    if around.links or not table.playing:
        return hands(table, page, None)
    if table.hand_mode == OPEN:
        return all_hands(table, page)
    looks = table.keeps_secret and not table.covered
    return hands(table, page, table.setup.game.to_move(table.state) if looks else None)


def panel_record(lines: Sequence[Line], around: Surroundings) -> Record:
    """A panel with these lines; without power it is dark."""
    shown = lines if around.power else ()
    return {"screen": [line.text for line in shown], "display": around.draw(shown)}


def public_part(table: TableState, page: Presentation, words: Words, around: Surroundings) -> Record:
    """What everybody may know of the table itself, whoever is to move."""
    found = report(table, words)
    return {
        "place": "table",
        "board": board_of(table, page),
        "labels": {**labels(words), "help": page.help(words)},
        "language": words.language,
        "facts": [*page.facts(table.state, words)] if table.playing else [],
        "ply": table.session.now.ply,
        **{key: found[key] for key in PUBLIC_IN_REPORT},
        **public_view(table, page, words, around.tokens),
        "card_names": card_names(table, page, words),
        "figures": dict(page.figures(words)),
    }


def public_surroundings(around: Surroundings) -> Record:
    """What everybody may know of what surrounds the table; `links` are for the table's own page."""
    return {
        "buzzer": around.buzzer,
        "log": around.log,
        "health": list(around.health),
        "power": around.power,
        "contacts": list(around.contacts),
        "reader": around.reader,
        **({} if around.faults is None else {"faults": around.faults}),
    }
