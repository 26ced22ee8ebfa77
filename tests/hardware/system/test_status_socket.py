"""The socket that answers whoever may connect to it."""

from __future__ import annotations

import socket
import stat
import threading
from pathlib import Path

import pytest

from underboard.hardware.system.status_socket import MODE, StatusSocket, answers, ask


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "status.sock"


def asked(served: StatusSocket) -> str:
    """The answer to somebody in another thread."""
    told: list[str] = []
    client = threading.Thread(target=lambda: told.append(ask(served.path, 5)))
    client.start()
    while client.is_alive():
        served.poll()
        client.join(0.005)
    return told[0]


def test_everybody_gets_the_newest_answer(path: Path) -> None:
    answers = iter(["first", "szép " * 10_000])
    with StatusSocket(path, lambda: next(answers)) as served:
        assert asked(served) == "first"
        assert asked(served) == "szép " * 10_000


def test_only_owner_and_group_may_ask(path: Path) -> None:
    with StatusSocket(path, str):
        assert stat.S_IMODE(path.stat().st_mode) == MODE == 0o660


def test_somebody_who_does_not_listen_is_no_hindrance(path: Path) -> None:
    with (
        StatusSocket(path, lambda: "x" * 10_000_000) as served,
        socket.socket(socket.AF_UNIX) as lazy,
        socket.socket(socket.AF_UNIX) as gone,
    ):
        lazy.connect(str(path))
        gone.connect(str(path))
        gone.close()
        served.poll()


def test_the_socket_goes_with_its_owner(path: Path) -> None:
    served = StatusSocket(path, str)
    assert answers(path)
    served.close()
    served.close()
    assert not path.exists()


def test_a_socket_left_over_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with StatusSocket(path, lambda: "new") as served:
        assert asked(served) == "new"


def test_one_that_is_in_use_is_left_alone(path: Path) -> None:
    with StatusSocket(path, lambda: "old") as served:
        with pytest.raises(BlockingIOError, match="somebody answers"):
            StatusSocket(path, lambda: "new")
        served.poll()
        assert asked(served) == "old"


def test_a_place_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        StatusSocket(tmp_path / "no" / "status.sock", str)
    with pytest.raises(OSError):
        ask(tmp_path / "no.sock", 1)
