"""Hack Trick on the panel: 21 small, 14 medium or 12 large characters a line.

Whose turn, score and last card on top; what is selected, or the sum and its server, in the largest type; then what
the choice depends on (the row, the spy zones, the supply), cards in hand, a standing HACK or FIREWALL, and sums while they are news.
"""

from __future__ import annotations

from collections.abc import Sequence

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.panel import WIDTHS, Line, choosable, heading, largest
from underboard.engine.gamekit.seats import SeatNames
from underboard.engine.gamekit.table import COMMON_CHOICES, PublicSituation, Situation
from underboard.engine.games.hack_trick.rules import VERBS
from underboard.engine.games.hack_trick.state import GIANT, HANDS_AT_START, NORMAL, SEATS, TOKENS_PER_SEAT, State, Tokens


def screen(situation: Situation, words: Words) -> Sequence[Line]:
    """The panel while nothing is wrong."""
    state: State = situation.state
    if state.result:
        again = words("OK: {choice}", choice=choice_text(situation.selected, words))
        return [*result_lines(state, words), Line(again, align="center")]
    if situation.awaited:
        return [top_line(state, words), *awaiting_lines(state, situation.awaited, situation.to_lift, words)]
    if situation.asked and situation.selected in VERBS:
        return [top_line(state, words), *asking_lines(state, situation.selected, words)]
    return [
        top_line(state, words),
        choosable(choice_text(situation.selected, words)),
        Line(take_off(situation.to_lift, words) or news(situation, words) or to_decide(state, situation.selected, words)),
        Line(cards_line(state, words)),
    ]


def public_screen(situation: PublicSituation, words: Words) -> Sequence[Line]:
    """The panel while the mover's hand is covered: whose turn, the last card, what is news or the row, the counts."""
    state: State = situation.state
    return [
        top_line(state, words),
        Line(news(situation, words) or row_text(state, words), align="center"),
        Line(cards_line(state, words)),
    ]


def top_line(state: State, words: Words) -> Line:
    """Whose turn, the score, the last card."""
    width = max(len(SEAT_NAMES.at(seat, words)) for seat in (0, 1))
    left = f"{SEAT_NAMES.at(state.mover, words):<{width}} {state.score[0]}:{state.score[1]}"
    last = words("last {card}", card=state.row[-1]) if state.row else ""
    return heading(left, last)


SEAT_NAMES = SeatNames(SEATS, (N_("RED"), N_("YELLOW")))


def choice_text(name: str | None, words: Words) -> str:
    """A choice as a player says it."""
    if name is None:
        return ""
    verb, *rest = name.split()
    if verb in ("infect", "start"):
        return words("play {card}", card=" ".join([rest[0], *(words(GIANT_MARK) for _ in rest[1:])]))
    if verb == "draw" and rest:
        return words("draw {card}", card=rest[0])
    if verb == "out":
        return words("out: {card}?", card=rest[0])
    return words(NAMES[name])


GIANT_MARK = N_("G")

NAMES = {
    **COMMON_CHOICES,
    "draw": N_("draw"),
    "spy": N_("SPY"),
    "hack": N_("HACK"),
    "hack giant": N_("HACK G"),
    "firewall": N_("FIREWALL"),
    "firewall giant": N_("FIREWALL G"),
    "end": N_("end turn"),
    "next": N_("next game"),
    "new match": N_("new match"),
}


def awaiting_lines(state: State, action: Action, to_lift: Sequence[Space], words: Words) -> list[Line]:
    """The sum and its server in the largest type, what the token is, what has to come off first."""
    giant = VERBS[action].kind == GIANT
    server = sum_of(state, action)
    token = words(N_("giant on server {server}") if giant else N_("token on server {server}"), server=server)
    lift = take_off(to_lift, words)
    other = words(N_("› normal token") if giant else N_("› giant")) if all(state.supply[state.mover]) else ""
    return [sum_line(state, action), Line(token, align="center"), Line(lift or other, align="center")]


def take_off(spaces: Sequence[Space], words: Words) -> str:
    """Which tokens have to leave, if any."""
    return words("take off {spaces}", spaces=" ".join(spaces)) if spaces else ""


def asking_lines(state: State, action: Action, words: Words) -> list[Line]:
    """A token stands on the server of a card that nobody chose: was it the giant?"""
    question = words(N_("is it the giant?") if VERBS[action].kind == GIANT else N_("a normal token?"))
    return [sum_line(state, action), Line(question, align="center"), Line(words("OK: yes  ›: other"), align="center")]


def sum_of(state: State, action: Action) -> int:
    """The server that an INFECT names."""
    return state.row[-1] + VERBS[action].value


def sum_line(state: State, action: Action) -> Line:
    """Last card + card played = server, in the largest type."""
    return Line(f"{state.row[-1]}+{VERBS[action].value} = {sum_of(state, action)}", "large", "center")


def to_decide(state: State, selected: str | None, words: Words) -> str:
    """What the choice under the cursor depends on: for a card the row, for SPY the spy zones, else the tokens to pay with."""
    verb = (selected or "").partition(" ")[0]
    if verb in ("infect", "draw") and state.row:
        return row_text(state, words)
    if verb == "spy":
        return zones_text(state, words)
    return supply_text(state.supply[state.mover], words)


def zones_text(state: State, words: Words) -> str:
    """How many tokens each seat has in its spy zone."""
    red, yellow = (sum(zone) for zone in state.spy_zone)
    return words("zone RED {red}, YELLOW {yellow}", red=red, yellow=yellow)


def row_text(state: State, words: Words) -> str:
    """As many of the last cards of the row as there is room for, the last one at the end; nothing before the first."""
    texts = (words("row {cards}", cards=" ".join(map(str, state.row[start:]))) for start in range(len(state.row)))
    return next((text for text in texts if len(text) <= WIDTHS["small"]), "")


def supply_text(tokens: Tokens, words: Words) -> str:
    """The tokens that the mover can still put down or pay with."""
    text = N_("supply {count} + giant") if tokens[GIANT] else N_("supply {count}")
    return words(text, count=tokens[NORMAL])


def cards_line(state: State, words: Words) -> str:
    """Cards in hand, red first, and the call that stands against the seat to move."""
    both = state.forced and state.firewalled
    standing = words("HACK+WALL") if both else words("HACK!") if state.forced else words("FIREWALL") if state.firewalled else ""
    counts = words("cards {counts}", counts=":".join(str(len(hand)) for hand in state.hands))
    return f"{counts:<11} {standing}".rstrip()


def news(situation: PublicSituation, words: Words) -> str:
    """What the last action announced, or what players have to say, while nothing else has happened."""
    state: State = situation.state
    if state.hidden and state.spied and state.phase == "main":
        return words("{seat} says the sum", seat=SEAT_NAMES.at(1 - state.mover, words))
    if state.hidden and has_begun(state):
        return words("both say their sums")
    sums = {said["of"]: said["value"] for said in situation.said if said["say"] == "sum"}
    if len(sums) == len(SEATS):
        return words("sum RED {red}, YELLOW {yellow}", **sums)
    for seat, value in sums.items():
        return words("sum {seat} {value}", seat=SEAT_NAMES.of(seat, words), value=value)
    for said in situation.said:
        if said["say"] == "hand":
            return words("hand {cards}", cards=" ".join(map(str, said["cards"])) or "–")
        if said["say"] == "knocked_out":
            return words("{count} knocked out", count=said["count"])
        if said["say"] == "reshuffle":
            return words("reshuffled")
    return ""


def has_begun(state: State) -> bool:
    """Whether the first card lies there and nothing else has happened: with hidden cards the players say their sums. [6]"""
    untouched = all(supply == TOKENS_PER_SEAT for supply in state.supply)
    return untouched and len(state.row) == 1 and all(len(hand) == min(HANDS_AT_START) for hand in state.hands)


def result_lines(state: State, words: Words) -> list[Line]:
    """Who has won, by what, and the score."""
    result = state.result
    if result is None:
        return []
    reason = words(REASONS[result.reason], servers="-".join(map(str, result.servers)))
    score = words("score {red}:{yellow}", red=state.score[0], yellow=state.score[1])
    won, match = max(state.score) >= state.target, words("match!")
    winner = words("{seat} wins", seat=SEAT_NAMES.at(result.winner, words))
    return [
        largest(winner),
        Line(f"{reason} +{result.points}", align="center"),
        Line(f"{score} {match}" if won else score, align="center", inverted=won),
    ]


REASONS = {"line": N_("line {servers}"), "stack": N_("three on {servers}"), "supply": N_("supply empty")}
