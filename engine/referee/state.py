"""The state of a table: the facts that the referee stores, and what it derives from them.

Only facts are stored: the game with its past, where tokens should stand, what the sensors and the players said. What the
board shows to be done, what the keys run through, what is wrong: all of that is derived, so it is never out of date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from underboard.engine.base.errors import Text
from underboard.engine.base.i18n import Words
from underboard.engine.gamekit.game import Action, Announcement, Seat
from underboard.engine.gamekit.overlay import BOARD_COLUMNS, BOARD_ROWS, NO_SPACES, Site, Space, Spaces, by_site
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.settings import CARDS, HIDDEN, OPEN, PANEL, PHONES
from underboard.engine.gamekit.setup import TableSetup
from underboard.engine.gamekit.table import Change, Choice, single
from underboard.engine.referee.alert import Alert
from underboard.engine.referee.burst import infer_burst
from underboard.engine.referee.comparison import Comparison, differences
from underboard.engine.referee.deal import Deal
from underboard.engine.referee.events import Effect

LOOK_MS = 8_000
"""How long a hand stays on the panel when no key is touched: a player who puts it away and looks up is done by then."""
WRONG_MS = 600
"""How long a settled board may differ before it is called wrong: a nudge is put back by then."""


@dataclass(frozen=True, slots=True)
class TokenLayout:
    """Where tokens should stand, and the layout before the last action."""

    spaces: Spaces
    before: TokenLayout | None = None


class GameResult(NamedTuple):
    """A game that was played to the end, and who has won it; None: nobody."""

    game: str
    winner: str | None


class TableMenu(Protocol):
    """An open menu: it has the keys and the panel, in place of the game, until it is left.

    The menus in `underboard.engine.referee.menu` derive from it.
    """

    @property
    def before_game(self) -> bool:
        """Whether there is no game yet, so that tokens mean nothing."""
        return False

    @property
    def checks_board(self) -> bool:
        """Whether tokens in the wrong place are said to be wrong."""
        return True

    def menu(self, table: TableState) -> tuple[Sequence[Choice], int]:
        """What the keys run through, and which is selected at first."""

    def lines(self, table: TableState, words: Words) -> Sequence[Line]:
        """The panel."""

    def take(self, table: TableState, choice: Choice) -> Step:
        """OK on a choice."""

    def leave(self, table: TableState) -> TableState:
        """BACK."""
        return replace(table, open_menu=None)

    def watch(self, table: TableState) -> Step:
        """What it does by itself when anything has happened."""
        return table, []


@dataclass(frozen=True)
class TableState:
    """The facts that the referee stores of a table; the properties are derived from them."""

    setup: TableSetup
    session: Session[Any]
    layout: TokenLayout
    language: str = "en"
    games: int = 0  # games begun before this one in the evening
    results: tuple[GameResult, ...] = ()  # of the games before this one
    counted: bool = True  # whether this one's will be among them
    open_menu: TableMenu | None = None  # has keys and panel in place of the game
    sensed: Spaces = NO_SPACES
    settled: bool = False
    arrivals: tuple[Space, ...] = ()  # the sensed spaces in the order their tokens came
    vacated: Spaces = NO_SPACES  # of the layout, seen empty since the last action
    declined: Spaces | None = None  # a position that was asked about and is no action
    ambiguous: Spaces = NO_SPACES
    faulty: Spaces = NO_SPACES
    masked: Spaces = NO_SPACES  # not to be believed, says the player
    leftover: Spaces = NO_SPACES  # tokens of actions taken back that stand where others stood before
    restoring: Spaces = NO_SPACES  # where such tokens have come off and the others are to come back
    rearranging: bool = False  # the layout changed without a hand on the board: until they agree nothing is recognised
    restarted: bool = False  # the program was away: what differs is not a player's mistake
    chosen: tuple[Action, ...] = ()
    answers: tuple[str, ...] = ()
    drawing: Choice | None = None  # a player draws: the card is to be laid on the reader
    deal: Deal | None = None  # no game yet: its cards are laid on the reader one by one
    planned: TableState | None = None  # the table with the set-up that this deal came from, if it came from one
    odd_card: Alert | None = None  # the last card laid on the reader, if nothing can be done with it
    names: tuple[str, ...] = ()
    cursor: int = 0
    said: tuple[Announcement, ...] = ()
    together: int = 1  # how many actions the last press did, which a long BACK takes back as one
    notice: Text | None = None  # why the game refused the last thing asked of it
    wrong_since: int | None = None
    wrong: bool = False
    recognised_at: int | None = None  # when the last action was read from the board alone; None if it was not
    devices: Mapping[str, str] = field(default_factory=dict)
    board_size: tuple[int, int] = BOARD_ROWS, BOARD_COLUMNS  # rows and columns of sensors
    unsaved: Text | None = None  # why what happened last is not on disk
    seat_pages: bool = False  # whether each seat has a page of its own, on a phone for instance
    seat_codes: Mapping[Seat, Sequence[str]] = field(default_factory=dict)  # of their addresses, for the panel
    seats_taken: frozenset[Seat] = frozenset()  # whose page is open on a phone
    uncovered: bool = False  # the mover looks at the hand on the panel
    looked_at: int = 0  # when the mover last touched a key while it was uncovered
    keys_rest_until: int = 0  # keys that went down before are dropped: who pressed cannot have seen what is asked now

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.session.state

    @cached_property
    def changes(self) -> Mapping[Action, Change]:
        """The legal actions that move tokens; none where the overlay has no space for them."""
        return {action: change for action, change in self.setup.table.changes(self.state).items() if self.sites.keys() >= set(change.sites)}

    @property
    def last_change(self) -> Change:
        """What the last action did to the tokens."""
        now = self.session.now
        return self.setup.table.changes(now.before.state).get(now.action or "", Change()) if now.before else Change()

    @cached_property
    def board(self) -> Comparison:
        """The board against the layout; spaces that cannot be believed count as they should be, and so does a board without use."""
        sensed = (self.sensed - self.doubted) | (self.layout.spaces & self.doubted) if self.on_board else self.layout.spaces
        return Comparison(self.layout.spaces, sensed, self.vacated, self.setup.table.site)

    @property
    def on_board(self) -> bool:
        """Whether the game is played on the board at all: where it has no spaces, tokens may lie as they like."""
        return bool(self.setup.overlay.spaces)

    @property
    def doubted(self) -> Spaces:
        """Spaces whose sensors cannot be believed."""
        return self.masked | self.ambiguous

    @cached_property
    def matches(self) -> tuple[Action, ...]:
        """Actions that nobody chose by key but that the settled board shows to be done.

        One that would leave the very same spaces occupied is none: a token was only nudged.
        Exchanges come first: what else has been put down may depend on them, and must not make them forgotten.
        """
        if not self.playing or self.chosen or self.rearranging or not self.settled or self.declined is not None:
            return ()
        if exchanged := tuple(action for action, change in self.exchanges.items() if self.board.exchanged(change)):
            return exchanged
        changed = self.board.sensed != self.board.standing
        return tuple(
            action
            for action, change in self.changes.items()
            if (changed or change.lift_first) and change.sites and (self.restarted or not change.by_key) and self.board.fulfils(change)
        )

    @cached_property
    def exchanges(self) -> Mapping[Action, Change]:
        """The legal exchanges; none where a token is put back because an action has been taken back."""
        put_back = {self.board.site(space) for space in self.leftover | self.restoring}
        return {action: change for action, change in self.changes.items() if change.exchanges and not put_back & set(change.sites)}

    @cached_property
    def exchanging(self) -> tuple[Action, ...]:
        """Exchanges that nobody chose but whose tokens have been lifted, if nothing else is to be seen on the settled board."""
        if not self.playing or self.chosen or self.own_doing or not self.settled or self.matches:
            return ()
        empty = {name for name, difference in self.board.different().items() if not difference.does}
        found = {action: change for action, change in self.exchanges.items() if empty >= set(change.sites)}
        explained = {site for change in found.values() for site in change.sites}
        return tuple(found) if explained == self.board.different().keys() else ()

    @cached_property
    def seen_done(self) -> Action | None:
        """The chosen action that the board shows to be done; the cursor decides between equal ones."""
        done = [action for action in self.chosen if self.board.fulfils(self.changes[action])]
        return self.selected if done and self.selected in done else next(iter(done), None)

    @cached_property
    def begun(self) -> tuple[Change, ...]:
        """What the board can be on the way to, if nobody has chosen anything."""
        put = bool(self.board.sensed - self.board.standing)
        return tuple(
            change
            for action, change in self.changes.items()
            if (put or (action in self.exchanges if change.exchanges else change.lift_first)) and self.board.on_the_way(change)
        )

    @cached_property
    def hurried(self) -> tuple[tuple[Action, Space], ...]:
        """Actions, each with the space of its token, that explain several tokens put down before the board came to rest."""
        new = [space for space in self.arrivals if space not in self.board.standing]
        if (
            not self.playing
            or self.chosen
            or self.matches
            or self.rearranging
            or self.restarted
            or not self.settled
            or len(new) < 2
            or self.board.sensed != self.board.standing | set(new)
        ):
            return ()
        return infer_burst(self.setup.table, self.session, new)

    @property
    def undecided(self) -> bool:
        """Whether what the board shows can just as well be a hand that corrects a token, or was done while nobody looked."""
        return self.restarted or not self.board.different() or any(self.changes[action].doubtful for action in self.matches)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.setup.game.over(self.state)

    @property
    def playing(self) -> bool:
        """Whether there is a game: it is neither being set up nor dealt."""
        return self.deal is None and not (self.open_menu and self.open_menu.before_game)

    @property
    def all_results(self) -> tuple[GameResult, ...]:
        """The games played to the end in this evening, this one too."""
        if not (self.playing and self.over and self.counted):
            return self.results
        return (*self.results, GameResult(self.setup.game.id, self.setup.game.outcome(self.state).get("winner")))

    @property
    def own_doing(self) -> bool:
        """Whether no player's action explains what differs: there is no game, the table has changed it, or a player says so."""
        return not self.playing or self.rearranging or self.restarted or self.declined is not None

    @cached_property
    def restored(self) -> int:
        """How many actions go back with the last that moved tokens, if the settled board shows the position before it; else 0."""
        if not self.playing or self.rearranging or not self.settled or not self.board.different():
            return 0
        before, back = self.layout.before, 1
        while before is not None and before.spaces == self.layout.spaces and not self.over:
            before, back = before.before, back + 1
        shown = before is not None and not differences(before.spaces, self.board.sensed, self.setup.table.site)
        return back if shown else 0

    @cached_property
    def menu(self) -> tuple[tuple[Choice, ...], int]:
        """What left and right run through, and where the cursor begins."""
        if self.open_menu:
            choices, first = self.open_menu.menu(self)
            return tuple(choices), first
        if self.deal:
            return (), 0
        if self.chosen or self.drawn_by_key:
            return tuple(single(action) for action in self.chosen or self.drawn_by_key), 0
        if self.matches:
            nothing = (Choice("nothing", answer=True),) if self.undecided else ()
            return (*(single(action) for action in self.matches), *nothing), 0
        if self.exchanging:
            undo = (Choice("undo"),) if self.restored else ()
            return (*(single(action) for action in self.exchanging), *undo), 0
        choices, first = self.setup.table.menu(self.state, self.answers)
        choices = choices if self.setup.dealer == "engine" else [choice for choice in choices if choice.times == 1]
        if self.restored:
            return (*choices, Choice("undo")), len(choices)
        return tuple(choices), first

    @property
    def drawn_by_key(self) -> tuple[Action, ...]:
        """The cards that can be drawn, if a player has to say which it was because no reader can."""
        return self.drawing.actions if self.drawing and self.devices.get("reader", "ready") in ("absent", "fault") else ()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What left and right run through."""
        return self.menu[0]

    @property
    def choice(self) -> Choice | None:
        """The choice under the cursor."""
        return self.choices[self.cursor] if self.choices else None

    @property
    def selected(self) -> str | None:
        """The name of the choice under the cursor."""
        return self.choice.name if self.choice else None

    @property
    def awaited(self) -> Action | None:
        """The action whose token the table waits for."""
        return self.selected if self.chosen else None

    @property
    def blind(self) -> bool:
        """Whether the sensors cannot tell if the awaited action has been done, so that OK says it."""
        sites = self.changes[self.awaited].sites if self.awaited else ()
        unknown = self.doubted | self.faulty
        return bool(sites) and (
            self.devices.get("board", "ready") != "ready" or any(self.sites.get(site, NO_SPACES) & unknown for site in sites)
        )

    @property
    def asked(self) -> bool:
        """Whether the board shows what several actions lead to, and the table asks which it was."""
        return bool(self.matches)

    @property
    def to_lift(self) -> Sequence[Space]:
        """The spaces whose tokens still have to come off, for the awaited action or for what has been begun or taken back."""
        if self.awaited:
            return self.board.to_lift(self.changes[self.awaited])
        if self.board.different() and not self.matches:
            return sorted({space for change in self.begun for space in self.board.to_lift(change)})
        return sorted(self.leftover)

    @cached_property
    def sites(self) -> Mapping[Site, Spaces]:
        """The spaces of each site."""
        return by_site(self.setup.overlay.spaces, self.setup.table.site)

    @property
    def hand_mode(self) -> str:
        """Where hands are looked at: phones only if there are pages for them, else the panel."""
        return PANEL if self.setup.hands == PHONES and not self.seat_pages else self.setup.hands

    @cached_property
    def keeps_secret(self) -> bool:
        """Whether the seat to move knows what others may not know, so that only it may see what it can do."""
        if self.setup.hands == OPEN or self.setup.options.get(CARDS) == HIDDEN or not self.playing or self.over:
            return False
        game = self.setup.game
        mover = game.to_move(self.state)
        return mover in game.seats(self.state) and game.view(self.state, mover) != game.public_view(self.state)

    @property
    def covered(self) -> bool:
        """Whether the panel shows only what everybody may know; a press of OK uncovers the hand where it is looked at here."""
        return self.keeps_secret and not self.open_menu and not (self.uncovered and self.hand_mode == PANEL)

    @property
    def covers_at(self) -> int | None:
        """When a hand that is shown is covered again, if no key is touched."""
        return self.looked_at + LOOK_MS if self.uncovered else None

    @property
    def deadline(self) -> int | None:
        """When the table wants a TimePassed, if nothing else happens before."""
        return self.wrong_since + WRONG_MS if self.wrong_since is not None and not self.wrong else None


Step = tuple[TableState, list[Effect]]
"""The table after something, and what is to be done about it."""
