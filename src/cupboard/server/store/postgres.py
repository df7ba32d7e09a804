"""The store in PostgreSQL, for several servers on one database.

The log's key `(game, n)` decides between servers that append at the same moment, as it does in SQLite. Everything else
that is read and then written in one transaction is serializable, and tried again when another transaction came in
between: functions for `Store.write` may rely on that, and must do nothing but read and write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Concatenate

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from cupboard.core.words import phrase
from cupboard.server.errors import Busy, LeaseLost, Stale
from cupboard.server.store.postgres_database import open_postgres, sentence_of
from cupboard.server.store.schema import EVENT, GAME, LEASE
from cupboard.server.store.store import LogEntry, P, Store, T

_THREADS = 8
_TRIES = 10
_TRY_AGAIN = {"40001", "40P01"}
"""Serialization failures and deadlocks: another transaction was quicker, and this one may be done once more."""


class PostgresStore(Store):
    """A database of PostgreSQL, with a few threads that each have a connection. `close` ends them."""

    def __init__(self, url: str) -> None:
        self._database = open_postgres(url, _THREADS)
        self._threads = ThreadPoolExecutor(_THREADS, "postgres")

    @property
    def secret(self) -> bytes:
        """What seat tokens and invites are derived from; never leaves the server."""
        return self._database.secret

    def close(self) -> None:
        """Finish what is queued, then close the connections."""
        self._threads.shutdown()
        self._database.readers.dispose()

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` finds in the database, all of it at one moment."""

        def run() -> T:
            with _speaking(), self._database.readers.connect() as conn:
                return work(conn, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, after all it wrote in one transaction is committed."""

        def run() -> T:
            with _speaking():
                for _ in range(_TRIES):
                    try:
                        with self._database.writers.begin() as conn:
                            return work(conn, *args, **kwargs)
                    except DBAPIError as error:
                        if getattr(error.orig, "sqlstate", None) not in _TRY_AGAIN:
                            raise
            raise Busy(phrase("no.database"))

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

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


def _touch(conn: Connection) -> None:
    """Write and take back: a transaction that may only read is refused here."""
    conn.exec_driver_sql("SELECT pg_current_xact_id()")


@contextmanager
def _speaking() -> Iterator[None]:
    """Turns PostgreSQL's errors about disk, connections and rights into CupboardErrors."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise sentence_of(error) or error from error
