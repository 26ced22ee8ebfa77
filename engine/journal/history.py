"""From a table to its journal and back: what an entry holds, and how a game goes on from its entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import groupby
from typing import Any

from underboard.engine.base.i18n import LANGUAGES
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.settings import PANEL
from underboard.engine.gamekit.setup import TableSetup, new_session, new_setup
from underboard.engine.journal.database import Entry
from underboard.engine.referee.actions import override_session
from underboard.engine.referee.events import Did
from underboard.engine.referee.state import GameResult, TableState, TokenLayout
from underboard.errors import UnderboardError


class ResumeError(UnderboardError, RuntimeError):
    """Entries that do not make a game; the text says why."""

    fault = "disk"


def entry(did: Did, table: TableState) -> Entry:
    """The journal's row for what has been done at `table`."""
    if did.record is None:
        return Entry(did.kind, did.action, sorted(did.standing))
    setup = {
        "game": table.setup.game.id,
        "options": dict(table.setup.options),
        "seed": table.setup.seed,
        "dealer": table.setup.dealer,
        "hands": table.setup.hands,
        "language": table.language,
    }
    results = [list(result) for result in table.results]
    beginning = {"setup": setup, "options": dict(did.options or {}), "record": did.record, "games": table.games, "results": results}
    return Entry(did.kind, did.action, sorted(did.standing), beginning)


def resume(entries: Sequence[Entry]) -> TableState:
    """The table that entries lead to; the first one begins a game. Raises ResumeError."""
    try:
        beginning: Any = entries[0].beginning
        kept = beginning["setup"]
        setup = new_setup(kept["game"], kept["options"], kept["seed"], kept.get("dealer", "engine"), kept.get("hands", PANEL))
        session = first_session(setup, entries[0].kind, beginning)
        layout = TokenLayout(frozenset(entries[0].standing))
        results = tuple(GameResult(game, winner) for game, winner in beginning["results"])
        table = TableState(setup, session, layout, kept["language"], beginning["games"], results, restarted=True)
        table = repeat_all(table, lasting(entries[1:]))
        if entries[-1].kind == "undo":
            table = replace(table, said=())
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # GameError is a ValueError
        raise ResumeError(f"its entries make no game: {error}") from error
    return table


def first_session(setup: TableSetup, kind: str, beginning: Mapping[str, Any]) -> Session[Any]:
    """The session that a beginning begins: dealt again from its options, or in the middle of a match from its record."""
    if kind == "new":
        return new_session(setup, beginning["options"])
    return Session.at(setup.game, beginning["record"])


def lasting(rows: Iterable[Entry]) -> list[Entry]:
    """The entries without those that were taken back, and without the taking back of them."""
    left: list[Entry] = []
    for row in rows:
        if row.kind == "undo" and left and left[-1].kind in ("do", "correct"):
            left.pop()
        else:
            left.append(row)
    return left


def repeat_all(table: TableState, rows: Iterable[Entry]) -> TableState:
    """The table after these entries; raises whatever there is about one of them.

    Most of them are actions of players: for a run of those one new table is made at its end, which is much quicker.
    """
    for plain, run in groupby(rows, lambda row: row.kind == "do"):
        if not plain:
            table = reduce(repeated, run, table)
            continue
        session, layout, said = table.session, table.layout, table.said
        for row in run:
            session, news = session.do(row.action)
            layout, said = TokenLayout(frozenset(row.standing), layout), tuple(news)
        table = replace(table, session=session, layout=layout, said=said)
    return table


def repeat(table: TableState, row: Entry) -> TableState:
    """The table after one more entry. Raises ResumeError."""
    try:
        return repeated(table, row)
    except (ValueError, LookupError, TypeError) as error:  # GameError is a ValueError
        raise ResumeError(f"its entries make no game: {error}") from error


def repeated(table: TableState, row: Entry) -> TableState:
    """The table after one more entry; raises whatever there is about it."""
    if row.kind == "undo":
        return replace(table, session=table.session.undo(), layout=table.layout.before or table.layout, said=())
    if row.kind == "table":
        return settled_beside(table, row.action)
    if row.kind == "correct":
        session, _ = override_session(table, row.action)
        return replace(table, session=session, layout=TokenLayout(frozenset(row.standing), table.layout), said=())
    return repeat_all(table, [row])


def settled_beside(table: TableState, action: str) -> TableState:
    """The table after something that concerns only itself. Raises ValueError for what nobody knows."""
    match action.split():
        case ["language", language] if language in LANGUAGES:
            return replace(table, language=language)
        case ["scores", "clear"]:
            return replace(table, results=(), counted=not table.over)
    raise ValueError(f"'{action}' is nothing that a table can do")
