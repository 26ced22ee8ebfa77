"""Opening the port that a page is served at, with words that help where it cannot be."""

from __future__ import annotations

import errno
import socket

from underboard.errors import UnderboardError
from underboard.web.host_names import LOOPBACK
from underboard.web.server import listen

PORTS_TRIED = 100


class PlayError(UnderboardError, RuntimeError):
    """The table cannot be opened; the text says why and what to do."""

    fault = "configuration"


def open_port(port: int, host: str = LOOPBACK) -> socket.socket:
    """A socket that takes connections. Raises PlayError that names a free port, or says that the address is none of ours."""
    try:
        return listen(port, host)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise PlayError(f"--host {host}: this computer has no such address ({error.strerror}); 0.0.0.0 means all it has") from None
        raise PlayError(f"port {port} cannot be used ({error.strerror}): try --port {free_port(port)}") from None


def free_port(taken: int) -> int:
    """The next port that is free, 0 (any) if there is none nearby."""
    for port in range(max(taken + 1, 1024), min(max(taken, 1024) + PORTS_TRIED, 65536)):
        try:
            listen(port).close()
        except OSError:
            continue
        return port
    return 0
