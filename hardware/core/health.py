"""The state and the counters of a device, in the same form for all devices, to be shown and logged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Any, Literal, Protocol

from underboard.hardware.core.cells import Cell

DeviceState = Literal["absent", "probing", "ready", "fault"]
"""Not there, being looked for, in use, or there and of no use."""


class Device(Protocol):
    """A device with a state, and the reason for it if it is not ready."""

    @property
    def state(self) -> str:
        """absent, probing, ready or fault."""

    @property
    def reason(self) -> str:
        """Why it is not ready, in words; empty if it is."""


@dataclass(frozen=True)
class CellHealth:
    """Counters of one cell of the board since the start of the program."""

    edges: int = 0
    """Readings other than the one before, bounce and noise included."""
    chatters: int = 0
    """How often it has begun to chatter or to flutter."""


@dataclass(frozen=True)
class Health:
    """The state and the counters of one device. Counters count since the start of the program; a device says itself which it has."""

    device: str
    state: str
    """absent, probing, ready or fault."""
    reason: str
    """Why it is not ready, in words; empty if it is."""
    counters: Mapping[str, int] = field(default_factory=dict)
    faulty: frozenset[Cell] = frozenset()
    """Cells of the board that are not believed now."""
    cells: Mapping[Cell, CellHealth] = field(default_factory=dict)
    """The cells of the board that have changed at all."""


def record_of(health: Health, name: Callable[[Cell], str]) -> dict[str, Any]:
    """The health as JSON values, without the single cells; *name* is what a cell is called."""
    return {
        "device": health.device,
        "state": health.state,
        "reason": health.reason,
        "counters": dict(health.counters),
        "faulty": sorted(map(name, health.faulty)),
    }


def health_of(name: str, device: Device) -> Health:
    """How a device without cells is."""
    return Health(name, device.state, device.reason, counts(device))


def counts(device: object) -> dict[str, int]:
    """The ``counters`` of a device, a mapping or a dataclass of numbers; empty if it counts nothing."""
    counters: Any = getattr(device, "counters", {})
    return asdict(counters) if is_dataclass(counters) and not isinstance(counters, type) else dict(counters)
