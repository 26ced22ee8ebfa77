"""The page's server: what it reads, what it streams, whom it turns away."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from importlib import resources
from typing import Any

import pytest
import websocket

from tests.web.browserless import Follower
from underboard.web.access import SEATS, SPECTATORS, TABLE, Access, AccessRules
from underboard.web.commands import Key, Leave, Lift, Order, PageCommand, PageCommandReader, Refused
from underboard.web.event_stream import EventStream, Snapshot
from underboard.web.guesses import OF_ONE
from underboard.web.server import LONGEST_COMMAND, TAKEN_AGAIN_S, PageSite, WebServer, build_app, listen


def reader() -> PageCommandReader:
    reader = PageCommandReader()
    reader.expect(spaces={"7a", "7b"}, tokens={"red", "red giant"})
    return reader


class Client:
    """Asks a running server."""

    def __init__(self, port: int, done: list[PageCommand], access_rules: AccessRules, events: EventStream[Snapshot]) -> None:
        self.port = port
        self.access_rules = access_rules
        self.done = done
        self.events = events
        self.number = 0

    def ask(self, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None) -> tuple[int, str, Message]:
        """Status, text and headers of the answer; POST if there is a body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET" if body is None else "POST", path, body, dict(headers or {}))
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        finally:
            connection.close()

    def key(self, access: Access) -> str:
        """The first part of the address of an access."""
        return self.access_rules.link(access).url.split("/")[3]

    def do(self, command: object, key: str = "", audience: str = "table", headers: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Sends a command as a page does, as an answer to what is asked now."""
        path = f"/{key}/do" if key else "/do"
        return self.ask(path, headers, self.order(command, audience))[:2]

    def order(self, command: object, audience: str = "table", **changes: object) -> bytes:
        """What a page sends for a command; `changes` are made to it."""
        self.number += 1
        question = self.events.sight(audience).question
        sent = {"run": self.events.run, "question": question, "page": "page", "number": self.number, "command": command}
        return json.dumps({**sent, **changes}).encode()


@pytest.fixture
def feed() -> EventStream[Snapshot]:
    return EventStream(lambda _, snapshot: snapshot, {}, lambda seen: seen.get("to_move"))


def ask(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the start page asks, answered with itself."""
    if question == {}:
        raise Refused("no question", "game")
    return {"asked": dict(question)}


@pytest.fixture
def client(feed: EventStream[Snapshot]) -> Iterator[Client]:
    yield from served(feed, lambda port: AccessRules(port))


@pytest.fixture
def locked(feed: EventStream[Snapshot]) -> Iterator[Client]:
    """A server with keys; it listens on loopback only, as a test should, but does as if there were others."""
    yield from served(feed, lambda port: AccessRules(port, "0.0.0.0", b"secret"))


def served(feed: EventStream[Snapshot], doors_at: Callable[[int], AccessRules]) -> Iterator[Client]:
    done: list[PageCommand] = []

    def do(order: Order) -> None:
        if order.take():
            done.append(order.command)

    yield from served_by(do, done, feed, doors_at)


def served_by(
    do: Callable[[Order], None], done: list[PageCommand], feed: EventStream[Snapshot], doors_at: Callable[[int], AccessRules]
) -> Iterator[Client]:
    failures: list[BaseException] = []
    with listen(0) as listener:
        port = listener.getsockname()[1]
        access_rules = doors_at(port)
        server = WebServer(build_app(PageSite(feed, reader(), do, access_rules, ask), access_rules), listener, failures.append)
        server.start()
        yield Client(port, done, access_rules, feed)
        feed.close()
        server.close()
    assert not failures


def test_a_command_is_handed_on(client: Client) -> None:
    assert client.do({"do": "lift", "space": "7a"}) == (204, "")
    assert client.done == [Lift("7a")]


def test_a_bad_command_is_answered_with_a_sentence(client: Client) -> None:
    assert client.do({"do": "lift", "space": "9z"}) == (400, '{"text":"there is no space \'9z\'","field":"","label":""}')
    assert client.ask("/do", body=b" " * (LONGEST_COMMAND + 1))[0] == 400
    assert client.ask("/do")[0] == 405
    assert not client.done


LIFT = {"do": "lift", "space": "7a"}


def test_a_command_for_a_question_that_has_gone_is_refused_and_not_done(client: Client) -> None:
    late, release = client.order(LIFT), client.order({"do": "key", "key": "ok", "down": False})
    client.events.publish({"to_move": "yellow"})
    status, text, _ = client.ask("/do", body=late)
    assert (status, json.loads(text)) == (409, {"text": "The table has gone on since: nothing was done.", "field": "", "label": "stale"})
    assert not client.done
    assert client.ask("/do", body=release)[0] == 204
    assert client.done == [Key("ok", False)]


def test_what_changes_beside_the_question_makes_no_command_late(client: Client) -> None:
    order = client.order(LIFT)
    client.events.publish({"display": "other pixels"})
    assert client.ask("/do", body=order)[0] == 204


def test_a_command_of_another_run_is_late(client: Client) -> None:
    assert client.ask("/do", body=client.order(LIFT, run="before the restart"))[0] == 409
    assert not client.done


def test_what_names_a_thing_of_then_is_late_and_not_wrong(client: Client) -> None:
    order = client.order({"do": "lift", "space": "of another board"})
    assert client.ask("/do", body=order)[0] == 400
    client.events.publish({"to_move": "yellow"})
    assert client.ask("/do", body=client.order({"do": "lift", "space": "of another board"}, question=1))[0] == 409


def test_a_command_that_arrives_twice_is_done_once_and_answered_alike(client: Client) -> None:
    first, second = client.order(LIFT), client.order({"do": "lift", "space": "7b"})
    assert [client.ask("/do", body=first)[0] for _ in range(3)] == [204] * 3
    assert client.ask("/do", body=second)[0] == 204
    assert client.ask("/do", body=first)[0] == 409
    assert client.done == [Lift("7a"), Lift("7b")]
    refused = client.order({"do": "lift", "space": "9z"})
    assert [client.ask("/do", body=refused)[0] for _ in range(2)] == [400] * 2


def test_pages_count_for_themselves(client: Client) -> None:
    assert [client.ask("/do", body=client.order(LIFT, page=page, number=1))[0] for page in ("a", "b", "a")] == [204] * 3
    assert client.done == [Lift("7a")] * 2


def test_a_table_without_time_never_does_what_it_was_asked_in_vain(feed: EventStream[Snapshot], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underboard.web.server.TABLE_S", 0.01)
    orders: list[Order] = []
    for client in served_by(orders.append, [], feed, lambda port: AccessRules(port)):
        assert client.do(LIFT) == (503, "The table is busy: nothing was done.\n")
    assert [order.take() for order in orders] == [False]


def test_a_command_can_be_late_when_its_turn_comes(feed: EventStream[Snapshot]) -> None:
    taken: list[bool] = []

    def do(order: Order) -> None:
        feed.publish({"to_move": "yellow"})
        taken.append(order.take())

    for client in served_by(do, [], feed, lambda port: AccessRules(port)):
        assert client.do(LIFT)[0] == 409
    assert taken == [False]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_our_own_names_are_served(client: Client, host: str) -> None:
    ours = f"{host}:{client.port}"
    assert client.ask("/", {"Host": ours})[0] == 200
    assert client.do({"do": "lift", "space": "7a"}, headers={"Host": ours, "Origin": f"http://{ours}"}) == (204, "")


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "localhost", "127.0.0.1.evil.example:{port}"])
@pytest.mark.parametrize("path", ["/", "/events", "/table.js"])
def test_other_names_are_turned_away(client: Client, host: str, path: str) -> None:
    assert client.ask(path, {"Host": host.format(port=client.port)})[0] == 403


def test_whoever_is_turned_away_is_told_which_addresses_work_and_no_key(locked: Client) -> None:
    status, text, _ = locked.ask("/", {"Host": "raspberrypi.elsewhere"})
    assert status == 403
    assert text.splitlines()[1:] == locked.access_rules.addresses
    assert not any(key in text for key in (locked.key(access) for access in (TABLE, *SEATS)))
    assert "elsewhere" not in text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://127.0.0.1"])
def test_other_pages_are_turned_away(client: Client, origin: str) -> None:
    assert client.do({"do": "lift", "space": "7a"}, headers={"Origin": origin.format(port=client.port)})[0] == 403
    assert not client.done


@pytest.mark.parametrize("path", ["/playback", "/watch/playback", "/nowhere/playback"])
def test_who_may_not_look_back_is_turned_away(client: Client, path: str) -> None:
    assert client.ask(path)[0] == 403
    assert client.ask(f"{path}?name=a", body=b"table spy")[0] == 403


def test_the_page_and_all_it_asks_for_is_here(client: Client) -> None:
    status, text, headers = client.ask("/")
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in headers["content-security-policy"]
    names = re.findall(r'(?:href|src)="([^"]+)"', text)
    modules = [name for name in names if name.endswith(".js")]
    for module in modules:
        modules += [name for name in re.findall(r'from "\./([^"]+)"', client.ask(f"/{module}")[1]) if name not in modules]
    assert {"table.css", "icon.svg", "table.js", "board.js"} <= {*names, *modules}
    for name in {*names, *modules}:
        assert client.ask(f"/{name}")[0] == 200, name


def test_the_page_asks_no_other_host_for_anything() -> None:
    for file in (resources.files("underboard.web") / "page").iterdir():
        text = file.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "//" not in re.sub(r"^\s*//.*|;\s+// .*", "", text, flags=re.MULTILINE), file.name


def test_a_listener_gets_everything_at_once_and_then_what_changes(feed: EventStream[Snapshot], client: Client) -> None:
    feed.publish({"screen": ["RED"], "buzzer": False})
    stream = Follower(client.port)
    assert stream.news() == {"screen": ["RED"], "buzzer": False}
    feed.publish({"screen": ["YELLOW"], "buzzer": False})
    assert stream.news() == {"screen": ["YELLOW"]}
    feed.publish({"screen": ["YELLOW"], "buzzer": False})
    feed.publish({"screen": ["YELLOW"], "buzzer": True})
    assert stream.news() == {"buzzer": True}
    late = Follower(client.port)
    assert late.news() == {"screen": ["YELLOW"], "buzzer": True}
    feed.close()
    assert stream.news() is None
    assert late.news() is None
    stream.close()
    late.close()


def test_a_listener_that_goes_away_is_forgotten(feed: EventStream[Snapshot], client: Client) -> None:
    feed.publish({"n": 0})
    stream = Follower(client.port)
    stream.news()
    stream.close()
    other = Follower(client.port)
    for n in range(1, 4):
        other.news()
        feed.publish({"n": n})
    assert other.news() == {"n": 3}
    other.close()


def refused(port: int, key: str = "", host: str | None = None, origin: str | None = None) -> int:
    """The status with which a listener is turned away."""
    with pytest.raises(websocket.WebSocketBadStatusException) as answer:
        Follower(port, key, host, origin)
    return int(answer.value.status_code)


def test_listeners_of_other_pages_and_names_are_turned_away(client: Client) -> None:
    assert refused(client.port, origin="http://evil.example") == 403
    assert refused(client.port, host=f"evil.example:{client.port}") == 403
    with Follower(client.port, host=f"LocalHost.:{client.port}", origin=f"http://localhost.:{client.port}") as page:
        assert page.news() == {}


def test_a_stream_needs_a_way_in(locked: Client) -> None:
    assert refused(locked.port) == refused(locked.port, "nobodys-key") == 404
    assert locked.ask("/watch/events")[0] == 426


def test_a_crowd_that_watches_leaves_room_for_the_seats(locked: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underboard.web.server.MOST_SPECTATORS", 2)
    with Follower(locked.port, "watch") as first, Follower(locked.port, "watch") as second:
        assert first.news() == second.news() == {}
        assert refused(locked.port, "watch") == 503
        with Follower(locked.port, locked.key(SEATS[0])) as seat:
            assert seat.news() == {}
    wait_until(lambda: is_let_in(locked.port, "watch"))


def wait_until(holds: Callable[[], bool]) -> None:
    """Until the server has seen that a connection is closed."""
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline, "who has gone still counts"


def is_let_in(port: int, key: str) -> bool:
    """Whether a listener is not turned away."""
    try:
        Follower(port, key).close()
    except websocket.WebSocketBadStatusException:
        return False
    return True


def test_a_guess_too_many_has_to_wait(locked: Client) -> None:
    statuses = [locked.ask(f"/wrong{number}/")[0] for number in range(OF_ONE + 1)]
    assert statuses == [404] * OF_ONE + [429]
    assert int(locked.ask("/wrong/")[2]["retry-after"]) > 0
    assert refused(locked.port, locked.key(SEATS[0])) == 429


def test_no_key_is_told_to_anybody(locked: Client, capfd: pytest.CaptureFixture[str]) -> None:
    key = locked.key(SEATS[0])
    assert locked.ask(f"/{key}/")[2]["referrer-policy"] == "no-referrer"
    with Follower(locked.port, key) as page:
        page.news()
    locked.ask(f"/{key}/do", body=b"nonsense")
    locked.ask(f"/{key}/nowhere")
    with Follower(locked.port, "watch") as page:
        assert key not in json.dumps(page.message())
    assert key not in "".join(capfd.readouterr())


def test_only_this_computer_can_connect(client: Client) -> None:
    with socket.socket() as elsewhere:
        elsewhere.settimeout(2)
        with pytest.raises(OSError):
            elsewhere.connect(("127.0.0.2", client.port))


def test_questions_of_the_start_page_are_answered_or_refused_with_their_field(client: Client) -> None:
    assert json.loads(client.ask("/ask", body=b'{"game":"spy"}')[1]) == {"asked": {"game": "spy"}}
    status, text, _ = client.ask("/ask", body=b"{}")
    assert (status, json.loads(text)) == (400, {"text": "no question", "field": "game", "label": ""})


def test_with_keys_nothing_but_watching_is_without_one(locked: Client) -> None:
    status, _, headers = locked.ask("/")
    assert (status, headers["location"]) == (303, "/watch/")
    assert locked.ask("/watch/")[0] == 200
    assert locked.ask("/events")[0] == 404
    assert locked.do({"do": "lift", "space": "7a"})[0] == 403
    assert locked.ask("/ask", body=b'{"game":"spy"}')[0] == 403
    for path in ("/nobodys-key/", "/nobodys-key/table.js"):
        assert locked.ask(path)[0] == 404
    assert locked.ask("/nobodys-key/do", body=b"{}")[0] == 404
    assert not locked.done


@pytest.mark.parametrize(
    ("access", "lift", "leave", "question"), [(TABLE, 204, 204, 200), (SEATS[1], 204, 403, 403), (SPECTATORS, 403, 403, 403)]
)
def test_who_may_do_what(locked: Client, feed: EventStream[Snapshot], access: Access, lift: int, leave: int, question: int) -> None:
    feed.publish({"may_act": True})
    name = locked.key(access)
    assert locked.ask(f"/{name}/")[0] == 200
    assert locked.ask(f"/{name}/table.js")[0] == 200
    assert locked.do({"do": "lift", "space": "7a"}, name, access.audience)[0] == lift
    assert locked.do({"do": "leave"}, name, access.audience)[0] == leave
    assert locked.ask(f"/{name}/ask", body=b'{"game":"spy"}')[0] == question
    assert locked.done == [Lift("7a")] * (lift == 204) + [Leave()] * (leave == 204)


def test_a_seat_that_is_not_to_move_does_nothing(locked: Client, feed: EventStream[Snapshot]) -> None:
    feed.publish({"may_act": False})
    name = locked.key(SEATS[1])
    status, text = locked.do({"do": "lift", "space": "7a"}, name, SEATS[1].audience)
    assert (status, json.loads(text)["label"]) == (409, "not_your_turn")
    assert locked.done == []


def test_a_seat_of_a_game_that_has_ended_does_nothing(locked: Client, feed: EventStream[Snapshot]) -> None:
    feed.publish({"may_act": False, "phase": "over"})
    status, text = locked.do({"do": "key", "key": "ok", "down": True}, locked.key(SEATS[1]), SEATS[1].audience)
    assert (status, json.loads(text)) == (409, {"text": "The game is over: nothing was done.", "field": "", "label": "game_over"})
    assert locked.done == []


def test_a_wrong_key_is_answered_with_a_sentence_in_the_language_of_the_table(locked: Client, feed: EventStream[Snapshot]) -> None:
    english = "This link leads nowhere: it is misspelt or out of date. Ask for yours at the table."
    assert locked.ask("/nobodys-key/")[:2] == (404, f"{english}\n")
    status, text, _ = locked.ask("/nobodys-key/do", body=locked.order(LIFT))
    assert (status, json.loads(text)) == (404, {"text": english, "field": "", "label": "unknown_link"})
    feed.publish({"labels": {"unknown_link": "Deze link leidt nergens heen."}})
    assert locked.ask("/nobodys-key/")[:2] == (404, "Deze link leidt nergens heen.\n")
    assert locked.done == []


def test_a_seat_that_another_browser_holds_is_refused_until_that_has_gone(locked: Client, feed: EventStream[Snapshot]) -> None:
    feed.publish({"may_act": True})
    key, other = locked.key(SEATS[0]), {"Cookie": "browser=other"}
    with Follower(locked.port, key, browser="one") as first, Follower(locked.port, key, browser="one") as tab:
        assert first.news() == tab.news() == {"may_act": True}
        status, text, headers = locked.ask(f"/{key}/", other)
        assert (status, text) == (409, "This seat is open in another browser. Close it there, and it opens here.\n")
        assert headers["refresh"] == str(TAKEN_AGAIN_S)
        with Follower(locked.port, key, browser="other") as late:
            assert late.message() is None
        status, text = locked.do(LIFT, key, SEATS[0].audience, other)
        assert (status, json.loads(text)["label"]) == (409, "seat_taken")
        assert locked.done == []
        assert locked.ask(f"/{key}/", {"Cookie": "browser=one"})[0] == 200
        assert locked.ask(f"/{locked.key(SEATS[1])}/", other)[0] == 200
        assert locked.do(LIFT, key, SEATS[0].audience, {"Cookie": "browser=one"})[0] == 204
    wait_until(lambda: locked.ask(f"/{key}/", other)[0] == 200)
    assert locked.done == [Lift("7a")]


def test_a_browser_of_a_seat_is_named_once_and_nobody_else_is(locked: Client) -> None:
    cookie = locked.ask(f"/{locked.key(SEATS[0])}/")[2]["set-cookie"]
    assert re.fullmatch(r"browser=[0-9a-f]{16}; HttpOnly; Path=/; SameSite=lax", cookie)
    assert "set-cookie" not in locked.ask(f"/{locked.key(SEATS[0])}/", {"Cookie": cookie.partition(";")[0]})[2]
    assert "set-cookie" not in locked.ask("/watch/")[2]
    assert "set-cookie" not in locked.ask(f"/{locked.key(TABLE)}/")[2]


def test_each_door_has_a_stream_of_what_its_audience_sees() -> None:
    feed: EventStream[Snapshot] = EventStream(lambda audience, snapshot: {"you": audience, **snapshot}, {})
    feed.publish({"n": 1})
    for client in served(feed, lambda port: AccessRules(port, "0.0.0.0", b"secret")):
        for access in (TABLE, SEATS[0], SPECTATORS):
            stream = Follower(client.port, client.key(access))
            assert stream.news() == {"you": access.audience, "n": 1}
            stream.close()
