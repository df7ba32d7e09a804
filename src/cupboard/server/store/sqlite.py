"""The store in a file of SQLite.

Moves, which are most of what happens, are written where they are made, on the event loop: a commit to SQLite's log
takes less than handing it to a thread. Whatever may take longer goes to a thread: reading, writing more than log
entries, waiting for another process's lock, copying the log into the database (checkpoints), and every write when
each must reach the platter (a durable store). docs/decisions/0005-moves-are-written-on-the-loop.md has the numbers.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Concatenate, cast

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, IntegrityError

from cupboard.core.words import phrase
from cupboard.server.errors import Busy, Stale
from cupboard.server.store.schema import EVENT, GAME
from cupboard.server.store.sqlite_file import SECONDS_TO_WAIT, open_database, sentence_of, synchronous
from cupboard.server.store.store import LogEntry, P, Store, T

_MOST_AT_ONCE = 100
_CHECKPOINT_EVERY = 1000
_QUICKER = phrase("no.quicker")
_END = sa.update(GAME).where(GAME.c.id == "").values(status=sa.literal_column("'over'"), outcome="", due=sa.null())
"""The statement that ends a game; its parameters are the outcome and the game."""


class _Job(msgspec.Struct):
    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


class SqliteStore(Store):
    """A file of SQLite, with two threads that read and one that writes. `close` ends them."""

    def __init__(self, file: Path, durable: bool = False) -> None:
        self.file = file
        self._database = open_database(file, durable)
        dialect = self._database.readers.dialect
        self._insert = str(sa.insert(EVENT).compile(dialect=dialect))
        self._end = str(_END.compile(dialect=dialect))
        self._readers = ThreadPoolExecutor(2, "reader")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._writer.start()
        self._foreign = 0
        self._quick = self._connect_quick(durable)
        self._is_quick = not durable
        self._appended = 0

    @property
    def secret(self) -> bytes:
        """What seat tokens and invites are derived from; never leaves the server."""
        return self._database.secret

    def close(self) -> None:
        """Finish what is queued, then close the file."""
        self._jobs.put(None)
        self._writer.join(SECONDS_TO_WAIT)
        self._readers.shutdown()
        self._quick.close()
        self._database.readers.dispose()

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` finds in the database."""

        def run() -> T:
            with _speaking(), self._database.readers.connect() as conn:
                return work(conn, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, after all it wrote in one transaction is committed."""
        loop = asyncio.get_running_loop()
        job = _Job(_bind(work, args, kwargs), loop, loop.create_future())
        self._jobs.put(job)
        return cast(T, await job.future)

    async def append(
        self,
        game: str,
        entries: Sequence[LogEntry],
        outcome: str | None = None,
        also: Callable[[Connection], object] | None = None,
        holder: str = "",
    ) -> None:
        """Add entries to a log; Stale, and nothing is written, when one of their numbers is taken.

        In the same transaction an `outcome`, as JSON, ends the game, and `also` writes what else there is."""
        rows = [(game, entry.n, entry.seat, entry.kind, entry.text, entry.at) for entry in entries]
        if also is None and self._append_now(rows, outcome):
            return

        def work(conn: Connection) -> None:
            conn.exec_driver_sql(self._insert, rows)
            if outcome is not None:
                conn.exec_driver_sql(self._end, (outcome, game))
            if also is not None:
                also(conn)

        try:
            await self.write(work)
        except IntegrityError:
            raise Stale(_QUICKER) from None

    async def check_writable(self) -> None:
        """Write something that changes nothing, nor makes the file larger; an error when that cannot be done."""
        await self.write(_touch)

    async def changed(self) -> bool:
        """Whether anything but an `append` on the event loop has changed the file since this was last asked."""
        version = int(self._quick.execute("PRAGMA data_version").fetchone()[0])
        changed, self._foreign = version != self._foreign, version
        return changed

    def _connect_quick(self, durable: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, isolation_level=None, timeout=0)
        for line in (synchronous(durable), "wal_autocheckpoint=0", "cache_size=-4000"):
            connection.execute(f"PRAGMA {line}")
        return connection

    def _append_now(self, rows: Sequence[tuple[str, int, int | None, str, str, int]], outcome: str | None) -> bool:
        """Write the rows here and now; False when that would mean waiting."""
        if not self._is_quick:
            return False
        quick = self._quick
        try:
            if outcome is not None:
                quick.execute("BEGIN IMMEDIATE")
            # One statement is a transaction by itself: all rows or none.
            quick.execute(_inserts(self._insert, len(rows)), [value for row in rows for value in row])
            if outcome is not None:
                quick.execute(self._end, (outcome, rows[0][0]))
                quick.execute("COMMIT")
        except sqlite3.Error as error:
            if quick.in_transaction:
                quick.execute("ROLLBACK")
            if isinstance(error, sqlite3.IntegrityError):
                raise Stale(_QUICKER) from None
            sentence = sentence_of(error)
            if isinstance(sentence, Busy):
                return False  # somebody else is writing: wait for them in the writer's thread
            raise sentence or error from error
        self._appended += 1
        if self._appended % _CHECKPOINT_EVERY == 0:
            asyncio.get_running_loop().run_in_executor(self._readers, self._checkpoint)
        return True

    def _checkpoint(self) -> None:
        # Where the disk is full the log keeps what it has; the next checkpoint takes it along.
        with suppress(DatabaseError), self._database.readers.connect() as conn:
            conn.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    # The writer's thread.

    def _write_all(self) -> None:
        conn = self._database.writers.connect()
        while (first := self._jobs.get()) is not None:
            jobs: list[_Job] = [first]
            done = False
            while len(jobs) < _MOST_AT_ONCE and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    done = True
                    break
                jobs.append(job)
            # One process runs one loop: all jobs were asked for there.
            first.loop.call_soon_threadsafe(_answer, self._attempt(conn, jobs))
            if done:
                break
        conn.close()

    def _attempt(self, conn: Connection, jobs: list[_Job]) -> list[tuple[_Job, Any, Exception | None]]:
        """The answers of all jobs, done in one transaction; if that fails, each in its own."""
        try:
            with _speaking(), conn.begin():
                return [(job, job.work(conn), None) for job in jobs]
        except Exception as error:
            if len(jobs) == 1:
                return [(jobs[0], None, error)]
        return [answer for job in jobs for answer in self._attempt(conn, [job])]


def _touch(conn: Connection) -> None:
    """Write a page of the file anew: the number in its header that SQLite leaves to programs, and we never read."""
    number = int(conn.exec_driver_sql("PRAGMA user_version").scalar_one())
    conn.exec_driver_sql(f"PRAGMA user_version = {number}")


@cache
def _inserts(insert: str, rows: int) -> str:
    """The statement that inserts so many rows; a move with nature's answers has a few."""
    head, values, row = insert.partition(" VALUES ")
    return head + values + ", ".join([row] * rows)


def _bind(work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[Connection], Any]:
    return (lambda conn: work(conn, *args, **kwargs)) if args or kwargs else work


def _answer(answers: list[tuple[_Job, Any, Exception | None]]) -> None:
    for job, result, error in answers:
        if job.future.done():
            continue  # whoever asked has gone
        if error is not None:
            job.future.set_exception(error)
        else:
            job.future.set_result(result)


@contextmanager
def _speaking() -> Iterator[None]:
    """Turns SQLite's errors about disk, locks and damage into CupboardErrors."""
    try:
        yield
    except IntegrityError:
        raise
    except DatabaseError as error:
        raise sentence_of(error.orig) or error from error
