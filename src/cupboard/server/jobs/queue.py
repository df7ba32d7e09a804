"""The queue in the database: procrastinate's tables and the answers to jobs, in a schema of their own.

The name of the schema says which version of Cupboard and of procrastinate made it. Servers and workers of one version
meet there; those of another have a queue of their own, so nothing in it is ever migrated. It holds nothing of value:
who waits for a job that is lost does it without the queue.
"""

from __future__ import annotations

import logging
from functools import cache
from hashlib import sha256
from typing import Any

import procrastinate
import psycopg
from procrastinate.schema import SchemaManager
from psycopg import sql

from cupboard import __version__

PREFIX = "cupboard_jobs_"
"""What the names of the schemas begin with. Copies and backups leave them out."""
TASK = "job"
_LOCK = 0x6A6F6273  # an advisory lock: who starts together makes one schema
_ANSWERS = """
CREATE TABLE answer (
    id text PRIMARY KEY,
    data bytea NOT NULL,
    error text NOT NULL,
    made timestamptz NOT NULL DEFAULT now()
);
"""
_UNUSED_DAYS = 7
# What they say of a database that is out of reach is many lines long; servers and workers say it in one.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


@cache
def _version() -> str:
    return sha256(f"{__version__}\n{SchemaManager.get_schema()}\n{_ANSWERS}".encode()).hexdigest()[:12]


def schema() -> str:
    """The schema of this version."""
    return PREFIX + _version()


def queue_of(is_urgent: bool) -> str:
    """The queue of jobs that a person at a table waits for, or that of the others.

    Its name has the version, because procrastinate's messages know no schemas."""
    return f"{'now' if is_urgent else 'later'}_{_version()}"


def channel() -> str:
    """The channel on which workers say that there is an answer."""
    return f"cupboard_answers_{_version()}"


def open_queue(url: str, connections: int) -> procrastinate.App:
    """The queue of this version, with so many connections; it is opened with `open_async`."""
    # What is in the queue is worth nothing after a crash: nobody need wait for the disk.
    options = f"-c search_path={schema()} -c synchronous_commit=off"
    return procrastinate.App(
        connector=procrastinate.PsycopgConnector(
            conninfo=url,
            kwargs={"options": options, "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 2},
            min_size=1,
            max_size=connections,
            timeout=5.0,
            reconnect_timeout=1.0,
        )
    )


async def install(url: str) -> None:
    """Make the schema of this version, unless it is there, and drop those that nobody has used for a week."""
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=5) as conn:  # which is one transaction
        await conn.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        found = await conn.execute("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", (PREFIX,))
        there = [str(row[0]) for row in await found.fetchall()]
        for other in there:
            if other != schema() and await _is_unused(conn, other):
                await conn.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(other)))
        if schema() not in there:
            name = sql.Identifier(schema())
            await conn.execute(sql.SQL("CREATE SCHEMA {}").format(name))
            await conn.execute(sql.SQL("SET LOCAL search_path = {}").format(name))
            await conn.execute(SchemaManager.get_schema())
            await conn.execute(_ANSWERS)
            await conn.execute(
                sql.SQL("COMMENT ON SCHEMA {} IS {}").format(name, f"Cupboard {__version__}: the queue of its workers")
            )


async def _is_unused(conn: psycopg.AsyncConnection[Any], other: str) -> bool:
    """Whether no worker of that version has been seen lately. One that comes back makes its schema anew."""
    used = sql.SQL("SELECT 1 FROM {} WHERE last_heartbeat > now() - make_interval(days => {})").format(
        sql.Identifier(other, "procrastinate_workers"), _UNUSED_DAYS
    )
    return await (await conn.execute(used)).fetchone() is None
