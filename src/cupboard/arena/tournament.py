"""Running a tournament: fixtures go to an executor, results come back in any order, each counts exactly once.

Any `concurrent.futures.Executor` will do: a process pool here, a Dask client's executor on a cluster. When a worker
dies its games are played again; a game whose worker dies three times is given up with an error.
"""

from __future__ import annotations

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
from multiprocessing import get_context
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


@contextmanager
def local_crew(workers: int) -> Iterator[Crew]:
    """A process for each worker on this machine."""
    # Not fork: the parent has threads (progress bar, compiled code), and a forked child may inherit a held lock.
    crew = Crew(lambda: ProcessPoolExecutor(workers, mp_context=get_context("spawn")), workers)
    try:
        yield crew
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
