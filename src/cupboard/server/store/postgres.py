"""The store in PostgreSQL, for several servers on one database.

The log's key `(game, n)` decides between servers that append at the same moment, as it does in SQLite: a move is one
statement, sent from the event loop (`postgres_appends`). Everything else goes to a thread. What is read and then
written in one transaction is serializable, and tried again when another transaction came in between: functions for
`Store.write` may rely on that, and must do nothing but read and write.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, Generic

import psycopg
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from cupboard.core.words import phrase
from cupboard.server.errors import Busy, LeaseLost, Stale
from cupboard.server.store.postgres_appends import PostgresAppends
from cupboard.server.store.postgres_connections import SECONDS_TO_ANSWER, cut
from cupboard.server.store.postgres_database import open_postgres
from cupboard.server.store.postgres_errors import speaking
from cupboard.server.store.schema import EVENT, GAME, LEASE
from cupboard.server.store.store import LogEntry, P, Store, T

_CONNECTIONS = 8
"""Of the threads, and as many of the event loop."""
_TRIES = 12
_TRY_AGAIN = {"40001", "40P01"}
"""Serialization failures and deadlocks: another transaction was quicker, and this one may be done once more."""
_LOST_PARENT = "23503"
"""A row refers to one that is not there, or is referred to: also when another transaction wrote it a moment ago, which
a second try sees."""
_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.25
_SECONDS_TO_GIVE_UP = 3 * SECONDS_TO_ANSWER
"""PostgreSQL gives a statement up much earlier; if it does not even do that, we do."""


class PostgresStore(Store):
    """A database of PostgreSQL, with a few connections of threads and of the event loop. `close` ends them."""

    def __init__(self, url: str) -> None:
        self._database = open_postgres(url, _CONNECTIONS)
        self._appends = PostgresAppends(url, _CONNECTIONS)
        self._threads = ThreadPoolExecutor(_CONNECTIONS, "postgres")

    @property
    def secret(self) -> bytes:
        """What seat tokens and invites are derived from; never leaves the server."""
        return self._database.secret

    def close(self) -> None:
        """Finish what is queued, then close the connections."""
        self._threads.shutdown()
        self._appends.close()
        self._database.readers.dispose()

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` finds in the database, all of it at one moment."""
        return await self._run(self._database.readers, lambda conn: work(conn, *args, **kwargs))

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, after all it wrote in one transaction is committed."""
        return await self._run(self._database.writers, lambda conn: work(conn, *args, **kwargs))

    async def append(
        self,
        game: str,
        entries: Sequence[LogEntry],
        outcome: str | None = None,
        also: Callable[[Connection], object] | None = None,
        holder: str = "",
    ) -> None:
        """Add entries to a log; Stale, and nothing is written, when one of their numbers is taken.

        In the same transaction an `outcome`, as JSON, ends the game, and `also` writes what else there is.

        Where a `holder` is named, LeaseLost unless that server holds the table's lease."""
        if outcome is None and also is None:
            await self._appends.append(game, entries, holder)
            return
        rows = [
            {"game": game, "n": entry.n, "seat": entry.seat, "kind": entry.kind, "text": entry.text, "at": entry.at}
            for entry in entries
        ]

        def work(conn: Connection) -> None:
            if holder:
                held = sa.select(LEASE.c.game).where(LEASE.c.game == game, LEASE.c.server == holder)
                if conn.execute(held.with_for_update(read=True)).first() is None:
                    raise LeaseLost(phrase("no.lease"))
            conn.execute(sa.insert(EVENT), rows)
            if outcome is not None:
                over = {"status": "over", "outcome": outcome, "due": None}
                conn.execute(sa.update(GAME).where(GAME.c.id == game).values(over))
            if also is not None:
                also(conn)

        try:
            await self.write(work)
        except IntegrityError:
            raise Stale(phrase("no.quicker")) from None

    async def check_writable(self) -> None:
        """Write something that changes nothing, nor makes the database larger; an error when that cannot be done."""
        await self.write(_touch)

    async def changed(self) -> bool:
        """Whether another server may have written since this was last asked; True when in doubt."""
        return True

    async def _run(self, engine: sa.Engine, work: Callable[[Connection], T]) -> T:
        """What `work` returns, done in a thread within a transaction, and after collisions done again.

        When PostgreSQL does not answer, its connection is cut: the thread is free again, and the error is Busy."""
        loop = asyncio.get_running_loop()
        job = _Job(engine, work)
        alarm = loop.call_later(_SECONDS_TO_GIVE_UP, job.give_up)
        try:
            return await loop.run_in_executor(self._threads, job.run)
        finally:
            alarm.cancel()


class _Job(Generic[T]):
    """A piece of work for a thread, in a transaction."""

    def __init__(self, engine: sa.Engine, work: Callable[[Connection], T]) -> None:
        self._engine = engine
        self._work = work
        self._at: psycopg.Connection | None = None
        self._is_given_up = False

    def run(self) -> T:
        """Do it; after a collision with another transaction once more, after a pause that grows."""
        pause = _FIRST_PAUSE
        with speaking():
            for number in range(_TRIES):
                if self._is_given_up:
                    break
                try:
                    with self._engine.begin() as conn:
                        self._at = conn.connection.driver_connection
                        return self._work(conn)
                except DBAPIError as error:
                    state = getattr(error.orig, "sqlstate", None)
                    if state not in _TRY_AGAIN and (state != _LOST_PARENT or number):
                        raise
                finally:
                    self._at = None
                time.sleep(pause * random.uniform(0.5, 1.5))  # or they would collide again
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise Busy(phrase("no.database"))

    def give_up(self) -> None:
        """Let it end with an error, from another thread."""
        self._is_given_up = True
        if (conn := self._at) is not None:
            cut(conn)


def _touch(conn: Connection) -> None:
    """Take a transaction's number, which a transaction that may only read is refused."""
    conn.exec_driver_sql("SELECT pg_current_xact_id()")
