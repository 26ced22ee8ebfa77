"""The interface of a game's rules.

A game is a set of pure functions over an immutable state. An action is its text in the rules protocol ("infect 3");
`do` answers the next state and what the referee announces. Nothing here keeps history: a state never changes, so
whoever wants to take an action back keeps the state before it (see `underboard.engine.gamekit.session`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.options import Options

Seat = str
Action = str
Announcement = Mapping[str, Any]
Record = dict[str, Any]

NOBODY = "none"
"""Who is to move when the game is over."""

TABLE = "table"
"""Who is to move when the next event is a card turned up by the table itself."""

S = TypeVar("S")


class Game(ABC, Generic[S]):
    """The rules of one game over states of type S. Instances hold no state and may be shared."""

    id: ClassVar[str]
    seeded: ClassVar[bool] = True
    """Whether chance has a part, so that `new` and `next` take a seed."""

    @abstractmethod
    def new(self, options: Options) -> S:
        """A new game. Takes its own options and leaves the rest; raises BadArgument for values that cannot be."""

    @abstractmethod
    def seats(self, state: S) -> tuple[Seat, ...]:
        """All seats of this game in the order of play."""

    @abstractmethod
    def phase(self, state: S) -> str:
        """The phase as in `state`; "over" once the game has ended."""

    @abstractmethod
    def to_move(self, state: S) -> str:
        """The seat to act, TABLE or NOBODY."""

    @abstractmethod
    def legal(self, state: S) -> Sequence[Action]:
        """Every legal action in canonical spelling, in ASCII order; empty only when the game is over."""

    @abstractmethod
    def do(self, state: S, action: Action) -> tuple[S, list[Announcement]]:
        """The state after `action` and the announcements in the order they happen.

        `action` has single blanks. Raises IllegalAction with the reason in a player's words, GameOver after the end.
        """

    @abstractmethod
    def record(self, state: S) -> Record:
        """The whole state as JSON values: what `position` reads back."""

    @abstractmethod
    def position(self, record: Any) -> S:
        """The state that `record` describes. Raises BadArgument that lists every problem found."""

    @abstractmethod
    def view(self, state: S, seat: Seat) -> Record:
        """As `record`, but only what `seat` may know."""

    @abstractmethod
    def public_view(self, state: S) -> Record:
        """As `record`, but only what everybody may know: what `view` shows to every seat, and spectators see."""

    @abstractmethod
    def outcome(self, state: S) -> Record:
        """{"over": False}, or winner, reason and the game's own keys."""

    def pick(self, state: S, random: Random) -> Action:
        """One of `legal`, each with equal chance. Games with a faster way to the same distribution override this."""
        legal = self.legal(state)
        return legal[int(random.random() * len(legal))]

    def deck(self, options: Options) -> Sequence[str]:
        """Every physical card, copies one by one, as actions name them and in an order that is good to sort by.

        None in a game without cards. Takes the options on which the cards depend and leaves the rest.
        """
        return ()

    def match(self, state: S) -> Record:
        """Score of the match. Raises BadArgument in a game without matches."""
        raise BadArgument(f"{self.id} has no matches")

    def next(self, state: S, options: Options) -> S:
        """The next game of the match. Raises BadArgument in a game without matches, GameOver when the match is won."""
        raise BadArgument(f"{self.id} has no matches")

    def over(self, state: S) -> bool:
        """Whether the game has ended."""
        return self.phase(state) == "over"
