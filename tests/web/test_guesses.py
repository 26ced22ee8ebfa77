"""Wrong keys in virtual time: how many are tried, what happens at the limit, and whom it does not concern."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from underboard.web.access import KEY_CHARACTERS, MOST_SEATS, SEATS, AccessRules
from underboard.web.guesses import MOST_REMEMBERED, OF_ALL, OF_ALL_PER_S, OF_ONE, OF_ONE_PER_S, GuessLimit, KeyGuard

YEAR_S = 365.25 * 24 * 3600


class Clock:
    """A clock that stands until somebody moves it."""

    def __init__(self) -> None:
        self.s = 1000.0

    def __call__(self) -> float:
        return self.s


class Door:
    """A guard in front of a page that lets in whoever gets that far."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.rules = AccessRules(8020, "192.168.1.5", b"secret")
        self.guard = KeyGuard(self.page, self.rules, GuessLimit(self.clock))

    async def page(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def knock(self, key: str, address: str = "10.0.0.9", kind: str = "http") -> int:
        """The status of the answer; 200 is the page behind, which would look at the key itself."""
        return self.answer(key, address, kind)[0]

    def answer(self, key: str, address: str = "10.0.0.9", kind: str = "http") -> tuple[int, str]:
        """Status of the answer, and after how many seconds one may try again."""
        sent: list[MutableMapping[str, Any]] = []

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        async def receive() -> MutableMapping[str, Any]:
            raise AssertionError("nothing is read")

        scope = {"type": kind, "path": f"/{key}", "client": (address, 1), "headers": [], "server": ("10.0.0.1", 80), "query_string": b""}
        asyncio.run(self.guard(scope, receive, send))
        return sent[0]["status"], dict(sent[0]["headers"]).get(b"retry-after", b"").decode()

    def key(self, number: int) -> str:
        """The key of a seat and what follows it."""
        return self.rules.link(SEATS[number]).url.split("/")[3] + "/"

    def guess(self, address: str = "10.0.0.9") -> int:
        """Tries wrong keys until that is not answered any more; how many were."""
        count = 0
        while self.knock(f"wrong{count}/", address) == 200:
            count += 1
            assert count < 1_000
        return count


def test_an_address_that_guesses_has_to_wait() -> None:
    door = Door()
    assert door.guess() == OF_ONE
    assert door.answer("wrong/") == (429, "3")
    door.clock.s += 2.5
    assert door.answer("wrong/") == (429, "1")
    door.clock.s += 0.6
    assert door.guess() == 1
    door.clock.s += 3600
    assert door.guess() == OF_ONE


def test_at_the_limit_a_right_key_looks_like_a_wrong_one() -> None:
    door = Door()
    door.guess()
    assert door.knock(door.key(0)) == door.knock("wrong/") == 429
    assert door.knock(door.key(0), kind="websocket") == 429


def test_who_plays_already_goes_on_even_behind_the_same_router() -> None:
    door = Door()
    assert door.knock(door.key(0)) == door.knock(door.key(1), "10.0.0.8") == 200
    for number in range(OF_ALL):
        door.guess(f"10.0.1.{number}")
    door.guess()
    assert door.knock(door.key(0)) == door.knock(door.key(1), "10.0.0.8") == 200
    assert door.knock(door.key(1)) == 429  # never used from there
    assert door.knock(door.key(2), "10.0.0.7") == 429
    assert door.knock("watch/", "10.0.0.7") == door.knock("", "10.0.0.7") == door.knock("health", "10.0.0.7") == 200
    door.clock.s += 60
    assert door.knock(door.key(2), "10.0.0.7") == 200


def test_many_addresses_together_guess_no_more_than_all_may() -> None:
    door = Door()
    assert sum(door.guess(f"fd00::{number:x}") for number in range(100)) == OF_ALL
    door.clock.s += 30
    assert sum(door.guess(f"fd00::{number:x}") for number in range(100)) == 30 * OF_ALL_PER_S


@given(steps=st.lists(st.tuples(st.integers(0, 3), st.floats(0, 20)), max_size=60))
def test_nobody_ever_tries_more_than_the_buckets_hold(steps: list[tuple[int, float]]) -> None:
    clock = Clock()
    limit, start = GuessLimit(clock), clock.s
    tried = [0] * 4
    for who, pause in steps:
        clock.s += pause
        while not limit.wait_s(str(who), "wrong"):
            limit.was_wrong(str(who))
            tried[who] += 1
    elapsed = clock.s - start
    assert all(count <= OF_ONE + elapsed * OF_ONE_PER_S + 0.001 for count in tried)
    assert sum(tried) <= OF_ALL + elapsed * OF_ALL_PER_S + 0.001


def test_what_is_remembered_does_not_grow() -> None:
    limit = GuessLimit(Clock())
    for number in range(MOST_REMEMBERED + 5):
        limit.was_right(str(number), "key")
        limit.wait_s(f"other {number}", "key")
    assert max(len(limit._right), len(limit._buckets)) == MOST_REMEMBERED


def test_the_arithmetic_of_the_docs() -> None:
    """A year of guessing as fast as all may together, against the keys of the table and of all seats."""
    guesses = OF_ALL + OF_ALL_PER_S * YEAR_S
    assert guesses * (1 + MOST_SEATS) / 32**KEY_CHARACTERS == pytest.approx(2.5e-10, rel=0.02)


def test_without_keys_there_is_nothing_to_guess() -> None:
    door = Door()
    door.guard = KeyGuard(door.page, AccessRules(8020), GuessLimit(door.clock))
    assert {door.knock("wrong/") for _ in range(OF_ONE + 1)} == {200}
