"""The memory of processes."""

from __future__ import annotations

from pathlib import Path


def rss_mb(pid: int) -> float:
    """The memory that a process really has now, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1_024 / 1e6
