"""Makaó: the deal, the options and the positions that are refused."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, IllegalAction
from underboard.engine.gamekit.options import Options
from underboard.engine.games.makao.rules import Makao
from underboard.engine.games.makao.state import State

GAME = Makao()
PACK = sorted(suit + rank for suit in "hlba" for rank in "7 8 9 10 U O K A".split())

Record = dict[str, Any]


def new(text: str) -> State:
    options = Options.parse(text.split())
    state = GAME.new(options)
    options.finish()
    return state


# The deal

HANDS = "p1=h8,h10,hU,hK,l10 p2=lU,lK,b8,b10,bU p3=bK,a8,a10,aU,aK p4=h7,l7,b7,a7,h9"
PLAIN = "p1=h8,h10,hU,hK,l8 p2=lU,lK,b8,b10,bU p3=bK,a8,a10,aU,aK p4={}"


def test_special_cards_turned_up_go_to_the_starter() -> None:
    record = GAME.record(new(f"{HANDS} up=b9,aA,l8"))
    assert (record["phase"], record["to_move"], record["top"], record["pile"]) == ("play", "p1", "l8", [])
    assert record["hands"]["p1"] == ["aA", "b9", "h10", "h8", "hK", "hU", "l10"]
    assert len(record["stock"]) == 9


def test_the_table_turns_up() -> None:
    state = new(f"{HANDS} first=p3 seed=1")
    assert (GAME.phase(state), GAME.to_move(state)) == ("flip", "table")
    assert GAME.record(state)["top"] is None
    assert GAME.legal(state) == [f"flip {card}" for card in "a9 aA aO b9 bA bO hA hO l8 l9 lA lO".split()]
    with pytest.raises(IllegalAction, match="h8 is not in the stock"):
        GAME.do(state, "flip h8")
    state, said = GAME.do(state, "flip b9")
    assert (GAME.to_move(state), said) == ("table", [])
    state, said = GAME.do(state, "flip l8")
    assert (GAME.phase(state), GAME.to_move(state), said) == ("play", "p3", [])
    assert GAME.record(state)["hands"]["p3"] == ["a10", "a8", "aK", "aU", "b9", "bK"]
    assert state == GAME.position(GAME.record(state))


def void(seed: str = "seed=3") -> State:
    """Four players hold every card that is not special, so the table finds none."""
    state = new(f"{PLAIN.format('l10,h7,l7,b7,a7')} first=p4 {seed}")
    for card in "h9 l9 b9 a9 hO lO bO aO hA lA bA".split():
        state, _ = GAME.do(state, f"flip {card}")
        assert GAME.phase(state) == "flip"
    return GAME.do(state, "flip aA")[0]


def test_a_void_deal() -> None:
    state = void()
    assert (GAME.phase(state), GAME.to_move(state), list(GAME.legal(state))) == ("deal_void", "table", ["redeal"])
    record = GAME.record(state)
    assert (record["top"], record["stock"], len(record["hands"]["p4"])) == (None, [], 17)
    dealt, said = GAME.do(state, "redeal")
    assert said == []
    assert (GAME.phase(dealt), GAME.to_move(dealt), GAME.record(dealt)["first"]) == ("play", "p4", "p4")
    assert GAME.do(state, "redeal")[0] == dealt
    assert GAME.do(void(), "redeal")[0] == dealt
    assert GAME.do(void("seed=4"), "redeal")[0] != dealt
    assert GAME.do(void(""), "redeal")[0] != GAME.do(void(""), "redeal")[0]
    again = GAME.position(record)
    assert GAME.record(again) == record
    assert GAME.phase(GAME.do(again, "redeal")[0]) == "play"
    with pytest.raises(IllegalAction, match="void"):
        GAME.do(state, "flip aA")


def test_the_last_card_of_the_stock_saves_the_deal() -> None:
    state = new(f"{PLAIN.format('h7,l7,b7,a7,hA')} up=h9,l9,b9,a9,hO,lO,bO,aO,lA,bA,aA,l10")
    record = GAME.record(state)
    assert (record["phase"], record["top"], record["stock"], len(record["hands"]["p1"])) == ("play", "l10", [], 16)
    assert GAME.legal(state)[0] == "draw none"


def test_a_starter_without_cards_has_won_when_the_card_is_turned_up() -> None:
    state = GAME.position(FLIPPING | {"first": "p2"} | hands(FLIPPING, p1=["lK"], p2=[], p3=["b8"]))
    state, said = GAME.do(state, "flip h8")
    assert (GAME.phase(state), said) == ("over", [{"say": "win", "seat": "p2"}])


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(20))
def test_random_deals(players: int, seed: int) -> None:
    state = new(f"players={players} first=p2 seed={seed}")
    record = GAME.record(state)
    sizes = [len(hand) for hand in record["hands"].values()]
    assert sizes[0] == sizes[2] == 5
    assert sizes[1] >= 5
    assert (record["phase"], record["to_move"], record["top"][1:] in ("8", "10", "U", "K")) == ("play", "p2", True)
    assert Counter([record["top"], *record["stock"], *chain(*record["hands"].values())]) == Counter(PACK)
    assert state == new(f"players={players} first=p2 seed={seed}")
    assert GAME.position(record) == state


def test_random_hands_beside_the_cards_turned_up() -> None:
    record = GAME.record(new("up=l9,aA,l8 seed=5 first=p4"))
    assert record["top"] == "l8"
    assert {"l9", "aA"} <= set(record["hands"]["p4"])
    assert [len(hand) for hand in record["hands"].values()] == [5, 5, 5, 7]
    assert new("seed=1") != new("seed=2")
    assert new("") != new("")


def test_a_physical_deal() -> None:
    record = GAME.record(new("cards=hidden up=l9,aA,l8 first=p2 seed=5"))
    assert record["hands"] == {"p1": 5, "p2": 7, "p3": 5, "p4": 5}
    assert (record["stock"], record["top"], record["pile"]) == (9, "l8", [])
    assert GAME.view(new("cards=hidden up=l8"), "p2") == GAME.record(new("cards=hidden up=l8"))


SPECIALS = "h7,l7,b7,a7,h9,l9,b9,a9,hO,lO,bO,aO,hA,lA,bA,aA"

BAD_OPTIONS = [
    ("players=2", "players=2"),
    ("players=6", "players=6"),
    ("players=x", "players=x"),
    ("first=p5", "first=p5"),
    ("players=3 first=p4", "first=p4"),
    ("cancel=no", "allowed are fit, satisfy"),
    ("specials=no", "allowed are fit, any"),
    ("cards=no", "allowed are open, hidden"),
    ("seed=x", "seed=x"),
    ("colour=red", "unknown option 'colour'"),
    ("players=3 p4=h8,h10,hU,hK,l10", "unknown option 'p4'"),
    ("p1=h8,h10,hU,hK,l10", "p2 is missing"),
    (HANDS.replace("h8,", ""), "p1: 5 cards are needed, not 4"),
    (HANDS.replace("p1=", "p1=l8,"), "p1: 5 cards are needed, not 6"),
    (HANDS.replace("p1=h8", "p1=h7"), "card h7"),
    (HANDS.replace("p1=h8", "p1=h1"), "'h1' is no card"),
    (f"{HANDS} up=h8", "card h8"),
    (f"{HANDS} up=l9", "up:"),
    (f"{HANDS} up=l8,l9", "up:"),
    (f"{HANDS} up=l8,b9,l8", "card l8"),
    ("up=", "up:"),
    ("up=l8,b8", "up:"),
    ("up=z", "'z' is no card"),
    (f"players=5 up={SPECIALS},l8", "stock of 7"),
    ("cards=hidden", "up:"),
    (f"cards=hidden {HANDS} up=l8", "hands are not given"),
    ("cards=hidden up=l9", "up:"),
    (f"cards=hidden players=3 up={SPECIALS},l8", "use up the stock"),
    ("cards=hidden players=5 up=h7,l7,b7,a7,h9,l9,l8", "use up the stock"),
]


@pytest.mark.parametrize(("text", "why"), BAD_OPTIONS)
def test_bad_options(text: str, why: str) -> None:
    with pytest.raises(BadArgument) as refused:
        new(text)
    assert why in str(refused.value)


def test_the_whole_stock_may_be_turned_up_in_an_open_game() -> None:
    assert GAME.record(new(f"players=3 up={SPECIALS},l8 seed=1"))["stock"] == []


# Positions


def hands(record: Record, **held: list[str]) -> Record:
    """The changes that give these hands; the stock is what is left."""
    used = {record["top"], *record["pile"], *chain(*held.values())}
    return {"hands": held, "stock": [card for card in PACK if card not in used]}


def ask(value: str, by: str = "p1") -> Record:
    return {"ask": value, "by": by, "with": "O" if value in "hlba" else "9", "fulfilled": False}


GOOD = GAME.record(new("players=3 p1=l8,b8,l9,bU,l10 p2=aU,aK,a8,a9,a10 p3=hK,h9,h10,hU,hO up=h8"))
DRAWN = GOOD | hands(GOOD, p1=["lK"], p2=["aU"], p3=["b8"]) | {"effect": ask("K", "p3"), "phase": "drawn", "drawn": "lK"}
FLIPPING = GAME.record(new("players=3 p1=l8,b8,l9,bU,l10 p2=aU,aK,a8,a9,a10 p3=hK,h9,h10,hU,hO"))
HIDDEN = GAME.record(new("players=3 cards=hidden up=h8"))
HIDDEN_DRAWN = HIDDEN | {"hands": {"p1": 1, "p2": 5, "p3": 5}, "stock": 20, "effect": ask("K", "p3"), "phase": "drawn"}


def changed(record: Record, **changes: Any) -> Record:
    return {**record, **changes}


def topped(card: str) -> Record:
    """The good position with another card of the stock on top."""
    return changed(GOOD, top=card, stock=sorted(["h8", *(other for other in GOOD["stock"] if other != card)]))


ON_A_SEVEN, ON_AN_ACE = topped("h7"), topped("hA")


def without(record: Record, key: str) -> Record:
    return {name: value for name, value in record.items() if name != key}


BAD_POSITIONS = [
    (without(GOOD, "drawn"), "drawn is missing"),
    (changed(GOOD, seed=1), "seed is unknown"),
    (changed(GOOD, cards="shut"), "cards:"),
    (changed(GOOD, players=2), "players:"),
    (changed(GOOD, players=True), "players:"),
    (changed(GOOD, players=4), "hands.p4 is missing"),
    (changed(GOOD, hands={**GOOD["hands"], "p4": []}), "hands.p4 is unknown"),
    (changed(GOOD, hands=[]), "hands: a JSON object"),
    (changed(GOOD, hands={**GOOD["hands"], "p1": 2}), "hands.p1: a list"),
    (changed(GOOD, hands={**GOOD["hands"], "p1": ["h1"]}), "'h1' is no card"),
    (changed(GOOD, phase="over"), "phase:"),
    (changed(GOOD, to_move="p4"), "to_move:"),
    (changed(GOOD, to_move="none"), "to_move:"),
    (changed(GOOD, to_move="table"), "to_move: a seat is to move"),
    (changed(GOOD, first="p4"), "first:"),
    (changed(GOOD, cancel="no"), "cancel:"),
    (changed(GOOD, specials=None), "specials:"),
    (changed(GOOD, top=8), "top:"),
    (changed(GOOD, top=None), "top: there is a top card"),
    (changed(GOOD, pile=None), "pile:"),
    (changed(GOOD, pile=[["h8"]]), "pile:"),
    (changed(GOOD, stock=16), "stock: a list"),
    (changed(GOOD, stock=GOOD["stock"][1:]), "card a7: 0 of 1"),
    (changed(GOOD, stock=[*GOOD["stock"], "h8"]), "card h8: 2 of 1"),
    (changed(GOOD, drawn="l8"), "drawn: null"),
    (changed(GOOD, effect=[]), "effect:"),
    (changed(GOOD, effect={}), "effect:"),
    (changed(GOOD, effect=2), "effect:"),
    (changed(GOOD, effect={"draw": 0}), "effect.draw:"),
    (changed(GOOD, effect={"draw": True}), "effect.draw:"),
    (changed(GOOD, effect={"draw": 2.0}), "effect.draw:"),
    (changed(GOOD, effect={"draw": 2, "skip": 1}), "effect.skip is unknown"),
    (changed(GOOD, effect={"skip": 3}), "effect.skip:"),
    (changed(GOOD, effect={"skip": 0}), "effect.skip:"),
    (changed(GOOD, effect={"ask": "K"}), "effect.by is missing"),
    (changed(GOOD, effect={**ask("K"), "more": 1}), "effect.more is unknown"),
    (changed(GOOD, effect={**ask("K"), "ask": "k"}), "effect.ask:"),
    (changed(GOOD, effect={**ask("K"), "with": "O"}), "effect.with: allowed are 9"),
    (changed(GOOD, effect={**ask("h"), "with": "9"}), "effect.with: allowed are O"),
    (changed(GOOD, effect=ask("K", by="p4")), "effect.by:"),
    (changed(GOOD, effect={**ask("K"), "fulfilled": 0}), "effect.fulfilled:"),
    (changed(GOOD, phase="penalty"), "effect: there is a penalty"),
    (changed(GOOD, phase="penalty", effect={"skip": 1}), "effect: there is a penalty"),
    (changed(GOOD, phase="drawn"), "effect: there is a request"),
    (changed(GOOD, to_move="p1", hands={**GOOD["hands"], "p1": []}, pile=GOOD["hands"]["p1"]), "the game is decided"),
    (changed(DRAWN, drawn=None), "drawn: the card drawn is needed"),
    (changed(DRAWN, drawn="b8"), "hands.p1: nothing but the card drawn"),
    (changed(DRAWN, to_move="p2"), "hands.p2: nothing but the card drawn"),
    (changed(DRAWN, phase="play"), "drawn: null"),
    (changed(DRAWN, effect=None), "effect: there is a request"),
    (changed(GOOD, effect={"draw": 2}), "effect: a penalty comes from a 7, but the top card is h8"),
    (changed(ON_AN_ACE, effect={"draw": 2}, phase="penalty"), "effect: a penalty comes from a 7, but the top card is hA"),
    (changed(GOOD, effect={"skip": 2}), "effect: a skip comes from an ace, but the top card is h8"),
    (changed(HIDDEN, effect={"skip": 2}), "effect: a skip comes from an ace, but the top card is h8"),
    (changed(GOOD, sets="twos"), "sets: allowed are three, pairs"),
    (changed(FLIPPING, to_move="p1"), "to_move: table"),
    (changed(FLIPPING, effect={"draw": 2}), "effect: null"),
    (changed(FLIPPING, top="h8", stock=[c for c in FLIPPING["stock"] if c != "h8"]), "top, pile:"),
    (changed(FLIPPING, pile=["h8"], stock=[c for c in FLIPPING["stock"] if c != "h8"]), "top, pile:"),
    (changed(FLIPPING, phase="deal_void"), "stock: empty in phase deal_void"),
    (changed(FLIPPING, stock=[], hands={**FLIPPING["hands"], "p2": FLIPPING["hands"]["p2"] + FLIPPING["stock"]}), "stock: a card is left"),
    (changed(HIDDEN, phase="flip", top=None, to_move="table", stock=17), "cards=hidden"),
    (changed(HIDDEN, stock=17), "33 cards in all"),
    (changed(HIDDEN, stock=15), "31 cards in all"),
    (changed(HIDDEN, stock=["h9"]), "stock: a whole number"),
    (changed(HIDDEN, stock=True), "stock: a whole number"),
    (changed(HIDDEN, hands={"p1": 5, "p2": 5, "p3": -1}), "hands.p3:"),
    (changed(HIDDEN, pile=["h8"], stock=15), "card h8: lies open 2 times"),
    (changed(HIDDEN, hands={"p1": 0, "p2": 5, "p3": 5}, stock=21), "the game is decided"),
    (changed(HIDDEN_DRAWN, drawn="hK"), "drawn: null"),
    (changed(HIDDEN_DRAWN, hands={"p1": 2, "p2": 5, "p3": 5}, stock=19), "hands.p1: nothing but"),
    ([], "a JSON object"),
    (None, "a JSON object"),
]


@pytest.mark.parametrize(("record", "why"), BAD_POSITIONS)
def test_bad_positions(record: Any, why: str) -> None:
    with pytest.raises(BadArgument) as refused:
        GAME.position(record)
    assert why in str(refused.value)


def test_every_problem_is_named() -> None:
    with pytest.raises(BadArgument) as refused:
        GAME.position(changed(GOOD, first="p9", top=1, pile=0, stock={}, effect={**ask("K"), "by": 1, "fulfilled": 1}, drawn="x"))
    for place_named in ("first:", "top:", "pile:", "stock:", "effect.by:", "effect.fulfilled:", "drawn:"):
        assert place_named in str(refused.value)
    with pytest.raises(BadArgument) as refused:
        GAME.position(changed(GOOD, phase="drawn", stock=[*GOOD["stock"], "l8"], drawn="aU"))
    for problem in ("card l8: 2 of 1", "effect: there is a request", "hands.p1"):
        assert problem in str(refused.value)


@pytest.mark.parametrize(
    "record",
    [
        GOOD,
        DRAWN,
        FLIPPING,
        HIDDEN,
        HIDDEN_DRAWN,
        *(changed(ON_A_SEVEN, effect={"draw": cards}) for cards in (1, 3, 8, 9, 12)),
        changed(ON_AN_ACE, effect={"skip": 2}),
    ],
)
def test_good_positions(record: Record) -> None:
    read = GAME.record(GAME.position(record))
    assert GAME.record(GAME.position(read)) == read
    shuffled = json.loads(json.dumps(record))
    if record["cards"] == "open":
        shuffled["stock"].reverse()
    assert GAME.record(GAME.position(shuffled)) == read
