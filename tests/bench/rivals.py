"""The environment with the rivals that `make bench` sets up: a process that plays UNO, and pad4pi's module."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]
ENVIRONMENT = ROOT / "build" / "bench-venv"


class Uno:
    """RLCard's UNO game in a process of its own. A context manager."""

    def __init__(self, seconds: float) -> None:
        """Each measurement takes so many seconds of processor time."""
        self._seconds = seconds
        python = ENVIRONMENT / "bin" / "python"
        if not python.exists():
            raise FileNotFoundError(f"{ENVIRONMENT} is missing: make bench sets it up")
        self._process = subprocess.Popen(
            [python, Path(__file__).with_name("uno.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def steps_a_second(self) -> float:
        """How many steps it makes in a second of processor time."""
        assert self._process.stdin
        assert self._process.stdout
        print(self._seconds, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.communicate()


def pad4pi(gpio: ModuleType) -> Any:
    """pad4pi's module over `gpio` in the place of RPi.GPIO, which can only be imported on a Pi."""
    path = next(ENVIRONMENT.glob("lib/python3*/site-packages/pad4pi/rpi_gpio.py"))
    spec = spec_from_file_location("pad4pi_rpi_gpio", path)
    assert spec
    assert spec.loader
    package = ModuleType("RPi")
    package.GPIO = gpio  # type: ignore[attr-defined]
    names = {"RPi": package, "RPi.GPIO": gpio}
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        for name, known in before.items():
            if known is None:
                del sys.modules[name]
            else:
                sys.modules[name] = known
    return module
