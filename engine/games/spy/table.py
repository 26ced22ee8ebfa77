"""SPY at the table: everything by the keys and, on a track, the spies' moves by their tokens too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import Overlay, Space, read_overlay
from underboard.engine.gamekit.settings import CARD_MODE, HIDDEN, SEAT_COUNT, Setting, answered, numbers
from underboard.engine.gamekit.table import Change, Choice, GameTable, Pile
from underboard.engine.games.spy.arrangements import arrangements
from underboard.engine.games.spy.captions import SEAT_NAMES
from underboard.engine.games.spy.deal import ARRANGE, DEALT
from underboard.engine.games.spy.menu import menu
from underboard.engine.games.spy.overrides import SpyOverrides
from underboard.engine.games.spy.rules import Spy
from underboard.engine.games.spy.screen import public_screen, screen
from underboard.engine.games.spy.state import GAME_ID, SEATS, State, acting

TRACK = "track"


class SpyTable(GameTable):
    """With `track=on` a token in each seat's row of gaps is its spy; it cannot tell which way the spy looks. [4]"""

    own_options = (TRACK,)
    tones: ClassVar[Mapping[str, str]] = {"fuse": "fuse", "lit": "wrong", "win": "win"}
    rules = Spy()
    overrides = SpyOverrides()
    screen = staticmethod(screen)
    public_screen = staticmethod(public_screen)

    def options(self, given: Mapping[str, str]) -> Mapping[str, str]:
        """Raises BadArgument for a track that is neither on nor off."""
        Options(dict(given)).choice(TRACK, ("on", "off"), "off")
        return given

    def settings(self, answers: Mapping[str, str]) -> Sequence[Setting]:
        players = numbers("players", SEAT_COUNT, range(2, len(SEATS) + 1), 2)
        seats = SEATS[: int(answered([players], answers)["players"])]
        return [
            CARD_MODE,
            players,
            Setting(
                "ts2", N_("T2 exposed"), ("eliminates", "literal"), "eliminates", {"eliminates": N_("out"), "literal": N_("no effect")}
            ),
            Setting("setup", N_("bases"), (ARRANGE, DEALT), ARRANGE, {ARRANGE: N_("arranged"), DEALT: N_("as dealt")}),
            Setting(TRACK, N_("spy tokens"), ("off", "on"), "off", {"off": N_("no"), "on": N_("yes")}),
            Setting("first", N_("begins"), seats, seats[0], SEAT_NAMES.by_seat),
        ]

    def overlay(self, options: Mapping[str, str]) -> Overlay:
        """The gaps of those who play; nothing without a track."""
        whole = read_overlay(GAME_ID)
        gaps = gaps_of(players_of(options)) if options.get(TRACK) == "on" else frozenset()
        return Overlay(whole.rows, whole.columns, {space: cell for space, cell in whole.spaces.items() if space in gaps})

    def changes(self, state: State) -> Mapping[Action, Change]:
        walks = [action for action in self.rules.legal(state) if action.startswith(("move", "stand"))]
        changes = {action: movement(self.rules, state, action) for action in walks}
        return {action: change for action, change in changes.items() if action.startswith("move") or change.clears != change.puts}

    def start(self, state: State) -> Sequence[Space]:
        return [gap(state, seat) for seat in range(len(state.spies))]

    def menu(self, state: State, answers: Sequence[str]) -> tuple[Sequence[Choice], int]:
        return menu(self.rules, state, answers)

    def piles(self, options: Mapping[str, str], state: State | None) -> Sequence[Pile]:
        """Each base, card by card from its holder's left. [3]"""
        players = players_of(options)
        if options.get("cards") == HIDDEN:
            return ()
        cards = arrangements(players).cards
        return [Pile(seat, SEAT_NAMES.by_seat[seat], len(cards), {f"{seat} {card}": card for card in cards}) for seat in SEATS[:players]]


def players_of(options: Mapping[str, str]) -> int:
    """How many play. Raises BadArgument for a number that cannot."""
    return Options(dict(options)).integer("players", 2, 2, len(SEATS))


def gaps_of(players: int) -> frozenset[Space]:
    """The gaps of all who play: as many as a base has cards. [4]"""
    return frozenset(f"{seat}{number}" for seat in SEATS[:players] for number in range(arrangements(players).size))


def gap(state: State, seat: int) -> Space:
    """The gap in which a seat's spy stands."""
    return f"{SEATS[seat]}{state.spies[seat].gap}"


def movement(rules: Spy, state: State, action: Action) -> Change:
    """What a MOVE, or another stance while bases are arranged, does to the token. [3, 6]"""
    after, _ = rules.do(state, action)
    seat = acting(state)
    return Change(clears=(gap(state, seat),), puts=(gap(after, seat),), lift_first=True)
