"""Running a tournament: fixtures go to an executor, results come back in any order, each counts exactly once.

Any `concurrent.futures.Executor` will do: a process pool here, a Dask client's executor on a cluster. When a worker
dies its games are played again; a game whose worker dies three times is given up with an error.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from cupboard.arena.play import Played, play_fixture
from cupboard.arena.schedule import Fixture, Schedule
from cupboard.core.errors import CupboardError

__all__ = ["ArenaFailed", "Crew", "dask_crew", "here", "local_crew", "run"]

_TRIES = 3


class ArenaFailed(CupboardError):
    """The tournament cannot go on; what was finished is kept."""

    code = "arena-failed"


class Crew:
    """Workers that can be replaced: `hire` makes an executor, and again after it broke."""

    def __init__(self, hire: Callable[[], Executor], workers: int) -> None:
        self._hire = hire
        self.workers = workers
        self._executor: Executor | None = None

    def submit(self, fixture: Fixture) -> Future[Played]:
        """Let somebody play this game."""
        if self._executor is None:
            self._executor = self._hire()
        try:
            return self._executor.submit(play_fixture, fixture)
        except BrokenExecutor:
            self.dismiss()
            self._executor = self._hire()
            return self._executor.submit(play_fixture, fixture)

    def abandon(self) -> None:
        """Stop the workers in the middle of their games, where that can be done."""
        if isinstance(self._executor, _Pool):
            self._executor.kill_workers()
            self._executor = None

    def dismiss(self) -> None:
        """Let go of the workers; games that have not begun are dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


class _Here(Executor):
    """Plays at once in this very thread: for tests, and for following a game with a debugger."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def here() -> Iterator[Crew]:
    """No other process at all."""
    from cupboard.arena.external import ExternalEngine

    try:
        yield Crew(_Here, 1)
    finally:
        ExternalEngine.close_idle()


def _begin_work() -> None:
    """What a new worker does first: leave Ctrl-C to its parent, and end when the parent does, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def outlive_nobody() -> None:
        parent.join()
        os._exit(1)

    Thread(target=outlive_nobody, daemon=True, name="parent-watch").start()


class _Pool(ProcessPoolExecutor):
    """Processes that can be ended in the middle of a game."""

    def kill_workers(self) -> None:
        """End them at once. Python's own pool can do this from 3.14 on."""
        processes = list((self._processes or {}).values())
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


@contextmanager
def local_crew(workers: int) -> Iterator[Crew]:
    """A process for each worker on this machine."""
    # Not fork: the parent has threads (progress bar, compiled code), and a forked child may inherit a held lock.
    crew = Crew(lambda: _Pool(workers, mp_context=get_context("spawn"), initializer=_begin_work), workers)
    try:
        yield crew
    except KeyboardInterrupt:
        crew.abandon()  # whoever presses Ctrl-C does not want to wait for the games under way
        raise
    finally:
        crew.dismiss()


@contextmanager
def dask_crew(address: str) -> Iterator[Crew]:
    """The workers of a Dask cluster; they must have the same version of this package."""
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
        yield Crew(lambda: client.get_executor(pure=False), max(1, threads))
    finally:
        with suppress(Exception):  # the cluster may be gone by now; the journal has what counts
            client.close()


def run(
    schedule: Schedule,
    crew: Crew,
    done: dict[str, Played],
    keep: Callable[[Played], object],
    enough: Callable[[], bool] = lambda: False,
) -> None:
    """Play what is not `done`; `keep` each result as it comes; stop early when there is `enough`.

    Only a few more games than workers are under way, so stopping early wastes little.
    """
    waiting = (fixture for fixture in schedule.fixtures() if fixture.id not in done)
    again: list[Fixture] = []
    failures: Counter[str] = Counter()
    running: dict[Future[Played], Fixture] = {}
    window = 2 * crew.workers
    while not enough():
        while len(running) < window and (fixture := again.pop() if again else next(waiting, None)) is not None:
            running[crew.submit(fixture)] = fixture
        if not running:
            return
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            fixture = running.pop(future)
            try:
                played = future.result()
            except CupboardError:
                raise
            except (Exception, CancelledError) as error:
                failures[fixture.id] += 1
                if failures[fixture.id] >= _TRIES:
                    why = f"{type(error).__name__}: {str(error)[:200]}"
                    raise ArenaFailed(f"Game {fixture.id} was given up after {_TRIES} tries: {why}") from error
                again.append(fixture)
            else:
                keep(
                    played
                )  # outside: what cannot be kept is no fault of the game, and playing it again would double it
