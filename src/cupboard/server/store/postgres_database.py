"""Opening a database of PostgreSQL: reachable, of this program's version, or a sentence that says what is wrong."""

from __future__ import annotations

import logging
from typing import NamedTuple

import psycopg
import sqlalchemy as sa
from alembic import command
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from cupboard.core.errors import CupboardError
from cupboard.server.errors import Busy, DamagedDatabase, NewerDatabase
from cupboard.server.postgres_address import check_address, shown
from cupboard.server.store.inspection import refuse_part
from cupboard.server.store.postgres_connections import NAME, connect
from cupboard.server.store.postgres_errors import sentence_of
from cupboard.server.store.revisions import alembic_config, known_revisions, newest_revision
from cupboard.server.store.schema import COPYING, METADATA, SECRET
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
OPENING_LOCK = 0x637570
"""An advisory lock: servers that start together upgrade one after the other, and none starts while one is restored."""
_REVISION = "SELECT version_num FROM alembic_version"
_SECONDS_TO_WAIT = 30
"""For so long a start waits for another one that upgrades."""
_OLDEST = 13
_OF_OTHERS = "procrastinate_"
"""What the tables of the task queue begin with, which may be there before ours."""
_CANNOT_WRITE = {
    "42501": "this user may not make tables in it: GRANT CREATE, USAGE ON SCHEMA public TO that user, or let the "
    "database belong to it"
}
_CANNOT_OPEN = {
    "28P01": "the user or the password is wrong",
    "28000": "PostgreSQL does not let this user in from here (pg_hba.conf)",
    "3D000": "there is no database of this name. Make it with `createdb`",
    "55P03": "another server upgrades it, or a copy is put there, at this moment",
    "53300": "PostgreSQL has no connection left (max_connections)",
    "57P03": "PostgreSQL is starting or stopping at this moment",
}


class PostgresDatabase(NamedTuple):
    """An open database: two engines on one pool of connections, and the secret of its seat tokens."""

    readers: sa.Engine
    """The engine whose transactions see the database as it was at one moment."""
    writers: sa.Engine
    """The engine whose transactions are serializable."""
    secret: bytes


def open_postgres(url: str, connections: int) -> PostgresDatabase:
    """The database, made or brought up to date if need be."""
    engine = make_engine(url, connections)
    try:
        # From before the first look at the database on, whoever restores a copy sees that somebody uses it.
        with opening(url), engine.connect():
            secret = bring_postgres_up_to_date(url)
    except BaseException:
        engine.dispose()
        raise
    readers = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return PostgresDatabase(readers, engine.execution_options(isolation_level="SERIALIZABLE"), secret)


def make_engine(url: str, connections: int = 1, *, is_patient: bool = False, name: str = NAME) -> sa.Engine:
    """An engine for the database. A patient one copies or upgrades, and may take its time."""
    check_address(url)
    return sa.create_engine(
        "postgresql+psycopg://",
        creator=lambda: connect(url, is_patient=is_patient, name=name),
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        pool_timeout=10,
        use_native_hstore=False,
        hide_parameters=True,  # or errors would tell the log what people are called
    )


def bring_postgres_up_to_date(url: str) -> bytes:
    """Give the database the newest revision, and return its secret; a CupboardError says why it cannot be used."""
    engine = make_engine(url, is_patient=True)
    try:
        with opening(url), engine.begin() as conn:
            conn.exec_driver_sql(f"SET LOCAL lock_timeout = '{_SECONDS_TO_WAIT}s'")
            conn.execute(sa.select(sa.func.pg_advisory_xact_lock(OPENING_LOCK)))
            here = upgrade_postgres(conn, url)
            secret = _read_secret(conn, url)
    finally:
        engine.dispose()
    head = newest_revision()
    if here is None:
        _LOG.info(Note("database-made", version=head))
    elif here != head:
        _LOG.warning("%s was brought up to date, without a copy of what it was before.", shown(url))
        _LOG.info(Note("database-migrated", before=here, after=head))
    return secret


def upgrade_postgres(conn: Connection, url: str, *, part: bool = False) -> str | None:
    """Give the database the newest revision, and return the one it had; with `part` it may be a part of a copy."""
    here = check_postgres(conn, url, part=part)
    config = alembic_config()
    config.attributes["connection"] = conn
    command.upgrade(config, "head")
    return here


def opening(url: str) -> _Opening:
    """A block in which everything that PostgreSQL may say about opening the database becomes a sentence."""
    return _Opening(url)


class _Opening:
    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        """Raise the sentence for an error of PostgreSQL."""
        if isinstance(error, CupboardError) or not isinstance(error, DBAPIError | psycopg.Error | OSError):
            return
        raise _not_opened(self._url, error) from error


def _not_opened(url: str, error: BaseException) -> CupboardError:
    cause = error.orig if isinstance(error, DBAPIError) else error
    found = sentence_of(error)
    if found is not None and not isinstance(found, Busy):
        return type(found)(f"{shown(url)}: {found}")
    return Busy(f"{shown(url)} cannot be opened: {_why(cause)}.")


def _why(cause: BaseException | None) -> str:
    """What PostgreSQL or its library says, in our words where we have some; neither has the password in it."""
    state = getattr(cause, "sqlstate", None) or ""
    text = str(cause)
    if not state:  # what the library says of a connection that never came about has no code
        state = next((code for sign, code in _SIGNS.items() if sign in text), "")
    if words := (_CANNOT_OPEN | _CANNOT_WRITE).get(state):
        return words
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines[0] if lines else type(cause).__name__).rstrip(".")[:300]


_SIGNS = {
    "password authentication failed": "28P01",
    'FATAL:  role "': "28P01",
    'FATAL:  database "': "3D000",
    "no pg_hba.conf entry": "28000",
    "too many clients": "53300",
    "remaining connection slots": "53300",
    "the database system is": "57P03",
}


def check_postgres(conn: Connection, url: str, *, writes: bool = True, part: bool = False) -> str | None:
    """The revision of the database, None for an empty one; a CupboardError for one that Cupboard cannot use.

    `writes` says whether it will be written to, `part` whether it may be only a part of a copy."""
    version = int(conn.exec_driver_sql("SHOW server_version_num").scalar_one()) // 10_000
    if version < _OLDEST:
        raise Busy(f"{shown(url)} is PostgreSQL {version}; Cupboard needs {_OLDEST} or newer.")
    if (encoding := conn.exec_driver_sql("SHOW server_encoding").scalar_one()) != "UTF8":
        raise Busy(f"{shown(url)} is encoded in {encoding}; Cupboard needs UTF8: make it with `createdb -E UTF8`.")
    if writes and conn.exec_driver_sql("SHOW transaction_read_only").scalar_one() == "on":
        is_copy = conn.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one()
        why = "it is a standby server, which follows another one" if is_copy else "default_transaction_read_only is on"
        raise Busy(f"{shown(url)} can only be read: {why}. Cupboard needs a database that it can write to.")
    return _check_tables(conn, url, part)


def _check_tables(conn: Connection, url: str, part: bool) -> str | None:
    there = set(sa.inspect(conn).get_table_names())
    if not part:
        refuse_part(shown(url), there)
    found = list(conn.exec_driver_sql(_REVISION).scalars()) if "alembic_version" in there else []
    others = sorted(name for name in there - {"alembic_version", COPYING.name} if not name.startswith(_OF_OTHERS))
    if not found:
        if others:
            raise Busy(
                f"{shown(url)} is not a Cupboard database: it has the tables {', '.join(others[:5])}. "
                "Make an empty one for Cupboard with `createdb`."
            )
        return None
    if not {"person", "game", "event", "secret"} <= there:
        raise Busy(f"{shown(url)} is not a Cupboard database, but another program's.")
    if len(found) > 1 or found[0] not in known_revisions():
        raise NewerDatabase(
            f"{shown(url)} was written by a newer Cupboard. Update this one, or use another database with --database."
        )
    return str(found[0])


def _read_secret(conn: Connection, url: str) -> bytes:
    """The secret; DamagedDatabase when it is lost, or a table or a column is."""
    for table in METADATA.sorted_tables:
        columns = {column["name"] for column in sa.inspect(conn).get_columns(table.name)} if _has(conn, table) else None
        if columns is None:
            raise _damaged(url, f"the table {table.name} is missing")
        if missing := sorted(set(table.c.keys()) - columns):
            raise _damaged(url, f"the table {table.name} lacks {', '.join(missing)}")
    keys = list(conn.execute(sa.select(SECRET.c.key)).scalars())
    try:
        (key,) = keys
        return bytes.fromhex(key)
    except ValueError:
        raise _damaged(url, "the secret of the seat tokens is lost") from None


def _has(conn: Connection, table: sa.Table) -> bool:
    return sa.inspect(conn).has_table(table.name)


def _damaged(url: str, why: str) -> DamagedDatabase:
    return DamagedDatabase(f"{shown(url)} is damaged ({why}). Put a copy of it back with `cupboard restore`.")
