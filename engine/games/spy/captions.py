"""SPY: seats, cards, choices and answers as players call them. The numbers in brackets are those of docs/rules/spy.md.

Cards are counted from 1, from the holder's left, as one counts in a fan of cards.
"""

from __future__ import annotations

from underboard.engine.base.i18n import N_, Words
from underboard.engine.gamekit.game import Action, Announcement
from underboard.engine.gamekit.panel import WIDTHS
from underboard.engine.gamekit.seats import SeatNames
from underboard.engine.gamekit.table import COMMON_CHOICES
from underboard.engine.games.spy.arrangements import NUMBERS, TARGETS
from underboard.engine.games.spy.rules import before_spy, possible_numbers
from underboard.engine.games.spy.state import LEFT, NO_TARGET, RIGHT, SEATS, State, has

SEAT_NAMES = SeatNames(SEATS, (N_("GREEN"), N_("RED"), N_("BLUE"), N_("YELLOW")))
SHORT_NAMES = SeatNames(SEATS, (N_("GR"), N_("RE"), N_("BL"), N_("YE")))
FLIP = "↔"
SPY_FACES = {RIGHT: "▶", LEFT: "◀"}

KIND_LETTERS = {"S": N_("S"), "T": N_("T"), "B": N_("B")}
"""What stands on a card before its number: safe, top secret, bomb."""

NAMES = {
    **COMMON_CHOICES,
    "end": N_("end turn"),
    "ready": N_("all set"),
    "stand": N_("place the spy"),
    "answer safe": N_("other safe"),
    "answer secret": N_("top secret"),
    "answer bomb": N_("new bomb"),
    "answer lit": N_("lit bomb"),
}
"""Choices that are always called the same."""

ANSWERED = {
    "safe": N_("SAFE"),
    "secret": N_("top secret"),
    "fuse": N_("BOMB: TSSSS"),
    "lit": N_("LIT BOMB!"),
    "nothing": N_("NOTHING NEW"),
}
"""What the one spied on says, by announcement. [8]"""


def choice_text(state: State, name: str, words: Words) -> str:
    """A choice as a player says it."""
    verb, _, rest = name.partition(" ")
    if verb == "move":
        return move_text(name, words)
    if verb == "spy":
        full, short = (words("spy {seat}", seat=names.of(rest, words)) for names in (SEAT_NAMES, SHORT_NAMES))
        return full if len(full) <= WIDTHS["medium"] else short
    if verb == "stand" and rest:
        return words("spy {place}", place=f"{int(rest[:-1]) + 1}{SPY_FACES[rest[-1]]}")
    if verb == "card":
        return words("card {number}", number=int(rest) + 1)
    if verb == "swap":
        return " ↔ ".join(str(int(place) + 1) for place in rest.split())
    if name == "answer target":
        return words("target {card}", card=target_code(state, state.asked or 0, words))
    return words(NAMES[name])


def move_text(action: Action, words: Words) -> str:
    """A MOVE, with its flips before and after. [6]"""
    before, number, after = parts(action)
    return " ".join([*[FLIP] * before, words("move {number}", number=number), *[FLIP] * after])


def parts(action: Action) -> tuple[bool, str, bool]:
    """A MOVE taken apart: a flip before, the number, a flip after."""
    way = action.removeprefix("move ")
    return way.startswith("f"), way.strip("f"), way.endswith("f")


def number_faced(state: State) -> str:
    """The number by which the spy can move without a flip: either before an exposed card, "?" if nobody has told. [6]"""
    base, place = before_spy(state, False)
    if has(base.exposed, place):
        return "/".join(map(str, NUMBERS))
    number = possible_numbers(state, False)
    return str(number) if number in NUMBERS else "?"


def code_text(code: str, words: Words) -> str:
    """A card as it is printed: "T2"."""
    return f"{words(KIND_LETTERS[code[0]])}{code[1:]}"


def target_code(state: State, seat: int, words: Words) -> str:
    """The exposure target of a seat, as short as can be."""
    target = state.bases[seat].target
    return code_text(TARGETS[target], words) if target < NO_TARGET else "–"


def target_text(state: State, seat: int, words: Words) -> str:
    """The exposure target of a seat in words."""
    target = state.bases[seat].target
    if target == NO_TARGET:
        return "–"
    code = TARGETS[target]
    return words(N_("SAFE {number}") if code.startswith("S") else N_("TOP SECRET {number}"), number=code[1:])


def rule_text(state: State, words: Words) -> str:
    """What becomes of a player whose last target is exposed. [9]"""
    return words(N_("T2 exposed: out") if state.setup.eliminates else N_("T2 exposed: stays"))


def answer_text(said: Announcement, words: Words) -> str:
    """What was said to a SPY; "" if it is about something else. [8]"""
    if said["say"] == "exposed":
        return words("{card} is card {number}", card=code_text(said["card"], words), number=said["place"] + 1)
    return words(ANSWERED[said["say"]]).upper() if said["say"] in ANSWERED else ""
