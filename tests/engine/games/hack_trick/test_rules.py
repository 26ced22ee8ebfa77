"""Hack Trick: every rule of docs/rules/hack_trick.md, its numbers in brackets, with open and hidden cards.

`Table` is a running game that tests play on; `table` lays one out from what matters, the rest of deck and tokens goes
where it belongs: cards to the stock, tokens to the supplies.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underboard.engine.base.errors import BadArgument, GameOver, IllegalAction
from underboard.engine.gamekit.cards import take
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.registry import find_game
from underboard.engine.gamekit.session import Session
from underboard.engine.games.hack_trick.state import DECK, LINES

Record = dict[str, Any]
Said = list[dict[str, Any]]
Tokens = tuple[int, int]
"""Normal tokens and giants."""

both_modes = pytest.mark.parametrize("cards", ["open", "hidden"])
WON_BY_RED: Said = [{"say": "win", "seat": "red", "points": 1, "reason": "line"}]
WON_BY_YELLOW: Said = [{"say": "win", "seat": "yellow", "points": 1, "reason": "supply"}]


class Table:
    """A game and what is played in it."""

    def __init__(self, session: Session[Any]) -> None:
        self.session = session

    def do(self, *actions: str) -> Said:
        """Plays the actions; answers what the last one announces."""
        said: Any = []
        for action in actions:
            self.session, said = self.session.do(action)
        return list(said)

    def draw(self, card: int) -> Said:
        """Draws this card, in hidden games any."""
        return self.do("draw" if self.state["cards"] == "hidden" else f"draw {card}")

    def refuses(self, action: str, why: str = "") -> None:
        """The action is refused for this reason and is not listed; nothing changes."""
        before = self.state
        with pytest.raises(IllegalAction, match=why):
            self.session.do(action)
        assert action not in self.legal
        assert self.state == before

    @property
    def state(self) -> Record:
        found: Record = self.session.game.record(self.session.state)
        return found

    @property
    def legal(self) -> list[str]:
        return list(self.session.game.legal(self.session.state))

    @property
    def outcome(self) -> Record:
        return self.session.outcome()

    @property
    def match(self) -> Record:
        found: Record = self.session.game.match(self.session.state)
        return found

    def holds(self, **wanted: Any) -> None:
        """These values stand in the state."""
        found = self.state
        assert {key: found[key] for key in wanted} == wanted

    def tokens(self, key: str) -> dict[str, Tokens]:
        """Supply, spy zones or spent tokens as pairs."""
        return {seat: (tokens["normal"], tokens["giant"]) for seat, tokens in self.state[key].items()}


def new(options: str = "") -> Table:
    return Table(Session.new(find_game("hack_trick"), Options.parse(options.split())))


def table(**layout: Any) -> Table:
    return Table(Session.at(find_game("hack_trick"), position(**layout)))


def position(
    row: str = "1",
    red: str = "025",
    yellow: str = "34",
    servers: dict[int, str] | None = None,
    spy_zone: dict[str, Tokens] | None = None,
    spent: dict[str, Tokens] | None = None,
    cards: str = "open",
    out: str = "00",
    **more: Any,
) -> Record:
    """A state with these cards and tokens, red to move in phase `main` unless `more` says otherwise."""
    seats = ("red", "yellow")
    servers, spy_zone, spent = servers or {}, spy_zone or {}, spent or {}
    hands = {seat: sorted(map(int, hand)) for seat, hand in zip(seats, (red, yellow), strict=True)}
    stock = take(DECK, [int(card) for card in row + out + red + yellow])
    supply = {}
    for seat, zone, letters in zip(seats, seats[::-1], ("rR", "yY"), strict=True):
        supply[seat] = tuple(
            total - "".join(servers.values()).count(letter) - spy_zone.get(zone, (0, 0))[kind] - spent.get(seat, (0, 0))[kind]
            for kind, (total, letter) in enumerate(zip((9, 1), letters, strict=True))
        )

    def by_kind(pairs: dict[str, Any]) -> Record:
        return {seat: dict(zip(("normal", "giant"), pairs.get(seat, (0, 0)), strict=True)) for seat in seats}

    return {
        "game": "hack_trick",
        "cards": cards,
        "phase": "main",
        "to_move": "red",
        "row": [int(card) for card in row],
        "out": [int(card) for card in out],
        "stock": len(stock) if cards == "hidden" else stock,
        "hands": {seat: len(hand) for seat, hand in hands.items()} if cards == "hidden" else hands,
        "servers": {str(server): list(tokens) for server, tokens in servers.items()},
        "supply": by_kind(supply),
        "spy_zone": by_kind(spy_zone),
        "spent": by_kind(spent),
        "forced": None,
        "firewalled": None,
        "spied": False,
        "four": "red",
        "score": {"red": 0, "yellow": 0},
        "target": 3,
        **more,
    }


# Set-up [1-4]


@pytest.mark.parametrize(("four", "sizes"), [("red", {"red": 4, "yellow": 3}), ("yellow", {"red": 3, "yellow": 4})])
def test_a_new_game(four: str, sizes: dict[str, int]) -> None:
    game = new(f"four={four} seed=5")
    game.holds(phase="start", to_move=four, row=[], servers={}, forced=None, firewalled=None, spied=False, four=four, target=3)
    state = game.state
    assert {seat: len(hand) for seat, hand in state["hands"].items()} == sizes
    assert len(state["out"]) == 2
    assert sorted([*state["out"], *state["stock"], *state["hands"]["red"], *state["hands"]["yellow"]]) == sorted(DECK)
    assert all(hand == sorted(hand) for hand in (*state["hands"].values(), state["stock"]))
    assert game.tokens("supply") == {"red": (9, 1), "yellow": (9, 1)}
    assert game.tokens("spy_zone") == game.tokens("spent") == {"red": (0, 0), "yellow": (0, 0)}
    assert game.match == {"score": {"red": 0, "yellow": 0}, "target": 3, "winner": None}
    assert game.outcome == {"over": False}


def test_the_deck_has_three_of_each() -> None:
    assert sorted(DECK) == sorted([0, 1, 2, 3, 4, 5] * 3)


def test_red_has_four_cards_by_default() -> None:
    new("seed=1").holds(four="red", to_move="red")


def test_the_lines_are_those_that_sum_to_15() -> None:
    assert ["-".join(map(str, line)) for line in LINES] == "1-5-9 1-6-8 2-4-9 2-5-8 2-6-7 3-4-8 3-5-7 4-5-6".split()


def test_a_named_deal() -> None:
    game = new("red=3,1,0 out=5,0 yellow=4,3,3,5 four=yellow seed=3")
    game.holds(out=[5, 0], hands={"red": [0, 1, 3], "yellow": [3, 3, 4, 5]}, stock=[0, 1, 1, 2, 2, 2, 4, 4, 5])


def test_a_hidden_deal() -> None:
    game = new("cards=hidden out=5,0 seed=3")
    game.holds(cards="hidden", out=[5, 0], hands={"red": 4, "yellow": 3}, stock=9)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("out=0,5", "red is missing"),
        ("out=0,5 red=0,1,2,3", "yellow is missing"),
        ("red=0,1,2,3 yellow=3,4,5", "out is missing"),
        ("out=0 red=0,1,2,3 yellow=3,4,5", "out: 2 cards are needed, not 1"),
        ("out=0,5 red=0,1,2 yellow=3,4,5", "red: 4 cards are needed, not 3"),
        ("out=0,5 red=0,1,2,3 yellow=3,4,5 four=yellow", "red: 3 cards are needed, not 4"),
        ("out=0,5 red=0,1,2,3 yellow=", "yellow: 3 cards are needed, not 0"),
        ("out=0,5 red=0,1,2,3 yellow=5,5,5", "card 5: only 3 of it in the deck"),
        ("out=0,5 red=0,1,2,6 yellow=3,4,5", "red: '6' is no card, cards are 0 to 5"),
        ("out=0,x red=0,1,2,3 yellow=3,4,5", "out: 'x' is no card"),
        ("out=0,5 red=0,1,2,03 yellow=3,4,5", "'03' is no card"),
        ("cards=hidden", "out: with cards=hidden the two cards turned up are needed"),
        ("cards=hidden out=0", "out: with cards=hidden the two cards"),
        ("cards=hidden out=0,1,2", "out: with cards=hidden the two cards"),
        ("cards=hidden out=0,5 red=0,1,2,3 yellow=3,4,5", "hands are not given with cards=hidden"),
        ("cards=secret", "cards=secret: allowed are open, hidden"),
        ("four=blue", "four=blue: allowed are red, yellow"),
        ("target=0", "target=0: a whole number 1 or more"),
        ("target=x", "target=x: a whole number"),
        ("score=1", "unknown option 'score'"),
    ],
)
def test_deals_that_cannot_be(options: str, why: str) -> None:
    with pytest.raises(BadArgument, match=why):
        new(options)


# Start [5-7]


@pytest.mark.parametrize(("four", "other", "red", "yellow"), [("red", "yellow", "0,1,2,3", "3,4,5"), ("yellow", "red", "3,4,5", "0,1,2,3")])
def test_the_first_card_starts_the_row(four: str, other: str, red: str, yellow: str) -> None:
    game = new(f"out=0,5 red={red} yellow={yellow} four={four}")
    assert game.legal == ["start 0", "start 1", "start 2", "start 3"]
    sums = {four: 0 + 1 + 3, other: 3 + 4 + 5}
    assert game.do("start 2") == [{"say": "sum", "of": seat, "value": sums[seat]} for seat in ("red", "yellow")]
    game.holds(phase="main", to_move=other, row=[2], servers={})
    assert game.state["hands"][four] == [0, 1, 3]
    assert game.tokens("supply") == {"red": (9, 1), "yellow": (9, 1)}


def test_hidden_start() -> None:
    game = new("cards=hidden out=0,0")
    assert game.legal == [f"start {value}" for value in range(6)]
    assert game.do("start 0") == []
    game.holds(phase="main", to_move="yellow", row=[0], hands={"red": 3, "yellow": 3}, stock=9)


def test_start_ends_what_affects_the_seat_that_starts() -> None:
    game = table(row="", red="0123", yellow="345", phase="start", forced="red", spied=True)
    game.do("start 1")
    game.holds(to_move="yellow", forced=None, firewalled=None, spied=False)


# SPY [8]


@both_modes
def test_spy_then_draw_but_not_twice_and_not_after_a_draw(cards: str) -> None:
    game = table(cards=cards, red="04", spy_zone={"red": (2, 0)})
    assert "spy" in game.legal
    assert game.do("spy") == ([{"say": "sum", "of": "yellow", "value": 7}] if cards == "open" else [])
    game.holds(spied=True, to_move="red", phase="main")
    assert game.tokens("spy_zone") == {"red": (1, 0), "yellow": (0, 0)}
    assert game.tokens("spent") == {"red": (0, 0), "yellow": (1, 0)}
    game.refuses("spy", "you have spied in this turn already")
    assert game.draw(5) == []
    game.holds(to_move="yellow", spied=False)
    game.refuses("spy", "no token in your spy zone")


@both_modes
def test_spy_needs_a_token_of_the_enemy(cards: str) -> None:
    game = table(cards=cards, spy_zone={"yellow": (1, 0)})
    game.refuses("spy", "there is no token in your spy zone")


@both_modes
def test_spy_only_at_the_start_of_the_turn(cards: str) -> None:
    game = table(cards=cards, spy_zone={"red": (1, 0)})
    game.do("infect 2")
    game.refuses("spy", "after an INFECT there is hack, firewall or end")


@both_modes
def test_spy_then_infect(cards: str) -> None:
    game = table(cards=cards, spy_zone={"red": (1, 0)})
    game.do("spy", "infect 2")
    game.holds(phase="call", spied=True)
    game.do("end")
    game.holds(spied=False)


def test_spy_gives_a_normal_token_first_then_the_giant() -> None:
    game = table(spy_zone={"red": (1, 1)})
    game.do("spy")
    assert game.tokens("spy_zone")["red"] == (0, 1)
    game.draw(5)
    game.do("infect 3", "end")
    assert game.do("spy") == [{"say": "sum", "of": "yellow", "value": 4}]
    assert game.tokens("spy_zone")["red"] == (0, 0)
    assert game.tokens("spent")["yellow"] == (1, 1)


def test_the_sum_of_an_empty_hand_is_0() -> None:
    game = table(yellow="", spy_zone={"red": (1, 0)})
    assert game.do("spy") == [{"say": "sum", "of": "yellow", "value": 0}]


# INFECT [9, 10]

PAIRS = [(last, played) for last in range(6) for played in range(6)]


@both_modes
@pytest.mark.parametrize(("last", "played"), PAIRS)
def test_the_last_two_cards_name_the_server(cards: str, last: int, played: int) -> None:
    out = next(f"{a}{a}" for a in range(6) if a not in (last, played))
    game = table(cards=cards, row=str(last), red=str(played), yellow="", out=out)
    if last == played:
        game.refuses(f"infect {played}", f"{played} may not follow {last}")
        game.refuses(f"infect {played} giant", f"{played} may not follow {last}")
        return
    assert game.do(f"infect {played}") == []
    game.holds(servers={str(last + played): ["r"]}, row=[last, played], phase="call", to_move="red")
    assert len(game.state["hands"]["red"]) == 0 if cards == "open" else game.state["hands"]["red"] == 0
    assert game.tokens("supply") == {"red": (8, 1), "yellow": (9, 1)}


@both_modes
def test_the_player_chooses_the_giant(cards: str) -> None:
    game = table(cards=cards)
    game.do("infect 2 giant")
    game.holds(servers={"3": ["R"]})
    assert game.tokens("supply")["red"] == (9, 0)
    game.do("end", "infect 4")
    game.do("end")
    game.refuses("infect 5 giant", "your giant is not in your supply")


@both_modes
def test_only_the_giant_is_left(cards: str) -> None:
    game = table(cards=cards, red="02", spent={"red": (9, 0)})
    game.refuses("infect 2", "there is no normal token in your supply")
    assert "infect 2 giant" in game.legal


def test_only_cards_in_the_hand() -> None:
    game = table(red="02")
    game.refuses("infect 3", "there is no 3 in your hand")
    assert [action for action in game.legal if action.startswith("infect")] == ["infect 0", "infect 0 giant", "infect 2", "infect 2 giant"]


def test_hidden_only_cards_that_can_be_in_the_hand() -> None:
    game = table(cards="hidden", row="4143")
    game.refuses("infect 3", "3 may not follow 3")
    assert "infect 4" in game.legal
    game = table(cards="hidden", row="41", yellow="3", out="44")
    game.refuses("infect 4", "all three 4s lie open")
    assert {"infect 0", "infect 2", "infect 3", "infect 5"} <= set(game.legal)
    game = table(cards="hidden", red="")
    game.refuses("infect 2", "your hand is empty")
    assert game.legal == ["draw"]


@both_modes
@pytest.mark.parametrize(("standing", "zone"), [("y", (1, 0)), ("yy", (2, 0)), ("Yy", (1, 1)), ("Y", (0, 1))])
def test_enemy_tokens_are_knocked_out(cards: str, standing: str, zone: Tokens) -> None:
    game = table(cards=cards, row="4", red="3", servers={7: standing})
    before = game.tokens("supply")["yellow"]
    assert game.do("infect 3") == [{"say": "knocked_out", "server": 7, "count": len(standing)}]
    game.holds(servers={"7": ["r"]})
    assert game.tokens("spy_zone") == {"red": zone, "yellow": (0, 0)}
    assert game.tokens("supply")["yellow"] == before


@both_modes
def test_yellow_knocks_out_too(cards: str) -> None:
    game = table(cards=cards, yellow="3", row="4", servers={7: "Rr"}, to_move="yellow")
    game.do("infect 3 giant")
    game.holds(servers={"7": ["Y"]})
    assert game.tokens("spy_zone") == {"red": (0, 0), "yellow": (1, 1)}


@both_modes
@pytest.mark.parametrize(
    ("standing", "action", "tokens"),
    [("r", "infect 3", ["r", "r"]), ("R", "infect 3", ["R", "r"]), ("r", "infect 3 giant", ["R", "r"])],
)
def test_own_tokens_stay(cards: str, standing: str, action: str, tokens: list[str]) -> None:
    game = table(cards=cards, row="4", red="3", servers={7: standing})
    assert game.do(action) == []
    game.holds(servers={"7": tokens})


# DRAW [11, 12]


def test_draw_names_a_card_of_the_stock() -> None:
    game = table(red="025", out="33", yellow="34")
    assert [action for action in game.legal if action.startswith("draw")] == ["draw 0", "draw 1", "draw 2", "draw 4", "draw 5"]
    game.refuses("draw 3", "there is no 3 in the stock")
    game.refuses("draw", "name the card that came")
    assert game.do("draw 1") == []
    game.holds(hands={"red": [0, 1, 2, 5], "yellow": [3, 4]}, to_move="yellow", phase="main")
    assert game.state["stock"].count(1) == 1


def test_hidden_draw() -> None:
    game = table(cards="hidden")
    game.refuses("draw 1", "the card is not named")
    assert game.do("draw") == []
    game.holds(hands={"red": 4, "yellow": 2}, stock=9, to_move="yellow")


@both_modes
def test_no_draw_with_four_cards(cards: str) -> None:
    game = table(cards=cards, red="0234")
    game.refuses("draw" if cards == "hidden" else "draw 5", "4 cards is the most")
    assert not any(action.startswith("draw") for action in game.legal)


@both_modes
def test_infect_or_draw_never_both(cards: str) -> None:
    game = table(cards=cards)
    game.do("infect 2")
    game.refuses("draw" if cards == "hidden" else "draw 5", "after an INFECT there is hack, firewall or end")
    game.refuses("infect 5", "after an INFECT")


@both_modes
def test_the_last_card_of_the_stock_brings_the_row_back(cards: str) -> None:
    game = table(cards=cards, row="35351402", out="01", red="012", yellow="2345")
    assert game.state["stock"] == ([4] if cards == "open" else 1)
    assert game.draw(4) == [{"say": "reshuffle"}]
    game.holds(row=[2], out=[0, 1], to_move="yellow", stock=[0, 1, 3, 3, 4, 5, 5] if cards == "open" else 7)
    assert game.state["hands"]["red"] == ([0, 1, 2, 4] if cards == "open" else 4)


def test_hidden_what_was_reshuffled_is_unseen_again() -> None:
    game = table(cards="hidden", row="35351405", out="01", red="012", yellow="2344")
    game.refuses("infect 5", "5 may not follow 5")
    game.draw(2)
    assert {"infect 3", "infect 0", "infect 1"} <= set(game.legal)


def test_cards_out_of_the_game_stay_out() -> None:
    game = table(row="35351402", out="01", red="012", yellow="2345")
    game.draw(4)
    game.do("infect 5", "end", "infect 4", "end")
    game.holds(out=[0, 1])


# HACK and FIREWALL [13-15]


def faq_4(cards: str = "open") -> Table:
    """Red 0-2-3, yellow 3-4, last card 1; red has played 3 and called HACK."""
    game = table(cards=cards, red="023")
    assert game.do("infect 3", "hack") == []
    return game


@both_modes
def test_hack_makes_the_opponent_infect(cards: str) -> None:
    game = faq_4(cards)
    game.holds(servers={"4": ["r"]}, forced="yellow", firewalled=None, to_move="yellow", phase="main")
    assert game.tokens("supply")["red"] == (7, 1)
    assert game.tokens("spent") == {"red": (1, 0), "yellow": (0, 0)}
    game.refuses("infect 3", "3 may not follow 3")
    if cards == "open":
        game.refuses("draw 5", "you are forced by HACK")
        assert game.legal == ["infect 4", "infect 4 giant"]
    game.do("infect 4")
    game.holds(forced="yellow", phase="call")
    game.do("end")
    game.holds(forced=None)
    game.do("infect 2")
    game.holds(servers={"4": ["r"], "6": ["r"], "7": ["y"]})


@both_modes
def test_no_call_of_the_opponent_undoes_a_hack(cards: str) -> None:
    game = table(cards=cards, red="0235", yellow="345")
    game.do("infect 2", "hack", "infect 3", "hack")
    game.holds(forced="red", to_move="red")
    game.do("infect 5", "firewall")
    game.holds(forced=None, firewalled="yellow")


def test_a_forced_player_may_spy() -> None:
    game = table(to_move="yellow", forced="yellow", spy_zone={"yellow": (1, 0)})
    assert "spy" in game.legal
    game.do("spy")
    game.holds(forced="yellow")
    game.refuses("draw 5", "forced by HACK")


@both_modes
def test_firewall_forbids_hack_for_one_turn(cards: str) -> None:
    game = table(cards=cards, red="0235", yellow="345")
    assert game.do("infect 2", "firewall") == []
    game.holds(firewalled="yellow", forced=None, to_move="yellow")
    game.do("infect 3")
    game.holds(firewalled="yellow")
    before = game.tokens("supply")
    game.refuses("hack", "FIREWALL forbids HACK")
    game.refuses("hack giant", "FIREWALL forbids HACK")
    assert game.tokens("supply") == before
    assert game.legal == ["end", "firewall", "firewall giant"]
    game.do("end", "infect 0", "end", "infect 5", "hack")
    game.holds(forced="red", firewalled=None)


@both_modes
def test_firewall_leaves_all_else(cards: str) -> None:
    game = table(cards=cards, spy_zone={"yellow": (1, 0)}, to_move="yellow", firewalled="yellow")
    assert any(action.startswith("draw") for action in game.legal)
    game.do("spy", "infect 3", "firewall giant")
    game.holds(firewalled="red")
    assert game.tokens("spent")["yellow"] == (0, 1)


def test_firewall_ends_with_a_turn_without_infect() -> None:
    game = table(to_move="yellow", firewalled="yellow")
    game.draw(5)
    game.holds(firewalled=None)


@both_modes
def test_calls_come_after_infect_only_and_once(cards: str) -> None:
    game = table(cards=cards)
    for call in ("hack", "hack giant", "firewall", "firewall giant", "end"):
        game.refuses(call, f"{call.split()[0]} comes after an INFECT")
    game.do("infect 2")
    assert game.legal == ["end", "firewall", "firewall giant", "hack", "hack giant"]
    game.do("hack giant")
    assert game.tokens("spent")["red"] == (0, 1)
    game.refuses("firewall", "firewall comes after an INFECT")


@both_modes
@pytest.mark.parametrize("call", ["hack", "firewall"])
def test_the_price_is_a_token_of_the_supply(cards: str, call: str) -> None:
    game = table(cards=cards, red="02", spent={"red": (8, 0)})
    game.do("infect 2")
    game.refuses(call, "there is no normal token in your supply")
    assert game.legal == ["end", "firewall giant", "hack giant"]
    game = table(cards=cards, red="02", servers={9: "R"})
    game.do("infect 2")
    game.refuses(f"{call} giant", "your giant is not in your supply")


# Two calls in one turn [15]

BOTH: Record = {"calls": "both", "called": None}


@both_modes
@pytest.mark.parametrize(
    ("one", "other"), [("hack", "firewall"), ("firewall", "hack"), ("hack giant", "firewall"), ("firewall", "hack giant")]
)
def test_both_calls_in_either_order_each_paid(cards: str, one: str, other: str) -> None:
    game = table(cards=cards, **BOTH)
    game.do("infect 2", one)
    game.holds(phase="call", to_move="red", called=one.split()[0], forced=None, firewalled=None)
    game.refuses(one, f"you have called {one.split()[0].upper()} in this turn already")
    assert {action.split()[0] for action in game.legal} == {"end", other.split()[0]}
    game.do(other)
    game.holds(phase="main", to_move="yellow", called=None, forced="yellow", firewalled="yellow")
    assert sum(game.tokens("spent")["red"]) == 2
    assert cards == "hidden" or not any(action.startswith("draw") for action in game.legal)
    game.do("infect 3")
    game.refuses("hack", "FIREWALL forbids HACK")


@both_modes
@pytest.mark.parametrize(("call", "lasting"), [("hack", "forced"), ("firewall", "firewalled")])
def test_the_second_call_is_a_choice(cards: str, call: str, lasting: str) -> None:
    game = table(cards=cards, **BOTH)
    game.do("infect 2", call, "end")
    game.holds(to_move="yellow", called=None, **{"forced": None, "firewalled": None, lasting: "yellow"})


@both_modes
def test_no_second_call_under_a_firewall(cards: str) -> None:
    game = table(cards=cards, firewalled="red", **BOTH)
    game.do("infect 2", "firewall")
    game.holds(to_move="yellow", firewalled="yellow", forced=None)


@both_modes
def test_the_last_token_paid_for_the_second_call_loses(cards: str) -> None:
    game = table(cards=cards, red="02", spent={"red": (7, 0)}, **BOTH)
    game.do("infect 2", "hack")
    assert game.do("firewall giant") == WON_BY_YELLOW
    game.holds(phase="over", called=None)


def test_the_next_game_of_the_match_allows_both_calls_too() -> None:
    game = table(red="024", row="2", servers={8: "r", 1: "r"}, **BOTH)
    game.do("infect 4")
    session = game.session.next(Options.parse(["seed=1"]))
    assert session.game.record(session.state)["calls"] == "both"


def test_a_record_with_one_call_a_turn_has_no_key_for_it() -> None:
    assert not {"calls", "called"} & new("seed=1").state.keys()
    assert new("seed=1 calls=both").state["calls"] == "both"
    assert not {"calls", "called"} & table(calls="one", called=None).state.keys()


# Forced, but without a card to play [16]


def test_who_cannot_obey_shows_the_hand_and_draws() -> None:
    game = table(row="2", red="03", yellow="22", out="00", to_move="yellow", forced="yellow")
    game.refuses("infect 2", "2 may not follow 2")
    assert all(action.startswith("draw ") for action in game.legal)
    assert game.do("draw 5") == [{"say": "hand", "of": "yellow", "cards": [2, 2]}]
    game.holds(hands={"red": [0, 3], "yellow": [2, 2, 5]}, to_move="red", forced=None)


def test_an_empty_hand_is_shown_too() -> None:
    game = table(yellow="", to_move="yellow", forced="yellow")
    assert game.do("draw 5") == [{"say": "hand", "of": "yellow", "cards": []}]


def test_the_hand_is_shown_before_the_reshuffle() -> None:
    game = table(row="01012323254", red="0135", yellow="", out="44", to_move="yellow", forced="yellow")
    assert game.do("draw 5") == [{"say": "hand", "of": "yellow", "cards": []}, {"say": "reshuffle"}]


def test_without_hack_the_hand_is_not_shown() -> None:
    game = table(row="2", red="03", yellow="22", to_move="yellow")
    assert game.do("draw 5") == []


@pytest.mark.parametrize(
    ("yellow", "row", "out", "may_draw"),
    [
        ("", "2", "00", True),
        ("3", "2", "00", True),
        ("34", "2", "00", True),
        ("345", "2", "00", False),
        ("34", "2", "02", False),
        ("3", "252", "00", True),
        ("34", "252", "00", False),
    ],
)
def test_hidden_draw_of_a_forced_player(yellow: str, row: str, out: str, may_draw: bool) -> None:
    """His whole hand must be able to consist of copies of the last card."""
    game = table(cards="hidden", row=row, yellow=yellow, out=out, red="01", to_move="yellow", forced="yellow")
    if not may_draw:
        game.refuses("draw", "you are forced by HACK")
        return
    assert "draw" in game.legal
    assert ("infect 3" in game.legal) == (yellow != "")
    assert game.do("draw") == []
    game.holds(forced=None, to_move="red")


# The end [17-19]


@both_modes
def test_a_line_wins_at_once(cards: str) -> None:
    game = table(cards=cards, row="2", red="04", servers={8: "r", 1: "r"})
    assert game.do("infect 4") == WON_BY_RED
    assert game.outcome == {"over": True, "winner": "red", "points": 1, "reason": "line", "servers": [1, 6, 8]}
    game.holds(phase="over", to_move="none", forced=None, firewalled=None, spied=False, score={"red": 1, "yellow": 0})
    assert game.legal == []
    for action in ("end", "infect 0", "nonsense"):
        with pytest.raises(GameOver):
            game.do(action)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("last", range(3))
def test_every_line_wins_whichever_comes_last(line: tuple[int, ...], last: int) -> None:
    server = line[last]
    a, b = next((a, server - a) for a in range(6) if 0 <= server - a <= 5 and a * 2 != server)
    out = next(f"{c}{c}" for c in range(6) if c not in (a, b))
    game = table(row=str(a), yellow=str(b), red="", out=out, to_move="yellow", servers={s: "y" for s in line if s != server})
    assert game.do(f"infect {b}")[-1]["reason"] == "line"
    assert game.outcome["servers"] == list(line)


@both_modes
def test_three_in_a_row_of_numbers_are_no_line(cards: str) -> None:
    game = table(cards=cards, servers={1: "r", 2: "r"})
    assert game.do("infect 2") == []
    game.holds(phase="call")


@both_modes
def test_a_line_of_both_colours_is_none(cards: str) -> None:
    game = table(cards=cards, row="2", red="04", servers={8: "r", 1: "y"})
    assert game.do("infect 4") == []


@both_modes
def test_a_stack_of_three_wins(cards: str) -> None:
    game = table(cards=cards, red="04", servers={5: "rr"})
    assert game.do("infect 4") == [{"say": "win", "seat": "red", "points": 1, "reason": "stack"}]
    assert game.outcome == {"over": True, "winner": "red", "points": 1, "reason": "stack", "servers": [5]}


@both_modes
def test_knocking_out_and_winning_are_one_action(cards: str) -> None:
    game = table(cards=cards, red="04", servers={4: "r", 6: "r", 5: "y"})
    assert game.do("infect 4") == [{"say": "knocked_out", "server": 5, "count": 1}, *WON_BY_RED]
    assert game.outcome["servers"] == [4, 5, 6]


@both_modes
def test_the_last_token_placed_loses(cards: str) -> None:
    game = table(cards=cards, red="02", servers={1: "r"}, spent={"red": (7, 1)})
    assert game.do("infect 2") == WON_BY_YELLOW
    assert game.outcome == {"over": True, "winner": "yellow", "points": 1, "reason": "supply", "servers": []}
    assert game.match == {"score": {"red": 0, "yellow": 1}, "target": 3, "winner": None}


@both_modes
def test_the_last_token_placed_wins_with_a_triple(cards: str) -> None:
    game = table(cards=cards, row="2", red="04", servers={8: "r", 1: "r"}, spent={"red": (6, 1)})
    assert game.do("infect 4") == WON_BY_RED


def test_the_last_token_knocks_out_and_loses() -> None:
    game = table(red="02", servers={3: "y"}, spent={"red": (9, 0)})
    assert game.do("infect 2 giant") == [{"say": "knocked_out", "server": 3, "count": 1}, *WON_BY_YELLOW]


@both_modes
@pytest.mark.parametrize("call", ["hack", "firewall", "hack giant", "firewall giant"])
def test_the_last_token_paid_loses(cards: str, call: str) -> None:
    spent = (9, 0) if "giant" in call else (8, 1)
    game = table(cards=cards, red="02", spent={"red": (spent[0] - 1, spent[1])})
    game.do("infect 2")
    assert game.do(call) == WON_BY_YELLOW
    game.holds(phase="over", forced=None, firewalled=None)
    assert game.outcome["reason"] == "supply"


@pytest.mark.parametrize(
    ("servers", "action", "points"),
    [
        ({8: "R", 1: "r"}, "infect 4", 2),
        ({8: "r", 1: "r"}, "infect 4 giant", 1),
        ({8: "r", 1: "r", 3: "R"}, "infect 4", 1),
        ({8: "Rr", 1: "r"}, "infect 4", 2),
        ({8: "r", 1: "r", 6: "Y"}, "infect 4", 1),
        ({6: "Rr"}, "infect 4", 2),
        ({6: "rr"}, "infect 4 giant", 1),
        ({6: "rr", 3: "R"}, "infect 4", 1),
    ],
)
@both_modes
def test_the_giant_earns_a_point_more(cards: str, servers: dict[int, str], action: str, points: int) -> None:
    """If it stands in the winning triple and was not the token placed last. [19]"""
    game = table(cards=cards, row="2", red="04", servers=servers)
    assert game.do(action)[-1]["points"] == points
    assert game.outcome["points"] == points
    assert game.match["score"] == {"red": points, "yellow": 0}


@pytest.mark.parametrize(
    ("servers", "points", "reason", "winning"),
    [
        ({1: "r", 8: "r", 2: "r", 7: "r"}, 1, "line", [1, 6, 8]),
        ({1: "r", 8: "r", 2: "R", 7: "r"}, 2, "line", [2, 6, 7]),
        ({1: "R", 8: "r", 2: "r", 7: "r"}, 2, "line", [1, 6, 8]),
        ({1: "r", 8: "r", 4: "r", 5: "R"}, 2, "line", [4, 5, 6]),
    ],
)
def test_several_triples_at_once(servers: dict[int, str], points: int, reason: str, winning: list[int]) -> None:
    """The one that gives the most points, then the lowest."""
    game = table(row="2", red="04", servers=servers)
    assert game.do("infect 4") == [{"say": "win", "seat": "red", "points": points, "reason": reason}]
    assert game.outcome["servers"] == winning


# The match [20]


def test_two_all_and_a_win_with_bonus_ends_the_match() -> None:
    game = table(row="2", red="04", servers={8: "R", 1: "r"}, score={"red": 2, "yellow": 2})
    assert game.match["winner"] is None
    game.do("infect 4")
    assert game.match == {"score": {"red": 4, "yellow": 2}, "target": 3, "winner": "red"}
    with pytest.raises(GameOver, match="the match is won"):
        game.session.next(Options({"seed": "1"}))


@both_modes
def test_the_loser_gets_four_cards(cards: str) -> None:
    game = table(cards=cards, red="02", servers={1: "r"}, spent={"red": (7, 1)}, four="yellow", target=5)
    game.do("infect 2")
    following = Table(game.session.next(Options({"out": "3,3"} if cards == "hidden" else {"seed": "1"})))
    following.holds(four="red", to_move="red", phase="start", cards=cards, servers={}, row=[], target=5, score={"red": 0, "yellow": 1})
    assert following.tokens("supply") == {"red": (9, 1), "yellow": (9, 1)}


def over() -> Table:
    game = table(red="02", servers={1: "r"}, spent={"red": (7, 1)})
    game.do("infect 2")
    return game


def test_next_with_a_named_deal_and_other_cards() -> None:
    named = Table(over().session.next(Options({"out": "0,5", "red": "0,1,2,3", "yellow": "3,4,5"})))
    named.holds(out=[0, 5], hands={"red": [0, 1, 2, 3], "yellow": [3, 4, 5]})
    Table(over().session.next(Options({"cards": "hidden", "out": "0,5"}))).holds(cards="hidden", hands={"red": 4, "yellow": 3})
    hidden = new("cards=hidden out=0,5")
    hidden.session = hidden.session.playout(Random(1))[0]
    Table(hidden.session.next(Options({"cards": "open", "seed": "1"}))).holds(cards="open")


@pytest.mark.parametrize(
    "options", ["four=red", "target=5", "score=1", "out=0,5", "red=0,1,2 yellow=3,4,5,5 out=0,0", "cards=hidden", "seed=x"]
)
def test_next_refuses_other_options(options: str) -> None:
    with pytest.raises(BadArgument):
        over().session.next(Options.parse(options.split()))


@pytest.mark.parametrize("options", ["seed=1", "out=0,5 red=0,1,2,3 yellow=3,4,5", "out=0,5 red=0,1,2 yellow=2,3,4,5"])
def test_next_only_after_the_end(options: str) -> None:
    """A deal may give four cards to either seat: who loses is open."""
    with pytest.raises(IllegalAction, match="the game is not over yet"):
        table().session.next(Options.parse(options.split()))


@pytest.mark.parametrize("options", ["out=0,5 red=0,1,2,3 yellow=2,3,4,5", "out=0,5 red=0,1,2 yellow=3,4,5", "cards=hidden", "four=red"])
def test_next_with_wrong_options_before_the_end(options: str) -> None:
    with pytest.raises(BadArgument):
        table().session.next(Options.parse(options.split()))


@pytest.mark.parametrize(("target", "winner"), [(1, "yellow"), (2, None)])
def test_target(target: int, winner: str | None) -> None:
    game = table(red="02", servers={1: "r"}, spent={"red": (7, 1)}, target=target)
    game.do("infect 2")
    assert game.match["winner"] == winner


# Refusals


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("jump", "'jump' is no action: there are start V"),
        ("infect", "'infect' is no action"),
        ("infect 6", "is no action"),
        ("infect 2 Giant", "is no action"),
        ("infect 2 giant giant", "is no action"),
        ("infect giant 2", "is no action"),
        ("spy yellow", "is no action"),
        ("hack normal", "is no action"),
        ("", "is no action"),
        ("start 2", "the row has been started already"),
        ("end", "end comes after an INFECT"),
    ],
)
def test_what_is_no_action_now(action: str, why: str) -> None:
    table().refuses(action, why)


@pytest.mark.parametrize("action", ["infect 2", "draw 2", "draw", "spy", "hack", "end"])
def test_nothing_before_the_first_card(action: str) -> None:
    new("seed=1").refuses(action, "the game begins with a card laid face up: start V")


def test_start_needs_a_card_that_can_be_in_the_hand() -> None:
    new("out=0,5 red=0,1,2,3 yellow=3,4,5").refuses("start 5", "there is no 5 in your hand")


# Views


def test_views_of_an_open_game() -> None:
    game = table()
    view = game.session.game.view(game.session.state, "yellow")
    assert view == {**game.state, "hands": {"red": 3, "yellow": [3, 4]}, "stock": 10}


def test_views_of_a_hidden_game() -> None:
    game = table(cards="hidden")
    assert game.session.game.view(game.session.state, "red") == game.state


# Positions

Change = Callable[[Record], object]


def test_a_position_gives_the_same_state() -> None:
    for layout in (position(), position(cards="hidden"), position(servers={5: "Rr", 7: "y"}, row="312", phase="main", forced="red")):
        assert Table(Session.at(find_game("hack_trick"), layout)).state == layout


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda p: p.update(game="chess"), "game: allowed are hack_trick"),
        (lambda p: p.update(cards="secret"), "cards: allowed are open, hidden"),
        (lambda p: p.update(phase="over"), "phase: allowed are start, main, call"),
        (lambda p: p.update(to_move="none"), "to_move: allowed are red, yellow"),
        (lambda p: p.update(to_move="blue"), "to_move: allowed are red, yellow"),
        (lambda p: p.update(four=None), "four: allowed are red, yellow"),
        (lambda p: p.update(spied=0), "spied: true or false is needed"),
        (lambda p: p.update(target=0), "target: a whole number 1 or more"),
        (lambda p: p.update(forced="yellow"), "forced: allowed are red"),
        (lambda p: p.update(firewalled="yellow"), "firewalled: allowed are red"),
        (lambda p: p.update(forced="red", firewalled="red"), "forced and firewalled: at most one"),
        (lambda p: p.update(calls="two"), "calls: allowed are one, both"),
        (lambda p: p.update(called="hack"), "called: null except in phase call of a game with calls=both"),
        (lambda p: p.update(calls="both", called="hack", firewalled="red"), "called: hack is forbidden by FIREWALL"),
        (lambda p: p.pop("row"), "row is missing"),
        (lambda p: p.update(seed=1), "seed is unknown"),
        (lambda p: p["hands"].pop("red"), "hands.red is missing"),
        (lambda p: p["supply"]["red"].update(small=1), "supply.red.small is unknown"),
        (lambda p: p["supply"]["red"].update(normal=-1), "supply.red.normal: a whole number 0 or more"),
        (lambda p: p.update(row="1"), "row: a list of card from 0 to 5 is needed"),
        (lambda p: p["row"].append(6), "row: 6 is no card from 0 to 5"),
        (lambda p: p["hands"].update(red=3), "hands.red: a list"),
        (lambda p: p.update(stock=10), "stock: a list"),
        (lambda p: p["stock"].pop(), "card 5: 2 of 3"),
        (lambda p: p["hands"]["red"].append(0), "card 0: 4 of 3"),
        (lambda p: p["out"].append(p["stock"].pop()), "out: two cards are out of the game"),
        (lambda p: p["hands"]["red"].extend([p["stock"].pop(), p["stock"].pop()]), "hands.red: more than 4 cards"),
        (lambda p: (p["row"].append(1), p["stock"].remove(1)), "row: 1 may not follow 1"),
        (lambda p: (p["stock"].append(p["row"].pop()),), "row: empty in phase main"),
        (lambda p: (p["stock"].remove(2), p["row"].extend([2, *p["stock"]]), p["stock"].clear()), "stock: never empty after the start"),
        (lambda p: p.update(phase="call"), "row: phase call follows an INFECT"),
        (lambda p: p.update(servers=[]), "servers: an object of server numbers"),
        (lambda p: p["servers"].update({"0": ["r"]}), "servers: '0' is no server"),
        (lambda p: p["servers"].update({"10": ["r"]}), "servers: '10' is no server"),
        (lambda p: p["servers"].update({"3": []}), "servers: server 3 is listed without a token"),
        (lambda p: p["servers"].update({"3": "r"}), "servers.3: a list of token is needed"),
        (lambda p: p["servers"].update({"3": ["b"]}), "servers.3: 'b' is no token"),
        (lambda p: p["servers"].update({"3": ["r"]}), "red has 10 normal tokens in all, not 9"),
        (lambda p: p["supply"]["yellow"].update(giant=0), "yellow has 0 giants in all, not 1"),
        (lambda p: p["spy_zone"]["red"].update(normal=1), "yellow has 10 normal tokens in all"),
        (lambda p: p["spent"]["yellow"].update(giant=1), "yellow has 2 giants in all"),
    ],
)
def test_positions_that_cannot_be(change: Change, why: str) -> None:
    layout = position()
    change(layout)
    with pytest.raises(BadArgument, match=why):
        Session.at(find_game("hack_trick"), layout)


@pytest.mark.parametrize(
    ("layout", "why"),
    [
        ({"servers": {3: "ry"}}, "server 3 holds both colours"),
        ({"servers": {3: "rrrr"}}, "server 3 holds more than 3 tokens"),
        ({"servers": {3: "Rrr"}}, "server 3 holds a stack of 3: the game is decided"),
        ({"servers": {3: "y", 5: "Yy", 7: "y"}}, "yellow has the line 3-5-7: the game is decided"),
        ({"spent": {"red": (9, 1)}}, "supply.red is empty: the game is decided"),
        ({"row": "12", "phase": "call"}, "servers: no token of red on the last sum"),
        ({"row": "12", "phase": "call", "servers": {3: "y"}}, "servers: no token of red on the last sum"),
        ({"row": "55", "phase": "call", "red": "0"}, "row: 5 may not follow 5"),
        ({"row": "1", "phase": "start", "red": "0234", "yellow": "345"}, "row: empty in phase start"),
        ({"row": "", "phase": "start", "red": "", "yellow": "345"}, "hands.red: a card is needed to start with"),
    ],
)
@both_modes
def test_layouts_that_cannot_be(cards: str, layout: Record, why: str) -> None:
    with pytest.raises(BadArgument, match=why):
        table(cards=cards, **layout)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda p: p.update(stock=11), "19 cards in all: there are 18"),
        (lambda p: p["hands"].update(red=2), "17 cards in all: there are 18"),
        (lambda p: p["hands"].update(red=5, yellow=0), "hands.red: more than 4 cards"),
        (lambda p: p.update(row=[1, 0, 1, 0], stock=7), "card 0: more than 3 lie open"),
        (lambda p: p.update(stock=[1]), "stock: a whole number from 0 to 18"),
        (lambda p: p["hands"].update(red=[1]), "hands.red: a whole number"),
        (lambda p: p.update(stock=0, row=[1, 2, 1, 2, 3, 4, 3, 4, 5, 4, 5]), "stock: never empty after the start"),
    ],
)
def test_hidden_positions_that_cannot_be(change: Change, why: str) -> None:
    layout = position(cards="hidden")
    change(layout)
    with pytest.raises(BadArgument, match=why):
        Session.at(find_game("hack_trick"), layout)


def test_every_problem_is_listed() -> None:
    layout = position(servers={3: "ry", 5: "rrr"})
    layout["stock"].pop()
    with pytest.raises(BadArgument) as error:
        Session.at(find_game("hack_trick"), layout)
    for problem in ("card 5", "both colours", "a stack of 3"):
        assert problem in str(error.value)


@pytest.mark.parametrize(
    "layout",
    [
        {"row": "", "phase": "start", "red": "02", "yellow": "3", "to_move": "yellow"},
        {"score": {"red": 7, "yellow": 3}},
        {"red": "", "yellow": ""},
        {"row": "12", "phase": "call", "servers": {3: "Rr"}, "spied": True},
        {"row": "12", "servers": {9: "yy"}, "spied": True, "forced": "red"},
        {"spent": {"red": (9, 0), "yellow": (8, 1)}},
    ],
)
@both_modes
def test_whether_a_position_can_be_reached_is_not_checked(cards: str, layout: Record) -> None:
    assert table(cards=cards, **layout).legal


# Always


@both_modes
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_servers_never_hold_both_colours_or_more_than_three(cards: str, seed: int) -> None:
    session = new(f"cards={cards} seed={seed}" + (" out=0,5" if cards == "hidden" else "")).session
    random = Random(seed)
    while not session.game.over(session.state):
        session = session.do(session.game.pick(session.state, random))[0]
        for tokens in session.game.record(session.state)["servers"].values():
            assert 1 <= len(tokens) <= 3
            assert len({token.lower() for token in tokens}) == 1
            assert tokens == sorted(tokens)
