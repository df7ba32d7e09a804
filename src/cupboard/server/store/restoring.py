"""Putting a copy in the place of the database while no server runs on it. The one from before is kept beside it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from cupboard.server.errors import Busy
from cupboard.server.store.copying import (
    Progress,
    copy_database,
    files_beside,
    is_part_of,
    not_written,
    sync_folder,
    unfinished,
    unused_name,
)
from cupboard.server.store.inspection import Inspection, inspect
from cupboard.server.store.permissions import make_folder
from cupboard.server.store.schema import ADMIN_LINK

_LOCK_BYTES = 0x40000000, 512
"""Where SQLite locks a database file (https://sqlite.org/fileformat.html#the_lock_byte_page).

A connection in WAL mode, as those of a server, has a part of it locked for as long as it is open."""


class Restored(NamedTuple):
    """What became of a copy and of the database in whose place it was put."""

    found: Inspection
    """What is in it."""
    kept: Path | None
    """Where the database from before is now; None when there was none."""
    had_admin_link: bool
    """Whether the copy had an admin link, which is void."""


def restore_database(copy: Path, database: Path, told: Progress = lambda done, of: None) -> Restored:
    """Put a copy in the place of the database, without its admin link, which may have been renewed since.

    A CupboardError says why nothing was changed: the copy is damaged or newer, or somebody has the database open."""
    if is_part_of(copy, database):
        raise Busy(f"{copy} is the database itself, or a part of it: nothing to restore.")
    refuse_if_open(database)
    inspect(copy).refuse_damage(copy)
    _make_folder(database)
    with unfinished(database) as new:
        found = copy_database(copy, new, told)
        had_admin_link = _drop_admin_link(new, database)
        _give_to_owner(new, database)
        _fold_log(database)
        with _locked(database):
            kept = _set_aside(database)
            new.replace(database)
        sync_folder(database.parent)
    return Restored(found, kept, had_admin_link)


def refuse_if_open(database: Path) -> None:
    """Busy when a server or another program has the database open."""
    with _locked(database):
        pass


def _make_folder(database: Path) -> None:
    try:
        make_folder(database.parent)
    except OSError as error:
        raise not_written(database, error) from error


@contextmanager
def _locked(database: Path) -> Iterator[None]:
    """While the block runs, nobody else can open the database. Busy if somebody has it open.

    The lock is the system's, and does not mind what is in the file: it may be damaged."""
    if os.name == "nt" or not database.exists():
        yield  # Windows lets nobody replace an open file
        return
    import fcntl

    try:
        handle = os.open(database, os.O_RDWR)
    except OSError as error:
        raise not_written(database, error) from error
    try:
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCK_BYTES[1], _LOCK_BYTES[0])
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):
                raise not_written(database, error) from error
            raise Busy(
                f"{database} is open: a server runs on it, or another program reads it. Stop that first. "
                "Nothing was changed."
            ) from None
        yield
    finally:
        os.close(handle)


def _drop_admin_link(new: Path, database: Path) -> bool:
    """Delete the admin link of a copy; returns whether it had one."""
    try:
        with closing(sqlite3.connect(new, isolation_level=None)) as db:
            query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
            if db.execute(query, (ADMIN_LINK.name,)).fetchone() is None:
                return False  # of a Cupboard that had no such link
            return db.execute(f"DELETE FROM {ADMIN_LINK.name}").rowcount > 0
    except sqlite3.Error as error:
        raise not_written(database, error) from error


def _give_to_owner(new: Path, database: Path) -> None:
    """Let the file belong to whoever the database or its folder belongs to, when root restores it for them."""
    if os.name == "nt" or os.geteuid() != 0:
        return
    owner = (database if database.exists() else database.parent).stat()
    os.chown(new, owner.st_uid, owner.st_gid)


def _fold_log(database: Path) -> None:
    """Have SQLite put its log into the database and remove it, if the two can still be read."""
    if not database.exists():
        return
    with suppress(sqlite3.Error), closing(sqlite3.connect(database, isolation_level=None, timeout=0)) as db:
        db.execute("PRAGMA journal_mode=DELETE")


def _set_aside(database: Path) -> Path | None:
    """Give the database another name as well, with what is left of its log, which must never meet the restored one.

    Returns that name; None when there was no database."""
    kept = unused_name(database.with_name(f"{database.name}.replaced-{datetime.now():%Y-%m-%dT%H%M}"))
    is_there = database.exists()
    if is_there:
        try:
            os.link(database, kept)  # the database keeps its name until the restored one gets it: there always is one
        except OSError:
            database.rename(kept)
    for old, new in zip(files_beside(database), files_beside(kept), strict=True):
        if old.name.endswith("-shm"):
            old.unlink(missing_ok=True)  # an index of the log, which SQLite makes anew
        elif old.exists():
            old.rename(new)
    return kept if is_there else None
