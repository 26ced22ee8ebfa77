"""The program as a process: how soon it is there, what it takes while nobody plays, and how much memory an evening costs."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.memory import rss_mb
from tests.bench.rivals import ROOT
from tests.bench.rows import Row, limit

HELP_MS, READY_MS = 150, 800
IDLE_S, IDLE_PERCENT = 20, 2.0
RSS_MB, GROWTH_MB = 45, 1
STARTS = 7
UNDERBOARD = Path(sys.executable).with_name("underboard")
BARE = [sys.executable, "-c", "pass"]
SLEEPER = [sys.executable, "-c", "import time\nwhile True: time.sleep(0.005)"]
"""Wakes up as often as an idle table looks at its keys, and does nothing."""
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


class Service:
    """`underboard run --simulated` with a service manager that listens."""

    def __init__(self, folder: Path) -> None:
        """Starts it with everything it keeps in `folder`, and waits until it is ready."""
        notify = folder / "notify"
        environment = {"NOTIFY_SOCKET": str(notify), "STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)}
        config = folder / "table.toml"
        config.touch()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(str(notify))
            listener.settimeout(30)
            start = time.monotonic()
            self._process = subprocess.Popen(
                [UNDERBOARD, "run", "--simulated", "--config", config], env={**os.environ, **environment}, stderr=subprocess.DEVNULL
            )
            while listener.recv(4096) != b"READY=1":
                pass
            self.ready_ms = (time.monotonic() - start) * 1_000

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def stop(self) -> None:
        """Ends it as systemd would."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(10)


@contextmanager
def service() -> Iterator[Service]:
    """A service that is ready."""
    with TemporaryDirectory() as folder:
        running = Service(Path(folder))
        try:
            yield running
        finally:
            running.stop()


def processor_s(pid: int) -> float:
    """The processor time that a process has taken so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


class Spent(NamedTuple):
    """How long something took, and how much of that on the processor, in ms."""

    wall: float
    processor: float


def spent(command: Sequence[str | Path]) -> Spent:
    """What a command takes."""
    before, begun = getrusage(RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - begun, getrusage(RUSAGE_CHILDREN)
    return Spent(wall * 1_000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1_000)


def until_ready() -> Spent:
    """What the service takes until it is ready."""
    with service() as running:
        return Spent(running.ready_ms, processor_s(running.pid) * 1_000)


def start(key: str, what: str, ours: Callable[[], Spent], most: float) -> Row:
    """A start, the best of several since others use this computer, too; compared later by processor time beside a bare interpreter's."""
    pairs = [(ours(), spent(BARE)) for _ in range(STARTS)]
    steady = median(bare.processor / mine.processor for mine, bare in pairs)
    return limit(key, what, "ms", min(mine.wall for mine, _ in pairs), most, steady)


def idle() -> list[Row]:
    """What a table takes at which nobody plays, beside a loop that only sleeps: waking up has its price, a high one on a busy computer."""
    with service() as running, subprocess.Popen(SLEEPER) as sleeper:
        time.sleep(2)  # the display is set up once more after a second
        pids = running.pid, sleeper.pid
        before, begun = [processor_s(pid) for pid in pids], time.monotonic()
        time.sleep(IDLE_S)
        spent = time.monotonic() - begun
        percent, bare = (100 * (processor_s(pid) - then) / spent for pid, then in zip(pids, before, strict=True))
        rss = rss_mb(running.pid)
        sleeper.kill()
    return [
        limit("idle/processor", f"idle service (a bare loop: {bare:.1f} %)", "%", percent, IDLE_PERCENT, bare / percent),
        limit("idle/rss", "idle service, memory", "MB", rss, RSS_MB),
    ]


def evening() -> list[Row]:
    """Memory after a long evening, and how much of it came in the last quarter."""
    told = subprocess.run([sys.executable, "-m", "tests.bench.evening"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    samples = {int(actions): float(mb) for actions, mb in json.loads(told).items()}
    *_, before, last = samples.values()
    return [
        limit("evening/rss", f"memory after {max(samples):,} actions", "MB", last, RSS_MB),
        limit("evening/growth", "the same, growth in the last quarter", "MB", max(0.0, last - before), GROWTH_MB, steady=1.0),
    ]


def rows() -> list[Row]:
    """Starts, idleness and memory."""
    return [
        start("start/help", "underboard --help", lambda: spent([UNDERBOARD, "--help"]), HELP_MS),
        start("start/ready", "underboard run until READY", until_ready, READY_MS),
        *idle(),
        *evening(),
    ]
