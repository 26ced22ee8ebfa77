"""Who may come in, by which address, and what they may do there.

On this computer alone the table's page is simply there. With `--host` it is not: whoever is in the same network could ask
for it. Then the table and each seat have an address with a key in it that nobody guesses, and those who only watch have
one without, where nothing can be sent.

    address             who                 may
    /                   the table           everything; with keys only a way to `watch/`
    /watch/             spectators          look
    /KEY/               the table, a seat   everything; what hands do

Keys are made of one secret, so the same addresses are right after a restart; whoever wants others throws the secret away.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import os
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import segno

LOOPBACK = "127.0.0.1"
OWN_NAMES = (LOOPBACK, "localhost", "[::1]")
WATCH = "watch"
MOST_SEATS = 8
KEY_BYTES = 16
SECRET_BYTES = 32
NOWHERE = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737); no packet is sent to find out which way it would go."""

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
    """An address that leads in, and the rows of its QR code: "1" is dark."""

    url: str
    code: Sequence[str]


class AccessRules:
    """The addresses of one server at `host` and `port`; with a `secret` the table and the seats are behind keys."""

    def __init__(self, port: int, host: str = LOOPBACK, secret: bytes | None = None, *, table: bool = True) -> None:
        """Without `table` there are only spectators. ValueError if a table would be open to a network without a secret."""
        self._port = port
        self._host = host
        self._secret = secret
        if table and secret is None and not is_loopback(host):
            raise ValueError(f"{host} is more than this computer: a secret is needed")
        self._links: dict[Access, Link] = {}
        self._rules = {WATCH: SPECTATORS}
        if table and secret is None:
            self._rules[""] = TABLE
        elif table:
            self._rules |= {self._key(access): access for access in (TABLE, *SEATS)}

    def find(self, name: str) -> Access | None:
        """The access of an address by its first part; None if there is none."""
        return self._rules.get(name)

    @property
    def locked(self) -> bool:
        """Whether table and seats are behind keys."""
        return "" not in self._rules

    def link(self, access: Access) -> Link:
        """The address of an access as others can reach it."""
        if access not in self._links:
            name = next(name for name, other in self._rules.items() if other == access)
            url = f"http://{reachable(self._host)}:{self._port}/{name}{'/' if name else ''}"
            self._links[access] = Link(url, qr_code(url))
        return self._links[access]

    def expects(self, host: str | None) -> bool:
        """Whether a request that was addressed to this name is for us.

        Another page can make a browser ask us under a name of its own, but not under our names or a bare number.
        """
        name, port = split_host(host or "")
        if port != self._port:
            return False
        if is_loopback(self._host):
            return name in OWN_NAMES
        return name in {*OWN_NAMES, self._host, socket.gethostname(), f"{socket.gethostname()}.local"} or is_number(name)

    def _key(self, access: Access) -> str:
        digest = hmac.digest(self._secret or b"", access.audience.encode(), hashlib.sha256)[:KEY_BYTES]
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def split_host(host: str) -> tuple[str, int]:
    """The name and the port in a Host header; -1 for a port that is none."""
    name, colon, port = host.rpartition(":")
    if not colon or "]" in port:
        return host, 80
    return name, int(port) if port.isascii() and port.isdecimal() else -1


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach this address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_number(name: str) -> bool:
    """Whether a host is named by its number."""
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def reachable(host: str) -> str:
    """What others call a host; for "all addresses" the one by which this computer speaks to the network."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect(NOWHERE)
            return str(way.getsockname()[0])
    except OSError:
        return socket.gethostname()


def qr_code(url: str) -> Sequence[str]:
    """The QR code of an address, row by row."""
    return ["".join(map(str, row)) for row in segno.make(url, error="m", micro=False).matrix]


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
