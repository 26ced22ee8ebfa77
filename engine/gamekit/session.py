"""One running game with its past: every state is kept, so any number of actions can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, TypeVar

from underboard.engine.base.errors import NothingToUndo
from underboard.engine.gamekit.game import Action, Announcement, Game, Record
from underboard.engine.gamekit.options import Options

S = TypeVar("S")


@dataclass(slots=True, eq=False)
class Moment(Generic[S]):
    """A state, the action that led to it and the moment before: a linked list that shares its past with others.

    It never changes, either; that is not enforced, for every action makes one, and a frozen one takes three times as long.
    """

    state: S
    action: Action | None = None
    before: Moment[S] | None = field(default=None, repr=False)  # a long past is not for reading
    ply: int = 0

    def actions(self) -> list[Action]:
        """All actions since the beginning, first to last."""
        found: list[Action] = []
        moment: Moment[S] = self
        while moment.before is not None and moment.action is not None:
            found.append(moment.action)
            moment = moment.before
        return found[::-1]


@dataclass(frozen=True, slots=True)
class Session(Generic[S]):
    """A game and its present moment. Immutable: every step answers a new session."""

    game: Game[S]
    now: Moment[S]

    @classmethod
    def new(cls, game: Game[S], options: Options) -> Session[S]:
        """A new game; raises BadArgument for options that cannot be, also for those nobody knows."""
        state = game.new(options)
        options.finish()
        return cls(game, Moment(state))

    @classmethod
    def at(cls, game: Game[S], record: Any) -> Session[S]:
        """A game that begins at a position."""
        return cls(game, Moment(game.position(record)))

    @property
    def state(self) -> S:
        """The present state."""
        return self.now.state

    def do(self, action: Action) -> tuple[Session[S], list[Announcement]]:
        """After one more action; raises what `Game.do` raises."""
        state, said = self.game.do(self.now.state, action)
        return Session(self.game, Moment(state, action, self.now, self.now.ply + 1)), said

    def override(self, record: Any, action: Action) -> Session[S]:
        """At another position, set by hand, which the journal shows as `action`. Raises BadArgument for a position that cannot be."""
        return Session(self.game, Moment(self.game.position(record), action, self.now, self.now.ply + 1))

    def undo(self) -> Session[S]:
        """Before the last action; raises NothingToUndo at the beginning."""
        if self.now.before is None:
            raise NothingToUndo("this is the beginning of the game")
        return Session(self.game, self.now.before)

    def next(self, options: Options) -> Session[S]:
        """The next game of the match; its beginning is as far as `undo` goes."""
        state = self.game.next(self.now.state, options)
        return Session(self.game, Moment(state))

    def playout(self, random: Random) -> tuple[Session[S], int]:
        """Uniformly random actions to the end of the game, and how many there were."""
        game, now, state = self.game, self.now, self.now.state
        start = ply = now.ply
        while not game.over(state):
            action = game.pick(state, random)
            state, _ = game.do(state, action)
            ply += 1
            now = Moment(state, action, now, ply)
        return Session(game, now), ply - start

    def outcome(self) -> Record:
        """The outcome of the game so far."""
        return self.game.outcome(self.now.state)
