"""The interface of a game's table: its spaces and sites, what an action does to the tokens, what the keys run through.

A *space* is one sensor a player can name ("7a", "c4"); a *site* is a place of the game ("7", "c4") with one space or
several, on which any of them will do. A game derives its table from `GameTable`; `underboard.engine.referee.step` does the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple, Protocol

from underboard.engine.base.errors import Text
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement, Record
from underboard.engine.gamekit.overlay import Overlay, Site, Space
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.settings import Setting


@dataclass(frozen=True, slots=True)
class Change:
    """What an action does to the tokens: all come off the `clears` sites, then one goes on each of `puts`.

    `lift_first`: the action begins with a lift that nobody announces, so a lift alone is no alarm yet, and what no key has
    chosen is asked about if it is `doubtful`.
    `by_key`: another action does the same to the tokens and is meant unless a key has chosen this one.
    """

    clears: tuple[Site, ...] = ()
    puts: tuple[Site, ...] = ()
    lift_first: bool = False
    by_key: bool = False

    @property
    def exchanges(self) -> bool:
        """Whether the board looks the same afterwards: a token has been replaced by another."""
        return self.lift_first and self.clears == self.puts

    @property
    def doubtful(self) -> bool:
        """Whether a hand that only corrects a token does the same: a token was lifted, and none has come where none stood."""
        return self.lift_first and set(self.puts) <= set(self.clears)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Every site it touches."""
        return tuple(dict.fromkeys((*self.clears, *self.puts)))


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the keys can select.

    `actions` are the legal actions it stands for. If they move tokens, any of them is awaited and left/right run through
    them (the cursor decides where the tokens alone do not); otherwise OK does the first and a long OK the second.
    A `dealt` choice leaves which one to the dealer.
    An `answer` is only remembered (the menu asks on); its actions are those it leads to, as far as they are called by their own
    names there. `next` starts the next game of the match with these options, `restart` a new match.
    With `times` above 1 it is done, and then `again`, the choice of that name, until it has been done so often or is offered no more:
    one action after the other. That is only offered where no card has to be laid on a reader.
    `card` is the card of the mover's hand that it plays, or begins to play: on the page a click on that card selects it.
    """

    name: str
    actions: tuple[Action, ...] = ()
    dealt: bool = False
    answer: bool = False
    next: Mapping[str, str] | None = None
    restart: bool = False
    card: str | None = None
    again: str = ""
    times: int = 1


def single(action: Action, card: str | None = None) -> Choice:
    """A choice that is one action, and is called as it is."""
    return Choice(action, (action,), card=card)


NEW_GAME = Choice("new game", restart=True, next={})
"""Another game with the same options, as it is offered after the end."""

COMMON_CHOICES: Mapping[str, str] = {NEW_GAME.name: N_("new game"), "undo": N_("take back"), "nothing": N_("nothing")}
"""What players call NEW_GAME and the choices that the table itself adds to those of any game."""


def leading_to(choices: Sequence[Choice], name: str) -> int | None:
    """Which choice to take for the one called `name`: this one itself, or an answer after which it comes; None if there is no way."""
    ways = [number for number, choice in enumerate(choices) if choice.answer and name in choice.actions]
    return next((number for number, choice in enumerate(choices) if choice.name == name), ways[0] if ways else None)


class Pile(NamedTuple):
    """Cards that are dealt together: the option of a new game that names them, what players call them, how many there are."""

    option: str
    label: str
    size: int
    cards: Mapping[str, str] | None = None
    """The cards that can go into it, and what the option calls them; None: any card, by its own name."""


class PublicSituation(Protocol):
    """What a game's screen may read of the table while the mover's hand is covered: nothing that follows from the hand."""

    @property
    def state(self) -> Any:
        """The state of the game, of which only what every seat's view shows may be used."""

    @property
    def said(self) -> Sequence[Announcement]:
        """What the last action announced."""


class Situation(PublicSituation, Protocol):
    """What a game's screen may read of the table."""

    @property
    def selected(self) -> str | None:
        """The choice under the cursor."""

    @property
    def changes(self) -> Mapping[Action, Change]:
        """The legal actions that move tokens."""

    @property
    def awaited(self) -> Action | None:
        """The action whose token the table waits for."""

    @property
    def blind(self) -> bool:
        """Whether the sensors cannot tell if the awaited action has been done, so that OK says it."""

    @property
    def asked(self) -> bool:
        """Whether the board shows what several actions lead to, and the table asks which it was."""

    @property
    def to_lift(self) -> Sequence[Space]:
        """Spaces whose tokens still have to come off for the awaited action."""

    @property
    def exchanging(self) -> Sequence[Action]:
        """The actions that nobody chose but whose tokens have been lifted: what replaces these is waited for."""

    @property
    def leftover(self) -> Collection[Space]:
        """Spaces where a token of an action taken back still stands in the place of another."""

    @property
    def answers(self) -> Sequence[str]:
        """The answers that have led to the present choices."""


class Overrides(Protocol):
    """What a referee may set by hand in a game when the players disagree with the table."""

    def names(self, state: Any) -> Sequence[str]:
        """All that can be set now, each as words that lead to it one by one: "turn red", "token c 4 none"."""

    def apply(self, record: Record, name: str) -> tuple[Record, Change]:
        """The record of the state with one of `names` set, and what that does to the tokens."""


class GameTable(Protocol):
    """The table of one game. Tables of games derive from it; the methods with a body suit most of them."""

    has_boards: ClassVar[bool] = False
    """Whether the game has an option `board` of its own, for which of its boards is played on."""

    own_options: ClassVar[tuple[str, ...]] = ()
    """Options of the table alone, of which the rules know nothing."""

    tones: ClassVar[Mapping[str, str]] = {"win": "win"}
    """Announcements that sound otherwise than what is right, and how; the last of several counts."""

    overrides: ClassVar[Overrides | None] = None
    """What a referee may set by hand; None: nothing."""

    explanations: ClassVar[Mapping[str, str]] = {}
    """What the table's menu explains under `?`: by title, in English, a text of at most three lines of the panel in every language."""

    def options(self, given: Mapping[str, str]) -> Mapping[str, str]:
        """The options of a new game at this table, completed from those given. Raises BadArgument for what cannot be played on it."""
        return given

    def settings(self, answers: Mapping[str, str]) -> Sequence[Setting]:
        """What is to be settled before a game, in order; `answers` are those given, of this game or of another."""
        return ()

    def overlay(self, options: Mapping[str, str]) -> Overlay | None:
        """The overlay if it depends on the (completed) options; None: it is the one in the game's `overlay.toml`."""
        return None

    def site(self, space: Space) -> Site:
        """The site that a space belongs to; unless a game says otherwise every space is one of its own."""
        return space

    def changes(self, state: Any) -> Mapping[Action, Change]:
        """The legal actions that move tokens, and how. Those of sites that have no space on the overlay are done without tokens."""
        return {}

    def start(self, state: Any) -> Sequence[Space]:
        """The spaces on which tokens stand when a game begins, as far as the overlay has them."""
        return ()

    def menu(self, state: Any, answers: Sequence[str]) -> tuple[Sequence[Choice], int]:
        """What the keys run through now, and which is selected at first; `answers` are those given so far."""

    def deal(self, state: Any, choice: Choice, random: Random) -> Action:
        """Which of a dealt choice's actions comes, as a shuffled deck would decide.

        Each has the same chance unless a game says otherwise: one with several copies of a card has to.
        """
        return random.choice(choice.actions)

    def drawn(self, choice: Choice, card: str) -> Action | None:
        """The action of a dealt choice when this card comes; None if it cannot."""
        return next((action for action in choice.actions if action.endswith(f" {card}")), None)

    def undrawable(self, state: Any, card: str) -> Text | None:
        """Why this card cannot be drawn now, if there is more to say than that it cannot; without giving a hand away."""
        return None

    def early(self, state: Any) -> Text | None:
        """What has to be done before a token may be put down, where no action moves tokens now, and what becomes of one that is there.

        None: such a token is just too many.
        """
        return None

    def piles(self, options: Mapping[str, str], state: Any | None) -> Sequence[Pile]:
        """What is dealt, in order, when cards are dealt by the reader: for a new game with these options, or after the game `state`."""
        return ()

    def screen(self, situation: Situation, words: Words) -> Sequence[Line]:
        """The panel while nothing is wrong."""

    def public_screen(self, situation: PublicSituation, words: Words) -> Sequence[Line]:
        """The panel while the mover's hand is covered: at most three lines, from nothing but what every seat's view shows.

        The first says whose turn it is; under them the table says who may look. A game in which nobody hides anything needs none.
        """
        return ()
