"""Makaó: random games against a slow reading of the rules over the JSON state."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import IllegalAction
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.makao.legal import groups
from underboard.engine.games.makao.moves import MOVES
from underboard.engine.games.makao.rules import Makao
from underboard.engine.games.makao.state import State

GAME = Makao()
RANKS = "7 8 9 10 U O K A".split()
PACK = [suit + rank for suit in "hlba" for rank in RANKS]

Record = dict[str, Any]


def new(text: str) -> State:
    return GAME.new(Options.parse(text.split()))


SETTINGS = ["", "players=3", "players=5", "cancel=satisfy", "specials=any", "players=3 cancel=satisfy specials=any"]


def slow_firsts(record: Record) -> tuple[set[str], set[str]]:
    """The cards that may be laid first, and those that must ask when they are. [5-11]"""
    effect, top = record["effect"], record["top"]
    fits = {card for card in PACK if card[0] == top[0] or card[1:] == top[1:]}
    if record["specials"] == "any":
        fits |= {card for card in PACK if card[1:] in "7 9 O A".split()}
    if effect is None:
        return fits, set()
    if "draw" in effect or "skip" in effect:
        return {card for card in PACK if card[1:] == ("7" if "draw" in effect else "A")}, set()
    satisfy = {card for card in PACK if effect["ask"] in (card[0], card[1:])}
    breaking = {card for card in fits if card[1:] in ("7", "A")} if record["cancel"] == "fit" else set()
    overrule = set() if effect["fulfilled"] else {card for card in PACK if card[1:] == effect["with"]} - satisfy
    return satisfy | breaking, overrule


def slow_held(record: Record) -> tuple[set[str], int]:
    hand = record["hands"][record["to_move"]]
    if record["cards"] == "open":
        return set(hand), len(hand)
    return set(PACK) - {record["top"], *record["pile"]}, hand


def slow_plays(record: Record) -> Iterator[str]:
    held, size = slow_held(record)
    free, must_ask = slow_firsts(record)
    for rank in RANKS:
        of_rank = [suit + rank for suit in "hlba" if suit + rank in held]
        asks = {"9": RANKS, "O": list("hlba")}.get(rank, [])
        for count in (1, 3, 4):
            for laid in permutations(of_rank, count) if count <= size else ():
                if [card for card in of_rank if card in laid[1:-1]] != list(laid[1:-1]) or laid[0] not in free | must_ask:
                    continue
                if laid[0] in free:
                    yield "play " + "+".join(laid)
                yield from (f"play {'+'.join(laid)} ask={value}" for value in asks)


def slow_legal(record: Record) -> list[str]:
    phase, effect = record["phase"], record["effect"]
    if phase == "drawn":
        return sorted([*slow_plays(record), "keep"])
    drawable = record["stock"] or record["pile"]
    draws = ["draw"] if record["cards"] == "hidden" else [f"draw {card}" for card in drawable or ()]
    draws = draws if drawable else ["draw none"]
    if phase == "penalty":
        return sorted(draws)
    plays = list(slow_plays(record))
    held, _ = slow_held(record)
    wanted: Iterable[str] = ()
    if effect:
        asked_for = {"draw": "7", "skip": "A"}.get(next(iter(effect)), effect.get("ask"))
        wanted = {card for card in held if asked_for in (card[0], card[1:])}
    if record["cards"] == "open" and wanted:
        return sorted(plays)
    return sorted([*plays, *(["skip"] if effect and "skip" in effect else draws)])


def accepted(state: State, action: str) -> bool:
    try:
        GAME.do(state, action)
    except IllegalAction:
        return False
    return True


def check_every_action(state: State, legal: list[str]) -> None:
    """`do` accepts what is legal, sets of cards in any order, and nothing else."""
    meanings = {MOVES[action] for action in legal}
    for action, move in MOVES.items():
        assert accepted(state, action) == (move in meanings), action


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", ["cards=open", "cards=hidden up=l8"])
def test_random_games(setting: str, kind: str) -> None:
    random = Random(7)
    seen: Counter[str] = Counter()
    for seed in range(2 if kind == "cards=open" else 40):
        state, plies = new(f"{setting} {kind} seed={seed}"), 0
        while not GAME.over(state) and plies < 250:
            record = GAME.record(state)
            actions = list(GAME.legal(state))
            assert actions == slow_legal(record)
            assert sorted(action for group in groups(state) for action in group) == actions
            assert GAME.position(json.loads(json.dumps(record))) == state
            if plies % 25 == 0:
                check_every_action(state, actions)
            # Laying is preferred, so that hands become empty and all cards lie open now and then.
            laying = [action for action in actions if action.startswith("play")]
            action = random.choice(laying) if laying and random.random() < 0.7 else random.choice(actions)
            state, said = GAME.do(state, action)
            seen.update(str(announcement["say"]) for announcement in said)
            plies += 1
    assert {"penalty", "skip", "ask", "ask_over", "empty"} <= set(seen)


def test_playouts_end_and_repeat() -> None:
    for text in ("seed=1", "players=3 seed=2", "cards=hidden up=l8", "specials=any players=5 seed=4"):
        ends = [Session(GAME, Session.new(GAME, Options.parse(text.split())).now).playout(Random(5)) for _ in range(2)]
        assert ends[0][0].outcome()["over"] is True
        assert ends[0][1] == ends[1][1]
        assert ends[0][0].state == ends[1][0].state


def test_pick_is_uniform() -> None:
    state = new("players=3 p1=l8,b8,a8,h9,aA p2=hU,hK,lK,bK,aK p3=lU,bU,aU,l10,h10 up=h8")
    random, actions = Random(3), list(GAME.legal(state))
    picked = Counter(GAME.pick(state, random) for _ in range(300 * len(actions)))
    assert set(picked) == set(actions)
    assert all(200 < count < 400 for count in picked.values())
