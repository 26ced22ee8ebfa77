"""What arrives twice is done once, also while it is still being done."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response

from tests.web.virtual_loop import run
from underboard.web.commands import Stale
from underboard.web.repeats import CommandsDone

PAGE = ("seat 1", "page")


class Table:
    """Takes a second for each command."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.commands = CommandsDone()

    async def send(self, number: int, page: tuple[str, str] = PAGE) -> Response:
        async def do() -> Response:
            await asyncio.sleep(1)
            self.done.append(number)
            return Response(str(number))

        return await self.commands.once(page, number, do)


def test_two_that_arrive_together_are_one() -> None:
    async def scenario() -> None:
        table = Table()
        first, second = await asyncio.gather(table.send(1), table.send(1))
        assert first is second
        assert table.done == [1]

    run(scenario())


def test_who_stops_waiting_does_not_stop_what_the_other_waits_for() -> None:
    async def scenario() -> None:
        table = Table()
        impatient, patient = asyncio.create_task(table.send(1)), asyncio.create_task(table.send(1))
        await asyncio.sleep(0.5)
        impatient.cancel()
        assert (await patient).body == b"1"

    run(scenario())


@given(arrivals=st.lists(st.integers(0, 5), max_size=20))
def test_nothing_is_done_twice_or_after_what_followed_it(arrivals: list[int]) -> None:
    async def scenario() -> None:
        table = Table()
        for number in arrivals:
            last = max(table.done, default=-1)
            if number < last:
                with pytest.raises(Stale):
                    await table.send(number)
            else:
                assert (await table.send(number)).body == str(number).encode()
        assert table.done == sorted(set(table.done))

    run(scenario())


def test_pages_of_different_audiences_do_not_meet() -> None:
    async def scenario() -> None:
        table = Table()
        await table.send(1)
        await table.send(1, ("seat 2", "page"))
        assert table.done == [1, 1]

    run(scenario())
