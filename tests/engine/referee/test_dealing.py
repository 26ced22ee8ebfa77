"""Cards on the reader: what the referee makes of them, and deals that are laid down card by card."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.alerts import the_alert
from underboard.engine.base.i18n import LANGUAGES, find_words
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.history import entry, resume
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.events import BoardRead, CardLaid, CardTaken, DevicesChanged, Did, Event, KeyPressed, Ordered
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import Step, TableState
from underboard.engine.referee.step import step
from underboard.engine.scripting.export import script_of
from underboard.engine.scripting.parser import read_script
from underboard.hardware.panel.picture import problems

GIVEN = {"four": "red", "out": "0,5", "red": "0,1,2,4", "yellow": "1,3,5"}
DEALT = ["0", "5", "0", "1", "2", "4", "1", "3", "5"]
READY = DevicesChanged({"board": "ready", "oled": "ready", "reader": "ready"})
ABSENT = DevicesChanged({"board": "ready", "oled": "ready", "reader": "absent"})


def opened(dealer: str = "reader", **options: str) -> TableState:
    """A table on which a game with this deal has been started with a 1; yellow is to move."""
    table, _ = open_table(new_setup("hack_trick", options or GIVEN, 1, dealer, hands="open"))
    return after(table, READY, BoardRead(frozenset(), True), Ordered("start 1"))[0]


def after(table: TableState, *events: Event) -> Step:
    """The table after these events, and all that it wanted done."""
    effects = []
    for event in events:
        table, more = step(table, event, table.keys_rest_until)
        effects += more
    return table, effects


def done(*events: Event, table: TableState | None = None) -> list[str]:
    """The actions that these events bring about."""
    return [effect.action for effect in after(table or opened(), *events)[1] if isinstance(effect, Did)]


def deal(table: TableState, cards: list[str], first_tag: int = 1) -> Step:
    """Lays cards down, each with a tag of its own."""
    return after(table, *(CardLaid(card, f"{number:010X}") for number, card in enumerate(cards, first_tag)))


def code(table: TableState) -> str | None:
    return the_alert(table).code if find_alert(table) else None


def choose(table: TableState, name: str) -> TableState:
    """The table after a choice."""
    names = [choice.name for choice in table.choices]
    return after(replace(table, cursor=names.index(name)), KeyPressed("ok"))[0]


def test_a_card_that_is_laid_down_is_drawn() -> None:
    assert done(CardLaid("3", "1")) == ["draw 3"]
    assert done(CardLaid("3", "1"), CardTaken(), CardLaid("3", "2")) == ["draw 3", "draw 3"]


def test_the_choice_to_draw_awaits_a_card() -> None:
    table = choose(opened(), "draw")
    assert table.drawing
    assert [choice.name for choice in table.choices] == ["infect 3", "infect 5", "draw"]
    assert done(CardLaid("3", "1"), table=table) == ["draw 3"]
    assert after(table, CardLaid("3", "1"))[0].drawing is None
    assert after(table, KeyPressed("back"))[0].drawing is None
    assert choose(table, "infect 3").drawing is None
    assert after(table, KeyPressed("back", held=True))[0].drawing is None


def test_a_card_that_cannot_be_drawn_is_an_alert_until_it_is_gone_or_a_key_is_pressed() -> None:
    table, _ = after(opened(), CardLaid("5", "1"), CardTaken())
    assert code(table) is None
    odd = after(table, CardLaid("5", "1"))[0]
    assert code(odd) == "wrong_card"
    assert code(after(odd, CardTaken())[0]) is None
    assert code(after(odd, KeyPressed("left"))[0]) is None
    assert code(after(odd, BoardRead(frozenset(), True))[0]) == "wrong_card"
    assert code(after(odd, CardLaid("3", "2"))[0]) is None


def test_no_alert_tells_which_card_it_was() -> None:
    words = find_words("en")
    said = set()
    for card in "012345":
        table, _ = open_table(new_setup("hack_trick", GIVEN, 1, "reader", hands="open"))
        table, _ = after(table, READY, CardLaid(card, "0400000001"))
        assert find_alert(table)
        said.add((the_alert(table).text(words), tuple(screen(table, words))))
    assert len(said) == 1


def test_a_strange_tag_is_shown_whoever_deals() -> None:
    for dealer in ("engine", "reader"):
        table, effects = after(opened(dealer), CardLaid(None, "04006A3F1C"))
        assert code(table) == "unknown_card"
        assert find_alert(table)
        assert "04006A3F1C" in the_alert(table).text(find_words("en"))
        assert [effect for effect in effects if isinstance(effect, Did)] == []


def test_where_the_engine_deals_cards_mean_nothing() -> None:
    table, effects = after(opened("engine"), CardLaid("3", "1"))
    assert (code(table), effects) == (None, [])
    assert code(after(table, ABSENT)[0]) is None


def test_without_a_reader_the_card_is_chosen_by_key() -> None:
    table = choose(after(opened(), ABSENT)[0], "draw")
    assert code(table) == "reader_absent"
    assert [choice.name for choice in table.choices] == ["draw 0", "draw 1", "draw 2", "draw 3", "draw 4", "draw 5"]
    chosen, effects = after(replace(table, cursor=3), KeyPressed("ok"))
    assert [effect.action for effect in effects if isinstance(effect, Did)] == ["draw 3"]
    assert chosen.drawing is None
    again = after(table, READY)[0]
    assert [choice.name for choice in again.choices] == ["infect 3", "infect 5", "draw"]
    assert again.cursor < len(again.choices)


# Deals


def test_a_deal_is_laid_down_in_order() -> None:
    table, effects = open_table(new_setup("hack_trick", {"four": "red"}, 1, "reader", hands="open"))
    assert effects == []
    table, effects = deal(table, DEALT)
    (did,) = [effect for effect in effects if isinstance(effect, Did)]
    assert (did.kind, did.action) == ("new", "new_game hack_trick")
    assert {key: (did.options or {}).get(key) for key in GIVEN} == GIVEN
    assert table.deal is None
    assert table.games == 0
    assert resume([entry(did, table)]).state == table.state


def test_the_other_seat_may_get_four() -> None:
    table, _ = open_table(new_setup("hack_trick", {"four": "yellow"}, 1, "reader", hands="open"))
    table, _ = deal(table, DEALT)
    assert [len(hand) for hand in table.state.hands] == [3, 4]


def test_a_card_can_be_dealt_once_and_taken_back() -> None:
    table, _ = open_table(new_setup("hack_trick", {}, 1, "reader", hands="open"))
    table, _ = deal(table, ["0", "5"])
    twice, _ = deal(table, ["5"], first_tag=2)
    assert code(twice) == "wrong_card"
    assert twice.deal == table.deal
    back, _ = after(table, KeyPressed("back"), KeyPressed("back"), KeyPressed("back"), KeyPressed("ok"))
    assert back.deal
    assert back.deal.cards == ()


def test_nothing_else_can_be_done_during_a_deal() -> None:
    table, _ = open_table(new_setup("hack_trick", {}, 1, "reader", hands="open"))
    for event in (Ordered("start 1"), Ordered("undo"), Ordered("next"), KeyPressed("ok"), KeyPressed("back", held=True)):
        after_it, effects = after(table, event)
        assert after_it.deal == table.deal
        assert not [effect for effect in effects if isinstance(effect, Did)]


def test_a_deal_that_is_given_needs_no_reader() -> None:
    assert opened().deal is None


def test_a_deal_with_a_deck_that_has_too_many_of_a_card_begins_anew() -> None:
    table, _ = open_table(new_setup("hack_trick", {}, 1, "reader", hands="open"))
    table, _ = deal(table, ["0"] * 9)
    assert code(table) == "illegal"
    assert table.deal
    assert table.deal.cards == ()


def test_the_deal_of_a_new_match_does_not_repeat_the_one_given() -> None:
    table = opened(**GIVEN, target="1")
    state = table.state._replace(servers=("", "", "", "", "yy", "", "", "", "", ""), supply=((9, 1), (7, 1)))
    table = replace(table, session=replace(table.session, now=replace(table.session.now, state=state)))
    table, _ = after(table, Ordered("infect 3"))
    assert [choice.name for choice in table.choices] == ["new match"]
    table = choose(table, "new match")
    assert table.deal
    assert not set(table.deal.options) & {"out", "red", "yellow"}
    assert after(table, KeyPressed("back"))[0].deal is None
    table, effects = deal(table, DEALT)
    assert [effect.action for effect in effects if isinstance(effect, Did)] == ["new_game hack_trick"]
    assert table.games == 1


def test_an_exported_game_is_dealt_by_the_reader_again() -> None:
    table, effects = open_table(new_setup("hack_trick", GIVEN, 1, "reader", hands="open"))
    table, more = after(table, READY, BoardRead(frozenset(), True), Ordered("start 1"), CardLaid("3", "1"))
    rows = [entry(effect, table) for effect in [*effects, *more] if isinstance(effect, Did)]
    lines = list(script_of(rows))
    assert "dealer=reader" in lines[0]
    assert "scan 3" in lines
    read_script("\n".join(lines), "export")
    assert resume(rows).setup.dealer == "reader"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("table hack_trick dealer=reader cards=hidden out=0,5", "no reader is needed"),
        ("table hack_trick dealer=me", "allowed are engine, reader"),
        ("table hack_trick reader=nfc", "allowed are none, rdm6300, id12la, pn532"),
        ("table hack_trick\nscan 6", "'6': there is no such card; cards are 0, 1, 2, 3, 4, 5"),
        ("table hack_trick\nscan", "'': there is no such card"),
        ("table hack_trick\nscan 3 for=x", "'x' is no time"),
        ("table hack_trick\nscan @04", "'@04': there is no such card"),
        ("table hack_trick\nfault reader", "fault reader unplug"),
        ("table hack_trick\nfault reader bytes 0", "fault reader unplug"),
        ("table hack_trick\nfault reader unplug now", "fault reader unplug"),
    ],
)
def test_scripts_that_cannot_be_played(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_script(line, "script")


cards = st.tuples(st.sampled_from([None, *"012345"]), st.integers(1, 12)).map(lambda card: CardLaid(card[0], f"{card[1]:010X}"))
keys = st.tuples(st.sampled_from(["left", "right", "ok", "back"]), st.booleans()).map(lambda key: KeyPressed(*key))
events = st.one_of(cards, keys, st.sampled_from([CardTaken(), READY, ABSENT]), cards)


@given(st.sampled_from([{}, GIVEN, {"four": "yellow", "target": "1"}]), st.lists(events, max_size=40), st.sampled_from(LANGUAGES))
def test_whatever_is_done_the_table_goes_on_and_its_screen_can_be_drawn(options: dict[str, str], some: list[Event], language: str) -> None:
    table, _ = open_table(new_setup("hack_trick", options, 1, "reader", hands="open"))
    words = find_words(language)
    for event in some:
        table, _ = after(table, event)
        assert not problems(screen(table, words))
        assert table.cursor < max(1, len(table.choices))
        assert table.choices or table.deal
