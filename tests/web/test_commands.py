"""Commands of the page: what is read, and what is refused with which reason."""

from __future__ import annotations

import json
import re

import pytest

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
    PageCommand,
    PageCommandReader,
    Place,
    Power,
    Repair,
    Speak,
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
    assert READER.read(text.encode()) == command


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "no JSON"),
        (b"\xff", "no JSON"),
        (b"[" * 1_900, "no JSON"),
        (b"[]", "JSON object"),
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
        READER.read(text)


def test_nothing_is_longer_than_it_can_be() -> None:
    many = {f"o{number}": "1" for number in range(MOST_OPTIONS + 1)}
    for options in (many, {"o": "1" * (LONGEST_NAME + 1)}, {"o" * (LONGEST_NAME + 1): "1"}):
        with pytest.raises(BadCommand, match="at most"):
            READER.read(json.dumps({"do": "open", "game": "spy", "options": options}).encode())
    with pytest.raises(BadCommand, match="at most"):
        READER.read(json.dumps({"do": "choose", "name": "x" * (LONGEST_NAME + 1)}).encode())


def test_what_can_be_named_changes_with_the_table() -> None:
    reader = PageCommandReader()
    with pytest.raises(BadCommand):
        reader.read(b'{"do":"lift","space":"7a"}')
    reader.expect(spaces={"7a"})
    assert reader.read(b'{"do":"lift","space":"7a"}') == Lift("7a")
