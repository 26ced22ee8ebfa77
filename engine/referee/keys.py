"""What each key does at a table, pressed briefly or held for a second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from underboard.engine.base.errors import Text
from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.game import Action, Seat
from underboard.engine.gamekit.overlay import NO_SPACES
from underboard.engine.gamekit.settings import PANEL
from underboard.engine.gamekit.table import Choice, leading_to
from underboard.engine.referee.actions import dealt, perform, start_next, take_back
from underboard.engine.referee.dealing import can_be_left
from underboard.engine.referee.events import Chosen, Effect, KeyPressed, Tone
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.inference import recognise
from underboard.engine.referee.menu.main import MainMenu
from underboard.engine.referee.menu.new_game import set_up_again
from underboard.engine.referee.state import Step, TableState

KeyBindings = Mapping[str, Callable[[TableState], Step]]


def press_key(table: TableState, event: KeyPressed) -> Step:
    """A key does what it says on the panel."""
    table = replace(table, notice=None, odd_card=None)
    pressed, held = keys_of(table) if event.seat is None else keys_of_seat(table, event.seat)
    table, effects = (held if event.held else pressed)[event.name](table)
    return table, effects or [Tone("click")]


def keys_of(table: TableState) -> tuple[KeyBindings, KeyBindings]:
    """What the keys do now, pressed and held."""
    if table.open_menu:
        return IN_MENU, IN_MENU_HELD
    if table.deal:
        return DEALING, DEALING_HELD
    return (COVERED, COVERED_HELD) if table.covered else (PRESSED, HELD)


def keys_of_seat(table: TableState, seat: Seat) -> tuple[KeyBindings, KeyBindings]:
    """What the keys of a seat's own page do, pressed and held: the menu and the take-back are the table's."""
    if not table.playing or table.open_menu or seat != table.setup.game.to_move(table.state):
        return WITHOUT_USE, WITHOUT_USE
    return PRESSED, {**WITHOUT_USE, "ok": confirm_long}


def turn(by: int) -> Callable[[TableState], Step]:
    """Moves the cursor, round at the ends."""

    def move(table: TableState) -> Step:
        count = len(table.choices)
        return (replace(table, cursor=(table.cursor + by) % count) if count else table), []

    return move


def confirm(table: TableState) -> Step:
    """OK: the choice under the cursor."""
    choice = table.choice
    if choice is None:
        return table, []
    table = replace(table, drawing=None)
    if table.chosen:
        return confirm_unseen(table, choice.name)
    if choice.name == "undo":
        return restore(table)
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
    return perform_choice(table, choice)


def perform_choice(table: TableState, choice: Choice) -> Step:
    """What a choice stands for; one that is done several times, one action after the other, as often as it is offered."""
    table, effects = perform(table, dealt(table, choice))
    for done in range(2, choice.times + 1):
        following = next((each for each in table.setup.table.menu(table.state, ())[0] if each.name == choice.again), None)
        if following is None:
            break
        table, more = perform(table, dealt(table, following))
        table, effects = replace(table, together=done), effects + more
    return table, effects


def take_back_together(table: TableState) -> Step:
    """A long BACK: all that the last press did is taken back."""
    effects: list[Effect] = []
    for _ in range(table.together):
        table, done = take_back(table)
        effects += done
    return table, effects


def restore(table: TableState) -> Step:
    """OK while the board shows a position that there was: back to it, action by action."""
    effects: list[Effect] = []
    for _ in range(table.restored):
        table, done = take_back(table)
        effects += done
    return table, effects


def agree_to(table: TableState, action: Action) -> Step:
    """What the board shows is this action; then whatever else it shows."""
    change = table.changes[action]
    seen = table.board.sensed if table.board.counts_fit(change) else table.layout.spaces
    vacated = frozenset(space for space in table.vacated if table.board.site(space) not in change.sites)
    after, effects = perform(table, action, seen)
    after, more = recognise(replace(after, vacated=vacated) if change.exchanges else after)
    return after, effects + more


def decline(table: TableState) -> Step:
    """What the board shows is no action: not to be asked about again until it shows something else."""
    if any(table.changes[action].exchanges for action in table.matches):
        return recognise(replace(table, vacated=NO_SPACES))
    return replace(table, vacated=NO_SPACES, declined=table.sensed), []


def confirm_unseen(table: TableState, action: Action) -> Step:
    """OK while a token is awaited: the player says it is there. Believed where the sensors cannot tell."""
    if table.board.counts_fit(table.changes[action]):
        return perform(table, action, table.board.sensed)
    return perform(table, action) if table.blind else (table, [])


def insist(table: TableState, action: Action) -> Step:
    """A long OK while a token is awaited: it is there. Spaces that do not show it are not believed until they do."""
    sites = table.changes[action].sites
    table, effects = confirm_unseen(table, action)
    if effects:
        return table, effects
    table, effects = perform(table, action)
    unseen = {space for space in table.layout.spaces ^ table.sensed if table.board.site(space) in sites}
    return replace(table, masked=table.masked | unseen), effects


def confirm_long(table: TableState) -> Step:
    """A long OK: with an alert, go on without these spaces; else the token that is awaited is there, or the other way (the giant)."""
    if said_to_be_wrong(table):
        return believe(table)
    if table.awaited:
        return insist(table, table.awaited)
    choice = table.choice
    if choice is None or choice.answer or choice.dealt or not choice.actions or choice.actions[0] in table.changes:
        return confirm(table)
    if len(choice.actions) < 2:
        return replace(table, notice=Text("there is only one way to do it", {})), []
    return perform(table, choice.actions[1])


def go_back(table: TableState) -> Step:
    """A short BACK: forgets what was chosen or answered, or says that what was asked about was nothing."""
    if table.matches:
        return decline(table)
    if not (table.chosen or table.drawing or table.answers):
        return replace(table, uncovered=False), []
    return replace(table, chosen=(), drawing=None, answers=table.answers[:-1]), []


def choose(table: TableState, event: Chosen) -> Step:
    """The choice of this name, through the answers that lead to it; one that cannot be taken is refused with a notice.

    A seat that is not to move changes nothing, and disturbs nobody with a notice.
    What was chosen or answered before is forgotten if the choice is not among what it leads to.
    """
    if event.seat not in (None, table.setup.game.to_move(table.state)):
        return table, []
    effects: list[Effect] = []
    refused = replace(table, notice=Text(N_("This cannot be chosen now."), {}), odd_card=None), effects
    table = replace(table, notice=None, odd_card=None)
    if table.covered and event.seat is None:
        return refused
    while leading_to(table.choices, event.name) is None and (table.chosen or table.answers):
        table, _ = go_back(table)
    while (number := leading_to(table.choices, event.name)) is not None:
        found = table.choices[number].name
        table, done = confirm(replace(table, cursor=number))
        effects += done
        if found == event.name:
            return table, effects
    return refused


def uncover(table: TableState) -> Step:
    """OK before the curtain: takes back if the board shows that it is meant, else the mover looks at the hand."""
    return restore(table) if table.restored and not table.matches else look(table)


def look(table: TableState) -> Step:
    """The mover looks at the hand, if it is looked at here."""
    return replace(table, uncovered=table.hand_mode == PANEL, cursor=0, names=()), []


def look_all_the_same(table: TableState) -> Step:
    """RIGHT before the curtain: the mover looks at the hand where OK would take back."""
    return look(table) if table.restored and not table.matches else (table, [])


def nothing(table: TableState) -> Step:
    """A key that means nothing for now."""
    return table, []


def show_menu(table: TableState) -> Step:
    """A long LEFT: the menu."""
    return replace(table, open_menu=MainMenu(), chosen=(), drawing=None), []


def take_in_menu(table: TableState) -> Step:
    """OK while a menu is open."""
    return table.open_menu.take(table, table.choice) if table.open_menu and table.choice else (table, [])


def leave_menu(table: TableState) -> Step:
    """BACK while a menu is open: one level up."""
    return (table.open_menu.leave(table) if table.open_menu else table), []


def said_to_be_wrong(table: TableState) -> bool:
    """Whether the panel says that tokens are in the wrong place, or something more urgent while they are."""
    return table.wrong and find_alert(table) is not None


def believe(table: TableState) -> Step:
    """A long OK while the board is said to be wrong: the spaces in question are not to be believed."""
    if not said_to_be_wrong(table):
        return table, []
    masked = table.masked | {space for site in table.board.different().values() for space in site.should ^ site.does}
    return replace(table, masked=masked, wrong=False, wrong_since=None), [Tone("click")]


PRESSED: KeyBindings = {"left": turn(-1), "right": turn(1), "ok": confirm, "back": go_back}


HELD: KeyBindings = {"left": show_menu, "right": nothing, "ok": confirm_long, "back": take_back_together}


def deal_back(table: TableState) -> Step:
    """BACK while cards are dealt: the last one goes back to the deck; without one there is no deal, if there is anything else."""
    deal = table.deal
    if deal is None:
        return table, []
    if deal.cards:
        return replace(table, deal=replace(deal, cards=deal.cards[:-1])), []
    if table.planned:
        return set_up_again(table, table.planned), []
    return replace(table, deal=None) if can_be_left(table) else table, []


WITHOUT_USE: KeyBindings = dict.fromkeys(("left", "right", "ok", "back"), nothing)
COVERED: KeyBindings = {**WITHOUT_USE, "ok": uncover, "right": look_all_the_same}
COVERED_HELD: KeyBindings = {"left": show_menu, "right": nothing, "ok": believe, "back": take_back}
DEALING: KeyBindings = {"left": nothing, "right": nothing, "ok": nothing, "back": deal_back}
DEALING_HELD: KeyBindings = {**DEALING, "left": show_menu}
IN_MENU: KeyBindings = {"left": turn(-1), "right": turn(1), "ok": take_in_menu, "back": leave_menu}
IN_MENU_HELD: KeyBindings = {"left": nothing, "right": nothing, "ok": believe, "back": leave_menu}
