"""A queue of jobs that are done one at a time, so that players at the tables hardly notice them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, TypeVar, cast

from cupboard.core.words import phrase
from cupboard.server.errors import Busy, TooMany

T = TypeVar("T")
_SECONDS_LATER = 2
"""When somebody whose share is used up should come again: most pictures take a tenth of a second."""


class _Job:
    """One piece of work, with the number of callers that wait for it."""

    __slots__ = ("asker", "done", "started", "waiting", "work")

    def __init__(self, asker: str, work: Callable[[], Awaitable[Any]]) -> None:
        self.asker = asker
        self.work = work
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.waiting = 0
        self.started = False


class JobQueue(Generic[T]):
    """A bounded queue of jobs, done in order.

    A second caller for the same key shares the job of the first. A queued job that nobody waits for any more is
    dropped. The queue holds at most `most` jobs, `most_each` of one asker.
    """

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._jobs: dict[Hashable, _Job] = {}
        self._runner: asyncio.Task[None] | None = None

    async def ask(self, key: Hashable, asker: str, work: Callable[[], Awaitable[T]]) -> T:
        """What `work` returns, when its turn comes. Busy when the queue is full, TooMany when the asker's share is."""
        job = self._jobs.get(key)
        if job is None:
            if len(self._jobs) >= self._most:
                raise Busy(phrase("no.turn"))
            if sum(1 for other in self._jobs.values() if other.asker == asker) >= self._most_each:
                raise TooMany(phrase("no.drawings"), _SECONDS_LATER)
            job = self._jobs[key] = _Job(asker, work)
            if self._runner is None:
                self._runner = asyncio.create_task(self._run())
        job.waiting += 1
        try:
            return cast(T, await asyncio.shield(job.done))
        finally:
            job.waiting -= 1
            if not job.waiting and not job.started:
                self._jobs.pop(key, None)

    def close(self) -> None:
        """Stop, and cancel all callers that still wait."""
        if self._runner is not None:
            self._runner.cancel()
        for job in self._jobs.values():
            job.done.cancel()
        self._jobs.clear()

    async def _run(self) -> None:
        while self._jobs:
            key, job = next(iter(self._jobs.items()))
            job.started = True
            try:
                result = await job.work()
            except Exception as error:
                job.done.set_exception(error)
                job.done.exception()  # nobody may be left to look at it, which is no fault
            else:
                job.done.set_result(result)
            finally:
                self._jobs.pop(key, None)
        self._runner = None
