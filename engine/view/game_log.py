"""What happened at a table, in sentences for the log on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from underboard.engine.base.i18n import find_words
from underboard.engine.gamekit.game import Announcement
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.gamekit.session import Moment
from underboard.engine.referee.actions import OVERRIDE
from underboard.engine.referee.events import Did
from underboard.engine.referee.find_alerts import find_public_alert
from underboard.engine.referee.override_words import override_word
from underboard.engine.referee.state import TableState

LONGEST = 300
"""Older entries than this many are forgotten."""


class GameLog:
    """The log of one table, in the language that it speaks; each entry has a number, a kind, a seat or "", and a text."""

    def __init__(self) -> None:
        self._count = 0
        self._alert: str | None = None
        self.entries: list[dict[str, Any]] = []  # replaced as a whole, never changed

    def note(self, text: str) -> None:
        """Something about the table itself."""
        self._add("note", "", [text])

    def add_past(self, table: TableState) -> None:
        """The game so far, as a table that goes on remembers it."""
        moments = []
        moment: Moment[Any] | None = table.session.now
        while moment is not None:
            moments.append(moment)
            moment = moment.before
        for moment in reversed(moments):
            if moment.before is not None and moment.action is not None:
                if moment.action.startswith(OVERRIDE):
                    self._overridden(moment.action, table)
                    continue
                _, said = table.setup.game.do(moment.before.state, moment.action)
                self._add_action(table, moment, said)

    def follow(self, table: TableState, done: Sequence[Did]) -> None:
        """What one event has brought about; `table` is the table after it."""
        words = find_words(table.language)
        for did, moment in moments_of(table, done):
            if did.kind == "do":
                self._add_action(table, moment, did.said)
            elif did.kind == "correct":
                self._overridden(did.action, table)
            elif did.kind == "table":
                pass  # to be seen on the panel, and no part of the game
            elif did.kind == "undo":
                self._add("undo", "", [words("the last action is taken back")])
            else:
                self._add("new", "", [words("a new game begins")])
        alert = find_public_alert(table)
        text = None if alert is None else alert.text(words)
        if text is not None and text != self._alert:
            self._add("alert", "", [text])
        self._alert = text

    def _add_action(self, table: TableState, moment: Moment[Any], said: Iterable[Announcement]) -> None:
        """One action, with the state before it."""
        if moment.before is None or moment.action is None:
            return
        before = moment.before.state
        presentation, words = find_presentation(table.setup.game.id), find_words(table.language)
        texts = presentation.describe(before, moment.state, moment.action, list(said), words)
        self._add("do", table.setup.game.to_move(before), texts[:1])
        self._add("say", "", texts[1:])

    def _overridden(self, action: str, table: TableState) -> None:
        """Something was set by hand."""
        words = find_words(table.language)
        said = " ".join(override_word(word, table, words) for word in action.removeprefix(OVERRIDE).split())
        self._add("correct", "", [words("set by hand: {what}", what=said)])

    def _add(self, kind: str, seat: str, texts: Iterable[str]) -> None:
        added = []
        for text in texts:
            self._count += 1
            added.append({"number": self._count, "kind": kind, "seat": seat, "text": text})
        self.entries = [*self.entries, *added][-LONGEST:]


def moments_of(table: TableState, done: Sequence[Did]) -> list[tuple[Did, Moment[Any]]]:
    """What has been done, each with the moment after it; one event can do several actions, and the table is after the last."""
    moment: Moment[Any] = table.session.now
    found = []
    for did in reversed(done):
        found.append((did, moment))
        if did.kind in ("do", "correct") and moment.before is not None:
            moment = moment.before
    return found[::-1]
