"""What each key does at a table, pressed briefly or held for a second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.aside.menu import Menu
from engine.aside.plan import plan_again
from engine.board import NO_SPACES
from engine.deeds import dealt, perform, start_next, take_back
from engine.errors import Text
from engine.events import Effect, KeyPressed, Tone
from engine.game import Action
from engine.recognition import recognise
from engine.tabletop import Step, Table

Keys = Mapping[str, Callable[[Table], Step]]


def press_key(table: Table, event: KeyPressed) -> Step:
    """A key does what it says on the panel."""
    table = replace(table, notice=None, odd_card=None)
    keys = keys_of(table)[event.held]
    table, effects = keys[event.name](table)
    return table, effects or [Tone("click")]


def keys_of(table: Table) -> tuple[Keys, Keys]:
    """What the keys do now, pressed and held."""
    if table.aside:
        return ASIDE, ASIDE_HELD
    return (DEALING, DEALING_HELD) if table.deal else (PRESSED, HELD)


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
    return perform(table, dealt(table, choice))


def restore(table: Table) -> Step:
    """OK while the board shows a position that there was: back to it, action by action."""
    effects: list[Effect] = []
    for _ in range(table.restored):
        table, done = take_back(table)
        effects += done
    return table, effects


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
    if table.alert and table.wrong:
        return believe(table)
    if table.awaited:
        return insist(table, table.awaited)
    choice = table.choice
    if choice is None or choice.answer or choice.dealt or not choice.actions or choice.actions[0] in table.changes:
        return confirm(table)
    if len(choice.actions) < 2:
        return replace(table, notice=Text("there is only one way to do it", {})), []
    return perform(table, choice.actions[1])


def go_back(table: Table) -> Step:
    """A short BACK: forgets what was chosen or answered, or says that what was asked about was nothing."""
    if table.matches:
        return decline(table)
    return replace(table, chosen=(), drawing=None, answers=table.answers[:-1]), []


def nothing(table: Table) -> Step:
    """A key that means nothing for now."""
    return table, []


def open_menu(table: Table) -> Step:
    """A long LEFT: the menu."""
    return replace(table, aside=Menu(), chosen=(), drawing=None), []


def take_aside(table: Table) -> Step:
    """OK beside the game."""
    return table.aside.take(table, table.choice) if table.aside and table.choice else (table, [])


def leave_aside(table: Table) -> Step:
    """BACK beside the game: one level."""
    return (table.aside.leave(table) if table.aside else table), []


def believe(table: Table) -> Step:
    """A long OK while the board is said to be wrong: the spaces in question are not to be believed."""
    if not (table.alert and table.wrong):
        return table, []
    masked = table.masked | {space for site in table.board.different().values() for space in site.should ^ site.does}
    return replace(table, masked=masked, wrong=False, wrong_since=None), [Tone("click")]


PRESSED: Keys = {"left": turn(-1), "right": turn(1), "ok": confirm, "back": go_back}


HELD: Keys = {"left": open_menu, "right": nothing, "ok": confirm_long, "back": take_back}


def deal_back(table: Table) -> Step:
    """BACK while cards are dealt: the last one goes back to the deck; without one there is no deal, if there is anything else."""
    deal = table.deal
    if deal is None:
        return table, []
    if deal.cards:
        return replace(table, deal=replace(deal, cards=deal.cards[:-1])), []
    if deal.planned:
        return plan_again(table, deal.planned), []
    return replace(table, deal=None) if deal.can_be_left else table, []


DEALING: Keys = {"left": nothing, "right": nothing, "ok": nothing, "back": deal_back}
DEALING_HELD: Keys = {**DEALING, "left": open_menu}
ASIDE: Keys = {"left": turn(-1), "right": turn(1), "ok": take_aside, "back": leave_aside}
ASIDE_HELD: Keys = {"left": nothing, "right": nothing, "ok": believe, "back": leave_aside}
