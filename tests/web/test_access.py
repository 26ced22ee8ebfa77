"""Doors: who is let in by which address, under which name, and that keys stay the same and secret."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

import pytest

from underboard.web.access import MOST_SEATS, SEATS, SPECTATORS, TABLE, Access, AccessRules, is_loopback, keep_secret, split_host

SECRET = bytes(range(32))


def name_of(access_rules: AccessRules, access: Access) -> str:
    """The first part of a access's address."""
    found = re.fullmatch(r"http://[^/]+/(?:([^/]+)/)?", access_rules.link(access).url)
    assert found
    return found[1] or ""


def test_on_this_computer_the_table_is_simply_there() -> None:
    access_rules = AccessRules(8020)
    assert not access_rules.locked
    assert access_rules.link(TABLE).url == "http://127.0.0.1:8020/"
    assert (access_rules.find(""), access_rules.find("watch"), access_rules.find("other")) == (TABLE, SPECTATORS, None)


def test_in_a_network_the_table_and_each_seat_are_behind_keys_of_their_own() -> None:
    access_rules = AccessRules(8020, "192.168.1.5", SECRET)
    assert access_rules.locked
    assert access_rules.find("") is None
    names = [name_of(access_rules, access) for access in (TABLE, *SEATS)]
    assert len(set(names)) == 1 + MOST_SEATS
    assert all(re.fullmatch("[A-Za-z0-9_-]{22}", name) for name in names)  # 128 bits
    assert [access_rules.find(name) for name in names] == [TABLE, *SEATS]
    assert name_of(access_rules, SPECTATORS) == "watch"
    assert {access.right for access in SEATS} == {"hands"}


def test_keys_are_those_of_the_secret() -> None:
    first, again, other = (AccessRules(8020, "192.168.1.5", secret) for secret in (SECRET, SECRET, SECRET[::-1]))
    assert first.link(SEATS[0]).url == again.link(SEATS[0]).url != other.link(SEATS[0]).url


def test_a_table_is_never_open_to_a_network() -> None:
    with pytest.raises(ValueError, match="a secret is needed"):
        AccessRules(8020, "0.0.0.0")


def test_where_all_only_watch_no_secret_is_needed() -> None:
    access_rules = AccessRules(8020, "0.0.0.0", table=False)
    assert access_rules.find("") is None
    assert access_rules.find("watch") == SPECTATORS


@pytest.mark.parametrize(
    ("bound", "host", "expected"),
    [
        ("127.0.0.1", "127.0.0.1:8020", True),
        ("127.0.0.1", "localhost:8020", True),
        ("127.0.0.1", "[::1]:8020", True),
        ("127.0.0.1", "192.168.1.5:8020", False),
        ("127.0.0.1", "127.0.0.1:80", False),
        ("127.0.0.1", "127.0.0.1", False),
        ("127.0.0.1", None, False),
        ("127.0.0.1", "evil.example:8020", False),
        ("0.0.0.0", "192.168.1.5:8020", True),
        ("0.0.0.0", "[fe80::1]:8020", True),
        ("0.0.0.0", "localhost:8020", True),
        ("0.0.0.0", f"{socket.gethostname()}.local:8020", True),
        ("0.0.0.0", "evil.example:8020", False),
        ("0.0.0.0", "192.168.1.5.evil.example:8020", False),
        ("table.example", "table.example:8020", True),
    ],
)
def test_requests_under_other_names_are_not_for_us(bound: str, host: str | None, expected: bool) -> None:
    assert AccessRules(8020, bound, None if is_loopback(bound) else SECRET).expects(host) is expected


@pytest.mark.parametrize(
    ("host", "parts"),
    [("a:1", ("a", 1)), ("a", ("a", 80)), ("[::1]", ("[::1]", 80)), ("[::1]:5", ("[::1]", 5)), ("a:x", ("a", -1)), ("a:²", ("a", -1))],
)
def test_a_host_header_is_a_name_and_a_port(host: str, parts: tuple[str, int]) -> None:
    assert split_host(host) == parts


def test_a_code_is_a_square_that_is_framed_as_readers_expect() -> None:
    code = AccessRules(8020, "192.168.1.5", SECRET).link(SEATS[0]).code
    assert {len(row) for row in code} == {len(code)}
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    assert [row[:7] for row in code[:7]] == [row[-7:] for row in code[:7]] == [row[:7] for row in code[-7:]] == finder


def test_the_secret_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "secret"
    secret = keep_secret(path)
    assert len(secret) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert keep_secret(path) == secret
    path.write_bytes(b"short")
    assert keep_secret(path) not in (secret, b"short")
    os.unlink(path)
    assert keep_secret(path) != secret
