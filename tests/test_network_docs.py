"""docs/network.md says the numbers and sentences that the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

from underboard.engine.base.i18n import find_words
from underboard.engine.view.labels import labels
from underboard.web import access, connections, event_stream, guesses, network, page_socket, server
from underboard.web.commands import BadCommand, GameHasEnded, NotYourTurn, SeatTaken, Stale, UnknownLink

ROOT = Path(__file__).parents[1]
TEXT = " ".join((ROOT / "docs" / "network.md").read_text(encoding="utf-8").split())
CONNECTION = (ROOT / "web" / "page" / "connection.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "fact",
    [
        f"A code has {access.KEY_CHARACTERS} letters and digits of 32, so {5 * access.KEY_CHARACTERS} bits",
        f"| one address | {guesses.OF_ONE} | 1 in {1 / guesses.OF_ONE_PER_S:.0f} seconds |",
        f"| all together | {guesses.OF_ALL} | {guesses.OF_ALL_PER_S:.0f} in a second |",
        f"at most every {network.LOOK_AGAIN_S} seconds",
        f"for {access.LOOK_S} seconds at most",
        f"The table says something at least every {event_stream.HEARTBEAT_S:.0f} seconds",
        f"A page that has not answered for {page_socket.SILENCE_S:.0f} seconds is dropped",
        f"has been silent for {page_socket.SILENCE_S:.0f} seconds",
        f"| connections | {connections.MOST_CONNECTIONS}, and {connections.RESERVED} more for browsers on this computer |",
        f"| connections of one address | {connections.MOST_OF_ONE} |",
        f"| spectators | {server.MOST_SPECTATORS} |",
        f"for each further part of it | {connections.REQUEST_S:.0f} |",
        f"nobody reads what is sent | {connections.UNREAD_MS // 1000} |",
        f"``` {server.FOREIGN_NAME.strip()} http://",
    ],
)
def test_numbers(fact: str) -> None:
    assert fact in TEXT


@pytest.mark.parametrize(
    ("constant", "fact"),
    [
        ("SILENCE_MS = 5000", "heard nothing for 5 seconds"),
        ("FIRST_RETRY_MS = 500", "first after half a second"),
        ("LONGEST_RETRY_MS = 10_000", "at least every 12.5 seconds"),
        ("retryMs * (0.75 + Math.random() / 2)", "at least every 12.5 seconds"),
    ],
)
def test_numbers_of_the_page(constant: str, fact: str) -> None:
    assert constant in CONNECTION
    assert fact in TEXT


@pytest.mark.parametrize(
    "refusal", [UnknownLink(), SeatTaken(), NotYourTurn(), GameHasEnded(), Stale()], ids=lambda one: type(one).__name__
)
def test_sentences(refusal: BadCommand) -> None:
    assert f"| {refusal.status} | {labels(find_words('en'))[refusal.label]} |" in TEXT
