"""Names of hosts: how they are compared, and what a Host header says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.web.host_names import in_address, is_host_name, is_loopback, is_number, plain, split_host

NAMES = st.from_regex(r"[a-zA-Z0-9]([a-zA-Z0-9-]{0,10}[a-zA-Z0-9])?(\.[a-zA-Z]{1,10}){0,3}", fullmatch=True)


@pytest.mark.parametrize(
    ("host", "parts"),
    [
        ("a:1", ("a", 1)),
        ("a", ("a", 80)),
        ("GamePi.:8020", ("gamepi", 8020)),
        ("[::1]", ("[::1]", 80)),
        ("[FE80::1]:5", ("[fe80::1]", 5)),
        ("a:x", ("a", -1)),
        ("a:²", ("a", -1)),
        ("a:", ("a", -1)),
        ("a:+1", ("a", -1)),
        ("a:" + "1" * 5_000, ("a", -1)),
        ("", ("", 80)),
    ],
)
def test_a_host_header_is_a_name_and_a_port(host: str, parts: tuple[str, int]) -> None:
    assert split_host(host) == parts


@given(host=st.text(max_size=300))
def test_any_header_is_read(host: str) -> None:
    name, port = split_host(host)
    assert name == plain(name) or name.endswith(".")
    assert -1 <= port < 100_000


@given(name=NAMES, port=st.integers(0, 65535), dot=st.sampled_from(("", ".")))
def test_case_and_a_dot_at_the_end_make_no_difference(name: str, port: int, dot: str) -> None:
    for written in (name, name.upper(), name.lower()):
        assert split_host(f"{written}{dot}:{port}") == (name.lower(), port)
        assert split_host(f"{written}{dot}") == (name.lower(), 80)


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("game", True),
        ("Game.Example.", True),
        ("my_pi.lan", True),
        ("192.168.1.5", False),
        ("game:8020", False),
        ("http://game", False),
        ("game.", True),
        ("game..example", False),
        ("-game", False),
        ("", False),
        ("ö.example", False),
        ("a" * 64, False),
        (".".join(["a" * 60] * 5), False),
    ],
)
def test_names_that_a_computer_can_have(name: str, fits: bool) -> None:
    assert is_host_name(name) is fits


def test_numbers_and_addresses_of_this_computer_alone() -> None:
    assert [is_number(name) for name in ("10.0.0.1", "[fd00::1]", "::1", "game", "10.0.0.1.example", "")] == [True] * 3 + [False] * 3
    assert [is_loopback(name) for name in ("localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "game")] == [True] * 4 + [False] * 2
    assert [in_address(host) for host in ("fd00::1", "10.0.0.1", "game")] == ["[fd00::1]", "10.0.0.1", "game"]
