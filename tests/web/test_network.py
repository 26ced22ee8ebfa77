"""Which address of a computer phones are likely to reach, and which names are believed to be its own."""

from __future__ import annotations

import ipaddress
import threading
from pathlib import Path

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.web.network import (
    InterfaceAddress,
    Network,
    NetworkWatch,
    best_first,
    interface_addresses,
    is_tunnel,
    own_names,
    search_domains,
)


def at(interface: str, address: str, tunnel: bool = False) -> InterfaceAddress:
    return InterfaceAddress(interface, ipaddress.ip_address(address), tunnel)


WIFI, WIRE = at("wlan0", "192.168.178.20"), at("eth0", "192.168.178.21")
WIFI_6, WIRE_PUBLIC_6 = at("wlan0", "fd00::20"), at("eth0", "2a00:1450::21")
VPN, CSCO, TAILSCALE = at("wg0", "10.8.0.2"), at("cscotun0", "10.9.0.2", tunnel=True), at("tailscale0", "100.100.1.2")
DOCKER, BRIDGE = at("docker0", "172.17.0.1"), at("br-1a2b3c", "172.18.0.1")
LONE = at("eth1", "169.254.7.7")
NOBODYS = [at("lo", "127.0.0.1"), at("lo", "::1"), at("eth0", "fe80::21")]
ALL = [*NOBODYS, LONE, BRIDGE, DOCKER, TAILSCALE, CSCO, VPN, WIRE_PUBLIC_6, WIFI_6, WIRE, WIFI]


@pytest.mark.parametrize("outwards", ["10.8.0.2", "", "172.17.0.1"])
def test_the_home_network_comes_before_a_vpn_and_containers_whatever_the_default_route_is(outwards: str) -> None:
    found = best_first(ALL, outwards)
    assert found[:4] == [WIRE, WIFI, WIFI_6, WIRE_PUBLIC_6]
    assert set(found[4:7]) == {VPN, CSCO, TAILSCALE}
    assert set(found[7:9]) == {BRIDGE, DOCKER}
    assert found[9:] == [LONE]


def test_of_two_home_networks_the_one_of_the_default_route_comes_first() -> None:
    assert best_first([WIRE, WIFI], "192.168.178.20") == [WIFI, WIRE]


def test_an_address_of_a_cable_without_a_router_is_better_than_none() -> None:
    assert best_first([*NOBODYS, LONE]) == [LONE]
    assert best_first(NOBODYS) == []


@given(found=st.permutations(ALL), outwards=st.sampled_from([str(one.address) for one in ALL] + [""]))
def test_the_order_is_the_same_however_the_system_lists_them(found: list[InterfaceAddress], outwards: str) -> None:
    assert best_first(found, outwards) == best_first(ALL, outwards)


def test_a_tunnel_is_known_by_the_kind_of_its_link(tmp_path: Path) -> None:
    for name, kind in (("eth0", "1\n"), ("whatever0", "65534\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "type").write_text(kind)
    assert [is_tunnel(name, tmp_path) for name in ("eth0", "whatever0", "gone0")] == [False, True, False]


def test_this_computer_has_addresses() -> None:
    assert at("lo", "127.0.0.1").address in {one.address for one in interface_addresses()}


def test_where_nobody_may_look_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden() -> None:
        raise PermissionError

    monkeypatch.setattr(ifaddr, "get_adapters", forbidden)
    assert list(interface_addresses()) == []


def test_names_are_the_host_name_in_the_domains_of_the_resolver() -> None:
    found = own_names("GamePi", ["fritz.box", "Home."], ["gamepi.lan", "GAMEPI", "localhost"])
    assert found == {"gamepi", "gamepi.local", "gamepi.fritz.box", "gamepi.home", "gamepi.lan"}
    assert own_names("game.example", [], []) == {"game", "game.example", "game.local"}
    assert own_names("", ["home"], ["x"]) == frozenset()


@given(answers=st.lists(st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){0,3}\.?", fullmatch=True)))
def test_no_answer_of_a_resolver_gives_this_computer_the_name_of_another(answers: list[str]) -> None:
    assert {name.partition(".")[0] for name in own_names("gamepi", [], answers)} == {"gamepi"}


def test_search_domains_are_read(tmp_path: Path) -> None:
    file = tmp_path / "resolv.conf"
    file.write_text("# search none\nnameserver 10.0.0.1\ndomain old\nsearch fritz.box  lan\noptions edns0\n")
    assert search_domains(file) == ["fritz.box", "lan"]
    assert search_domains(tmp_path / "none") == []


class Looks:
    """Looks at the network that end when they are let."""

    def __init__(self) -> None:
        self.count = 0
        self.may_end = threading.Event()
        self.time = 0.0

    def look(self) -> Network:
        self.count += 1
        assert self.may_end.wait(10)
        return Network((WIFI,), frozenset({f"name{self.count}"}))


def test_nobody_waits_for_the_network() -> None:
    looks = Looks()
    watch = NetworkWatch(Network, looks.look, lambda: looks.time)
    first = watch.look_again()
    assert watch.look_again() is first
    assert (watch.known, first.done()) == (Network(), False)
    looks.may_end.set()
    first.result(10)
    assert watch.known.names == {"name1"}


def test_the_network_is_looked_at_again_after_a_while() -> None:
    looks = Looks()
    looks.may_end.set()
    watch = NetworkWatch(Network, looks.look, lambda: looks.time)
    watch.look_again().result(10)
    looks.time = 9.0
    watch.look_again().result(10)
    assert looks.count == 1
    looks.time = 10.0
    watch.look_again().result(10)
    assert watch.known.names == {"name2"}
