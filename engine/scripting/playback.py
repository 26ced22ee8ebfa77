"""A table script or a journal as a playback: what the page would show after each of its lines, computed in virtual time.

`python -m underboard.engine.scripting.playback FILE`, or `--name NAME < FILE`, writes one JSON object a line as it is known:

    {"playback": {"name": …, "kind": "script" or "journal", "text": the script, "lines": [{"number": 4, "text": "place 4b"}, …]}}
    {"frame": {…}}      one for each of `lines`: what differs from the frame before (of `log`, what is new)
    {"error": "…"}      the file cannot be read; the text names the file, the line and the reason

It is a process of its own, because a long playback must not keep a table from its work, and one can stop looking at any time.
Nothing that the file says makes it write anywhere.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from underboard.engine.app.pixels import pixels
from underboard.engine.gamekit.overlay import Space
from underboard.engine.gamekit.panel import Line
from underboard.engine.gamekit.registry import find_presentation
from underboard.engine.journal.database import JournalError, read_match
from underboard.engine.journal.history import ResumeError
from underboard.engine.scripting.export import script_of
from underboard.engine.scripting.parser import ScriptError, ScriptLine, read_script
from underboard.engine.scripting.runner import Runner, decoded, played, set_table
from underboard.engine.view.game_log import GameLog
from underboard.engine.view.page_record import Surroundings, page_record
from underboard.engine.view.snapshot import pieces_on
from underboard.engine.view.visibility import seen_by_reader
from underboard.hardware.panel.picture import HEIGHT, WIDTH

SQLITE = b"SQLite format 3\0"
NICENESS = 5
DARK = base64.b64encode(bytes(WIDTH * HEIGHT // 8)).decode("ascii")


def script_in(path: Path, name: str) -> tuple[str, str]:
    """What a file is, "script" or "journal", and the script in it, or the one that the last match in the journal makes.

    `name` is what errors call the file. Raises ScriptError for what is neither.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ScriptError(f"{name}: {error.strerror}") from None
    if not content.startswith(SQLITE):
        return "script", decoded(content, name)
    try:
        entries = read_match(path)
        if not entries:
            raise ScriptError(f"{name}: there is no game in this journal")
        return "journal", "".join(f"{line}\n" for line in script_of(entries))
    except JournalError as error:
        raise ScriptError(str(error).replace(str(path), name)) from None
    except ResumeError as error:
        raise ScriptError(f"{name}: {error}") from None


def playback(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a playback. Raises ScriptError for a file that cannot be read."""
    kind, text = script_in(path, name)
    commands = read_script(text, name)
    lines = [{"number": command.number, "text": command.text} for command in commands]
    yield {"playback": {"name": name, "kind": kind, "text": text, "lines": lines}}
    with set_table(commands, name, leaves_files=False) as runner:
        yield from ({"frame": frame} for frame in differences(moments(runner, commands)))


def moments(runner: Runner, commands: Iterable[ScriptLine]) -> Iterator[dict[str, Any]]:
    """Everything that is to be seen after each command."""
    recorder = PageRecorder(runner)
    for command in commands:
        failure = played(runner, command)
        yield {"line": command.number, "t": runner.last["t"], "did": runner.last["did"], "failure": failure, **recorder.record()}


def differences(records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What each differs in from the one before; of the log only what is new, it never loses anything in the middle."""
    before: dict[str, Any] = {}
    for record in records:
        news = {key: value for key, value in record.items() if key not in before or before[key] != value}
        last = before["log"][-1]["number"] if before.get("log") else 0
        if "log" in news:
            news["log"] = [entry for entry in record["log"] if entry["number"] > last]
        yield news
        before = record


class PageRecorder:
    """What the page shows of a table that a script plays on; `record` is called once after each command."""

    def __init__(self, runner: Runner) -> None:
        """The power is on."""
        assert runner.program is not None
        self._runner = runner
        self._table = runner.program.app.table
        self._log = GameLog()
        self._pieces: dict[Space, str] = {}

    def record(self) -> dict[str, Any]:
        """Everything that is to be seen now; without power, the board as it was, and a dark panel."""
        program, box = self._runner.program, self._runner.box
        if program:
            self._table = program.app.table
        self._log.follow(self._table, self._runner.done)
        table, overlay = self._table, self._table.setup.overlay
        self._pieces = pieces_on(table, find_presentation(table.setup.game.id), sorted(overlay.names(box.tokens)), self._pieces)
        around = Surroundings(
            tokens=self._pieces,
            lines=[Line(text) for text in self._runner.last["screen"]],
            display=base64.b64encode(box.i2c.pixels().tobytes()).decode("ascii") if program else DARK,
            log=self._log.entries,
            contacts=sorted(overlay.names(program.box.board.contacts)) if program else [],
            draw=pixels,
            power=program is not None,
            faults=self._runner.faults.seen,
        )
        return dict(seen_by_reader(page_record(table, around)))


def main(arguments: Sequence[str]) -> int:
    """Writes the playback of a file, or with `--name NAME` of standard input; 2 if it cannot be read."""
    os.nice(NICENESS)
    with suppress(BrokenPipeError), TemporaryDirectory() as folder:
        path = Path(arguments[0])
        name = path.name
        if arguments[0] == "--name":
            path, name = Path(folder) / "file", arguments[1]
            path.write_bytes(sys.stdin.buffer.read())
        try:
            for record in playback(path, name):
                write(record)
        except ScriptError as error:
            write({"error": str(error)})
            return 2
    return 0


def write(record: Mapping[str, Any]) -> None:
    """One line, at once."""
    print(json.dumps(record, ensure_ascii=False, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
