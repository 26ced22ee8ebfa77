"""Makaó at the table: cards by the keys and the reader; nothing stands on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from underboard.engine.base.errors import Text
from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.overlay import BOARD_COLUMNS, BOARD_ROWS, Overlay
from underboard.engine.gamekit.settings import CARD_MODE, HIDDEN, SEAT_COUNT, Setting, answered, numbers
from underboard.engine.gamekit.table import GameTable, Pile
from underboard.engine.games.makao.captions import EXPLANATIONS, SEAT_NAMES, card_text
from underboard.engine.games.makao.deal import is_special
from underboard.engine.games.makao.legal import must_obey
from underboard.engine.games.makao.menu import can_come_up, menu
from underboard.engine.games.makao.overrides import MakaoOverrides
from underboard.engine.games.makao.rules import Makao
from underboard.engine.games.makao.screen import public_screen, screen
from underboard.engine.games.makao.state import (
    CANCEL,
    CARDS,
    FEWEST,
    HAND_AT_START,
    MOST,
    SEATS,
    SETS,
    SPECIALS_LAID,
    Penalty,
    Skips,
    State,
)

CANCEL_NAMES = {"fit": N_("cancel if fit"), "satisfy": N_("if asked for"), "any": N_("always")}
NO_OVERLAY = Overlay(BOARD_ROWS, BOARD_COLUMNS, {})


class MakaoTable(GameTable):
    """Keys, and for tagged cards a reader. With cards dealt by it the table also turns the first card up."""

    rules = Makao()
    overrides = MakaoOverrides()
    explanations = EXPLANATIONS
    menu = staticmethod(menu)
    screen = staticmethod(screen)
    public_screen = staticmethod(public_screen)

    def settings(self, answers: Mapping[str, str]) -> Sequence[Setting]:
        players = numbers("players", SEAT_COUNT, range(FEWEST, MOST + 1), 4)
        count = int(answered([players], answers)["players"])
        return [
            CARD_MODE,
            players,
            Setting("first", N_("begins"), SEATS[:count], SEATS[0], SEAT_NAMES.by_seat),
            Setting("specials", N_("specials"), SPECIALS_LAID, SPECIALS_LAID[0], {"fit": N_("must fit"), "any": N_("on anything")}),
            Setting("cancel", N_("7s and aces"), CANCEL, CANCEL[0], CANCEL_NAMES),
            Setting("sets", N_("cards of a rank"), SETS, SETS[0], {"three": N_("3 or 4"), "pairs": N_("2 to 4")}),
            *(turned_up(count, answers) if answers.get("cards") == HIDDEN else ()),
        ]

    def overlay(self, options: Mapping[str, str]) -> Overlay:
        return NO_OVERLAY

    def undrawable(self, state: State, card: str) -> Text | None:
        """That the mover has to obey. [6]"""
        if not must_obey(state):
            return None
        if isinstance(state.effect, Penalty):
            return Text(N_("whoever holds a 7 must lay it: no drawing now"), {})
        if isinstance(state.effect, Skips):
            return Text(N_("whoever holds an ace must lay it: no drawing now"), {})
        return Text(N_("whoever holds what is asked for must lay it: no drawing now"), {})

    def piles(self, options: Mapping[str, str], state: State | None) -> Sequence[Pile]:
        """The hands; the cards turned up then come one by one. [3]"""
        players = Options(dict(options)).integer("players", 4, FEWEST, MOST)
        return [Pile(seat, SEAT_NAMES.by_seat[seat], HAND_AT_START) for seat in SEATS[:players]]


def turned_up(players: int, answers: Mapping[str, str]) -> list[Setting]:
    """The cards turned up, one after the other until one is not special. [3]"""
    up: list[str] = []
    settings: list[Setting] = []
    while not up or is_special(CARDS[up[-1]]):
        values = can_come_up(players, up)
        first = next(card for card in values if not is_special(CARDS[card]))
        settings.append(Setting(f"up.{len(up) + 1}", N_("face up"), tuple(values), first, wording=card_text))
        up.append(answered(settings[-1:], answers)[settings[-1].option])
    return settings
