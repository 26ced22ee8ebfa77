"""A journal as a table script: the same game again, by the same hands.

Cards and calls are chosen by key, tokens are put down and lifted where they stood, without a key where they say it all; only
what chance decided (the deal, a drawn card) goes straight to the engine. The script ends with what must come out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from underboard.engine.base.i18n import find_words
from underboard.engine.gamekit.game import TABLE, Action
from underboard.engine.gamekit.overlay import NO_SPACES, Spaces, by_site
from underboard.engine.gamekit.settings import PANEL
from underboard.engine.gamekit.table import Change, Choice
from underboard.engine.journal.database import Entry
from underboard.engine.journal.history import repeat, resume
from underboard.engine.referee.dealing import card_of
from underboard.engine.referee.state import TableState
from underboard.engine.view.report import report

HOLD = "key back hold=1s"
MENU = "key left hold=1s"
NAMED_KEYS = ("outcome", "phase", "to_move")
"""What the last lines of a script expect, beside the tokens."""


def script_of(entries: Sequence[Entry]) -> Iterator[str]:
    """The lines of a script; `entries` are those of a match, a new game first. Raises ResumeError for entries that make no game."""
    table = resume(entries[:1])
    options = [f"{key}={value}" for key, value in (entries[0].beginning or {})["options"].items()]
    options += [f"dealer={table.setup.dealer}"] * (table.setup.dealer != "engine")
    options += [f"hands={table.setup.hands}"] * (table.setup.hands != PANEL)
    yield " ".join(["table", table.setup.game.id, *options, f"lang={table.language}"])
    standing: Spaces = frozenset(entries[0].standing)
    yield from moves(NO_SPACES, standing)
    for before, entry in pairwise(entries):
        after = moved(table, entry, standing)
        yield from () if by_itself(table, before, entry) else lines_of(table, entry, standing, after)
        standing = after
        table = resume([entry]) if entry.beginning else repeat(table, entry)
    found = report(table, find_words(table.language))
    yield from (f"expect {key} == {json.dumps(found[key])}" for key in NAMED_KEYS)
    yield f"expect expected == {json.dumps(sorted(standing))}"


def by_itself(table: TableState, before: Entry, entry: Entry) -> bool:
    """Whether the table does this without a hand, as soon as the entry before it is done."""
    waiting = table.setup.dealer == "engine" and table.setup.game.to_move(table.state) == TABLE
    return waiting and entry.kind == "do" and before.kind != "undo"


def moved(table: TableState, entry: Entry, standing: Spaces) -> Spaces:
    """Where tokens stand after an entry: a site with as many as before is left alone, unless the action exchanges them."""
    site = table.setup.table.site
    change = change_of(table, entry)
    before, after = by_site(standing, site), by_site(entry.standing, site)
    sites = before.keys() | after.keys()
    return NO_SPACES.union(
        *(nearest(NO_SPACES if name in change.clears else before.get(name, NO_SPACES), after.get(name, NO_SPACES)) for name in sites)
    )


def nearest(before: Spaces, after: Spaces) -> Spaces:
    """As many spaces as `after` has, with as few moves as can be."""
    kept = sorted(before, key=lambda space: (space not in after, space))[: len(after)]
    return frozenset([*kept, *sorted(after - set(kept))[: len(after) - len(kept)]])


def change_of(table: TableState, entry: Entry) -> Change:
    """What an entry does to the tokens as an action."""
    return table.changes.get(entry.action, Change()) if entry.kind == "do" else Change()


def lines_of(table: TableState, entry: Entry, standing: Spaces, after: Spaces) -> Iterator[str]:
    """The lines for one entry: first what its action does not explain, then the action with its own tokens."""
    if entry.kind == "undo":
        yield HOLD
        swapped = table.last_change.sites if table.last_change.exchanges else ()
        yield from moves(standing & after & set(swapped), standing & after & set(swapped))
    elif entry.kind in ("correct", "table"):
        yield from (MENU, *(f"choose {word}" for word in entry.action.split()))
    elif entry.kind == "next":
        yield " ".join(["do next", *(f"{key}={value}" for key, value in (entry.beginning or {})["options"].items())])
    site = table.setup.table.site
    change = change_of(table, entry)
    elsewhere = frozenset(space for space in standing | after if site(space) not in change.sites)
    yield from moves(standing & elsewhere - after, after & elsewhere - standing)
    if entry.kind == "do":
        plain = is_plain(entry.action, change)
        yield from () if plain else chosen(table, entry.action)
        cleared = frozenset(space for space in standing if site(space) in change.clears)
        yield from moves(cleared | (standing - elsewhere - after), after - elsewhere - (standing - cleared))
        yield from ["key ok"] if plain and change.exchanges else ()


def is_plain(action: Action, change: Change) -> bool:
    """Whether an action is nothing but a token on the site that it is called after; an exchange has to be confirmed."""
    return change.puts == (action,) and (change.exchanges or not change.clears)


def chosen(table: TableState, action: Action) -> Iterator[str]:
    """How a player says that he does `action`."""
    choice = next((choice for choice in table.choices if action in choice.actions and choice.times == 1), Choice(""))
    which = choice.actions.index(action) if choice.actions else 0
    if choice.answer:
        yield f"choose {action}"
    elif choice.actions and not choice.dealt and action in table.changes:
        yield f"choose {choice.name}"
        alike = [other for other in choice.actions if table.changes[other] == table.changes[action]]
        yield from ["key right"] * (which if len(alike) > 1 else 0)
    elif choice.actions and not choice.dealt and which == 0:
        yield f"choose {choice.name}"
    elif choice.dealt and table.setup.dealer == "reader" and (card := card_of(table, choice, action)):
        yield from (f"choose {choice.name}", f"scan {card}")
    else:
        yield f"do {action}"


def moves(lifted: Iterable[str], placed: Iterable[str]) -> Iterator[str]:
    """Tokens lifted, then tokens put down."""
    yield from (f"lift {space}" for space in sorted(lifted))
    yield from (f"place {space}" for space in sorted(placed))
