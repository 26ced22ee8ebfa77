"""The commands that a page can send, and how they are read: nothing that comes from outside is believed.

What a page sends is a JSON object:

    {"run": …, "question": …, "page": …, "number": …, "command": {"do": …, …}}

`run` and `question` are those of the state that the page showed when somebody clicked (`underboard.web.event_stream`). A command can
be on its way for a minute, and what is asked then is asked of somebody else; so a command for a question that has gone is not done.
`page` is a name that the page has made up, `number` counts its commands: what something on the way sends twice is done once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from underboard.errors import UnderboardError
from underboard.hardware.core.wiring import KEY_NAMES

LONGEST_NAME = 200
LARGEST_NUMBER = 2**53
"""What a page can count to."""
MOST_OPTIONS = 40


class BadCommand(UnderboardError, ValueError):
    """A command that cannot be understood; the text says why."""

    fault = "player"
    label = ""
    """What the page calls its own text of it, in the player's language; "" if it has none."""
    status = 400
    """That of the answer in HTTP."""


class Refused(BadCommand):
    """A command that is understood but cannot be carried out; `field` names the option that is to blame, "" if none is."""

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field


class Stale(BadCommand):
    """A command for a question that is not asked any more."""

    label = "stale"
    status = 409

    def __init__(self) -> None:
        super().__init__("The table has gone on since: nothing was done.")


class NotYourTurn(BadCommand):
    """A command of a seat that is not to move."""

    label = "not_your_turn"
    status = 409

    def __init__(self) -> None:
        super().__init__("It is not your turn: nothing was done.")


class GameHasEnded(BadCommand):
    """A command of a seat of a game that has ended."""

    label = "game_over"
    status = 409

    def __init__(self) -> None:
        super().__init__("The game is over: nothing was done.")


class SeatTaken(BadCommand):
    """Something that is asked for a seat which another browser holds."""

    label = "seat_taken"
    status = 409

    def __init__(self) -> None:
        super().__init__("This seat is open in another browser. Close it there, and it opens here.")


class UnknownLink(BadCommand):
    """Something that is asked with a key that leads nowhere."""

    label = "unknown_link"
    status = 404

    def __init__(self) -> None:
        super().__init__("This link leads nowhere: it is misspelt or out of date. Ask for yours at the table.")


@dataclass(frozen=True, slots=True)
class Place:
    """A token of some kind is put on a space."""

    space: str
    token: str


@dataclass(frozen=True, slots=True)
class Lift:
    """The token on a space is taken off."""

    space: str


@dataclass(frozen=True, slots=True)
class MoveToken:
    """A token is taken from one space to another."""

    space: str
    to: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key is pressed down or let go."""

    key: str
    down: bool


@dataclass(frozen=True, slots=True)
class Choose:
    """The keys are pressed until something is chosen."""

    name: str


@dataclass(frozen=True, slots=True)
class Lay:
    """A card is laid on the reader and taken into the hand: the next one of the deck, or (`card` is not "") a certain one."""

    card: str


@dataclass(frozen=True, slots=True)
class Open:
    """A new game is set on the table."""

    game: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GoOn:
    """A game that was kept goes on; `name` is that of its journal."""

    name: str


@dataclass(frozen=True, slots=True)
class Speak:
    """The start page is to speak another language."""

    language: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The table is left for the start page; its game is kept."""


@dataclass(frozen=True, slots=True)
class Break:
    """A part of the box breaks or is repaired; `fault` is as the table reads it from its words."""

    fault: Any


@dataclass(frozen=True, slots=True)
class Repair:
    """Everything that is broken is repaired."""


@dataclass(frozen=True, slots=True)
class Power:
    """The power is cut, or comes back."""

    on: bool


PageCommand = Place | Lift | MoveToken | Key | Choose | Lay | Open | GoOn | Speak | Leave | Break | Repair | Power

OF_HANDS = (Place, Lift, MoveToken, Key, Choose, Lay)
"""What the players' hands do at a table; all else is for whoever has set it up."""


def needs_no_question(command: PageCommand) -> bool:
    """Whether a command is welcome whatever is asked: a key that is let go, and what happens to the box by itself."""
    return isinstance(command, Break | Repair | Power) or (isinstance(command, Key) and not command.down)


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command as it comes from a page, not yet looked at."""

    run: str
    question: int
    page: str
    number: int
    command: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Order:
    """A command on its way to whoever does it, in another thread."""

    command: PageCommand
    is_asked: Callable[[], bool]
    audience: str = "table"
    """Whose page it came from, as in `underboard.web.access`."""
    outcome: Future[None] = field(default_factory=Future)
    """Done as soon as the command is taken; Stale if what it answers is not asked any more."""

    def take(self) -> bool:
        """Whether the command is to be done now: it is still asked for, and nobody has given it up."""
        if not self.outcome.set_running_or_notify_cancel():
            return False
        if needs_no_question(self.command) or self.is_asked():
            self.outcome.set_result(None)
            return True
        self.outcome.set_exception(Stale())
        return False


VERBS: Mapping[str, tuple[Callable[..., PageCommand], tuple[str, ...]]] = {
    "place": (Place, ("space", "token")),
    "lift": (Lift, ("space",)),
    "move": (MoveToken, ("space", "to")),
    "key": (Key, ("key", "down")),
    "choose": (Choose, ("name",)),
    "lay": (Lay, ("card",)),
    "open": (Open, ("game", "options")),
    "go_on": (GoOn, ("name",)),
    "speak": (Speak, ("language",)),
    "leave": (Leave, ()),
    "fault": (Break, ("fault",)),
    "repair": (Repair, ()),
    "power": (Power, ("on",)),
}
"""Each with what makes the command and the names of what it takes."""


ReadFault = Callable[[str], Any]
"""Makes a fault of its words; raises ValueError."""


def no_faults(text: str) -> Any:
    """For a table where nothing can be broken."""
    raise ValueError("there is nothing to be broken here")


class PageCommandReader:
    """Reads commands from other threads than the one that says what can be named in them."""

    def __init__(self) -> None:
        """Nothing can be named yet but keys."""
        self._names: Mapping[str, Collection[str]] = {}
        self.expect()

    def expect(
        self,
        spaces: Collection[str] = (),
        tokens: Collection[str] = (),
        cards: Collection[str] = (),
        read_fault: ReadFault = no_faults,
    ) -> None:
        """From now on there are these spaces, kinds of tokens and cards, and faults are read by `read_fault`."""
        self._read_fault = read_fault
        self._names = {"space": spaces, "to": spaces, "token": tokens, "card": {"", *cards}, "key": KEY_NAMES}

    def read(self, value: Mapping[str, Any]) -> PageCommand:
        """A command from its JSON value; raises BadCommand."""
        verb = value.get("do")
        if not isinstance(verb, str) or verb not in VERBS:
            raise BadCommand(f"'do' has to be one of {', '.join(VERBS)}")
        make, keys = VERBS[verb]
        if value.keys() != {"do", *keys}:
            raise BadCommand(f"'{verb}' takes {', '.join(keys) or 'nothing'}")
        return make(**{key: self._checked(key, value[key]) for key in keys})

    def _checked(self, key: str, value: Any) -> Any:
        if key == "options":
            return checked_options(value)
        if key in ("down", "on"):
            if not isinstance(value, bool):
                raise BadCommand(f"'{key}' is true or false")
        elif not isinstance(value, str) or len(value) > LONGEST_NAME:
            raise BadCommand(f"'{key}' is a text of at most {LONGEST_NAME} characters")
        elif key in self._names and value not in self._names[key]:
            raise BadCommand(f"there is no {'space' if key == 'to' else key} '{value[:40]}'")
        elif key == "fault":
            return self._fault(value)
        return value

    def _fault(self, text: str) -> Any:
        try:
            return self._read_fault(text)
        except ValueError as error:
            raise BadCommand(str(error)) from None


def read_sent(text: bytes) -> SentCommand:
    """What a page has sent; raises BadCommand."""
    value = json_object(text)
    if value.keys() != {"run", "question", "page", "number", "command"}:
        raise BadCommand("what is sent has a 'run', a 'question', a 'page', a 'number' and a 'command'")
    for key in ("run", "page"):
        if not isinstance(value[key], str) or len(value[key]) > LONGEST_NAME:
            raise BadCommand(f"'{key}' is a text of at most {LONGEST_NAME} characters")
    for key in ("question", "number"):
        if type(value[key]) is not int or not 0 <= value[key] <= LARGEST_NUMBER:
            raise BadCommand(f"'{key}' is a whole number from 0 to {LARGEST_NUMBER}")
    if not isinstance(value["command"], dict):
        raise BadCommand("'command' is an object")
    return SentCommand(**value)


def json_object(text: bytes) -> dict[str, Any]:
    """The object that is written there; raises BadCommand."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadCommand("this is no JSON") from None
    if not isinstance(value, dict):
        raise BadCommand("a command is a JSON object")
    return value


def checked_options(value: Any) -> Mapping[str, str]:
    """Options of a game: an object of a few short texts; raises BadCommand."""
    if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
        raise BadCommand(f"'options' is an object with at most {MOST_OPTIONS} keys")
    for name, text in value.items():
        if not isinstance(text, str) or max(len(name), len(text)) > LONGEST_NAME:
            raise BadCommand(f"options: every key and value is a text of at most {LONGEST_NAME} characters")
    return MappingProxyType(value)
