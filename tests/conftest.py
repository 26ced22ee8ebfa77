"""What all tests share: hypothesis profiles, the option that writes the golden playthroughs anew, and dialogues.

A dialogue is a function from one line of the rules protocol to (success, text); tests ask for the fixture `ask`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from engine.rules_protocol import RulesProtocol

Ask = Callable[[str], tuple[bool, str]]

settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden playthroughs anew instead of comparing them")


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
    command = [sys.executable, "-m", "engine.cli", "rules"]
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
