"""Faults of a simulated table in words, as scripts and the page say them: `cell 4b stuck=closed`.

This module only reads them; `underboard.hardware.simulator.faults` puts them on a box.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from underboard.engine.base.durations import CENTURY, duration
from underboard.engine.base.errors import BadArgument
from underboard.engine.gamekit.overlay import Overlay, Space


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that breaks or is repaired: a part of the box, what happens to it, and of what strength.

    `space` is what is over the sensor for the part "cell". Values: "closed" or "open" for `stuck`, milliseconds for `chatter` and `jump`,
    whether they are fitted for `diodes`, a share for `noise`, a port's name or None for `replug`, (errno, times) for `errno`,
    bytes for `bytes`.
    """

    part: str
    kind: str
    value: Any = None
    space: Space = ""


def read_fault(text: str, overlay: Overlay, cable: bool) -> Fault:
    """A fault from its words; `cable` tells whether the board is on one. Raises BadArgument that says what there is."""
    part, *given = text.split() or [""]
    if part == "cell":
        if len(given) != 2:
            raise BadArgument("fault cell C stuck=closed|stuck=open|chatter=TIME|ok")
        overlay.cell(given[0])
        return Fault(part, *cell_fault(given[1]), given[0])
    if part not in FAULTS:
        raise BadArgument(f"fault '{part}': there are cell, {', '.join(FAULTS)}")
    if part == "board" and not cable:
        raise BadArgument("fault board: there is no cable to pull on a table with board=gpio")
    return Fault(part, *FAULTS[part](given))


def cell_fault(word: str) -> tuple[str, Any]:
    """`stuck=closed`, `stuck=open`, `chatter=2s` or `ok`."""
    kind, _, value = word.partition("=")
    if word == "ok":
        return "ok", None
    if kind == "stuck":
        if value not in ("closed", "open"):
            raise BadArgument(f"stuck={value}: allowed are closed, open")
        return kind, value
    if kind == "chatter":
        return kind, duration(value)
    raise BadArgument(f"'{word}': a cell can be stuck=closed, stuck=open, chatter=TIME or ok")


def matrix_fault(given: Sequence[str]) -> tuple[str, Any]:
    """`diodes=on|off` or `noise=1%`."""
    kind, _, value = (given[0] if len(given) == 1 else "").partition("=")
    if kind == "diodes":
        if value not in ("on", "off"):
            raise BadArgument(f"diodes={value}: allowed are on, off")
        return kind, value == "on"
    share = re.fullmatch(r"([0-9]{1,2}(?:\.[0-9]+)?)%", value, re.ASCII)
    if kind == "noise" and share:
        return kind, float(share[1]) / 100
    raise BadArgument("fault matrix diodes=on|diodes=off|noise=1%")


def cable_fault(what: str, given: Sequence[str]) -> tuple[str, str | None]:
    """`unplug`, `replug` or `replug port=NAME`."""
    match = re.fullmatch(r"(unplug)|(replug)(?: port=([A-Za-z0-9_.-]{1,40}))?", " ".join(given), re.ASCII)
    if not match:
        raise BadArgument(f"fault {what} unplug|replug [port=NAME]")
    return match[1] or match[2], match[3]


def oled_fault(given: Sequence[str]) -> tuple[str, Any]:
    """`detach`, `attach` or `errno=121 times=1`."""
    if list(given) in (["detach"], ["attach"]):
        return given[0], None
    match = re.fullmatch(r"errno=([0-9]{1,3})(?: times=([0-9]{1,6}))?", " ".join(given), re.ASCII)
    if not match:
        raise BadArgument("fault oled detach|attach|errno=NUMBER [times=NUMBER]")
    return "errno", (int(match[1]), int(match[2] or 1))


def reader_fault(given: Sequence[str]) -> tuple[str, Any]:
    """`unplug`, `replug` with or without `port=NAME`, or `bytes` and what reaches the computer in hex."""
    text = "".join(given[1:])
    if given and given[0] == "bytes" and re.fullmatch("(?:[0-9A-Fa-f]{2})+", text):
        return "bytes", bytes.fromhex(text)
    if given and given[0] in ("unplug", "replug"):
        return cable_fault("reader", given)
    raise BadArgument("fault reader unplug|replug [port=NAME]|bytes HEX")


def clock_fault(given: Sequence[str]) -> tuple[str, int]:
    """`+14d`, `-3h`: milliseconds that the wall clock jumps."""
    text = given[0] if len(given) == 1 else ""
    if text[:1] not in ("+", "-"):
        raise BadArgument("fault clock +TIME or -TIME, like +14d")
    return "jump", duration(text[1:], CENTURY) * (-1 if text[0] == "-" else 1)


FAULTS: dict[str, Callable[[Sequence[str]], tuple[str, Any]]] = {
    "matrix": matrix_fault,
    "oled": oled_fault,
    "clock": clock_fault,
    "board": partial(cable_fault, "board"),
    "reader": reader_fault,
}
