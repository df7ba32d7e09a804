"""Opening a database of PostgreSQL: reachable, of this program's version, or a sentence that says what is wrong."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from alembic import command
from sqlalchemy.exc import DBAPIError

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import Busy
from cupboard.server.store.revisions import alembic_config, check_revision
from cupboard.server.store.schema import SECRET

_UPGRADE_LOCK = 0x637570  # an advisory lock: servers that start together upgrade one after the other
_REVISION = "SELECT version_num FROM alembic_version"


class PostgresDatabase(NamedTuple):
    """An open database: two engines on one pool of connections, and the secret of its seat tokens."""

    readers: sa.Engine
    """The engine whose transactions see the database as it was at one moment."""
    writers: sa.Engine
    """The engine whose transactions are serializable."""
    secret: bytes


def open_postgres(url: str, connections: int) -> PostgresDatabase:
    """The database, made or brought up to date if need be."""
    engine = sa.create_engine(
        sa.make_url(url).set(drivername="postgresql+psycopg"),
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,  # or errors would tell the log what people are called
    )
    try:
        secret = _upgrade(engine)
    except DBAPIError as error:
        raise Busy(f"The database cannot be opened: {error.orig}") from error
    readers = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return PostgresDatabase(readers, engine.execution_options(isolation_level="SERIALIZABLE"), secret)


def sentence_of(error: DBAPIError) -> CupboardError | None:
    """The CupboardError for an error of PostgreSQL about disk, connections or rights; None for any other."""
    if error.connection_invalidated:
        return Busy(phrase("no.database"))
    return None


def _upgrade(engine: sa.Engine) -> bytes:
    """Bring the database up to date, and return its secret."""
    config = alembic_config()
    with engine.begin() as conn:
        conn.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
        here = conn.exec_driver_sql(_REVISION).scalar() if sa.inspect(conn).has_table("alembic_version") else None
        check_revision(engine.url.render_as_string(), here)
        config.attributes["connection"] = conn
        command.upgrade(config, "head")
        return bytes.fromhex(conn.execute(sa.select(SECRET.c.key)).scalar_one())
