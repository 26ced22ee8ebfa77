"""Doors: who is let in by which address, under which name, and that keys stay the same and secret."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.web.access import MOST_SEATS, SEATS, SPECTATORS, TABLE, Access, AccessRules, keep_secret
from underboard.web.host_names import is_loopback
from underboard.web.network import InterfaceAddress, Network, NetworkWatch

SECRET = bytes(range(32))
HOME = Network(
    tuple(
        InterfaceAddress(name, ipaddress.ip_address(address))
        for name, address in (("wlan0", "192.168.178.20"), ("wlan0", "fd00::20"), ("wg0", "10.8.0.2"))
    ),
    frozenset({"gamepi", "gamepi.local", "gamepi.fritz.box"}),
)


def in_network(network: Network, look: Network | None = None) -> NetworkWatch:
    """This network, and another one when it is looked at again."""
    return NetworkWatch(lambda: network, lambda: look or network)


def at_home(bound: str = "0.0.0.0", names: tuple[str, ...] = ()) -> AccessRules:
    return AccessRules(8020, bound, SECRET, names=names, network=in_network(HOME))


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
    assert all(re.fullmatch("[a-z2-7]{12}", name) for name in names)  # 60 bits
    assert [access_rules.find(name.upper()) for name in names] == [TABLE, *SEATS]
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
    access_rules = AccessRules(8020, "0.0.0.0", keyed=())
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
        ("0.0.0.0", "gamepi:8020", True),
        ("0.0.0.0", "GamePi:8020", True),
        ("0.0.0.0", "gamepi.local:8020", True),
        ("0.0.0.0", "gamepi.local.:8020", True),
        ("0.0.0.0", "gamepi.fritz.box:8020", True),
        ("0.0.0.0", "gamepi.lan:8020", False),
        ("192.168.178.20", "gamepi.fritz.box:8020", True),
        ("0.0.0.0", "evil.example:8020", False),
        ("0.0.0.0", "192.168.1.5.evil.example:8020", False),
        ("table.example", "table.example:8020", True),
    ],
)
def test_requests_under_other_names_are_not_for_us(bound: str, host: str | None, expected: bool) -> None:
    assert AccessRules(8020, bound, None if is_loopback(bound) else SECRET, network=in_network(HOME)).expects(host) is expected


@given(host=st.from_regex(r"[A-Za-z0-9.:\[\]-]{0,40}", fullmatch=True))
def test_no_name_but_ours_is_expected(host: str) -> None:
    name = host.rpartition(":")[0].lower().removesuffix(".")
    if at_home().expects(host):
        assert host.endswith(":8020") or re.fullmatch(".*:0*8020", host)
        assert name in {*HOME.names, "localhost"} or re.fullmatch(r"[0-9.]+|\[[0-9a-f:.]+\]|[0-9a-f:.]+", name)


def test_a_name_that_was_given_is_ours_in_any_case() -> None:
    for access_rules in (at_home(names=("Game.Example.",)), AccessRules(8020, names=("Game.Example.",))):
        assert access_rules.expects("game.example:8020")
        assert access_rules.expects("GAME.example.:8020")
        assert not access_rules.expects("other.game.example:8020")
        assert access_rules.link(TABLE).others[-1 if not access_rules.locked else 1].startswith("http://game.example:8020/")


def test_a_link_says_the_address_that_phones_reach_and_then_all_others() -> None:
    link = at_home().link(SPECTATORS)
    assert link.url == "http://192.168.178.20:8020/watch/"
    assert link.others == ["http://10.8.0.2:8020/watch/", "http://gamepi.local:8020/watch/"]
    assert at_home("::").link(SPECTATORS).others[0] == "http://[fd00::20]:8020/watch/"
    assert at_home("10.8.0.2").link(SPECTATORS).url == "http://10.8.0.2:8020/watch/"
    assert at_home("10.8.0.2").link(SPECTATORS).others == []


def test_a_link_follows_the_network() -> None:
    watch = in_network(HOME, Network(HOME.addresses[2:]))
    access_rules = AccessRules(8020, "0.0.0.0", SECRET, network=watch)
    assert access_rules.link(SPECTATORS).url == "http://192.168.178.20:8020/watch/"
    watch.look_again().result(10)
    assert access_rules.link(SPECTATORS).url == "http://10.8.0.2:8020/watch/"


def test_without_any_network_a_link_leads_to_this_computer() -> None:
    access_rules = AccessRules(8020, "0.0.0.0", SECRET, network=in_network(Network()))
    assert access_rules.link(SPECTATORS).url == "http://127.0.0.1:8020/watch/"


def test_the_addresses_that_work_are_told_without_a_key() -> None:
    addresses = at_home().addresses
    assert addresses == ["http://192.168.178.20:8020/watch/", "http://10.8.0.2:8020/watch/", "http://gamepi.local:8020/watch/"]
    assert AccessRules(8020).addresses == ["http://127.0.0.1:8020/"]


def test_a_name_that_is_new_is_known_to_whoever_waits_for_it() -> None:
    access_rules = AccessRules(8020, "0.0.0.0", SECRET, network=in_network(Network(), HOME))
    assert not access_rules.expects("gamepi.lan:8020")
    assert not access_rules.expects("gamepi.fritz.box:8020")
    asyncio.run(access_rules.after_looking_again())
    assert access_rules.expects("gamepi.fritz.box:8020")
    assert not access_rules.expects("gamepi.lan:8020")


def test_a_resolver_that_is_slow_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underboard.web.access.LOOK_S", 0)
    answers = threading.Event()

    def look() -> Network:
        answers.wait(10)
        return HOME

    access_rules = AccessRules(8020, "0.0.0.0", SECRET, network=NetworkWatch(Network, look))
    asyncio.run(access_rules.after_looking_again())
    assert not access_rules.expects("gamepi:8020")
    answers.set()


@pytest.mark.parametrize(
    ("host", "origin", "own"),
    [
        ("gamepi:8020", None, True),
        ("gamepi:8020", "http://gamepi:8020", True),
        ("GamePi.:8020", "http://gamepi.:8020", True),
        ("gamepi:80", "http://gamepi", True),
        ("gamepi:8020", "http://gamepi", False),
        ("gamepi:8020", "https://gamepi:8020", False),
        ("gamepi:8020", "null", False),
        ("gamepi:8020", "", False),
        ("gamepi:8020", "http://gamepi.local:8020", False),
    ],
)
def test_other_pages_are_not_our_own(host: str, origin: str | None, own: bool) -> None:
    assert at_home().is_own_page(host, origin) is own


def test_a_code_is_a_square_that_is_framed_as_readers_expect() -> None:
    code = AccessRules(8020, "192.168.1.5", SECRET).link(SEATS[0]).code
    assert {len(row) for row in code} == {len(code)}
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    assert [row[:7] for row in code[:7]] == [row[-7:] for row in code[:7]] == [row[:7] for row in code[-7:]] == finder


@pytest.mark.parametrize(("host", "port"), [("192.168.178.123", 8020), ("192.168.100.200", 65535), ("pi.local", 8020)])
def test_the_code_of_a_seat_fits_on_a_small_display(host: str, port: int) -> None:
    """A module of version 3 is two pixels of the 64 that the display is high."""
    for access in (TABLE, *SEATS):
        assert len(AccessRules(port, host, SECRET).link(access).code) == 29


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
