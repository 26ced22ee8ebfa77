"""What is wrong at a table now, the most urgent thing first.

An alert is found anew each time it is asked for, so it goes away by itself when its cause does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from underboard.engine.gamekit.overlay import Space
from underboard.engine.referee.alert import Alert
from underboard.engine.referee.repair_moves import next_move
from underboard.engine.referee.state import TableState

ABSENT = ("absent", "fault")
"""States of a device that is of no use."""


def find_alert(table: TableState) -> Alert | None:
    """The most urgent thing that is wrong; None if nothing is."""
    return next(find_alerts(table), None)


def find_public_alert(table: TableState) -> Alert | None:
    """The same, as far as it may be said to everybody while hands are kept secret."""
    alert = find_alert(table)
    return alert.public if alert and table.keeps_secret else alert


def find_alerts(table: TableState) -> Iterator[Alert]:
    """Everything that is wrong, in the order of ALERTS; of what is wrong with the tokens one alert that says what to do first."""
    if table.notice:
        yield Alert("illegal", reason=table.notice)
    if table.devices.get("board") in ABSENT:
        yield Alert("board_absent")
    if table.on_board and table.ambiguous:
        yield Alert("ambiguous", tuple(sorted(table.ambiguous)))
    if table.wrong:
        yield board_alert(table)
    if table.odd_card:
        yield table.odd_card
    if table.unsaved:
        yield Alert("not_saved", reason=table.unsaved)
    if table.on_board and (distrusted := table.faulty | table.masked):
        yield Alert("faulty_cell", tuple(sorted(distrusted)))
    needed = ("oled", *(["reader"] if table.setup.dealer == "reader" else ()))
    yield from (Alert(f"{device}_absent") for device in needed if table.devices.get(device) in ABSENT)


def board_alert(table: TableState) -> Alert:
    """What is wrong with the tokens."""
    surplus, gone = surplus_and_gone(table)
    site = table.setup.table.site
    if table.own_doing and not table.chosen:
        if not gone:
            return Alert("extra", surplus, tokens=unbalanced(table))
        move = next_move(table, surplus, gone)
        if not surplus:
            return Alert("missing", gone, move=move, tokens=unbalanced(table))
        return Alert("wrong_place", surplus, gone, tuple(dict.fromkeys(map(site, gone))), move=move)
    if not surplus:
        return Alert("missing", gone, tokens=unbalanced(table))
    targets = tuple(dict.fromkeys(name for action in pending(table) for name in table.changes[action].puts))
    misplaced = tuple(space for space in surplus if site(space) not in targets)
    if not misplaced and not gone:
        # Each could stay, and what is wrong then is said next; that either could is known from the hand.
        return Alert("extra", surplus, tokens=1, surplus=surplus)
    if not table.changes and (reason := table.setup.table.early(table.state)):
        return Alert("wrong_place", surplus, reason=reason)
    secret = () if gone else surplus
    sensed = table.board.sensed
    where = gone or tuple(space for name in targets for space in sorted(table.sites.get(name, ())) if space not in sensed)
    return Alert("wrong_place", misplaced or surplus, where, tuple(dict.fromkeys(map(site, where))), surplus=secret)


def pending(table: TableState) -> Sequence[str]:
    """The actions whose tokens may be put down now."""
    return table.chosen or tuple(table.changes)


def unbalanced(table: TableState) -> int:
    """How many tokens are too many or missing; a site may have more spaces that come into question."""
    return sum(abs(len(difference.does) - len(difference.should)) for difference in table.board.different().values())


def surplus_and_gone(table: TableState) -> tuple[tuple[Space, ...], tuple[Space, ...]]:
    """Spaces with a token too many and spaces that lack theirs, sorted."""
    surplus: set[Space] = set()
    gone: set[Space] = set()
    for difference in table.board.different().values():
        if len(difference.does) > len(difference.should):
            surplus |= (difference.does - difference.should) or difference.does
        else:
            gone |= difference.should - difference.does
    return tuple(sorted(surplus)), tuple(sorted(gone))
