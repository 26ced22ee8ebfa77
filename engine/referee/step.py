"""The referee: (table, event) → (table, effects). Pure: no clock, no device, no file.

Everything that happens at a table comes in as an event: the board was read, a key was pressed, a card was laid on the reader,
a device came or went, the disk failed, time passed, or an action was ordered. `step` answers the table after it and what is to
be done about it, in order: `Did` has to be on disk before anybody sees it, `Tone` is a sound. It raises nothing; what cannot
be done is a notice on the table. All times are the caller's milliseconds.

**Positions are the truth.** A sensor tells that a token stands on a space, not what happened. So nothing is concluded from
movements. What stands is compared with what should (`comparison`), and with what would stand after each legal action:

    it is as it should be         nothing has happened
    one action leads to it        that action is done, if a hand that only corrects a token cannot have made it too
    several actions lead to it    a question; the keys choose the answer
    an action can be on its way   nothing yet: tokens may be lifted and put down in any order
    none of these                 an alert, once the board has stayed so for WRONG_MS; it goes away when the board is right

Only a settled board counts, one on which nothing has moved for a while. There are two exceptions. A token on a site of an
action that a key has chosen counts at once, for it cannot be anything else. Several tokens put down before the board came to
rest count in the order in which they came, if that explains all of them (`burst`).

**Three ways to take part of it back.** A *slide* (`slide`): a token that is pushed on within FRESH_MS, without a hand on any
other, makes the last action another one. A *take-back*: the last action never happened, and the board has to follow. A *manual
override* (`actions.override`): a referee sets something by hand, which the record shows.

**Who follows whom.** After most events the board leads and the game follows. After a take-back, an override, an action from
elsewhere or a new game the game leads: the table is *rearranging*, recognises nothing, and asks for one move after the other
(`repair_moves`) until the board agrees. After a power cut it is *restarted*: the board may show an action that nobody saw, so
the table asks instead of concluding.

**Doubt.** Spaces that the sensors cannot tell (ambiguous) or that a player has said not to believe (masked) count as they
should be, so that the game goes on around them; where an action needs one, OK says that the token is there.

**The keys** run through choices (`keys`). Which ones is never stored but derived from game, board and menu; if they change the
cursor goes to the first. So no state of the table is a dead end, and none can be out of date. What is stored and what is derived
is in `state`.

The order inside `step` matters: an event changes facts first; then facts that have become untrue are dropped (`unmask`, `agree`);
then the board is asked what it shows (`inference`, `slide`); then an open menu may act (`watch`); then the board is judged; then
the cursor is placed; and last a tone says that something has become wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from underboard.engine.base.errors import GameError, IllegalAction
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import NO_SPACES
from underboard.engine.referee.actions import begin_dealt, begin_next, perform, take_back
from underboard.engine.referee.curtain import cover, is_dropped, let_keys_rest
from underboard.engine.referee.deal import Deal
from underboard.engine.referee.dealing import dealt_already, drawn, misdealt, undrawable, unknown_card
from underboard.engine.referee.events import (
    BoardRead,
    CardLaid,
    CardTaken,
    Chosen,
    DevicesChanged,
    Did,
    Event,
    KeyPressed,
    Ordered,
    SavingChanged,
    SeatPages,
    TimePassed,
    Tone,
)
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.inference import recognise, replace_last
from underboard.engine.referee.keys import choose, press_key
from underboard.engine.referee.menu.seat_codes import has_begun, note_pages, offer_codes
from underboard.engine.referee.slide import slid_to
from underboard.engine.referee.state import WRONG_MS, Step, TableState, TokenLayout


def step(table: TableState, event: Event, now: int) -> Step:
    """What an event at `now` makes of the table, and what is to be done about it, in order."""
    if is_dropped(table, event, now):
        return table, []
    before, was_wrong = table, find_alert(table) is not None
    seen_empty = table.vacated
    table, effects = HANDLERS[type(event)](table, event)
    table = agree(unmask(table))
    if isinstance(event, BoardRead | TimePassed | DevicesChanged):
        by_key = bool(table.chosen)
        table, recognised = recognise(table)
        if not recognised and (meant := slid_to(table, seen_empty, now)):
            table, recognised = replace_last(table, meant)
        if recognised:
            table = replace(table, recognised_at=None if by_key else now)
        effects += recognised
    elif any(isinstance(effect, Did) for effect in effects):
        table = replace(table, recognised_at=None)
    if table.open_menu:
        table, more = table.open_menu.watch(table)
        effects += more
    if has_begun(effects):
        table = offer_codes(table)
    table = judge_board(table, now)
    table = let_keys_rest(before, cover(before, table, event, effects, now), now)
    names = tuple(choice.name for choice in table.choices)
    if names != table.names:
        table = replace(table, names=names, cursor=table.menu[1])
    if find_alert(table) and not was_wrong:
        effects.append(Tone("wrong"))
    return table, effects


def read_board(table: TableState, event: BoardRead) -> Step:
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


def unmask(table: TableState) -> TableState:
    """A sensor that says what it should is believed again."""
    masked = table.masked & (table.sensed ^ table.layout.spaces)
    return table if masked == table.masked else replace(table, masked=masked)


def agree(table: TableState) -> TableState:
    """Once the board is as it should be, what differs later is somebody's doing; tokens stand where they are seen."""
    if not table.settled or table.ambiguous or table.board.different():
        return table
    if table.rearranging:
        table = replace(table, vacated=NO_SPACES)  # what was lifted has been put back as the table wanted it
    if table.rearranging or table.restarted:
        table = replace(table, rearranging=False, restarted=False)
    if table.chosen or table.matches or not (table.vacated or table.board.sensed != table.layout.spaces):
        return table
    return replace(table, layout=TokenLayout(table.board.sensed, table.layout.before), vacated=NO_SPACES)


def judge_board(table: TableState, now: int) -> TableState:
    """Starts, ends or keeps the time that the board has been wrong."""
    if not is_wrong(table):
        return replace(table, wrong_since=None, wrong=False) if table.wrong_since is not None else table
    if table.wrong_since is None:
        return replace(table, wrong_since=now) if table.settled else table
    if not table.settled and not table.wrong:
        return replace(table, wrong_since=None)
    return replace(table, wrong=table.wrong or now - table.wrong_since >= WRONG_MS)


def is_wrong(table: TableState) -> bool:
    """Whether the board differs from the game by more than an action on its way."""
    different = table.board.different().values()
    if not different or not is_judged(table) or table.matches:
        return False
    if table.over and all(len(site.does) < len(site.should) for site in different):
        return False  # the tokens are being put away
    if table.chosen:
        return not any(table.board.on_the_way(table.changes[action]) for action in table.chosen)
    return table.own_doing or not (table.begun or table.exchanging)


def is_judged(table: TableState) -> bool:
    """Whether it matters now where tokens stand."""
    return table.deal is None and (table.open_menu is None or table.open_menu.checks_board)


def lay_card(table: TableState, event: CardLaid) -> Step:
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


def take_card(table: TableState, event: CardTaken) -> Step:
    """The reader is free again."""
    return replace(table, odd_card=None), []


def deal_card(table: TableState, deal: Deal, card: CardLaid) -> Step:
    """One more card of the deal; the last one begins the game."""
    if deal.has(card):
        return replace(table, odd_card=dealt_already()), []
    if not deal.fits(card):
        return replace(table, odd_card=misdealt()), []
    deal = replace(deal, cards=(*deal.cards, card))
    if deal.pile:
        return replace(table, deal=deal), [Tone("click")]
    try:
        return begin_dealt(replace(table, deal=None, planned=None), deal.kind, {**deal.options, **deal.dealt})
    except GameError as error:
        return replace(table, deal=replace(deal, cards=()), notice=error.reason), []


def obey(table: TableState, event: Ordered) -> Step:
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


def note_devices(table: TableState, event: DevicesChanged) -> Step:
    """A device came or went: that is an alert, never an end."""
    return replace(table, devices=event.states), []


def note_saving(table: TableState, event: SavingChanged) -> Step:
    """The disk failed or is back: that is an alert, never an end."""
    return replace(table, unsaved=event.problem), []


def pass_time(table: TableState, event: TimePassed) -> Step:
    """Nothing by itself; the board is judged anew."""
    return table, []


HANDLERS: Mapping[type, Callable[[TableState, Any], Step]] = {
    BoardRead: read_board,
    KeyPressed: press_key,
    Chosen: choose,
    CardLaid: lay_card,
    CardTaken: take_card,
    DevicesChanged: note_devices,
    SavingChanged: note_saving,
    SeatPages: note_pages,
    Ordered: obey,
    TimePassed: pass_time,
}
