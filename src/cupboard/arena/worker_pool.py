"""Worker pools that play the games of a tournament: this process, a pool of processes, or a Dask cluster.

Each pool wraps a `concurrent.futures.Executor` and starts a new one when the old one has broken.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from cupboard.arena.game_runner import GameResult, play_fixture
from cupboard.arena.schedule import Fixture
from cupboard.core.errors import CupboardError

__all__ = ["ArenaFailed", "WorkerPool", "dask_pool", "in_process_pool", "process_pool"]


class ArenaFailed(CupboardError):
    """The tournament cannot go on. The games finished so far are in the journal."""

    code = "arena-failed"


class WorkerPool:
    """Workers that play games; `start` makes their executor, and makes it again after it broke."""

    def __init__(self, start: Callable[[], Executor], workers: int) -> None:
        self._start = start
        self.workers = workers
        self._executor: Executor | None = None

    def submit(self, fixture: Fixture) -> Future[GameResult]:
        """Queue one game; the future holds its result. A broken executor is replaced first."""
        if self._executor is None:
            self._executor = self._start()
        try:
            return self._executor.submit(play_fixture, fixture)
        except BrokenExecutor:
            self.shut_down()
            self._executor = self._start()
            return self._executor.submit(play_fixture, fixture)

    def kill(self) -> None:
        """Stop the workers in the middle of their games. Does nothing to workers that are not our own processes."""
        if isinstance(self._executor, _KillablePool):
            self._executor.kill_workers()
            self._executor = None

    def shut_down(self) -> None:
        """Wait for the games under way and end the workers. Games still in the queue are dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


class _SameThreadExecutor(Executor):
    """An executor that runs each call at once in the calling thread: for tests, and for use with a debugger."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def in_process_pool() -> Iterator[WorkerPool]:
    """A pool of one worker that plays in the calling thread, with no other process."""
    from cupboard.arena.external_engine import ExternalEngine

    try:
        yield WorkerPool(_SameThreadExecutor, 1)
    finally:
        ExternalEngine.close_idle()


def _begin_work() -> None:
    """Set up a new worker process: it ignores Ctrl-C, which its parent handles, and exits when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def exit_with_parent() -> None:
        parent.join()
        os._exit(1)

    Thread(target=exit_with_parent, daemon=True, name="parent-watch").start()


class _KillablePool(ProcessPoolExecutor):
    """A process pool whose processes can be ended in the middle of a game."""

    def kill_workers(self) -> None:
        """Kill every process at once. Python's own pool can do this from 3.14 on."""
        processes = list((self._processes or {}).values())
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


@contextmanager
def process_pool(workers: int) -> Iterator[WorkerPool]:
    """A pool of `workers` processes on this machine."""
    # Not fork: the parent has threads (progress bar, compiled code), and a forked child may inherit a held lock.
    pool = WorkerPool(lambda: _KillablePool(workers, mp_context=get_context("spawn"), initializer=_begin_work), workers)
    try:
        yield pool
    except KeyboardInterrupt:
        pool.kill()  # a person who presses Ctrl-C does not want to wait for the games under way
        raise
    finally:
        pool.shut_down()


@contextmanager
def dask_pool(address: str) -> Iterator[WorkerPool]:
    """The workers of the Dask cluster whose scheduler is at `address`. They need the same version of this package."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ArenaFailed("Dask is not installed: install cupboard-games[cluster].") from error
    try:
        client: Any = Client(address, timeout="10s", set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise ArenaFailed(f"There is no Dask scheduler at {address[:60]!r}.") from error
    try:
        threads = sum(client.nthreads().values())
        # Not pure: Dask must not think that two games with equal fixtures are one computation.
        yield WorkerPool(lambda: client.get_executor(pure=False), max(1, threads))
    finally:
        with suppress(Exception):  # the cluster may be gone by now; the journal has what counts
            client.close()
