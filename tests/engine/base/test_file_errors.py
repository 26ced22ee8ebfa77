"""Files that cannot be written: each says what is in the way, and what helps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from underboard.engine.base.file_errors import try_out, unwritable


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no/file", "there is no folder {folder}/no: make it, or name another file with -o"),
        ("folder", "this is a folder: name another file with -o"),
        ("full/file", "a file is where its folder should be: name another file with -o"),
    ],
)
def test_what_is_in_the_way(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "full").touch()
    path = tmp_path / name
    with pytest.raises(OSError) as failed:
        path.write_text("", encoding="utf-8")
    assert unwritable(path, failed.value) == f"{path}: {said.format(folder=tmp_path)}"


def test_a_full_disk() -> None:
    full = Path("/dev/full")
    with pytest.raises(OSError) as failed:
        full.write_text("much", encoding="utf-8")
    assert unwritable(full, failed.value, "--deck") == "/dev/full: No space left on device: name another file with --deck"


def test_no_permission() -> None:
    said = unwritable(Path("/etc/table"), PermissionError(13, os.strerror(13)))
    assert said == "/etc/table: you may not write there: add sudo, or name another file with -o"


@pytest.mark.parametrize("name", ["folder", "full/file"])
def test_it_is_found_out_before_the_work(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "full").touch()
    with pytest.raises(OSError):
        try_out(tmp_path / name)


def test_trying_out_leaves_nothing_but_the_folder(tmp_path: Path) -> None:
    try_out(tmp_path / "new" / "file")
    assert [*tmp_path.rglob("*")] == [tmp_path / "new"]
