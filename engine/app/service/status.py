"""`underboard status`: where a running table is asked, and what its answer looks like to people.

`underboard run` answers at a socket: the installed service at /run/underboard/status.sock, one that a user has started in the
folder for that user's sockets, $XDG_RUNTIME_DIR/underboard. A table of `underboard play` is asked by the port of its page.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from underboard.errors import UnderboardError
from underboard.hardware.system.status_socket import ask as ask_socket

TIMEOUT_S = 5
SERVICE_FOLDER = Path("/run/underboard")
NAME = "status.sock"
WITHOUT_MOVER = {"set_up": "a game is being set up", "deal": "cards are being dealt"}
"""What happens in phases in which nobody moves."""


HEALTH = {"device", "state", "reason", "counters", "faulty"}
"""What is said of each device."""


class NoTable(UnderboardError, RuntimeError):
    """Nobody answers; the text says what to do."""

    fault = "player"


def runtime_folder(environment: Mapping[str, str]) -> Path:
    """Where a user's programs keep their sockets."""
    given = environment.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(given):
        return Path(given) / "underboard"
    usual = Path(f"/run/user/{os.getuid()}")
    # Not tempfile's folder, which has to be writable: a table is asked how it is on a disk that may not be written to, too.
    return usual / "underboard" if usual.is_dir() else Path(environment.get("TMPDIR") or "/tmp") / f"underboard-{os.getuid()}"


def service_socket(environment: Mapping[str, str]) -> Path:
    """Where `underboard run` answers: in the folder that the service manager has made, or in the user's."""
    given = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return (Path(given) if given else runtime_folder(environment)) / NAME


def candidates(environment: Mapping[str, str], service: Path = SERVICE_FOLDER) -> Sequence[Path]:
    """Where a table may answer, the installed one first."""
    return [service / NAME, runtime_folder(environment) / NAME]


def ask(paths: Sequence[Path]) -> dict[str, Any]:
    """What the first table says that answers. Raises NoTable."""
    silent = ""
    for path in paths:
        try:
            answer: dict[str, Any] = json.loads(ask_socket(path, TIMEOUT_S))
            if is_of_table(answer):
                return answer
        except PermissionError:
            raise NoTable(f"{path}: the table does not tell you: sudo underboard status, or sudo adduser $USER underboard") from None
        except TimeoutError:
            silent = f"{path}: the table does not answer; if it stays so: sudo systemctl restart underboard"
        except (OSError, ValueError):
            continue
    raise NoTable(
        silent
        or f"no table answers ({', '.join(map(str, paths))}): start one with `sudo systemctl start underboard` or `underboard run`;"
        " one of `underboard play` is asked with --port"
    )


def ask_page(port: int) -> Sequence[Mapping[str, Any]]:
    """The health of each device of the table with its page on `port` of this computer. Raises NoTable."""
    import urllib.request  # here, for it brings more than all else that the service loads
    from http.client import HTTPException

    with suppress(OSError, ValueError, HTTPException):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=TIMEOUT_S) as response:
            answer: Sequence[Mapping[str, Any]] = json.load(response)
        if are_devices(answer):
            return answer
    raise NoTable(f"no table answers on port {port}: start one with `underboard play`, which says its port")


def is_of_table(answer: Any) -> bool:
    """Whether it is a table that has answered, and not another program at that socket."""
    return isinstance(answer, dict) and "game" in answer and are_devices(answer.get("devices"))


def are_devices(answer: Any) -> bool:
    """Whether it is what a table tells of its devices, and not the health of another program."""
    return isinstance(answer, list) and all(isinstance(each, dict) and each.keys() >= HEALTH for each in answer)


def status_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    """What a table has answered, for people; the page of `underboard play` tells of its devices only."""
    if "game" in answer:
        yield f"game     {answer['game']}, {stands(answer)}"
        yield from [f"alert    {answer['alert']['text']}"] if answer["alert"] else []
    yield from device_lines(answer["devices"])
    if "journal" in answer:
        yield f"journal  {', '.join(filter(None, [answer['journal']['file'], answer['journal']['problem']]))}"
        yield from [f"page     {answer['page']['url'] or answer['page']['problem']}"] if answer["page"] else []
        yield f"version  {answer['version']}"
        yield f"up       {duration(answer['uptime_s'])}"
        yield from [f"trouble  {answer['last_error']['text']} ({answer['last_error']['at']})"] if answer["last_error"] else []


def stands(answer: Mapping[str, Any]) -> str:
    """Whose turn it is."""
    if answer["phase"] in WITHOUT_MOVER:
        return WITHOUT_MOVER[answer["phase"]]
    if answer["outcome"]["over"]:
        return "over"
    return f"{answer['to_move']} to move ({answer['phase']})"


def device_lines(devices: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line a device and one with what it has counted."""
    for device in devices:
        faulty = f"not trusted: {' '.join(device['faulty'])}" if device["faulty"] else ""
        yield f"{device['device']:<8} {', '.join(filter(None, [device['state'], device['reason'], faulty]))}"
        if device["counters"]:
            yield " " * 9 + ", ".join(f"{what} {count}" for what, count in device["counters"].items())


def duration(seconds: int) -> str:
    """As people say it: "3 h 12 min"."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s")]
    first = next((index for index, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2])
