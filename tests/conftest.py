"""What all tests share: hypothesis profiles, the option that writes the golden playthroughs anew, and dialogues.

A dialogue is a function from one line of the rules protocol to (success, text); tests ask for the fixture `ask`.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from underboard.engine.scripting.rules_protocol import RulesProtocol

Ask = Callable[[str], tuple[bool, str]]

settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-game", action="store_true", help="play the long games in the browser, too: minutes")
    parser.addoption("--update-golden", action="store_true", help="write the golden playthroughs anew instead of comparing them")


@pytest.fixture(scope="session", autouse=True)
def _nobodys_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Games, decks and cell maps of whoever runs the tests are neither read nor written."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        environment.delenv("STATE_DIRECTORY", raising=False)
        yield


def read_answer(answer: str) -> tuple[bool, str]:
    """(success, text) of a whole answer, whose frame must be right."""
    frame = re.fullmatch(r"([=?])[0-9]* (.*)\n\n", answer, re.DOTALL)
    assert frame, f"no well-formed answer: {answer!r}"
    assert "\n\n" not in frame[2], f"an empty line inside an answer: {answer!r}"
    return frame[1] == "=", frame[2]


@pytest.fixture
def ask() -> Ask:
    """A dialogue with the engine in this process."""
    protocol = RulesProtocol()

    def one(line: str) -> tuple[bool, str]:
        answer = protocol.answer(line)
        assert answer is not None, f"no answer to {line!r}"
        return read_answer(answer)

    return one


@pytest.fixture(scope="session")
def ask_process() -> Iterator[Ask]:
    """A dialogue with `underboard rules` as one long-lived process. Games that others left running are still there."""
    command = [sys.executable, "-m", "underboard", "rules"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def one(line: str) -> tuple[bool, str]:
            stdin.write(line + "\n")
            stdin.flush()
            lines = [stdout.readline()]
            while lines[-1] not in ("\n", ""):
                lines.append(stdout.readline())
            return read_answer("".join(lines))

        yield one
        stdin.close()
        assert process.wait(10) == 0


class Play:
    """`underboard play` as a process of its own, without a browser, on any free port unless one is given; all it keeps is in `folder`."""

    def __init__(self, folder: Path, *arguments: str, port: int = 0, journal: Path | None = None) -> None:
        self.journal = journal
        kept = ["--journal", str(journal)] if journal else []
        command = [sys.executable, "-m", "underboard", "play", *arguments, "--no-browser", "--port", str(port), *kept]
        environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=environment)
        assert self.process.stdout is not None
        lines = iter(self.process.stdout.readline, "")
        self.greeting = "".join(itertools.takewhile(lambda line: not line.startswith("Ctrl-C"), lines))
        found = re.search(r"http://[^/]+:([0-9]+)/\S*", self.greeting)
        self.url = found[0] if found else ""
        self.port = int(found[1]) if found else 0

    def stop(self) -> tuple[int, str, str]:
        """Ctrl-C; exit status, the rest of the output and the errors."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        output, errors = self.process.communicate(timeout=10)
        return self.process.returncode, output, errors


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Play]]:
    """Opens tables on one journal: `play("hack_trick", "target=1", port=0)`; they are closed after the test.

    With `journal=None` games are kept where they are when none is named, each game in its own.
    """
    tables: list[Play] = []

    def start(*arguments: str, port: int = 0, journal: Path | None = tmp_path / "journal.sqlite3") -> Play:
        tables.append(Play(tmp_path, *arguments, port=port, journal=journal))
        return tables[-1]

    yield start
    for table in tables:
        if table.process.returncode is None:
            table.stop()
