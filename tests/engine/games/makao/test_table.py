"""Makaó at the table: what the keys run through and how many presses it takes, the first card, the unused board, every screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.engine.alerts import the_alert
from underboard.engine.base.errors import BadArgument
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.game import Action
from underboard.engine.gamekit.panel import WIDTHS
from underboard.engine.gamekit.registry import find_game, find_overlay
from underboard.engine.gamekit.session import Moment, Session
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.gamekit.table import Choice, leading_to
from underboard.engine.games.makao.captions import card_text, demand_text
from underboard.engine.games.makao.moves import MOVES
from underboard.engine.games.makao.screen import request_texts, top_line
from underboard.engine.games.makao.state import CARDS, NAMES, SATISFYING, Penalty, PendingEffect, Request, Skips
from underboard.engine.journal.database import read_match
from underboard.engine.journal.history import resume
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, CardLaid, DevicesChanged, Did, KeyPressed, Ordered, TimePassed, Tone
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import TableState
from underboard.engine.referee.step import step
from underboard.engine.scripting.export import script_of
from underboard.engine.scripting.parser import LineReader
from underboard.engine.scripting.runner import Runner, keys_to, replay
from underboard.hardware.panel.picture import problems

GAME = find_game("makao")
HANDS = {"p1": "h7,h8,l8,b8,hO", "p2": "hA,lA,bA,aA,h9", "p3": "l7,lK,hK,b9,bO"}
OPEN = {"players": "3", **HANDS, "up": "h10"}
WITH_A_SEVEN = OPEN | {"p2": "h9,lA,bA,aA,a7"}
HIDDEN = {"cards": "hidden", "up": "l9,l8"}


def table(**options: str) -> TableState:
    return step(open_table(new_setup("makao", options, 1, hands="open"))[0], BoardRead(frozenset(), True), 0)[0]


def ordered(at: TableState, *actions: str) -> TableState:
    for action in actions:
        at = step(at, Ordered(action), 0)[0]
    return at


def pressed(at: TableState, *keys: str, held: bool = False) -> TableState:
    for key in keys:
        at = step(at, KeyPressed(key, held), at.keys_rest_until)[0]
    return at


def chosen(at: TableState, *names: str) -> TableState:
    for name in names:
        keys = keys_to(at, name)
        assert keys, f"no way to {name}"
        at = pressed(at, *keys)
    return at


def names(at: TableState) -> list[str]:
    return [choice.name for choice in at.choices]


# What the keys run through: open cards


def test_the_plays_of_the_hand_by_suit_then_the_draw() -> None:
    at = table(**OPEN)
    assert names(at) == ["play h7", "card h8", "card hO", "draw"]
    assert at.selected == "play h7"


def test_a_choice_says_which_card_it_plays_first() -> None:
    at = table(**OPEN)
    assert [choice.card for choice in at.choices] == ["h7", "h8", "hO", None]
    assert [choice.card for choice in pressed(at, "right", "ok").choices] == ["h8", "h8", "h8"]


def test_what_goes_with_a_card_comes_after_it_and_back_leaves_it() -> None:
    at = pressed(table(**OPEN), "right", "ok")
    assert names(at) == ["play h8", "play h8+l8+b8", "play h8+b8+l8"]
    assert names(pressed(at, "back")) == ["play h7", "card h8", "card hO", "draw"]
    assert pressed(at, "right", "ok").session.now.action == "play h8+l8+b8"


def test_what_is_asked_for_comes_after_the_card() -> None:
    at = pressed(table(**OPEN), "right", "right", "ok")
    assert names(at) == ["play hO", "play hO ask=h", "play hO ask=l", "play hO ask=b", "play hO ask=a"]


def test_an_action_is_reached_by_its_name_through_the_answers() -> None:
    at = table(**OPEN)
    assert keys_to(at, "play hO ask=b") == ["right", "right", "ok", "right", "right", "right", "ok"]
    assert chosen(at, "play hO ask=b").session.now.action == "play hO ask=b"
    assert (keys_to(at, "play lK"), leading_to(at.choices, "play lK")) == ([], None)


def test_a_long_ok_opens_an_answer_too() -> None:
    at = pressed(pressed(table(**OPEN), "right"), "ok", held=True)
    assert at.answers == ("card h8",)


def test_who_must_obey_is_offered_nothing_else() -> None:
    assert names(ordered(table(**WITH_A_SEVEN), "play h7")) == ["play a7"]


def test_an_illegal_draw_is_refused_in_words() -> None:
    at = ordered(table(**WITH_A_SEVEN), "play h7", "draw l9")
    assert find_alert(at)
    assert the_alert(at).code == "illegal"
    assert the_alert(at).text(find_words("en")) == "you hold a7 and must lay: no drawing now"


def test_every_legal_action_can_be_chosen() -> None:
    for _, at in walks(plies=25):
        if at.over:
            continue
        for action in at.setup.game.legal(at.state):
            dealt = any(choice.dealt and action in choice.actions for choice in at.choices)
            assert dealt or keys_to(at, action), f"{action} of {names(at)}"


def test_choices_stand_for_legal_actions_only() -> None:
    for _, at in walks(plies=25):
        offered = {action for choice in at.choices for action in choice.actions}
        assert at.over or offered == set(at.setup.game.legal(at.state))


# What the keys run through: a physical deck


def test_a_suit_first_then_the_card() -> None:
    at = table(**HIDDEN, players="3")
    assert names(at) == ["draw", "play h8", "suit l", "play b8", "play a8", "several"]
    assert at.selected == "suit l"
    assert names(pressed(at, "ok")) == ["play l7", "card l9", "play l10", "play lU", "card lO", "play lK", "play lA"]
    assert pressed(at, "ok").selected == "play lU"


def test_under_a_penalty_the_draw_comes_first() -> None:
    at = ordered(table(**HIDDEN), "play l7")
    assert (at.selected, names(at)) == ("draw 2", ["draw 2", "draw", "play h7", "play b7", "play a7", "several"])


def test_the_whole_penalty_is_drawn_and_taken_back_as_one() -> None:
    at = ordered(table(**HIDDEN), "play l7")
    after = pressed(at, "ok")
    assert (after.state.phase, after.state.mover, after.state.effect) == ("play", 2, None)
    assert after.state.hands[1] == at.state.hands[1] + 2
    assert pressed(after, "right", "back", held=True).state == at.state
    assert ordered(after, "undo").state.phase == "penalty"


def test_what_cannot_be_drawn_of_a_penalty_is_said_by_hand() -> None:
    at = table(**OPEN)
    hands = (0, at.state.hands[1], at.state.hands[2] | at.state.hands[0] | at.state.stock)
    state = at.state._replace(hands=hands, stock=0, pile=3 << 28, effect=Penalty(4), phase="penalty", mover=0)
    after = pressed(step(replace(at, session=Session(GAME, Moment(state))), TimePassed(), 0)[0], "ok")
    assert (after.state.effect, names(after)) == (Penalty(2), ["draw none"])


def test_several_cards_are_reached_step_by_step() -> None:
    at = chosen(table(**HIDDEN), "several")
    assert names(at) == ["card h8", "suit l", "card b8", "card a8"]
    assert chosen(at, "play l10+h10+b10").session.now.action == "play l10+h10+b10"


def presses(at: TableState, action: Action) -> int:
    """The fewest presses that do an action, round the rings."""
    choices: Sequence[Choice] = at.choices
    first, answers, count = at.cursor, at.answers, 0
    while (number := leading_to(choices, action)) is not None:
        way = (number - first) % len(choices)
        count += min(way, len(choices) - way) + 1
        if choices[number].name == action:
            return count
        answers = (*answers, choices[number].name)
        choices, first = at.setup.table.menu(at.state, answers)
    raise AssertionError(f"no way to {action}")


@pytest.mark.parametrize(
    ("players", "cancel", "specials"),
    [*product(["3", "4", "5"], ["fit", "satisfy"], ["fit"]), ("3", "fit", "any"), ("5", "satisfy", "any")],
)
def test_six_keys_reach_every_ordinary_turn(players: str, cancel: str, specials: str) -> None:
    """One card without asking, a draw, a skip, a card kept: in every position of random games with a physical deck."""
    for seed in range(30):
        at = table(**HIDDEN, players=players, cancel=cancel, specials=specials)
        random = Random(seed)
        for _ in range(100):
            if at.over:
                break
            legal = at.setup.game.legal(at.state)
            ordinary = [action for action in legal if "+" not in action and "ask=" not in action]
            assert max([presses(at, action) for action in ordinary], default=0) <= 6, f"{at.state}"
            at = ordered(at, random.choice([action for action in legal if "+" not in action or random.random() < 0.05] or legal))


def test_asking_takes_a_few_keys_more() -> None:
    at = table(**HIDDEN)
    asking = [action for action in at.setup.game.legal(at.state) if "ask=" in action and "+" not in action]
    assert max(presses(at, action) for action in asking) <= 10


# The first card


def test_the_table_turns_the_first_card_up_itself() -> None:
    at, effects = open_table(new_setup("makao", {"players": "3", **HANDS}, 4, hands="open"))
    done = [effect.action for effect in effects if isinstance(effect, Did)]
    assert done[0] == "new_game makao"
    assert all(action.startswith("flip ") for action in done[1:])
    assert at.state.phase == "play"


def test_taken_back_it_is_turned_up_again_by_key() -> None:
    at = pressed(table(players="3", **HANDS), "back", held=True)
    assert (at.state.phase, names(at)) == ("flip", ["flip"])
    assert pressed(at, "ok").state.phase in ("flip", "play")


VOID = {
    "players": "5",
    "p1": "h8,l8,b8,a8,h10",
    "p2": "l10,b10,a10,hU,lU",
    "p3": "bU,aU,hK,lK,bK",
    "p4": "aK,h7,l7,b7,a7",
    "p5": "h9,l9,b9,hO,lO",
}
"""Nothing but special cards is left to turn up."""


def test_a_void_deal_is_dealt_again() -> None:
    at, effects = open_table(new_setup("makao", VOID, 1, hands="open"))
    assert [effect.action for effect in effects if isinstance(effect, Did)][-1] == "redeal"
    assert at.state.phase == "play"


def test_a_void_deal_of_tagged_cards_is_laid_down_again() -> None:
    dealt = replace(table(**VOID), setup=new_setup("makao", {"players": "5"}, 1, "reader", hands="open"))
    at = pressed(pressed(dealt, "back", held=True))
    assert names(at) == ["redeal"]
    again = pressed(at, "ok")
    assert again.deal
    assert not again.deal.cards


# The board is not in use


def test_there_is_no_space_on_the_board() -> None:
    overlay = find_overlay("makao", {})
    assert (overlay.rows, overlay.columns, dict(overlay.spaces)) == (10, 10, {})


@pytest.mark.parametrize("tokens", [{"@r3c2"}, {"@r1c1", "@r10c10"}])
def test_tokens_may_lie_where_nothing_is_played(tokens: set[str]) -> None:
    at = table(**OPEN)
    at = step(at, BoardRead(frozenset(tokens), True, frozenset({"@r3c2"}), frozenset({"@r1c1"})), 100)[0]
    at = step(at, TimePassed(), 5_000)[0]
    assert (find_alert(at), at.deadline) == (None, None)
    assert at.sensed == tokens
    at = chosen(at, "play h7")
    at = step(at, BoardRead(frozenset(), True), 6_000)[0]
    assert (find_alert(at), at.session.now.action) == (None, "play h7")
    gone = step(at, DevicesChanged({"board": "absent"}), 6_500)[0]
    assert the_alert(gone).code == "board_absent"  # whoever has one wants to know
    assert gone.choices == at.choices
    taken_back = pressed(at, "back", held=True)
    assert (find_alert(taken_back), names(taken_back)) == (None, names(table(**OPEN)))


# The reader


def laid(at: TableState, *cards: str) -> TableState:
    for card in cards:
        at = step(at, CardLaid(card, f"tag of {card}"), 0)[0]
    return at


def with_reader(**options: str) -> TableState:
    return open_table(new_setup("makao", {"players": "3", **options}, 1, "reader", hands="open"))[0]


def dealt_by_reader() -> TableState:
    return laid(with_reader(), *",".join(HANDS.values()).split(","))


def test_hands_then_the_cards_turned_up_are_laid_on_the_reader() -> None:
    at = dealt_by_reader()
    assert (at.state.phase, at.deal) == ("flip", None)
    at = laid(at, "a9", "h10")
    assert (at.state.phase, "a9" in GAME.record(at.state)["hands"]["p1"]) == ("play", True)


def test_a_drawn_card_counts_at_once_even_in_the_midst_of_a_choice() -> None:
    at = chosen(laid(dealt_by_reader(), "h10"), "card hO")
    assert laid(at, "a8").session.now.action == "draw a8"


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (["play h7"], "whoever holds a 7 must lay it: no drawing now"),
        (["play hO ask=h", "play hA"], "whoever holds an ace must lay it: no drawing now"),
        (["play hO ask=h"], "whoever holds what is asked for must lay it: no drawing now"),
    ],
)
def test_who_can_obey_may_not_draw(actions: Sequence[str], reason: str) -> None:
    hands = {"p2": "hA,lK,bK,aK,l7", "p3": "aA,l10,hK,b9,bO"}
    at = ordered(with_reader(**HANDS | hands, up="h10"), *actions)
    at = laid(at, "a8")
    assert find_alert(at)
    assert (the_alert(at).code, the_alert(at).text(find_words("en"))) == ("wrong_card", reason)
    assert not any(card in reason for card in ("hA", "l7", "aA"))


# Afterwards, sounds, the page


def over(**options: str) -> TableState:
    """A game that p1 has won."""
    at = table(**options)
    state = at.state._replace(phase="over", mover=0)
    return replace(at, session=Session(GAME, Moment(state)), cursor=0)


def test_a_new_game_with_the_same_options() -> None:
    at = over(players="3", cancel="satisfy", specials="any")
    assert names(at) == ["new game"]
    again = pressed(at, "ok").state
    assert (again.phase, again.setup.players, again.setup.cancel, again.setup.specials) == ("play", 3, "satisfy", "any")


def test_with_a_physical_deck_the_cards_turned_up_are_asked_for() -> None:
    at = chosen(over(**HIDDEN, players="5", cancel="satisfy"), "up h9")
    assert names(at) == ["suit h", "suit l", "suit b", "suit a"]
    again = chosen(at, "up l8", "new game").state
    assert (again.hands, again.top, again.setup.cancel) == ((6, 5, 5, 5, 5), MOVES["play l8"].first, "satisfy")


def test_the_last_card_that_leaves_a_stock_is_not_special() -> None:
    at = chosen(over(**HIDDEN, players="5"), *(f"up {card}" for card in ("h7", "l7", "b7", "a7", "h9")))
    assert {action for choice in at.choices for action in choice.actions} == {
        f"up {suit}{rank}" for suit in "hlba" for rank in ("8", "10", "U", "K")
    }


def test_a_win_is_heard() -> None:
    state = table(**OPEN).state
    near = replace(table(**OPEN), session=Session(GAME, Moment(state._replace(hands=(state.hands[0], 0, state.hands[2])))))
    assert step(near, Ordered("play h8"), 0)[1][-1] == Tone("win")


@pytest.mark.parametrize("options", [{"up": "h9"}, {"players": "6"}, {"cards": "hidden"}])
def test_options_that_cannot_be(options: dict[str, str]) -> None:
    with pytest.raises(BadArgument):
        open_table(new_setup("makao", options, 1, hands="open"))


# Written down and played again


FLIPPED = "players=3 p1=h8,l8,b8,a8,hO p2=hA,lA,bA,aA,h9 p3=l7,lK,hK,b9,bO"
"""The table turns the first card up."""


def played(folder: Path, options: str, seed: int) -> Any:
    """Plays by keys and reader; answers the state that the first journal leads to."""
    random, reader = Random(seed), LineReader()
    first = reader.read(1, f"table makao {options} seed={seed} journal={folder / 'first.journal'}")
    with Runner(first.arguments) as runner:
        told = runner.play(first)
        for number in range(2, 60):
            told = runner.play(reader.read(number, something(random, told, runner._app.table)))
            if told["phase"] == "over":
                break
    return resume(read_match(folder / "first.journal")).state


def something(random: Random, told: dict[str, Any], at: TableState) -> str:
    """What hands do next: deal, draw by the reader if that deals, choose, take back."""
    if told["phase"] == "deal":
        dealt = {card.card for card in at.deal.cards} if at.deal else set()
        return f"scan {next(card for card in CARDS if card not in dealt)}"
    if at.setup.dealer == "reader" and (drawn := [choice for choice in at.choices if choice.dealt]) and random.random() < 0.5:
        return f"scan {random.choice(drawn[0].actions).split()[1]}"
    if random.random() < 0.1:
        return "key back hold=1s"
    return f"choose {random.choice([name for name in told['choices'] if at.setup.dealer != 'reader' or name != 'draw'] or ['draw'])}"


@pytest.mark.parametrize("options", ["players=3", FLIPPED, "players=5 specials=any cards=hidden up=h9,l8", "players=4 dealer=reader"])
def test_a_game_written_down_is_played_to_the_same_end(options: str, tmp_path: Path) -> None:
    state = played(tmp_path, options, 3)
    first, *rest = script_of(read_match(tmp_path / "first.journal"))
    script = tmp_path / "match.table"
    script.write_text("\n".join([f"{first} journal={tmp_path / 'second.journal'}", *rest]), encoding="utf-8")
    failures = [(report["line"], report["command"], failure) for report, failure in replay(script) if failure]
    assert not failures, "\n".join([str(failures), *rest])
    assert resume(read_match(tmp_path / "second.journal")).state == state


# Screens


@cache
def walks(plies: int = 60) -> Sequence[tuple[str, TableState]]:
    """Tables along random games of all sorts."""
    return list(walk(plies))


def walk(plies: int) -> Iterator[tuple[str, TableState]]:
    for players in "345":
        for options in ({}, HIDDEN, {"specials": "any"}, {**HIDDEN, "specials": "any"}):
            at = table(players=players, **options)
            random = Random(int(players))
            for _ in range(plies):
                yield f"{players} {options} {at.session.now.ply}", at
                if at.over:
                    break
                at = ordered(at, GAME.pick(at.state, random))


def levels(name: str, at: TableState) -> Iterator[tuple[str, TableState]]:
    """Every choice of a table under the cursor, and what comes after the first answer of each sort among them."""
    sorts = set()
    for cursor, choice in enumerate(at.choices):
        yield f"{name} {at.answers} {choice.name}", replace(at, cursor=cursor)
        sort = choice.name.split()[0]
        if choice.answer and sort not in sorts:
            yield from levels(name, replace(at, answers=(*at.answers, choice.name), cursor=0))
        sorts.add(sort)


@cache
def shown() -> Sequence[tuple[str, TableState]]:
    """The tables to look at."""
    return [*on_the_way(), *demanded(), *asking(), *around()]


def on_the_way() -> Iterator[tuple[str, TableState]]:
    """Random games, here and there."""
    for name, at in walks()[::8]:
        if not at.over:
            yield from levels(name, at)


def demanded() -> Iterator[tuple[str, TableState]]:
    """All effects."""
    for effect, hands, top in product(EFFECTS, HAND_SIZES, TOPS):
        at = under(effect, hands, top)
        yield f"{effect} {hands} {top}", at
        if top == TOPS[0]:
            yield f"{effect} {hands} drawn under", ordered(at, "draw")


def asking() -> Iterator[tuple[str, TableState]]:
    """A rank and a suit under the cursor, to be asked for with every card and set of cards that may."""
    for action, move in MOVES.items():
        if move.ask in ("K", "b"):
            at = step(under(None, (5, 5, 5, 5, 5), f"{NAMES[move.first][0]}K"), TimePassed(), 0)[0]
            if action in GAME.legal(at.state):
                yield action, pressed(at, *keys_to(at, action)[:-1])


def around() -> Iterator[tuple[str, TableState]]:
    """Before and after a game, and with the reader."""
    yield "flip", pressed(table(players="3", **HANDS), "back", held=True)
    yield "void", pressed(table(**VOID), "back", held=True)
    yield "over", over(**OPEN)
    yield from levels("over", over(**HIDDEN))
    dealt = dealt_by_reader()
    yield from ((f"dealing {count}", laid(with_reader(), *",".join(HANDS.values()).split(",")[:count])) for count in range(15))
    yield "turning up", dealt
    yield "drawing", chosen(laid(dealt, "h10"), "draw")


EFFECTS: Sequence[PendingEffect] = (
    None,
    *(Penalty(count) for count in (1, 2, 8)),
    *(Skips(count) for count in (1, 4)),
    *(Request(value, by, fulfilled) for value in SATISFYING for by in (0, 4) for fulfilled in (False, True)),
)
HAND_SIZES = ((5, 5, 5, 5, 5), (0, 12, 11, 1, 1), (2, 0, 3, 1, 4), (10, 0, 0, 0, 10), (3, 3, 0, 0, 1))
TOPS = ("hK", "lU", "aU", "aO", "b10")


@cache
def five_players() -> TableState:
    return table(**HIDDEN, players="5")


def under(effect: PendingEffect, hands: tuple[int, ...], top: str) -> TableState:
    """Five players with a physical deck, under an effect."""
    at = five_players()
    state = at.state._replace(effect=effect, hands=hands, top=CARDS[top], mover=1)
    return replace(at, session=Session(GAME, Moment(state)), cursor=0)


def refusals() -> Iterator[tuple[str, TableState]]:
    """What the game refuses."""
    at = table(**OPEN)
    for action in REFUSED:
        yield action, ordered(at, action)
    for actions in (["play h7", "play hK"], ["play h7", "draw a8"], ["play hO ask=b", "play hA"], ["play hO ask=b", "play l10"]):
        yield " ".join(actions), ordered(at, *actions)
    replies = ("play l8", "draw", "play l9", "play lO", "skip")
    for effect in (Skips(2), Request("K", 0, True), Request("h", 0, True)):
        yield from ((f"{effect} {action}", ordered(under(effect, (5, 5, 5, 5, 5), "b10"), action)) for action in replies)


REFUSED = (
    *("jump", "play", "play x8", "play h8+h8+l8", "play h8+h7+l8", "play h8+l8", "play h8 ask=K", "play hO ask=K", "play hO x=K"),
    *("draw", "draw x", "draw a8 l8", "draw h7", "skip", "skip now", "keep", "flip", "flip a8", "redeal", "play aK", "play bO", "undo"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_can_be_drawn(language: str) -> None:
    words = find_words(language)
    found = {name: found for name, at in [*shown(), *refusals()] if (found := problems(screen(at, words)))}
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_demanded_is_in_the_largest_type(language: str) -> None:
    words = find_words(language)
    for name, at in shown():
        if at.state.effect and not (at.answers or at.drawing or find_alert(at) or at.over):
            line = screen(at, words)[1]
            assert line.text == demand_text(at.state, words), name
            assert line.size != "small" or isinstance(at.state.effect, Skips), name  # for which other languages need more letters


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_to_choose_from_are_never_in_small_type(language: str) -> None:
    words = find_words(language)
    small = {line.text for _, at in shown() for line in screen(at, words) if line.size == "small" and line.text.startswith("‹")}
    assert {text for text in small if text.count("+") < 3} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_that_matters_is_cut(language: str) -> None:
    words = find_words(language)
    cut = {name for name, at in refusals() for line in screen(at, words) if line.text.endswith("…")}
    assert cut <= {"jump"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_request_that_is_met_is_said_whatever_card_is_on_top(language: str) -> None:
    words = find_words(language)
    said = {words("request met"), *(words("{top}, met", top=""), words("{top}, request met", top=""))}
    for name in NAMES:
        text = next(text for text in request_texts(Request("h", 0, True), card_text(name, words), words) if len(text) <= WIDTHS["small"])
        assert any(text.endswith(each) for each in said)


def test_the_stock_is_shown_where_a_card_is_to_be_drawn() -> None:
    at = ordered(table(**OPEN), "play h7")
    lines = {choice.name: screen(replace(at, cursor=number), find_words("en"))[-1].text for number, choice in enumerate(at.choices)}
    assert lines["draw"].startswith("hearts VII, stock ")


@pytest.mark.parametrize(
    ("players", "sizes", "text"),
    [
        (3, (5, 5, 12), "P1 P2:5 P3:12"),
        (4, (3, 0, 5, 6), "P1 P2:0! P3:5 P4:6"),
        (5, (5, 5, 5, 5, 5), "P1   2:5 3:5 4:5 5:5"),
        (5, (5, 0, 0, 10, 10), "P1    0!:0!:10:10"),
    ],
)
def test_the_cards_of_the_others_stand_beside_their_seats(players: int, sizes: tuple[int, ...], text: str) -> None:
    at = table(players=str(players), **HIDDEN)
    assert top_line(at.state._replace(mover=0, hands=sizes), find_words("en")).text.split() == text.split()
