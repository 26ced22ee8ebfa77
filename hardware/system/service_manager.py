"""Notifies systemd from a service of Type=notify: lines of text in one datagram to the socket that it names.

That is the whole protocol, so it is spoken here; a library for it would be more lines to read. Without systemd nothing is
said. Nothing here raises: a game does not end because nobody listens.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress


class ServiceManager:
    """The service manager that has started this program, if one has, and how it is notified."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """The variables NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID say what is wanted."""
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._status = ""
        self.watchdog_ms = watchdog_ms(environment) if self._address else None
        """Within this time `alive` is expected again and again; None if it is not."""

    def ready(self) -> None:
        """The program does what it is there for, from now on."""
        self._tell("READY=1")

    def status(self, text: str) -> None:
        """What `systemctl status` shows; said again only if it has changed."""
        if text != self._status:
            self._status = text
            self._tell(f"STATUS={text}")

    def alive(self) -> None:
        """Feeds the watchdog."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """The program is about to end, for it was asked to."""
        self._tell("STOPPING=1")

    def _tell(self, line: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
            sender.sendto(line.replace("\n", " ").encode(), self._address)


def watchdog_ms(environment: Mapping[str, str]) -> int | None:
    """How often at least the watchdog wants to be fed; None if it does not, or if another process is meant."""
    microseconds, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not microseconds.isdecimal() or process not in ("", str(os.getpid())):
        return None
    return int(microseconds) // 1000 or None
