"""What listeners are told, in virtual time: everything, then what changes, heartbeats, and the numbers of states and questions."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.web.virtual_loop import run
from underboard.web.event_stream import HEARTBEAT_S, PACE_S, EventStream, Listener

Record = Mapping[str, Any]


def own_part(audience: str, record: Record) -> Mapping[str, Any]:
    """What is for everybody, and what is for one."""
    return {**record["all"], **record.get(audience, {})}


def to_move(seen: Mapping[str, Any]) -> object:
    return seen.get("to_move")


def stream() -> EventStream[Record]:
    return EventStream(own_part, {"all": {"screen": 0}}, to_move)


async def after(messages: AsyncGenerator[str, None], listener: Listener[Record]) -> tuple[float, dict[str, Any]]:
    """When the next message comes, and what it says; it is answered."""
    text = await anext(messages)
    message = json.loads(text)
    listener.answered(message["state"])
    return round(asyncio.get_running_loop().time(), 3), message


def test_a_listener_gets_everything_and_then_what_changes() -> None:
    async def listen() -> None:
        events = stream()
        listener = Listener(events, "red")
        messages = listener.messages()
        assert await after(messages, listener) == (0, {"run": events.run, "state": 1, "question": 1, "news": {"screen": 0}})
        events.publish({"all": {"screen": 1, "log": []}, "red": {"hand": 5}})
        assert (await after(messages, listener))[1] == {"state": 2, "question": 1, "news": {"screen": 1, "log": [], "hand": 5}}
        events.publish({"all": {"screen": 1, "log": []}})
        assert (await after(messages, listener))[1] == {"state": 3, "question": 1, "news": {}, "gone": ["hand"]}
        events.close()
        assert [message async for message in messages] == []

    run(listen())


def test_when_nothing_is_said_there_are_heartbeats() -> None:
    async def listen() -> None:
        events = stream()
        listener = Listener(events, "watch")
        messages = listener.messages()
        await after(messages, listener)
        assert await after(messages, listener) == (HEARTBEAT_S, {"state": 1})
        await asyncio.sleep(1)
        events.publish({"all": {"screen": 1}})
        assert (await after(messages, listener))[0] == HEARTBEAT_S + 1
        assert await after(messages, listener) == (2 * HEARTBEAT_S + 1, {"state": 2})
        await messages.aclose()

    run(listen())


def test_heartbeats_do_not_wait_for_answers_but_news_do() -> None:
    async def listen() -> None:
        events = stream()
        listener = Listener(events, "watch")
        messages = listener.messages()
        await anext(messages)
        for number in range(1, 50):
            events.publish({"all": {"screen": number}})
        assert json.loads(await anext(messages)) == {"state": 1}
        assert json.loads(await anext(messages)) == {"state": 1}
        listener.answered(1)
        assert json.loads(await anext(messages))["news"] == {"screen": 49}
        await messages.aclose()

    run(listen())


def test_news_have_a_pace() -> None:
    async def listen() -> list[float]:
        events = stream()
        listener = Listener(events, "watch")
        messages = listener.messages()
        times = [(await after(messages, listener))[0]]
        for number in range(1, 4):
            events.publish({"all": {"screen": number}})
            times.append((await after(messages, listener))[0])
        await messages.aclose()
        return times

    assert run(listen()) == [round(number * PACE_S, 3) for number in range(4)]


def test_a_question_is_counted_for_each_audience_from_what_it_sees() -> None:
    events = stream()
    assert [events.sight(name).question for name in ("red", "watch")] == [1, 1]
    events.publish({"all": {"screen": 1}})
    assert events.sight("red").question == 1
    events.publish({"all": {"screen": 1}, "red": {"to_move": "red"}})
    assert [events.sight(name).question for name in ("red", "watch")] == [2, 1]
    assert events.is_asked("red", events.run, 2)
    assert not events.is_asked("red", events.run, 1)
    assert not events.is_asked("red", stream().run, 2)


def test_a_question_that_comes_again_is_another_one() -> None:
    """Nobody has to look in between: a command may be on its way all round the table."""
    events = stream()
    first = events.sight("red").question
    for who in ("yellow", None):
        events.publish({"all": {"screen": 0, "to_move": who}})
    assert events.sight("red").question == first + 2


RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "all": st.dictionaries(st.sampled_from("abc"), st.integers(0, 2)),
            "red": st.dictionaries(st.sampled_from("abc"), st.integers(0, 2)),
        }
    ),
    max_size=12,
)


@given(records=RECORDS, taken=st.lists(st.booleans(), min_size=12, max_size=12))
def test_whoever_puts_the_news_together_sees_what_there_is(records: list[Record], taken: list[bool]) -> None:
    async def listen() -> None:
        events: EventStream[Record] = EventStream(own_part, {"all": {}}, to_move)
        listener = Listener(events, "red")
        messages = listener.messages()
        seen: dict[str, Any] = {}
        states = []
        for record, looks in zip([{"all": {}}, *records], [True, *taken], strict=False):
            events.publish(record)
            if looks:
                _, message = await after(messages, listener)
                seen.update(message.get("news", {}))
                for key in message.get("gone", []):
                    del seen[key]
                states.append(message["state"])
                assert seen == own_part("red", record)
        assert states == sorted(states)
        await messages.aclose()

    run(listen())


@given(hands=st.lists(st.integers(0, 3), max_size=8), others=st.lists(st.integers(0, 3), max_size=8))
def test_the_numbers_tell_an_audience_nothing_of_another(hands: list[int], others: list[int]) -> None:
    def numbers(cards: list[int]) -> tuple[int, int]:
        events = stream()
        events.sight("watch")
        for card in cards:
            events.publish({"all": {"screen": 0}, "red": {"hand": card, "to_move": card}})
        sight = events.sight("watch")
        return sight.state, sight.question

    assert numbers(hands) == numbers(others)


def test_a_crowd_shares_what_is_put_together_once() -> None:
    events = stream()
    before = events.sight("watch")
    events.publish({"all": {"screen": 1}})
    now = events.sight("watch")
    assert events.message("watch", before, now) is events.message("watch", before, now)


def test_other_threads_publish() -> None:
    events = stream()

    def publish_many() -> None:
        for number in range(1_000):
            events.publish({"all": {"screen": number}})

    async def listen() -> int:
        listener = Listener(events, "watch")
        seen = 0
        thread = threading.Thread(target=publish_many)
        thread.start()
        async for text in listener.messages():
            message = json.loads(text)
            listener.answered(message["state"])
            seen = message.get("news", {}).get("screen", seen)
            if seen == 999:
                break
        thread.join(10)
        return seen

    assert asyncio.run(listen()) == 999
    events.publish({"all": {}})  # nobody listens any more
