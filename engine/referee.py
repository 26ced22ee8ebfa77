"""The referee: (table, event) → (table, effects). Pure: no clock, no device, no file.

Positions are the truth. What the sensors read is compared with the positions that the legal actions lead to (`engine.board`):
one match is the action, several are a question, none is an alert that goes away by itself once the board is right.
The keys run through choices; which ones is never stored but derived from the game and the board, so no state of the
table can be a dead end. All times are the caller's milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

from engine.alerts import Alert, find_alert
from engine.board import NO_SPACES, Comparison, Spaces, by_site, differences, layout_after
from engine.dealing import Deal, Kind, dealt_already, drawn, new_deal, undrawable, unknown_card
from engine.errors import GameError, IllegalAction, Text
from engine.events import BoardRead, CardLaid, CardTaken, DevicesChanged, Did, Effect, Event, KeyPressed, Ordered, TimePassed, Tone
from engine.game import Action, Announcement, Game
from engine.options import Options
from engine.session import Session
from engine.table import Change, Choice, GameTable, Overlay, Site, Space

WRONG_MS = 600
"""How long a settled board may differ before it is called wrong: a nudge is put back by then."""

Step = tuple["Table", list[Effect]]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where tokens should stand, and the layout before the last action."""

    spaces: Spaces
    before: Layout | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """How the table was set: the game, its options as given (without `seed`), the seed of all dealing.

    `dealer` is "engine", or "reader" if cards are drawn from a deck on the table and shown to the card reader.
    """

    game: Game[Any]
    table: GameTable
    overlay: Overlay
    options: Mapping[str, str]
    seed: int
    dealer: str = "engine"


@dataclass(frozen=True)
class Table:
    """Everything the referee knows."""

    setup: Setup
    session: Session[Any]
    layout: Layout
    games: int = 0  # games begun before this one in the evening
    sensed: Spaces = NO_SPACES
    settled: bool = False
    vacated: Spaces = NO_SPACES  # of the layout, seen empty since the last action
    ambiguous: Spaces = NO_SPACES
    faulty: Spaces = NO_SPACES
    masked: Spaces = NO_SPACES  # not to be believed, says the player
    rearranging: bool = False  # the layout changed without a hand on the board: until they agree nothing is recognised
    restarted: bool = False  # the program was away: what differs is not a player's mistake
    chosen: tuple[Action, ...] = ()
    answers: tuple[str, ...] = ()
    drawing: Choice | None = None  # a player draws: the card is to be laid on the reader
    deal: Deal | None = None  # no game yet: its cards are laid on the reader one by one
    odd_card: Alert | None = None  # the last card laid on the reader, if nothing can be done with it
    names: tuple[str, ...] = ()
    cursor: int = 0
    said: tuple[Announcement, ...] = ()
    notice: Text | None = None  # why the game refused the last thing asked of it
    wrong_since: int | None = None
    wrong: bool = False
    devices: Mapping[str, str] = field(default_factory=dict)

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.session.state

    @cached_property
    def changes(self) -> Mapping[Action, Change]:
        """The legal actions that move tokens."""
        return self.setup.table.changes(self.state)

    @cached_property
    def board(self) -> Comparison:
        """The board against the layout; spaces that cannot be believed count as they should be."""
        doubted = self.masked | self.ambiguous
        sensed = (self.sensed - doubted) | (self.layout.spaces & doubted)
        return Comparison(self.layout.spaces, sensed, self.vacated | doubted, self.setup.table.site)

    @cached_property
    def matches(self) -> tuple[Action, ...]:
        """Actions that nobody chose by key but that the settled board shows to be done."""
        if self.chosen or self.rearranging or not self.settled:
            return ()
        return tuple(action for action, change in self.changes.items() if change.sites and self.board.fulfils(change))

    @cached_property
    def unchanged(self) -> bool:
        """Whether the board looks as if nothing had been done at all."""
        return self.board.sensed == self.board.standing

    @cached_property
    def restored(self) -> bool:
        """Whether the settled board shows the position before the last action."""
        before = self.layout.before
        if before is None or self.rearranging or not self.settled or not self.board.different():
            return False
        return not differences(before.spaces, self.board.sensed, self.setup.table.site)

    @cached_property
    def menu(self) -> tuple[tuple[Choice, ...], int]:
        """What left and right run through, and where the cursor begins."""
        if self.deal:
            return (), 0
        if self.chosen or self.drawn_by_key:
            return tuple(Choice(action, (action,)) for action in self.chosen or self.drawn_by_key), 0
        if self.matches:
            nothing = (Choice("nothing", answer=True),) if self.unchanged else ()
            return (*(Choice(action, (action,)) for action in self.matches), *nothing), 0
        choices, first = self.setup.table.menu(self.state, self.answers)
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
    def asked(self) -> bool:
        """Whether the board shows what several actions lead to, and the table asks which it was."""
        return bool(self.matches)

    @property
    def to_lift(self) -> Sequence[Space]:
        """The spaces whose tokens still have to come off for the awaited action."""
        return self.board.to_lift(self.changes[self.awaited]) if self.awaited else ()

    @property
    def alert(self) -> Alert | None:
        """What is wrong, the most urgent thing first."""
        return find_alert(self)

    @property
    def sites(self) -> Mapping[Site, Spaces]:
        """The spaces of each site."""
        return by_site(self.setup.overlay.spaces, self.setup.table.site)

    @property
    def deadline(self) -> int | None:
        """When the table wants a TimePassed, if nothing else happens before."""
        return self.wrong_since + WRONG_MS if self.wrong_since is not None and not self.wrong else None


def open_table(setup: Setup) -> Step:
    """A table with a new game, first to be recorded; or with one that is still to be dealt, and just any game until then."""
    options = {**setup.options, "seed": str(setup.seed)}
    session = Session.new(setup.game, Options(options))
    table = Table(setup, session, Layout(NO_SPACES), deal=new_deal(setup, "first", options))
    return (table, []) if table.deal else begin(table, "new", f"new_game {setup.game.id}", options)


def step(table: Table, event: Event, now: int) -> Step:
    """What an event at `now` makes of the table, and what is to be done about it, in order."""
    was_wrong = table.alert is not None
    table, effects = HANDLERS[type(event)](table, event)
    if isinstance(event, BoardRead | TimePassed | DevicesChanged):
        table, recognised = recognise(table)
        effects += recognised
    table = judge_board(table, now)
    names = tuple(choice.name for choice in table.choices)
    if names != table.names:
        table = replace(table, names=names, cursor=table.menu[1])
    if table.alert and not was_wrong:
        effects.append(Tone("wrong"))
    return table, effects


def read_board(table: Table, event: BoardRead) -> Step:
    """The sensors read something else than before."""
    vacated = table.vacated | (table.layout.spaces - event.sensed) if event.settled else table.vacated
    moved = event.sensed != table.sensed
    table = replace(
        table,
        sensed=event.sensed,
        settled=event.settled,
        ambiguous=event.ambiguous,
        faulty=event.faulty,
        vacated=vacated,
        notice=None if moved else table.notice,
        masked=frozenset(space for space in table.masked if (space in event.sensed) != (space in table.layout.spaces)),
    )
    if event.settled and not table.board.different() and not event.ambiguous:
        table = replace(table, rearranging=False, restarted=False)
    return table, []


def recognise(table: Table) -> Step:
    """Does what the board shows to be done, if it can be only one thing.

    An awaited token on its own server needs no settled board: it cannot be anything else.
    """
    if table.awaited:
        if not table.rearranging and table.board.fulfils(table.changes[table.awaited]):
            return perform(table, table.awaited, seen=True)
    elif len(table.matches) == 1 and not table.unchanged:
        return perform(table, table.matches[0], seen=True)
    return table, []


def judge_board(table: Table, now: int) -> Table:
    """Starts, ends or keeps the time that the board has been wrong."""
    if not is_wrong(table):
        return replace(table, wrong_since=None, wrong=False) if table.wrong_since is not None else table
    if table.wrong_since is None:
        return replace(table, wrong_since=now) if table.settled else table
    if not table.settled and not table.wrong:
        return replace(table, wrong_since=None)
    return replace(table, wrong=table.wrong or now - table.wrong_since >= WRONG_MS)


def is_wrong(table: Table) -> bool:
    """Whether the board differs from the game by more than an action on its way."""
    different = table.board.different()
    if not different or table.deal:
        return False
    if table.rearranging or (table.restarted and not table.matches):
        return True
    if table.awaited:
        return not table.board.on_the_way(table.changes[table.awaited])
    if table.matches:
        return False
    something_put = bool(table.board.sensed - table.board.standing)
    return not (something_put and any(table.board.on_the_way(change) for change in table.changes.values()))


def press_key(table: Table, event: KeyPressed) -> Step:
    """A key does what it says on the panel."""
    table = replace(table, notice=None, odd_card=None)
    keys = DEALING if table.deal else HELD if event.held else PRESSED
    table, effects = keys[event.name](table)
    return table, effects or [Tone("click")]


def turn(by: int) -> Callable[[Table], Step]:
    """Moves the cursor, round at the ends."""

    def move(table: Table) -> Step:
        count = len(table.choices)
        return (replace(table, cursor=(table.cursor + by) % count) if count else table), []

    return move


def confirm(table: Table) -> Step:
    """OK: the choice under the cursor."""
    choice = table.choice
    if choice is None:
        return table, []
    table = replace(table, drawing=None)
    if table.chosen:
        return confirm_unseen(table, choice.name)
    if choice.name == "undo":
        return take_back(table)
    if table.matches:
        return perform(table, choice.name, seen=True) if choice.actions else (replace(table, vacated=NO_SPACES), [])
    if choice.answer:
        return replace(table, answers=(*table.answers, choice.name)), []
    if choice.next is not None:
        return start_next(table, choice)
    if choice.actions[0] in table.changes:
        return recognise(replace(table, chosen=choice.actions, cursor=0, names=choice.actions))
    if choice.dealt and table.setup.dealer == "reader":
        return replace(table, drawing=choice), []
    if choice.dealt:
        random = Random(f"{table.setup.seed}:{table.games}:{table.session.now.ply}")
        return perform(table, table.setup.table.deal(table.state, choice, random))
    return perform(table, choice.actions[0])


def confirm_unseen(table: Table, action: Action) -> Step:
    """OK while a token is awaited: the player says it is there. Believed where the sensors cannot tell."""
    change = table.changes[action]
    blind = table.devices.get("board", "ready") != "ready" or any(
        space in table.masked or space in table.faulty for site in change.sites for space in table.sites.get(site, NO_SPACES)
    )
    if table.board.counts_fit(change):
        return perform(table, action, seen=True)
    return perform(table, action) if blind else (table, [])


def insist(table: Table, action: Action) -> Step:
    """A long OK while a token is awaited: it is there. Spaces that do not show it are not believed until they do."""
    sites = table.changes[action].sites
    table, effects = confirm_unseen(table, action)
    if effects:
        return table, effects
    table, effects = perform(table, action)
    unseen = {space for space in table.layout.spaces ^ table.sensed if table.board.site(space) in sites}
    return replace(table, masked=table.masked | unseen), effects


def confirm_long(table: Table) -> Step:
    """A long OK: with an alert, go on without these spaces; else the token that is awaited is there, or the other way (the giant)."""
    alert = table.alert
    if alert and table.wrong:
        masked = table.masked | {space for site in table.board.different().values() for space in site.should ^ site.does}
        return replace(table, masked=masked, wrong=False, wrong_since=None), [Tone("click")]
    if table.awaited:
        return insist(table, table.awaited)
    choice = table.choice
    if choice is None or choice.dealt or not choice.actions or choice.actions[0] in table.changes:
        return confirm(table)
    if len(choice.actions) < 2:
        return replace(table, notice=Text("there is only one way to do it", {})), []
    return perform(table, choice.actions[1])


def go_back(table: Table) -> Step:
    """A short BACK: forgets what was chosen or answered."""
    return replace(table, chosen=(), drawing=None, answers=table.answers[:-1]), []


def take_back(table: Table) -> Step:
    """A long BACK: the last action is taken back, and the board has to follow."""
    try:
        session = table.session.undo()
    except GameError as error:
        return replace(table, notice=error.reason, chosen=()), []
    layout = table.layout.before or Layout(NO_SPACES)
    table = settle_down(replace(table, session=session, layout=layout, rearranging=True, said=()))
    return table, [Did("undo", "undo", layout.spaces)]


def nothing(table: Table) -> Step:
    """A key that means nothing for now."""
    return table, []


PRESSED: Mapping[str, Callable[[Table], Step]] = {"left": turn(-1), "right": turn(1), "ok": confirm, "back": go_back}
HELD: Mapping[str, Callable[[Table], Step]] = {"left": nothing, "right": nothing, "ok": confirm_long, "back": take_back}


def deal_back(table: Table) -> Step:
    """BACK while cards are dealt: the last one goes back to the deck; without one there is no deal, if there can be none."""
    deal = table.deal
    if deal and not deal.cards and deal.kind != "first":
        return replace(table, deal=None), []
    return replace(table, deal=deal and replace(deal, cards=deal.cards[:-1])), []


DEALING: Mapping[str, Callable[[Table], Step]] = {"left": nothing, "right": nothing, "ok": nothing, "back": deal_back}


def lay_card(table: Table, event: CardLaid) -> Step:
    """A card on the reader: it is dealt, or drawn, or out of place. Without a deck on the table only strange cards matter."""
    table = replace(table, odd_card=None, notice=None)
    if event.card is None:
        return replace(table, odd_card=unknown_card(event.tag)), []
    if table.deal:
        return deal_card(table, table.deal, event)
    if table.setup.dealer != "reader":
        return table, []
    action = drawn(table, event.card)
    return perform(table, action) if action else (replace(table, odd_card=undrawable(table)), [])


def take_card(table: Table, event: CardTaken) -> Step:
    """The reader is free again."""
    return replace(table, odd_card=None), []


def deal_card(table: Table, deal: Deal, card: CardLaid) -> Step:
    """One more card of the deal; the last one begins the game."""
    if deal.has(card):
        return replace(table, odd_card=dealt_already()), []
    deal = replace(deal, cards=(*deal.cards, card))
    if deal.pile:
        return replace(table, deal=deal), [Tone("click")]
    try:
        return begin_dealt(replace(table, deal=None), deal.kind, {**deal.options, **deal.dealt})
    except GameError as error:
        return replace(table, deal=replace(deal, cards=()), notice=error.reason), []


def begin_dealt(table: Table, kind: Kind, options: Mapping[str, str]) -> Step:
    """The game whose cards have been laid down; raises what a deal can raise."""
    if kind == "next":
        return begin_next(table, Options(dict(options)))
    session = Session.new(table.setup.game, Options(dict(options)))
    table = replace(table, session=session) if kind == "first" else clear_away(table, session)
    return begin(table, "new", f"new_game {table.setup.game.id}", options)


def obey(table: Table, event: Ordered) -> Step:
    """An action that did not come from the board or the keys: the board has to follow."""
    name, *words = event.action.split()
    table = replace(table, notice=None)
    try:
        if table.deal:
            raise IllegalAction("the cards are being dealt: lay them on the reader")
        if name == "undo":
            return take_back(table)
        if name == "next":
            return begin_next(table, Options.parse(words))
        return perform(table, " ".join([name, *words]))
    except GameError as error:
        return replace(table, notice=error.reason), []


def perform(table: Table, action: Action, seen: bool = False) -> Step:
    """Does an action. `seen`: the board shows it already; otherwise the layout is made up and the board has to follow.

    Raises IllegalAction; the caller knows whom to tell.
    """
    change = table.changes.get(action, Change())
    session, said = table.session.do(action)
    if seen:
        spaces = table.board.sensed
    else:
        spaces = layout_after(table.layout.spaces, change, {site: sorted(group) for site, group in table.sites.items()}, table.board.site)
    table = settle_down(replace(table, session=session, layout=Layout(spaces, table.layout), said=tuple(said)))
    table = replace(table, rearranging=table.rearranging or (not seen and bool(change.sites)))
    won = any(announcement["say"] == "win" for announcement in said)
    return table, [Did("do", action, spaces, tuple(said)), Tone("win" if won else "right")]


def settle_down(table: Table) -> Table:
    """After any action: nothing is chosen, nothing has been seen to leave."""
    table = replace(table, chosen=(), answers=(), drawing=None, odd_card=None)
    return replace(table, vacated=NO_SPACES, wrong_since=None, wrong=False)


def start_next(table: Table, choice: Choice) -> Step:
    """The next game or match that the players chose."""
    seed = str(Random(f"{table.setup.seed}:{table.games + 1}").getrandbits(31))
    options = {"seed": seed, **(choice.next or {})}
    if choice.restart:
        options = {**table.setup.options, **options}
    if deal := new_deal(table.setup, "new" if choice.restart else "next", options, None if choice.restart else table.state):
        return replace(table, deal=deal, answers=()), []
    try:
        if not choice.restart:
            return begin_next(table, Options(options))
        session = Session.new(table.setup.game, Options(options))
    except GameError as error:
        return replace(table, notice=error.reason, answers=()), []
    return begin(clear_away(table, session), "new", f"new_game {table.setup.game.id}", options)


def begin_next(table: Table, options: Options) -> Step:
    """The next game of the match; raises what `Game.next` raises."""
    given = options.as_dict()
    return begin(clear_away(table, table.session.next(options)), "next", "next", given)


def clear_away(table: Table, session: Session[Any]) -> Table:
    """A new game on a board that may still be full of the old one."""
    return settle_down(replace(table, session=session, layout=Layout(NO_SPACES), rearranging=True, said=(), games=table.games + 1))


def begin(table: Table, kind: Any, action: Action, options: Mapping[str, str]) -> Step:
    """A new game that is to be recorded whole."""
    record = table.setup.game.record(table.state)
    return table, [Did(kind, action, table.layout.spaces, (), options, record), Tone("right")]


def note_devices(table: Table, event: DevicesChanged) -> Step:
    """A device came or went: that is an alert, never an end."""
    return replace(table, devices=event.states), []


def pass_time(table: Table, event: TimePassed) -> Step:
    """Nothing by itself; the board is judged anew."""
    return table, []


HANDLERS: Mapping[type, Callable[[Table, Any], Step]] = {
    BoardRead: read_board,
    KeyPressed: press_key,
    CardLaid: lay_card,
    CardTaken: take_card,
    DevicesChanged: note_devices,
    Ordered: obey,
    TimePassed: pass_time,
}
