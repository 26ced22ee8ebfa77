"""Sequence Numbers with a physical deck: what can be in a hand, and what follows from it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from underboard.engine.base.errors import IllegalAction
from underboard.engine.gamekit.game import Announcement
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.session import Session
from underboard.engine.games.sequence_numbers.rules import SequenceNumbers
from underboard.engine.games.sequence_numbers.state import State

GAME = SequenceNumbers()


def new(*words: str) -> State:
    return Session.new(GAME, Options.parse(["cards=hidden", *words])).state


EVERYWHERE = " ".join(new().setup.layout.space)


def position(hands: str = "5 5", discards: dict[str, str] | None = None, chips: dict[str, str] | None = None, **changes: Any) -> State:
    """A position with so many cards in the hands of p1, p2, …; what does not lie face up is in the stock."""
    sizes = [int(size) for size in hands.split()]
    found = GAME.record(new(f"players={len(sizes)}"))
    found["hands"] = dict(zip(found["hands"], sizes, strict=True))
    found["discards"] = {seat: (discards or {}).get(seat, "").split() for seat in found["hands"]}
    found["stock"] = 100 - sum(sizes) - sum(map(len, found["discards"].values()))
    found["chips"] = {cell: side for side, cells in (chips or {}).items() for cell in cells.split()}
    return GAME.position({**found, **changes})


def play(state: State, *actions: str) -> tuple[State, list[Announcement]]:
    heard: list[Announcement] = []
    for action in actions:
        state, said = GAME.do(state, action)
        heard += said
    return state, heard


def refusal(state: State, action: str) -> str:
    """The sentence that refuses an action, which must not be listed."""
    assert action not in GAME.legal(state)
    with pytest.raises(IllegalAction) as refused:
        GAME.do(state, action)
    return str(refused.value)


def test_everything_can_be_in_a_hand_at_the_start() -> None:
    cells = EVERYWHERE.split()
    assert GAME.legal(new()) == sorted([f"play {cell}" for cell in cells] + [f"play PLUS {cell}" for cell in cells])


def test_a_turn() -> None:
    state, said = play(new(), "play i1")
    assert said == []
    found = GAME.record(state)
    assert (found["chips"], found["discards"], found["phase"]) == ({"i1": "blue"}, {"p1": ["=8"], "p2": []}, "draw")
    assert (found["hands"], found["stock"]) == ({"p1": 4, "p2": 5}, 90)
    assert GAME.legal(state) == ["draw", "forget"]
    state, said = play(state, "draw", "play PLUS d6", "forget", "play MINUS d6", "late", "draw")
    assert said == []
    found = GAME.record(state)
    assert found["discards"] == {"p1": ["=8", "MINUS"], "p2": ["PLUS"]}
    assert (found["hands"], found["stock"]) == ({"p1": 5, "p2": 5}, 87)


def test_a_number_is_gone_when_all_its_cards_lie_face_up() -> None:
    state = position(discards={"p1": "=8", "p2": "PLUS =8 PLUS"})
    listed = GAME.legal(state)
    assert not {"play i1", "play d6"} & set(listed)
    assert "play h1" in listed
    assert not [action for action in listed if "PLUS" in action]
    assert refusal(state, "play i1") == "every =8 lies face up"
    assert refusal(state, "play PLUS i1") == "every PLUS lies face up"
    assert "play i1" in GAME.legal(position(discards={"p1": "=8"}))


def last_card() -> State:
    """One card in the stock; of what does not lie face up, two are a 7."""
    deck = Counter(new().setup.deck)
    lying = deck - Counter("=7 =7 =1 =1 =2 =2 =3 =3 MINUS MINUS PLUS".split())
    return position(discards={"p1": " ".join(lying.elements())})


def test_a_reshuffle_makes_everything_unseen_again() -> None:
    state = last_card()
    assert "play i1" not in GAME.legal(state)
    state, said = play(state, "play h1", "draw")
    assert said == [{"say": "reshuffle"}]
    found = GAME.record(state)
    assert found["discards"] == {"p1": [], "p2": []}
    assert found["stock"] == 90
    assert {"play i1", "play d6", "play g6", "play PLUS i1"} <= set(GAME.legal(state))


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("play", "write it as 'play CELL', 'play PLUS CELL' or 'play MINUS CELL'"),
        ("play PLUS", "write it as"),
        ("play =8 i1", "write it as"),
        ("play 4+4 i1", "write it as"),
        ("play PLUS i1 d6", "write it as"),
        ("play a1", "a1 is a corner"),
        ("play PLUS j10", "j10 is a corner"),
        ("play i01", "'i01' is no space of this board"),
        ("play c1", "c1 is covered: the free space is g6"),
        ("play PLUS c1", "c1 is covered"),
        ("play e1", "e1 is covered, and so is the other space: =4 is dead"),
        ("play MINUS i1", "there is no chip on i1"),
        ("play MINUS c1", "the chip on c1 is your own side's"),
        ("swap", "write it as 'swap CARD'"),
        ("swap =4 1+1", "a drawn card is not named with cards=hidden: write it as 'swap =4'"),
        ("swap =8", "=8 has free spaces at i1, d6: it is not dead"),
        ("swap 2+2", "there is no card 2+2 in this deck"),
        ("swap PLUS", "PLUS is never dead"),
        ("pass", "not all 5 cards of your hand can be unplayable"),
        ("draw", "draw comes after a card has been played"),
    ],
)
def test_refusals_in_main(action: str, why: str) -> None:
    assert why in refusal(position(chips={"blue": "c1 e1", "green": "f6"}), action)


@pytest.mark.parametrize("action", ["draw 1+1", "draw =8", "late"])
def test_refusals_in_draw(action: str) -> None:
    state, _ = play(new(), "play i1")
    assert refusal(state, action)


def test_a_late_draw_is_not_named() -> None:
    state, _ = play(new(), "play i1", "forget")
    assert "late" in GAME.legal(state)
    assert refusal(state, "late 1+1") == "a drawn card is not named with cards=hidden: write it as 'late'"
    state, said = play(state, "play h1", "draw")
    assert said == [{"say": "lost_draw", "seat": "p1"}]
    assert GAME.record(state)["hands"] == {"p1": 4, "p2": 5}


def test_exchange_of_a_dead_card() -> None:
    state = position(chips={"green": "i1 d6"})
    assert "swap =8" in GAME.legal(state)
    assert not [action for action in GAME.legal(state) if action.startswith("swap") and action != "swap =8"]
    state, said = play(state, "swap =8")
    assert said == []
    found = GAME.record(state)
    assert (found["discards"]["p1"], found["hands"]["p1"], found["stock"], found["swapped"]) == (["=8"], 5, 89, True)
    assert refusal(state, "swap =8") == "a card has been exchanged in this turn already"
    assert refusal(position(chips={"green": "i1 d6"}, discards={"p1": "=8 =8"}), "swap =8") == "every =8 lies face up"


DEAD = {"blue": "i1 d6 h1 i8"}
"""8 and 7 are dead, four cards in all."""


@pytest.mark.parametrize(
    ("hands", "discards", "chips", "allowed"),
    [
        ("5 5", "", DEAD, True),
        ("5 5", "MINUS", DEAD, True),
        ("5 5", "MINUS MINUS", DEAD, False),
        ("4 5", "MINUS MINUS", DEAD, True),
        ("4 5", "MINUS MINUS =7", DEAD, False),
        ("3 5", "MINUS MINUS =7", DEAD, True),
        ("3 5", "", {}, False),
        ("2 5", "", {}, True),
        ("1 5", "MINUS MINUS", {}, False),
        ("0 5", "MINUS MINUS", {}, True),
        ("3 5", "", {"green": "b1"}, False),
        ("5 5", "", {"green": EVERYWHERE}, True),
    ],
)
def test_pass_when_the_whole_hand_can_be_unplayable(hands: str, discards: str, chips: dict[str, str], allowed: bool) -> None:
    state = position(hands, {"p2": discards}, chips)
    assert ("pass" in GAME.legal(state)) == allowed
    if allowed:
        assert GAME.record(play(state, "pass")[0])["passes"] == 1
    else:
        assert "be unplayable" in refusal(state, "pass")


def test_an_empty_hand_can_only_pass() -> None:
    state = position("0 5", chips=DEAD)
    assert GAME.legal(state) == ["pass"]
    assert refusal(state, "play b1") == "your hand is empty"
    assert refusal(state, "swap =8") == "your hand is empty"


def test_talk_and_discards() -> None:
    state = position("0 4 2 1", discards={"p1": "=8 =8 =7 PLUS PLUS"})
    state, said = play(state, "talk blue")
    assert said == []
    assert (GAME.to_move(state), GAME.record(state)["resume"]) == ("p3", "p1")
    listed = GAME.legal(state)
    assert len(listed) == 48
    assert {"discard =1", "discard =7", "discard MINUS"} <= set(listed)
    assert refusal(state, "discard =8") == "every =8 lies face up"
    assert refusal(state, "discard 4+4") == "there is no card 4+4 in this deck"
    state, _ = play(state, "discard =7")
    found = GAME.record(state)
    assert (found["hands"]["p3"], found["discards"]["p3"], found["phase"], found["to_move"]) == (1, ["=7"], "main", "p1")


def test_view_equals_state() -> None:
    state, _ = play(new("players=4"), "play i1", "draw")
    assert all(GAME.view(state, seat) == GAME.record(state) for seat in GAME.seats(state))


def test_an_equation_of_a_number_without_cards_cannot_be_played(tmp_path: Any) -> None:
    file = tmp_path / "board.toml"
    file.write_text(
        'name = "x"\nrows = ["FR 1 2 FR", "1 2 3 3", "FR 4 4 FR"]\ndeck = ["1+0", "2+0", "3+0", "0+3", "5-1", "5-1", "5-1"'
        + ', "PLUS"' * 5
        + "]"
    )
    state = new(f"board={file}")
    assert "play b1" in GAME.legal(state)
    file.write_text(file.read_text().replace('"1+0"', '"2+0"'))
    state = new(f"board={file}")
    assert not {"play b1", "play a2"} & set(GAME.legal(state))
    assert refusal(state, "play b1") == "there is no card =1 in this deck"
