"""Turns SIGINT and SIGTERM into a callback."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ended_by_signals(end: Callable[[], object]) -> Iterator[None]:
    """Inside, Ctrl-C and SIGTERM call *end*, which must be fit for a signal handler: a flag, or a SimpleQueue."""

    def handle(number: int, frame: FrameType | None) -> None:
        end()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
