"""Opening SQLite's file: private, sound and of this program's version, or a sentence that says what is wrong."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from alembic import command
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, OperationalError

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import Busy, DamagedDatabase, NoRoom
from cupboard.server.store.inspection import code_of, damaged, refuse_part, unreadable
from cupboard.server.store.permissions import make_private
from cupboard.server.store.revisions import alembic_config, check_revision, newest_revision
from cupboard.server.store.schema import METADATA, SECRET
from cupboard.server.store.upgrade_copies import keep_copy_before_upgrade
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
SECONDS_TO_WAIT = 10
_SECONDS_TO_CHECK = 1.0
"""A file too large to be read in this time is checked in part: nobody waits for a table."""
_STEPS_BETWEEN_LOOKS = 10_000
_REVISION = "SELECT version_num FROM alembic_version"
_WRITES = "cupboard_writes"
"""The execution option of connections that begin by taking the lock of the writer."""


class Database(NamedTuple):
    """An open file: two engines on one pool of connections, and the secret of its seat tokens."""

    readers: sa.Engine
    """The engine whose transactions only read, and wait for nobody."""
    writers: sa.Engine
    """The engine whose transactions wait for their turn to write."""
    secret: bytes


def open_database(file: Path, durable: bool, *, part: bool = False) -> Database:
    """The database, made or brought up to date if need be; with `part` it may be a part of a copy that was stopped."""
    make_private(file)
    before = file.stat()
    _check_pages(file)
    readers = _engine(file, durable)
    writers = readers.execution_options(**{_WRITES: True})
    _upgrade(writers, part=part)
    if not os.path.samestat(before, file.stat()):
        # The open file has another name now, and its log would meet the file that came in its place.
        readers.dispose()
        raise Busy(f"{file} was replaced by another at this moment. Start again.")
    return Database(readers, writers, b"" if part else _read_secret(readers))


def bring_up_to_date(file: Path) -> None:
    """Give a database file the newest revision, without a copy of what it was before."""
    engine = _engine(file, durable=False)
    _upgrade(engine.execution_options(**{_WRITES: True}), keep_copy=False)
    engine.dispose()


def synchronous(durable: bool) -> str:
    """SQLite's pragma for how long it waits for the disk: FULL loses nothing in a power cut, NORMAL when killed."""
    return f"synchronous={'FULL' if durable else 'NORMAL'}"


def sentence_of(error: BaseException | None) -> CupboardError | None:
    """The CupboardError for an error of SQLite about disk, locks or damage; None for any other."""
    if not isinstance(error, sqlite3.Error):
        return None
    match code_of(error):
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_IOERR:
            return NoRoom(phrase("no.disk"))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Busy(phrase("no.database"))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DamagedDatabase(phrase("no.sound"))
    return None


def _check_pages(file: Path) -> None:
    """DamagedDatabase when the file's pages do not fit together, as far as that can be found out in a moment."""
    end = time.monotonic() + _SECONDS_TO_CHECK
    with closing(sqlite3.connect(file, timeout=SECONDS_TO_WAIT)) as db:
        db.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_LOOKS)
        try:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            if code_of(error) == sqlite3.SQLITE_INTERRUPT:
                return
            raise unreadable(file, error) from error
    if found != "ok":
        raise damaged(file, found.splitlines()[-1])


def _engine(file: Path, durable: bool) -> sa.Engine:
    engine = sa.create_engine(
        f"sqlite:///{file}",
        connect_args={"check_same_thread": False, "timeout": SECONDS_TO_WAIT},
        hide_parameters=True,  # or errors would tell the log what people are called
    )

    @sa.event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        # Bytes that are no text must not keep the rows around them from being read.
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        for line in ("journal_mode=WAL", synchronous(durable), "foreign_keys=ON", "cache_size=-4000"):
            connection.execute(f"PRAGMA {line}")

    @sa.event.listens_for(engine, "begin")
    def begun(conn: Connection) -> None:
        # The writers of two processes queue up at once, rather than fail when the second wants to write.
        conn.exec_driver_sql("BEGIN IMMEDIATE" if conn.get_execution_options().get(_WRITES) else "BEGIN")

    return engine


def _upgrade(engine: sa.Engine, keep_copy: bool = True, part: bool = False) -> None:
    file = Path(str(engine.url.database))
    config, here = alembic_config(), None
    try:
        with engine.begin() as conn:
            here = conn.exec_driver_sql(_REVISION).scalar() if sa.inspect(conn).has_table("alembic_version") else None
            check_revision(file, here)
            if not part:
                refuse_part(file, sa.inspect(conn).get_table_names())
            if keep_copy and here is not None and here != newest_revision() and _is_used(conn):
                # Nobody else writes meanwhile: this transaction has the writer's lock.
                keep_copy_before_upgrade(file)
            config.attributes["connection"] = conn
            command.upgrade(config, "head")
    except OperationalError as error:
        raise Busy(f"{file} cannot be opened: {error.orig}.") from error
    except DatabaseError as error:
        raise damaged(file, error.orig) from error
    if keep_copy and here != (head := newest_revision()):
        _LOG.info(
            Note("database-made", version=head) if here is None else Note("database-migrated", before=here, after=head)
        )


def _is_used(conn: Connection) -> bool:
    return conn.exec_driver_sql("SELECT 1 FROM person LIMIT 1").first() is not None


def _read_secret(engine: sa.Engine) -> bytes:
    """The secret; DamagedDatabase when it is lost, or a table or a column is."""
    try:
        with engine.connect() as conn:
            for table in METADATA.sorted_tables:
                conn.execute(sa.select(table).limit(0))
            return bytes.fromhex(conn.execute(sa.select(SECRET.c.key)).scalar_one())
    except (DatabaseError, sa.exc.InvalidRequestError, ValueError, TypeError) as error:
        raise damaged(engine.url.database, getattr(error, "orig", error)) from error
