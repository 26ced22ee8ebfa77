"""The page of the service for those who only watch: what it shows, that nothing can be sent, and that the table never minds it."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.engine.app.service.test_main import Run
from tests.web.browserless import Follower, look
from underboard.engine.app.loop import TableLoop
from underboard.engine.app.service.pages import ServicePages
from underboard.engine.app.simulation.program import start
from underboard.engine.gamekit.setup import new_setup
from underboard.engine.journal.writer import open_writer
from underboard.engine.referee.actions import open_table
from underboard.engine.referee.curtain import REST_MS
from underboard.engine.view.game_log import GameLog
from underboard.hardware.core.clock import VirtualClock
from underboard.hardware.simulator.box import SimulatedBox
from underboard.web.access import SEATS, AccessRules
from underboard.web.server import listen


def free_port() -> int:
    """One that nobody uses now."""
    with closing(listen(0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[[str], Run]]:
    """Starts the service with a configuration."""
    tables: list[Run] = []

    def begin(config: str) -> Run:
        (tmp_path / "table.toml").write_text(f"game.begin = 'hack_trick'\n{config}", encoding="utf-8")
        tables.append(Run(tmp_path, "--config", str(tmp_path / "table.toml"), "--simulated"))
        tables[-1].hear("READY=1")
        return tables[-1]

    yield begin
    for table in tables:
        table.close()


def ask(port: int, method: str, path: str, host: str = "", body: str = "") -> tuple[int, bytes]:
    """Status and body of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, body or None, {"Host": host or f"127.0.0.1:{port}"})
        answer = connection.getresponse()
        return answer.status, answer.read()


def watch(port: int) -> dict[str, Any]:
    """What a spectator sees now."""
    return look(port, "watch")


def test_the_service_shows_its_table_and_takes_nothing(run: Callable[[str], Run], capfd: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    table = run(f"page.enabled = true\npage.port = {port}")
    assert table.status(capfd)["page"] == {"url": f"http://127.0.0.1:{port}/watch/", "problem": ""}
    seen = watch(port)
    assert (seen["place"], seen["game"], seen["you"]) == ("table", "hack_trick", {"role": "watch", "seat": None})
    assert seen["playable"] == {}
    assert {card for hand in seen["hands"].values() for card in hand} == {None}
    assert (seen["choices"], seen["selected"]) == ([], None)
    assert "links" not in seen
    assert seen["screen"]
    assert ask(port, "GET", "/watch/")[0] == 200
    assert ask(port, "GET", "/")[0] == 303
    assert ask(port, "POST", "/seat/do", body="{}")[0] == 404
    for path in ("/do", "/watch/do", "/ask", "/watch/ask", "/playback", "/watch/playback"):
        assert ask(port, "POST", path, body=json.dumps({"do": "key", "key": "ok", "down": True}))[0] == 403
    assert ask(port, "GET", "/events")[0] == 404
    assert ask(port, "GET", "/watch/", host=f"evil.example:{port}")[0] == 403
    assert watch(port) == seen
    status, log = table.stop()
    assert status == 0
    assert f"the page for spectators: http://127.0.0.1:{port}/watch/" in log
    assert "Traceback" not in log


def test_a_listener_does_not_keep_the_service_from_ending(run: Callable[[str], Run]) -> None:
    port = free_port()
    table = run(f"page.enabled = true\npage.port = {port}")
    with Follower(port, "watch") as page:
        assert page.message()
        before = time.monotonic()
        assert table.stop()[0] == 0
        assert time.monotonic() - before < 5


@pytest.mark.parametrize(
    ("host", "said"),
    [("127.0.0.1", "choose another page.port"), ("192.0.2.1", "page.host"), ("none.invalid", "there is no computer of that name")],
)
def test_a_page_that_cannot_be_there_is_said_and_the_game_goes_on(
    run: Callable[[str], Run], capfd: pytest.CaptureFixture[str], host: str, said: str
) -> None:
    with closing(listen(0)) as taken:
        port = taken.getsockname()[1]
        table = run(f"page.enabled = true\npage.host = '{host}'\npage.port = {port}")
        told = table.status(capfd)
    assert told["page"]["url"] == ""
    assert f"{host}:{port}: " in told["page"]["problem"]
    assert said in told["page"]["problem"]
    assert told["last_error"]["text"] == told["page"]["problem"]
    assert told["to_move"] == "red"
    status, log = table.stop()
    assert status == 0
    assert told["page"]["problem"] in log


def test_nothing_of_it_is_loaded_or_listens_unless_it_is_wanted(run: Callable[[str], Run], capfd: pytest.CaptureFixture[str]) -> None:
    table = run("")
    assert table.status(capfd)["page"] is None
    maps = Path(f"/proc/{table.process.pid}/net/tcp").read_text()
    assert f":{8021:04X} 00000000:0000 0A" not in maps
    program = (
        "import sys, underboard.engine.app.service.main; print(sorted({'starlette', 'uvicorn', 'segno', 'asyncio'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout == "[]\n"


class Watched:
    """A table in virtual time that has told its page of everything."""

    def __init__(self, folder: Path) -> None:
        clock, game_log, writer = VirtualClock(), GameLog(), open_writer(folder / "journal.sqlite3")
        opened = open_table(new_setup("hack_trick", {"out": "0,5", "red": "0,1,2,5", "yellow": "1,3,3"}, 1))
        simulated = SimulatedBox(clock)
        self.program = start(
            simulated, clock, "ssd1306", "gpio", {}, writer, lambda devices: TableLoop(*opened, devices, writer, [game_log.follow])
        )
        self.complaints: list[str] = []
        self.page = ServicePages(self.program.app, self.program.box, game_log, self.complaints.append)

    def do(self, action: str) -> None:
        """An action, and what the page makes of it."""
        self.program.app.order(action)
        self.page.show()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path)
    yield watched
    watched.page.close()
    watched.program.close()


def test_the_page_follows_the_table(watched: Watched) -> None:
    port = free_port()
    watched.page.open("127.0.0.1", port)
    before = watch(port)
    watched.do("start 1")
    watched.do("infect 3")
    after = watch(port)
    assert [entry["text"] for entry in before["log"]] == ["a new game begins"]
    assert "YELLOW plays 3: 1+3 = 4" in [entry["text"] for entry in after["log"]]
    assert before["expected"] != after["expected"]
    assert after["display"] != before["display"]


def test_a_picture_that_fails_ends_the_page_and_not_the_table(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    watched.page.open("127.0.0.1", port)

    def broken(*_: object) -> None:
        raise ZeroDivisionError("no picture")

    monkeypatch.setattr("underboard.engine.app.service.pages.page_record", broken)
    watched.do("start 1")
    watched.do("infect 3")
    assert watched.complaints == ["the pages are not there: ZeroDivisionError: no picture"]
    assert watched.page.record == {"url": "", "problem": watched.complaints[0]}
    assert watched.program.app.table.session.now.ply == 2


def test_a_server_that_ends_by_itself_is_said_once(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Server.run", broken_server)
    watched.page.open("127.0.0.1", free_port())
    deadline = time.monotonic() + 10
    while not watched.complaints and time.monotonic() < deadline:
        watched.page.show()
    watched.page.show()
    assert watched.complaints == ["the pages are not there: its server has ended: out of memory"]


def broken_server(*_: object, **__: object) -> None:
    """A server that cannot go on."""
    raise MemoryError("out of memory")


# Seats


def seats_config(port: int) -> str:
    """A table whose seats have pages, with hands that are known."""
    options = "game.options = { four = 'red', out = '0,5', red = '0,1,2,4', yellow = '1,3,5' }"
    return f"{options}\npage.seats = true\npage.host = '0.0.0.0'\npage.port = {port}"


def seat_keys(folder: Path, port: int) -> list[str]:
    """What leads to the pages of the two seats."""
    rules = AccessRules(port, "0.0.0.0", (folder / "state" / "seats.key").read_bytes(), keyed=SEATS)
    return [rules.link(access).url.rstrip("/").rpartition("/")[2] for access in SEATS[:2]]


def until_screen(port: int, last: str) -> None:
    """Waits until the panel as everybody sees it ends with a text."""
    with Follower(port, "watch") as page:
        page.until(lambda seen: seen["screen"] and seen["screen"][-1] == last)


def test_seats_play_on_their_phones_and_the_panel_shows_their_codes_until_they_are_taken(run: Callable[[str], Run], tmp_path: Path) -> None:
    port = free_port()
    table = run(seats_config(port))
    red_key, yellow_key = seat_keys(tmp_path, port)
    with Follower(port, "watch") as page:
        page.until(lambda seen: seen["screen"] == ["RED", "1/2", "scan", "OK: on"])
    with Follower(port, red_key) as red, Follower(port, yellow_key) as yellow:
        yellow.until(lambda seen: seen["screen"][-1] == "see RED's phone")
        red.until(lambda seen: seen["may_act"])
        yellow.until(lambda seen: seen["hands"])
        assert (red.seen["hands"]["red"], red.seen["hands"]["yellow"]) == (["0", "1", "2", "4"], [None] * 3)
        assert (yellow.seen["hands"]["red"], yellow.seen["hands"]["yellow"]) == ([None] * 4, ["1", "3", "5"])
        status, text = yellow.do({"do": "choose", "name": "start 1"})
        assert (status, json.loads(text)["label"]) == (409, "not_your_turn")
        late = red.order({"do": "choose", "name": "start 0"})
        assert red.do({"do": "choose", "name": "start 1"}) == (204, "")
        yellow.until(lambda seen: seen["may_act"])
        status, text = red.post(late)
        assert (status, json.loads(text)["label"]) == (409, "stale")
        status, text = yellow.do({"do": "lay", "card": ""})
        assert (status, json.loads(text)["text"]) == (400, "Tokens stand on the board, and cards lie on its reader: nothing was done.")
        time.sleep(REST_MS / 1000)  # YELLOW reads
        assert yellow.do({"do": "choose", "name": "infect 3"}) == (204, "")
        yellow.until(lambda seen: seen["targets"] == ["4a", "4b", "4c"])
        red.until(lambda seen: seen["to_move"] == "yellow")
        assert (red.seen["targets"], red.seen["choices"]) == ([], [])
    status, log = table.stop()
    assert status == 0
    assert red_key not in log
    assert yellow_key not in log
    again = run(seats_config(port))
    assert seat_keys(tmp_path, port) == [red_key, yellow_key]
    assert look(port, yellow_key)["hands"]["yellow"] == ["1", "3", "5"]
    again.stop()


def test_a_wrong_key_leads_nowhere(run: Callable[[str], Run]) -> None:
    port = free_port()
    run(seats_config(port))
    status, text = ask(port, "GET", "/abcdefgh2345/")
    assert (status, len(text.splitlines())) == (404, 1)


def test_without_a_place_for_their_secret_seats_have_no_pages_and_hands_are_at_the_panel(run: Callable[[str], Run], tmp_path: Path) -> None:
    (tmp_path / "state" / "seats.key").mkdir(parents=True)
    port = free_port()
    table = run(seats_config(port))
    until_screen(port, "only you look: OK")
    assert "seats have no pages" in table.stop()[1]
