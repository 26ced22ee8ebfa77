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
from engine.correction import correction
from engine.dealing import Deal, Kind, dealt_already, drawn, misdealt, new_deal, undrawable, unknown_card
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
    odd_card: Alert | None = None  # the last card laid on the reader, if nothing can be done with it
    names: tuple[str, ...] = ()
    cursor: int = 0
    said: tuple[Announcement, ...] = ()
    notice: Text | None = None  # why the game refused the last thing asked of it
    wrong_since: int | None = None
    wrong: bool = False
    recognised_at: int | None = None  # when the last action was read from the board alone; None if it was not
    devices: Mapping[str, str] = field(default_factory=dict)

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
        """The board against the layout; spaces that cannot be believed count as they should be."""
        sensed = (self.sensed - self.doubted) | (self.layout.spaces & self.doubted)
        return Comparison(self.layout.spaces, sensed, self.vacated, self.setup.table.site)

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
        if self.chosen or self.rearranging or not self.settled or self.declined is not None:
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
        if self.chosen or self.own_doing or not self.settled or self.matches:
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
            self.chosen
            or self.matches
            or self.rearranging
            or self.restarted
            or not self.settled
            or len(new) < 2
            or self.board.sensed != self.board.standing | set(new)
        ):
            return ()
        return explain(self.setup.table, self.session, new)

    @property
    def undecided(self) -> bool:
        """Whether what the board shows can just as well be a hand that corrects a token, or was done while nobody looked."""
        return self.restarted or not self.board.different() or any(self.changes[action].doubtful for action in self.matches)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.setup.game.over(self.state)

    @property
    def own_doing(self) -> bool:
        """Whether no player's action explains what differs: the table has changed the game, or a player says so."""
        return self.rearranging or self.restarted or self.declined is not None

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
            nothing = (Choice("nothing", answer=True),) if self.undecided else ()
            return (*(Choice(action, (action,)) for action in self.matches), *nothing), 0
        if self.exchanging:
            undo = (Choice("undo"),) if self.restored else ()
            return (*(Choice(action, (action,)) for action in self.exchanging), *undo), 0
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

    @property
    def alert(self) -> Alert | None:
        """What is wrong, the most urgent thing first."""
        return find_alert(self)

    @cached_property
    def sites(self) -> Mapping[Site, Spaces]:
        """The spaces of each site."""
        return by_site(self.setup.overlay.spaces, self.setup.table.site)

    @property
    def deadline(self) -> int | None:
        """When the table wants a TimePassed, if nothing else happens before."""
        return self.wrong_since + WRONG_MS if self.wrong_since is not None and not self.wrong else None


def open_table(setup: Setup) -> Step:
    """A table with a new game, first to be recorded; or with one that is still to be dealt, and just any game until then."""
    options = {**setup.options, **seed_option(setup.game, setup.seed)}
    session = new_session(setup, options)
    layout = first_layout(setup, session)
    table = Table(setup, session, layout, deal=new_deal(setup, "first", options), rearranging=bool(layout.spaces))
    return (table, []) if table.deal else begin(table, "new", f"new_game {setup.game.id}", options)


def new_session(setup: Setup, options: Mapping[str, str]) -> Session[Any]:
    """A new game with these options, without those that are the table's own; raises what a deal can raise."""
    return Session.new(setup.game, Options({key: value for key, value in options.items() if key not in setup.table.own_options}))


def first_layout(setup: Setup, session: Session[Any]) -> Layout:
    """Where tokens stand when a game begins."""
    return Layout(frozenset(space for space in setup.table.start(session.state) if space in setup.overlay.spaces))


def seed_option(game: Game[Any], seed: int) -> dict[str, str]:
    """The seed as an option, for a game that takes one."""
    return {"seed": str(seed)} if game.seeded else {}


def step(table: Table, event: Event, now: int) -> Step:
    """What an event at `now` makes of the table, and what is to be done about it, in order."""
    was_wrong = table.alert is not None
    seen_empty = table.vacated
    table, effects = HANDLERS[type(event)](table, event)
    table = agree(unmask(table))
    if isinstance(event, BoardRead | TimePassed | DevicesChanged):
        by_key = bool(table.chosen)
        table, recognised = recognise(table)
        if not recognised and (meant := correction(table, seen_empty, now)):
            table, recognised = correct(table, meant)
        if recognised:
            table = replace(table, recognised_at=None if by_key else now)
        effects += recognised
    elif any(isinstance(effect, Did) for effect in effects):
        table = replace(table, recognised_at=None)
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
    vacated -= table.restoring
    moved = event.sensed != table.sensed
    table = replace(
        table,
        sensed=event.sensed,
        arrivals=(*(space for space in table.arrivals if space in event.sensed), *sorted(event.sensed - set(table.arrivals))),
        settled=event.settled,
        ambiguous=event.ambiguous,
        faulty=event.faulty,
        vacated=vacated,
        notice=None if moved else table.notice,
        declined=None if moved else table.declined,
        leftover=table.leftover & event.sensed,
        restoring=(table.restoring | table.leftover) - event.sensed,
    )
    return table, []


def unmask(table: Table) -> Table:
    """A sensor that says what it should is believed again."""
    masked = table.masked & (table.sensed ^ table.layout.spaces)
    return table if masked == table.masked else replace(table, masked=masked)


def agree(table: Table) -> Table:
    """Once the board is as it should be, what differs later is somebody's doing; tokens stand where they are seen."""
    if not table.settled or table.ambiguous or table.board.different():
        return table
    if table.rearranging:
        table = replace(table, vacated=NO_SPACES)  # what was lifted has been put back as the table wanted it
    if table.rearranging or table.restarted:
        table = replace(table, rearranging=False, restarted=False)
    if table.chosen or table.matches or not (table.vacated or table.board.sensed != table.layout.spaces):
        return table
    return replace(table, layout=Layout(table.board.sensed, table.layout.before), vacated=NO_SPACES)


def recognise(table: Table) -> Step:
    """Does what the board shows to be done, if it can be only one thing.

    An awaited token on its own server needs no settled board: it cannot be anything else.
    """
    if table.seen_done and not table.rearranging:
        return perform(table, table.seen_done, table.board.sensed)
    if len(table.matches) == 1 and not table.undecided:
        return perform(table, table.matches[0], table.board.sensed)
    effects: list[Effect] = []
    for action, space in table.hurried:
        table, done = perform(table, action, table.layout.spaces | {space})
        effects += done
    return table, effects


def correct(table: Table, action: Action) -> Step:
    """Does an action in place of the last one, whose token has gone on."""
    before = table.layout.before or Layout(NO_SPACES)
    seen = table.board.sensed
    taken_back = replace(table, session=table.session.undo(), layout=before)
    table, done = perform(taken_back, action, seen)
    return table, [Did("undo", "undo", before.spaces), *done]


def explain(game_table: GameTable, session: Session[Any], spaces: Sequence[Space]) -> tuple[tuple[Action, Space], ...]:
    """What putting down tokens on `spaces` can only have been; () if it is not that clear.

    They count in this order, but one that is possible only after a later one waits for it: two hands can be that fast.
    """
    found: list[tuple[Action, Space]] = []
    left = list(spaces)
    while left:
        fitting = fitting_first(game_table, session.state, left)
        if len(fitting) != 1:
            return ()
        action, space = fitting[0]
        session, _ = session.do(action)
        found.append((action, space))
        left.remove(space)
    return tuple(found)


def fitting_first(game_table: GameTable, state: Any, spaces: Sequence[Space]) -> list[tuple[Action, Space]]:
    """What a token can be that has been put on the first of the spaces where it can be anything."""
    changes = [(action, change.puts) for action, change in game_table.changes(state).items() if not (change.clears or change.by_key)]
    by_space = ([(action, space) for action, puts in changes if puts == (game_table.site(space),)] for space in spaces)
    return next(filter(None, by_space), [])


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
    different = table.board.different().values()
    if not different or table.deal or table.matches or (table.over and all(len(site.does) < len(site.should) for site in different)):
        return False
    if table.chosen:
        return not any(table.board.on_the_way(table.changes[action]) for action in table.chosen)
    return table.own_doing or not (table.begun or table.exchanging)


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
        return agree_to(table, choice.name) if choice.actions else decline(table)
    if choice.answer:
        return replace(table, answers=(*table.answers, choice.name)), []
    if choice.next is not None:
        return start_next(table, choice)
    if choice.actions[0] in table.changes:
        table = replace(table, leftover=NO_SPACES, restoring=NO_SPACES)  # whoever goes on has put back what he wanted to
        return recognise(replace(table, chosen=choice.actions, cursor=0, names=choice.actions))
    if choice.dealt and table.setup.dealer == "reader":
        return replace(table, drawing=choice), []
    if choice.dealt:
        random = Random(f"{table.setup.seed}:{table.games}:{table.session.now.ply}")
        return perform(table, table.setup.table.deal(table.state, choice, random))
    return perform(table, choice.actions[0])


def agree_to(table: Table, action: Action) -> Step:
    """What the board shows is this action; then whatever else it shows."""
    change = table.changes[action]
    seen = table.board.sensed if table.board.counts_fit(change) else table.layout.spaces
    vacated = frozenset(space for space in table.vacated if table.board.site(space) not in change.sites)
    after, effects = perform(table, action, seen)
    after, more = recognise(replace(after, vacated=vacated) if change.exchanges else after)
    return after, effects + more


def decline(table: Table) -> Step:
    """What the board shows is no action: not to be asked about again until it shows something else."""
    if any(table.changes[action].exchanges for action in table.matches):
        return recognise(replace(table, vacated=NO_SPACES))
    return replace(table, vacated=NO_SPACES, declined=table.sensed), []


def confirm_unseen(table: Table, action: Action) -> Step:
    """OK while a token is awaited: the player says it is there. Believed where the sensors cannot tell."""
    if table.board.counts_fit(table.changes[action]):
        return perform(table, action, table.board.sensed)
    return perform(table, action) if table.blind else (table, [])


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
    """A short BACK: forgets what was chosen or answered, or says that what was asked about was nothing."""
    if table.matches:
        return decline(table)
    return replace(table, chosen=(), drawing=None, answers=table.answers[:-1]), []


def take_back(table: Table) -> Step:
    """A long BACK: the last action is taken back, and the board has to follow."""
    try:
        session = table.session.undo()
    except GameError as error:
        return replace(table, notice=error.reason, chosen=()), []
    layout = table.layout.before or Layout(NO_SPACES)
    taken = table.last_change.clears
    leftover = frozenset(space for space in table.board.sensed if table.board.site(space) in taken) | table.leftover
    table = settle_down(replace(table, session=session, layout=layout, rearranging=True, said=()))
    occupied = {table.board.site(space) for space in layout.spaces}
    leftover = frozenset(space for space in leftover if table.board.site(space) in occupied)
    return replace(table, leftover=leftover), [Did("undo", "undo", layout.spaces)]


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
    if not deal.fits(card):
        return replace(table, odd_card=misdealt()), []
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
    session = new_session(table.setup, options)
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


def perform(table: Table, action: Action, seen: Spaces | None = None) -> Step:
    """Does an action. `seen` is the layout that the board shows; without it one is made up and the board has to follow.

    Raises IllegalAction; the caller knows whom to tell.
    """
    change = table.changes.get(action, Change())
    session, said = table.session.do(action)
    spaces = seen
    if spaces is None:
        spaces = layout_after(table.layout.spaces, change, preferred(table), table.board.site)
    table = settle_down(replace(table, session=session, layout=Layout(spaces, table.layout), said=tuple(said)))
    table = replace(table, rearranging=table.rearranging or (seen is None and bool(change.sites)))
    return table, [Did("do", action, spaces, tuple(said)), tone_of(table.setup.table, said)]


def tone_of(game_table: GameTable, said: Sequence[Announcement]) -> Tone:
    """How what an action announced sounds."""
    tones = [game_table.tones[each["say"]] for each in said if each["say"] in game_table.tones]
    return Tone(tones[-1] if tones else "right")


def preferred(table: Table) -> Mapping[Site, Sequence[Space]]:
    """The spaces of each site, those first where a token is sensed."""
    return {site: sorted(spaces, key=lambda space: (space not in table.sensed, space)) for site, spaces in table.sites.items()}


def settle_down(table: Table) -> Table:
    """After any action: nothing is chosen, nothing has been seen to leave."""
    table = replace(table, vacated=NO_SPACES, leftover=NO_SPACES, restoring=NO_SPACES, declined=None)
    return replace(table, chosen=(), answers=(), drawing=None, odd_card=None, wrong_since=None, wrong=False)


def start_next(table: Table, choice: Choice) -> Step:
    """The next game or match that the players chose."""
    seed = Random(f"{table.setup.seed}:{table.games + 1}").getrandbits(31)
    options = {**seed_option(table.setup.game, seed), **(choice.next or {})}
    if choice.restart:
        options = {**table.setup.options, **options}
    if deal := new_deal(table.setup, "new" if choice.restart else "next", options, None if choice.restart else table.state):
        return replace(table, deal=deal, answers=()), []
    try:
        if not choice.restart:
            return begin_next(table, Options(options))
        session = new_session(table.setup, options)
    except GameError as error:
        return replace(table, notice=error.reason, answers=()), []
    return begin(clear_away(table, session), "new", f"new_game {table.setup.game.id}", options)


def begin_next(table: Table, options: Options) -> Step:
    """The next game of the match; raises what `Game.next` raises."""
    given = options.as_dict()
    return begin(clear_away(table, table.session.next(options)), "next", "next", given)


def clear_away(table: Table, session: Session[Any]) -> Table:
    """A new game on a board that may still be full of the old one."""
    layout = first_layout(table.setup, session)
    return settle_down(replace(table, session=session, layout=layout, rearranging=True, said=(), games=table.games + 1))


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
