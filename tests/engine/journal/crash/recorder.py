"""Records what the journal asks of the disk, from below SQLite.

The library that Python's own `sqlite3` runs on is asked, by its C interface, to make its system calls through this module:
open, write, truncate, unlink and the opening of a folder, which it does only to sync it. Only syncs of files are not among
the calls that can be replaced; they are seen one level higher, in the methods of an open file. Everything is passed on to
the system. What the journal does without SQLite (its folder, its lock) is seen in the functions of `os`.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.engine.journal.crash.operations import Create, MakeFolder, Operation, Sync, SyncFolder, Truncate, Unlink, Write

Pointer = ctypes.c_void_p
INT = ctypes.c_int
OPEN = ctypes.CFUNCTYPE(INT, ctypes.c_char_p, INT, INT, use_errno=True)
CLOSE = ctypes.CFUNCTYPE(INT, INT, use_errno=True)
WRITE = ctypes.CFUNCTYPE(ctypes.c_ssize_t, INT, Pointer, ctypes.c_size_t, use_errno=True)
PWRITE = ctypes.CFUNCTYPE(ctypes.c_ssize_t, INT, Pointer, ctypes.c_size_t, ctypes.c_int64, use_errno=True)
TRUNCATE = ctypes.CFUNCTYPE(INT, INT, ctypes.c_int64, use_errno=True)
UNLINK = ctypes.CFUNCTYPE(INT, ctypes.c_char_p, use_errno=True)
OPEN_FOLDER = ctypes.CFUNCTYPE(INT, ctypes.c_char_p, ctypes.POINTER(INT), use_errno=True)
OPEN_FILE = ctypes.CFUNCTYPE(INT, Pointer, Pointer, Pointer, INT, ctypes.POINTER(INT), use_errno=True)
SYNC = ctypes.CFUNCTYPE(INT, Pointer, INT, use_errno=True)
SET_CALL = ctypes.CFUNCTYPE(INT, Pointer, ctypes.c_char_p, Pointer)
GET_CALL = ctypes.CFUNCTYPE(Pointer, Pointer, ctypes.c_char_p)


class FileSystem(ctypes.Structure):
    """sqlite3_vfs."""

    _fields_ = (
        ("version", INT),
        ("file_size", INT),
        ("longest_path", INT),
        ("next", Pointer),
        ("name", ctypes.c_char_p),
        ("data", Pointer),
        ("open", OPEN_FILE),
        *((name, Pointer) for name in "delete access full_path dl_open dl_error dl_sym dl_close".split()),
        *((name, Pointer) for name in "randomness sleep time last_error time64".split()),
        ("set_call", SET_CALL),
        ("get_call", GET_CALL),
        ("next_call", Pointer),
    )


class Methods(ctypes.Structure):
    """sqlite3_io_methods."""

    _fields_ = (
        ("version", INT),
        *((name, Pointer) for name in "close read write truncate".split()),
        ("sync", SYNC),
        *((name, Pointer) for name in "size lock unlock reserved control sector characteristics".split()),
        *((name, Pointer) for name in "shm_map shm_lock shm_barrier shm_unmap fetch unfetch".split()),
    )


class File(ctypes.Structure):
    """sqlite3_file, as far as it is public."""

    _fields_ = (("methods", ctypes.POINTER(Methods)),)


def find_library() -> Any:
    """The SQLite of this Python, or None where it is hidden inside it."""
    library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))  # None: the program itself, where the module is built in
    if not hasattr(library, "sqlite3_vfs_find"):
        return None
    library.sqlite3_vfs_find.restype = ctypes.POINTER(FileSystem)
    library.sqlite3_vfs_register.argtypes = [ctypes.POINTER(FileSystem), INT]
    library.sqlite3_vfs_unregister.argtypes = [ctypes.POINTER(FileSystem)]
    return library


class Recorder:
    """The operations on files below `folder`, but for the shared memory beside a database, which is no part of it."""

    def __init__(self, folder: Path) -> None:
        self.operations: list[Operation] = []
        self._folder = folder
        self._files: dict[Path, int] = {}
        self._made = 0
        self._open: dict[int, int] = {}  # by descriptor
        self._paths: dict[int, Path] = {}  # by the address of SQLite's file
        self._keep: list[Any] = []  # what SQLite points to must not be thrown away
        self._methods: dict[int, Any] = {}  # by the address of those they replace: a log has others than a database

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Inside, everything is recorded."""
        library = find_library()
        system = library.sqlite3_vfs_find(None)
        replaced = self._replace_calls(system)
        mine = FileSystem.from_buffer_copy(system.contents)
        mine.name = b"recorder"
        mine.open = self._held(OPEN_FILE(self._open_file(system.contents.open)))
        library.sqlite3_vfs_register(ctypes.byref(mine), 1)
        try:
            with self._replaced_functions():
                yield
        finally:
            library.sqlite3_vfs_unregister(ctypes.byref(mine))
            for name in replaced:
                system.contents.set_call(system, name, None)

    def known(self) -> dict[Path, int]:
        """The files that are there already, from now on with these numbers."""
        for path in sorted(self._folder.rglob("*")):
            if path.is_file() and not str(path).endswith("-shm"):
                self._number(path)
        return dict(self._files)

    def _number(self, path: Path) -> int:
        self._made += 1
        self._files[path] = self._made
        return self._made

    def _held(self, function: Any) -> Any:
        self._keep.append(function)
        return function

    # System calls of SQLite

    def _replace_calls(self, system: Any) -> list[bytes]:
        calls: dict[bytes, tuple[Any, Callable[[Any], Callable[..., int]]]] = {
            b"open": (OPEN, self._opening),
            b"close": (CLOSE, self._closing),
            b"write": (WRITE, self._writing),
            b"pwrite": (PWRITE, self._writing_at),
            b"pwrite64": (PWRITE, self._writing_at),
            b"ftruncate": (TRUNCATE, self._truncating),
            b"unlink": (UNLINK, self._unlinking),
            b"openDirectory": (OPEN_FOLDER, self._opening_folder),
        }
        replaced = []
        for name, (kind, make) in calls.items():
            if address := system.contents.get_call(system, name):
                mine = self._held(kind(make(kind(address))))
                system.contents.set_call(system, name, ctypes.cast(mine, Pointer))
                replaced.append(name)
        return replaced

    def _opening(self, original: Any) -> Callable[..., int]:
        def act(name: bytes, flags: int, mode: int) -> int:
            path = Path(os.fsdecode(name))
            new = not path.exists()
            descriptor = int(original(name, flags, mode))
            if descriptor >= 0:
                self._opened(path, descriptor, new)
            return descriptor

        return act

    def _opened(self, path: Path, descriptor: int, new: bool) -> None:
        self._open.pop(descriptor, None)
        if not path.is_relative_to(self._folder) or path.is_dir() or str(path).endswith("-shm"):
            return
        if new:
            self.operations.append(Create(path, self._number(path)))
        self._open[descriptor] = self._files[path]

    def _closing(self, original: Any) -> Callable[..., int]:
        def act(descriptor: int) -> int:
            self._open.pop(descriptor, None)
            return int(original(descriptor))

        return act

    def _writing(self, original: Any) -> Callable[..., int]:
        def act(descriptor: int, data: int, size: int) -> int:
            offset = os.lseek(descriptor, 0, os.SEEK_CUR)
            return self._wrote(descriptor, data, offset, int(original(descriptor, data, size)))

        return act

    def _writing_at(self, original: Any) -> Callable[..., int]:
        def act(descriptor: int, data: int, size: int, offset: int) -> int:
            return self._wrote(descriptor, data, offset, int(original(descriptor, data, size, offset)))

        return act

    def _wrote(self, descriptor: int, data: int, offset: int, written: int) -> int:
        if written > 0 and descriptor in self._open:
            self.operations.append(Write(self._open[descriptor], offset, ctypes.string_at(data, written)))
        return written

    def _truncating(self, original: Any) -> Callable[..., int]:
        def act(descriptor: int, size: int) -> int:
            if descriptor in self._open:
                self.operations.append(Truncate(self._open[descriptor], size))
            return int(original(descriptor, size))

        return act

    def _unlinking(self, original: Any) -> Callable[..., int]:
        def act(name: bytes) -> int:
            path = Path(os.fsdecode(name))
            result = int(original(name))
            if result == 0 and self._files.pop(path, None) is not None:
                self.operations.append(Unlink(path))
            return result

        return act

    def _opening_folder(self, original: Any) -> Callable[..., int]:
        """SQLite names a file in the folder, and opens that only to sync it."""

        def act(name: bytes, descriptor: Any) -> int:
            self.operations.append(SyncFolder(Path(os.fsdecode(name)).parent))
            return int(original(name, descriptor))

        return act

    # Syncs of files

    def _open_file(self, original: Any) -> Callable[..., int]:
        """SQLite keeps more before and behind the name: it has to be passed on as the pointer that it is."""

        def act(system: int, name: int | None, file: int, flags: int, answer: Any) -> int:
            result = int(original(system, name, file, flags, answer))
            opened = File.from_address(file)
            if result == 0 and name is not None and opened.methods:
                self._paths[file] = Path(os.fsdecode(ctypes.string_at(name)))
                address = ctypes.addressof(opened.methods.contents)
                if address not in self._methods:
                    self._methods[address] = self._with_sync(opened.methods.contents)
                opened.methods = ctypes.pointer(self._methods[address])
            return result

        return act

    def _with_sync(self, methods: Any) -> Any:
        """The methods of a file, with a sync that is recorded."""
        mine = Methods.from_buffer_copy(methods)
        original = methods.sync

        def act(file: int, flags: int) -> int:
            path = self._paths[file]
            if path in self._files:
                self.operations.append(Sync(self._files[path]))
            return int(original(file, flags))

        mine.sync = self._held(SYNC(act))
        return mine

    # What the journal does itself

    @contextmanager
    def _replaced_functions(self) -> Iterator[None]:
        real_open, real_sync, real_mkdir = os.open, os.fsync, os.mkdir

        def opening(path: Any, flags: int, *more: Any, **named: Any) -> int:
            new = not Path(path).exists()
            descriptor = real_open(path, flags, *more, **named)
            self._opened(Path(path), descriptor, new)
            return descriptor

        def syncing(descriptor: int) -> None:
            path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
            self.operations.append(SyncFolder(path) if path.is_dir() else Sync(self._open[descriptor]))
            real_sync(descriptor)

        def making(path: Any, *more: Any, **named: Any) -> None:
            real_mkdir(path, *more, **named)
            self.operations.append(MakeFolder(Path(path)))

        with patch.object(os, "open", opening), patch.object(os, "fsync", syncing), patch.object(os, "mkdir", making):
            yield
