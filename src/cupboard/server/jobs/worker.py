"""A worker: does the jobs that servers post to the queue in their database, in processes of its own.

It attends to two queues at once, so that there is always room for a job that a person at a table waits for. What it
cannot finish it gives back: on SIGTERM by itself, and when it dies another worker notices after some seconds.
"""

from __future__ import annotations

import asyncio
import logging
import time
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import psycopg
from procrastinate import App, JobContext, RetryStrategy
from procrastinate.job_context import AbortReason

from cupboard import __version__
from cupboard.core.registry import names
from cupboard.server.child_process import ChildFailed, ChildProcess
from cupboard.server.errors import Busy
from cupboard.server.jobs.kinds import KINDS, JobFailed
from cupboard.server.jobs.pool import JobPool, bot_processes
from cupboard.server.jobs.posted import DATABASE_ERRORS
from cupboard.server.jobs.queue import TASK, channel, install, open_queue, queue_of
from cupboard.server.readiness.parts import all_parts
from cupboard.server.settings import ServerSettings
from cupboard.server.store.postgres_channel import PostgresChannel
from cupboard.server.store.postgres_database import open_postgres
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_HEARTBEAT_SECONDS = 1.0
_DEAD_SECONDS = 5.0
"""A worker without a heartbeat for so long is taken for dead, and its jobs are done by others."""
_LOOK_SECONDS = 1.0
_URGENT_LOOK_SECONDS = 0.2
"""Seconds between looks for urgent jobs: procrastinate loses a message that comes while it looks and finds nothing."""
_GRACE_SECONDS = 5.0
"""So long a worker that is to end goes on with its jobs; what is left then it gives back."""
_AGAIN_SECONDS = 2.0
_MOST_TRIES = 3
_SWEEP = (
    "DELETE FROM answer WHERE made < now() - interval '1 minute'",
    "DELETE FROM procrastinate_jobs WHERE status NOT IN ('todo', 'doing')",
)
_SWEEP_SECONDS = 10.0
_ANSWER = "INSERT INTO answer (id, data, error) VALUES (%(id)s, %(data)s, %(error)s) ON CONFLICT DO NOTHING"
_MOST_SECONDS_TO_COMPILE = 300.0
_GRANT = "The worker's user needs GRANT CREATE ON DATABASE, or the rights on a schema that a server has made."
_COMPILING = "cupboard.server.readiness.compiling"


class Worker:
    """The processes of one worker, and its place at the queue."""

    def __init__(self, settings: ServerSettings, ready: Callable[[], None]) -> None:
        """`ready` is called whenever it begins to take jobs. A CupboardError says why the database cannot be used."""
        open_postgres(settings.database, 1).readers.dispose()
        self._url = settings.database
        self._urgent = bot_processes(settings)
        self._others = max(1, self._urgent // 2)
        own = msgspec.structs.replace(settings, simulation_processes=self._urgent)
        self._pool = JobPool(own, self._others)
        self._channel = PostgresChannel(self._url, channel(), lambda _: None)
        self._ready = ready

    async def work(self, stop: asyncio.Event) -> None:
        """Do jobs until it is to stop. A database that is out of reach is tried again and again."""
        telling = asyncio.ensure_future(self._channel.run())
        stopped = asyncio.ensure_future(stop.wait())
        try:
            compiling = asyncio.ensure_future(self._compile())
            await asyncio.wait([compiling, stopped], return_when=asyncio.FIRST_COMPLETED)
            compiling.cancel()
            while not stop.is_set():
                working = asyncio.ensure_future(self._work())
                await asyncio.wait([working, stopped], return_when=asyncio.FIRST_COMPLETED)
                working.cancel()
                try:
                    await working
                except asyncio.CancelledError:
                    pass
                except BaseExceptionGroup as errors:
                    if errors.split(DATABASE_ERRORS)[1] is not None:
                        raise
                    _LOG.warning(Note("jobs-out-of-reach", why=type(errors.exceptions[0]).__name__))
                except DATABASE_ERRORS as error:
                    _LOG.warning(Note("jobs-out-of-reach", why=type(error).__name__))
                if not stop.is_set():
                    await asyncio.wait([stopped], timeout=_AGAIN_SECONDS)
        finally:
            telling.cancel()
            stopped.cancel()
            await self._pool.close()

    async def _compile(self) -> None:
        """Have all games compiled before the first job: what is kept already takes seconds."""
        child = ChildProcess(_COMPILING, 4096)
        try:
            for part in all_parts(names()):
                with suppress(ChildFailed):
                    await child.ask(msgspec.json.encode(part), _MOST_SECONDS_TO_COMPILE)
        finally:
            await child.close()

    async def _work(self) -> None:
        """Take jobs until the database is out of reach, or until it is cancelled, which lets jobs come to their end."""
        try:
            await install(self._url)
        except psycopg.errors.InsufficientPrivilege as error:
            raise Busy(f"The queue cannot be made: {error.diag.message_primary}. {_GRANT}") from error
        queue = open_queue(self._url, self._urgent + self._others + 4)
        queue.task(name=TASK, pass_context=True, retry=RetryStrategy(max_attempts=_MOST_TRIES))(self._do(queue))
        async with queue.open_async(), asyncio.TaskGroup() as tasks:
            beside = [tasks.create_task(self._care_for_others(queue)), tasks.create_task(_sweep(queue))]
            taking = [
                tasks.create_task(self._take(queue, queue_of(is_urgent=True), self._urgent, _URGENT_LOOK_SECONDS)),
                tasks.create_task(self._take(queue, queue_of(is_urgent=False), self._others, _LOOK_SECONDS)),
            ]
            _LOG.info(Note("worker-ready", version=__version__, bots=self._urgent, others=self._others))
            self._ready()
            await asyncio.wait(taking, return_when=asyncio.FIRST_COMPLETED)
            for task in (*beside, *taking):
                task.cancel()

    async def _take(self, queue: App, name: str, count: int, look_seconds: float) -> None:
        await queue.run_worker_async(
            queues=[name],
            name=name,
            concurrency=count,
            install_signal_handlers=False,
            delete_jobs="always",
            fetch_job_polling_interval=look_seconds,
            abort_job_polling_interval=_LOOK_SECONDS,
            update_heartbeat_interval=_HEARTBEAT_SECONDS,
            stalled_worker_timeout=60.0,
            shutdown_graceful_timeout=_GRACE_SECONDS,
        )

    def _do(self, queue: App) -> Callable[..., Any]:
        async def do(
            context: JobContext,
            number: str,
            kind: str,
            request: str,
            before: str | None,
            seconds: float,
            place: str,
            until: float,
        ) -> None:
            if time.time() > until:
                return  # nobody waits for it any more
            data, error = b"", ""
            try:
                ahead = None if before is None else b64decode(before)
                data = await self._pool.run(KINDS[kind], b64decode(request), seconds, before=ahead, place=place)
            except JobFailed as reason:
                error = str(reason) or "the job failed"
            except asyncio.CancelledError:
                if context.abort_reason() is AbortReason.USER_REQUEST:
                    return  # whoever asked has gone
                raise
            except Exception:
                _LOG.exception(Note("job-failed", kind=kind))
                error = "the worker has failed"
            await queue.connector.execute_query_async(_ANSWER, id=number, data=data, error=error)
            self._channel.post(number)

        return do

    async def _care_for_others(self, queue: App) -> None:
        """Give back the jobs of workers that have died."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for job in await queue.job_manager.get_stalled_jobs(seconds_since_heartbeat=_DEAD_SECONDS):
                _LOG.warning(Note("worker-died", job=job.id or 0, tries=job.attempts + 1))
                with suppress(*DATABASE_ERRORS):  # another worker was quicker
                    await queue.job_manager.retry_job(job)


async def _sweep(queue: App) -> None:
    """Delete now and then what nobody has taken."""
    while True:
        for statement in _SWEEP:
            await queue.connector.execute_query_async(statement)
        await asyncio.sleep(_SWEEP_SECONDS)
