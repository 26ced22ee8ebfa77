"""What changes the game on a table: an action done or taken back, something set by hand, a game begun.

Each answers the table after it and what is to be done about it, in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from underboard.engine.base.errors import BadArgument, GameError
from underboard.engine.gamekit.game import TABLE, Action, Announcement
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import NO_SPACES, Site, Space, Spaces
from underboard.engine.gamekit.session import Session
from underboard.engine.gamekit.setup import TableSetup, new_session, seed_option
from underboard.engine.gamekit.table import Change, Choice, GameTable
from underboard.engine.referee.comparison import layout_after
from underboard.engine.referee.deal import DealKind, new_deal
from underboard.engine.referee.events import Did, Effect, Tone
from underboard.engine.referee.state import Step, TableState, TokenLayout

OVERRIDE = "correct "
"""How the journal names what a referee sets by hand."""


def open_table(setup: TableSetup, language: str = "en") -> Step:
    """A table with a new game, first to be recorded; or with one that is still to be dealt, and just any game until then."""
    options = {**setup.options, **seed_option(setup.game, setup.seed)}
    session = new_session(setup, options)
    layout = first_layout(setup, session)
    table = TableState(setup, session, layout, language, deal=new_deal(setup, "first", options), rearranging=bool(layout.spaces))
    return (table, []) if table.deal else begin(table, "new", f"new_game {setup.game.id}", options)


def first_layout(setup: TableSetup, session: Session[Any]) -> TokenLayout:
    """Where tokens stand when a game begins."""
    return TokenLayout(frozenset(space for space in setup.table.start(session.state) if space in setup.overlay.spaces))


def perform(table: TableState, action: Action, seen: Spaces | None = None) -> Step:
    """Does an action. `seen` is the layout that the board shows; without it one is made up and the board has to follow.

    Raises IllegalAction.
    """
    change = table.changes.get(action, Change())
    session, said = table.session.do(action)
    spaces = seen
    if spaces is None:
        spaces = layout_after(table.layout.spaces, change, preferred(table), table.board.site)
    table = settle_down(replace(table, session=session, layout=TokenLayout(spaces, table.layout), said=tuple(said)))
    table = replace(table, rearranging=table.rearranging or (seen is None and bool(change.sites)))
    return turn_up(table, [Did("do", action, spaces, tuple(said)), tone_of(table.setup.table, said)])


def turn_up(table: TableState, effects: list[Effect]) -> Step:
    """These effects, and those of the card that the table turns up if it is its turn; with a deck on the table the reader says which."""
    if table.setup.dealer != "engine" or table.setup.game.to_move(table.state) != TABLE:
        return table, effects
    table, more = perform(table, dealt(table, table.setup.table.menu(table.state, ())[0][0]))
    return table, effects + more


def dealt(table: TableState, choice: Choice) -> Action:
    """The action that OK on a choice does: its own, or where the deck decides, the one that the dealer's seed picks."""
    if not choice.dealt:
        return choice.actions[0]
    random = Random(f"{table.setup.seed}:{table.games}:{table.session.now.ply}")
    return table.setup.table.deal(table.state, choice, random)


def override_names(table: TableState) -> Sequence[str]:
    """What a referee can set by hand now."""
    overrides = table.setup.table.overrides
    return overrides.names(table.state) if overrides else ()


def override_session(table: TableState, action: Action) -> tuple[Session[Any], Change]:
    """The game after `action`, which sets something by hand, and what that does to the tokens. Raises BadArgument if it cannot be."""
    name, overrides = action.removeprefix(OVERRIDE), table.setup.table.overrides
    if overrides is None:
        raise BadArgument(f"'{name}' is nothing that can be set here")
    record, change = overrides.apply(table.setup.game.record(table.state), name)
    return table.session.override(record, action), change


def override(table: TableState, name: str) -> Step:
    """What a referee sets by hand, whoever's turn it is; the board has to follow. Raises BadArgument if that cannot be."""
    action = f"{OVERRIDE}{name}"
    session, change = override_session(table, action)
    if not table.sites.keys() >= set(change.sites):
        change = Change()  # it has no place on this overlay
    spaces = layout_after(table.layout.spaces, change, preferred(table), table.board.site)
    table = settle_down(replace(table, session=session, layout=TokenLayout(spaces, table.layout), said=()))
    return replace(table, rearranging=bool(change.sites) or table.rearranging), [Did("correct", action, spaces)]


def tone_of(game_table: GameTable, said: Sequence[Announcement]) -> Tone:
    """How what an action announced sounds."""
    tones = [game_table.tones[each["say"]] for each in said if each["say"] in game_table.tones]
    return Tone(tones[-1] if tones else "right")


def preferred(table: TableState) -> Mapping[Site, Sequence[Space]]:
    """The spaces of each site, those first where a token is sensed."""
    return {site: sorted(spaces, key=lambda space: (space not in table.sensed, space)) for site, spaces in table.sites.items()}


def settle_down(table: TableState) -> TableState:
    """After any action: nothing is chosen, nothing has been seen to leave."""
    table = replace(table, vacated=NO_SPACES, leftover=NO_SPACES, restoring=NO_SPACES, declined=None)
    return replace(table, chosen=(), answers=(), drawing=None, odd_card=None, wrong_since=None, wrong=False, together=1)


def take_back(table: TableState) -> Step:
    """A long BACK: the last action is taken back, and the board has to follow."""
    try:
        session = table.session.undo()
    except GameError as error:
        return replace(table, notice=error.reason, chosen=()), []
    layout = table.layout.before or TokenLayout(NO_SPACES)
    taken = table.last_change.clears
    leftover = frozenset(space for space in table.board.sensed if table.board.site(space) in taken) | table.leftover
    table = settle_down(replace(table, session=session, layout=layout, rearranging=True, said=()))
    occupied = {table.board.site(space) for space in layout.spaces}
    leftover = frozenset(space for space in leftover if table.board.site(space) in occupied)
    return replace(table, leftover=leftover), [Did("undo", "undo", layout.spaces)]


def start_next(table: TableState, choice: Choice) -> Step:
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


def begin_next(table: TableState, options: Options) -> Step:
    """The next game of the match; raises what `Game.next` raises."""
    given = options.as_dict()
    return begin(clear_away(table, table.session.next(options)), "next", "next", given)


def begin_dealt(table: TableState, kind: DealKind, options: Mapping[str, str]) -> Step:
    """The game whose cards have been laid down; raises what a deal can raise."""
    if kind == "next":
        return begin_next(table, Options(dict(options)))
    session = new_session(table.setup, options)
    table = replace(table, session=session) if kind == "first" else clear_away(table, session)
    return begin(table, "new", f"new_game {table.setup.game.id}", options)


def clear_away(table: TableState, session: Session[Any]) -> TableState:
    """A new game on a board that may still be full of the old one."""
    layout = first_layout(table.setup, session)
    table = replace(table, results=table.all_results, counted=True, games=table.games + 1)
    return settle_down(replace(table, session=session, layout=layout, rearranging=True, said=()))


def begin(table: TableState, kind: Any, action: Action, options: Mapping[str, str]) -> Step:
    """A new game that is to be recorded whole."""
    record = table.setup.game.record(table.state)
    return turn_up(table, [Did(kind, action, table.layout.spaces, (), options, record), Tone("right")])
