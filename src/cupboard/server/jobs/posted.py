"""Jobs that workers do: posted to the queue in the database as long as a worker lives, and else done here.

An asker waits for an answer only so long. When none has come, because the worker died and nobody took its place, or
the database cannot be reached, the work is done by the server's own pool.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from base64 import b64encode
from collections.abc import Coroutine
from typing import Any

import psycopg
from procrastinate.exceptions import ProcrastinateException
from psycopg_pool import PoolTimeout

from cupboard.server.jobs.kinds import JobFailed, Kind
from cupboard.server.jobs.pool import JobPool
from cupboard.server.jobs.queue import TASK, channel, install, open_queue, queue_of
from cupboard.server.store.postgres_channel import PostgresChannel
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
DATABASE_ERRORS = (psycopg.Error, ProcrastinateException, PoolTimeout, OSError, TimeoutError)
MOST_POSTED_BYTES = 1_000_000
"""A longer request is not posted."""
_PATIENCE = 8.0
"""So much longer than the work itself may take an asker waits: a worker that dies is noticed after five seconds."""
_LOOK_SECONDS = 1.0
"""Seconds between looks for workers, and for answers whose message was lost."""
_CONNECTIONS = 4
_AGAIN_SECONDS = 2.0
_ALIVE = "SELECT count(*) AS workers FROM procrastinate_workers WHERE last_heartbeat > now() - interval '5 seconds'"
_TAKE = "DELETE FROM answer WHERE id = ANY(%(ids)s) RETURNING id, data, error"


class Unanswered(Exception):
    """No worker has answered."""


class PostedJobs:
    """The jobs of one server."""

    def __init__(self, url: str, pool: JobPool) -> None:
        self.pool = pool
        self.workers = 0
        """How many queues workers attend to; each worker has two."""
        self._url = url
        self._queue = open_queue(url, _CONNECTIONS)
        self._channel = PostgresChannel(url, channel(), self._heard)
        self._asked: dict[str, asyncio.Future[bytes]] = {}
        self._told: set[str] = set()
        self._news = asyncio.Event()
        self._beside: set[asyncio.Task[Any]] = set()

    async def live(self) -> None:
        """Look for workers and for answers, as long as the server runs."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._channel.run())
            while True:
                try:
                    await install(self._url)
                    async with self._queue.open_async():
                        await self._look()
                except DATABASE_ERRORS as error:
                    _LOG.warning(Note("jobs-out-of-reach", why=type(error).__name__))
                    self._lose_workers()
                    await asyncio.sleep(_AGAIN_SECONDS)

    async def run(
        self, kind: Kind, request: bytes, seconds: float, *, before: bytes | None = None, place: str = ""
    ) -> bytes:
        """The answer to a request, as `Jobs.run` says."""
        if self.workers and len(request) <= MOST_POSTED_BYTES:
            try:
                return await self._post(kind, request, seconds, before, place)
            except Unanswered as error:
                _LOG.warning(Note("job-unanswered", kind=kind.name, why=error))
        return await self.pool.run(kind, request, seconds, before=before, place=place)

    def count(self, kind: Kind) -> int:
        """How many processes of this server do this kind of work at once."""
        return self.pool.count(kind)

    def waiting(self, kind: Kind) -> int:
        """How many requests of this kind wait for a process of this server."""
        return self.pool.waiting(kind)

    def running(self, kind: Kind) -> int:
        """How many requests of this kind processes of this server work on."""
        return self.pool.running(kind)

    @property
    def posted(self) -> int:
        """How many requests workers have not answered yet."""
        return len(self._asked)

    async def close(self) -> None:
        """Take back all jobs, and end the processes."""
        for future in self._asked.values():
            future.cancel()
        await asyncio.wait([*self._beside, asyncio.ensure_future(self.pool.close())], timeout=5)

    # One job.

    async def _post(self, kind: Kind, request: bytes, seconds: float, before: bytes | None, place: str) -> bytes:
        number = secrets.token_hex(12)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        patience = seconds + _PATIENCE
        job = self._queue.configure_task(TASK, queue=queue_of(kind.is_urgent))
        posting = asyncio.ensure_future(
            job.defer_async(
                number=number,
                kind=kind.name,
                request=b64encode(request).decode(),
                before=None if before is None else b64encode(before).decode(),
                seconds=seconds,
                place=place,
                until=time.time() + patience,
            )
        )
        try:
            async with asyncio.timeout(patience):
                await asyncio.shield(posting)
                return await answer
        except DATABASE_ERRORS as error:
            raise Unanswered(f"{type(error).__name__} after {patience:g} seconds at most") from error
        finally:
            del self._asked[number]
            if not answer.done() or answer.cancelled() or isinstance(answer.exception(), Unanswered):
                self._do_beside(self._take_back(posting, number))

    async def _take_back(self, posting: asyncio.Future[int], number: str) -> None:
        """Cancel a job that nobody waits for, and drop the answer that may have come meanwhile."""
        try:
            await self._queue.job_manager.cancel_job_by_id_async(await posting, abort=True, delete_job=True)
            await self._queue.connector.execute_query_async(_TAKE, ids=[number])
        except DATABASE_ERRORS:
            pass  # workers leave alone what is too late, and sweep it away

    def _do_beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    # All of them.

    def _heard(self, number: str) -> None:
        if number in self._asked:
            self._told.add(number)
            self._news.set()

    async def _look(self) -> None:
        """Look for workers and answers until the database is out of reach."""
        loop = asyncio.get_running_loop()
        next_look = loop.time()
        while True:
            if (left := next_look - loop.time()) > 0:
                try:
                    async with asyncio.timeout(left):
                        await self._news.wait()
                except TimeoutError:
                    pass
            self._news.clear()
            told, self._told = self._told, set()
            if loop.time() >= next_look:
                next_look = loop.time() + _LOOK_SECONDS
                told = set(self._asked)
                row = await self._queue.connector.execute_query_one_async(_ALIVE)
                self.workers = int(row["workers"])
                if not self.workers:
                    self._lose_workers()
            if told:
                for row in await self._queue.connector.execute_query_all_async(_TAKE, ids=list(told)):
                    self._answer(row["id"], bytes(row["data"]), row["error"])

    def _answer(self, number: str, data: bytes, error: str) -> None:
        future = self._asked.get(number)
        if future is not None and not future.done():
            if error:
                future.set_exception(JobFailed(error))
            else:
                future.set_result(data)

    def _lose_workers(self) -> None:
        """Let all who wait do without workers."""
        self.workers = 0
        for future in self._asked.values():
            if not future.done():
                future.set_exception(Unanswered("no worker is left"))
