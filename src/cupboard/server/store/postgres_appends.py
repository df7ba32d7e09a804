"""Appending to logs in PostgreSQL: one statement each, sent from the event loop and answered when it is on the disk.

A move is one round trip and waits for no thread (docs/decisions/0020). Connections are made when they are needed, and
one that was lost is replaced at once: whether its statement was carried out is found out by looking.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import psycopg

from cupboard.core.words import phrase
from cupboard.server.errors import Busy, LeaseLost, Stale
from cupboard.server.store.postgres_connections import SECONDS_TO_ANSWER, connect_async, cut
from cupboard.server.store.postgres_errors import is_integrity, sentence_of
from cupboard.server.store.store import LogEntry

_SECONDS_TO_GIVE_UP = SECONDS_TO_ANSWER + 2
"""PostgreSQL gives a statement up before that; if it does not even do that, we do."""


class PostgresAppends:
    """A few connections of the event loop, and the statement that appends."""

    def __init__(self, url: str, most: int) -> None:
        self._url = url
        self._free: list[psycopg.AsyncConnection] = []
        self._turns = asyncio.Semaphore(most)

    def close(self) -> None:
        """Close the connections that nobody uses, which are all when the event loop has ended."""
        while self._free:
            conn = self._free.pop()
            conn.pgconn.finish()

    async def append(self, game: str, entries: Sequence[LogEntry], holder: str = "") -> None:
        """Add entries to a log; Stale when one of their numbers is taken, LeaseLost when the holder has no lease."""
        rows = [(game, entry.n, entry.seat, entry.kind, entry.text, entry.at) for entry in entries]
        values: list[object] = [value for row in rows for value in row]
        if holder:
            values = [game, holder, *values]
        statement = _statement(len(rows), bool(holder))
        was_free = bool(self._free)
        try:
            try:
                await self._execute(statement, values, len(rows))
            except (psycopg.Error, OSError) as error:
                if not was_free or not _is_lost(error):
                    raise
                # It may have been lost long ago, as when PostgreSQL was started again, and so were the others.
                self.close()
                try:
                    await self._execute(statement, values, len(rows))
                except psycopg.IntegrityError:
                    if not await self._has(rows):
                        raise
                    # What was sent over the lost connection has arrived.
        except (psycopg.Error, OSError) as error:
            if is_integrity(error):
                raise Stale(phrase("no.quicker")) from None
            raise sentence_of(error) or error from error

    async def _execute(self, statement: str, values: Sequence[object], rows: int) -> None:
        async with self._connection() as conn:
            if (await _execute(conn, statement, values)).rowcount != rows:
                raise LeaseLost(phrase("no.lease"))

    async def _has(self, rows: Sequence[tuple[object, ...]]) -> bool:
        """Whether exactly these rows are in the log."""
        query = "SELECT game, n, seat, kind, text, at FROM event WHERE game = %s AND n BETWEEN %s AND %s ORDER BY n"
        async with self._connection() as conn:
            found = await (await _execute(conn, query, (rows[0][0], rows[0][1], rows[-1][1]))).fetchall()
        return found == list(rows)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[psycopg.AsyncConnection]:
        """A connection, for the block; it is kept if the block ends well, or because of a row."""
        await self._wait_for_turn()
        try:
            conn = self._free.pop() if self._free else await connect_async(self._url)
            try:
                yield conn
            except BaseException as error:
                if not is_integrity(error) and not isinstance(error, Stale):
                    conn.pgconn.finish()
                raise
            finally:
                if not conn.closed:
                    self._free.append(conn)
        finally:
            self._turns.release()

    async def _wait_for_turn(self) -> None:
        if not self._turns.locked():
            await self._turns.acquire()  # which does not wait
            return
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                await self._turns.acquire()
        except TimeoutError:
            raise Busy(phrase("no.database")) from None


async def _execute(conn: psycopg.AsyncConnection, statement: str, values: Sequence[object]) -> psycopg.AsyncCursor[Any]:
    alarm = asyncio.get_running_loop().call_later(_SECONDS_TO_GIVE_UP, cut, conn)
    try:
        return await conn.execute(statement.encode(), values)
    finally:
        alarm.cancel()


def _is_lost(error: psycopg.Error | OSError) -> bool:
    """Whether the connection is gone, so that another may do better; PostgreSQL has not refused the statement."""
    state = getattr(error, "sqlstate", None)
    return state is None or state.startswith(("08", "57P"))


@cache
def _statement(rows: int, has_holder: bool) -> str:
    """The statement that inserts so many rows; for a holder only if the lease is theirs, and stays so until then."""
    into = "INSERT INTO event (game, n, seat, kind, text, at)"
    if not has_holder:
        return f"{into} VALUES {', '.join(['(%s, %s, %s, %s, %s, %s)'] * rows)}"
    row = "(%s::text, %s::int, %s::int, %s::text, %s::text, %s::bigint)"
    return (
        "WITH held AS MATERIALIZED (SELECT 1 FROM lease WHERE game = %s AND server = %s FOR SHARE) "
        f"{into} SELECT entry.* FROM held, (VALUES {', '.join([row] * rows)}) AS entry"
    )
