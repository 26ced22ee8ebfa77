"""Commands of the page: what is read, and what is refused with which reason."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.web.commands import (
    LONGEST_NAME,
    MOST_OPTIONS,
    BadCommand,
    Break,
    Choose,
    GoOn,
    Key,
    Lay,
    Leave,
    Lift,
    MoveToken,
    Open,
    Order,
    PageCommand,
    PageCommandReader,
    Place,
    Power,
    Repair,
    SentCommand,
    Speak,
    Stale,
    needs_no_question,
    read_sent,
)


def read_fault(text: str) -> str:
    if text != "cell 7a ok":
        raise ValueError(f"'{text}' is no fault")
    return text.upper()


READER = PageCommandReader()
READER.expect(spaces={"7a", "7b"}, tokens={"red", "red giant"}, cards={"3"}, read_fault=read_fault)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('{"do":"place","space":"7a","token":"red giant"}', Place("7a", "red giant")),
        ('{"do":"lift","space":"7b"}', Lift("7b")),
        ('{"do":"move","space":"7a","to":"7b"}', MoveToken("7a", "7b")),
        ('{"do":"key","key":"ok","down":true}', Key("ok", True)),
        ('{"do":"choose","name":"infect 3"}', Choose("infect 3")),
        ('{"do":"lay","card":"3"}', Lay("3")),
        ('{"do":"lay","card":""}', Lay("")),
        ('{"do":"open","game":"spy","options":{"players":"3"}}', Open("spy", {"players": "3"})),
        ('{"do":"go_on","name":"play-spy.sqlite3"}', GoOn("play-spy.sqlite3")),
        ('{"do":"speak","language":"hu"}', Speak("hu")),
        ('{"do":"leave"}', Leave()),
        ('{"do":"fault","fault":"cell 7a ok"}', Break("CELL 7A OK")),
        ('{"do":"repair"}', Repair()),
        ('{"do":"power","on":false}', Power(False)),
    ],
)
def test_commands_are_read(text: str, command: PageCommand) -> None:
    assert READER.read(json.loads(text)) == command


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"{}", "'do' has to be one of place, lift"),
        (b'{"do":["lift"]}', "'do' has to be"),
        (b'{"do":"fly"}', "'do' has to be"),
        (b'{"do":"lift"}', "'lift' takes space"),
        (b'{"do":"lift","space":"7a","token":"red"}', "'lift' takes space"),
        (b'{"do":"lift","space":7}', "'space' is a text"),
        (b'{"do":"lift","space":"9z"}', "no space '9z'"),
        (b'{"do":"move","space":"7a","to":"9z"}', "no space '9z'"),
        (b'{"do":"place","space":"7a","token":"blue"}', "no token 'blue'"),
        (b'{"do":"key","key":"up","down":true}', "no key 'up'"),
        (b'{"do":"key","key":"ok","down":1}', "true or false"),
        (b'{"do":"lay","card":"9"}', "no card '9'"),
        (b'{"do":"fault","fault":"coffee"}', "'coffee' is no fault"),
        (b'{"do":"fault","fault":1}', "'fault' is a text"),
        (b'{"do":"repair","all":true}', "'repair' takes nothing"),
        (b'{"do":"power","on":"yes"}', "'on' is true or false"),
        (b'{"do":"leave","now":true}', "'leave' takes nothing"),
        (b'{"do":"open","game":"spy","options":[]}', "'options' is an object"),
        (b'{"do":"open","game":"spy","options":{"players":3}}', "every key and value is a text"),
    ],
)
def test_what_is_no_command_is_refused_with_a_reason(text: bytes, why: str) -> None:
    with pytest.raises(BadCommand, match=re.escape(why)):
        READER.read(json.loads(text))


SENT = {"run": "r", "question": 3, "page": "p", "number": 1, "command": {"do": "leave"}}


def test_what_a_page_sends_is_read() -> None:
    assert read_sent(json.dumps(SENT).encode()) == SentCommand("r", 3, "p", 1, {"do": "leave"})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "no JSON"),
        (b"\xff", "no JSON"),
        (b"[" * 1_900, "no JSON"),
        (b"[]", "JSON object"),
        (b'{"do":"leave"}', "what is sent has a 'run'"),
        *(
            (json.dumps({**SENT, key: value}).encode(), f"'{key}' is")
            for key, value in [
                ("run", 1),
                ("page", "p" * 201),
                ("question", "3"),
                ("question", True),
                ("question", 3.0),
                ("number", -1),
                ("number", 2**53 + 1),
                ("command", []),
            ]
        ),
    ],
)
def test_what_no_page_sends_is_refused_with_a_reason(text: bytes, why: str) -> None:
    with pytest.raises(BadCommand, match=re.escape(why)):
        read_sent(text)


@given(text=st.binary(max_size=60) | st.builds(lambda value: json.dumps(value).encode(), st.recursive(st.none() | st.integers(), st.lists)))
def test_nothing_from_outside_breaks_the_reader(text: bytes) -> None:
    with pytest.raises(BadCommand):
        read_sent(text)


def is_asked(value: bool) -> Order:
    return Order(Choose("infect 3"), lambda: value)


def test_an_order_is_taken_while_it_is_asked_for() -> None:
    order = is_asked(True)
    assert order.take()
    order.outcome.result(0)


def test_an_order_that_comes_too_late_is_not_taken_and_says_so() -> None:
    order = is_asked(False)
    assert not order.take()
    with pytest.raises(Stale):
        order.outcome.result(0)


def test_an_order_that_was_given_up_is_not_taken() -> None:
    order = is_asked(True)
    assert order.outcome.cancel()
    assert not order.take()


@pytest.mark.parametrize(
    ("command", "always"),
    [(Key("ok", False), True), (Key("ok", True), False), (Power(False), True), (Repair(), True), (Break("x"), True), (Leave(), False)],
)
def test_a_key_is_let_go_and_a_box_breaks_whatever_is_asked(command: PageCommand, always: bool) -> None:
    assert needs_no_question(command) is always
    assert Order(command, lambda: False).take() is always


def test_nothing_is_longer_than_it_can_be() -> None:
    many = {f"o{number}": "1" for number in range(MOST_OPTIONS + 1)}
    for options in (many, {"o": "1" * (LONGEST_NAME + 1)}, {"o" * (LONGEST_NAME + 1): "1"}):
        with pytest.raises(BadCommand, match="at most"):
            READER.read({"do": "open", "game": "spy", "options": options})
    with pytest.raises(BadCommand, match="at most"):
        READER.read({"do": "choose", "name": "x" * (LONGEST_NAME + 1)})


def test_what_can_be_named_changes_with_the_table() -> None:
    reader = PageCommandReader()
    with pytest.raises(BadCommand):
        reader.read({"do": "lift", "space": "7a"})
    reader.expect(spaces={"7a"})
    assert reader.read({"do": "lift", "space": "7a"}) == Lift("7a")
