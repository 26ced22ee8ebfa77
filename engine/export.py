"""A journal as a table script: the same game again, by the same hands.

Cards and calls are chosen by key, tokens are put down and lifted where they stood; only what chance decided (the deal, a
drawn card) goes straight to the engine. The script ends with what must come out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from engine.game import Action
from engine.journal import Entry
from engine.referee import Table
from engine.report import report
from engine.resume import repeat, resume
from engine.table import Change, Choice
from engine.words import find_words

HOLD = "key back hold=1s"
NAMED_KEYS = ("outcome", "phase", "to_move", "expected")
"""What the last lines of a script expect."""


def script_of(entries: Sequence[Entry]) -> Iterator[str]:
    """The lines of a script; `entries` are those of a match, a new game first. Raises ResumeError for entries that make no game."""
    table, language = resume(entries[:1])
    options = [f"{key}={value}" for key, value in (entries[0].beginning or {})["options"].items()]
    yield " ".join(["table", table.setup.game.id, *options, f"lang={language}"])
    standing: frozenset[str] = frozenset()
    for entry in entries[1:]:
        yield from lines_of(table, entry, standing)
        standing = frozenset(entry.standing)
        table = resume([entry])[0] if entry.beginning else repeat(table, entry)
    told = report(table, find_words(language))
    yield from (f"expect {key} == {json.dumps(told[key])}" for key in NAMED_KEYS)


def lines_of(table: Table, entry: Entry, standing: frozenset[str]) -> Iterator[str]:
    """The lines for one entry, from a board where tokens stand on `standing`."""
    after = frozenset(entry.standing)
    if entry.kind == "undo":
        yield HOLD
        yield from moves(standing - after, after - standing)
    elif entry.kind == "next":
        yield " ".join(["do next", *(f"{key}={value}" for key, value in (entry.beginning or {})["options"].items())])
        yield from moves(standing, ())
    else:
        change = table.changes.get(entry.action, Change())
        site = table.setup.table.site
        here = {space for space in standing | after if site(space) in change.sites}
        cleared = {space for space in standing if site(space) in change.clears}
        yield from moves(standing - after - here, after - standing - here)
        yield from chosen(table, entry.action)
        yield from moves(cleared | (here & standing - after), here & after - (standing - cleared))


def chosen(table: Table, action: Action) -> Iterator[str]:
    """How a player says that he does `action`."""
    choice = next((choice for choice in table.choices if action in choice.actions), Choice(""))
    which = choice.actions.index(action) if choice.actions else 0
    if choice.actions and not choice.dealt and action in table.changes:
        yield f"choose {choice.name}"
        yield from ["key right"] * which
    elif choice.actions and not choice.dealt and which == 0:
        yield f"choose {choice.name}"
    else:
        yield f"do {action}"


def moves(lifted: Iterable[str], placed: Iterable[str]) -> Iterator[str]:
    """Tokens lifted, then tokens put down."""
    yield from (f"lift {space}" for space in sorted(lifted))
    yield from (f"place {space}" for space in sorted(placed))
