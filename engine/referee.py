"""The referee: (table, event) → (table, effects). Pure: no clock, no device, no file.

Positions are the truth. What the sensors read is compared with the positions that the legal actions lead to (`engine.board`):
one match is the action, several are a question, none is an alert that goes away by itself once the board is right.
The keys run through choices; which ones is never stored but derived from the game and the board, so no state of the
table can be a dead end. All times are the caller's milliseconds. What is known and derived is in `engine.tabletop`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from engine.board import NO_SPACES, Spaces, layout_after
from engine.correction import correction
from engine.dealing import Deal, Kind, dealt_already, drawn, misdealt, new_deal, undrawable, unknown_card
from engine.errors import GameError, IllegalAction, Text
from engine.events import BoardRead, CardLaid, CardTaken, DevicesChanged, Did, Effect, Event, KeyPressed, Ordered, TimePassed, Tone
from engine.game import Action, Announcement, Game
from engine.options import Options
from engine.session import Session
from engine.table import Change, Choice, GameTable, Site, Space
from engine.tabletop import WRONG_MS, Layout, Setup, Table

Step = tuple[Table, list[Effect]]


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
