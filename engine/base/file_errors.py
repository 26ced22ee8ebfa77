"""Files that somebody wants written and that cannot be: what is in the way, and what helps."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile


def unwritable(path: Path, error: OSError, option: str = "-o") -> str:
    """What to say of a file; *option* names another one."""
    another = f"name another file with {option}"
    match error:
        case PermissionError():
            return f"{path}: you may not write there: add sudo, or {another}"
        case FileNotFoundError():
            return f"{path}: there is no folder {path.parent}: make it, or {another}"
        case IsADirectoryError():
            return f"{path}: this is a folder: {another}"
        case NotADirectoryError() | FileExistsError():
            return f"{path}: a file is where its folder should be: {another}"
        case _:
            return f"{path}: {error.strerror or error}: {another}"


def try_out(path: Path) -> None:
    """Makes the folder of a file that is written later, and raises OSError if that could not be: nobody works in vain."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(path)
    with TemporaryFile(dir=path.parent):
        pass
