"""Copies of a database, made while servers write to it: sound, their owner's alone, and whole or not there at all."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from cupboard.core.errors import CupboardError
from cupboard.server.errors import NoRoom
from cupboard.server.store.inspection import Inspection, code_of, inspect, open_to_read, unreadable

Progress = Callable[[int, int], object]
"""A function that is told how many pages have been copied, and of how many."""

_PAGES_AT_ONCE = 1000
_BESIDE = ("-wal", "-shm", "-journal")


def files_beside(database: Path) -> tuple[Path, ...]:
    """The files that SQLite may keep beside a database, whether they are there or not."""
    return tuple(database.with_name(database.name + end) for end in _BESIDE)


def is_part_of(path: Path, database: Path) -> bool:
    """Whether a path leads to the database or one of SQLite's files beside it, by whatever name or link."""
    for file in (database, *files_beside(database)):
        if path.resolve() == file.resolve():
            return True
        with suppress(OSError):
            if path.samefile(file):
                return True
    return False


def unused_name(wanted: Path) -> Path:
    """The path, or the first with a number added to its name that neither a file has nor SQLite's files beside it."""
    path, number = wanted, 1
    end = ".db" if wanted.name.endswith(".db") else ""
    while any(file.exists() for file in (path, *files_beside(path))):
        number += 1
        path = wanted.with_name(f"{wanted.name.removesuffix('.db')}-{number}{end}")
    return path


def copy_database(source: Path, target: Path, told: Progress = lambda done, of: None) -> Inspection:
    """Copy a database to a file, in place of what is there, and return what was found in the copy.

    It is the database of the moment the copying began, with everything that was acknowledged until then. A
    CupboardError says why there is no copy; whatever had the name before is still there then."""
    with unfinished(target) as new:
        _copy(source, new, target, told)
        found = inspect(new, thorough=False)
        found.refuse_damage(source)
        put_in_place(new, target)
    return found


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """The path for a file that is to get the target's name when it is finished: on its disk, and removed if it is not.

    It is in a folder of its own, which nobody else may enter. NoRoom says why it cannot be written."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=".cupboard-", dir=target.parent))
        try:
            yield folder / target.name
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise not_written(target, error) from error


def put_in_place(new: Path, target: Path) -> None:
    """Give a finished file its name, in place of what had it before, so that it lasts through a power cut."""
    handle = os.open(new, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    new.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the disk knows the names of the folder's files, where the system can say so."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems do not know how
            os.fsync(handle)
    finally:
        os.close(handle)


def not_written(target: Path, error: sqlite3.Error | OSError) -> CupboardError:
    """The error for a file that cannot be written, and why."""
    if isinstance(error, sqlite3.Error) and code_of(error) == sqlite3.SQLITE_FULL:
        return NoRoom(f"{target} cannot be written: the disk is full.")
    words = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return NoRoom(f"{target} cannot be written: {words[:1].lower()}{words[1:]}.")


def _copy(source: Path, new: Path, target: Path, told: Progress) -> None:
    # Made by ourselves: SQLite would give it the permissions that the umask leaves.
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with open_to_read(source) as db, closing(sqlite3.connect(new, isolation_level=None)) as copy:
        # What is not finished is thrown away: it needs neither a journal nor to wait for the disk.
        copy.execute("PRAGMA journal_mode=OFF")
        copy.execute("PRAGMA synchronous=OFF")
        # One transaction around all steps. Without it the copy would begin anew after every commit of another
        # process, and never end under load (bench/results.md).
        db.execute("BEGIN")
        try:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            db.backup(copy, pages=_PAGES_AT_ONCE, progress=lambda _, left, of: told(of - left, of))
        except sqlite3.Error as error:
            is_about_the_source = code_of(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_BUSY)
            raise unreadable(source, error) if is_about_the_source else not_written(target, error) from error
    try:
        with closing(sqlite3.connect(new, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")  # a file that stands by itself, without a log beside it
    except sqlite3.Error as error:
        raise not_written(target, error) from error
