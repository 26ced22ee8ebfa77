"""Hack Trick on the page: the tokens beside the board, and what happened in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from underboard.engine.base.errors import Plural
from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.gamekit.overlay import Site
from underboard.engine.gamekit.presentation import Piece, Presentation
from underboard.engine.games.hack_trick.rules import VERBS
from underboard.engine.games.hack_trick.screen import REASONS, SEAT_NAMES, sum_of, supply_text, zones_text
from underboard.engine.games.hack_trick.state import GIANT, NORMAL, SEATS, TOKEN, State

NAMES = {TOKEN[seat][kind]: name + suffix for seat, name in enumerate(SEATS) for kind, suffix in ((NORMAL, ""), (GIANT, " giant"))}
"""Pieces by the letters of the record: "red", "red giant", …"""


class HackTrickPresentation(Presentation):
    """Two kinds of token a seat."""

    def pieces(self, state: State) -> Sequence[Piece]:
        return [
            Piece(NAMES[TOKEN[seat][kind]], name, "giant" if kind == GIANT else "", state.supply[seat][kind])
            for seat, name in enumerate(SEATS)
            for kind in (NORMAL, GIANT)
        ]

    def standing(self, state: State) -> Mapping[Site, Sequence[str]]:
        return {str(server): [NAMES[token] for token in tokens] for server, tokens in enumerate(state.servers) if tokens}

    def facts(self, state: State, words: Words) -> Sequence[str]:
        row = words("row {cards}", cards=" ".join(map(str, state.row)) or "–")
        supplies = (f"{SEAT_NAMES.at(seat, words)}: {supply_text(tokens, words)}" for seat, tokens in enumerate(state.supply))
        return [row, *supplies, zones_text(state, words), words("stock {count}", count=state.stock if state.hidden else len(state.stock))]

    def help(self, words: Words) -> str:
        return words("Pick a card with ◀ ▶ OK, then put a token on the server shown.")

    def kind(self, state: State, action: Action) -> str:
        return "giant" if VERBS[action].kind == GIANT else ""

    def action_text(self, before: State, action: Action, words: Words) -> str:
        verb = VERBS[action]
        seat = SEAT_NAMES.at(before.mover, words)
        giant = verb.kind == GIANT
        if verb.name == "start":
            return words("{seat} starts the row with {card}", seat=seat, card=verb.value)
        if verb.name == "infect":
            last = before.row[-1]
            return words(PLAYS[giant], seat=seat, card=verb.value, last=last, server=sum_of(before, action))
        return words(ACTIONS[verb.name, giant], seat=seat)

    def announcement_text(self, said: Announcement, after: State, words: Words) -> str:
        return ANNOUNCED[said["say"]](said, after, words)


PLAYS = {
    False: N_("{seat} plays {card}: {last}+{card} = {server}"),
    True: N_("{seat} plays {card}: {last}+{card} = {server}, giant"),
}
"""By whether the token is the giant."""

ACTIONS = {
    ("draw", False): N_("{seat} draws a card"),
    ("spy", False): N_("{seat} calls SPY"),
    ("hack", False): N_("{seat} calls HACK"),
    ("hack", True): N_("{seat} calls HACK and pays with the giant"),
    ("firewall", False): N_("{seat} calls FIREWALL"),
    ("firewall", True): N_("{seat} calls FIREWALL and pays with the giant"),
    ("end", False): N_("{seat} ends the turn"),
}


def sum_text(said: Announcement, after: State, words: Words) -> str:
    """The sum of a hand."""
    return words("the cards of {seat} add up to {value}", seat=SEAT_NAMES.of(said["of"], words), value=said["value"])


def hand_text(said: Announcement, after: State, words: Words) -> str:
    """A hand that had to be shown."""
    return words("{seat} shows {cards}", seat=SEAT_NAMES.of(said["of"], words), cards=" ".join(map(str, said["cards"])) or "–")


def knock_out_text(said: Announcement, after: State, words: Words) -> str:
    """Tokens that were knocked out."""
    text = Plural("{count} token knocked out from server {server}", "{count} tokens knocked out from server {server}")
    return words(text, count=said["count"], server=said["server"])


def reshuffle_text(said: Announcement, after: State, words: Words) -> str:
    """The row becomes the stock."""
    return words("the cards of the row are shuffled into a new stock")


def win_text(said: Announcement, after: State, words: Words) -> str:
    """Who has won, by what, for how many points."""
    servers = "-".join(map(str, after.result.servers)) if after.result else ""
    reason = words(REASONS[said["reason"]], servers=servers)
    text = Plural("{seat} wins: {reason}, {count} point", "{seat} wins: {reason}, {count} points")
    return words(text, seat=SEAT_NAMES.of(said["seat"], words), reason=reason, count=said["points"])


ANNOUNCED: Mapping[str, Callable[[Announcement, State, Words], str]] = {
    "sum": sum_text,
    "hand": hand_text,
    "knocked_out": knock_out_text,
    "reshuffle": reshuffle_text,
    "win": win_text,
}
