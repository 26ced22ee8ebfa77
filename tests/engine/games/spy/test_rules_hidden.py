"""SPY with hidden cards: who answers, and what can be true; checked against plain lists of all arrangements, too."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from underboard.engine.base.errors import BadArgument, IllegalAction
from underboard.engine.gamekit.game import Announcement
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.spy.rules import Spy
from underboard.engine.games.spy.state import State

GAME = Spy()
CLOSED = ["?"] * 7
SAFE_RED, SECRET_RED, FUSE_RED = ({"say": say, "of": "red"} for say in ("safe", "secret", "fuse"))


def new(*words: str) -> State:
    return Session.new(GAME, Options.parse(["cards=hidden", *words])).state


def play(state: State, *actions: str) -> tuple[State, list[Announcement]]:
    """The state after several actions, and all that was announced."""
    heard: list[Announcement] = []
    for action in actions:
        state, said = GAME.do(state, action)
        heard += said
    return state, heard


def asked(state: State, answers: dict[int, str]) -> State:
    """Green asks red about places, red answers; green's spy is carried there from position to position."""
    for place, answer in answers.items():
        state = looking_at(state, place)
        state, _ = play(state, "spy red", f"answer {answer}", "end", "end")
    return state


def looking_at(state: State, place: int) -> State:
    """Green's spy carried to where it looks at a place of red."""
    spies = list(state.spies)
    spies[0] = spies[0]._replace(gap=state.setup.arrangements.size - 1 - place, right=True)
    return state._replace(spies=tuple(spies))


def answers(state: State, place: int) -> str:
    """What red can answer about a place."""
    after, _ = play(looking_at(state, place), "spy red")
    return " ".join(action.removeprefix("answer ") for action in GAME.legal(after))


def refusal(state: State, action: str) -> str:
    with pytest.raises(IllegalAction) as refused:
        GAME.do(state, action)
    assert action not in GAME.legal(state)
    return str(refused.value)


def test_the_start() -> None:
    shown = GAME.record(new("players=2", "green.spy=3R", "seed=4"))
    assert shown["bases"] == {"green": CLOSED, "red": CLOSED}
    assert (shown["cards"], shown["spies"], shown["seeker"]) == ("hidden", {"green": "3R", "red": "0R"}, None)
    assert list(GAME.legal(new())) == ["end"] + [f"move {k}" for k in ("1", "1f", "2", "2f", "f1", "f1f", "f2", "f2f")] + ["spy red"]


def test_the_one_asked_answers() -> None:
    state, said = play(new("green.spy=3R"), "spy red")
    shown = GAME.record(state)
    assert said == []
    assert [shown[key] for key in ("phase", "to_move", "seeker", "spied")] == ["answer", "red", "green", True]
    assert (GAME.phase(state), GAME.to_move(state)) == ("answer", "red")
    assert list(GAME.legal(state)) == ["answer bomb", "answer safe", "answer secret", "answer target"]
    for action in ("end", "move 1", "spy red"):
        assert refusal(state, action).startswith("red has to answer first")
    state, said = play(state, "answer target")
    assert said == [{"say": "exposed", "of": "red", "place": 3, "card": "S1"}]
    shown = GAME.record(state)
    assert [shown[key] for key in ("phase", "to_move", "seeker", "spied")] == ["turn", "green", None, True]
    assert shown["bases"]["red"] == ["?", "?", "?", "S1", "?", "?", "?"]
    assert refusal(state, "answer target") == "nobody has been asked"


@pytest.mark.parametrize(("answer", "said"), [("safe", SAFE_RED), ("secret", SECRET_RED), ("bomb", FUSE_RED)])
def test_answers_that_change_little(answer: str, said: Announcement) -> None:
    asking, _ = play(new("green.spy=3R"), "spy red")
    state, heard = play(asking, f"answer {answer}")
    assert heard == [said]
    shown = GAME.record(state)
    assert shown["bases"]["red"] == CLOSED
    assert shown["lit"]["red"] == ([3] if answer == "bomb" else [])


def test_an_exposed_card_answers_by_itself() -> None:
    state, _ = play(new("green.spy=3R"), "spy red", "answer target", "end", "end")
    state, said = play(state, "spy red")
    assert said == [{"say": "nothing", "of": "red"}]
    assert (GAME.to_move(state), GAME.phase(state), GAME.record(state)["spied"]) == ("green", "turn", True)


def test_a_lit_bomb_puts_the_seeker_out() -> None:
    state = new("players=3", "green.spy=5R", "red.spy=5R", "blue.spy=5R")
    state, _ = play(state, "spy red", "answer bomb", "end", "end", "spy red")
    assert list(GAME.legal(state)) == ["answer lit"]
    state, said = play(state, "answer lit")
    assert said == [{"say": "lit", "of": "red", "out": "blue"}]
    assert (GAME.to_move(state), GAME.record(state)["lit"]["red"], GAME.record(state)["out"]) == ("green", [0], ["blue"])
    state, said = play(state, "spy red", "answer lit")
    assert said == [{"say": "lit", "of": "red", "out": "green"}, {"say": "win", "seat": "red"}]
    assert GAME.outcome(state) == {"over": True, "winner": "red", "reason": "last"}


@pytest.mark.parametrize(("ts2", "over"), [("eliminates", True), ("literal", False)])
def test_the_last_target(ts2: str, over: bool) -> None:
    state = asked(new(f"ts2={ts2}"), {0: "target", 4: "target", 2: "target"})
    state, said = play(looking_at(state, 6), "spy red", "answer target")
    end = [{"say": "out", "seat": "red"}, {"say": "win", "seat": "green"}]
    assert said == [{"say": "exposed", "of": "red", "place": 6, "card": "T2"}, *(end if over else [])]
    assert GAME.over(state) == over
    if not over:
        assert answers(play(state, "end", "end")[0], 1) == "bomb"


# What can be true


@pytest.mark.parametrize(
    ("known", "place", "possible"),
    [
        ({}, 0, "bomb safe secret target"),
        ({0: "bomb"}, 0, "lit"),
        ({0: "safe"}, 0, "safe"),
        ({0: "safe"}, 1, "bomb secret target"),
        ({0: "secret", 1: "secret"}, 2, "bomb safe target"),
        ({0: "secret", 1: "secret"}, 1, "secret"),
        ({0: "bomb", 1: "bomb"}, 2, "bomb safe secret target"),
        ({0: "bomb", 1: "bomb", 2: "bomb"}, 3, "safe secret target"),
        ({0: "bomb", 1: "bomb", 2: "bomb", 3: "safe", 4: "secret", 5: "secret"}, 6, "target"),
        ({0: "target"}, 1, "bomb secret target"),
        ({0: "safe", 1: "target"}, 0, "target"),
        ({0: "safe", 1: "target"}, 2, "bomb secret"),
        ({0: "safe", 1: "target", 2: "secret"}, 0, "target"),
        ({0: "target", 1: "target", 2: "secret"}, 2, "secret"),
        ({0: "target", 1: "target", 2: "secret"}, 3, "bomb target"),
        ({0: "target", 1: "target", 2: "secret", 3: "target"}, 2, "target"),
    ],
)
def test_answers_that_agree_with_the_earlier_ones(known: dict[int, str], place: int, possible: str) -> None:
    assert answers(asked(new(), known), place) == possible


def test_a_secret_may_later_be_the_target() -> None:
    state = asked(new(), {0: "secret", 1: "target", 2: "target"})
    assert answers(state, 0) == "secret target"
    state = asked(state, {0: "secret"})
    assert answers(state, 0) == "secret"
    assert answers(state, 3) == "bomb target"


@pytest.mark.parametrize(
    ("known", "place", "action", "why"),
    [
        ({0: "bomb"}, 0, "bomb", "your card 1 from the left is a bomb that has been lit: the answer is lit"),
        ({0: "bomb"}, 0, "safe", "your card 1 from the left is a bomb that has been lit: the answer is lit"),
        ({}, 0, "lit", "your card 1 from the left has not been lit"),
        ({0: "safe"}, 1, "safe", "your card 2 from the left cannot be another safe, by all that was made public"),
        ({0: "safe"}, 0, "secret", "cannot be another top secret"),
        ({0: "safe"}, 0, "target", "cannot be the target"),
        ({0: "bomb", 1: "bomb", 2: "bomb"}, 3, "bomb", "cannot be a bomb"),
    ],
)
def test_impossible_answers(known: dict[int, str], place: int, action: str, why: str) -> None:
    asking, _ = play(looking_at(asked(new(), known), place), "spy red")
    assert why in refusal(asking, f"answer {action}")


def test_no_target_is_left() -> None:
    state = asked(new("ts2=literal"), {0: "target", 1: "target", 2: "target", 3: "target"})
    asking, _ = play(looking_at(state, 4), "spy red")
    assert refusal(asking, "answer target") == "all four targets are exposed"


def test_a_move_shows_a_number() -> None:
    state, _ = play(new("green.spy=3R"), "move 1", "end", "end")
    state = state._replace(spies=(state.spies[0]._replace(gap=3), state.spies[1]))
    assert refusal(state, "move 2") == "your spy faces your card 4 from the left, by all that was made public no 2: it moves 1"
    assert [action for action in GAME.legal(state) if action.startswith("move")][:2] == ["move 1", "move 1f"]
    assert "move f2" in GAME.legal(state)


def test_numbers_run_out() -> None:
    """Seven cards have three 2s: once three are shown, every other card is a 1."""
    state = new()
    for gap in (0, 2, 4):
        state = state._replace(spies=(state.spies[0]._replace(gap=gap, right=True), state.spies[1]))
        state, _ = play(state, "move 2", "end", "end")
    for gap in (1, 3, 5, 6):
        state = state._replace(spies=(state.spies[0]._replace(gap=gap, right=True), state.spies[1]))
        assert "move 1" in GAME.legal(state)
        assert "move 2" not in GAME.legal(state)


def test_moves_and_answers_meet() -> None:
    """Red's first card has shown a 2 and is a safe: it is the S2, while the target is S1."""
    state, _ = play(new("first=red"), "move 2", "end")
    assert answers(state, 0) == "bomb safe secret"
    state = asked(state, {3: "safe"})
    assert answers(state, 0) == "bomb secret"


def test_a_move_before_an_exposed_card_shows_nothing() -> None:
    state = asked(new(), {0: "target"})
    state, _ = play(state, "end")
    assert {"move 1", "move 2"} <= set(GAME.legal(state))
    after, _ = play(state, "move 2")
    assert after.bases == state.bases


def test_views() -> None:
    state = asked(new(), {0: "bomb", 1: "target"})
    assert GAME.view(state, "red") == GAME.record(state)
    assert GAME.view(state, "green") == {**GAME.record(state), "lit": {"green": [], "red": []}}


# Positions


def record(**changes: Any) -> dict[str, Any]:
    return {**GAME.record(new("green.spy=3R")), **changes}


def by_seat(green: Any, red: Any) -> dict[str, Any]:
    return {"green": green, "red": red}


ONE_EXPOSED = {
    "bases": by_seat(CLOSED, ["?", "?", "?", "S1", "?", "?", "?"]),
    "exposed": by_seat([], [3]),
    "targets": by_seat("S1", "S2"),
}
ANSWERING = {"phase": "answer", "to_move": "red", "seeker": "green", "spied": True}


def test_only_what_is_shown_is_known_after_a_position() -> None:
    state = GAME.position(GAME.record(asked(new(), {0: "safe", 1: "bomb", 2: "target"})))
    assert answers(state, 0) == "bomb secret target"
    assert answers(state, 1) == "lit"


@pytest.mark.parametrize("changes", [{}, ANSWERING, ONE_EXPOSED, {"lit": by_seat([0, 1, 2], [])}])
def test_positions_come_back(changes: dict[str, Any]) -> None:
    assert GAME.record(GAME.position(record(**changes))) == record(**changes)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({**ONE_EXPOSED, "bases": by_seat(CLOSED, CLOSED)}, "bases.red: place 3 is exposed, so its card is known"),
        ({"bases": by_seat(CLOSED, ["S1", *CLOSED[1:]])}, "bases.red: place 0 is not exposed, so its card is '\\?'"),
        ({**ONE_EXPOSED, "targets": by_seat("S1", "T1")}, "exposed.red: S1, but the target T1 means S1 S2"),
        ({**ONE_EXPOSED, "lit": by_seat([], [3])}, "lit.red: place 3 holds S1, which is no bomb"),
        ({"lit": by_seat([0, 1, 2, 3], [])}, "lit.green: 4 lit bombs, a base has 3"),
        ({"bases": by_seat(CLOSED, CLOSED[1:])}, "bases.red: 7 cards are needed, not 6"),
        ({"bases": by_seat(CLOSED, 7)}, "bases.red: a list of card is needed"),
        ({**ANSWERING, "spied": False}, "spied: true in phase answer"),
        ({**ANSWERING, "seeker": None}, "seeker: a seat in phase answer"),
        ({**ANSWERING, "seeker": "red"}, "seeker: nobody spies on himself"),
        ({**ANSWERING, **ONE_EXPOSED}, "phase: the card at place 3 is exposed and needs no answer"),
        ({**ANSWERING, "out": ["red"]}, "out: red is to act and cannot be out"),
        ({**ANSWERING, "out": ["green"]}, "out: green is to act and cannot be out"),
    ],
)
def test_impossible_positions(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BadArgument, match=why):
        GAME.position(record(**changes))


# Against plain lists of arrangements


class Witness:
    """Writes down what is made public of every base, as the arrangements left of all there are."""

    def __init__(self, players: int) -> None:
        cards = ["S1", "S2", "T1", "T2", "B1", "B1"] + ["B2"] * (players == 2)
        self.size = len(cards)
        self.left = [set(permutations(cards)) for _ in range(players)]

    def faced(self, state: State, flipped: bool = False) -> int:
        gap, right = state.spies[state.turn]
        return gap if right != flipped else (gap - 1) % self.size

    def meant(self, state: State, action: str) -> tuple[int, set[tuple[str, ...]]] | None:
        """The base that an action says something about, and what is left of it; None if it says nothing."""
        verb, _, word = action.partition(" ")
        if verb == "move":
            place = self.faced(state, word.startswith("f"))
            if state.bases[state.turn].exposed >> place & 1:
                return None
            return state.turn, {base for base in self.left[state.turn] if base[place][1] == word.strip("f")}
        if verb == "answer" and state.asked is not None:
            place, base = self.size - 1 - self.faced(state), state.bases[state.asked]
            target = ["S1", "S2", "T1", "T2", "none"][base.target]
            lit = bool(base.lit >> place & 1)
            return state.asked, {cards for cards in self.left[state.asked] if truth(cards[place], target, lit) == word}
        return None


def truth(card: str, target: str, lit: bool) -> str:
    """The answer to a question about a card. [8]"""
    if card == target:
        return "target"
    if card[0] == "B":
        return "lit" if lit else "bomb"
    return "safe" if card[0] == "S" else "secret"


@pytest.mark.parametrize("seed", range(12))
def test_exactly_what_can_be_true_is_legal(seed: int) -> None:
    random, players = Random(seed), 2 + seed % 3
    state, witness = new(f"players={players}", f"ts2={['literal', 'eliminates'][seed % 2]}"), Witness(players)
    words = [f"move {a}{k}{b}" for a in ("", "f") for k in "12" for b in ("", "f")]
    while not GAME.over(state):
        tried = [f"answer {word}" for word in ("bomb", "lit", "safe", "secret", "target")] if state.asked is not None else words
        if not state.moved or state.asked is not None:
            possible = {action for action in tried if (meant := witness.meant(state, action)) is None or meant[1]}
            assert possible == set(GAME.legal(state)) & set(tried)
        action = GAME.pick(state, random)
        meant = witness.meant(state, action)
        if meant is not None:
            witness.left[meant[0]] = meant[1]
        state, _ = GAME.do(state, action)
        assert GAME.over(state) or GAME.record(GAME.position(GAME.record(state))) == GAME.record(state)
