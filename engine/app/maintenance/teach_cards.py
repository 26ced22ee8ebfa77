"""`underboard cards`: a deck is taught card by card, or asked about.

`Course` is the walk through a deck, without any device: tags and keys in, sentences out. Below it is what it runs on.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TextIO

from underboard.engine.app.tagged_deck import Deck, DeckError, Tag, save_deck
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.file_errors import try_out, unwritable
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game
from underboard.hardware.cards.reader import POLL_MS, CardReader, CardSeen
from underboard.hardware.core.clock import Clock
from underboard.hardware.system.serial_ports import Ports, Wanted

Say = Callable[[str], None]
KEYS = "b = back, s = skip this card, q = quit"


class DeckLesson:
    """The walk through a deck; `deck` is what is known so far, `save` is called whenever it has changed."""

    def __init__(self, deck: Deck, say: Say, save: Callable[[Deck], None]) -> None:
        self.deck = deck
        self.over = False
        self._say = say
        self._save = save
        self._skipped: tuple[str, ...] = ()
        self._before: list[tuple[Deck, tuple[str, ...]]] = []
        self._ask()

    @property
    def wanted(self) -> str | None:
        """The card to be laid on the reader; None if none is left."""
        return next(iter(self._left), None)

    @property
    def _left(self) -> Sequence[str]:
        passed = Counter(self._skipped)
        left = []
        for card in self.deck.missing:
            if passed[card]:
                passed[card] -= 1
            else:
                left.append(card)
        return left

    def lay(self, tag: Tag) -> None:
        """A card has been laid on the reader."""
        if self.wanted is None:
            return
        try:
            self._go_to(self.deck.with_tag(tag, self.wanted), self._skipped)
        except BadArgument as error:
            self._say(f"  tag {tag}: {error}. Lay another one.")

    def press(self, key: str) -> None:
        """A key: one of `KEYS`; others mean nothing."""
        if key == "q":
            self.over = True
            self._say(f"{self._count}. The same command goes on from here.")
        elif key == "s" and self.wanted is not None:
            self._go_to(self.deck, (*self._skipped, self.wanted))
        elif key == "b":
            self._go_back()

    def _go_to(self, deck: Deck, skipped: tuple[str, ...]) -> None:
        self._before.append((self.deck, self._skipped))
        self._turn_to(deck, skipped)

    def _go_back(self) -> None:
        """To the card before: this time's, or the last one of those that were known already."""
        if not self._before and not self.deck.tags:
            self._say("  this is the first card")
            return
        self._turn_to(*(self._before.pop() if self._before else (self.deck.without_last(), self._skipped)))

    def _turn_to(self, deck: Deck, skipped: tuple[str, ...]) -> None:
        changed, self.deck, self._skipped = deck != self.deck, deck, skipped
        if changed:
            self._save(deck)
        self._ask()

    def _ask(self) -> None:
        card, total = self.wanted, len(self.deck.cards)
        if card is None:
            self.over = True
            missing = ", ".join(self.deck.missing)
            self._say(f"{self._count}" + (f"; skipped: {missing}." if missing else ": the deck is complete."))
            return
        copies = self.deck.cards.count(card)
        copy = f" (copy {copies - list(self._left).count(card) + 1} of {copies})" if copies > 1 else ""
        self._say(f"{total - len(self._left) + 1} of {total}: lay a {card} on the reader{copy}")

    @property
    def _count(self) -> str:
        return f"{len(self.deck.tags)} of {len(self.deck.cards)} cards are known"


def cards_to_teach(game_id: str, words: Sequence[str]) -> tuple[str, ...]:
    """The physical cards of a game with these options. Raises BadArgument for a game without cards."""
    options = Options.parse(words)
    cards = tuple(find_game(game_id).deck(options))
    options.finish()
    if not cards:
        raise BadArgument(f"{game_id} has no cards")
    return cards


class Keyboard:
    """Single keys of a terminal, or of any other standard input, without waiting. A context manager.

    An input that has ended, or was never there (None), says q: nobody could say it any more.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._fd: int | None = None if stream is None else stream.fileno()
        self._settings: list[Any] | None = None

    def __enter__(self) -> Self:
        if self._fd is not None and os.isatty(self._fd):
            self._settings = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._fd is not None and self._settings is not None:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._settings)

    def __call__(self) -> str:
        """What has been typed since this was last asked."""
        if self._fd is None:
            return "q"
        if not select.select([self._fd], [], [], 0)[0]:
            return ""
        typed = os.read(self._fd, 100)
        if not typed:
            self._fd = None
            return "q"
        return typed.decode(errors="replace").lower()


@dataclass(frozen=True)
class TeachingSetup:
    """What teaching needs: a reader, what is typed, time, and somebody to talk to."""

    reader: CardReader
    typed: Callable[[], str]
    clock: Clock
    say: Say


class CardListener(Protocol):
    """Takes what the reader and the keyboard say until it is over."""

    over: bool

    def lay(self, tag: Tag) -> None: ...
    def press(self, key: str) -> None: ...


def listen(setup: TeachingSetup, listener: CardListener) -> None:
    """Brings cards and keys to the listener until it is over; says what is wrong with the reader."""
    reader, said = setup.reader, ""
    while not listener.over:
        for event in reader.poll():
            if isinstance(event, CardSeen):
                listener.lay(event.tag)
        news = condition(reader)
        if news != said and news:
            setup.say(f"  {news}")
        said = news
        for key in setup.typed():
            if not listener.over:
                listener.press(key)
        setup.clock.sleep(POLL_MS)


def condition(reader: CardReader) -> str:
    """What keeps a card from being read; "" if nothing does."""
    if reader.state in ("absent", "fault"):
        return f"no card reader: {reader.reason}"
    return "once more: lift the card and lay it down again" if reader.doubted and reader.kind == "id12la" else ""


class CardQuestions:
    """Says which card it is that lies there, until q is pressed."""

    over = False

    def __init__(self, deck: Deck, say: Say) -> None:
        self._deck = deck
        self._say = say

    def lay(self, tag: Tag) -> None:
        """A card has been laid on the reader."""
        card = self._deck.tags.get(tag)
        self._say(f"tag {tag}: {card if card is not None else 'not in this deck'}")

    def press(self, key: str) -> None:
        """q ends it."""
        self.over = key == "q"


def open_reader(ports: Ports, clock: Clock, wanted: Wanted, deck: Deck) -> CardReader:
    """The card reader that is meant, for this deck."""
    return CardReader(ports, clock, wanted, deck.tags.__contains__)


def learn(path: Path, deck: Deck, setup: TeachingSetup) -> None:
    """`underboard cards learn`. Raises LearnError, before any card is laid on the reader if the deck could not be kept."""
    try:
        try_out(path)
    except OSError as error:
        raise DeckError(unwritable(path, error, "--deck")) from None
    setup.say(f"The deck is kept in {path}. Keys: {KEYS}.")
    listen(setup, DeckLesson(deck, setup.say, lambda deck: save_deck(path, deck)))


def show(path: Path, deck: Deck, setup: TeachingSetup) -> None:
    """`underboard cards show`."""
    setup.say(f"{path}: {len(deck.tags)} of {len(deck.cards)} cards are known. Lay cards on the reader; q = quit.")
    listen(setup, CardQuestions(deck, setup.say))


def run(act: Callable[[Path, Deck, TeachingSetup], None], path: Path, deck: Deck, wanted: Wanted) -> None:
    """One of the two on this computer's reader and keyboard. Raises LearnError."""
    from underboard.hardware.core.clock import RealClock
    from underboard.hardware.system.serial_ports import SystemPorts

    clock = RealClock()
    with open_reader(SystemPorts(), clock, wanted, deck) as reader, Keyboard(sys.stdin) as keyboard:
        act(path, deck, TeachingSetup(reader, keyboard, clock, lambda text: print(text, flush=True)))
