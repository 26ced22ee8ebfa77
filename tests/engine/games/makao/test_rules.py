"""Makaó: the cases of the rules, one by one; what is legal, what is refused and why."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, GameOver, IllegalAction
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game
from underboard.engine.games.makao.rules import Makao
from underboard.engine.games.makao.state import State

GAME = Makao()
PACK = [suit + rank for suit in "hlba" for rank in "7 8 9 10 U O K A".split()]
RANKS = "7 8 9 10 U O K A".split()

Record = dict[str, Any]
Case = tuple[Record, list[str], list[list[Record]], Record]


def cards(text: str) -> list[str]:
    return text.split()


def place(
    *hands: str, top: str = "h8", pile: str = "", stock: str | None = None, effect: Record | None = None, to_move: str = "p1", **more: Any
) -> Record:
    """An open position; the stock is what is left, or `stock` while the last seat gets what is left."""
    dealt = [cards(hand) for hand in hands]
    left = [card for card in PACK if card not in {top, *cards(pile), *(card for hand in dealt for card in hand)}]
    if stock is not None:
        dealt[-1] += [card for card in left if card not in cards(stock)]
        left = cards(stock)
    record = {
        "game": "makao",
        "cards": "open",
        "phase": "play",
        "to_move": to_move,
        "players": len(hands),
        "first": "p1",
        "cancel": "fit",
        "specials": "fit",
        "top": top,
        "pile": cards(pile),
        "stock": left,
        "hands": {f"p{number}": hand for number, hand in enumerate(dealt, 1)},
        "effect": effect,
        "drawn": None,
    }
    return {**record, **more}


def hidden(
    *hands: int, top: str = "h8", pile: str = "", stock: int | None = None, effect: Record | None = None, to_move: str = "p1", **more: Any
) -> Record:
    """A hidden position; the stock is what is left, or `stock` while the last seat has what is left."""
    dealt, lying = list(hands), 1 + len(cards(pile))
    if stock is None:
        stock = 32 - lying - sum(dealt)
    else:
        dealt[-1] = 32 - lying - sum(dealt[:-1]) - stock
    record = place(*[""] * len(hands), top=top, pile=pile, effect=effect, to_move=to_move, cards="hidden")
    return {**record, "cards": "hidden", "stock": stock, "hands": dict(zip(record["hands"], dealt, strict=True)), **more}


def ask(value: str, by: str = "p1", fulfilled: bool = False) -> Record:
    return {"ask": value, "by": by, "with": "9" if value in RANKS else "O", "fulfilled": fulfilled}


def at(record: Record) -> State:
    return GAME.position(record)


def legal(record: Record) -> list[str]:
    return list(GAME.legal(at(record)))


def run(record: Record, *actions: str) -> tuple[Record, list[list[Record]]]:
    """The record after the actions, and what each announced."""
    state, said = at(record), []
    for action in actions:
        state, news = GAME.do(state, action)
        said.append([dict(announcement) for announcement in news])
    return GAME.record(state), said


def new(text: str) -> State:
    options = Options.parse(text.split())
    state = GAME.new(options)
    options.finish()
    return state


def penalty(count: int) -> Record:
    return {"say": "penalty", "count": count}


def skips(count: int) -> Record:
    return {"say": "skip", "count": count}


def asked(value: str) -> Record:
    return {"say": "ask", "value": value}


def empty(seat: str) -> Record:
    return {"say": "empty", "seat": seat}


def win(seat: str) -> Record:
    return {"say": "win", "seat": seat}


ASK_OVER = {"say": "ask_over"}
RESHUFFLE = {"say": "reshuffle"}


def test_it_is_registered() -> None:
    assert find_game("makao").id == "makao"


# The table "Cases" of the rules: position, actions, announcements of each, what the state then says

CASES: dict[str, Case] = {
    "one card": (place("l8 b8 a8 lU", "aU", "hK"), ["play l8"], [[]], {"top": "l8", "pile": ["h8"], "to_move": "p2"}),
    "three cards": (place("l8 b8 a8 lU", "aU", "hK"), ["play l8+b8+a8"], [[]], {"top": "a8", "pile": ["b8", "h8", "l8"]}),
    "the first fits": (place("h10 l10 a10 lU", "aU", "hK"), ["play h10+l10+a10"], [[]], {"top": "a10", "to_move": "p2"}),
    "two 7s, then one anew": (
        place("h7 hU", "l7 lU", "hK bK", "b7 lK aU"),
        ["play h7", "play l7", "draw h9", "draw b9", "draw a9", "draw h10", "play b7"],
        [[penalty(2)], [penalty(4)], [], [], [], [], [penalty(2)]],
        {"to_move": "p1", "effect": {"draw": 2}},
    ),
    "three 7s": (place("h7 l7 b7 hU", "lU", "hK"), ["play h7+l7+b7"], [[penalty(6)]], {"effect": {"draw": 6}, "top": "b7"}),
    "four 7s": (place("h7 l7 b7 a7 hU", "lU", "hK"), ["play h7+l7+b7+a7"], [[penalty(8)]], {"effect": {"draw": 8}}),
    "three aces, answered by one": (
        place("hA lA bA hU", "l8 lU", "aA bK", "aU lK"),
        ["play hA+lA+bA", "skip", "play aA", "skip"],
        [[skips(3)], [], [skips(1)], []],
        {"to_move": "p1", "effect": None, "top": "aA"},
    ),
    "four aces among three": (
        place("hA lA bA aA hU", "l8 lU", "b8 bK"),
        ["play hA+lA+bA+aA", "skip", "skip"],
        [[skips(2)], [], []],
        {"to_move": "p1", "effect": None},
    ),
    "a rank, fulfilled": (
        place("l9 a10 lU", "b10 h8", "hK lK", "b9", top="l8"),
        ["play l9 ask=K", "draw aU", "play hK", "draw aA", "draw h7"],
        [[asked("K")], [], [], [], [ASK_OVER]],
        {"to_move": "p2", "effect": None, "top": "hK"},
    ),
    "a 9 overrules, a new round": (
        place("l9 a10", "b9 b10", "hK lU", "aK bU", top="l8"),
        ["play l9 ask=K", "play b9 ask=A", "draw l7", "draw b7", "draw a7", "draw a8"],
        [[asked("K")], [asked("A")], [], [], [], [ASK_OVER]],
        {"to_move": "p3", "effect": None, "top": "b9"},
    ),
    "the wanted O asks a suit": (
        place("l9 a10", "hO b10", "hK lU", top="l8"),
        ["play l9 ask=O", "play hO ask=b"],
        [[asked("O")], [asked("b")]],
        {"to_move": "p3", "effect": ask("b", "p2")},
    ),
    "a 7 of the suit cancels": (
        place("lO a10", "h7 hK", "h8 hU", "aK bU", top="l8"),
        ["play lO ask=h", "play h7", "draw l7", "draw b8"],
        [[asked("h")], [ASK_OVER, penalty(2)], [], []],
        {"to_move": "p4", "effect": None, "top": "h7"},
    ),
    "an ace of the suit cancels": (
        place("lO a10", "hA hK", "h8 hU", top="l8"),
        ["play lO ask=h", "play hA", "skip"],
        [[asked("h")], [ASK_OVER, skips(1)], []],
        {"to_move": "p1", "effect": None},
    ),
    "a 7 that only fits cancels": (
        place("lO a10", "l7 b8", "h8 hU", top="l8"),
        ["play lO ask=h", "play l7"],
        [[asked("h")], [ASK_OVER, penalty(2)]],
        {"effect": {"draw": 2}},
    ),
    "out and clean": (
        place("h8", "hK aU", "lK aA", top="hU"),
        ["play h8", "play hK", "play lK"],
        [[empty("p1")], [], [win("p1")]],
        {"phase": "over", "to_move": "none", "top": "lK"},
    ),
    "out, but 7s come round": (
        place("", "h7 aU", "l7 aA", to_move="p2"),
        ["play h7", "play l7", "draw b8", "draw b9", "draw b10", "draw bU"],
        [[penalty(2)], [penalty(4)], [], [], [], []],
        {"to_move": "p2", "phase": "play", "hands": {"p1": ["b10", "b8", "b9", "bU"], "p2": ["aU"], "p3": ["aA"]}},
    ),
    "out, draws what is asked": (
        place("", "aU b10", "h9 aA", to_move="p3"),
        ["play h9 ask=K", "draw lK", "play lK"],
        [[asked("K")], [], [empty("p1")]],
        {"to_move": "p2", "phase": "play", "drawn": None, "effect": ask("K", "p3", True)},
    ),
    "out, draws something else": (
        place("", "aU b10", "h9 aA", to_move="p3"),
        ["play h9 ask=K", "draw b8"],
        [[asked("K")], []],
        {"to_move": "p2", "phase": "play", "drawn": None, "effect": ask("K", "p3")},
    ),
    "out, skipped": (
        place("", "aU b10", "hA aK", to_move="p3"),
        ["play hA", "skip"],
        [[skips(1)], []],
        {"to_move": "p2", "effect": None, "hands": {"p1": [], "p2": ["aU", "b10"], "p3": ["aK"]}},
    ),
    "out with a request of one's own": (
        place("hO", "h10 aU", "hK aA"),
        ["play hO ask=h", "play h10", "play hK", "draw hU", "play hU"],
        [[asked("h"), empty("p1")], [], [], [], [empty("p1"), ASK_OVER]],
        {"to_move": "p2", "effect": None, "top": "hU"},
    ),
    "out, the 7 on top is used up": (
        place("", "aU b10", "lK aA", top="h7", pile="hK", effect={"draw": 2}, to_move="p3"),
        ["draw b8", "draw b9"],
        [[], [win("p1")]],
        {"phase": "over"},
    ),
    "a penalty larger than the stock": (
        place("aK aU", "a9", "", top="b7", pile="a8 h7 h8 h9 l7", stock="aA bA", effect={"draw": 6}),
        ["draw aA", "draw bA", "draw h7", "draw l7", "draw h8", "draw h9"],
        [[], [], [RESHUFFLE], [], [], []],
        {"to_move": "p2", "phase": "play", "effect": None, "stock": ["a8"], "pile": [], "top": "b7"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    record, actions, said, after = CASES[name]
    reached, heard = run(record, *actions)
    assert heard == said
    assert {key: reached[key] for key in after} == after


# Further ways of the rules

MORE: dict[str, Case] = {
    "a 9 asks nothing": (place("l9 a10", "hK", "lU", top="l8"), ["play l9"], [[]], {"effect": None, "top": "l9"}),
    "a set of 9s asks": (place("l9 h9 b9 lU", "hK", "aU", top="l8"), ["play l9+h9+b9 ask=7"], [[asked("7")]], {"effect": ask("7")}),
    "a set of Os asks": (place("lO hO bO lU", "hK", "aU", top="l8"), ["play lO+hO+bO ask=a"], [[asked("a")]], {"effect": ask("a")}),
    "any order of a set": (place("h8 l8 b8 a8 hU", "hK", "lU", top="h7"), ["play h8+b8+l8+a8"], [[]], {"top": "a8"}),
    "satisfying without asking": (
        place("a10 aU", "hO bU", "hK", effect=ask("h"), to_move="p2"),
        ["play hO"],
        [[]],
        {"effect": ask("h", fulfilled=True), "to_move": "p3"},
    ),
    "a 9 of the suit asks a rank": (
        place("a10 aU", "h9 bU", "hK", effect=ask("h", fulfilled=True), to_move="p2"),
        ["play h9 ask=K"],
        [[asked("K")]],
        {"effect": ask("K", "p2"), "to_move": "p3"},
    ),
    "the asker asks again": (
        place("hO aU", "h10 bU", "hK", effect=ask("h", fulfilled=True)),
        ["play hO ask=h"],
        [[asked("h")]],
        {"effect": ask("h"), "to_move": "p2"},
    ),
    "the asker overrules himself": (place("bO aU", "bU", "hK", effect=ask("h")), ["play bO ask=l"], [[asked("l")]], {"effect": ask("l")}),
    "the asker satisfies without asking": (
        place("hO aU", "h10 bU", "hK", effect=ask("h", fulfilled=True)),
        ["play hO"],
        [[ASK_OVER]],
        {"effect": None, "to_move": "p2"},
    ),
    "the asker breaks": (place("h7 aU", "bU", "hK", effect=ask("h")), ["play h7"], [[ASK_OVER, penalty(2)]], {"effect": {"draw": 2}}),
    "the asker's turn makes a winner": (
        place("aK", "", "bU", top="lO", effect=ask("h")),
        ["draw b8"],
        [[ASK_OVER, win("p2")]],
        {"phase": "over", "to_move": "none"},
    ),
    "the last card of the asker's turn": (
        place("h10", "bU", "hK lK", effect=ask("h")),
        ["play h10"],
        [[empty("p1"), ASK_OVER]],
        {"effect": None, "to_move": "p2"},
    ),
    "the last 7 breaks": (place("h7", "bU", "hK", effect=ask("h")), ["play h7"], [[ASK_OVER, penalty(2), empty("p1")]], {"to_move": "p2"}),
    "empty and the next is empty": (place("h10", "", "hK", top="h8"), ["play h10"], [[empty("p1"), win("p2")]], {"phase": "over"}),
    "the asker keeps": (
        place("hU", "bU", "hK", effect=ask("h"), phase="drawn", drawn="hU"),
        ["keep"],
        [[ASK_OVER]],
        {"effect": None, "to_move": "p2", "drawn": None, "phase": "play"},
    ),
    "an overruling card drawn": (
        place("", "bU", "hK", effect=ask("h", "p3")),
        ["draw bO", "play bO ask=l"],
        [[], [asked("l"), empty("p1")]],
        {"effect": ask("l"), "to_move": "p2", "hands": {"p1": [], "p2": ["bU"], "p3": ["hK"]}},
    ),
    "a breaking card drawn": (
        place("", "bU", "hK", effect=ask("K", "p3"), top="h9"),
        ["draw h7", "play h7"],
        [[], [ASK_OVER, penalty(2), empty("p1")]],
        {"effect": {"draw": 2}, "to_move": "p2"},
    ),
    "an ace laid on an ace counts anew": (
        place("hA lU", "lA bA aA bU", "hK", "aK", "lK"),
        ["play hA", "play lA+bA+aA", "skip", "skip", "skip"],
        [[skips(1)], [skips(3)], [], [], []],
        {"to_move": "p1", "effect": None},
    ),
    "4 aces among 5": (place("hA lA bA aA lU", "bU", "hK", "aK", "lK"), ["play hA+lA+bA+aA"], [[skips(4)]], {"effect": {"skip": 4}}),
    "nothing to draw": (place("a10 aU", "bU", "", top="h8", stock=""), ["draw none"], [[]], {"to_move": "p2"}),
    "a reshuffle without an effect": (
        place("a10", "bU", "", top="h8", pile="h9 l7", stock=""),
        ["draw l7"],
        [[RESHUFFLE]],
        {"stock": ["h9"], "pile": [], "to_move": "p2"},
    ),
    "the last card of the stock": (
        place("a10", "bU", "", top="h8", pile="h9", stock="l7"),
        ["draw l7"],
        [[]],
        {"stock": [], "pile": ["h9"]},
    ),
    "a penalty that cannot be drawn": (
        place("aU", "bU", "", top="h7", pile="l7", stock="b7", effect={"draw": 6}),
        ["draw b7", "draw l7", "draw none"],
        [[], [RESHUFFLE], []],
        {"to_move": "p2", "effect": None, "phase": "play", "stock": [], "pile": []},
    ),
    "empty-handed, nothing to draw for a request": (
        place("", "bU", "", top="h8", stock="", effect=ask("h")),
        ["draw none"],
        [[ASK_OVER]],
        {"to_move": "p2", "effect": None, "phase": "play"},
    ),
    "empty-handed, nothing to draw for a penalty, stays empty": (
        place("", "h7 lU", "", top="b7", stock="", effect={"draw": 2}),
        ["draw none"],
        [[]],
        {"to_move": "p2", "effect": None},
    ),
    "a reshuffle for one who is empty": (
        place("", "bU", "", top="h8", pile="hK", stock="", effect=ask("h", "p3")),
        ["draw hK"],
        [[RESHUFFLE]],
        {"phase": "drawn", "drawn": "hK", "pile": [], "stock": []},
    ),
}


@pytest.mark.parametrize("name", MORE)
def test_more_ways(name: str) -> None:
    record, actions, said, after = MORE[name]
    reached, heard = run(record, *actions)
    assert heard == said
    assert {key: reached[key] for key in after} == after


# What is legal

NINE_ASKS = [f"ask={rank}" for rank in sorted(RANKS)]
OVER_ASKS = [f"ask={suit}" for suit in "abhl"]
SUIT_ASKED = ["play h9", *(f"play h9 {a}" for a in NINE_ASKS), "play hO", *(f"play hO {a}" for a in OVER_ASKS)]
ANY: Record = {"specials": "any"}
ONLY_SATISFY: Record = {"cancel": "satisfy"}


def cards_laid(text: str) -> list[str]:
    return [f"play {laid}" for laid in text.split()]


PLAYS = {
    "fit by suit or rank": (place("hU l8 lU b9", "aU", "hK"), ["play hU", "play l8"]),
    "specials=any": (place("l7 bO aA bU", "aU", "hK", **ANY), ["play aA", "play bO", *(f"play bO {a}" for a in OVER_ASKS), "play l7"]),
    "a penalty": (place("l7 hU h8 hA", "aU", "hK", top="b7", effect={"draw": 2}), ["play l7"]),
    "a penalty, any set of 7s": (
        place("l7 h7 a7", "aU", "hK", top="b7", effect={"draw": 2}),
        cards_laid("a7 a7+h7+l7 a7+l7+h7 h7 h7+a7+l7 h7+l7+a7 l7 l7+a7+h7 l7+h7+a7"),
    ),
    "a penalty, specials=any": (place("lA bO hU", "aU", "hK", top="b7", effect={"draw": 2}, **ANY), []),
    "aces": (place("lA hU bU", "aU", "hK", top="bA", effect={"skip": 1}), ["play lA"]),
    "a fulfilled suit": (place("hO bO h9 b9", "aU", "h10", effect=ask("h", "p2", True)), SUIT_ASKED),
    "an unfulfilled suit": (place("aO b8 b9", "aU", "hK", top="lO", effect=ask("h", "p2")), [f"play aO {a}" for a in OVER_ASKS]),
    "an unfulfilled rank": (place("b9 bO", "aU", "hK", top="l9", effect=ask("K", "p2")), [f"play b9 {a}" for a in NINE_ASKS]),
    "a fulfilled rank": (place("b9 bU", "aU", "hK", top="lK", effect=ask("K", "p2", True)), []),
    "the asked 9": (place("b9 bU", "aU", "hK", top="l9", effect=ask("9", "p2")), ["play b9", *(f"play b9 {a}" for a in NINE_ASKS)]),
    "the asked 9, fulfilled": (place("b9", "aU", "hK", effect=ask("9", "p2", True)), ["play b9", *(f"play b9 {a}" for a in NINE_ASKS)]),
    "the asked O": (place("bO", "aU", "hK", effect=ask("O", "p2", True)), ["play bO", *(f"play bO {a}" for a in OVER_ASKS)]),
    "a 7 that fits": (place("l7 b8", "aU", "hK", top="lO", effect=ask("h", "p2")), ["play l7"]),
    "a 7 that fits, fulfilled": (place("l7 b8", "aU", "hK", top="lO", effect=ask("h", "p2", True)), ["play l7"]),
    "a 7 that does not fit": (place("b7 a8", "aU", "hK", top="lO", effect=ask("h", "p2")), []),
    "any 7 and ace fits": (place("b7 aA b9", "aU", "hK", top="lO", effect=ask("h", "p2"), **ANY), ["play aA", "play b7"]),
    "cancel=satisfy": (place("l7 lA b8", "aU", "hK", top="lO", effect=ask("h", "p2"), **ONLY_SATISFY), []),
    "cancel=satisfy, the suit": (place("h7 lA b8", "aU", "hK", top="lO", effect=ask("h", "p2"), **ONLY_SATISFY), ["play h7"]),
    "cancel=satisfy, the rank": (place("lA l7", "aU", "hK", top="l9", effect=ask("A", "p2"), **ONLY_SATISFY), ["play lA"]),
    "cancel=satisfy, specials=any": (place("b7 aA", "aU", "hK", top="lO", effect=ask("h", "p2"), **ONLY_SATISFY, **ANY), []),
    "a set by its first": (
        place("h8 l8 b8", "aU", "hK", top="lO", effect=ask("h", "p2")),
        ["play h8", "play h8+b8+l8", "play h8+l8+b8"],
    ),
    "a set of 7s by its first": (
        place("l7 h7 b7", "aU", "hK", top="lO", effect=ask("a", "p2")),
        ["play l7", "play l7+b7+h7", "play l7+h7+b7"],
    ),
    "a set of Os by its first": (
        place("bO hO aO", "aU", "hK", top="lO", effect=ask("h", "p2", True)),
        sorted(f"play {c}{a}" for c in ("hO", "hO+bO+aO", "hO+aO+bO") for a in ("", *(f" {a}" for a in OVER_ASKS))),
    ),
    "four of a rank": (
        place("h10 l10 b10 a10", "aU", "hK", top="bU"),
        cards_laid(
            "b10 b10+a10+h10 b10+a10+l10 b10+h10+a10 b10+h10+l10 b10+h10+l10+a10 b10+h10+a10+l10 b10+l10+a10+h10 b10+l10+a10 b10+l10+h10"
        ),
    ),
}


@pytest.mark.parametrize("name", PLAYS)
def test_plays(name: str) -> None:
    record, plays = PLAYS[name]
    assert [action for action in legal(record) if action.startswith("play")] == sorted(plays)


DRAWS = {
    "always without an effect": (place("hU", "aU", "hK"), True),
    "a 7 must be laid": (place("a7 hU", "aU", "hK", top="b7", effect={"draw": 2}), False),
    "without a 7": (place("hU", "aU", "hK", top="b7", effect={"draw": 2}), True),
    "what is asked must be laid": (place("hU", "aU", "hK", effect=ask("h")), False),
    "an asked 7 must be laid": (place("h7", "aU", "hK", effect=ask("h")), False),
    "breaking is a choice": (place("l7", "aU", "hK", top="lO", effect=ask("h")), True),
    "overruling is a choice": (place("bO", "aU", "hK", top="lO", effect=ask("h")), True),
    "not for an ace": (place("hU", "aU", "hK", top="bA", effect={"skip": 1}), False),
    "in a penalty, whatever came": (place("h7 hU", "aU", "hK", top="b7", effect={"draw": 1}, phase="penalty"), True),
    "not what was drawn already": (place("hU", "aU", "hK", effect=ask("h"), phase="drawn", drawn="hU"), False),
}


@pytest.mark.parametrize("name", DRAWS)
def test_draws(name: str) -> None:
    record, allowed = DRAWS[name]
    wanted = [f"draw {card}" for card in sorted(record["stock"])] if allowed else []
    assert [action for action in legal(record) if action.startswith("draw")] == wanted


def test_skip_only_without_an_ace() -> None:
    assert legal(place("hU", "aU", "hK", top="bA", effect={"skip": 1})) == ["skip"]
    assert legal(place("hA", "aU", "hK", top="bA", effect={"skip": 1})) == ["play hA"]
    assert legal(hidden(0, 5, 5, top="bA", effect={"skip": 1})) == ["skip"]
    assert legal(hidden(2, 5, 5, top="bA", effect={"skip": 1})) == ["play aA", "play hA", "play lA", "skip"]


def test_drawn() -> None:
    assert legal(place("lK", "aU", "b8", effect=ask("K", "p3"), phase="drawn", drawn="lK")) == ["keep", "play lK"]
    overruling = place("lO", "aU", "b8", effect=ask("h", "p3"), phase="drawn", drawn="lO")
    assert legal(overruling) == ["keep", *(f"play lO {a}" for a in OVER_ASKS)]


# What is refused, and why

REQUEST = place("b8 b7 bO hU lU", "aU", "hK", top="lO", effect=ask("h", fulfilled=True))
OPEN = place("l8 b8 lU b9 hU hO", "aU", "hK a8")
FLIP: Record = {"phase": "flip", "to_move": "table", "top": None}

REFUSED = [
    (OPEN, "dance", "'dance' is no action"),
    (OPEN, "Play hU", "no action"),
    (OPEN, "play", "play what?"),
    (OPEN, "play x9", "'x9' is no card"),
    (OPEN, "play h٨", "'h٨' is no card"),
    (OPEN, "play h8+", "'' is no card"),
    (OPEN, "play l8+b8", "one, three or four cards may be laid, not 2"),
    (OPEN, "play l8+l8+b8", "named twice"),
    (OPEN, "play l8+b8+hU", "one rank"),
    (OPEN, "play l8+b8+a8", "a8 is not in your hand"),
    (OPEN, "play lU", "lU has neither the suit nor the rank of the top card h8"),
    (OPEN, "play b9", "b9 has neither"),
    (OPEN, "play hU ask=h", "only a 9 or an O"),
    (OPEN, "play hO ask=K", "O may ask for h, l, b, a"),
    (OPEN, "play hO ask=", "O may ask for h, l, b, a"),
    (OPEN, "play b9 ask=h", "9 may ask for 7, 8, 9, 10, U, O, K, A"),
    (OPEN, "play hO ask=h ask=b", "only one ask=X"),
    (OPEN, "play hO want=h", "only one ask=X"),
    (OPEN, "draw", "name the card"),
    (OPEN, "draw none", "there are cards to draw"),
    (OPEN, "draw aU", "aU is not among the cards to draw"),
    (OPEN, "draw h99", "'h99' is no card"),
    (OPEN, "draw h9 h10", "one card at a time"),
    (OPEN, "skip", "no ace is pending"),
    (OPEN, "skip now", "'skip' stands alone"),
    (OPEN, "keep", "no drawn card"),
    (OPEN, "flip h9", "turned up already"),
    (OPEN, "flip", "flip what?"),
    (OPEN, "redeal", "not void"),
    (place("", "aU", "hK", top="b7", effect={"draw": 2}), "play h7", "your hand is empty"),
    (place("h7 hU", "aU", "hK", top="b7", effect={"draw": 2}), "play hU", "hU is no answer to a penalty"),
    (place("h7 hU", "aU", "hK", top="b7", effect={"draw": 2}), "draw h8", "you hold h7 and must lay"),
    (place("h7 hU", "aU", "hK", top="b7", effect={"draw": 1}, phase="penalty"), "play h7", "rest of the penalty"),
    (place("hA hU", "aU", "hK", top="bA", effect={"skip": 1}), "play hU", "hU is no answer to an ace"),
    (place("hA hU", "aU", "hK", top="bA", effect={"skip": 1}), "draw h8", "lay an ace or skip"),
    (place("hA hU", "aU", "hK", top="bA", effect={"skip": 1}), "skip", "you hold hA"),
    (REQUEST, "draw h8", "you hold hU and must lay"),
    (REQUEST, "play b8", "b8 is not what is asked for (h)"),
    (REQUEST, "play b7", "b7 is not what is asked for (h) and does not fit the top card lO"),
    (REQUEST, "play bO ask=h", "the request for h has been fulfilled: O cannot overrule it"),
    (REQUEST, "play lU", "lU is not what is asked for"),
    ({**REQUEST, "cancel": "satisfy"}, "play b7", "b7 is not what is asked for (h)"),
    ({**REQUEST, "effect": ask("h")}, "play bO", "bO overrules the request: it must ask"),
    (place("lK", "aU", "b8", effect=ask("K", "p3"), phase="drawn", drawn="lK"), "draw h9", "lay the card that you drew"),
    (place("lK", "aU", "b8", effect=ask("K", "p3"), phase="drawn", drawn="lK"), "play b8", "b8 is not in your hand"),
    (place("lK", "aU", "b8", **FLIP), "play lK", "still to be turned up"),
    (hidden(5, 5, 5), "draw h9", "not named"),
    (hidden(5, 5, 5), "draw none", "there are cards to draw"),
    (hidden(5, 5, 5, pile="h9"), "play h9", "h9 lies open"),
    (hidden(5, 5, 5), "play h8", "h8 lies open"),
    (hidden(2, 5, 5), "play l8+b8+a8", "3 cards cannot be laid from a hand of 2"),
    (hidden(0, 5, 5, top="l7", effect={"draw": 2}), "play h7", "your hand is empty"),
    (place("a10", "bU", "", stock=""), "draw h9", "draw none"),
    (place("a10", "bU", "", stock=""), "draw", "draw none"),
    (hidden(5, 5, 0, stock=0), "draw", "draw none"),
]


@pytest.mark.parametrize(("record", "action", "why"), REFUSED)
def test_refused(record: Record, action: str, why: str) -> None:
    state = at(record)
    assert action not in GAME.legal(state)
    with pytest.raises(IllegalAction) as refused:
        GAME.do(state, action)
    assert why in str(refused.value)


def test_nothing_after_the_end() -> None:
    state = GAME.do(at(place("h10", "", "hK")), "play h10")[0]
    assert GAME.over(state)
    assert list(GAME.legal(state)) == []
    assert GAME.outcome(state) == {"over": True, "winner": "p2", "reason": "out"}
    assert GAME.outcome(at(OPEN)) == {"over": False}
    for act in (lambda: GAME.do(state, "draw h9"), lambda: GAME.do(state, "dance"), lambda: GAME.pick(state, Random(1))):
        with pytest.raises(GameOver):
            act()
    with pytest.raises(BadArgument):
        GAME.position(GAME.record(state))


# Hidden games


def test_hidden_cards_can_be_in_a_hand_unless_they_lie_open() -> None:
    plays = legal(hidden(2, 5, 5, pile="h9 hU"))
    assert {"play h7", "play l8", "play hO ask=b", "draw"} <= set(plays)
    assert not {"play h8", "play h9", "play hU", "play l8+b8+a8", "skip"} & set(plays)
    assert "play l8+b8+a8" in legal(hidden(3, 5, 5))
    assert "play l10+h10+b10+a10" not in legal(hidden(3, 5, 5, top="l8"))
    assert "play l10+h10+b10+a10" in legal(hidden(4, 5, 5, top="l8"))


def test_hidden_effects_take_the_word_of_the_player() -> None:
    assert legal(hidden(1, 5, 5, top="b7", effect={"draw": 2})) == ["draw", "play a7", "play h7", "play l7"]
    assert legal(hidden(0, 5, 5, top="b7", effect={"draw": 2})) == ["draw"]
    assert legal(hidden(2, 5, 5, top="b7", effect={"draw": 1}, phase="penalty")) == ["draw"]
    assert {"draw", "play hK"} <= set(legal(hidden(1, 5, 5, top="b9", effect=ask("K"))))
    assert legal(hidden(5, 5, 0, stock=0, top="b7", effect={"draw": 2}))[0] == "draw none"


def test_hidden_reshuffle() -> None:
    reached, said = run(hidden(5, 5, 0, stock=0, pile="h9 hU h7"), "draw")
    assert said == [[RESHUFFLE]]
    assert (reached["stock"], reached["pile"], reached["hands"]["p1"]) == (2, [], 6)
    assert "play h9" in GAME.legal(at(reached))


def test_hidden_penalty_that_cannot_be_drawn() -> None:
    reached, said = run(hidden(5, 5, 0, stock=1, pile="h7", top="l7", effect={"draw": 4}), "draw", "draw", "draw none")
    assert said == [[], [RESHUFFLE], []]
    assert (reached["effect"], reached["to_move"], reached["hands"]["p1"]) == (None, "p2", 7)


def test_hidden_draw_of_an_empty_handed_player() -> None:
    reached, _ = run(hidden(0, 5, 5, top="b9", effect=ask("K", "p3")), "draw")
    assert (reached["phase"], reached["to_move"], reached["drawn"], reached["hands"]["p1"]) == ("drawn", "p1", None, 1)
    assert {"keep", "play hK", "play bK", "play b7", "play h9 ask=8"} <= set(GAME.legal(at(reached)))
    assert not any("+" in action or action.startswith("draw") for action in GAME.legal(at(reached)))
    after, said = run(reached, "play hK")
    assert (said, after["phase"], after["to_move"]) == ([[empty("p1")]], "play", "p2")
    after, said = run(reached, "keep")
    assert (said, after["phase"], after["hands"]["p1"]) == ([[]], "play", 1)


def test_hidden_turn_passes_when_no_unseen_card_would_be_legal() -> None:
    """All kings lie open, the 9s too; no 7 or ace can break with cancel=satisfy."""
    lying = "hK lK bK aK h9 l9 a9"
    record = hidden(0, 5, 5, top="b9", pile=lying, effect=ask("K", "p3"), cancel="satisfy")
    reached, _ = run(record, "draw")
    assert (reached["phase"], reached["to_move"], reached["hands"]["p1"]) == ("play", "p2", 1)
    reached, _ = run({**record, "cancel": "fit"}, "draw")
    assert reached["phase"] == "drawn"
    reached, said = run(hidden(0, 5, 0, stock=0, top="b9", pile=lying, effect=ask("K", "p3"), cancel="satisfy"), "draw")
    assert (reached["phase"], said) == ("drawn", [[RESHUFFLE]])


# Views


def test_view() -> None:
    record = place("lK", "aU hU", "b8", effect=ask("K", "p3"), phase="drawn", drawn="lK", pile="h9")
    state = at(record)
    mine, other = GAME.view(state, "p1"), GAME.view(state, "p2")
    assert mine["hands"] == {"p1": ["lK"], "p2": 2, "p3": 1}
    assert (mine["drawn"], mine["stock"], mine["pile"], mine["top"]) == ("lK", len(record["stock"]), ["h9"], "h8")
    assert (other["drawn"], other["hands"]) == (None, {"p1": 1, "p2": ["aU", "hU"], "p3": 1})


# Options for two cards at once, and for a 7 or an ace at any time [4, 11]


@pytest.mark.parametrize("sets", ["three", "pairs"])
def test_two_of_a_rank(sets: str) -> None:
    record = place("l8 b8 l7", "aU", "hK", sets=sets)
    pairs = [action for action in legal(record) if action.count("+") == 1]
    assert pairs == (["play b8+l8", "play l8+b8"] if sets == "pairs" else [])
    if sets == "three":
        with pytest.raises(IllegalAction, match="one, three or four cards may be laid, not 2"):
            GAME.do(at(record), "play l8+b8")
        assert "sets" not in GAME.record(at(record))
    else:
        after, _ = GAME.do(at(record), "play l8+b8")
        assert GAME.record(after)["top"] == "b8"
        assert GAME.record(after)["sets"] == "pairs"


def test_pairs_of_special_cards_count_twice() -> None:
    after, _ = GAME.do(at(place("h7 l7 h9", "aU", "hK", sets="pairs")), "play h7+l7")
    assert GAME.record(after)["effect"] == {"draw": 4}
    after, _ = GAME.do(at(place("hA lA h9", "aU", "hK", sets="pairs")), "play hA+lA")
    assert GAME.record(after)["effect"] == {"skip": 2}
    assert "play h9+l9 ask=K" in legal(place("h9 l9 hA", "aU", "hK", sets="pairs"))


def test_a_hidden_pair_needs_two_cards() -> None:
    assert any(action.count("+") == 1 for action in legal(hidden(2, 5, 5, sets="pairs")))
    assert not any("+" in action for action in legal(hidden(1, 5, 5, sets="pairs")))


@pytest.mark.parametrize(("cancel", "broken"), [("satisfy", []), ("fit", ["play lA"]), ("any", ["play b7", "play lA"])])
@pytest.mark.parametrize("fulfilled", [False, True])
def test_who_may_break_a_request(cancel: str, broken: list[str], fulfilled: bool) -> None:
    record = place("b7 lA lK", "aU", "hK", top="lO", effect=ask("h", "p3", fulfilled), cancel=cancel)
    assert [action for action in legal(record) if action.startswith("play")] == broken
    assert any(action.startswith("draw") for action in legal(record))


def test_breaking_at_any_time_starts_the_effect() -> None:
    record = place("b7 lK", "aU", "hK", top="lO", effect=ask("h", "p3"), cancel="any")
    after, said = GAME.do(at(record), "play b7")
    assert said == [{"say": "ask_over"}, {"say": "penalty", "count": 2}]
    assert GAME.record(after)["effect"] == {"draw": 2}
