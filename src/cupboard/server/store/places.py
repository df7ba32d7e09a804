"""Where databases are copied from and to: a file of SQLite, named by a path, or PostgreSQL, named by an address."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.pool import StaticPool

from cupboard.server.errors import Busy, DamagedDatabase
from cupboard.server.postgres_address import check_address, is_address, shown
from cupboard.server.store import postgres_errors, sqlite_file
from cupboard.server.store.copying import copy_database
from cupboard.server.store.inspection import inspect, open_to_read
from cupboard.server.store.permissions import make_folder
from cupboard.server.store.postgres_connections import NAME
from cupboard.server.store.postgres_database import (
    OPENING_LOCK,
    check_postgres,
    make_engine,
    opening,
    upgrade_postgres,
)
from cupboard.server.store.restoring import refuse_if_open
from cupboard.server.store.revisions import newest_revision
from cupboard.server.store.schema import COPYING, GAME, PERSON
from cupboard.server.store.transfer import Begin, clear

_COPIER = "cupboard copy"
"""What connections are called that copy; those of servers are called otherwise."""
_SERVERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s "
    "AND pid <> pg_backend_pid()"
)


def check_place(place: str) -> None:
    """BadSettings for what is neither a path nor the address of a database of PostgreSQL."""
    if "://" in place:
        check_address(place)


def name_of(place: str) -> str:
    """A place as it may be shown."""
    return shown(place) if is_address(place) else place


def file_of(place: str) -> Path:
    """The file of a path that names it, or the folder that it is in."""
    path = Path(place).expanduser()
    return path / "cupboard.db" if path.is_dir() else path


@contextmanager
def reading_from(place: str) -> Iterator[Connection]:
    """A database to read, as it is at one moment; servers may go on writing. A CupboardError if it cannot be read."""
    with _reading_postgres(place) if is_address(place) else _reading_file(file_of(place)) as conn:
        yield conn


@contextmanager
def _reading_file(file: Path) -> Iterator[Connection]:
    found = inspect(file, thorough=False)
    found.refuse_damage(file)
    with tempfile.TemporaryDirectory(prefix="cupboard-") as folder:
        if found.is_older:
            copy = Path(folder) / "cupboard.db"
            copy_database(file, copy)
            sqlite_file.bring_up_to_date(copy)
            file = copy
        with open_to_read(file) as db:
            engine = sa.create_engine("sqlite://", creator=lambda: db, poolclass=StaticPool, hide_parameters=True)
            with engine.connect() as conn:
                conn.exec_driver_sql("BEGIN")
                yield conn


@contextmanager
def _reading_postgres(url: str) -> Iterator[Connection]:
    engine = make_engine(url, is_patient=True, name=_COPIER)
    try:
        snapshot = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with opening(url):
            conn = snapshot.connect()
        with conn:
            with opening(url):
                here = check_postgres(conn, url, writes=False)
            if here is None:
                raise Busy(f"{shown(url)} is empty: no server has run on it yet.")
            if here != newest_revision():
                raise Busy(f"{shown(url)} is from an older Cupboard: the start of a server brings it up to date.")
            yield conn
    finally:
        engine.dispose()


@contextmanager
def writing_to(place: str) -> Iterator[Begin]:
    """A database to copy to, new or where an earlier copy stopped; until the block has ended well nobody can serve it.

    Busy when there is something else."""
    with writing_to_postgres(place) if is_address(place) else writing_to_file(file_of(place)) as begin:
        yield begin


@contextmanager
def writing_to_file(file: Path) -> Iterator[Begin]:
    """A file of SQLite to copy to."""
    make_folder(file.parent)
    if file.exists() and file.stat().st_size:
        refuse_if_open(file)
        inspect(file, thorough=False, part=True)
    database = sqlite_file.open_database(file, durable=False, part=True)
    try:
        with database.writers.begin() as conn:
            _begin(conn, str(file))
        yield database.writers.begin
        with database.writers.begin() as conn:
            COPYING.drop(conn)
    finally:
        database.readers.dispose()
    # Unless a server has it open already.
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as db:
        db.execute("PRAGMA journal_mode=DELETE")  # a file that stands by itself, without a log beside it


@contextmanager
def writing_to_postgres(url: str) -> Iterator[Begin]:
    """A database of PostgreSQL to copy to."""
    with _alone(url) as engine:
        with opening(url), engine.begin() as conn:
            upgrade_postgres(conn, url, part=True)
            _begin(conn, shown(url))
        yield engine.begin
        with engine.begin() as conn:
            COPYING.drop(conn)


@contextmanager
def replacing_postgres(url: str, *, replace: bool) -> Iterator[Connection]:
    """A transaction that begins by deleting everything: what the database held is there until all is copied.

    Busy when it holds something, unless that is to be replaced."""
    with _alone(url) as engine, engine.begin() as conn:
        with opening(url):
            upgrade_postgres(conn, url, part=True)
        if not replace and _holds_something(conn):
            raise Busy(
                f"{shown(url)} holds games or people already. Nothing was changed; --replace deletes them and puts "
                "the copy in their place."
            )
        COPYING.create(conn, checkfirst=True)
        clear(lambda: _within(conn))
        yield conn
        COPYING.drop(conn)


@contextmanager
def _within(conn: Connection) -> Iterator[Connection]:
    yield conn


@contextmanager
def telling(source: str, target: str) -> Iterator[None]:
    """Turns what the two databases raise while rows are copied into sentences that name them."""
    try:
        yield
    except (IntegrityError, DataError) as error:
        raise DamagedDatabase(
            f"The rows of {name_of(source)} contradict each other: `cupboard check` says which. The copy was not made."
        ) from error
    except DBAPIError as error:
        of_file = isinstance(error.orig, sqlite3.Error)
        found = (sqlite_file if of_file else postgres_errors).sentence_of(error.orig if of_file else error)
        if found is None:
            raise
        raise type(found)(f"The copy from {name_of(source)} to {name_of(target)} stopped: {found}") from error


@contextmanager
def _alone(url: str) -> Iterator[sa.Engine]:
    """An engine, while no server runs on the database, and none can start. Busy if one runs."""
    engine = make_engine(url, 2, is_patient=True, name=_COPIER)
    try:
        with opening(url):
            conn = engine.connect()
        with closing(conn):
            with opening(url), conn.begin():
                if not conn.execute(sa.select(sa.func.pg_try_advisory_lock(OPENING_LOCK))).scalar_one():
                    raise Busy(f"{shown(url)} is being opened or copied to at this moment. Nothing was changed.")
                if conn.exec_driver_sql(_SERVERS, (NAME,)).scalar_one():
                    raise Busy(f"{shown(url)} is in use: a server runs on it. Stop that first. Nothing was changed.")
            yield engine
    finally:
        engine.dispose()


def _begin(conn: Connection, name: str) -> None:
    """Mark a database as the target of a copy; Busy when it holds something else."""
    if sa.inspect(conn).has_table(COPYING.name):
        return
    if _holds_something(conn):
        raise Busy(f"{name} holds games or people already. Nothing was changed: copy to an empty one.")
    COPYING.create(conn)
    clear(lambda: _within(conn))


def _holds_something(conn: Connection) -> bool:
    if sa.inspect(conn).has_table(COPYING.name):
        return False  # a part of a copy, which is elsewhere as a whole
    return any(conn.execute(sa.select(table.c.id).limit(1)).first() for table in (PERSON, GAME))
