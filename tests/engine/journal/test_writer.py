"""The writer: whatever becomes of the disk the game goes on, and everything is written once it can be."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.conftest import fill
from underboard.engine.journal.causes import Cause
from underboard.engine.journal.database import Entry, Journal, JournalError, open_journal, read_game, read_match
from underboard.engine.journal.writer import FAILED, FIRST_RETRY_MS, LAST_RETRY_MS, LOOK_MS, PROBLEMS, JournalWriter, open_writer, unwritten

WALL = datetime(2024, 5, 1, 20, 15, tzinfo=UTC)
NEW = Entry("new", "new_game hack_trick", [], {"setup": {"game": "hack_trick"}, "record": {"row": [1, 2]}})
NEXT = Entry("next", "next", [], {"setup": {}, "record": {}})
DEEDS = [Entry("do", f"infect {number}", ["4a"]) for number in range(8)]
UNDO = Entry("undo", "undo", [])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening" / "journal"


@pytest.fixture
def writer(path: Path) -> Iterator[JournalWriter]:
    with closing(open_writer(path)) as writer:
        yield writer


def keep(writer: JournalWriter, now: int, *entries: Entry) -> None:
    for entry in entries:
        writer.append(entry, WALL, now)


def fail(disk: pytest.MonkeyPatch, cause: Cause) -> list[int]:
    """From now on nothing can be written; answers a list that grows with every try."""
    tries: list[int] = []

    def refuse(self: Journal, entries: object) -> None:
        tries.append(1)
        raise JournalError("no", cause)

    disk.setattr(Journal, "append_all", refuse)
    return tries


@pytest.mark.parametrize("there", [False, True], ids=["new", "old"])
def test_a_journal_behind_a_link(there: bool, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    link, file = tmp_path / "journal", tmp_path / "stick" / "games"
    link.symlink_to(file)
    if there:
        open_journal(file).journal.close()
    with closing(open_writer(link)) as writer:
        keep(writer, 0, NEW)
        writer.poll(WALL, LOOK_MS)
        assert writer.problem is None
        assert read_match(link) == [NEW]
        with pytest.raises(JournalError, match="another table is using this journal"):
            open_writer(file)
    assert {file.name for file in tmp_path.iterdir()} == {"journal", "stick"}


def test_a_name_that_no_disk_takes(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="File name too long"):
        open_writer(tmp_path / ("x" * 300))


def test_what_is_kept_is_on_disk(writer: JournalWriter, path: Path) -> None:
    keep(writer, 0, NEW, *DEEDS)
    assert writer.problem is None
    assert read_match(path) == writer.game == [NEW, *DEEDS]


def test_the_game_in_a_journal_goes_on(path: Path) -> None:
    with closing(open_writer(path)) as first:
        keep(first, 0, NEW, DEEDS[0], NEXT, DEEDS[1])
    with closing(open_writer(path)) as second:
        assert second.game == [NEXT, DEEDS[1]]
        keep(second, 0, DEEDS[2])
    assert read_match(path) == [NEW, DEEDS[0], NEXT, DEEDS[1], DEEDS[2]]


@pytest.mark.parametrize("cause", ["full", "read_only", "busy", "failed"])
def test_a_disk_that_fails_is_a_problem_until_everything_is_written(writer: JournalWriter, path: Path, cause: Cause) -> None:
    keep(writer, 0, NEW, DEEDS[0])
    with pytest.MonkeyPatch.context() as disk:
        fail(disk, cause)
        keep(writer, 10, DEEDS[1], NEXT, DEEDS[2], UNDO)
        assert writer.problem == PROBLEMS.get(cause, FAILED)
        assert read_match(path) == [NEW, DEEDS[0]]
    writer.poll(WALL, 10 + FIRST_RETRY_MS - 1)
    assert writer.problem is not None
    writer.poll(WALL, 10 + FIRST_RETRY_MS)
    assert writer.problem is None
    assert read_match(path) == [NEW, DEEDS[0], DEEDS[1], NEXT, DEEDS[2], UNDO]
    keep(writer, 2000, DEEDS[3])
    assert read_game(path) == writer.game == [NEXT, DEEDS[2], UNDO, DEEDS[3]]


def test_it_is_tried_again_less_and_less_often_but_never_given_up(writer: JournalWriter) -> None:
    keep(writer, 0, NEW)
    with pytest.MonkeyPatch.context() as disk:
        tries = fail(disk, "full")
        keep(writer, 0, DEEDS[0])
        counts = []
        for second in range(120):
            writer.poll(WALL, second * 1000)
            counts.append(len(tries))
    assert counts[1:4] == [2, 2, 3]
    assert 120_000 / LAST_RETRY_MS <= counts[-1] <= 14


def test_an_entry_that_was_written_although_it_failed_is_not_written_twice(writer: JournalWriter, path: Path) -> None:
    keep(writer, 0, NEW)
    append_all = Journal.append_all

    def unlucky(self: Journal, entries: list[tuple[Entry, datetime | None]]) -> None:
        append_all(self, entries)
        raise JournalError("no answer", "failed")

    with pytest.MonkeyPatch.context() as disk:
        disk.setattr(Journal, "append_all", unlucky)
        keep(writer, 0, DEEDS[0])
        assert writer.problem == FAILED
    keep(writer, FIRST_RETRY_MS, DEEDS[1])
    assert read_match(path) == [NEW, DEEDS[0], DEEDS[1]]


@pytest.mark.parametrize("lost", ["file", "log", "folder", "moved", "replaced"])
def test_a_journal_that_vanishes_is_made_again_with_the_whole_game(writer: JournalWriter, path: Path, lost: str) -> None:
    keep(writer, 0, NEW, DEEDS[0], NEXT, DEEDS[1])
    match lost:
        case "file" | "log":
            Path(f"{path}{'' if lost == 'file' else '-wal'}").unlink()
        case "folder":
            shutil.rmtree(path.parent)
        case "moved":
            path.rename(path.with_name("elsewhere"))
        case "replaced":
            other = path.with_name("other")
            open_journal(other).journal.close()
            other.rename(path)
    keep(writer, 0, DEEDS[2])
    assert writer.problem is None
    assert read_game(path) == [NEXT, DEEDS[1], DEEDS[2]]
    keep(writer, 0, DEEDS[3])
    assert read_game(path) == [NEXT, *DEEDS[1:4]]


def test_a_journal_that_vanishes_while_nobody_does_anything_is_noticed(writer: JournalWriter, path: Path) -> None:
    keep(writer, 0, NEW, DEEDS[0])
    writer.poll(WALL, 10)
    path.unlink()
    writer.poll(WALL, LOOK_MS)
    assert not path.exists()
    writer.poll(WALL, 10 + LOOK_MS)
    assert read_match(path) == [NEW, DEEDS[0]]
    assert writer.problem is None


def test_damage_that_is_met_while_writing_costs_the_past_but_not_the_game(path: Path) -> None:
    """The last page of the table is garbled where only a new entry goes."""
    with closing(open_writer(path)) as writer:
        keep(writer, 0, NEW, *DEEDS)
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (root,) = other.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entries'").fetchone()
        with path.open("r+b") as file:
            file.seek((root - 1) * 4096)
            file.write(b"\x07" * 4096)
        keep(writer, 0, UNDO)
        assert writer.problem is None
        assert read_match(path) == [NEW, *DEEDS, UNDO]
        assert path.with_name("journal.damaged-1").is_file()
        assert not path.with_name("journal.damaged-2").exists()


def test_closing_tries_once_more(path: Path) -> None:
    writer = open_writer(path)
    keep(writer, 0, NEW)
    with pytest.MonkeyPatch.context() as disk:
        fail(disk, "full")
        keep(writer, 0, DEEDS[0])
    writer.close()
    writer.close()
    assert writer.problem is None
    assert read_match(path) == [NEW, DEEDS[0]]


def test_closing_does_not_fail_with_the_disk(path: Path) -> None:
    writer = open_writer(path)
    keep(writer, 0, NEW)
    with pytest.MonkeyPatch.context() as disk:
        fail(disk, "full")
        keep(writer, 0, DEEDS[0])
        writer.close()
    assert writer.problem == PROBLEMS["full"]
    assert read_match(path) == [NEW]


def test_entries_that_make_no_game_are_moved_aside(writer: JournalWriter, path: Path) -> None:
    keep(writer, 0, NEW, DEEDS[0])
    writer.start_anew("because")
    assert writer.notes == [f"the journal was damaged (because): moved to {path}.damaged-1"]
    keep(writer, 0, NEXT)
    assert read_game(path) == [NEXT]
    assert read_match(Path(f"{path}.damaged-1")) == [NEW, DEEDS[0]]


# Which entries are missing


@given(
    entries=st.lists(st.sampled_from([NEW, NEXT, *DEEDS[:2]]), max_size=12).map(lambda found: [NEW, *found]),
    data=st.data(),
)
def test_what_is_missing_completes_what_is_there(entries: list[Entry], data: st.DataObject) -> None:
    """A disk has some of the entries from the first on; what it answers is the last game that begins among them."""
    there = entries[: data.draw(st.integers(0, len(entries)))]
    begins = max((number for number, entry in enumerate(there) if entry.beginning), default=0)
    kept = [(entry, None) for entry in entries]
    missing = [entry for entry, _ in unwritten(kept, there[begins:])]
    if len({str(entry) for entry in entries if entry.beginning}) == sum(1 for entry in entries if entry.beginning):
        assert [*there, *missing] == entries
    else:  # the same game twice: never less than what is missing, and an entry only together with its whole game
        assert missing == entries[len(entries) - len(missing) :]


def test_a_journal_with_another_game_gets_all_of_this_one() -> None:
    kept = [(entry, WALL) for entry in (NEW, DEEDS[0])]
    assert unwritten(kept, [NEXT, DEEDS[0]]) == kept
    assert unwritten(kept, [NEW, DEEDS[0], DEEDS[1]]) == kept
    assert unwritten(kept, [NEW]) == kept[1:]


STEPS = ["do", "do", "do", "game", "refuse", "refuse after writing", "work", "delete", "wait"]


@settings(max_examples=60)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=40))
def test_whatever_the_disk_does_everything_is_there_in_the_end(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    """In order and once, but for past games in a file that was deleted."""
    path = tmp_path_factory.mktemp("flaky") / "journal"
    append_all = Journal.append_all
    mood = "work"

    def moody(self: Journal, entries: Iterable[tuple[Entry, datetime | None]]) -> None:
        if mood != "refuse":
            append_all(self, entries)
        if mood != "work":
            raise JournalError("no", "failed")

    expected = [beginning(0)]
    with pytest.MonkeyPatch.context() as disk, closing(open_writer(path)) as writer:
        disk.setattr(Journal, "append_all", moody)
        keep(writer, 0, expected[0])
        for number, what in enumerate(steps, 1):
            if what in ("do", "game"):
                expected.append(beginning(number) if what == "game" else Entry("do", f"draw {number}", []))
                keep(writer, number * 300, expected[-1])
            elif what == "delete":
                path.unlink(missing_ok=True)
            elif what == "wait":
                writer.poll(WALL, number * 300)
            else:
                mood = what
        mood = "work"
        for later in (100_000, 200_000):
            writer.poll(WALL, later)
        assert writer.problem is None
    game = max(number for number, entry in enumerate(expected) if entry.beginning)
    assert read_game(path) == expected[game:]
    if "delete" not in steps:
        assert read_match(path) == expected


def beginning(number: int) -> Entry:
    """A game unlike any other."""
    return Entry("next" if number else "new", "next", [], {"number": number})


# With real causes


def test_a_file_that_may_not_grow(path: Path) -> None:
    """A limit of the size of files is what a full disk is to the program."""
    code = (
        "import resource, signal, sys; from pathlib import Path; from datetime import datetime\n"
        "from underboard.engine.journal.database import Entry; from underboard.engine.journal.writer import open_writer\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "writer = open_writer(Path(sys.argv[1])); wall = datetime(2024, 5, 1)\n"
        "writer.append(Entry('new', 'new', [], {}), wall, 0)\n"
        "size = Path(sys.argv[1] + '-wal').stat().st_size\n"
        "unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, unlimited[1]))\n"
        "for number in range(40): writer.append(Entry('do', f'infect {number}', []), wall, number * 500)\n"
        "print(writer.problem)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)\n"
        "writer.poll(wall, 100_000); print(writer.problem)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["None"], done.stderr
    assert done.stdout.splitlines()[0] in (str(PROBLEMS["full"]), str(FAILED))
    assert [entry.action for entry in read_match(path)] == ["new", *(f"infect {number}" for number in range(40))]


def test_a_full_disk(small_disk: Path) -> None:
    path, filling = small_disk / "journal", small_disk / "filling"
    with closing(open_writer(path)) as writer:
        keep(writer, 0, NEW)
        fill(filling)
        for number in range(300):
            keep(writer, number * 100, DEEDS[number % 8])
        assert writer.problem == PROBLEMS["full"]
        assert read_match(path)[0] == NEW
        filling.unlink()
        writer.poll(WALL, 100_000)
        assert writer.problem is None
        assert read_match(path) == [NEW, *(DEEDS[number % 8] for number in range(300))]


def test_a_full_disk_from_the_start(small_disk: Path) -> None:
    path, filling = small_disk / "journal", small_disk / "filling"
    fill(filling)
    with closing(open_writer(path)) as writer:
        assert writer.problem == PROBLEMS["full"]
        assert str(path) in writer.notes[0]
        keep(writer, 0, NEW, DEEDS[0])
        filling.unlink()
        keep(writer, FIRST_RETRY_MS, DEEDS[1])
        assert writer.problem is None
    assert read_match(path) == [NEW, *DEEDS[:2]]


@pytest.mark.parametrize("log", ["full", "empty"])
def test_a_disk_that_may_only_be_read(small_disk: Path, log: str) -> None:
    """The game in the journal goes on, also what is still in the log; once the disk can be written it is complete."""
    path = small_disk / "journal"
    writer = open_writer(path)
    keep(writer, 0, NEW, *DEEDS[:3])
    writer.cut() if log == "full" else writer.close()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with closing(open_writer(path)) as writer:
        assert writer.problem == PROBLEMS["read_only"]
        assert writer.game == [NEW, *DEEDS[:3]]
        keep(writer, 0, DEEDS[3])
        writer.poll(WALL, 5_000)
        assert writer.problem == PROBLEMS["read_only"]
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
        writer.poll(WALL, 50_000)
        assert writer.problem is None
    assert read_match(path) == [NEW, *DEEDS[:4]]


def test_a_disk_that_becomes_read_only_during_the_game(small_disk: Path) -> None:
    path = small_disk / "journal"
    with closing(open_writer(path)) as writer:
        keep(writer, 0, NEW)
        writer.close()
        writer.journal = None
        subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
        keep(writer, 1_000, DEEDS[0])
        keep(writer, 2_000, DEEDS[1])
        assert writer.problem == PROBLEMS["read_only"]
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
        writer.poll(WALL, 50_000)
    assert read_match(path) == [NEW, *DEEDS[:2]]


def test_another_program_that_writes_to_the_journal(writer: JournalWriter, path: Path) -> None:
    keep(writer, 0, NEW)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        keep(writer, 0, DEEDS[0])
        assert writer.problem == PROBLEMS["busy"]
        other.execute("ROLLBACK")
    writer.poll(WALL, FIRST_RETRY_MS)
    assert writer.problem is None
    assert read_match(path) == [NEW, DEEDS[0]]


def test_what_cannot_be_a_journal_is_refused(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary", encoding="utf-8")
    with pytest.raises(JournalError, match="this is no journal"):
        open_writer(diary)
    with pytest.raises(JournalError, match="this is no file"):
        open_writer(tmp_path)
    with closing(open_writer(tmp_path / "journal")), pytest.raises(JournalError, match="another table"):
        open_writer(tmp_path / "journal")
