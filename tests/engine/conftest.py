"""A small disk of its own, for tests of what happens when it is full or may not be written to."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """`tmp_path` as a disk of one megabyte."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    if os.getuid() or not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a disk")
    yield tmp_path
    subprocess.run(["umount", "-l", tmp_path], check=True)


def fill(file: Path) -> None:
    """Takes all the room there is on a disk."""
    with suppress(OSError), file.open("wb", buffering=0) as rubbish:
        while rubbish.write(bytes(4096)):
            pass
