"""Every screen of Hack Trick in every language: it fits, every letter can be drawn, every text is in the catalogues.

`screens()` lists the tables to look at. Their lines in all languages are in golden/screens-*.txt: "L", "m" and " " before a line
are its size, "#" says inverted.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from tests.engine.alerts import the_alert
from underboard.engine.base.errors import Template
from underboard.engine.base.i18n import LANGUAGES, Words, find_words
from underboard.engine.gamekit.options import Options
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.registry import find_game
from underboard.engine.gamekit.session import Moment, Session
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.games.hack_trick.screen import row_text
from underboard.engine.journal.writer import FAILED
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.alert import ALERTS
from underboard.engine.referee.events import CardLaid, KeyPressed, Ordered
from underboard.engine.referee.find_alerts import find_alert
from underboard.engine.referee.screen import screen
from underboard.engine.referee.state import TableState, TokenLayout
from underboard.engine.referee.step import step
from underboard.hardware.panel.picture import problems

Changes = dict[str, Any]
"""Values of a state."""

GAME = find_game("hack_trick")
DEAL = {"out": "0,5", "red": "0,1,2,4", "yellow": "1,3,5"}
HIDDEN = {"cards": "hidden", "out": "0,5"}
SPACES = frozenset(f"{server}{letter}" for server in range(1, 10) for letter in "abc")
MARKS = {"small": " ", "medium": "m", "large": "L"}

ENEMIES = ("", "", "", "", "", "yY", "y", "r", "", "")
LONG: Changes = {"supply": ((9, 1), (9, 1)), "score": (2, 2), "row": (1, 4)}
RESULTS: dict[str, Changes] = {
    "line": {"servers": ("", "R", "", "", "", "", "r", "", "", "")},
    "stack": {"servers": ("", "", "", "", "", "", "", "", "rR", "")},
    "supply": {"supply": ((1, 0), (9, 1))},
}
"""What makes a 3 after a 5 the end of the game."""
LAST: Changes = {"mover": 0, "row": (5,), "hands": ((3, 3), (1,))}
REFUSED: Sequence[tuple[str, Changes]] = [
    ("jump 3", {}),
    ("spy", {"phase": "start"}),
    ("start 1", {}),
    ("hack", {}),
    ("draw 1", {"phase": "call"}),
    ("spy", {"spied": True}),
    ("spy", {}),
    ("infect 1", {}),
    ("draw 1", {"forced": True}),
    ("draw 1", {"hands": ((1, 2, 3, 4), (1, 2, 3, 4))}),
    ("draw 1", {"hidden": True}),
    ("draw", {}),
    ("draw 1", {"stock": (2,)}),
    ("hack", {"phase": "call", "firewalled": True}),
    ("infect 4", {}),
    ("infect 4", {"hidden": True, "hands": ((), ())}),
    ("infect 5", {"hidden": True, "out": (5, 5), "row": (5, 1)}),
    ("infect 3 giant", {"supply": ((9, 0), (9, 0))}),
    ("infect 3", {"supply": ((0, 1), (0, 1))}),
    ("next", {}),
    ("next", {"score": (3, 0)}),
    ("undo", {}),
]


@cache
def beginning(hidden: bool = False) -> Any:
    """The state that all others are variations of: red has laid a 1, yellow is to move."""
    session = Session.new(GAME, Options({**(HIDDEN if hidden else DEAL), "four": "red"}))
    return session.do("start 1")[0].state


def table(hidden: bool = False, **changes: Any) -> TableState:
    """A table with `changes` to the state, tokens where they should be."""
    state = beginning(hidden)._replace(**changes)
    spaces = frozenset(f"{server}{letter}" for server, tokens in enumerate(state.servers) for letter, _ in zip("abc", tokens, strict=False))
    session = Session(GAME, Moment(state))
    return TableState(new_setup("hack_trick", {}, 1, hands="open"), session, TokenLayout(spaces), sensed=spaces, settled=True)


def ordered(at: TableState, *actions: str) -> TableState:
    """The table after these actions."""
    for action in actions:
        at = step(at, Ordered(action), 0)[0]
    return at


def choices(at: TableState) -> Iterator[tuple[str, TableState]]:
    """Every choice under the cursor."""
    for cursor, choice in enumerate(at.choices):
        yield choice.name, replace(at, cursor=cursor)


def awaiting(at: TableState, *actions: str) -> Iterator[tuple[str, TableState]]:
    """The table waits for the token of one of these actions."""
    yield from ((f"awaiting {name}", shown) for name, shown in choices(replace(at, chosen=actions)))


def wrong(at: TableState, put: str = "", lift: str = "", **changes: Any) -> TableState:
    """The table after tokens were put and lifted where they must not be."""
    return replace(at, sensed=(at.sensed - set(lift.split())) | set(put.split()), wrong=True, **changes)


def menus() -> Iterator[tuple[str, TableState]]:
    """What the keys run through, in all phases."""
    yield from choices(table(phase="start", row=(), mover=0, hands=(tuple(range(6)), ()), servers=ENEMIES))
    yield from choices(table(hands=((), (0, 2, 3)), spy_zone=((9, 0), (8, 1)), **LONG | {"row": (1,)}))
    yield from choices(table(supply=((0, 1), (0, 1)), hands=((), (0, 2, 3, 4, 5))))
    yield from choices(table(phase="call", **LONG))
    yield from choices(table(phase="call", supply=((0, 1), (0, 1))))
    yield from choices(table(hidden=True))
    for name, standing in (("HACK", {"forced": True}), ("FIREWALL", {"firewalled": True})):
        yield f"{name} against yellow", table(**standing)
        yield f"{name} against red", table(mover=0, **standing)
    both: dict[str, Any] = {"calls": "both"}
    yield "HACK and FIREWALL against yellow", table(forced=True, firewalled=True, **both)
    yield from choices(table(phase="call", called="hack", **both | LONG))
    yield from choices(table(phase="call", called="firewall", **both | LONG))
    yield "score 12:11", table(mover=0, score=(12, 11), target=100, row=(5,))
    yield "supply 0G", table(supply=((0, 1), (0, 1)))
    yield "supply 0", table(supply=((1, 0), (0, 0)), mover=0)
    before = TokenLayout(table().layout.spaces | {"4a"}, TokenLayout(frozenset()))
    restored = replace(table(phase="call"), layout=before, sensed=frozenset())
    yield from (named for named in choices(restored) if named[0] == "undo")


def tokens() -> Iterator[tuple[str, TableState]]:
    """A token is awaited, or asked for."""
    yield from awaiting(table(), "infect 3", "infect 3 giant")
    enemies = table(mover=0, servers=ENEMIES, hands=((4, 5), ()))
    yield from awaiting(enemies, "infect 4", "infect 4 giant")
    yield from awaiting(enemies, "infect 5", "infect 5 giant")
    yield from awaiting(table(supply=((0, 1), (0, 1))), "infect 3 giant")
    yield from awaiting(table(supply=((9, 0), (9, 0))), "infect 3")
    yield from ((f"asked {name}", shown) for name, shown in choices(replace(table(), sensed=frozenset({"4a"}))))
    yield from (
        (f"asked {name}", shown)
        for name, shown in choices(replace(enemies, sensed=frozenset({"5c", "6a", "7a"}), vacated=frozenset({"5a", "5b"}), restarted=True))
    )
    yield "begun, nothing chosen", replace(enemies, sensed=enemies.sensed | {"5c"})
    yield "knock-out taken back", replace(table(mover=0, servers=ENEMIES), leftover=frozenset({"6a"}))


def news() -> Iterator[tuple[str, TableState]]:
    """What is announced."""
    yield "sums", ordered(table(phase="start", row=(), mover=0, hands=((5, 5, 5, 4), (5, 5, 4))), "start 4")
    yield "red has to say the sum", table(hidden=True, spied=True)
    yield "yellow has to say the sum", table(hidden=True, spied=True, mover=0)
    yield "sum of red", ordered(table(hands=((5, 5, 4), (3,)), spy_zone=((0, 0), (1, 0))), "spy")
    yield "sum of yellow", ordered(table(mover=0, hands=((3,), (5, 5, 4)), spy_zone=((1, 0), (0, 0))), "spy")
    yield "hand", ordered(table(forced=True, hands=((), (1, 1, 1)), stock=(2, 3)), "draw 2")
    yield "empty hand", ordered(table(forced=True, hands=((), ()), stock=(2, 3)), "draw 2")
    yield "knocked out", ordered(table(mover=0, servers=ENEMIES, hands=((4,), (1,))), "infect 4")
    yield "reshuffle", ordered(table(row=(1, 4, 1, 4), stock=(2,)), "draw 2")


def results() -> Iterator[tuple[str, TableState]]:
    """After the game."""
    for reason, changes in RESULTS.items():
        for score in ((0, 0), (2, 2)):
            over = ordered(table(score=score, **LAST | changes), "infect 3")
            yield from ((f"{reason} {score[0]}:{score[1]} {name}", shown) for name, shown in choices(over))
    over = ordered(table(hidden=True, **LAST | RESULTS["line"] | {"hands": ((-1,), (-1,))}), "infect 3")
    for answers in ((), ("out 5",), ("out 5", "out 5")):
        yield from ((f"hidden {len(answers)} {name}", shown) for name, shown in choices(replace(over, answers=answers)))
    yellow: Changes = {"mover": 1, "hands": ((), (3,)), "servers": ("", "", "", "", "", "", "", "", "Yy", "")}
    yield "yellow wins a long match", ordered(table(score=(11, 11), target=12, **LAST | yellow), "infect 3")


def alerts() -> Iterator[tuple[str, TableState]]:
    """What can be wrong, with one cell and with many."""
    full = table(servers=("", "ry", "", "", "yy", "yY", "y", "r", "", "r"))
    bare = table(phase="call")
    before = TokenLayout(bare.layout.spaces | {"4a"}, bare.layout)
    many = "2a 2b 3a 3b 8a 8b"
    yield "missing", wrong(full, lift="4a")
    yield "missing many", wrong(full, lift="4a 4b 5a 5b 6a 7a")
    yield "extra", wrong(full, put="2a", rearranging=True)
    yield "extra many", wrong(full, put=f"{many} @r10c10", restarted=True)
    yield "wrong place", wrong(full, put="9b")
    yield "wrong place for one", wrong(table(hands=((), (2,))), put="9b")
    yield "wrong places", wrong(full, put=many)
    yield "wrong place for a gone one", wrong(full, put="9b", lift="7a")
    yield "no place", wrong(bare, put="9b")
    yield "no places", wrong(bare, put=f"{many} 9a 9b")
    restored = wrong(replace(bare, layout=before))
    yield "restored", replace(restored, cursor=len(restored.choices) - 1)
    yield "ambiguous", replace(full, ambiguous=frozenset({"4a", "4b"}))
    yield "ambiguous many", replace(full, ambiguous=frozenset(many.split()))


def cards() -> Iterator[tuple[str, TableState]]:
    """Cards on the reader."""
    dealt = with_reader(table())
    draw = replace(dealt, drawing=next(choice for choice in dealt.choices if choice.dealt))
    yield "drawing", draw
    yield from ((f"by key: {name}", shown) for name, shown in choices(replace(draw, devices={"reader": "absent"})))
    yield "reader absent", replace(dealt, devices={"reader": "absent"})
    yield "unknown card", laid(dealt, (None, "043318EA703280123456"))
    yield "card not in the stock", laid(with_reader(table(stock=(1, 2))), ("3", "0400000001"))
    yield "no card now", laid(with_reader(table(phase="call")), ("3", "0400000001"))
    deal = open_table(replace(new_setup("hack_trick", {}, 1, hands="open"), dealer="reader"))[0]
    for count in range(9):
        yield f"deal {count}", laid(deal, *(("0", f"040000000{number}") for number in range(count)))
    yield "dealt already", laid(deal, ("0", "0400000001"), ("0", "0400000001"))
    yield "refused in a deal", ordered(deal, "start 1")


def with_reader(at: TableState) -> TableState:
    """The same table with a deck on it and a card reader."""
    return replace(at, setup=replace(at.setup, dealer="reader"))


def laid(at: TableState, *cards: tuple[str | None, str]) -> TableState:
    """The table after these cards, each with its tag, were laid on the reader."""
    for card, tag in cards:
        at, _ = step(at, CardLaid(card, tag), 0)
    return at


def passing(at: TableState) -> Iterator[tuple[str, TableState]]:
    """The same table with a fault one can play on with."""
    yield "faulty", replace(at, faulty=frozenset({"9b"}))
    yield "all faulty", replace(at, faulty=SPACES)
    yield "not saved", replace(at, unsaved=FAILED)
    yield "board absent", replace(at, devices={**at.devices, "board": "absent", "oled": "ready"})
    yield "display absent", replace(at, devices={**at.devices, "board": "ready", "oled": "absent"})


def refusals() -> Iterator[tuple[str, TableState]]:
    """Everything that the game can refuse."""
    for action, changes in REFUSED:
        yield f"refused {action}", ordered(table(**changes), action)
    over = ordered(table(**LAST | RESULTS["line"]), "infect 3")
    yield "refused after the game", ordered(over, "infect 3")
    one_way = table(phase="call")
    yield (
        "refused long OK",
        step(replace(one_way, cursor=len(one_way.choices) - 1), KeyPressed("ok", held=True), one_way.keys_rest_until)[0],
    )


@cache
def screens() -> Sequence[tuple[str, TableState]]:
    """All tables to look at, with a name for each."""
    first = ordered(table(), "infect 3")
    passed = [(f"{name} on it", shown) for name, shown in passing(first)]
    return [*menus(), *tokens(), *news(), *results(), *alerts(), *refusals(), *cards(), *passed]


class Listed(Words):
    """English words that remember what they were asked for."""

    def __init__(self) -> None:
        super().__init__(gettext.NullTranslations(), "en")
        self.asked: set[str | tuple[str, ...]] = set()

    def __call__(self, text: Template, **values: object) -> str:
        self.asked.add(text)
        return super().__call__(text, **values)


def written(name: str, lines: Sequence[Line]) -> str:
    """A screen as text."""
    return "\n".join([f"[{name}]", *(f"{'#' if line.inverted else MARKS[line.size]}|{line.text}" for line in lines), ""])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_can_be_drawn(language: str) -> None:
    words = find_words(language)
    wrong = {name: found for name, at in screens() if (found := problems(screen(at, words)))}
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_can_be_drawn_with_a_fault_in_passing(language: str) -> None:
    words = find_words(language)
    shown = [(f"{fault} on {name}", other) for name, at in screens() for fault, other in passing(at)]
    wrong = {name: found for name, at in shown if (found := problems(screen(at, words)))}
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_choices_of_the_game_have_arrows(language: str) -> None:
    words = find_words(language)
    large = [line.text for _, at in [*menus(), *tokens()] for line in screen(at, words) if line.size == "large"]
    assert [text for text in large if "=" not in text and (text[:1], text[-1:]) != ("‹", "›")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_that_matters_is_cut(language: str) -> None:
    words = find_words(language)
    cut = {name for name, at in screens() for line in screen(at, words) if "…" in line.text and (at.notice or not find_alert(at))}
    assert cut == {"refused jump 3"}


def test_every_text_shown_has_been_found_for_the_translators() -> None:
    words = Listed()
    for _, at in screens():
        screen(at, words)
        if find_alert(at):
            the_alert(at).text(words)
    with resources.files("underboard.engine").joinpath("locale/hu/LC_MESSAGES/underboard.po").open("rb") as catalogue:
        assert words.asked <= {message.id if isinstance(message.id, str) else tuple(message.id) for message in read_po(catalogue)}


def test_every_alert_is_looked_at() -> None:
    shown = {the_alert(at).code for _, at in screens() if find_alert(at)}
    assert shown == set(ALERTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_are_the_golden_ones(language: str, request: pytest.FixtureRequest) -> None:
    golden = Path(__file__).parents[1] / "golden" / f"screens-{language}.txt"
    words = find_words(language)
    text = "\n".join(dict.fromkeys(written(name, screen(at, words)) for name, at in screens()))
    if request.config.getoption("--update-golden"):
        golden.write_text(text, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("row", "text"),
    [((4,), "row 4"), ((1, 4, 2), "row 1 4 2"), ((0, 0, 5, *range(5), *range(4)), "row 0 1 2 3 4 0 1 2 3")],
)
def test_the_row_is_shown_to_its_last_card(row: tuple[int, ...], text: str) -> None:
    assert row_text(table(row=row).state, find_words("en")) == text


def test_what_a_choice_depends_on_is_shown_with_it() -> None:
    at = table(spy_zone=((0, 0), (1, 1)), hands=((1,), (3, 4)), supply=((7, 0), (6, 1)))
    lines = {choice.name: screen(replace(at, cursor=number), find_words("en"))[2].text for number, choice in enumerate(at.choices)}
    assert lines == {"infect 3": "row 1", "infect 4": "row 1", "draw": "row 1", "spy": "zone RED 0, YELLOW 2"}
    assert screen(table(phase="call", mover=1, supply=((7, 0), (6, 1))), find_words("en"))[2].text == "supply 6 + giant"
    assert screen(table(phase="call", mover=0, supply=((7, 0), (6, 1))), find_words("en"))[2].text == "supply 7"
