"""The journal: what is written is on disk, and whatever becomes of the file the table can be opened."""

from __future__ import annotations

import os
import pwd
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from underboard.engine.journal.database import Entry, Journal, JournalError, NewerJournalError, open_journal, read_game, read_match
from underboard.engine.journal.writer import open_writer

WALL = datetime(2024, 5, 1, 20, 15, tzinfo=UTC)
NEW = Entry("new", "new_game hack_trick", [], {"setup": {"game": "hack_trick"}, "record": {"row": [1, 2]}})
NEXT = Entry("next", "next", [], {"setup": {}, "record": {}})
FIRST, SECOND = Entry("do", "infect 3", ["4a", "7b"]), Entry("undo", "undo", [])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = open_journal(path)
    assert opened.moved_to is None
    with closing(opened.journal) as journal:
        yield journal


def write(path: Path, *entries: Entry) -> None:
    with closing(open_journal(path).journal) as journal:
        journal.append_all((entry, WALL) for entry in entries)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_what_is_appended_comes_back(journal: Journal) -> None:
    assert journal.last_game() == read_match(journal.path) == []
    for entry in (NEW, FIRST, NEXT, SECOND):
        journal.append(entry, WALL)
    assert read_match(journal.path) == [NEW, FIRST, NEXT, SECOND]
    assert journal.last_game() == [NEXT, SECOND]


def test_only_the_last_match_counts(journal: Journal) -> None:
    for entry in (NEW, FIRST, NEW, SECOND):
        journal.append(entry, WALL)
    assert read_match(journal.path) == journal.last_game() == [NEW, SECOND]


def test_another_process_sees_an_entry_as_soon_as_append_returns(journal: Journal, path: Path) -> None:
    journal.append(NEW, WALL)
    query = "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute('select action, wall from entries').fetchall())"
    seen = subprocess.run([sys.executable, "-c", query, str(path)], capture_output=True, text=True, check=True).stdout
    assert seen.strip() == "[('new_game hack_trick', '2024-05-01T20:15:00+00:00')]"
    assert read_match(path) == [NEW]


def test_the_settings_are_those_that_lose_nothing(journal: Journal) -> None:
    connection = journal._connection
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert not connection.in_transaction


def test_a_process_that_just_ends_loses_nothing(path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from datetime import datetime\n"
        "from underboard.engine.journal.database import Entry, open_journal\n"
        "journal = open_journal(Path(sys.argv[1])).journal\n"
        "for number in range(5): journal.append(Entry('do', f'draw {number}', []), datetime.now())\n"
        "os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    assert [entry.action for entry in read_all(path)] == [f"draw {number}" for number in range(5)]


def read_all(path: Path) -> list[Entry]:
    with closing(sqlite3.connect(path)) as connection:
        return [Entry(kind, action, []) for kind, action in connection.execute("SELECT kind, action FROM entries ORDER BY number")]


def test_only_one_table_may_write(journal: Journal, path: Path) -> None:
    with pytest.raises(JournalError, match="another table is using this journal"):
        open_journal(path)
    journal.append(NEW, WALL)
    journal.close()
    write(path, FIRST)
    assert read_match(path) == [NEW, FIRST]


def test_closing_twice_does_no_harm(journal: Journal) -> None:
    journal.close()
    journal.close()


def test_folders_are_made(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b" / "journal", NEW)
    assert read_match(tmp_path / "a" / "b" / "journal") == [NEW]


def test_a_cut_leaves_what_was_written_and_nothing_else(path: Path) -> None:
    journal = open_journal(path).journal
    journal.append(NEW, WALL)
    journal._connection.execute("INSERT INTO entries (kind, action, standing, wall) VALUES ('do', 'never committed', '[]', '')")
    files = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    journal.cut()
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == files
    opened = open_journal(path)
    assert opened.moved_to is None
    assert read_match(opened.journal.path) == [NEW]
    opened.journal.close()


def test_a_cut_before_the_first_entry(path: Path) -> None:
    open_journal(path).journal.cut()
    write(path, NEW)
    assert read_match(path) == [NEW]


def test_an_empty_file_is_a_journal_with_nothing_in_it(path: Path) -> None:
    path.touch()
    opened = open_journal(path)
    assert (opened.moved_to, read_match(opened.journal.path)) == (None, [])
    opened.journal.close()


def test_opening_looks_at_the_last_game_only(path: Path) -> None:
    """So it takes no longer after a thousand evenings: what is in the pages of the others is not even noticed."""
    write(path, NEW, *[FIRST] * 20_000)
    write(path, NEW, SECOND)
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 10 * 4096] = b"\x07" * 10 * 4096
    path.write_bytes(content)
    opened = open_journal(path)
    assert opened.moved_to is None
    assert opened.game == [NEW, SECOND]
    opened.journal.append(FIRST, WALL)
    assert opened.journal.last_game() == [NEW, SECOND, FIRST]
    opened.journal.close()


# Damage


GARBLED = [b"a diary, no database\n" * 50, b"\0" * 5000, b"SQLite format 3\0" + b"\xff" * 4080]


@pytest.mark.parametrize("content", GARBLED)
def test_a_journal_of_which_nothing_is_left_is_moved_aside(path: Path, content: bytes) -> None:
    """https://github.com/piskvorky/sqlitedict/issues/149: a database that is malformed after a power down."""
    write(path, NEW)
    path.write_bytes(content)
    opened = open_journal(path)
    assert opened.moved_to == path.parent / "evening.sqlite3.damaged-1"
    assert opened.moved_to.read_bytes() == content
    assert opened.why
    opened.journal.append(NEW, WALL)
    assert read_match(opened.journal.path) == [NEW]
    opened.journal.close()


def test_no_older_file_is_replaced_and_nothing_is_left_beside_the_new_one(path: Path) -> None:
    for name in ("", "-wal", "-shm", "-journal", ".lock", ".damaged-1"):
        Path(f"{path}{name}").write_bytes(b"no database" * 100)
    opened = open_journal(path)
    opened.journal.close()
    assert opened.moved_to == path.parent / "evening.sqlite3.damaged-2"
    assert b"no database" not in path.read_bytes()
    assert set(names(path.parent)) >= {path.name, f"{path.name}.damaged-1", f"{path.name}.damaged-2"}
    assert not {f"{path.name}{suffix}" for suffix in ("-wal", "-shm", "-journal")} & set(names(path.parent))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET standing = '[\"4a'",
        "UPDATE entries SET beginning = 'gone'",
        "UPDATE entries SET action = CAST(x'ff' AS TEXT)",
        "ALTER TABLE entries RENAME COLUMN kind TO sort",
        "DROP TABLE entries; CREATE TABLE entries (number INTEGER)",
    ],
)
def test_a_journal_with_entries_that_cannot_be_read_is_moved_aside(path: Path, statement: str) -> None:
    write(path, NEW, FIRST)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)
    opened = open_journal(path)
    assert opened.moved_to is not None
    assert read_match(opened.journal.path) == []
    opened.journal.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of several pages."""
    path = tmp_path_factory.mktemp("whole") / "journal"
    write(path, NEW, *([FIRST, SECOND] * 150))
    return path


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noises=st.lists(st.tuples(st.integers(0, 120) | st.integers(0, 28_000), st.binary(min_size=1, max_size=40)), min_size=1, max_size=4))
def test_whatever_was_garbled_the_journal_opens(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, noises: list[tuple[int, bytes]]
) -> None:
    content = bytearray(whole.read_bytes())
    for start, noise in noises:
        content[start : start + len(noise)] = noise
    reopen(tmp_path_factory, bytes(content))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.integers(0, 200) | st.integers(0, 28_000))
def test_wherever_it_was_cut_off_the_journal_opens(whole: Path, tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    reopen(tmp_path_factory, whole.read_bytes()[:length])


def reopen(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Opens a journal with this content and goes on writing."""
    path = tmp_path_factory.mktemp("damaged") / "journal"
    Path(f"{path}.lock").touch()
    path.write_bytes(content)
    try:
        writer = open_writer(path)
    except NewerJournalError:  # its version alone is garbled, and nobody can tell it from one that a later program has written
        assert path.read_bytes() == content
        return
    writer.append(NEW, WALL, 0)
    writer.close()
    assert writer.problem is None
    assert read_match(path) == [NEW]
    if writer.notes:
        assert Path(f"{path}.damaged-1").read_bytes() == content


@settings(max_examples=30)
@given(cut=st.integers(0, 30_000))
def test_whatever_of_the_log_was_lost_the_rest_is_there(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("log") / "journal"
    journal = open_journal(path).journal
    journal.append(NEW, WALL)
    for _ in range(5):
        journal.append(FIRST, WALL)
    journal.cut()
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[:cut])
    opened = open_journal(path)
    assert opened.moved_to is None
    assert read_match(opened.journal.path) == [NEW, *[FIRST] * 5][: len(read_match(opened.journal.path))]
    opened.journal.close()


# Files of others


def database(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("Dear diary,\n", encoding="utf-8"),
        lambda path: path.write_bytes(bytes(4096) + b"a picture"),
        lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4080),
        lambda path: database(path, "CREATE TABLE entries (number INTEGER PRIMARY KEY, text TEXT)"),
        lambda path: database(path, "PRAGMA application_id=7"),
    ],
)
def test_what_never_was_a_journal_is_refused_and_left_as_it_is(path: Path, make: Callable[[Path], object]) -> None:
    make(path)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="this is no journal, it is left as it is; name another file") as refused:
        open_journal(path)
    assert refused.value.cause is None
    assert path.read_bytes() == before
    assert names(path.parent) == [path.name]


@pytest.mark.parametrize("size", [16, 100, 400])
def test_a_new_file_that_a_power_cut_left_unfinished_is_nobodys(path: Path, size: int) -> None:
    open_journal(path).journal.close()
    content = path.read_bytes()[:size]
    path.write_bytes(content)
    Path(f"{path}.lock").unlink()
    opened = open_journal(path)
    opened.journal.close()
    assert opened.moved_to is not None
    assert opened.moved_to.read_bytes() == content


# What the file is not to blame for


def test_a_folder_is_no_journal(path: Path) -> None:
    path.mkdir()
    with pytest.raises(JournalError, match=str(path)):
        open_journal(path)
    assert path.is_dir()


def test_a_file_is_no_folder(path: Path) -> None:
    path.touch()
    with pytest.raises(JournalError, match=str(path / "journal")):
        open_journal(path / "journal")


def test_a_folder_that_cannot_be_made_is_said() -> None:
    with pytest.raises(JournalError, match="/proc/underboard"):
        open_journal(Path("/proc/underboard/journal"))


def test_what_may_not_be_written_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    """As a user without rights, also where the tests run as root."""
    folder = tmp_path / "closed"
    write(folder / "journal", NEW)
    before = names(folder)
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    code = (
        "import os, sys; from pathlib import Path; from underboard.engine.journal.database import JournalError, open_journal\n"
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try: open_journal(Path(sys.argv[1]))\n"
        "except JournalError as error: print(error)\n"
    )
    if os.getuid() == 0:
        assert pwd.getpwuid(65534)
        for parent in [tmp_path, *tmp_path.parents]:
            if parent.stat().st_uid == 0 and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
                parent.chmod(0o755)
    said = subprocess.run([sys.executable, "-c", code, str(folder / "journal")], capture_output=True, text=True, check=True).stdout
    folder.chmod(0o755)
    assert said.startswith(f"{folder / 'journal'}: ")
    assert names(folder) == before


def test_a_disk_that_takes_no_more_is_said(journal: Journal) -> None:
    journal.append(NEW, WALL)
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(JournalError, match="nothing can be written any more") as full:
        journal.append(FIRST._replace(action="x" * 100_000), WALL)
    assert full.value.cause == "full"


def test_several_entries_are_written_or_none(journal: Journal) -> None:
    journal.append_all([(NEW, WALL), (FIRST, None)])
    broken: Any = Entry("do", None, [])  # type: ignore[arg-type]
    with pytest.raises(JournalError):
        journal.append_all([(SECOND, WALL), (broken, WALL)])
    assert read_match(journal.path) == [NEW, FIRST]


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_file_that_is_deleted_is_noticed_with_the_next_entry(journal: Journal, path: Path, suffix: str) -> None:
    journal.append(NEW, WALL)
    assert journal.in_place()
    Path(f"{path}{suffix}").unlink()
    assert not journal.in_place()
    with pytest.raises(JournalError, match="deleted or replaced") as gone:
        journal.append(FIRST, WALL)
    assert gone.value.cause == "gone"


# Reading without writing


def test_reading_needs_a_journal(path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such journal"):
        read_match(path)
    path.write_bytes(b"a diary, no database")
    with pytest.raises(JournalError, match="no journal of a table"):
        read_match(path)


def test_reading_does_not_touch_the_file(path: Path) -> None:
    write(path, NEW, FIRST)
    before = path.read_bytes()
    assert read_match(path) == read_game(path) == [NEW, FIRST]
    assert path.read_bytes() == before


def test_an_empty_journal_has_no_match(path: Path) -> None:
    open_journal(path).journal.close()
    assert read_match(path) == []
