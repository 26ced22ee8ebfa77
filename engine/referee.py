"""The referee: (table, event) → (table, effects). Pure: no clock, no device, no file.

Positions are the truth. What the sensors read is compared with the positions that the legal actions lead to (`engine.board`):
one match is the action, several are a question, none is an alert that goes away by itself once the board is right.
The keys run through choices; which ones is never stored but derived from the game and the board, so no state of the
table can be a dead end. All times are the caller's milliseconds. What is known and derived is in `engine.tabletop`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.board import NO_SPACES
from engine.correction import correction
from engine.dealing import Deal, dealt_already, drawn, misdealt, undrawable, unknown_card
from engine.deeds import begin_dealt, begin_next, perform, take_back
from engine.errors import GameError, IllegalAction
from engine.events import BoardRead, CardLaid, CardTaken, DevicesChanged, Did, Event, KeyPressed, Ordered, SavingChanged, TimePassed, Tone
from engine.keys import press_key
from engine.options import Options
from engine.recognition import correct, recognise
from engine.tabletop import WRONG_MS, Layout, Step, Table


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
    if table.aside:
        table, more = table.aside.watch(table)
        effects += more
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
    if not different or not is_judged(table) or table.matches:
        return False
    if table.over and all(len(site.does) < len(site.should) for site in different):
        return False  # the tokens are being put away
    if table.chosen:
        return not any(table.board.on_the_way(table.changes[action]) for action in table.chosen)
    return table.own_doing or not (table.begun or table.exchanging)


def is_judged(table: Table) -> bool:
    """Whether it matters now where tokens stand."""
    return table.deal is None and (table.aside is None or table.aside.checks_board)


def lay_card(table: Table, event: CardLaid) -> Step:
    """A card on the reader: it is dealt, or drawn, or out of place. Without a deck on the table only strange cards matter."""
    table = replace(table, odd_card=None, notice=None)
    if event.card is None:
        return replace(table, odd_card=unknown_card(event.tag)), []
    if table.deal:
        return deal_card(table, table.deal, event)
    if not table.playing or table.setup.dealer != "reader":
        return table, []
    action = drawn(table, event.card)
    return perform(table, action) if action else (replace(table, odd_card=undrawable(table, event.card)), [])


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


def obey(table: Table, event: Ordered) -> Step:
    """An action that did not come from the board or the keys: the board has to follow."""
    name, *words = event.action.split()
    table = replace(table, notice=None)
    try:
        if table.deal:
            raise IllegalAction("the cards are being dealt: lay them on the reader")
        if not table.playing:
            raise IllegalAction("the game is being set up: start it first")
        if name == "undo":
            return take_back(table)
        if name == "next":
            return begin_next(table, Options.parse(words))
        return perform(table, " ".join([name, *words]))
    except GameError as error:
        return replace(table, notice=error.reason), []


def note_devices(table: Table, event: DevicesChanged) -> Step:
    """A device came or went: that is an alert, never an end."""
    return replace(table, devices=event.states), []


def note_saving(table: Table, event: SavingChanged) -> Step:
    """The disk failed or is back: that is an alert, never an end."""
    return replace(table, unsaved=event.problem), []


def pass_time(table: Table, event: TimePassed) -> Step:
    """Nothing by itself; the board is judged anew."""
    return table, []


HANDLERS: Mapping[type, Callable[[Table, Any], Step]] = {
    BoardRead: read_board,
    KeyPressed: press_key,
    CardLaid: lay_card,
    CardTaken: take_card,
    DevicesChanged: note_devices,
    SavingChanged: note_saving,
    Ordered: obey,
    TimePassed: pass_time,
}
