"""By which addresses and names this computer is known on its own networks.

Phones are in the Wi-Fi or on the wire of the home. A computer has other addresses, too: of a VPN, of containers, of cables
without a router. So addresses have an order, and the first is what a link or a QR code says.

A name is believed if it is this computer's host name, alone or in a domain that the resolver knows: the search domains, `local`
(mDNS), and the router's own domain, which it tells when it is asked for the name of one of our addresses. Such an answer is only
believed if it begins with our host name: whoever can answer for an address must not get a name of theirs in here.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import ifaddr

from underboard.web.host_names import in_address, plain

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
RESOLVER = Path("/etc/resolv.conf")
LINKS = Path("/sys/class/net")
ETHERNET = "1"
"""The kind of link that wires and Wi-Fi have (ARPHRD_ETHER); that of a tunnel is another."""
MDNS = "local"
VPN = ("tun", "tap", "wg", "tailscale", "zt", "ppp", "utun", "ipsec")
"""Beginnings of names; most VPNs are told by the kind of their link, whatever they are called."""
VIRTUAL = ("docker", "br-", "veth", "virbr", "vnet", "vmnet", "vboxnet", "lxc", "lxd", "podman", "cni", "flannel", "cali", "dummy", "ifb")
NOWHERE = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737); no packet is sent to find out which way it would go."""
LOOK_AGAIN_S = 10
"""An address or a name that is new to this computer is known to the page after this at the latest."""

Rank = Literal[0, 1, 2, 3]


@dataclass(frozen=True, slots=True)
class InterfaceAddress:
    """An address of this computer, and the interface that has it."""

    interface: str
    address: IPAddress
    tunnel: bool = False

    @property
    def host(self) -> str:
        """As it stands in an address of a page."""
        return in_address(str(self.address))

    @property
    def rank(self) -> Rank:
        """How likely a phone reaches it, the likeliest first: home network, VPN, virtual networks, no network at all."""
        if self.address.is_link_local:
            return 3
        if self.interface.startswith(VIRTUAL):
            return 2
        return 1 if self.tunnel or self.interface.startswith(VPN) else 0


@dataclass(frozen=True, slots=True)
class Network:
    """What is known at one moment: the addresses, the best one first, and the names, in lower case."""

    addresses: Sequence[InterfaceAddress] = ()
    names: frozenset[str] = field(default_factory=frozenset)


def best_first(found: Iterable[InterfaceAddress], outwards: str = "") -> list[InterfaceAddress]:
    """The addresses that a browser elsewhere can ask for, the best first; `outwards` is the one of the default route, "" without one.

    Loopback is nobody else's, and an IPv6 address of a cable needs the asking computer's own name of that cable.
    """

    def order(one: InterfaceAddress) -> tuple[int, int, bool, bool, str, int]:
        address = one.address
        public = not (address.is_private or address.is_link_local)
        return one.rank, address.version, public, str(address) != outwards, one.interface, int(address)

    usable = (one for one in found if not (one.address.is_loopback or (one.address.version == 6 and one.address.is_link_local)))
    return sorted(usable, key=order)


def interface_addresses() -> Iterator[InterfaceAddress]:
    """All addresses of this computer; none where it is not allowed to look."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return
    for adapter in adapters:
        for ip in adapter.ips:
            address = ipaddress.ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            yield InterfaceAddress(adapter.name, address, is_tunnel(adapter.name))


def is_tunnel(interface: str, links: Path = LINKS) -> bool:
    """Whether the system says that an interface is neither a wire nor a Wi-Fi."""
    try:
        return (links / interface / "type").read_text().strip() != ETHERNET
    except OSError:
        return False


def outwards() -> str:
    """The address of this computer towards the rest of the world; "" without a default route."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect(NOWHERE)
            return str(way.getsockname()[0])
    except OSError:
        return ""


def own_addresses() -> list[InterfaceAddress]:
    """The addresses of this computer, the best first."""
    return best_first(interface_addresses(), outwards())


def own_names(host_name: str, domains: Iterable[str], answers: Iterable[str]) -> frozenset[str]:
    """The names of a computer in these domains, and those of a resolver's `answers` that begin with its own."""
    first = plain(host_name).partition(".")[0]
    if not first:
        return frozenset()
    inside = {f"{first}.{plain(domain)}" for domain in (MDNS, *domains) if plain(domain)}
    told = {plain(answer) for answer in answers}
    return frozenset({first, plain(host_name), *inside, *(name for name in told if name.partition(".")[0] == first)})


def search_domains(resolver: Path = RESOLVER) -> list[str]:
    """The domains in which the resolver looks for names without one."""
    try:
        text = resolver.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    lines = re.findall(r"^(?:search|domain)[ \t]+(.+)$", text, re.MULTILINE)
    return lines[-1].split() if lines else []  # the last one counts


def resolver_answers(addresses: Iterable[InterfaceAddress]) -> Iterator[str]:
    """What the resolver calls this computer. It can take its time: seconds, where nobody answers."""
    yield socket.getfqdn()
    for one in addresses:
        if one.rank == 0:
            try:
                yield socket.getnameinfo((str(one.address), 0), socket.NI_NAMEREQD)[0]
            except OSError:
                continue


def look_around() -> Network:
    """All that is known now; it can take seconds."""
    addresses = own_addresses()
    return Network(addresses, own_names(socket.gethostname(), search_domains(), resolver_answers(addresses)))


def without_resolver() -> Network:
    """What is known without asking anybody, at once."""
    return Network(own_addresses(), own_names(socket.gethostname(), search_domains(), ()))


class NetworkWatch:
    """Knows the network without ever waiting for it: a thread looks again when it is asked to."""

    def __init__(
        self,
        first: Callable[[], Network] = without_resolver,
        look: Callable[[], Network] = look_around,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`first` is known from the start; `look` is called by a thread of its own."""
        self._look = look
        self._now = now
        self._lock = threading.Lock()
        self._known = first()
        self._looking: Future[None] | None = None
        self._looked_at = float("-inf")

    @property
    def known(self) -> Network:
        """What was seen the last time."""
        return self._known

    def look_again(self) -> Future[None]:
        """Is done when the network has been looked at within the last seconds; safe from any thread."""
        with self._lock:
            if self._looking is None or (self._looking.done() and self._now() >= self._looked_at + LOOK_AGAIN_S):
                self._looked_at = self._now()
                self._looking = Future()
                threading.Thread(target=self._run, args=(self._looking,), name="network", daemon=True).start()
            return self._looking

    def _run(self, looking: Future[None]) -> None:
        try:
            self._known = self._look()
        finally:
            looking.set_result(None)
