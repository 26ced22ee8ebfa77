"""Who may come in, by which address, and what they may do there.

On this computer alone the table's page is simply there. With `--host` it is not: whoever is in the same network could ask
for it. Then the table and each seat have an address with a key in it that nobody guesses, and those who only watch have
one without, where nothing can be sent. docs/network.md says how hard a key is to guess.

    address             who                 may
    /                   the table           everything; with keys only a way to `watch/`
    /watch/             spectators          look
    /KEY/               the table, a seat   everything; what hands do

Keys are made of one secret, so the same addresses are right after a restart; whoever wants others throws the secret away.

A page of somebody else can make a browser ask us under a name of its own, as if we were part of it (DNS rebinding). So only
requests under a name of ours are answered, or under a bare number, which no page can give away.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import segno

from underboard.web.host_names import LOOPBACK, LOOPBACK_NAMES, in_address, is_loopback, is_number, plain, split_host
from underboard.web.network import MDNS, NetworkWatch

ALL_ADDRESSES = ("0.0.0.0", "::")
LOOK_S = 3
"""How long somebody who asks under an unknown name waits for a resolver that is slow."""
WATCH = "watch"
MOST_SEATS = 8
KEY_CHARACTERS = 12
"""Of 32 letters and digits each, so 60 bits. With an IPv4 address before it such a link fits into a QR code of version 3."""
SECRET_BYTES = 32

Right = Literal["all", "hands", "none"]


@dataclass(frozen=True, slots=True)
class Access:
    """The audience behind an address ("table", "watch", "seat 1", …), and what it may do."""

    audience: str
    right: Right


TABLE = Access("table", "all")
SPECTATORS = Access("watch", "none")
SEATS = tuple(Access(f"seat {number}", "hands") for number in range(1, MOST_SEATS + 1))


@dataclass(frozen=True, slots=True)
class Link:
    """An address that leads in, the rows of its QR code ("1" is dark), and where it can be found, too, the likeliest first."""

    url: str
    code: Sequence[str]
    others: Sequence[str] = ()


class AccessRules:
    """The addresses of one server at `host` and `port`; with a `secret` the table and the seats are behind keys."""

    def __init__(
        self,
        port: int,
        host: str = LOOPBACK,
        secret: bytes | None = None,
        *,
        keyed: Sequence[Access] = (TABLE, *SEATS),
        names: Iterable[str] = (),
        network: NetworkWatch | None = None,
    ) -> None:
        """`keyed` are those who may come in beside spectators; `names` are further ones of this computer.

        ValueError if a table or a seat would be open to a network without a secret.
        """
        self._port = port
        self._host = host
        self._secret = secret
        self._names = frozenset(map(plain, names))
        if keyed and secret is None and not is_loopback(host):
            raise ValueError(f"{host} is more than this computer: a secret is needed")
        self._network = None if is_loopback(host) else network or NetworkWatch()
        self._links: dict[tuple[Access, Sequence[str]], Link] = {}
        self._rules = {WATCH: SPECTATORS}
        if secret is not None:
            self._rules |= {self._key(access): access for access in keyed}
        elif TABLE in keyed:
            self._rules[""] = TABLE

    def find(self, name: str) -> Access | None:
        """The access of an address by its first part; None if there is none."""
        return self._rules.get(name.lower())

    @property
    def locked(self) -> bool:
        """Whether table and seats are behind keys."""
        return "" not in self._rules

    def link(self, access: Access) -> Link:
        """The address of an access as others can reach it."""
        hosts = tuple(self.hosts)
        if (access, hosts) not in self._links:
            name = next(name for name, other in self._rules.items() if other == access)
            first, *others = (f"http://{host}:{self._port}/{name}{'/' if name else ''}" for host in hosts)
            self._links[access, hosts] = Link(first, qr_code(first), others)
        return self._links[access, hosts]

    @property
    def hosts(self) -> list[str]:
        """What others can call this computer, the best first: addresses, then the names that were given and the one of mDNS."""
        if self._network is None or self._host not in ALL_ADDRESSES:
            return [in_address(self._host), *sorted(self._names - {self._host})]
        known = self._network.known
        addresses = [one.host for one in known.addresses if one.address.version == 4 or self._host == "::"]
        names = [*sorted(self._names), *(name for name in sorted(known.names) if name.endswith(f".{MDNS}"))]
        return [*addresses, *names] or [LOOPBACK]

    @property
    def addresses(self) -> list[str]:
        """Where spectators find this computer, without any key; the table, where it has no key."""
        return [f"http://{host}:{self._port}/{WATCH + '/' if self.locked else ''}" for host in self.hosts]

    def expects(self, host: str | None) -> bool:
        """Whether a request that was addressed to this name is for us."""
        name, port = split_host(host or "")
        if port != self._port:
            return False
        if name in LOOPBACK_NAMES or name in self._names:
            return True
        return self._network is not None and (is_number(name) or name == plain(self._host) or name in self._network.known.names)

    def is_own_page(self, host: str | None, origin: str | None) -> bool:
        """Whether what asks is a page of ours, as it was asked for under this name, or no page at all."""
        scheme, _, at = (origin or "").partition("://")
        return origin is None or (scheme == "http" and split_host(at) == split_host(host or ""))

    def look_again(self) -> None:
        """Learns in a while what this computer is called now: addresses and names change."""
        if self._network is not None:
            self._network.look_again()

    async def after_looking_again(self) -> None:
        """Waits a moment until it is known what this computer is called now."""
        if self._network is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await asyncio.shield(asyncio.wrap_future(self._network.look_again()))

    def _key(self, access: Access) -> str:
        digest = hmac.digest(self._secret or b"", access.audience.encode(), hashlib.sha256)
        return base64.b32encode(digest).decode().lower()[:KEY_CHARACTERS]


def qr_code(url: str) -> Sequence[str]:
    """The QR code of an address, row by row: as small as can be, and as robust as that size allows."""
    return ["".join(map(str, row)) for row in segno.make(url, error="l", boost_error=True, micro=False).matrix]


def keep_secret(path: Path) -> bytes:
    """The secret in a file that only its owner can read, a new one if there is none. Raises OSError."""
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        secret = b""
    if len(secret) == SECRET_BYTES:
        return secret
    secret = secrets.token_bytes(SECRET_BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
    return secret
