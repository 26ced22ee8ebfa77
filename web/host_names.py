"""How a host is named in an address: names, numbers, and the header of a request that holds one."""

from __future__ import annotations

import ipaddress
import re

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = frozenset({LOOPBACK, "localhost", "[::1]"})
HTTP_PORT = 80
LABEL = "[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?"
LONGEST_HOST_NAME = 253


def plain(name: str) -> str:
    """A host name as it is compared: without case, and without the dot that can stand at its end."""
    return name.lower().removesuffix(".")


def split_host(host: str) -> tuple[str, int]:
    """The name, as names are compared, and the port in a Host header; -1 for a port that is none."""
    name, colon, port = host.rpartition(":")
    if not colon or "]" in port:
        return plain(host), HTTP_PORT
    return plain(name), int(port) if re.fullmatch("[0-9]{1,5}", port) else -1


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


def is_host_name(name: str) -> bool:
    """Whether a computer can be called so; a number is no name."""
    labels = plain(name).split(".")
    fits = len(name) <= LONGEST_HOST_NAME and all(re.fullmatch(LABEL, label) for label in labels)
    return fits and not labels[-1].isdecimal()


def in_address(host: str) -> str:
    """A host as it stands in an address of a page."""
    return f"[{host}]" if ":" in host else host
