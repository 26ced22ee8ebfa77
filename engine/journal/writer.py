"""Writes what happens to the journal, and remembers it for as long as the disk does not work.

A full disk, one that may not be written to, one that fails, a journal that was deleted or damaged while the table was in
use: the game goes on, `problem` says what is wrong, and the journal is tried again until everything missed is in it, in order.
The current game is remembered whole, so that also a journal that begins anew has what is needed to go on with it.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from underboard.engine.base.errors import Text
from underboard.engine.base.i18n import N_
from underboard.engine.journal.causes import Cause
from underboard.engine.journal.database import Entry, Journal, JournalError, compact, gone, open_journal, read_game
from underboard.engine.journal.file import behind_links, move_aside, side_files

LOOK_MS = 5_000
"""How often it is looked whether the journal is still where it was."""
FIRST_RETRY_MS = 1_000
LAST_RETRY_MS = 16_000
"""How long it takes until a journal that could not be written is tried again: twice as long each time, up to this."""

PROBLEMS: dict[Cause | None, Text] = {
    "full": Text(N_("The disk is full: make room on it. Until then the game is only kept in memory."), {}),
    "read_only": Text(N_("The disk may not be written to: check it. Until then the game is only kept in memory."), {}),
    "busy": Text(N_("Another program holds the journal: close it. Until then the game is only kept in memory."), {}),
}
FAILED = Text(N_("The disk does not work: check it. Until then the game is only kept in memory."), {})

log = logging.getLogger(__name__)

Kept = tuple[Entry, datetime | None]
"""An entry and when it happened, if that is still known."""


class JournalWriter:
    """The journal of a table in use; `journal` is None while it cannot be opened.

    `path` is where it is or will be, `problem` why it is not up to date, `notes` what the players should know of its opening.
    """

    def __init__(
        self, path: Path, journal: Journal | None, game: Sequence[Entry] = (), problem: Text | None = None, notes: Sequence[str] = ()
    ) -> None:
        """`game` is the last one in the journal."""
        self.path = path
        self.journal = journal
        self.problem = problem
        self.notes = notes
        self._entries: list[Kept] = [(entry, None) for entry in game]
        self._damaged = False
        self._due: int | None = None
        self._pause = FIRST_RETRY_MS
        self._wall: datetime | None = None  # of the last call; None also once this is closed

    @property
    def game(self) -> list[Entry]:
        """The entries of the last game begun, its beginning first; [] if there is none."""
        return [entry for entry, _ in self._entries[max(begins_at(self._entries), default=0) :]]

    def append(self, entry: Entry, wall: datetime, now: int) -> None:
        """Keeps an entry. When this returns it is on disk, or `problem` says why it is not."""
        self._wall = wall
        self._entries.append((entry, wall))
        if self.problem or self.journal is None:
            self._retry_if_due(now)
            return
        try:
            self.journal.append(entry, wall)
        except JournalError as error:
            self._failed(error, now)
        else:
            if entry.beginning is not None:
                del self._entries[:-1]

    def poll(self, wall: datetime, now: int) -> None:
        """Looks after the journal; to be called often, it does nothing most of the time."""
        self._wall = wall
        if self.problem:
            self._retry_if_due(now)
        elif self._due is None or now >= self._due:
            self._due = now + LOOK_MS
            if self.journal is not None and not self.journal.in_place():
                self._failed(gone(self.path), now)

    def start_anew(self, why: str) -> None:
        """Moves a journal whose entries make no game aside and begins another; a note says so. Raises JournalError."""
        if self.journal is None:
            self._entries = []
            return
        self.journal.close()
        note = damaged(why, move_aside(self.path))
        self.journal = open_journal(self.path).journal
        self._entries = []
        self.notes = [*self.notes, note]

    def close(self) -> None:
        """Closes the journal, after one more try to write what is missing; closing twice does no harm."""
        if self.problem and self._wall:
            with suppress(JournalError):
                self._catch_up()
                self.problem = None
        self._wall = None
        if self.journal is not None:
            self.journal.close()

    def cut(self) -> None:
        """As if the process ended at this instant."""
        if self.journal is not None:
            self.journal.cut()

    def _failed(self, error: JournalError, now: int) -> None:
        """An entry is not on disk. A file that is gone or damaged is replaced at once, a disk is given time."""
        log.warning("%s", error)
        self._damaged = error.cause == "damaged"
        self.problem = PROBLEMS.get(error.cause, FAILED)
        self._pause = FIRST_RETRY_MS
        self._wait(now)
        if error.cause in ("gone", "damaged"):
            self._due = now
            self._retry_if_due(now)

    def _retry_if_due(self, now: int) -> None:
        if self._due is None:
            self._wait(now)
        if self._due is None or now < self._due:
            return
        try:
            self._catch_up()
        except JournalError as error:
            self.problem = PROBLEMS.get(error.cause, FAILED)
            self._damaged = self._damaged or error.cause == "damaged"
            self._wait(now)
        else:
            log.warning("%s: everything is on disk again", self.path)
            self.problem, self._due, self._pause = None, now + LOOK_MS, FIRST_RETRY_MS
            del self._entries[: max(begins_at(self._entries), default=0)]

    def _wait(self, now: int) -> None:
        """Puts the next try off, each time for longer."""
        self._due = now + self._pause
        self._pause = min(2 * self._pause, LAST_RETRY_MS)

    def _catch_up(self) -> None:
        """Opens the journal again and writes what is not in it. Raises JournalError."""
        if self.journal is not None:
            self.journal.close()
        self.journal = None
        if self._damaged:
            self._move_aside()
        opened = open_journal(self.path)
        if opened.moved_to:
            log.warning("%s", damaged(opened.why, opened.moved_to))
        try:
            opened.journal.append_all((entry, stamp or self._wall) for entry, stamp in unwritten(self._entries, opened.game))
        except BaseException:
            opened.journal.close()
            raise
        self.journal = opened.journal

    def _move_aside(self) -> None:
        """Makes room for a new journal. Raises JournalError."""
        try:
            if side_files(self.path):
                log.warning("%s", damaged("found while writing", move_aside(self.path)))
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}", "failed") from error
        self._damaged = False


def open_writer(path: Path) -> JournalWriter:
    """The writer of a journal, its last game read.

    A disk that cannot be written is no reason not to play. Raises JournalError for a name that cannot be a journal's, and
    for a journal that another table uses.
    """
    path = behind_links(path)
    try:
        opened = open_journal(path)
    except JournalError as error:
        if error.cause is None:
            raise
        log.warning("%s", error)
        problem = PROBLEMS.get(error.cause, FAILED)
        return JournalWriter(path, None, left_there(path), problem, [f"{error}; the game is only kept in memory"])
    notes = [damaged(opened.why, opened.moved_to)] if opened.moved_to else []
    return JournalWriter(path, opened.journal, opened.game, notes=notes)


def damaged(why: str, moved_to: Path) -> str:
    """What has become of a damaged journal."""
    return f"the journal was damaged ({why}): moved to {moved_to}"


def left_there(path: Path) -> list[Entry]:
    """The last game in a journal that cannot be opened for writing, as far as it can be read."""
    try:
        return read_game(path)
    except JournalError:
        return from_copy(path)


def from_copy(path: Path) -> list[Entry]:
    """The last game from a copy elsewhere: what is in the log can only be read where a file can be made beside it."""
    try:
        with TemporaryDirectory() as folder:
            copy = Path(folder) / path.name
            for file in side_files(path):
                shutil.copyfile(file, copy.with_name(file.name))
            return read_game(copy)
    except (JournalError, OSError):
        return []


def begins_at(entries: Sequence[Kept]) -> list[int]:
    """Where games begin."""
    return [number for number, (entry, _) in enumerate(entries) if entry.beginning is not None]


def unwritten(entries: Sequence[Kept], there: Sequence[Entry]) -> Sequence[Kept]:
    """What of the entries is missing in a journal whose last game is `there`: all of them, if that is none of theirs."""
    written = [content(entry) for entry in there]
    known = [content(entry) for entry, _ in entries]
    for start in reversed(begins_at(entries) if there else []):
        end = start + len(written)
        if known[start:end] == written:
            return entries[end:]
    return entries


def content(entry: Entry) -> tuple[str, ...]:
    """An entry as the journal keeps it."""
    return entry.kind, entry.action, compact(sorted(entry.standing)), compact(entry.beginning)
