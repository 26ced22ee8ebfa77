"""Hack Trick at the table: tokens on the servers, cards and calls by the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import Site, Space
from underboard.engine.gamekit.settings import CARD_MODE, HIDDEN, Setting, numbers
from underboard.engine.gamekit.table import Change, Choice, GameTable, Pile
from underboard.engine.games.hack_trick.overrides import HackTrickOverrides
from underboard.engine.games.hack_trick.rules import VERBS, HackTrick
from underboard.engine.games.hack_trick.screen import SEAT_NAMES, public_screen, screen
from underboard.engine.games.hack_trick.state import CALLS, DECK, HANDS_AT_START, SEATS, TARGET, TOKEN, UNSEEN, State

FACES = tuple(map(str, sorted(set(DECK))))
TARGETS = (1, 2, TARGET, 5)
"""Points that a match can go to, as far as the panel offers them. [20]"""


class HackTrickTable(GameTable):
    """Nine sites with three spaces each; an INFECT clears enemy tokens and puts one of one's own."""

    rules = HackTrick()
    overrides = HackTrickOverrides()
    screen = staticmethod(screen)
    public_screen = staticmethod(public_screen)

    def settings(self, answers: Mapping[str, str]) -> Sequence[Setting]:
        turned_up = [Setting(f"out.{number}", N_("face up"), FACES, FACES[0]) for number in (1, 2)]
        return [
            CARD_MODE,
            Setting("four", N_("4 cards for"), SEATS, SEATS[0], SEAT_NAMES.by_seat),
            numbers("target", N_("points"), TARGETS, TARGET),
            Setting("calls", N_("calls a turn"), CALLS, CALLS[0], {"one": N_("one"), "both": N_("both")}),
            *(turned_up if answers.get("cards") == HIDDEN else ()),
        ]

    def site(self, space: Space) -> Site:
        """ "7a" lies on server "7"."""
        return space if space.startswith("@") else space[0]

    def changes(self, state: State) -> Mapping[Action, Change]:
        return {action: infection(state, action) for action in self.rules.legal(state) if action.startswith("infect")}

    def menu(self, state: State, answers: Sequence[str]) -> tuple[Sequence[Choice], int]:
        if state.phase == "over":
            return after_the_game(self.rules.match(state)["winner"] is not None, state.hidden, answers), 0
        choices = grouped(self.rules.legal(state))
        return choices, len(choices) - 1 if state.phase == "call" else 0

    def deal(self, state: State, choice: Choice, random: Random) -> Action:
        return f"draw {random.choice(state.stock)}"

    def piles(self, options: Mapping[str, str], state: State | None) -> Sequence[Pile]:
        """The two cards turned up, then the hands; the loser gets four. [3]"""
        four = 1 - state.result.winner if state and state.result else SEATS.index(options.get("four", SEATS[0]))
        hands = (Pile(seat, label, HANDS_AT_START[seat != SEATS[four]]) for seat, label in SEAT_NAMES.by_seat.items())
        return (Pile("out", N_("face up"), 2), *hands)


def infection(state: State, action: Action) -> Change:
    """What an INFECT does to the tokens: enemies come off the server, one's own goes on it. [9, 10]"""
    server = state.row[-1] + VERBS[action].value
    tokens = state.servers[server]
    enemies = bool(tokens) and tokens[0] not in TOKEN[state.mover]
    return Change(clears=(str(server),) if enemies else (), puts=(str(server),))


def grouped(legal: Sequence[Action]) -> list[Choice]:
    """The legal actions as a player thinks of them: normal or giant is one choice, so is whichever card is drawn."""
    by_name: dict[str, list[Action]] = {}
    for action in legal:
        plain = action.removesuffix(" giant")
        by_name.setdefault("draw" if plain.startswith("draw") else plain, []).append(action)
    order = {"start": 0, "infect": 0, "draw": 1, "spy": 2, "hack": 3, "firewall": 4, "end": 5}
    names = sorted(by_name, key=lambda name: (order[name.split()[0]], name))
    return [choice_of(name, by_name[name]) for name in names]


def choice_of(name: str, actions: Sequence[Action]) -> Choice:
    """A choice for actions that belong together; named after the only one if just one is possible."""
    if name == "draw" and actions != ["draw"]:
        return Choice(name, tuple(actions), dealt=True)
    value = VERBS[actions[0]].value
    return Choice(name if name in actions else actions[0], tuple(actions), card=None if value == UNSEEN else str(value))


def after_the_game(match_won: bool, hidden: bool, answers: Sequence[str]) -> list[Choice]:
    """Another game, or another match. With a physical deck the two cards turned up are asked for. [2, 20]"""
    if match_won:
        if hidden and len(answers) < 2:
            return out_cards(answers)
        return [Choice("new match", restart=True, next=turned_up(answers) if hidden else {})]
    if hidden and len(answers) < 2:
        return out_cards(answers)
    return [Choice("next", next=turned_up(answers) if hidden else {})]


def out_cards(answers: Sequence[str]) -> list[Choice]:
    """Which cards can have been turned up."""
    return [Choice(f"out {face}", answer=True) for face in FACES]


def turned_up(answers: Sequence[str]) -> dict[str, Any]:
    """The deal option of two answers "out 0", "out 5"."""
    return {"out": ",".join(answer.removeprefix("out ") for answer in answers)}
