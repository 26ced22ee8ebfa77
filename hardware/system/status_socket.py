"""A unix socket that sends a status to whoever connects to it; file permissions decide who may.

There is no question: the answer is a text, and then the connection ends. The socket is looked after by whoever owns it, from
the loop that does everything else, so nothing here waits.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

MODE = 0o660
WAITING = 8
"""How many may wait for their answer at once."""


class StatusSocket:
    """The socket at *path*; `poll` it often. A context manager."""

    def __init__(self, path: Path, status: Callable[[], str]) -> None:
        """*status* is called for each answer. A socket that nobody answers any more is replaced. Raises OSError.

        BlockingIOError if somebody answers there.
        """
        self.path = path
        self._status = status
        if answers(path):
            raise BlockingIOError(f"{path}: somebody answers there already")
        path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            self._socket.bind(str(path))
            path.chmod(MODE)
            self._socket.listen(WAITING)
        except OSError:
            self._socket.close()
            raise

    def fileno(self) -> int:
        """The file descriptor, to wait for."""
        return self._socket.fileno()

    def poll(self) -> None:
        """Answers all who have connected."""
        with suppress(BlockingIOError):
            while True:
                with self._socket.accept()[0] as connection, suppress(OSError):
                    connection.setblocking(False)
                    connection.sendall(self._status().encode())

    def close(self) -> None:
        """Takes the socket away; closing twice does no harm."""
        if self._socket.fileno() >= 0:
            self._socket.close()
            with suppress(OSError):
                self.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def answers(path: Path) -> bool:
    """Whether somebody listens at this socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
        return True


def ask(path: Path, timeout_s: float) -> str:
    """The answer of the socket at *path*. Raises OSError, TimeoutError among them."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(timeout_s)
        client.connect(str(path))
        parts = []
        while part := client.recv(65_536):
            parts.append(part)
    return b"".join(parts).decode()
